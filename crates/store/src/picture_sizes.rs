//! A row for each picture whose sizes are due, made or failed, leased by the job that makes them.
//!
//! The files of the sizes have rows among the stored files, which name their picture.

use uuid::Uuid;

use crate::{
    clock::Micros,
    db::{Db, Query, Tx},
    deletions,
    failure::Failure,
    leases::{Lease, LeasedRows, RowKey, leased_rows},
    objects::{self, NewObject},
    statements,
};

macro_rules! lease {
    ($lock:literal) => {
        concat!(
            "UPDATE picture_sizes SET tries = tries + 1, lease = $2, leased_until = $3 \
             WHERE key = (SELECT key FROM picture_sizes \
                 WHERE state = 'due' AND next_try_at <= $1 AND (leased_until IS NULL OR leased_until <= $1) \
                 ORDER BY tries, created_at DESC, key LIMIT 1",
            $lock,
            ") RETURNING key, tries"
        )
    };
}

statements! {
    QUEUE = "INSERT INTO picture_sizes (key, state, next_try_at, created_at) VALUES ($1, 'due', $2, $2) \
        ON CONFLICT (key) DO NOTHING";
    MARK_MADE = "INSERT INTO picture_sizes (key, state, next_try_at, created_at) VALUES ($1, 'made', $2, $2)";
    // Pictures have their width in pixels; people's own are drawn in the one size they are shown in.
    QUEUE_MISSING = "INSERT INTO picture_sizes (key, state, next_try_at, created_at) \
        SELECT o.key, 'due', CAST($1 AS BIGINT), o.created_at FROM objects o \
        WHERE o.width IS NOT NULL AND o.original_key IS NULL AND o.key NOT LIKE 'avatars/%' \
            AND NOT EXISTS (SELECT 1 FROM picture_sizes p WHERE p.key = o.key) \
        ON CONFLICT (key) DO NOTHING";
    LEASE = lease!(""), postgres lease!(" FOR UPDATE SKIP LOCKED");
    FINISH = "UPDATE picture_sizes SET state = 'made', failure = NULL, lease = NULL, leased_until = NULL \
        WHERE key = $1 AND lease = $2 AND state = 'due'";
    SET_SIZES = "UPDATE objects SET sizes = $2 WHERE key = $1";
    // Edits lock the same rows in another order: the job fails first, before the engine breaks a deadlock.
    GIVE_WAY = "SELECT 1", postgres "SET LOCAL lock_timeout = '200ms'";
    // Unchanged, so that the rows keep their versions: the triggers write the events.
    TELL_ARTISTS = "UPDATE artists SET image_url = image_url WHERE image_url = $1";
    TELL_RELEASES = "UPDATE releases SET cover_image_url = cover_image_url WHERE cover_image_url = $1";
    TELL_PRODUCTS = "UPDATE store_products SET image_url = image_url WHERE image_url = $1";
    TELL_SITE_IMAGES = "UPDATE site_images SET image_url = image_url WHERE image_url = $1";
    TELL_MEDIA = "UPDATE media_files SET file_path = file_path WHERE file_path = $1";
    FORGET = "DELETE FROM picture_sizes WHERE key = $1";
    SMALL = "SELECT small_key FROM objects WHERE key = $1 AND small_key IS NOT NULL";
    MADE_OF = "SELECT key FROM objects WHERE original_key = $1";
    WAITING = "SELECT COUNT(*) FROM picture_sizes WHERE state = 'due'";
}

/// The failure of a picture whose file is missing; it may come back, with a disk or from a backup.
pub const GONE: &str = "its file is gone";

leased_rows!("picture_sizes", waiting "due", missing "its file is gone", row "key = $1 AND lease = $2", value "$3");

impl RowKey for String {
    const ROWS: &'static LeasedRows = &rows::ROWS;

    fn bind<'q>(&self, query: Query<'q>) -> Query<'q> {
        query.bind(self)
    }
}

pub async fn queue(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    tx.queued.pictures = true;
    tx.query(QUEUE).bind(key).bind(now).execute().await.map(drop)
}

/// Makes no sizes of a picture, for one that comes in the widths it is shown in. Called as [`queue`] is.
pub async fn mark_made(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    tx.query(MARK_MADE).bind(key).bind(now).execute().await.map(drop)
}

/// Queues the pictures without a row, such as those of an old backup; returns how many.
pub async fn queue_missing(db: &Db, now: Micros) -> sqlx::Result<u64> {
    db.write(QUEUE_MISSING).bind(now).execute().await
}

pub async fn waiting(db: &Db) -> sqlx::Result<i64> {
    db.query(WAITING).value().await
}

/// Leases the next picture that is due until `until`: the newest, as an editor waits for it, but interrupted ones last.
pub async fn lease(db: &Db, now: Micros, until: Micros) -> sqlx::Result<Option<Lease<String>>> {
    let id = Uuid::new_v4().simple().to_string();
    let row = db.write(LEASE).bind(now).bind(&id).bind(until).optional::<(String, i64)>().await?;
    Ok(row.map(|(key, tries)| Lease { key, tries, id }))
}

impl Lease<String> {
    /// Writes the rows of all sizes, whose files are reserved and stored, and touches the rows that show the picture. False, with
    /// nothing written, if the lease is lost.
    ///
    /// Fails soon when an edit holds one of those rows, and may be tried again.
    pub async fn finish(
        &self,
        db: &Db,
        files: &[NewObject<'_>],
        sizes: &str,
        now: Micros,
    ) -> Result<bool, Failure> {
        let mut tx = db.begin().await?;
        tx.query(GIVE_WAY).execute().await?;
        if self.bind(tx.query(FINISH)).execute().await? == 0 {
            return Ok(false);
        }
        for file in files {
            deletions::confirm(&mut tx, file.key).await?;
            let object = NewObject { original_key: Some(&self.key), ..*file };
            objects::insert(&mut tx, &object, now).await?;
        }
        tx.query(SET_SIZES).bind(&self.key).bind(sizes).execute().await?;
        let url = objects::url(&self.key);
        for tell in [TELL_ARTISTS, TELL_RELEASES, TELL_PRODUCTS, TELL_SITE_IMAGES] {
            tx.query(tell).bind(&url).execute().await?;
        }
        tx.query(TELL_MEDIA).bind(&self.key).execute().await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Removes a picture, or any other file, with its sizes and its small version.
pub async fn remove_with_all(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    // First: waits for a job that is finishing its sizes, and leaves others nothing to finish.
    tx.query(FORGET).bind(key).execute().await?;
    let mut keys = tx.query(MADE_OF).bind(key).values::<String>().await?;
    keys.extend(tx.query(SMALL).bind(key).values::<String>().await?);
    for key in keys {
        deletions::remove_object(tx, &key, now).await?;
    }
    deletions::remove_object(tx, key, now).await
}
