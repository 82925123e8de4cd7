//! For those who watch the program: is it alive, and can it do its work.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::extract::State;
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::AppState,
    error::{AppError, AppResult, Problem},
    in_tx, statements,
};

/// A probe's result serves everybody who asks within this time.
const KEPT: Duration = Duration::from_secs(1);
/// A part that takes longer than this to answer is not ready.
const PATIENCE: Duration = Duration::from_secs(1);

statements! {
    PROBE = "INSERT INTO limits (key, state, expires_at) VALUES ('readyz', '', $1) ON CONFLICT (key) DO UPDATE SET expires_at = $1";
}

/// The last probe's result.
#[derive(Clone, Debug, Default)]
pub struct Readiness(Arc<Mutex<Option<Probe>>>);

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
async fn readyz(State(app): State<AppState>) -> AppResult<&'static str> {
    let kept = *app.readiness.0.lock().unwrap_or_else(PoisonError::into_inner);
    let result = match kept {
        Some((at, result)) if at.elapsed() < KEPT => result,
        _ => {
            let result = probe(&app).await;
            *app.readiness.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), result));
            result
        }
    };
    result.map(|()| "ok\n").map_err(|part| AppError::unavailable(anyhow::anyhow!("not ready: {part}")))
}

async fn probe(app: &AppState) -> Result<(), &'static str> {
    let write = async {
        let mut tx = app.db.begin().await?;
        in_tx!(tx, execute, PROBE, app.clock.now())?;
        tx.commit().await
    };
    match tokio::time::timeout(PATIENCE, write).await {
        Ok(Ok(())) => {}
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
