//! Will a letter arrive? What other mail servers find about the sender: looked up, kept for an hour for all admins, and read back from a
//! letter that arrived. It explains and never blocks.

mod dns;
mod look_ups;
pub mod read_back;
mod sending;
mod spf_reach;

use axum::{Json, extract::DefaultBodyLimit};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::{Micros, micros},
    columns::Timestamp,
    statements,
};
use rules::letter_arrival::{
    ARRIVAL_KEPT_MS, Finding,
    headers::{self, BODY_MAX_BYTES, HeaderFindings},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::read_back::ReadBack;
use super::settings;
use crate::{app::AppState, auth::guard::Admin};

statements! {
    and read_back;
    KEPT = "SELECT checked_at, found FROM letter_checks WHERE name = 'arrival'";
    KEEP = "INSERT INTO letter_checks (name, checked_at, found) VALUES ('arrival', $1, $2) \
        ON CONFLICT (name) DO UPDATE SET checked_at = excluded.checked_at, found = excluded.found";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(read_headers))
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
        .routes(routes!(show_arrival, check_arrival))
        .routes(routes!(sending::send_read_back))
}

/// Whether letters arrive, as far as it was found out.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Arrival {
    /// When it was looked up; null if it never was with these settings.
    pub checked_at: Option<Timestamp>,
    /// Whether that is less than an hour ago.
    pub is_fresh: bool,
    /// In the order of the screen; empty before the first look.
    pub findings: Vec<Finding>,
    /// Whether a letter can be sent to the bounce mailbox and read back: `BOUNCE_URL` and `SMTP_URL` are set.
    pub can_read_back: bool,
    /// The latest letter that was sent to be read back.
    pub read_back: Option<ReadBack>,
}

/// Findings that were looked up, and with which settings.
#[derive(Debug, Deserialize, Serialize)]
struct Kept {
    about: String,
    findings: Vec<Finding>,
}

/// Shows the latest findings about the arrival of letters.
#[utoipa::path(get, path = "/api/admin/newsletter/arrival", tag = "admin", responses(
    (status = 200, description = "As far as it was looked up", body = Arrival),
))]
pub async fn show_arrival(app: AppState, _: Admin) -> AppResult<Json<Arrival>> {
    Ok(Json(arrival(&app).await?))
}

/// Looks up what other mail servers see of the sender: at most three seconds for each answer. A failed look-up is `info`.
#[utoipa::path(post, path = "/api/admin/newsletter/arrival", tag = "admin", responses(
    (status = 200, description = "As it is now", body = Arrival),
))]
pub async fn check_arrival(app: AppState, _: Admin) -> AppResult<Json<Arrival>> {
    let findings = look_ups::look_up(&app).await;
    let kept = Kept { about: look_ups::about(&app), findings };
    app.db.write(KEEP).bind(app.clock.now()).bind(serde_json::to_string(&kept)?).execute().await?;
    Ok(Json(arrival(&app).await?))
}

/// Headers of a letter that arrived.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadersBody {
    /// As the mail program shows them, at most 64 KB. The letter may follow.
    headers: String,
}

/// Reads from the headers of a letter how it arrived. 422 `invalid_headers` for another text.
#[utoipa::path(post, path = "/api/admin/newsletter/headers", tag = "admin", request_body = HeadersBody, responses(
    (status = 200, description = "What they tell", body = HeaderFindings),
))]
pub async fn read_headers(
    _: Admin,
    ApiJson(HeadersBody { headers }): ApiJson<HeadersBody>,
) -> AppResult<Json<HeaderFindings>> {
    Ok(Json(headers::read(&headers).map_err(|error| AppError::invalid("headers", error))?))
}

/// The kept findings, with those that the settings alone give.
async fn arrival(app: &AppState) -> AppResult<Arrival> {
    let (db, now) = (&app.db, app.clock.now());
    let kept = db.query(KEPT).optional::<(Micros, String)>().await?;
    // Rows of another version cannot be read, and are looked up again.
    let kept = kept.and_then(|(at, found)| Some((at, serde_json::from_str::<Kept>(&found).ok()?)));
    let kept = kept.filter(|(_, kept)| kept.about == look_ups::about(app));
    let is_fresh = kept.as_ref().is_some_and(|(at, _)| (0..micros(ARRIVAL_KEPT_MS)).contains(&(now - at)));
    let checked_at = kept.as_ref().map(|(at, _)| Timestamp(*at));
    let mut findings = kept.map_or_else(Vec::new, |(_, kept)| kept.findings);
    if !findings.is_empty() {
        findings.extend(look_ups::of_settings(app, &settings::read(db).await?.postal_address));
        findings.sort_by_key(|finding| finding.check);
    }
    Ok(Arrival {
        checked_at,
        is_fresh,
        findings,
        can_read_back: sending::can_read_back(app),
        read_back: read_back::latest(db).await?,
    })
}
