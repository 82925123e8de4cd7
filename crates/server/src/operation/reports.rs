//! Reports of browsers about violations of the content security policy: signs of an attack, or of a bug.

use bytes::Bytes;
use deadwax_http::{
    error::{AppError, AppResult},
    extract,
};
use deadwax_store::limits;
use http::{HeaderMap, StatusCode, header};
use rules::messages::Code;
use serde::Deserialize;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, requests::caller::Caller};

/// Exempt from the origin check, because browsers send reports without an origin.
pub const PATH: &str = "/api/csp-report";

/// The longest name of a host, RFC 1035 §2.3.4.
const HOST_MAX: usize = 253;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(create_report))
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "csp-report")]
    report: Report,
}

#[derive(Deserialize)]
struct Report {
    // Browsers send both; old ones only the second.
    #[serde(rename = "effective-directive", default)]
    effective: String,
    #[serde(rename = "violated-directive", default)]
    violated: String,
    #[serde(rename = "blocked-uri", default)]
    blocked: String,
}

/// Takes a browser's report. Only the directive and the host that was blocked are logged.
#[utoipa::path(post, path = "/api/csp-report", tag = "operation",
    request_body(content = serde_json::Value, content_type = "application/csp-report"),
    responses(
        (status = 204, description = "Noted"),
        (status = 415, description = "Not a report"),
        (status = 422, description = "Not a report"),
        (status = 429, description = "Too many reports"),
))]
async fn create_report(
    app: AppState,
    Caller { address: client, .. }: Caller,
    headers: HeaderMap,
    body: Bytes,
) -> AppResult<StatusCode> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/csp-report") && !kind.starts_with("application/json") {
        return Err(
            AppError::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE).with_detail(Code::InvalidReport.text())
        );
    }
    limits::take_by_network(&app.db, "csp-report", client, rules::rate_limit::CSP_REPORT, app.clock.now())
        .await?;
    if extract::is_too_deep(&body) {
        return Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::InvalidReport));
    }
    let Envelope { report } = serde_json::from_slice(&body)
        .map_err(|_| AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::InvalidReport))?;
    let blocked = url::Url::parse(&report.blocked).ok();
    let blocked = blocked.as_ref().and_then(url::Url::host_str).unwrap_or("(inline)");
    let blocked: String = blocked.chars().take(HOST_MAX).collect();
    let directive = if report.effective.is_empty() { report.violated } else { report.effective };
    let directive: String =
        directive.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    tracing::warn!(directive, blocked, "content security policy violated");
    Ok(StatusCode::NO_CONTENT)
}
