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
    IS_DUE = "SELECT id FROM releases WHERE state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $1 LIMIT 1";
    DUE = "SELECT id, catalog, title FROM releases \
        WHERE state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $1 \
        ORDER BY goes_out_at, id LIMIT $2", postgres + " FOR UPDATE SKIP LOCKED";
    GO_OUT = "UPDATE releases SET state = 'out', goes_out_at = NULL, out_at = COALESCE(out_at, $2), updated_at = $2, \
        version = version + 1 \
        WHERE id = $1 AND state = 'scheduled' AND deleted_at IS NULL AND goes_out_at <= $2";
}

/// A release is out within a second of its instant: looked for this often, by one read of an index.
const LOOKED_FOR: Duration = Duration::from_millis(400);

/// Releases that go out in one transaction.
const BATCH: i64 = 100;

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

/// Lets every release go out whose instant has come; answers how many. Two instances at once share them.
pub async fn let_out(db: &Db, now: Micros) -> sqlx::Result<usize> {
    let mut out = 0;
    while db.query(IS_DUE).bind(now).optional::<(Uuid,)>().await?.is_some() {
        let mut tx = db.begin().await?;
        let due = tx.query(DUE).bind(now).bind(BATCH).all::<(Uuid, Option<String>, String)>().await?;
        if due.is_empty() {
            // Another instance holds them.
            return Ok(out);
        }
        for (id, catalog, title) in &due {
            // Its address first: whoever is told that it is out, is told once.
            slugs::give(&mut tx, *id, catalog.as_deref(), title, now).await?;
            if tx.query(GO_OUT).bind(id).bind(now).execute().await? > 0 {
                out += 1;
            }
        }
        tx.commit().await?;
        tracing::info!(releases = due.len(), "scheduled releases went out");
    }
    Ok(out)
}
