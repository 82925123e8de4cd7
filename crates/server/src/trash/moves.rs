//! Moves rows into the trash and out of it. A library file is removed from every place that shows it in the same transaction, so that no
//! page shows a gap. Its places are stored, and those still empty show it again when it is restored.

use std::time::Duration;

use deadwax_config::Origin;
use deadwax_store::{
    clock::{Clock, Micros},
    columns::Named as _,
    db::{Db, Tx},
    deletions,
    ids::{ArtistId, DemoId, UserId},
    objects, picture_sizes, statements,
};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::kinds::TrashKind;
use crate::{
    catalogue::publication,
    demos::uploads,
    editing::versions::{self, VersionKind},
    files::hero,
    files::library::uses,
};

statements! {
    // Locked before its uses are read: an edit that is about to show it holds it.
    MEDIUM_AT = "SELECT id FROM media_files WHERE file_path = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    // Also one that went to the trash at another time than the site image deleted at $2.
    MEDIUM_KEPT_AT = "SELECT id FROM media_files WHERE file_path = $1 AND (deleted_at IS NULL OR deleted_at <> $2)";
    TRASHED_MEDIUM_AT = "SELECT id FROM media_files WHERE file_path = $1 AND deleted_at IS NOT NULL";
    SET_PLACES = "UPDATE media_files SET taken_from = $2 WHERE id = $1";
    PLACES = "SELECT taken_from FROM media_files WHERE id = $1";
    IN_ITS_PLACE = "SELECT l.id, l.image_url FROM site_images l JOIN site_images t ON t.key = l.key \
        WHERE t.id = $1 AND l.deleted_at IS NULL";
    ALL_OF_ITS_KEY = "SELECT id FROM site_images WHERE key = (SELECT key FROM site_images WHERE id = $1) ORDER BY id",
        postgres + " FOR UPDATE";
    DELETED_AT = "SELECT deleted_at FROM site_images WHERE id = $1 AND deleted_at > $2";
    IS_STORED = "SELECT COUNT(*) FROM objects WHERE key = $1";
    MAKE_LATE_DRAFT = "UPDATE releases SET state = 'draft', goes_out_at = NULL, updated_at = $2, version = version + 1 \
        WHERE id = $1 AND state = 'scheduled' AND goes_out_at <= $2";
    DROP_SITE_IMAGE = "DELETE FROM site_images WHERE id = $1";
    // It holds what the sender wrote, and is never given up. Letters to the sender still leave.
    FORGET_NOTICE = "DELETE FROM outbox WHERE kind = 'demo' AND id IN ( \
            SELECT l.outbox_id FROM demo_letters l JOIN demos d ON d.id = l.demo_id \
            WHERE d.id = $1 AND d.deleted_at IS NOT NULL)", postgres "DELETE FROM outbox WHERE kind = 'demo' AND id IN ( \
            SELECT l.outbox_id FROM demo_letters l JOIN demos d ON d.id = l.demo_id \
            WHERE d.id = $1 AND d.deleted_at IS NOT NULL FOR UPDATE OF d)";
    // A new version, so that it is no change of the next editor.
    TAKE_ARTIST_OUT = "UPDATE releases SET artist_id = NULL, updated_at = $2, version = version + 1 \
        WHERE artist_id = $1 AND EXISTS (SELECT 1 FROM artists WHERE id = $1 AND deleted_at IS NOT NULL)";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    kind: TrashKind,
    id: Uuid,
}

/// By whom rows are moved, and when; none for the program itself.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    pub origin: &'a Origin,
    pub by: Option<UserId>,
    pub now: Micros,
}

pub async fn delete(tx: &mut Tx, mover: Mover<'_>, kind: TrashKind, id: Uuid) -> sqlx::Result<bool> {
    let Mover { origin, by, now } = mover;
    let row = tx.query(kind.table().delete).bind(id).bind(now).bind(by);
    let Some(file) = row.maybe::<Option<String>>().await? else { return Ok(false) };
    match (kind, file) {
        (TrashKind::Media, Some(key)) => {
            let shown = uses::take_out(tx, origin, &objects::url(&key), by, now).await?;
            let places = shown.into_iter().map(|(kind, id)| Place { kind, id }).collect();
            set_places(tx, id, places).await?;
        }
        (TrashKind::SiteImage, Some(url)) => {
            // Its file is deleted too, unless it is shown elsewhere.
            let medium = tx.query(MEDIUM_AT).bind(uses::key_of(origin, &url)).maybe::<Uuid>().await?;
            if let Some(medium) = medium
                && uses::of(tx, origin, &url).await?.is_empty()
            {
                let media = TrashKind::Media.table().delete;
                tx.query(media).bind(medium).bind(now).bind(by).execute().await?;
                set_places(tx, medium, vec![Place { kind, id }]).await?;
            }
        }
        _ => {}
    }
    Ok(true)
}

