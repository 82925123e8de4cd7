//! Publication of releases: when they go out, under which slugs, and in which order their rows are locked.
//!
//! Releases are locked before their artist. A slug is given once, and is valid for good.

use std::{collections::HashSet, time::Duration};

use deadwax_store::{
    clock::{Clock, Micros},
    db::{Db, Tx},
    ids::{ArtistId, ReleaseId},
    live::{Live, next_change},
    statements,
    tables::Tables,
};
use rules::slug;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

statements! {
    DUE = "SELECT id FROM releases WHERE state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $1 ORDER BY goes_out_at, id";
    NEXT = "SELECT MIN(goes_out_at) FROM releases WHERE state = 'scheduled' AND deleted_at IS NULL";
    IS_DUE = "SELECT catalog, title FROM releases \
        WHERE id = $2 AND state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $1",
        postgres + " FOR UPDATE SKIP LOCKED";
    GO_OUT = "UPDATE releases SET state = 'out', goes_out_at = NULL, out_at = COALESCE(out_at, $2), updated_at = $2, \
        version = version + 1 \
        WHERE id = $1 AND state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $2";
    RELEASES = "SELECT id FROM releases WHERE artist_id IN (SELECT unhex(value ->> 'id') FROM json_each($1)) ORDER BY id",
        postgres + " FOR NO KEY UPDATE";
    THESE = "SELECT id FROM releases WHERE id IN (SELECT unhex(value ->> 'id') FROM json_each($1)) ORDER BY id",
        postgres + " FOR NO KEY UPDATE";
    TAKEN = "SELECT slug FROM slugs";
    PRESENT = "SELECT slug FROM releases WHERE id = $1";
    OWNER = "SELECT release_id FROM slugs WHERE slug = $1";
    RESERVE = "INSERT INTO slugs (slug, release_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (slug) DO NOTHING";
    SET = "UPDATE releases SET slug = $2 WHERE id = $1";
    WITHOUT = "SELECT id, catalog, title FROM releases WHERE state = 'out' AND slug IS NULL \
        ORDER BY created_at, id LIMIT $1", postgres + " FOR UPDATE SKIP LOCKED";
}

/// The longest sleep, in case the system's clock is set or a change was not noticed.
const LONGEST_SLEEP: Duration = Duration::from_secs(15);
/// Between two tries where a release could not go out.
const RETRY: Micros = 400_000;

/// Releases published in one transaction. If one fails, each gets its own.
const BATCH: usize = 100;

/// Publishes scheduled releases until `stop`: sleeps until the next instant, or until a release changes on any instance.
pub async fn run(db: Db, live: Live, clock: Clock, stop: CancellationToken) {
    let releases = Tables::RELEASES.and(Tables::UNPUBLISHED_RELEASES);
    let mut changes = live.subscribe();
    stop.run_until_cancelled(async {
        loop {
            let sleep = match let_out_next(&db, clock.now()).await {
                Ok(next_at) => clock.sleep_until(next_at, LONGEST_SLEEP),
                Err(error) => {
                    tracing::warn!(cause = %error, "letting scheduled releases go out: trying again");
                    Duration::from_micros(RETRY.unsigned_abs())
                }
            };
            let _ = tokio::time::timeout(sleep, next_change(&mut changes, releases)).await;
        }
    })
    .await;
}

async fn let_out_next(db: &Db, now: Micros) -> sqlx::Result<Option<Micros>> {
    let next_at = db.query(NEXT).value::<Option<Micros>>().await?;
    if next_at.is_none_or(|at| at > now) {
        return Ok(next_at);
    }
    let_out(db, now).await?;
    Ok(Some(now + RETRY))
}

/// Publishes every release that is due; returns how many. Concurrent instances share them, and a failing one does not hold up the others.
pub async fn let_out(db: &Db, now: Micros) -> sqlx::Result<usize> {
    let due = db.query(DUE).bind(now).values::<ReleaseId>().await?;
    let mut out = 0;
    for some in due.chunks(BATCH) {
        if let Ok(releases) = let_out_these(db, some, now).await {
            out += releases;
            continue;
        }
        for one in some.chunks(1) {
            match let_out_these(db, one, now).await {
                Ok(releases) => out += releases,
                Err(error) => tracing::warn!(id = %one[0], cause = %error, "letting a release go out"),
            }
        }
    }
    if out > 0 {
        tracing::info!(releases = out, "scheduled releases went out");
    }
    Ok(out)
}

