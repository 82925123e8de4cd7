//! Whether rows and stored files agree: every row has its file with the right bytes, every file has a row, and every file's row is named
//! by something.
//!
//! Runs beside a working server: what changes between two reads is read again, and files younger than a day may be uploads in progress.

use std::collections::BTreeSet;

use deadwax_config::Origin;
use deadwax_store::{
    clock::Micros,
    columns::signed,
    db::Db,
    deletions::{self, ORPHAN_AGE},
    statements,
    storage::{Storage, StorageError},
};
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};

use crate::files::picture::PictureSizes;

const BATCH: i64 = 200;

/// Every address of a stored file that a row names: the row's place in words, and the file's key. `$1` is the website's address, with
/// which a row may name it.
macro_rules! named {
    () => {
        "SELECT n.place, \
             CASE WHEN n.url LIKE '/media/%' THEN substr(n.url, 8) \
                 ELSE substr(n.url, length(CAST($1 AS TEXT)) + 8) END AS key \
         FROM (\
             SELECT 'artist ' || name AS place, image_url AS url FROM artists UNION ALL \
             SELECT 'release ' || title, cover_image_url FROM releases UNION ALL \
             SELECT 'product ' || title, image_url FROM store_products UNION ALL \
             SELECT 'site image ' || key, image_url FROM site_images UNION ALL \
             SELECT 'a picture of a person', avatar_url FROM profiles) n \
         WHERE n.url LIKE '/media/%' \
             OR substr(n.url, 1, length(CAST($1 AS TEXT)) + 7) = CAST($1 AS TEXT) || '/media/' UNION ALL \
         SELECT 'media file ' || original_name, file_path FROM media_files UNION ALL \
         SELECT 'letter ' || l.subject, p.key FROM letter_pictures p JOIN letters l ON l.id = p.letter_id UNION ALL \
         SELECT 'demo of ' || artist_name, file_key FROM demos"
    };
}

statements! {
    WITHOUT_OBJECT = concat!(
        "SELECT p.place, p.key FROM (",
        named!(),
        ") p LEFT JOIN objects o ON o.key = p.key \
         WHERE o.key IS NULL ORDER BY p.place, p.key"
    );
    SMALL_WITHOUT_ROW = "SELECT o.small_key \
        FROM objects o LEFT JOIN objects s ON s.key = o.small_key \
        WHERE o.small_key IS NOT NULL AND s.key IS NULL \
        ORDER BY o.small_key";
    SIZE_KEYS = "SELECT key FROM objects WHERE original_key IS NOT NULL";
    WITH_SIZES = "SELECT key, sizes FROM objects WHERE sizes IS NOT NULL ORDER BY key";
    WITHOUT_SIZES = "SELECT key, COALESCE(failure, '') FROM picture_sizes WHERE state = 'failed' ORDER BY key";
    NAMED_BY_NOTHING = concat!(
        "SELECT o.key FROM objects o LEFT JOIN (SELECT DISTINCT p.key FROM (",
        named!(),
        " UNION ALL SELECT '', small_key FROM objects \
            UNION ALL SELECT '', s.key FROM objects s JOIN objects b ON b.key = s.original_key) p) u ON u.key = o.key \
         WHERE u.key IS NULL AND o.created_at < $2 ORDER BY o.key"
    );
    OBJECTS_AFTER = "SELECT key, size_bytes, sha256 FROM objects WHERE key > $1 ORDER BY key LIMIT $2";
    OBJECT = "SELECT COUNT(*) FROM objects WHERE key = $1 AND size_bytes = $2 AND sha256 = $3";
    PARTS_AFTER = "SELECT key, size_bytes FROM upload_parts WHERE key > $1 ORDER BY key LIMIT $2";
    PART = "SELECT COUNT(*) FROM upload_parts WHERE key = $1";
}

pub(super) async fn rows_without_objects(db: &Db, origin: &Origin) -> sqlx::Result<Vec<String>> {
    let mut findings: Vec<String> = db
        .query(WITHOUT_OBJECT)
        .bind(origin.to_string())
        .all::<(String, String)>()
        .await?
        .into_iter()
        .map(|(place, key)| format!("{place}: /media/{key} is not stored"))
        .collect();
    for key in db.query(SMALL_WITHOUT_ROW).values::<String>().await? {
        findings.push(format!("{key}: a small version without its row"));
    }
    Ok(findings)
}

