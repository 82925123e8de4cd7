//! Changing an account's address: requested in a session, confirmed from the new mailbox, cancelled from the old one.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::{Label, OutboxError, letters};
use deadwax_store::{
    clock::{Micros, micros},
    crypto::{Keys, Token},
    db::Tx,
    limits, statements,
};
use http::{HeaderMap, StatusCode};
use rules::{email::Email, email_change, messages::Code, rate_limit};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account_mail::{self, Breaker, BreakerError},
    confirm::{TokenBody, otp_expired, token_of},
    links::{self, NewLink, Purpose, Redeemed},
    rows,
    take_back::take_back,
    view::{self, Accepted},
};
use crate::{
    app::AppState,
    audit::{self, Entry},
    auth::{
        cookies::{self, Name},
        guard::{self, SignedIn, VerifiedMember, Visitor},
        session,
    },
    requests::caller::Caller,
    requests::timing::{self, pad_to_multiple},
};

statements! {
    HAS_ACCOUNT = "SELECT id FROM users WHERE email = $1 AND confirmed_at IS NOT NULL";
    // The new mailbox is confirmed: an unconfirmed sign-up does not keep it.
    DELETE_UNCONFIRMED = "DELETE FROM users WHERE email = $1 AND confirmed_at IS NULL";
    PENDING = "SELECT email FROM one_time_tokens \
        WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL AND voided_at IS NULL AND expires_at > $3 \
        ORDER BY created_at DESC LIMIT 1";
    MOVE = "UPDATE users SET email = $2, updated_at = $3, version = version + 1 WHERE id = $1";
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmailChangeBody {
    email: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EmailChangeAnswer {
    email: String,
    /// The session's new token, for programs that carried the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    access_token: Option<String>,
    /// Always `bearer` (RFC 6750), beside the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    token_type: Option<&'static str>,
}

/// Mails a link to the new address, and a notice with a link to cancel to the old one. The answer is the same for an
/// address that has an account.
#[utoipa::path(post, path = "/api/auth/email-change", tag = "auth", request_body = EmailChangeBody, responses(
    (status = 200, description = "Unless the address has an account, a link is on its way there", body = Accepted),
    (status = 401, description = "No session"),
    (status = 403, description = "First the second factor, or the password again"),
    (status = 422, description = "Not an address, or the account's own"),
    (status = 429, description = "Too many changes"),
))]
pub async fn ask_email_change(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
    headers: HeaderMap,
    ApiJson(body): ApiJson<EmailChangeBody>,
) -> AppResult<Response> {
    let (started, now) = (Instant::now(), app.clock.now());
    me.require_recent_authentication(now)?;
    require_factor(&me, now)?;
    let email = email_change::check_email_change(&account_mail::to_ascii(&body.email), &me.email)
        .map_err(|error| AppError::invalid("email", error))?;
    let mut counters = limits::by_network("email-change", caller.address, rate_limit::RESEND);
    counters.push((format!("email-change:{}", me.user_id), rate_limit::RESEND.into()));
    counters.push((format!("email-change-day:{}", me.user_id), rate_limit::EMAIL_CHANGE_DAY.into()));
    limits::take_each(&app.db, counters, app.clock.now()).await?;

    let mut tx = app.db.begin().await?;
    let old = rows::lock(&mut tx, me.user_id).await?.ok_or_else(guard::not_authenticated)?;
    me.require_still(&mut tx, now).await?;
    let browser = cookies::browser_token(&app.origin, &headers, Name::Asked);
    let is_again = pending(&mut tx, me.user_id, now).await?.as_deref() == Some(email.as_str());
    match may_mail(&app.keys, &mut tx, &email, now).await? {
        // The letter with the valid link was sent a moment ago.
        Mailing::TooSoon if is_again => {}
        mailing => {
            // Earlier notices cancel this change too: not every change has a notice.
            links::void(&mut tx, now, me.user_id, Purpose::EmailChange).await?;
            // A resend must wait from now on; asking for another address need not.
            limits::take_in(&mut tx, &again_key(&me), rate_limit::ADDRESS_MAIL, now).await?.ok();
            let change = Change { user_id: me.user_id, old: &old, new: &email, browser: &browser };
            write(&app.keys, &app.label(), &mut tx, now, change, mailing).await?;
        }
    }
    audit::record(&mut tx, now, &me.entry("user_updated", "asked", &caller).on("email")).await?;
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    Ok(accepted(&app.origin, &browser))
}