/// Publishes all of `ids` or none; skips those another instance has locked.
async fn let_out_these(db: &Db, ids: &[ReleaseId], now: Micros) -> sqlx::Result<usize> {
    let mut tx = db.begin().await?;
    let mut out = 0;
    for &id in ids {
        let row = tx.query(IS_DUE).bind(now).bind(id).optional::<(Option<String>, String)>().await?;
        let Some((catalog, title)) = row else { continue };
        // The slug first, so that one event covers both.
        give_slug(&mut tx, id, catalog.as_deref(), &title, now).await?;
        if tx.query(GO_OUT).bind(id).bind(now).execute().await? > 0 {
            out += 1;
        }
    }
    tx.commit().await?;
    Ok(out)
}

pub(crate) fn list(ids: impl IntoIterator<Item = Uuid>) -> String {
    ids.into_iter().map(|id| json!({"id": hex::encode(id)})).collect::<Value>().to_string()
}

/// Locks the releases of artists before the artists themselves are changed: an edit of a release locks it first and then waits for its
/// artist. Sorted, so that two transactions over several artists cannot deadlock.
pub(crate) async fn lock_releases(
    tx: &mut Tx,
    artists: impl IntoIterator<Item = ArtistId>,
) -> sqlx::Result<()> {
    tx.query(RELEASES).bind(list(artists.into_iter().map(|id| id.0))).execute().await.map(drop)
}

pub(crate) async fn lock_releases_by_id(tx: &mut Tx, releases: &[ReleaseId]) -> sqlx::Result<()> {
    if releases.is_empty() {
        return Ok(());
    }
    tx.query(THESE).bind(list(releases.iter().map(|id| id.0))).execute().await.map(drop)
}

const MISSING_BATCH: i64 = 500;

/// Gives a public release the slug of its catalogue number or title, unless it has it: one it had before, or the first never used. A
/// numbered one stays while another release has, or had, the unnumbered one.
pub(crate) async fn give_slug(
    tx: &mut Tx,
    id: ReleaseId,
    catalog: Option<&str>,
    title: &str,
    now: Micros,
) -> sqlx::Result<()> {
    let wanted = slug::slug(catalog, title);
    let present = tx.query(PRESENT).bind(id).value::<Option<String>>().await?;
    if let Some(present) = present
        && slug::is_of(&present, &wanted)
    {
        let owner = tx.query(OWNER).bind(&wanted).maybe::<Option<ReleaseId>>().await?;
        if present == wanted || owner.is_some_and(|owner| owner != Some(id)) {
            return Ok(());
        }
    }
    for candidate in slug::candidates(&wanted, id.0.as_u128()) {
        let is_new = tx.query(RESERVE).bind(&candidate).bind(id).bind(now).execute().await? > 0;
        if is_new || tx.query(OWNER).bind(&candidate).value::<Option<ReleaseId>>().await? == Some(id) {
            tx.query(SET).bind(id).bind(&candidate).execute().await?;
            return Ok(());
        }
    }
    Ok(())
}

pub(crate) fn choose_slug(
    taken: &mut HashSet<String>,
    id: ReleaseId,
    catalog: Option<&str>,
    title: &str,
) -> Option<String> {
    slug::candidates(&slug::slug(catalog, title), id.0.as_u128())
        .find(|candidate| taken.insert(candidate.clone()))
}

pub(crate) async fn taken_slugs(tx: &mut Tx) -> sqlx::Result<HashSet<String>> {
    Ok(tx.query(TAKEN).values().await?.into_iter().collect())
}

/// Gives slugs to public releases without one: from an older version, or written by another program. Returns how many.
pub async fn give_missing_slugs(db: &Db, now: Micros) -> sqlx::Result<usize> {
    let mut given = 0;
    loop {
        let mut tx = db.begin().await?;
        let rows = tx.query(WITHOUT).bind(MISSING_BATCH).all::<(ReleaseId, Option<String>, String)>().await?;
        for (id, catalog, title) in &rows {
            give_slug(&mut tx, *id, catalog.as_deref(), title, now).await?;
        }
        tx.commit().await?;
        given += rows.len();
        if rows.len() < usize::try_from(MISSING_BATCH).unwrap_or(usize::MAX) {
            return Ok(given);
        }
    }
}
