//! Where a library file is shown. Deleting it removes it from there in the same transaction, so that no page shows a gap.

use deadwax_config::Origin;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    ids::UserId,
    names, objects, picture_sizes, statements,
};
use rules::image::PictureError;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    editing::versions::{self, VersionKind},
    trash::kinds::TrashKind,
};

statements! {
    OF_ARTISTS = "UPDATE artists SET image_url = NULL, updated_at = $3, version = version + 1 \
        WHERE image_url IN ($1, $2) RETURNING id";
    OF_RELEASES = "UPDATE releases SET cover_image_url = NULL, updated_at = $3, version = version + 1 \
        WHERE cover_image_url IN ($1, $2) RETURNING id";
    OF_PRODUCTS = "UPDATE store_products SET image_url = NULL, updated_at = $3, version = version + 1 \
        WHERE image_url IN ($1, $2) RETURNING id";
    OF_SITE = "UPDATE site_images SET deleted_at = $3, deleted_by = $4 \
        WHERE image_url IN ($1, $2) AND deleted_at IS NULL RETURNING id";
    DROP_OF_SITE = "DELETE FROM site_images WHERE image_url IN ($1, $2) RETURNING id";
    BACK_TO_ARTIST = "UPDATE artists SET image_url = $2, updated_at = $3, version = version + 1 \
        WHERE id = $1 AND image_url IS NULL";
    BACK_TO_RELEASE = "UPDATE releases SET cover_image_url = $2, updated_at = $3, version = version + 1 \
        WHERE id = $1 AND cover_image_url IS NULL";
    BACK_TO_PRODUCT = "UPDATE store_products SET image_url = $2, updated_at = $3, version = version + 1 \
        WHERE id = $1 AND image_url IS NULL";
    USES = concat!("SELECT 'artist' AS kind, id, name, is_public FROM artists WHERE image_url IN ($1, $2) AND deleted_at IS NULL \
        UNION ALL SELECT 'release', id, title, state = 'out' FROM releases \
            WHERE cover_image_url IN ($1, $2) AND deleted_at IS NULL \
        UNION ALL SELECT 'product', id, title, FALSE FROM store_products WHERE image_url IN ($1, $2) AND deleted_at IS NULL \
        UNION ALL SELECT 'site_image', id, key, TRUE FROM site_images WHERE image_url IN ($1, $2) AND deleted_at IS NULL \
        UNION ALL SELECT 'letter', id, subject, FALSE FROM letters WHERE ", letter_shows!("$1"), " ORDER BY 1, 3, 2");
    IS_STORED = "SELECT EXISTS (SELECT 1 FROM objects WHERE key = $1) \
        AND NOT EXISTS (SELECT 1 FROM media_files WHERE file_path = $1 AND deleted_at IS NOT NULL)";
    // Whatever its state: a file that is being moved to the trash is waited for.
    IS_TRASHED = "SELECT deleted_at IS NOT NULL FROM media_files WHERE file_path = $1", postgres + " FOR SHARE";
    IS_NAMED = concat!("SELECT EXISTS (SELECT 1 FROM artists WHERE image_url IN ($1, $2)) \
        OR EXISTS (SELECT 1 FROM releases WHERE cover_image_url IN ($1, $2)) \
        OR EXISTS (SELECT 1 FROM store_products WHERE image_url IN ($1, $2)) \
        OR EXISTS (SELECT 1 FROM site_images WHERE image_url IN ($1, $2)) \
        OR EXISTS (SELECT 1 FROM letters WHERE ", letter_shows!("$1"), ")");
}

names! {
    /// The kinds of rows that show a file.
    UseKind;
    Artist = "artist";
    Release = "release";
    Product = "product";
    SiteImage = "site_image";
    Letter = "letter";
}

/// A row that shows a file.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct FileUse {
    /// The kind of row.
    pub kind: UseKind,
    /// The row's id.
    pub id: Uuid,
    /// The title, or the subject of a letter.
    pub name: String,
    /// Whether visitors see it.
    #[serde(skip)]
    pub is_public: bool,
}

/// The two spellings of a file's address in rows: path and full address.
fn both(origin: &Origin, url: &str) -> (String, String) {
    (url.to_owned(), format!("{origin}{url}"))
}

pub(crate) async fn list(db: &Db, origin: &Origin, url: &str) -> sqlx::Result<Vec<FileUse>> {
    let (url, full) = both(origin, url);
    db.query(USES).bind(url).bind(full).all().await
}

pub(crate) async fn of(tx: &mut Tx, origin: &Origin, url: &str) -> sqlx::Result<Vec<FileUse>> {
    let (url, full) = both(origin, url);
    tx.query(USES).bind(url).bind(full).all().await
}