/// Mails the link of the pending change and its notice again. It needs no password, because nothing changes. The
/// earlier link is voided.
#[utoipa::path(post, path = "/api/auth/email-change/resend", tag = "auth", responses(
    (status = 200, description = "Unless the address has an account, a link is on its way there", body = Accepted),
    (status = 401, description = "No session"),
    (status = 403, description = "First the second factor"),
    (status = 409, description = "No change is waiting"),
    (status = 429, description = "A link went less than five minutes ago"),
))]
pub async fn resend_email_change(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
    headers: HeaderMap,
) -> AppResult<Response> {
    let (started, now) = (Instant::now(), app.clock.now());
    let mut tx = app.db.begin().await?;
    let old = rows::lock(&mut tx, me.user_id).await?.ok_or_else(guard::not_authenticated)?;
    me.require_still(&mut tx, now).await?;
    let email = pending(&mut tx, me.user_id, now).await?.and_then(|email| Email::parse(&email).ok());
    let email = email.ok_or_else(|| AppError::from_code(StatusCode::CONFLICT, Code::NoEmailChange))?;
    limits::take_in(&mut tx, &again_key(&me), rate_limit::ADDRESS_MAIL, now)
        .await?
        .map_err(AppError::rate_limited)?;
    let browser = cookies::browser_token(&app.origin, &headers, Name::Asked);
    match may_mail(&app.keys, &mut tx, &email, now).await? {
        Mailing::TooSoon => {}
        mailing => {
            // Earlier notices still cancel the change.
            links::void(&mut tx, now, me.user_id, Purpose::EmailChange).await?;
            let change = Change { user_id: me.user_id, old: &old, new: &email, browser: &browser };
            write(&app.keys, &app.label(), &mut tx, now, change, mailing).await?;
        }
    }
    audit::record(&mut tx, now, &me.entry("user_updated", "asked_again", &caller).on("email")).await?;
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    Ok(accepted(&app.origin, &browser))
}

/// Cancels the pending change. It needs no password, because the account keeps its address.
#[utoipa::path(delete, path = "/api/auth/email-change", tag = "auth", responses(
    (status = 204, description = "No change waits any more"),
    (status = 401, description = "No session"),
    (status = 403, description = "First the second factor"),
))]
pub async fn call_off_email_change(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
) -> AppResult<StatusCode> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    rows::lock(&mut tx, me.user_id).await?.ok_or_else(guard::not_authenticated)?;
    me.require_still(&mut tx, now).await?;
    if pending(&mut tx, me.user_id, now).await?.is_some() {
        links::void(&mut tx, now, me.user_id, Purpose::EmailChange).await?;
        audit::record(&mut tx, now, &me.entry("user_updated", "cancelled", &caller).on("email")).await?;
        tx.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

fn again_key(me: &SignedIn) -> String {
    format!("email-change-again:{}", me.user_id)
}

/// The requested address that is not confirmed yet.
async fn pending(tx: &mut Tx, user_id: Uuid, now: Micros) -> sqlx::Result<Option<String>> {
    let row = tx
        .query(PENDING)
        .bind(user_id)
        .bind(Purpose::EmailChange.name())
        .bind(now)
        .optional::<(Option<String>,)>()
        .await?;
    Ok(row.and_then(|(email,)| email))
}

#[derive(Clone, Copy)]
struct Change<'a> {
    user_id: Uuid,
    old: &'a str,
    new: &'a Email,
    browser: &'a Token,
}

