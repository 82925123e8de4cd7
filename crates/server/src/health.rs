//! For those who watch the program: is it alive, and can it do its work.

use std::time::Duration;

use http::StatusCode;
use tokio::{sync::Mutex, time::Instant};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::AppState,
    error::{AppError, AppResult, Problem},
    statements,
};

/// A probe's result serves everybody who asks within this time.
const KEPT: Duration = Duration::from_secs(1);
/// A part that takes longer than this to answer is not ready.
const PATIENCE: Duration = Duration::from_secs(1);

statements! {
    PROBE = "INSERT INTO limits (key, state, expires_at) \
        VALUES ('readyz', '', $1) \
        ON CONFLICT (key) DO UPDATE SET expires_at = $1";
}

/// The last probe's result. Held by whoever probes, so that everybody who asks meanwhile waits for that one and is told the same.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<Probe>>);

/// When it was made, and the part that failed.
type Probe = (Instant, Result<(), &'static str>);

/// `/livez` and `/readyz`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(livez)).routes(routes!(readyz))
}

/// Answers as long as the program runs; touches nothing.
#[utoipa::path(get, path = "/livez", tag = "operation", responses((status = 200, description = "The program runs", body = String)))]
async fn livez() -> (StatusCode, &'static str) {
    (StatusCode::OK, "ok\n")
}

/// Answers 200 when the database takes a write and the storage answers.
#[utoipa::path(get, path = "/readyz", tag = "operation", responses(
    (status = 200, description = "The program can do its work", body = String),
    (status = 503, description = "A part does not answer", body = Problem, content_type = "application/problem+json"),
))]
async fn readyz(app: AppState) -> AppResult<&'static str> {
    let result = app.readiness.ask(|| probe(&app)).await;
    result.map(|()| "ok\n").map_err(|part| AppError::unavailable(anyhow::anyhow!("not ready: {part}")))
}

impl Readiness {
    /// The last result, or that of a new probe where it is too old.
    async fn ask<F>(&self, probe: impl FnOnce() -> F) -> Result<(), &'static str>
    where
        F: Future<Output = Result<(), &'static str>>,
    {
        let mut kept = self.0.lock().await;
        match *kept {
            Some((at, result)) if at.elapsed() < KEPT => result,
            _ => {
                let result = probe().await;
                *kept = Some((Instant::now(), result));
                result
            }
        }
    }
}

async fn probe(app: &AppState) -> Result<(), &'static str> {
    let write = app.db.write(PROBE).bind(app.clock.now()).execute();
    match tokio::time::timeout(PATIENCE, write).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "readiness: database");
            return Err("database");
        }
        Err(_) => return Err("database"),
    }
    match tokio::time::timeout(PATIENCE, app.storage.probe()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "readiness: storage");
            Err("storage")
        }
        Err(_) => Err("storage"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn however_many_ask_at_once_one_probe_answers_them_all() {
        let readiness = Readiness::default();
        let (probes, at_once) = (AtomicU32::new(0), AtomicU32::new(0));
        let ask = || {
            readiness.ask(|| async {
                assert_eq!(at_once.fetch_add(1, Ordering::Relaxed), 0, "one at a time");
                probes.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(PATIENCE).await;
                at_once.fetch_sub(1, Ordering::Relaxed);
                Err("database")
            })
        };
        let answers = futures_util::future::join_all((0..1000).map(|_| ask())).await;
        assert!(answers.iter().all(|answer| *answer == Err("database")));
        assert_eq!(probes.load(Ordering::Relaxed), 1);
        tokio::time::advance(KEPT).await;
        assert_eq!(ask().await, Err("database"));
        assert_eq!(probes.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn one_who_asks_and_leaves_does_not_keep_the_others_waiting() {
        let readiness = Readiness::default();
        let gone = readiness.ask(std::future::pending);
        assert!(futures_util::FutureExt::now_or_never(gone).is_none());
        assert_eq!(readiness.ask(async || Ok(())).await, Ok(()));
    }
}