pub(super) async fn sizes(db: &Db) -> sqlx::Result<Vec<String>> {
    let rows: BTreeSet<String> = db.query(SIZE_KEYS).values().await?.into_iter().collect();
    let mut findings = Vec::new();
    for (key, sizes) in db.query(WITH_SIZES).all::<(String, String)>().await? {
        let Ok(sizes) = serde_json::from_str::<PictureSizes>(&sizes) else {
            findings.push(format!("{key}: which sizes it has cannot be read"));
            continue;
        };
        let missing = sizes.keys().filter(|size| !rows.contains(size));
        findings.extend(missing.map(|size| format!("{size}: a size without its row")));
    }
    for (key, failure) in db.query(WITHOUT_SIZES).all::<(String, String)>().await? {
        findings.push(format!("{key}: its sizes could not be made, {failure}"));
    }
    Ok(findings)
}

pub(super) async fn objects_without_rows(db: &Db, origin: &Origin, now: Micros) -> sqlx::Result<Vec<String>> {
    let keys =
        db.query(NAMED_BY_NOTHING).bind(origin.to_string()).bind(now - ORPHAN_AGE).values::<String>().await?;
    Ok(keys.into_iter().map(|key| format!("{key}: stored, and nothing names it")).collect())
}

/// Adds what is wrong with the bytes of files.
pub(super) async fn damaged(db: &Db, storage: &Storage, findings: &mut Vec<String>) -> anyhow::Result<()> {
    let mut after = String::new();
    loop {
        let rows = db.query(OBJECTS_AFTER).bind(&after).bind(BATCH).all::<(String, i64, String)>().await?;
        let Some((last, ..)) = rows.last() else { break };
        after.clone_from(last);
        for (key, size_bytes, sha256) in rows {
            let wrong = match digest(storage, &key).await {
                Ok((size, digest)) if signed(size) == size_bytes && digest == sha256 => continue,
                Ok(_) => "its bytes are not those that were stored".to_owned(),
                Err(error) => unread(storage, error, "its bytes are gone").await?,
            };
            // A file removed while it was read has no row any more.
            if db.query(OBJECT).bind(&key).bind(size_bytes).bind(&sha256).value::<i64>().await? > 0 {
                findings.push(format!("{key}: {wrong}"));
            }
        }
    }
    damaged_parts(db, storage, findings).await
}

/// The same for uploads in progress, whose parts have no hash.
async fn damaged_parts(db: &Db, storage: &Storage, findings: &mut Vec<String>) -> anyhow::Result<()> {
    let mut after = String::new();
    loop {
        let rows = db.query(PARTS_AFTER).bind(&after).bind(BATCH).all::<(String, i64)>().await?;
        let Some((last, _)) = rows.last() else { return Ok(()) };
        after.clone_from(last);
        for (key, size_bytes) in rows {
            let wrong = match storage.size(&key).await {
                Ok(size) if signed(size) == size_bytes => continue,
                Ok(_) => "the part of an upload has another length than was stored".to_owned(),
                Err(error) => unread(storage, error, "the part of an upload is gone").await?,
            };
            if db.query(PART).bind(&key).value::<i64>().await? > 0 {
                findings.push(format!("{key}: {wrong}"));
            }
        }
    }
}

/// Names the fault of one file; an error if no other can be read either.
async fn unread(storage: &Storage, error: StorageError, gone: &str) -> Result<String, StorageError> {
    match error {
        StorageError::NotFound => Ok(gone.to_owned()),
        error if storage.is_readable().await => Ok(format!("cannot be read: {error}")),
        error => Err(error),
    }
}

pub(super) async fn files_without_rows(
    db: &Db,
    storage: &Storage,
    now: Micros,
) -> anyhow::Result<Vec<String>> {
    let without_rows = deletions::find_orphans(db, storage, now).await?.into_iter();
    let mut found: Vec<String> =
        without_rows.map(|file| format!("{}: {} bytes without a row", file.key, file.size_bytes)).collect();
    let unfinished =
        storage.list_unfinished().await?.into_iter().filter(|file| file.written_at < now - ORPHAN_AGE);
    found
        .extend(unfinished.map(|file| {
            format!("{}: {} bytes of a file that was never finished", file.key, file.size_bytes)
        }));
    found.sort();
    Ok(found)
}

pub(crate) async fn digest(storage: &Storage, key: &str) -> Result<(u64, String), StorageError> {
    let (size, mut bytes) = storage.read(key, None).await?;
    let mut hasher = Sha256::new();
    while let Some(piece) = bytes.try_next().await? {
        hasher.update(&piece);
    }
    Ok((size, hex::encode(hasher.finalize())))
}