/// Creates and mails the links of a change: the one that confirms, if it may be mailed, and the one that cancels,
/// within the budget of notices.
async fn write(
    keys: &Keys,
    label: &Label<'_>,
    tx: &mut Tx,
    now: Micros,
    change: Change<'_>,
    mailing: Mailing,
) -> Result<(), OutboxError> {
    let Change { user_id, old, new, browser } = change;
    let link = |purpose, email| NewLink { email, browser: Some(browser), ..NewLink::new(purpose, user_id) };
    let confirm = links::create(tx, now, link(Purpose::EmailChange, Some(new.as_str()))).await?;
    let not_after = Some(now + Purpose::EmailChange.life());
    if mailing == Mailing::Goes {
        let letter = letters::email_change(label, confirm.expose());
        account_mail::enqueue(keys, tx, now, "email_change", new.as_str(), letter, not_after).await?;
    }
    if !account_mail::may_tell_of_address(keys, tx, now, user_id, new.as_str()).await? {
        return Ok(());
    }
    let cancel = links::create(tx, now, link(Purpose::EmailChangeCancel, None)).await?;
    let letter = letters::email_change_notice(label, new.as_str(), cancel.expose());
    account_mail::enqueue(keys, tx, now, "email_change_notice", old, letter, None).await
}

fn accepted(origin: &Origin, browser: &Token) -> Response {
    let mut set = HeaderMap::new();
    cookies::set(origin, &mut set, Name::Asked, browser.expose());
    (set, Json(Accepted {})).into_response()
}

