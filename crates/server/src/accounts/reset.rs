//! A forgotten password: a link to the account's mailbox opens a session in which a new one can be chosen.

use axum::{Json, extract::State, response::Response};
use rules::rate_limit;
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    address,
    confirm::{Accepted, TokenBody, otp_expired, token_of},
    even::{self, even_out},
    links::{self, NewLink, Purpose},
    post,
    session::{self, Via},
    view::{self, SessionView},
};
use crate::{
    app::AppState,
    caller::Caller,
    error::{AppError, AppResult, Problem},
    extract::ApiJson,
    in_tx, limits,
    mail::{Label, letters},
    security::audit::{self, Entry},
    statements,
};

statements! {
    FIND = "SELECT id FROM users WHERE email = $1 AND confirmed_at IS NOT NULL";
    NOTE = "UPDATE users SET reset_by_mail_at = $2, updated_at = $2, version = version + 1 WHERE id = $1";
}

/// Whose password was forgotten.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotBody {
    /// The account's address.
    email: String,
    /// Ignored: mailed links always lead to `/profile` of this website.
    #[serde(default, rename = "redirect_to")]
    _redirect_to: Option<String>,
}

/// Mails a link to choose a new password. The answer is the same for every address.
#[utoipa::path(post, path = "/api/auth/forgot", tag = "auth", request_body = ForgotBody, responses(
    (status = 200, description = "If the address has an account, a mail is on its way", body = Accepted),
    (status = 422, description = "Not an address", body = Problem, content_type = "application/problem+json"),
    (status = 429, description = "Too many from this address", body = Problem, content_type = "application/problem+json"),
))]
pub async fn forgot(
    State(app): State<AppState>,
    caller: Caller,
    ApiJson(body): ApiJson<ForgotBody>,
) -> AppResult<Json<Accepted>> {
    let started = Instant::now();
    let email = rules::forgot::check_forgot(&address::to_ascii(&body.email))
        .map_err(|error| AppError::broken_field("email", error))?;
    limits::take_by_network(&app, "forgot", caller.address, rate_limit::RESEND).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if post::may_mail_again(&app, &mut tx, now, "reset-mail", email.as_str()).await? {
        post::check_global(&mut tx, now).await?;
        if let Some((user_id,)) = in_tx!(tx, optional, (Uuid,), FIND, email.as_str())? {
            post::take_global(&mut tx, now).await?;
            links::void(&mut tx, now, user_id, Purpose::Reset).await?;
            let link = NewLink { purpose: Purpose::Reset, user_id, attempt_id: None, email: None };
            let token = links::create(&mut tx, now, link).await?;
            let letter = letters::reset(&Label::of(&app), token.expose());
            let not_after = Some(now + Purpose::Reset.life());
            post::queue(&app, &mut tx, now, "reset", email.as_str(), letter, not_after).await?;
        }
    }
    tx.commit().await?;
    app.mail.sent_soon(&app).await;
    even_out(started, even::MAILED).await;
    Ok(Json(Accepted {}))
}

/// Redeems the link: signs in, up to the second factor, so that the password can be changed.
#[utoipa::path(post, path = "/api/auth/reset", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "Signed in; an account with a second factor is asked for it before anything else", body = SessionView),
    (status = 422, description = "The link is unknown, spent, void or too old", body = Problem, content_type = "application/problem+json"),
    (status = 429, description = "Too many tries", body = Problem, content_type = "application/problem+json"),
))]
pub async fn reset(
    State(app): State<AppState>,
    caller: Caller,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Response> {
    let token = token_of(&app, &caller, &body).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let redeemed = links::redeem(&mut tx, now, Purpose::Reset, &token).await?.ok_or_else(otp_expired)?;
    // From now on the mailbox alone must not open the second factor as well.
    in_tx!(tx, execute, NOTE, redeemed.user_id, now)?;
    let (session_id, token) = session::create(&mut tx, now, redeemed.user_id, &caller).await?;
    let entry =
        Entry::new_session("authn_login_success", redeemed.user_id, session_id, &caller).on("reset_link");
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;
    view::with_token(&app, session_id, &token, Via::Cookie).await
}