async fn set_places(tx: &mut Tx, medium: Uuid, places: Vec<Place>) -> sqlx::Result<()> {
    let places = serde_json::to_string(&places).map_err(|error| sqlx::Error::Encode(error.into()))?;
    tx.query(SET_PLACES).bind(medium).bind(places).execute().await.map(drop)
}

/// Makes a draft of a release that became due in the trash: restoring must not publish. Whether it was one.
pub async fn make_late_draft(tx: &mut Tx, id: Uuid, now: Micros) -> sqlx::Result<bool> {
    Ok(tx.query(MAKE_LATE_DRAFT).bind(id).bind(now).execute().await? > 0)
}

pub async fn restore(tx: &mut Tx, mover: Mover<'_>, kind: TrashKind, id: Uuid) -> sqlx::Result<bool> {
    let gone = kind.gone_before(mover.now);
    if kind == TrashKind::SiteImage {
        if !tx.query(DELETED_AT).bind(id).bind(gone).exists().await? {
            return Ok(false);
        }
        let Some(url) = put_site_image_back(tx, mover, id, true).await? else { return Ok(false) };
        let key = uses::key_of(mover.origin, &url);
        if let Some(medium) = tx.query(TRASHED_MEDIUM_AT).bind(key).maybe::<Uuid>().await? {
            restore_medium(tx, mover, medium, Some(id)).await?;
        }
        return Ok(true);
    }
    if kind == TrashKind::Media {
        return restore_medium(tx, mover, id, None).await;
    }
    Ok(tx.query(kind.table().restore).bind(id).bind(gone).execute().await? > 0)
}

/// Restores a file and its places; `already` is the site image just restored.
async fn restore_medium(
    tx: &mut Tx,
    mover: Mover<'_>,
    id: Uuid,
    already: Option<Uuid>,
) -> sqlx::Result<bool> {
    let gone = TrashKind::Media.gone_before(mover.now);
    let row = tx.query(TrashKind::Media.table().restore).bind(id).bind(gone);
    let Some(key) = row.maybe::<String>().await? else { return Ok(false) };
    let places = tx.query(PLACES).bind(id).value::<Option<String>>().await?;
    // Places may be missing or written by another version.
    let mut places: Vec<Place> =
        places.and_then(|places| serde_json::from_str(&places).ok()).unwrap_or_default();
    // Releases before their artists, as `catalogue::publication` has it.
    places.sort_by_key(|place| place.kind != TrashKind::Release);
    tx.query(SET_PLACES).bind(id).bind(None::<String>).execute().await?;
    for Place { kind, id } in places {
        if kind != TrashKind::SiteImage {
            uses::put_back(tx, kind, id, &objects::url(&key), mover.now).await?;
        } else if already != Some(id) {
            put_site_image_back(tx, mover, id, false).await?;
        }
    }
    Ok(true)
}

/// Restores a site image: the present one is deleted if it is the default, else it goes to the trash, or keeps its place unless it
/// `replaces`. Returns the restored file's address; none if nothing was restored.
async fn put_site_image_back(
    tx: &mut Tx,
    mover: Mover<'_>,
    id: Uuid,
    replaces: bool,
) -> sqlx::Result<Option<String>> {
    // Two that are restored at once come one after the other.
    tx.query(ALL_OF_ITS_KEY).bind(id).execute().await?;
    if let Some((present, url)) = tx.query(IN_ITS_PLACE).bind(id).optional::<(Uuid, String)>().await? {
        if hero::is_default(tx, &url).await? {
            tx.query(DROP_SITE_IMAGE).bind(present).execute().await?;
            versions::forget_many(tx, VersionKind::SiteImage, &[present]).await?;
            remove_unused(tx, mover.origin, &url, mover.now).await?;
        } else if replaces {
            Box::pin(delete(tx, mover, TrashKind::SiteImage, present)).await?;
        } else {
            return Ok(None);
        }
    }
    tx.query(TrashKind::SiteImage.table().restore).bind(id).bind(Micros::MIN).maybe().await
}

/// Whether a local file can be shown; restores one from the trash.
pub async fn bring_back(tx: &mut Tx, mover: Mover<'_>, url: &str) -> sqlx::Result<bool> {
    let key = uses::key_of(mover.origin, url);
    if let Some(medium) = tx.query(TRASHED_MEDIUM_AT).bind(key).maybe::<Uuid>().await? {
        return restore_medium(tx, mover, medium, None).await;
    }
    Ok(tx.query(IS_STORED).bind(key).value::<i64>().await? > 0)
}

