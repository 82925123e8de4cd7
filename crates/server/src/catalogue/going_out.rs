//! Publishes scheduled releases when they are due: on one instance, once, also after a restart.

use std::time::Duration;

use deadwax_store::{
    clock::{Clock, Micros},
    db::Db,
    statements,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::slugs;

statements! {
    DUE = "SELECT id FROM releases WHERE state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $1 ORDER BY goes_out_at, id";
    IS_DUE = "SELECT catalog, title FROM releases \
        WHERE id = $2 AND state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $1",
        postgres + " FOR UPDATE SKIP LOCKED";
    GO_OUT = "UPDATE releases SET state = 'out', goes_out_at = NULL, out_at = COALESCE(out_at, $2), updated_at = $2, \
        version = version + 1 \
        WHERE id = $1 AND state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $2";
}

/// A release is out within a second of its instant. Costs one index read.
const LOOKED_FOR: Duration = Duration::from_millis(400);

/// Releases published in one transaction. If one fails, each gets its own.
const BATCH: usize = 100;

pub async fn run(db: Db, clock: Clock, stop: CancellationToken) {
    stop.run_until_cancelled(async {
        loop {
            if let Err(error) = let_out(&db, clock.now()).await {
                tracing::warn!(cause = %error, "letting scheduled releases go out: trying again");
            }
            tokio::time::sleep(LOOKED_FOR).await;
        }
    })
    .await;
}

/// Publishes every release that is due; returns how many. Concurrent instances share them, and a failing one does not hold up the others.
pub async fn let_out(db: &Db, now: Micros) -> sqlx::Result<usize> {
    let due = db.query(DUE).bind(now).all::<(Uuid,)>().await?;
    let mut out = 0;
    for some in due.chunks(BATCH) {
        if let Ok(releases) = let_out_these(db, some, now).await {
            out += releases;
            continue;
        }
        for one in some.chunks(1) {
            match let_out_these(db, one, now).await {
                Ok(releases) => out += releases,
                Err(error) => tracing::warn!(id = %one[0].0, cause = %error, "letting a release go out"),
            }
        }
    }
    if out > 0 {
        tracing::info!(releases = out, "scheduled releases went out");
    }
    Ok(out)
}

/// Publishes all of `ids` or none; skips those another instance has locked.
async fn let_out_these(db: &Db, ids: &[(Uuid,)], now: Micros) -> sqlx::Result<usize> {
    let mut tx = db.begin().await?;
    let mut out = 0;
    for (id,) in ids {
        let row = tx.query(IS_DUE).bind(now).bind(*id).optional::<(Option<String>, String)>().await?;
        let Some((catalog, title)) = row else { continue };
        // The slug first, so that one event covers both.
        slugs::give(&mut tx, *id, catalog.as_deref(), &title, now).await?;
        if tx.query(GO_OUT).bind(*id).bind(now).execute().await? > 0 {
            out += 1;
        }
    }
    tx.commit().await?;
    Ok(out)
}