/// Confirms the new address by its mailed link, in any browser.
#[utoipa::path(post, path = "/api/auth/email-change/confirm", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The account has the new address", body = EmailChangeAnswer),
    (status = 422, description = "The link is unknown, spent, void or too old, or the address has an account by now"),
    (status = 429, description = "Too many tries"),
))]
pub async fn confirm_email_change(
    app: AppState,
    Visitor(me): Visitor,
    caller: Caller,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Response> {
    let token = token_of(&app.db, app.clock.now(), &caller, &body).await?.ok_or_else(otp_expired)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let Redeemed { user_id, email, current, .. } = redeem(&mut tx, now, Purpose::EmailChange, &token).await?;
    let email = email.ok_or_else(otp_expired)?;
    move_to(&mut tx, user_id, &email, now).await?;
    // Links mailed to the old address are void.
    for purpose in [Purpose::Reset, Purpose::EmailChange, Purpose::EmailChangeCancel] {
        links::void(&mut tx, now, user_id, purpose).await?;
    }
    let mine = me.filter(|me| me.user_id == user_id);
    let rotated = match &mine {
        Some(me) => session::rotate(&mut tx, me.session_id, now).await?,
        None => None,
    };
    // A thief may have asked for the change: the old address can undo it.
    session::end_others(&mut tx, user_id, mine.as_ref().map(|me| me.session_id)).await?;
    let undo = links::create(&mut tx, now, NewLink::undo(user_id, &current)).await?;
    audit::record(&mut tx, now, &by_link(user_id, mine.as_ref(), &caller, "ok")).await?;
    let letter = letters::email_changed(&app.label(), &email, undo.expose());
    account_mail::enqueue(&app.keys, &mut tx, now, "email_changed", &current, letter, None).await?;
    tx.commit().await?;

    let mut headers = HeaderMap::new();
    let mut answer = EmailChangeAnswer { email, access_token: None, token_type: None };
    if let Some((token, me)) = rotated.zip(mine) {
        (answer.access_token, answer.token_type) = view::hand_over(&app.origin, me.via, &token, &mut headers);
    }
    Ok((headers, Json(answer)).into_response())
}

/// Takes the account back by a link mailed to its owner: the change of address is cancelled or undone, all sessions
/// end, the password and a recently added second factor are void. Mails a link to a new password.
#[utoipa::path(post, path = "/api/auth/email-change/cancel", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The account is back at the mailbox, which gets a link to a new password", body = Accepted),
    (status = 422, description = "The link is unknown, spent, void or too old"),
    (status = 429, description = "Too many tries"),
))]
pub async fn cancel_email_change(
    app: AppState,
    caller: Caller,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Json<Accepted>> {
    let token = token_of(&app.db, app.clock.now(), &caller, &body).await?.ok_or_else(otp_expired)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let Redeemed { user_id, email, current, created_at, .. } =
        redeem(&mut tx, now, Purpose::EmailChangeCancel, &token).await?;
    let email = email.unwrap_or_else(|| current.clone());
    if email != current {
        move_to(&mut tx, user_id, &email, now).await?;
    }
    for purpose in [Purpose::Reset, Purpose::EmailChange, Purpose::EmailChangeCancel] {
        links::void(&mut tx, now, user_id, purpose).await?;
    }
    // Links mailed to later addresses must not undo this.
    links::void_later_undos(&mut tx, now, user_id, &token).await?;
    take_back(&app, &mut tx, &caller, (user_id, &email), created_at).await?;
    let outcome = if email == current { "cancelled" } else { "undone" };
    audit::record(&mut tx, now, &by_link(user_id, None, &caller, outcome)).await?;
    tx.commit().await?;
    Ok(Json(Accepted {}))
}

async fn redeem(tx: &mut Tx, now: Micros, purpose: Purpose, token: &Token) -> AppResult<Redeemed> {
    links::redeem(tx, now, purpose, token).await?.ok_or_else(otp_expired)
}

/// Gives the account another address; 422 if another account has it by now.
async fn move_to(tx: &mut Tx, user_id: Uuid, email: &str, now: Micros) -> AppResult<()> {
    tx.query(DELETE_UNCONFIRMED).bind(email).execute().await?;
    tx.query(MOVE)
        .bind(user_id)
        .bind(email)
        .bind(now)
        .execute()
        .await
        .map_err(|error| if rows::is_conflict(&error) { otp_expired() } else { error.into() })?;
    Ok(())
}

/// Requires that an account with a second factor gave it in this session a short while ago.
fn require_factor(me: &SignedIn, now: Micros) -> AppResult<()> {
    let counts = me.mfa_verified_at.is_some_and(|at| now - at <= micros(email_change::FACTOR_COUNTS_MS));
    if !me.factor_enabled || counts {
        return Ok(());
    }
    Err(AppError::from_code(StatusCode::FORBIDDEN, Code::MfaVerificationNeeded))
}

/// The fate of the letter with the link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mailing {
    Goes,
    /// The address has an account, so it is never sent.
    HasAccount,
    /// The mailbox had a letter a moment ago.
    TooSoon,
}

/// Whether the link is mailed: not to an address of an account, and within the budget of the mailbox.
async fn may_mail(keys: &Keys, tx: &mut Tx, email: &Email, now: Micros) -> Result<Mailing, BreakerError> {
    account_mail::check_global(tx, now, Breaker::Confirmations).await?;
    // Counted for addresses of accounts too, so that the notices do not reveal them.
    if !account_mail::may_confirm_again(keys, tx, now, "email-change-mail", email.as_str()).await? {
        return Ok(Mailing::TooSoon);
    }
    if tx.query(HAS_ACCOUNT).bind(email.as_str()).optional::<(Uuid,)>().await?.is_some() {
        return Ok(Mailing::HasAccount);
    }
    account_mail::take_global(tx, now, Breaker::Confirmations).await?;
    Ok(Mailing::Goes)
}

fn by_link<'a>(user_id: Uuid, me: Option<&SignedIn>, caller: &'a Caller, outcome: &'static str) -> Entry<'a> {
    let event = "user_updated";
    me.map_or_else(
        || Entry::visitor(event, Some(user_id), outcome, caller),
        |me| me.entry(event, outcome, caller),
    )
    .on("email")
}
