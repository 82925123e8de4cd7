//! Another address for an account: asked for by its person, confirmed from the new mailbox, cancelled from the old one.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, StatusCode};
use rules::{email::Email, email_change, rate_limit};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    address,
    confirm::{Accepted, TokenBody, otp_expired, token_of},
    even::{self, even_out},
    guard::{SignedIn, VerifiedMember, Visitor},
    links::{self, NewLink, Purpose},
    post, rows, session, view,
};
use crate::{
    app::AppState,
    caller::Caller,
    clock::{Micros, micros},
    crypto::Token,
    db::Tx,
    error::{AppError, AppResult, Problem},
    extract::ApiJson,
    in_tx, limits,
    mail::{Label, letters},
    security::audit::{self, Entry},
    statements,
};

statements! {
    OWNER = "SELECT user_id FROM one_time_tokens WHERE token_hash = $1 AND purpose = $2";
    HAS_ACCOUNT = "SELECT id FROM users WHERE email = $1 AND confirmed_at IS NOT NULL";
    // Whoever reads the mailbox has confirmed it: a sign-up that nobody confirmed does not keep it from them.
    DELETE_UNCONFIRMED = "DELETE FROM users WHERE email = $1 AND confirmed_at IS NULL";
    MOVE = "UPDATE users SET email = $2, updated_at = $3, version = version + 1 WHERE id = $1";
}

/// The address to move to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmailChangeBody {
    /// The new address.
    email: String,
}

/// The address an account has now.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmailChangeAnswer {
    /// The new address.
    email: String,
    /// The session's new token, for programs that carried the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    access_token: Option<String>,
    /// Always `bearer` (RFC 6750), beside the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_type: Option<&'static str>,
}

/// Mails a link to the new address, and a notice with a way to cancel to the old one. The answer is the same for an address
/// that has an account.
#[utoipa::path(post, path = "/api/auth/email-change", tag = "auth", request_body = EmailChangeBody, responses(
    (status = 200, description = "Unless the address has an account, a link is on its way there", body = Accepted),
    (status = 401, description = "No session", body = Problem, content_type = "application/problem+json"),
    (status = 403, description = "First the second factor, or the password again", body = Problem, content_type = "application/problem+json"),
    (status = 422, description = "Not an address", body = Problem, content_type = "application/problem+json"),
    (status = 429, description = "Too many changes", body = Problem, content_type = "application/problem+json"),
))]
pub async fn ask_email_change(
    State(app): State<AppState>,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
    ApiJson(body): ApiJson<EmailChangeBody>,
) -> AppResult<Json<Accepted>> {
    let (started, now) = (Instant::now(), app.clock.now());
    me.require_stamp(now)?;
    require_factor(&me, now)?;
    let email = email_change::check_email_change(&address::to_ascii(&body.email))
        .map_err(|error| AppError::broken_field("email", error))?;
    let mut counters = limits::by_network("email-change", caller.address, rate_limit::RESEND);
    counters.push((format!("email-change:{}", me.user_id), rate_limit::RESEND.into()));
    limits::take_each(&app, counters).await?;

    let mut tx = app.db.begin().await?;
    let old = rows::lock(&mut tx, me.user_id).await?.ok_or_else(super::guard::not_authenticated)?;
    for purpose in [Purpose::EmailChange, Purpose::EmailChangeCancel] {
        links::void(&mut tx, now, me.user_id, purpose).await?;
    }
    let link =
        |purpose| NewLink { purpose, user_id: me.user_id, attempt_id: None, email: Some(email.as_str()) };
    let confirm = links::create(&mut tx, now, link(Purpose::EmailChange)).await?;
    let cancel = links::create(&mut tx, now, link(Purpose::EmailChangeCancel)).await?;
    let (label, not_after) = (Label::of(&app), Some(now + Purpose::EmailChange.life()));
    if may_mail(&app, &mut tx, &email, now).await? {
        let letter = letters::email_change(&label, confirm.expose());
        post::queue(&app, &mut tx, now, "email_change", email.as_str(), letter, not_after).await?;
    }
    let letter = letters::email_change_notice(&label, email.as_str(), cancel.expose());
    post::queue(&app, &mut tx, now, "email_change_notice", &old, letter, None).await?;
    audit::record(&mut tx, now, &me.entry("user_updated", "asked", &caller).on("email")).await?;
    tx.commit().await?;
    app.mail.sent_soon(&app).await;
    even_out(started, even::MAILED).await;
    Ok(Json(Accepted {}))
}

