//! For those who watch the program: is it alive, and can it do its work.

use std::time::Duration;

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{clock::millis, statements};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// A part that takes longer than this to answer is not ready.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// A probe of a bucket takes several requests, one after the other.
const STORAGE_TIMEOUT: Duration = Duration::from_secs(3);

/// A letter that was made so recently does not wait yet.
const ON_ITS_WAY_SECONDS: u64 = 60;

statements! {
    PROBE = "INSERT INTO limits (key, state, expires_at) \
        VALUES ('readyz', '', $1) \
        ON CONFLICT (key) DO UPDATE SET expires_at = $1";
}

/// `/livez` and `/readyz`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(livez)).routes(routes!(readyz))
}

/// Answers as long as the program runs; touches nothing.
#[utoipa::path(get, path = "/livez", tag = "operation", responses((status = 200, description = "The program runs", body = String)))]
async fn livez() -> (StatusCode, &'static str) {
    (StatusCode::OK, "ok\n")
}

/// Answers 200 when the database takes a write and the storage a file that can be read and removed, and says since when the oldest letter waits to be sent. That
/// is for whoever watches: a mail server that is away takes nothing from the website.
#[utoipa::path(get, path = "/readyz", tag = "operation", responses(
    (status = 200, description = "The program can do its work", body = String),
    (status = 503, description = "A part does not answer"),
))]
async fn readyz(app: AppState) -> AppResult<String> {
    let result = app.readiness.ask(|| probe(&app)).await;
    result
        .map(|queue_age| format!("ok\nqueue_age_seconds {queue_age}\n"))
        .map_err(|part| AppError::unavailable(anyhow::anyhow!("not ready: {part}")))
}

/// The age of the mail queue in seconds, or the part that does not answer. A letter on its way is none that waits: everybody may read
/// this, and whether a request has made a letter is nobody's business.
async fn probe(app: &AppState) -> Result<u64, &'static str> {
    let now = app.clock.now();
    let write = app.db.write(PROBE).bind(now).execute();
    match tokio::time::timeout(PROBE_TIMEOUT, write).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "readiness: database");
            return Err("database");
        }
        Err(_) => return Err("database"),
    }
    match tokio::time::timeout(STORAGE_TIMEOUT, app.storage.probe()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "readiness: storage");
            return Err("storage");
        }
        Err(_) => return Err("storage"),
    }
    match tokio::time::timeout(PROBE_TIMEOUT, app.mail.oldest_waiting()).await {
        Ok(Ok(oldest)) => {
            let age = oldest.map_or(0, |at| millis(now.saturating_sub(at)) / 1000);
            Ok(if age < ON_ITS_WAY_SECONDS { 0 } else { age })
        }
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "readiness: outbox");
            Err("outbox")
        }
        Err(_) => Err("outbox"),
    }
}
