//! Removes stored files without a row, left by a crash between the two, after a day. Finds the same files as `deadwax check`, and
//! only keys of the form this program gives.

use futures_util::TryStreamExt as _;
use rules::{demo_name::without_artists, media_name::is_stored_key};

use crate::{
    clock::{DAY, HOUR, Micros},
    db::Db,
    deletions, statements,
    storage::{Storage, Stored},
};

statements! {
    KNOWN = "SELECT EXISTS (SELECT 1 FROM objects WHERE key = $1) \
            OR EXISTS (SELECT 1 FROM upload_parts WHERE key = $1) OR EXISTS (SELECT 1 FROM deletions WHERE key = $1)";
    OBJECTS = "SELECT COUNT(*) FROM objects";
}

/// The age from which an unused file is an orphan.
pub const GRACE: Micros = DAY;
/// A file that has not been finished for so long never will be.
const UNFINISHED: Micros = HOUR;

/// Whole files of which no row says that they are there, on their way, or to be removed; written before `now` less [`GRACE`].
pub async fn find(db: &Db, storage: &Storage, now: Micros) -> anyhow::Result<Vec<Stored>> {
    let mut found = Vec::new();
    let mut files = storage.list();
    while let Some(file) = files.try_next().await? {
        if file.written_at >= now - GRACE {
            continue;
        }
        let (is_known,) = db.query(KNOWN).bind(&file.key).one::<(bool,)>().await?;
        // One that was removed after it was listed has lost its row and its place on the list of deletions.
        if !is_known && storage.size(&file.key).await.is_ok() {
            found.push(file);
        }
    }
    Ok(found)
}

/// Removes them, and what was never finished; answers how many files. Where most files have no row, nothing is removed: then the
/// storage is another label's, or the database is not the one that belongs to it.
pub async fn sweep(db: &Db, storage: &Storage, now: Micros) -> anyhow::Result<usize> {
    let mut orphans = find(db, storage, now).await?;
    orphans.retain(|file| is_stored_key(&file.key) || file.key.starts_with("parts/"));
    let (objects,) = db.query(OBJECTS).one::<(i64,)>().await?;
    if i64::try_from(orphans.len()).unwrap_or(i64::MAX) > objects {
        tracing::error!(files = orphans.len(), objects, "most stored files have no row: none is removed");
        return Ok(0);
    }
    for file in &orphans {
        tracing::info!(key = without_artists(&file.key), "removing a file without a row");
        deletions::abandon(db, &file.key, now).await;
    }
    Ok(orphans.len() + storage.remove_unfinished(now - UNFINISHED).await?)
}