/// The key of a local address, in either spelling.
pub(crate) fn key_of<'a>(origin: &Origin, url: &'a str) -> Option<&'a str> {
    url.strip_prefix(&origin.to_string()).unwrap_or(url).strip_prefix(&objects::url(""))
}

/// Makes a local file's full address the path, by which its sizes are found.
pub(crate) fn make_path(origin: &Origin, url: &mut Option<String>) {
    if let Some(key) = url.as_deref().and_then(|url| key_of(origin, url)) {
        *url = Some(objects::url(key));
    }
}

/// Whether a local address names a file that is deleted or in the trash.
pub(crate) async fn is_missing(db: &Db, origin: &Origin, url: &str) -> sqlx::Result<bool> {
    let Some(key) = key_of(origin, url) else { return Ok(false) };
    Ok(!db.query(IS_STORED).bind(key).value::<bool>().await?)
}

/// As [`is_missing`]. Locks the file, as [`require`] does.
pub(crate) async fn is_missing_in(tx: &mut Tx, origin: &Origin, url: &str) -> sqlx::Result<bool> {
    let Some(key) = key_of(origin, url) else { return Ok(false) };
    Ok(is_trashed(tx, key).await? || !tx.query(IS_STORED).bind(key).value::<bool>().await?)
}

async fn is_trashed(tx: &mut Tx, key: &str) -> sqlx::Result<bool> {
    Ok(tx.query(IS_TRASHED).bind(key).maybe().await? == Some(true))
}

/// 422 at `field` if the address names a file in the trash. Unknown files are accepted.
///
/// Locks the file until the transaction ends. To be called before the rows that show it are locked: the trash locks the file first, but for a site image's.
pub(crate) async fn require(
    tx: &mut Tx,
    origin: &Origin,
    field: &'static str,
    url: Option<&str>,
) -> AppResult<()> {
    let Some(key) = url.and_then(|url| key_of(origin, url)) else { return Ok(()) };
    if is_trashed(tx, key).await? { Err(AppError::invalid(field, PictureError::Gone)) } else { Ok(()) }
}

pub(crate) async fn is_named(tx: &mut Tx, origin: &Origin, url: &str) -> sqlx::Result<bool> {
    let (url, full) = both(origin, url);
    tx.query(IS_NAMED).bind(url).bind(full).value().await
}

/// Removes the file from artists, releases and products, also those in the trash, and moves the site images that show it to the trash.
/// Returns the affected rows.
pub(crate) async fn take_out(
    tx: &mut Tx,
    origin: &Origin,
    url: &str,
    by: Option<UserId>,
    now: Micros,
) -> sqlx::Result<Vec<(TrashKind, Uuid)>> {
    let (url, full) = both(origin, url);
    let mut shown = Vec::new();
    // Releases before their artists, as `catalogue::publication` has it.
    for (kind, statement) in [
        (TrashKind::Release, OF_RELEASES),
        (TrashKind::Artist, OF_ARTISTS),
        (TrashKind::Product, OF_PRODUCTS),
    ] {
        let rows = tx.query(statement).bind(&url).bind(&full).bind(now).values().await?;
        shown.extend(rows.into_iter().map(|id| (kind, id)));
    }
    let rows = tx.query(OF_SITE).bind(&url).bind(&full).bind(now).bind(by).values().await?;
    shown.extend(rows.into_iter().map(|id| (TrashKind::SiteImage, id)));
    Ok(shown)
}

pub(crate) async fn put_back(
    tx: &mut Tx,
    kind: TrashKind,
    id: Uuid,
    url: &str,
    now: Micros,
) -> sqlx::Result<()> {
    let statement = match kind {
        TrashKind::Artist => BACK_TO_ARTIST,
        TrashKind::Release => BACK_TO_RELEASE,
        TrashKind::Product => BACK_TO_PRODUCT,
        TrashKind::Media | TrashKind::SiteImage | TrashKind::Demo => return Ok(()),
    };
    tx.query(statement).bind(id).bind(url).bind(now).execute().await.map(drop)
}

/// Deletes a local file and everything made from it, and removes it from all rows.
pub(crate) async fn remove_file(tx: &mut Tx, origin: &Origin, url: &str, now: Micros) -> sqlx::Result<()> {
    let Some(key) = url.strip_prefix("/media/") else { return Ok(()) };
    take_out(tx, origin, url, None, now).await?;
    let (url, full) = both(origin, url);
    let dropped = tx.query(DROP_OF_SITE).bind(url).bind(full).values::<Uuid>().await?;
    versions::forget_many(tx, VersionKind::SiteImage, &dropped).await?;
    picture_sizes::remove_with_all(tx, key, now).await
}
