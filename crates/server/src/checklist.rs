//! The checklist of the Security tab: eight entries, worked out from the settings, the program and the rows at the moment of the request.
//! Never cached, and never a full read of a large table.

mod content;
mod finding;
mod people;
mod rights;
mod web;

use axum::{Extension, Json};
use deadwax_http::error::AppResult;
use deadwax_store::db::Statement;
use rules::messages::Code;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, auth::guard::Admin};
use finding::Status;
pub use rights::AllRoutes;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChecklistItem {
    /// Which one; it never changes.
    pub id: &'static str,
    /// Its name.
    pub name: String,
    /// The subject.
    pub description: String,
    /// The result.
    pub status: Status,
    /// The same in words and numbers.
    pub details: String,
}

/// The checklist.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Checklist {
    /// The entries, always the same eight in the same order.
    #[schema(min_items = 8, max_items = 8)]
    pub items: Vec<ChecklistItem>,
    /// Always null: there are eight.
    pub next_cursor: Option<String>,
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_checklist))
}

pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [content::STATEMENTS, people::STATEMENTS].concat()
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
