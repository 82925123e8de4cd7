//! The kinds of rows in the trash, and their statements.

use deadwax_store::{
    clock::{Micros, micros},
    columns::Named as _,
    db::Statement,
    names,
};
use rules::retention::{DEMO_TRASH_MS, TRASH_MS};
use serde::{Deserialize as _, Deserializer, de::Error as _};
use uuid::Uuid;

names! {
    /// The kinds of rows that can be deleted and restored.
    TrashKind;
    Artist = "artist";
    Release = "release";
    Product = "product";
    Media = "media";
    /// A picture of the pages themselves.
    SiteImage = "site_image";
    /// A demo, for a minute only.
    Demo = "demo";
}

impl TrashKind {
    pub fn target(self, id: Uuid) -> String {
        format!("{}:{id}", self.as_str())
    }

    pub const fn deleted(self) -> &'static str {
        match self {
            Self::Media | Self::Demo => "upload_delete",
            Self::Artist | Self::Release | Self::Product | Self::SiteImage => "sensitive_delete",
        }
    }

    pub fn kept(self) -> Micros {
        match self {
            Self::Demo => micros(DEMO_TRASH_MS),
            _ => micros(TRASH_MS),
        }
    }

    /// Rows deleted at that instant or before are gone by `now`.
    pub fn gone_before(self, now: Micros) -> Micros {
        now - self.kept()
    }

    pub(super) const fn table(self) -> Table {
        match self {
            Self::Artist => artists::TABLE,
            Self::Release => releases::TABLE,
            Self::Product => products::TABLE,
            Self::Media => media::TABLE,
            Self::SiteImage => site_images::TABLE,
            Self::Demo => demos::TABLE,
        }
    }
}

/// Reads a kind by name; any other JSON is a body of the wrong form.
pub(super) fn by_name<'de, D: Deserializer<'de>>(body: D) -> Result<TrashKind, D::Error> {
    let name = String::deserialize(body)?;
    TrashKind::named(&name).ok_or_else(|| D::Error::custom("no kind of row"))
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Whether a search keeps punctuation, as in file names; else it uses sort keys.
    pub(super) keeps_punctuation: bool,
    /// Moves `$1` to the trash at `$2`, by `$3`; answers the address or the key of its file.
    pub(super) delete: Statement,
    /// Takes `$1` out of it, unless deleted at `$2` or before; returns the same.
    pub(super) restore: Statement,
    pub(super) purge: Statement,
    pub(super) due: Statement,
    /// Rows whose names are like `$1`, newest deletion first, at most `$3` below the instant `$4` and the id `$5`; not those deleted at
    /// `$2` or before.
    pub(super) list: Statement,
    /// How many are like `$1`, without those deleted at `$2` or before.
    pub(super) count: Statement,
}

/// Declares the module of a kind: its table, the columns of its name, search text, picture and file, and a further condition of its list.
macro_rules! kind {
    ($module:ident, $kind:literal, $table:literal, $name:literal, $search:literal as $keeps_punctuation:literal, $picture:literal, $file:literal, $listed:literal) => {
        mod $module {
            deadwax_store::statements! {
                DELETE = concat!(
                    "UPDATE ", $table, " SET deleted_at = $2, deleted_by = $3 WHERE id = $1 AND deleted_at IS NULL RETURNING ", $file
                );
                RESTORE = concat!(
                    "UPDATE ", $table, " SET deleted_at = NULL, deleted_by = NULL WHERE id = $1 AND deleted_at > $2 RETURNING ", $file
                );
                PURGE = concat!("DELETE FROM ", $table, " WHERE id = $1 AND deleted_at IS NOT NULL RETURNING ", $file);
                DUE = concat!("SELECT id FROM ", $table, " WHERE deleted_at <= $1 ORDER BY deleted_at, id");
                LIST = concat!(
                    "SELECT '", $kind, "' AS kind, t.id, ", $name, " AS name, ", $picture, " AS image_url, t.deleted_at, p.username AS deleted_by, \
                         '/media/' || o.small_key AS image_small_url, o.sizes AS image_sizes \
                     FROM ", $table, " t LEFT JOIN profiles p ON p.id = t.deleted_by \
                         LEFT JOIN objects o ON o.key = substr(", $picture, ", 8) \
                     WHERE ", $search, " LIKE $1 ESCAPE '\\' AND t.deleted_at > $2 AND t.deleted_at <= $4 \
                         AND (t.deleted_at < $4 OR t.id < $5)", $listed, " \
                     ORDER BY t.deleted_at DESC, t.id DESC LIMIT $3"
                );
                COUNT = concat!(
                    "SELECT COUNT(*) FROM ", $table, " t WHERE ", $search, " LIKE $1 ESCAPE '\\' AND t.deleted_at > $2", $listed
                );
            }
            pub(super) const TABLE: crate::trash::kinds::Table = crate::trash::kinds::Table {
                keeps_punctuation: $keeps_punctuation,
                delete: DELETE,
                restore: RESTORE,
                purge: PURGE,
                due: DUE,
                list: LIST,
                count: COUNT,
            };
        }
    };
}

kind!(artists, "artist", "artists", "t.name", "t.sort_key" as false, "t.image_url", "image_url", "");
kind!(releases, "release", "releases", "t.title", "t.sort_key" as false, "t.cover_image_url", "cover_image_url", "");
kind!(products, "product", "store_products", "t.title", "t.sort_key" as false, "t.image_url", "image_url", "");
// A file deleted with its site image is listed as that.
kind!(
    media,
    "media",
    "media_files",
    "t.original_name",
    "t.sort_key" as false,
    "CASE WHEN t.file_type = 'image' THEN '/media/' || t.file_path END",
    "file_path",
    " AND NOT EXISTS (SELECT 1 FROM site_images s WHERE s.deleted_at = t.deleted_at AND s.image_url = '/media/' || t.file_path)"
);
kind!(site_images, "site_image", "site_images", "t.key", "LOWER(t.key)" as true, "t.image_url", "image_url", "");
kind!(demos, "demo", "demos", "t.original_name", "t.search_key" as true, "CAST(NULL AS TEXT)", "file_key", "");

deadwax_store::statements! {
    and artists, releases, products, media, site_images, demos;
}
