//! Which pictures are to be made in the sizes that pages show, which have been, and which could not be: a row for each, leased to
//! whoever works on it, so that several instances share the work and none is done twice.
//!
//! The files of the sizes have rows among the stored files, which name the picture that they are of.

use uuid::Uuid;

use crate::{
    clock::Micros,
    db::{Db, Tx},
    deletions,
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
    // Pictures have their width in pixels; people's own are drawn in the one size they are shown in.
    QUEUE_MISSING = "INSERT INTO picture_sizes (key, state, next_try_at, created_at) \
        SELECT o.key, 'due', CAST($1 AS BIGINT), o.created_at FROM objects o \
        WHERE o.width IS NOT NULL AND o.original_key IS NULL AND o.key NOT LIKE 'avatars/%' \
            AND NOT EXISTS (SELECT 1 FROM picture_sizes p WHERE p.key = o.key) \
        ON CONFLICT (key) DO NOTHING";
    LEASE = lease!(""), postgres lease!(" FOR UPDATE SKIP LOCKED");
    EXPIRE_LEASES = "UPDATE picture_sizes SET lease = NULL, leased_until = NULL WHERE leased_until IS NOT NULL";
    RENEW = "UPDATE picture_sizes SET leased_until = $3 WHERE key = $1 AND lease = $2 AND state = 'due'";
    GIVE_BACK = "UPDATE picture_sizes SET lease = NULL, leased_until = NULL, tries = tries - 1, next_try_at = $3 \
        WHERE key = $1 AND lease = $2 AND state = 'due'";
    FAIL = "UPDATE picture_sizes SET state = 'failed', failure = $3, lease = NULL, leased_until = NULL \
        WHERE key = $1 AND lease = $2 AND state = 'due'";
    // What is told of it stays until it is begun again.
    LOOK_AGAIN = "UPDATE picture_sizes SET state = 'due', failure = NULL, tries = 0 \
        WHERE state = 'failed' AND failure = $2 AND next_try_at <= $1";
    LOOK_LATER = "UPDATE picture_sizes SET state = 'failed', failure = $3, lease = NULL, leased_until = NULL, \
            tries = tries - 1, next_try_at = $4 \
        WHERE key = $1 AND lease = $2 AND state = 'due'";
    FINISH = "UPDATE picture_sizes SET state = 'made', failure = NULL, lease = NULL, leased_until = NULL \
        WHERE key = $1 AND lease = $2 AND state = 'due'";
    SET_SIZES = "UPDATE objects SET sizes = $2 WHERE key = $1";
    // Whoever edits what shows the picture has its rows in another order: the work gives way, before the engine chooses one of both.
    GIVE_WAY = "SELECT 1", postgres "SET LOCAL lock_timeout = '200ms'";
    // Nothing changes but what is shown: the triggers tell it, and the rows keep their versions.
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

/// The failure of a picture whose file is not there, although its row is: it may come back, with a disk or from a backup.
pub const GONE: &str = "its file is gone";

/// A picture that this lease alone makes the sizes of, until it runs out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    /// The key of the picture's file.
    pub key: String,
    /// How often it was begun, this time included.
    pub tries: i64,
    lease: String,
}

/// Called in the transaction that writes the row of a picture: its sizes are made after it.
pub async fn queue(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    tx.queued.pictures = true;
    tx.query(QUEUE).bind(key).bind(now).execute().await.map(drop)
}

/// Enters every picture that no row speaks of: those of before there were sizes, and of backups from then. How many.
pub async fn queue_missing(db: &Db, now: Micros) -> sqlx::Result<u64> {
    db.write(QUEUE_MISSING).bind(now).execute().await
}

/// Frees what an earlier run was working on when it died. On PostgreSQL it may have been an instance that lives: there, leases
/// run out.
pub async fn expire_leases(db: &Db) -> sqlx::Result<()> {
    if matches!(db, Db::Postgres { .. }) {
        return Ok(());
    }
    db.write(EXPIRE_LEASES).execute().await.map(drop)
}

/// How many pictures wait for their sizes.
pub async fn waiting(db: &Db) -> sqlx::Result<i64> {
    Ok(db.query(WAITING).one::<(i64,)>().await?.0)
}

/// Queues the pictures again that ended as [`GONE`], once it is time to look whether their files are back; how many.
pub async fn look_again(db: &Db, now: Micros) -> sqlx::Result<u64> {
    db.write(LOOK_AGAIN).bind(now).bind(GONE).execute().await
}

/// Leases the next picture that is due until `until`: the newest, as an editor waits for it; those that were cut off come last.
pub async fn lease(db: &Db, now: Micros, until: Micros) -> sqlx::Result<Option<Leased>> {
    let lease = Uuid::new_v4().simple().to_string();
    let row = db.write(LEASE).bind(now).bind(&lease).bind(until).optional::<(String, i64)>().await?;
    Ok(row.map(|(key, tries)| Leased { key, tries, lease }))
}

impl Leased {
    /// Keeps the picture until a later time. False when it is somebody else's by now, or gone.
    pub async fn renew(&self, db: &Db, until: Micros) -> sqlx::Result<bool> {
        Ok(db.write(RENEW).bind(&self.key).bind(&self.lease).bind(until).execute().await? > 0)
    }

    /// Leaves the picture to whoever asks at `at` or later, as if it had not been begun.
    pub async fn give_back(&self, db: &Db, at: Micros) -> sqlx::Result<()> {
        db.write(GIVE_BACK).bind(&self.key).bind(&self.lease).bind(at).execute().await.map(drop)
    }

    /// The picture has no sizes, for good; `failure` says why.
    pub async fn fail(&self, db: &Db, failure: &str) -> sqlx::Result<()> {
        db.write(FAIL).bind(&self.key).bind(&self.lease).bind(failure).execute().await.map(drop)
    }

    /// The picture has no sizes because its file is not there: [`GONE`], until [`look_again`] at `at` or later.
    pub async fn look_later(&self, db: &Db, at: Micros) -> sqlx::Result<()> {
        db.write(LOOK_LATER).bind(&self.key).bind(&self.lease).bind(GONE).bind(at).execute().await.map(drop)
    }

    /// Writes the rows of all files of the sizes, which are reserved and stored, and tells whoever shows the picture. False when
    /// somebody else has the picture by now, it is gone, or a reservation ran out: then nothing is written.
    ///
    /// Fails after a moment where somebody works on the same rows; it may be tried again.
    pub async fn finish(
        &self,
        db: &Db,
        files: &[NewObject<'_>],
        sizes: &str,
        now: Micros,
    ) -> sqlx::Result<bool> {
        let mut tx = db.begin().await?;
        tx.query(GIVE_WAY).execute().await?;
        if tx.query(FINISH).bind(&self.key).bind(&self.lease).execute().await? == 0 {
            return Ok(false);
        }
        for file in files {
            if !deletions::confirm(&mut tx, file.key).await? {
                return Ok(false);
            }
            objects::insert_size(&mut tx, file, &self.key, now).await?;
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

/// Removes a picture, or any other file, with everything that was made of it.
pub async fn remove_with_all(tx: &mut Tx, key: &str, now: Micros) -> sqlx::Result<()> {
    // First, so that whoever is about to finish its sizes has finished, or finds nothing to finish.
    tx.query(FORGET).bind(key).execute().await?;
    let mut keys = tx.query(MADE_OF).bind(key).all::<(String,)>().await?;
    keys.extend(tx.query(SMALL).bind(key).all::<(String,)>().await?);
    for (key,) in keys {
        deletions::remove_object(tx, &key, now).await?;
    }
    deletions::remove_object(tx, key, now).await
}
