//! Health for monitoring: whether the program is alive, and ready to work.

use std::{
    fmt::Display,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use deadwax_config::{Origin, Settings};
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{clock::millis, statements};
use http::{StatusCode, header};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// How long `deadwax healthy` waits: longer than all parts of a probe together.
const ASK_TIMEOUT: Duration = Duration::from_secs(8);

const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// A bucket takes several requests.
const STORAGE_TIMEOUT: Duration = Duration::from_secs(3);

const ON_ITS_WAY_SECONDS: u64 = 60;

statements! {
    PROBE = "INSERT INTO limits (key, state, expires_at) \
        VALUES ('readyz', '', $1) \
        ON CONFLICT (key) DO UPDATE SET expires_at = $1";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(livez)).routes(routes!(readyz))
}

/// Answers as long as the program runs; touches nothing.
#[utoipa::path(get, path = "/livez", tag = "operation", responses((status = 200, description = "The program runs", body = String)))]
async fn livez() -> (StatusCode, &'static str) {
    (StatusCode::OK, "ok\n")
}

/// Answers 200 when the database takes a write and the storage a file that can be read and removed, with the age of the oldest unsent
/// mail. That age is for monitoring: the website works without a mail server.
#[utoipa::path(get, path = "/readyz", tag = "operation", responses(
    (status = 200, description = "The program can do its work", body = String),
    (status = 503, description = "A part does not answer"),
))]
async fn readyz(app: AppState) -> AppResult<String> {
    let probe = || {
        let app = app.clone();
        async move { probe(&app).await }
    };
    let result = app.readiness.ask(&app.background, probe).await;
    result
        .map(|queue_age| format!("ok\nqueue_age_seconds {queue_age}\n"))
        .map_err(|part| AppError::unavailable(anyhow::anyhow!("not ready: {part}")))
}

/// Asks the server of these settings on this machine whether it is ready.
pub async fn ask(settings: &Settings, origin: &Origin) -> anyhow::Result<()> {
    let mut address = settings.listen;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    let scheme = if settings.tls_cert.is_some() { "https" } else { "http" };
    let origin = origin.to_string();
    let host = origin.split_once("://").map_or(origin.as_str(), |(_, host)| host);
    deadwax_store::install_tls_provider();
    let client = reqwest::Client::builder()
        .no_proxy()
        // The certificate is for the website's name, and this connection stays on this machine.
        .tls_danger_accept_invalid_certs(true)
        .timeout(ASK_TIMEOUT)
        .build()?;
    let url = format!("{scheme}://{address}/readyz");
    let answer = client.get(&url).header(header::HOST, host).send().await?;
    anyhow::ensure!(answer.status().is_success(), "{url} answers {}", answer.status());
    Ok(())
}

/// The age of the mail queue in seconds, or the part that does not answer. Letters younger than a minute are not reported: the endpoint is
/// public, and must not reveal whether a request queued mail.
async fn probe(app: &AppState) -> Result<u64, &'static str> {
    let now = app.clock.now();
    within("database", PROBE_TIMEOUT, app.db.write(PROBE).bind(now).execute()).await?;
    within("storage", STORAGE_TIMEOUT, app.storage.probe()).await?;
    let oldest = within("outbox", PROBE_TIMEOUT, app.mail.oldest_waiting()).await?;
    let age = oldest.map_or(0, |at| millis(now.saturating_sub(at)) / 1000);
    Ok(if age < ON_ITS_WAY_SECONDS { 0 } else { age })
}

/// The answer of a part, or its name.
async fn within<T, E: Display>(
    part: &'static str,
    longest: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, &'static str> {
    match tokio::time::timeout(longest, work).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "readiness: {part}");
            Err(part)
        }
        Err(_) => Err(part),
    }
}
