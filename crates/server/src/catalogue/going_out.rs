//! Scheduled releases go out when their instant comes: on one instance, once, also after a restart.

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

/// A release is out within a second of its instant: looked for this often, by one read of an index.
const LOOKED_FOR: Duration = Duration::from_millis(400);

/// Releases that go out in one transaction. Where one of them fails, each has one for itself.
const BATCH: usize = 100;

/// Lets releases go out until `stop`. A database that does not answer is asked again.
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

/// Lets every release go out whose instant has come; answers how many. Two instances at once share them. One that cannot go out keeps
/// no other back.
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

/// Lets some go out, all or none of them; those that another instance holds are left to it.
async fn let_out_these(db: &Db, ids: &[(Uuid,)], now: Micros) -> sqlx::Result<usize> {
    let mut tx = db.begin().await?;
    let mut out = 0;
    for (id,) in ids {
        let row = tx.query(IS_DUE).bind(now).bind(*id).optional::<(Option<String>, String)>().await?;
        let Some((catalog, title)) = row else { continue };
        // Its address first, so that one event says all of it.
        slugs::give(&mut tx, *id, catalog.as_deref(), &title, now).await?;
        if tx.query(GO_OUT).bind(*id).bind(now).execute().await? > 0 {
            out += 1;
        }
    }
    tx.commit().await?;
    Ok(out)
}
