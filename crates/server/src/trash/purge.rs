//! Deletes rows from the trash for good: on request, or when they expire. Files go with the last row that shows them.

use std::time::Duration;

use deadwax_config::Origin;
use deadwax_store::{
    clock::{Clock, Micros},
    columns::Named as _,
    db::{Db, Tx},
    deletions, objects, picture_sizes, statements,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::kinds::TrashKind;
use crate::{catalogue::locks, library::uses};

statements! {
    FORGET_VERSIONS = "DELETE FROM versions WHERE kind = $1 AND row_key = $2";
    LIVE_MEDIUM_AT = "SELECT id FROM media_files WHERE file_path = $1 AND deleted_at IS NULL";
}

/// A demo expires after one minute, and must be gone before two.
const INTERVAL: Duration = Duration::from_secs(5);

pub async fn purge(
    tx: &mut Tx,
    origin: &Origin,
    kind: TrashKind,
    id: Uuid,
    now: Micros,
) -> sqlx::Result<bool> {
    if kind == TrashKind::Artist {
        locks::lock_releases(tx, &[id]).await?;
    }
    let row = tx.query(kind.table().purge).bind(id);
    let Some((file,)) = row.optional::<(Option<String>,)>().await? else { return Ok(false) };
    if matches!(kind, TrashKind::Artist | TrashKind::Release | TrashKind::Product | TrashKind::SiteImage) {
        tx.query(FORGET_VERSIONS).bind(kind.name()).bind(id.to_string()).execute().await?;
    }
    let Some(file) = file else { return Ok(true) };
    match kind {
        TrashKind::Demo => deletions::remove_object(tx, &file, now).await?,
        TrashKind::Media => uses::remove_file(tx, origin, &objects::url(&file), now).await?,
        TrashKind::Artist | TrashKind::Release | TrashKind::Product => {
            // Files uploaded to the library directly stay there.
            if is_in(&file, origin, "artists/") || is_in(&file, origin, "releases/") {
                remove_unused(tx, origin, &file, now).await?;
            }
        }
        TrashKind::SiteImage => {
            let key = key(&file, origin).unwrap_or_default();
            let in_library = tx.query(LIVE_MEDIUM_AT).bind(key).optional::<(Uuid,)>().await?.is_some();
            if !in_library {
                remove_unused(tx, origin, &file, now).await?;
            }
        }
    }
    Ok(true)
}

pub(super) fn key<'a>(url: &'a str, origin: &Origin) -> Option<&'a str> {
    url.strip_prefix(&origin.to_string()).unwrap_or(url).strip_prefix("/media/")
}

fn is_in(url: &str, origin: &Origin, folder: &str) -> bool {
    key(url, origin).is_some_and(|key| key.starts_with(folder))
}

/// Deletes a local file and everything made from it, unless a row, in the trash or not, names it.
pub(super) async fn remove_unused(tx: &mut Tx, origin: &Origin, url: &str, now: Micros) -> sqlx::Result<()> {
    let Some(key) = key(url, origin) else { return Ok(()) };
    if uses::is_named(tx, origin, &objects::url(key)).await? {
        return Ok(());
    }
    picture_sizes::remove_with_all(tx, key, now).await
}

/// Deletes everything that has expired; returns how many rows. A failing row does not hold up the others.
pub async fn sweep(db: &Db, origin: &Origin, now: Micros) -> usize {
    sweep_of(TrashKind::ALL, db, origin, now).await
}

async fn sweep_of(kinds: &[TrashKind], db: &Db, origin: &Origin, now: Micros) -> usize {
    let mut gone = 0;
    for kind in kinds.iter().copied() {
        let due = db.query(kind.table().due).bind(kind.gone_before(now)).all::<(Uuid,)>().await;
        let due = due.unwrap_or_else(|error| {
            tracing::warn!(kind = kind.name(), cause = %error, "looking into the trash");
            Vec::new()
        });
        for (id,) in due {
            match purge_alone(db, origin, kind, id, now).await {
                Ok(is_gone) => gone += usize::from(is_gone),
                Err(error) => tracing::warn!(kind = kind.name(), %id, cause = %error, "emptying the trash"),
            }
        }
    }
    gone
}

/// One transaction per row, so that edits wait for one row at most.
async fn purge_alone(db: &Db, origin: &Origin, kind: TrashKind, id: Uuid, now: Micros) -> sqlx::Result<bool> {
    let mut tx = db.begin().await?;
    let is_gone = purge(&mut tx, origin, kind, id, now).await?;
    tx.commit().await?;
    Ok(is_gone)
}

/// Sweeps every few seconds. Demos have a loop apart, so that slow rows cannot delay them.
pub async fn keep_swept(db: Db, origin: Origin, clock: Clock, stop: CancellationToken) {
    let sweep_often = async |kinds: &[TrashKind]| {
        loop {
            let rows = sweep_of(kinds, &db, &origin, clock.now()).await;
            if rows > 0 {
                tracing::info!(rows, "what was in the trash for long enough is gone");
            }
            tokio::time::sleep(INTERVAL).await;
        }
    };
    let (demos, others): (Vec<_>, Vec<_>) = TrashKind::ALL.iter().partition(|kind| **kind == TrashKind::Demo);
    stop.run_until_cancelled(async { tokio::join!(sweep_often(&demos), sweep_often(&others)) }).await;
}