/// Confirms the new address by the link that was sent there; works wherever the mail is read.
#[utoipa::path(post, path = "/api/auth/email-change/confirm", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The account has the new address", body = EmailChangeAnswer),
    (status = 422, description = "The link is unknown, spent, void or too old, or the address has an account by now", body = Problem, content_type = "application/problem+json"),
    (status = 429, description = "Too many tries", body = Problem, content_type = "application/problem+json"),
))]
pub async fn confirm_email_change(
    State(app): State<AppState>,
    Visitor(me): Visitor,
    caller: Caller,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Response> {
    let token = token_of(&app, &caller, &body).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (user_id, email) = redeem(&mut tx, now, Purpose::EmailChange, &token).await?;
    let email = email.ok_or_else(otp_expired)?;
    in_tx!(tx, execute, DELETE_UNCONFIRMED, &email)?;
    in_tx!(tx, execute, MOVE, user_id, &email, now)
        .map_err(|error| if rows::is_conflict(&error) { otp_expired() } else { error.into() })?;
    // Links that went to the old mailbox open nothing any more.
    for purpose in [Purpose::Reset, Purpose::EmailChange, Purpose::EmailChangeCancel] {
        links::void(&mut tx, now, user_id, purpose).await?;
    }
    let mine = me.filter(|me| me.user_id == user_id);
    let rotated = match &mine {
        Some(me) => session::rotate(&mut tx, me.session_id, now).await?,
        None => None,
    };
    audit::record(&mut tx, now, &by_link(user_id, mine.as_ref(), &caller, "ok")).await?;
    tx.commit().await?;

    let mut headers = HeaderMap::new();
    let mut answer = EmailChangeAnswer { email, access_token: None, token_type: None };
    if let Some((token, me)) = rotated.zip(mine) {
        (answer.access_token, answer.token_type) = view::hand_over(&app, me.via, &token, &mut headers);
    }
    Ok((headers, Json(answer)).into_response())
}

/// Cancels a change by the link that was sent to the old address.
#[utoipa::path(post, path = "/api/auth/email-change/cancel", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The account keeps its address", body = Accepted),
    (status = 422, description = "The link is unknown, spent, void or too old", body = Problem, content_type = "application/problem+json"),
    (status = 429, description = "Too many tries", body = Problem, content_type = "application/problem+json"),
))]
pub async fn cancel_email_change(
    State(app): State<AppState>,
    caller: Caller,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Json<Accepted>> {
    let token = token_of(&app, &caller, &body).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (user_id, _) = redeem(&mut tx, now, Purpose::EmailChangeCancel, &token).await?;
    links::void(&mut tx, now, user_id, Purpose::EmailChange).await?;
    audit::record(&mut tx, now, &by_link(user_id, None, &caller, "cancelled")).await?;
    tx.commit().await?;
    Ok(Json(Accepted {}))
}

/// Uses a link once, and names the account and the address it is about. The account is locked first: its confirmation and
/// its cancellation void each other's links, and must not wait for each other.
async fn redeem(
    tx: &mut Tx,
    now: Micros,
    purpose: Purpose,
    token: &Token,
) -> AppResult<(Uuid, Option<String>)> {
    let owner = in_tx!(*tx, optional, (Uuid,), OWNER, token.hash(), purpose.name())?;
    let (owner,) = owner.ok_or_else(otp_expired)?;
    rows::lock(tx, owner).await?.ok_or_else(otp_expired)?;
    let redeemed = links::redeem(tx, now, purpose, token).await?.ok_or_else(otp_expired)?;
    Ok((redeemed.user_id, redeemed.email))
}

/// Refuses an account with a second factor unless it was given in this session a short while ago.
fn require_factor(me: &SignedIn, now: Micros) -> AppResult<()> {
    let counts = me.mfa_verified_at.is_some_and(|at| now - at <= micros(email_change::FACTOR_COUNTS_MS));
    if !me.factor_enabled || counts {
        return Ok(());
    }
    Err(AppError::stated(StatusCode::FORBIDDEN, "mfa_verification_needed"))
}

/// Whether the link is mailed: not to an account's address, and not more often than a stranger's mailbox may be written to.
async fn may_mail(app: &AppState, tx: &mut Tx, email: &Email, now: Micros) -> AppResult<bool> {
    if !post::may_mail_again(app, tx, now, "email-change-mail", email.as_str()).await? {
        return Ok(false);
    }
    post::check_global(tx, now).await?;
    if in_tx!(*tx, optional, (Uuid,), HAS_ACCOUNT, email.as_str())?.is_some() {
        return Ok(false);
    }
    post::take_global(tx, now).await?;
    Ok(true)
}

fn by_link<'a>(user_id: Uuid, me: Option<&SignedIn>, caller: &'a Caller, outcome: &'static str) -> Entry<'a> {
    let event = "user_updated";
    me.map_or_else(
        || Entry::visitor(event, Some(user_id), outcome, caller),
        |me| me.entry(event, outcome, caller),
    )
    .on("email")
}
