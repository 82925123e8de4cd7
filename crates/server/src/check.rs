//! `deadwax check`: whether what is stored is whole. Reads everything, changes nothing, works beside a running server.

use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};

use crate::{
    clock,
    db::Db,
    fetch, mail, statements,
    storage::{Storage, StorageError},
};

/// Files checked between two looks at the table.
const BATCH: i64 = 200;

statements! {
    OBJECTS_AFTER = "SELECT key, size_bytes, sha256 FROM objects WHERE key > $1 ORDER BY key LIMIT $2";
    SMALL_WITHOUT_ROW = "SELECT o.small_key FROM objects o WHERE o.small_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM objects s WHERE s.key = o.small_key)";
    PICTURES_WITHOUT_ROW = "SELECT p.place, p.url FROM (\
        SELECT 'artist ' || name AS place, image_url AS url FROM artists UNION ALL \
        SELECT 'release ' || title, cover_image_url FROM releases UNION ALL \
        SELECT 'site image ' || key, image_url FROM site_images UNION ALL \
        SELECT 'a picture of a person', avatar_url FROM profiles) p \
        WHERE p.url LIKE '/media/%' AND NOT EXISTS (SELECT 1 FROM objects o WHERE o.key = substr(p.url, 8)) ORDER BY p.place";
    ARTIST_SORT_KEYS = "SELECT name, sort_key FROM artists";
    RELEASE_SORT_KEYS = "SELECT title, sort_key FROM releases";
}

/// Everything that is not as it should be, each as a line for the person who looks after the label.
pub async fn findings(db: &Db, storage: &Storage) -> anyhow::Result<Vec<String>> {
    let mut findings = database(db).await?;
    for (place, url) in fetch!(db, all, (String, String), PICTURES_WITHOUT_ROW)? {
        findings.push(format!("{place}: {url} is not stored"));
    }
    for (key,) in fetch!(db, all, (String,), SMALL_WITHOUT_ROW)? {
        findings.push(format!("{key}: a small version without its row"));
    }
    for (what, rows) in [
        ("artist", fetch!(db, all, (String, String), ARTIST_SORT_KEYS)?),
        ("release", fetch!(db, all, (String, String), RELEASE_SORT_KEYS)?),
    ] {
        let stale = rows.iter().filter(|(name, key)| rules::sort_key::sort_key(name) != *key);
        findings.extend(stale.map(|(name, _)| {
            format!("{what} {name}: written by another program, so it is not in its alphabetical place")
        }));
    }
    for message in mail::undelivered(db).await? {
        let written = clock::rfc3339(message.created_at);
        findings.push(format!(
            "mail {}: what a visitor wrote on {written} could not be delivered ({})",
            message.id, message.reason
        ));
    }
    findings.extend(objects(db, storage).await?);
    Ok(findings)
}

/// What the engine itself finds. PostgreSQL verifies its pages and keys as it works; SQLite is asked to.
async fn database(db: &Db) -> sqlx::Result<Vec<String>> {
    let Db::Sqlite { read, .. } = db else { return Ok(Vec::new()) };
    let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(read).await?;
    let mut findings: Vec<String> =
        lines.into_iter().filter(|line| line != "ok").map(|line| format!("database: {line}")).collect();
    let orphans: Vec<String> =
        sqlx::query_scalar("SELECT \"table\" FROM pragma_foreign_key_check").fetch_all(read).await?;
    findings.extend(
        orphans.into_iter().map(|table| format!("database: a row of {table} refers to one that is gone")),
    );
    Ok(findings)
}

async fn objects(db: &Db, storage: &Storage) -> anyhow::Result<Vec<String>> {
    let mut findings = Vec::new();
    let mut after = String::new();
    loop {
        let rows = fetch!(db, all, (String, i64, String), OBJECTS_AFTER, &after, BATCH)?;
        let Some((last, ..)) = rows.last() else { return Ok(findings) };
        after.clone_from(last);
        for (key, size_bytes, sha256) in rows {
            match digest(storage, &key).await {
                Ok((size, digest)) if i64::try_from(size).ok() == Some(size_bytes) && digest == sha256 => {}
                Ok(_) => findings.push(format!("{key}: its bytes are not those that were stored")),
                Err(StorageError::NotFound) => findings.push(format!("{key}: its bytes are gone")),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Size and SHA-256 of a file, read piece by piece.
async fn digest(storage: &Storage, key: &str) -> Result<(u64, String), StorageError> {
    let (size, mut bytes) = storage.read(key, None).await?;
    let mut hasher = Sha256::new();
    while let Some(piece) = bytes.try_next().await? {
        hasher.update(&piece);
    }
    Ok((size, hex::encode(hasher.finalize())))
}
