//! What can be in the trash, and the statements of each kind.

use deadwax_store::{
    clock::{Micros, micros},
    db::Statement,
};
use rules::retention::{DEMO_TRASH_MS, TRASH_MS};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::hero::BackgroundRow;

/// What can be deleted and restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrashKind {
    /// An artist.
    Artist,
    /// A release.
    Release,
    /// A product of the store.
    Product,
    /// A file of the library.
    Media,
    /// A picture of the pages themselves.
    SiteImage,
    /// A demo that somebody sent: for a minute only.
    Demo,
}

impl TrashKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Artist, Self::Release, Self::Product, Self::Media, Self::SiteImage, Self::Demo];

    /// As addresses, bodies and the audit log call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Artist => "artist",
            Self::Release => "release",
            Self::Product => "product",
            Self::Media => "media",
            Self::SiteImage => "site_image",
            Self::Demo => "demo",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The row as the audit log names it.
    pub fn target(self, id: Uuid) -> String {
        format!("{}:{id}", self.name())
    }

    /// The event of a deletion in the audit log.
    pub const fn deleted(self) -> &'static str {
        match self {
            Self::Media | Self::Demo => "upload_delete",
            Self::Artist | Self::Release | Self::Product | Self::SiteImage => "data_delete",
        }
    }

    /// Which row of the home page's background one of this kind may be.
    pub const fn background_row(self) -> Option<BackgroundRow> {
        match self {
            Self::SiteImage => Some(BackgroundRow::Image),
            Self::Media => Some(BackgroundRow::File),
            Self::Artist | Self::Release | Self::Product | Self::Demo => None,
        }
    }

    /// How long it stays in the trash.
    pub fn kept(self) -> Micros {
        match self {
            Self::Demo => micros(DEMO_TRASH_MS),
            _ => micros(TRASH_MS),
        }
    }

    /// What was deleted at that instant or before is gone by `now`.
    pub fn gone_before(self, now: Micros) -> Micros {
        now - self.kept()
    }

    /// Its statements.
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

/// Reads a kind from its name: what is no text is a body of another form, and not one that is no JSON.
pub(super) fn by_name<'de, D: Deserializer<'de>>(body: D) -> Result<TrashKind, D::Error> {
    let name = String::deserialize(body)?;
    TrashKind::named(&name).ok_or_else(|| D::Error::custom("no kind of row"))
}

/// The statements of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// Whether a search keeps points and lines, as names of files have them; else it looks for names as they are sorted.
    pub(super) keeps_punctuation: bool,
    /// Moves `$1` to the trash at `$2`, by `$3`; answers the address or the key of its file.
    pub(super) delete: Statement,
    /// Takes `$1` out of it, unless it was deleted at `$2` or before; answers the same.
    pub(super) restore: Statement,
    /// Removes `$1` for good, where it is in the trash; answers the same.
    pub(super) purge: Statement,
    /// The ids of those deleted at `$1` or before.
    pub(super) due: Statement,
    /// At most `$1` rows whose names are like `$2`, newest deletion first, below the instant `$3` and the id `$4`; not those deleted at
    /// `$5` or before.
    pub(super) list: Statement,
    /// How many are like `$1`, without those deleted at `$2` or before.
    pub(super) count: Statement,
}

/// Declares the module of a kind: its table, how its rows are called, what is searched and whether with its punctuation, their picture's
/// address, their file, and what else a row of the list has to be.
macro_rules! kind {
    ($module:ident, $table:literal, $name:literal, $search:literal as $keeps_punctuation:literal, $picture:literal, $file:literal, $listed:literal) => {
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
                    "SELECT t.id, ", $name, " AS name, ", $picture, " AS image_url, t.deleted_at, p.username AS deleted_by, \
                         o.small_key, o.sizes \
                     FROM ", $table, " t LEFT JOIN profiles p ON p.id = t.deleted_by \
                         LEFT JOIN objects o ON o.key = substr(", $picture, ", 8) \
                     WHERE ", $search, " LIKE $2 ESCAPE '\\' AND t.deleted_at <= $3 AND (t.deleted_at < $3 OR t.id < $4) \
                         AND t.deleted_at > $5", $listed, " \
                     ORDER BY t.deleted_at DESC, t.id DESC LIMIT $1"
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

kind!(artists, "artists", "t.name", "t.sort_key" as false, "t.image_url", "image_url", "");
kind!(releases, "releases", "t.title", "t.sort_key" as false, "t.cover_image_url", "cover_image_url", "");
kind!(products, "store_products", "t.title", "t.sort_key" as false, "t.image_url", "image_url", "");
// A file that went with a site image is listed as that.
kind!(
    media,
    "media_files",
    "t.original_name",
    "t.sort_key" as false,
    "CASE WHEN t.file_type = 'image' THEN '/media/' || t.file_path END",
    "file_path",
    " AND NOT EXISTS (SELECT 1 FROM site_images s WHERE s.deleted_at IS NOT NULL AND s.image_url = '/media/' || t.file_path)"
);
kind!(site_images, "site_images", "t.key", "LOWER(t.key)" as true, "t.image_url", "image_url", "");
kind!(demos, "demos", "t.original_name", "t.search_key" as true, "CAST(NULL AS TEXT)", "file_key", "");

/// Every SQL text of the kinds.
pub(super) fn statements() -> Vec<(&'static str, Statement)> {
    [
        artists::STATEMENTS,
        releases::STATEMENTS,
        products::STATEMENTS,
        media::STATEMENTS,
        site_images::STATEMENTS,
        demos::STATEMENTS,
    ]
    .concat()
}
