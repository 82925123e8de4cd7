//! Limits as rows, shared by all instances: taken in one transaction before the work they bound.

use rules::rate_limit::{Exceeded, Window};

use crate::{
    app::AppState,
    clock::Micros,
    db::Db,
    error::{AppError, AppResult},
    in_tx, statements,
};

statements! {
    TOUCH = "INSERT INTO limits (key, state, expires_at) VALUES ($1, '', $2) ON CONFLICT (key) DO NOTHING";
    LOCK = "SELECT state FROM limits WHERE key = $1", postgres "SELECT state FROM limits WHERE key = $1 FOR UPDATE";
    SAVE = "UPDATE limits SET state = $2, expires_at = $3 WHERE key = $1";
    PRUNE = "DELETE FROM limits WHERE expires_at < $1";
}

/// Takes one from `limit` for `key`, such as `csp-report:10.0.0.1`; past the limit, 429 with the time to wait.
///
/// Counted even when what follows fails: the count is committed here.
pub async fn take(app: &AppState, key: &str, limit: Window) -> AppResult<()> {
    match take_at(&app.db, key, limit, app.clock.now()).await? {
        Ok(()) => Ok(()),
        Err(exceeded) => {
            tracing::info!(limit = key.split(':').next().unwrap_or_default(), "excess_rate_limit_exceeded");
            Err(AppError::too_many_requests(exceeded.retry_after_seconds()))
        }
    }
}

async fn take_at(db: &Db, key: &str, limit: Window, now: Micros) -> sqlx::Result<Result<(), Exceeded>> {
    let now_ms = u64::try_from(now / 1000).unwrap_or(0);
    let mut tx = db.begin().await?;
    in_tx!(tx, execute, TOUCH, key, now)?;
    let (state,) = in_tx!(tx, one, (String,), LOCK, key)?;
    let taken: Vec<u64> = state.split(',').filter_map(|at| at.parse().ok()).collect();
    let result = match limit.take(&taken, now_ms) {
        Ok(taken) => {
            let state = taken.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            let expires_at =
                now.saturating_add(i64::try_from(limit.span_ms).unwrap_or(i64::MAX).saturating_mul(1000));
            in_tx!(tx, execute, SAVE, key, state, expires_at)?;
            Ok(())
        }
        Err(exceeded) => Err(exceeded),
    };
    tx.commit().await?;
    Ok(result)
}

/// Drops the rows of limits that are full again.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    in_tx!(tx, execute, PRUNE, now)?;
    tx.commit().await
}
