//! `POST /api/auth/reauthenticate`: by the password or by a code of the authenticator (SECURITY 3.2).

use axum::response::{IntoResponse as _, Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use rules::{login::LoginError, password::Password};
use serde::Deserialize;
use utoipa::ToSchema;

use super::setup;
use crate::{
    accounts::{
        sign_in::confirm_password,
        view::{self, SessionView},
    },
    app::AppState,
    auth::{
        guard::{Actor, VerifiedMember},
        session,
    },
    requests::caller::Caller,
};

/// The password, or a code of the authenticator: one of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReauthenticateBody {
    #[schema(value_type = Option<String>, format = Password)]
    password: Option<Password>,
    /// Six digits, if the account has a second factor.
    #[serde(rename = "totpCode")]
    totp_code: Option<String>,
}

/// Renews the ten minutes in which a change of password, address or second factor asks for no password.
#[utoipa::path(post, path = "/api/auth/reauthenticate", tag = "auth", request_body = ReauthenticateBody, responses(
    (status = 200, description = "Renewed", body = SessionView),
    (status = 401, description = "No session, or the wrong password"),
    (status = 403, description = "First the second factor"),
    (status = 409, description = "A code, and the account has no second factor"),
    (status = 422, description = "Neither password nor code, or both; or a wrong code"),
    (status = 429, description = "Too many tries"),
))]
pub(super) async fn reauthenticate(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
    ApiJson(body): ApiJson<ReauthenticateBody>,
) -> AppResult<Response> {
    match (body.password, body.totp_code) {
        (Some(password), None) => confirm_password(&app, &me, &caller, &password).await?,
        (None, Some(code)) => {
            let by = Actor::new(&app, &me, &caller);
            confirm_code(by, &code).await?;
        }
        _ => return Err(AppError::invalid("password", LoginError::PasswordRequired)),
    }
    Ok(axum::Json(view::current(&app, me.session_id, me.via).await?).into_response())
}

/// Counted and used up like any code of the account.
async fn confirm_code(by: Actor<'_>, typed: &str) -> AppResult<()> {
    let mut tx = setup::spend(by, typed).await?;
    session::mark_reauthenticated(&mut tx, by.me.session_id, by.now).await?;
    by.record(&mut tx, "mfa_verified", "ok").await?;
    Ok(tx.commit().await?)
}