/// Disposes of a file no site image shows any more: to the trash if the library has it and nothing shows it, deleted if it is the
/// program's.
pub async fn retire(tx: &mut Tx, mover: Mover<'_>, url: &str) -> sqlx::Result<()> {
    let medium = tx.query(MEDIUM_AT).bind(uses::key_of(mover.origin, url)).maybe::<Uuid>().await?;
    if !uses::of(tx, mover.origin, url).await?.is_empty() {
        return Ok(());
    }
    match medium {
        Some(medium) => delete(tx, mover, TrashKind::Media, medium).await.map(drop),
        None => remove_unused(tx, mover.origin, url, mover.now).await,
    }
}

const DEMOS_INTERVAL: Duration = Duration::from_secs(15);
const INTERVAL: Duration = Duration::from_mins(5);

pub async fn purge(
    tx: &mut Tx,
    origin: &Origin,
    kind: TrashKind,
    id: Uuid,
    now: Micros,
) -> sqlx::Result<bool> {
    if kind == TrashKind::Artist {
        publication::lock_releases(tx, [ArtistId(id)]).await?;
        tx.query(TAKE_ARTIST_OUT).bind(id).bind(now).execute().await?;
    }
    if kind == TrashKind::Demo {
        tx.query(FORGET_NOTICE).bind(id).execute().await?;
    }
    let deleted_at = match kind {
        TrashKind::SiteImage => tx.query(DELETED_AT).bind(id).bind(Micros::MIN).maybe::<Micros>().await?,
        _ => None,
    };
    let row = tx.query(kind.table().purge).bind(id);
    let Some(file) = row.maybe::<Option<String>>().await? else { return Ok(false) };
    if let Some(versioned) = VersionKind::named(kind.as_str()) {
        versions::forget_many(tx, versioned, &[id]).await?;
    }
    let Some(file) = file else { return Ok(true) };
    match kind {
        TrashKind::Demo => {
            uploads::delete_of_demo(tx, DemoId(id), now).await?;
            deletions::remove_object(tx, &file, now).await?;
        }
        TrashKind::Media => uses::remove_file(tx, origin, &objects::url(&file), now).await?,
        TrashKind::Artist | TrashKind::Release | TrashKind::Product => {
            // Files uploaded to the library directly stay there.
            let key = uses::key_of(origin, &file).unwrap_or_default();
            if key.starts_with("artists/") || key.starts_with("releases/") {
                remove_unused(tx, origin, &file, now).await?;
            }
        }
        TrashKind::SiteImage => {
            let key = uses::key_of(origin, &file);
            if !tx.query(MEDIUM_KEPT_AT).bind(key).bind(deleted_at).exists().await? {
                remove_unused(tx, origin, &file, now).await?;
            }
        }
    }
    Ok(true)
}

/// Deletes a local file and everything made from it, unless a row, in the trash or not, names it.
async fn remove_unused(tx: &mut Tx, origin: &Origin, url: &str, now: Micros) -> sqlx::Result<()> {
    let Some(key) = uses::key_of(origin, url) else { return Ok(()) };
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
        let due = db.query(kind.table().due).bind(kind.gone_before(now)).values::<Uuid>().await;
        let due = due.unwrap_or_else(|error| {
            tracing::warn!(kind = kind.as_str(), cause = %error, "looking into the trash");
            Vec::new()
        });
        for id in due {
            match purge_alone(db, origin, kind, id, now).await {
                Ok(is_gone) => gone += usize::from(is_gone),
                Err(error) => tracing::warn!(kind = kind.as_str(), %id, cause = %error, "emptying the trash"),
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

/// Purges until the program stops. Demos have their own loop, so that they do not wait for the locks of other rows.
pub async fn keep_swept(db: Db, origin: Origin, clock: Clock, stop: CancellationToken) {
    let sweep_often = async |kinds: &[TrashKind], interval| {
        loop {
            let rows = sweep_of(kinds, &db, &origin, clock.now()).await;
            if rows > 0 {
                tracing::info!(rows, "what was in the trash for long enough is gone");
            }
            tokio::time::sleep(interval).await;
        }
    };
    let (demos, others): (Vec<_>, Vec<_>) = TrashKind::ALL.iter().partition(|kind| **kind == TrashKind::Demo);
    stop.run_until_cancelled(async {
        tokio::join!(sweep_often(&demos, DEMOS_INTERVAL), sweep_often(&others, INTERVAL))
    })
    .await;
}
