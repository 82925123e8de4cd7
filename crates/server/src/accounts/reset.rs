//! A forgotten password: a link to the account's mailbox opens a session in which a new one can be chosen.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::letters;
use deadwax_store::{limits, statements};
use http::HeaderMap;
use rules::{messages::Code, rate_limit};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account_mail::{self, Breaker},
    confirm::{TokenBody, otp_expired, token_of},
    links::{self, NewLink, Purpose},
    rows,
    sessions::end_replaced,
    view::{self, Accepted, SessionView},
};
use crate::{
    accounts::mail_address,
    app::AppState,
    audit::{self, Entry},
    auth::{
        cookies::{self, Device, Name},
        guard::Visitor,
        session::{self, TokenTransport},
    },
    requests::caller::Caller,
    requests::timing::{self, pad_to_multiple},
};

statements! {
    FIND = "SELECT id, password_changed_at FROM users WHERE email = $1 AND confirmed_at IS NOT NULL";
    NOTE = "UPDATE users SET reset_by_mail_at = $2, updated_at = $2, version = version + 1 WHERE id = $1";
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotBody {
    email: String,
    /// Ignored: mailed links always lead to `/profile` of this website.
    #[serde(default, rename = "redirect_to")]
    _redirect_to: Option<String>,
}

/// Mails a link to choose a new password. The answer is the same for every address.
#[utoipa::path(post, path = "/api/auth/forgot", tag = "auth", request_body = ForgotBody, responses(
    (status = 200, description = "If the address has an account, a mail is on its way", body = Accepted),
    (status = 422, description = "Not an address"),
    (status = 429, description = "Too many from this address"),
))]
pub async fn forgot(
    app: AppState,
    caller: Caller,
    headers: HeaderMap,
    ApiJson(body): ApiJson<ForgotBody>,
) -> AppResult<Response> {
    let started = Instant::now();
    let email = rules::forgot::check_forgot(&mail_address::to_ascii(&body.email))
        .map_err(|error| AppError::invalid("email", error))?;
    limits::take_by_network(&app.db, "forgot", caller.address, rate_limit::RESEND, app.clock.now()).await?;
    let now = app.clock.now();
    let browser = cookies::browser_token(&app.origin, &headers, Name::Asked);
    let mut tx = app.db.begin().await?;
    // Refused for unknown addresses too, so that the answer does not reveal known ones.
    account_mail::check_global(&mut tx, now, Breaker::Resets).await?;
    if let Some((user_id, password_changed_at)) =
        tx.query(FIND).bind(email.as_str()).optional::<(Uuid, i64)>().await?
        && rows::lock(&mut tx, user_id).await?.is_some()
    {
        let is_known =
            Device::of(&app.origin, &app.keys, &headers, user_id, password_changed_at, now).is_some();
        if account_mail::may_reset(&mut tx, now, user_id, is_known).await? {
            account_mail::take_global(&mut tx, now, Breaker::Resets).await?;
            // Only the newest link in the owner's mailbox works.
            links::void(&mut tx, now, user_id, Purpose::Reset).await?;
            let link = NewLink { browser: Some(&browser), ..NewLink::new(Purpose::Reset, user_id) };
            let token = links::create(&mut tx, now, link).await?;
            let letter = letters::reset(&app.label(), token.expose());
            let not_after = Some(now + Purpose::Reset.life());
            account_mail::enqueue(&app.keys, &mut tx, now, "reset", email.as_str(), letter, not_after)
                .await?;
        }
    }
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    // Set for every address, so that the cookie reveals nothing.
    let mut set = HeaderMap::new();
    cookies::set(&app.origin, &mut set, Name::Asked, browser.expose());
    Ok((set, Json(Accepted {})).into_response())
}

/// 422: a reset link that is unknown, spent, void or expired.
pub fn reset_link_invalid() -> AppError {
    otp_expired().with_detail(Code::ResetLinkInvalid.text())
}

/// Redeems the link: signs in, up to the second factor, so that the password can be changed. The browser's previous
/// session ends.
#[utoipa::path(post, path = "/api/auth/reset", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "Signed in; an account with a second factor is asked for it before anything else", body = SessionView),
    (status = 422, description = "The link is unknown, spent, void or too old"),
    (status = 429, description = "Too many tries"),
))]
pub async fn reset(
    app: AppState,
    Visitor(before): Visitor,
    caller: Caller,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Response> {
    let token = token_of(&app.db, app.clock.now(), &caller, &body).await?.ok_or_else(reset_link_invalid)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let redeemed =
        links::redeem(&mut tx, now, Purpose::Reset, &token).await?.ok_or_else(reset_link_invalid)?;
    // From now on the mailbox alone must not open the second factor as well.
    tx.query(NOTE).bind(redeemed.user_id).bind(now).execute().await?;
    let (session_id, token) = session::create(&mut tx, now, redeemed.user_id, &caller).await?;
    let entry =
        Entry::new_session("authn_login_success", redeemed.user_id, session_id, &caller).on("reset_link");
    audit::record(&mut tx, now, &entry).await?;
    end_replaced(&mut tx, now, before.as_ref(), &caller).await?;
    tx.commit().await?;
    let mut response = view::with_token(&app, session_id, &token, TokenTransport::Cookie).await?;
    cookies::clear(&app.origin, response.headers_mut(), Name::Asked);
    Ok(response)
}
