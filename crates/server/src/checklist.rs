//! The checklist of the Security tab: eight entries, worked out from the settings, the program and the rows at the moment of the request.
//! Never cached, and never a full read of a large table.

use axum::{Extension, Json};
use deadwax_http::error::AppResult;
use deadwax_store::statements;
use rules::messages::Code;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, auth::guard::Admin};

mod content;
pub mod first_steps;
mod people;
mod rights;
mod web;

pub use rights::AllRoutes;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChecklistItem {
    /// Which one; it never changes.
    pub id: &'static str,
    pub name: String,
    /// The subject.
    pub description: String,
    pub status: Status,
    /// The same in words and numbers.
    pub details: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Checklist {
    /// The entries, always the same eight in the same order.
    #[schema(min_items = 8, max_items = 8)]
    pub items: Vec<ChecklistItem>,
    /// Always null: there are eight.
    pub next_cursor: Option<String>,
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_checklist))
        .routes(routes!(first_steps::show_first_steps, first_steps::close_first_steps))
}

statements! {
    and content, first_steps, people;
}

/// How safe the label is right now.
#[utoipa::path(get, path = "/api/admin/security/checklist", tag = "admin", responses(
    (status = 200, description = "The eight entries", body = Checklist),
))]
pub async fn show_checklist(
    app: AppState,
    _: Admin,
    Extension(routes): Extension<AllRoutes>,
) -> AppResult<Json<Checklist>> {
    let recent = people::recent(&app.db, app.clock.now()).await?;
    let findings = [
        (
            "server_side_authorisation",
            Code::ChecklistServerSideAuthorisation,
            rights::authorisation(&app, routes).await?,
        ),
        ("admin_two_factor", Code::ChecklistAdminTwoFactor, people::two_factor(&app.db).await?),
        ("password_hashing", Code::ChecklistPasswordHashing, people::password_hashing(&app.db).await?),
        (
            "upload_validation",
            Code::ChecklistUploadValidation,
            content::uploads(&app.db, &app.spool, &app.storage, &recent).await?,
        ),
        ("input_sanitising", Code::ChecklistInputSanitising, content::sanitising(&app.db).await?),
        (
            "sessions_and_transport",
            Code::ChecklistSessionsAndTransport,
            web::transport(&app.origin, &app.trusted_proxies),
        ),
        (
            "security_headers",
            Code::ChecklistSecurityHeaders,
            web::headers(app.origin.is_https(), &app.page_policy),
        ),
        ("login_limits", Code::ChecklistLoginLimits, people::login_limits(&recent)),
    ];
    let items = findings.map(|(id, words, found)| ChecklistItem {
        id,
        name: words.title().to_owned(),
        description: words.text().to_owned(),
        status: found.status,
        details: found.details,
    });
    Ok(Json(Checklist { items: items.into(), next_cursor: None }))
}

/// The result of an entry, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As it should be.
    Pass,
    /// Nothing to judge.
    Info,
    /// Worth a look.
    Warning,
    /// Needs action now.
    Fail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) status: Status,
    pub(super) details: String,
}

impl Finding {
    /// The worst status counts; the details are joined in order.
    pub(super) fn of(parts: impl IntoIterator<Item = (Status, String)>) -> Self {
        let mut found = Self { status: Status::Pass, details: String::new() };
        for (status, sentence) in parts {
            found.status = found.status.max(status);
            if !found.details.is_empty() {
                found.details.push(' ');
            }
            found.details.push_str(&sentence);
        }
        found
    }
}

impl Status {
    pub(super) const fn when(self, is_wrong: bool) -> Self {
        if is_wrong { self } else { Self::Pass }
    }
}

pub(super) fn counted(number: impl TryInto<u64>, one: &str) -> String {
    let number = number.try_into().unwrap_or(0);
    let ending = match number {
        1 => "",
        _ if one.ends_with('s') => "es",
        _ => "s",
    };
    format!("{number} {one}{ending}")
}

pub(super) fn per(number: impl std::fmt::Display, span_ms: u64) -> String {
    let span = span(span_ms);
    format!("{number} per {}", span.strip_prefix("1 ").unwrap_or(&span))
}

pub(super) fn span(ms: u64) -> String {
    let seconds = ms / 1000;
    let (number, unit) = match seconds {
        _ if seconds > 86_400 && seconds.is_multiple_of(86_400) => (seconds / 86_400, "day"),
        _ if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    counted(number, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_part_stands_for_the_whole() {
        let found = Finding::of([
            (Status::Pass, "One.".to_owned()),
            (Status::Warning, "Two.".to_owned()),
            (Status::Info, "Three.".to_owned()),
        ]);
        assert_eq!((found.status, found.details.as_str()), (Status::Warning, "One. Two. Three."));
    }

    #[test]
    fn spans_are_shown_in_their_largest_unit() {
        let spans = [900_000, 3_600_000, 30_000, 60_000, 86_400_000, 14 * 86_400_000].map(span);
        assert_eq!(spans, ["15 minutes", "1 hour", "30 seconds", "1 minute", "24 hours", "14 days"]);
        assert_eq!([per(30, 3_600_000), per("one", 30_000)], ["30 per hour", "one per 30 seconds"]);
        assert_eq!([counted(1, "pass"), counted(2, "pass")], ["1 pass", "2 passes"]);
    }
}
