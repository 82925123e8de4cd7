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
use deadwax_mail::letters;
use deadwax_store::{
    clock::{Micros, micros},
    columns::Named as _,
    crypto::Token,
    db::Tx,
    ids::UserId,
    limits, statements,
};
use http::{HeaderMap, StatusCode};
use rules::{
    email::Email,
    email_change, mailed_link,
    messages::Code,
    rate_limit::{self, Exceeded},
};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::{
    account_mail::{self, Breaker},
    confirm::{TokenBody, token_of},
    links::{self, NewLink, Purpose, Redeemed, otp_expired},
    password, rows,
    view::{self, Accepted},
};
use crate::{
    audit::{self, Entry},
    auth::{
        Anyone, By,
        cookies::{self, Name},
        guard::{self, Actor, SignedIn, VerifiedMember, Visitor},
        session,
    },
    requests::caller::Caller,
    requests::timing::{self, pad_to_multiple},
    two_factor,
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
    (status = 403, description = "First the second factor, or the password again"),
    (status = 422, description = "Not an address, or the account's own"),
    (status = 429, description = "Too many changes, or a letter to the mailbox too short a while ago"),
))]
pub async fn ask_email_change(
    by: By<VerifiedMember>,
    ApiJson(body): ApiJson<EmailChangeBody>,
) -> AppResult<Response> {
    let (started, browser) = (Instant::now(), by.browser(Name::Asked));
    let by = by.act();
    let Actor { app, me, now, .. } = by;
    me.require_recent_authentication(now)?;
    require_factor(me, now)?;
    let email = email_change::check_email_change(&account_mail::to_ascii(&body.email), &me.email)
        .map_err(|error| AppError::invalid("email", error))?;
    let mut counters = limits::by_network("email-change", by.caller.address, rate_limit::RESEND);
    counters.push((format!("email-change:{}", me.user_id), rate_limit::RESEND.into()));
    counters.push((format!("email-change-day:{}", me.user_id), rate_limit::EMAIL_CHANGE_DAY.into()));
    limits::take_each(&app.db, counters, app.clock.now()).await?;

    let mut tx = app.db.begin().await?;
    let old = lock(&mut tx, by).await?;
    let is_again = pending(&mut tx, by).await?.as_deref() == Some(email.as_str());
    match may_mail(&mut tx, by, &email).await? {
        // The letter with the valid link was sent a moment ago.
        Err(_) if is_again => {}
        Err(exceeded) => return Err(AppError::rate_limited(exceeded)),
        Ok(is_mailed) => {
            // A resend must wait from now on; asking for another address need not.
            limits::take_in(&mut tx, &again_key(me), rate_limit::ADDRESS_MAIL, now).await?.ok();
            write(&mut tx, by, Change { old: &old, new: &email, browser: &browser }, is_mailed).await?;
        }
    }
    by.record_unchecked(&mut tx, "user_updated", "asked", Some("email")).await?;
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    Ok(accepted(&app.origin, &browser))
}

/// Mails the link of the pending change and its notice again. It needs no password, because nothing changes. The
/// earlier link is voided.
#[utoipa::path(post, path = "/api/auth/email-change/resend", tag = "auth", responses(
    (status = 200, description = "Unless the address has an account, a link is on its way there", body = Accepted),
    (status = 409, description = "No change is waiting"),
    (status = 429, description = "A link went less than five minutes ago, or the mailbox's five letters of the day did"),
))]
pub async fn resend_email_change(by: By<VerifiedMember>) -> AppResult<Response> {
    let (started, browser) = (Instant::now(), by.browser(Name::Asked));
    let by = by.act();
    let Actor { app, me, now, .. } = by;
    let mut tx = app.db.begin().await?;
    let old = lock(&mut tx, by).await?;
    let email = pending(&mut tx, by).await?.and_then(|email| Email::parse(&email).ok());
    let email = email.ok_or_else(|| AppError::from_code(StatusCode::CONFLICT, Code::NoEmailChange))?;
    limits::take_in(&mut tx, &again_key(me), rate_limit::ADDRESS_MAIL, now)
        .await?
        .map_err(AppError::rate_limited)?;
    let is_mailed = may_mail(&mut tx, by, &email).await?.map_err(AppError::rate_limited)?;
    write(&mut tx, by, Change { old: &old, new: &email, browser: &browser }, is_mailed).await?;
    by.record_unchecked(&mut tx, "user_updated", "asked_again", Some("email")).await?;
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    Ok(accepted(&app.origin, &browser))
}

/// Cancels the pending change. It needs no password, because the account keeps its address.
#[utoipa::path(delete, path = "/api/auth/email-change", tag = "auth", responses(
    (status = 204, description = "No change waits any more"),
))]
pub async fn call_off_email_change(by: By<VerifiedMember>) -> AppResult<StatusCode> {
    let by = by.act();
    let mut tx = by.app.db.begin().await?;
    lock(&mut tx, by).await?;
    if pending(&mut tx, by).await?.is_some() {
        links::void(&mut tx, by.now, by.me.user_id, Purpose::EmailChange).await?;
        by.record_unchecked(&mut tx, "user_updated", "cancelled", Some("email")).await?;
        tx.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

fn again_key(me: &SignedIn) -> String {
    format!("email-change-again:{}", me.user_id)
}

/// Locks the account, whose rights are rechecked. Returns its address.
async fn lock(tx: &mut Tx, by: Actor<'_>) -> AppResult<String> {
    let email = rows::lock(tx, by.me.user_id).await?.ok_or_else(guard::not_authenticated)?;
    by.me.require_still(tx, by.now).await?;
    Ok(email)
}

/// The requested address that is not confirmed yet.
async fn pending(tx: &mut Tx, by: Actor<'_>) -> sqlx::Result<Option<String>> {
    let found = tx.query(PENDING).bind(by.me.user_id).bind(Purpose::EmailChange.as_str()).bind(by.now);
    Ok(found.maybe::<Option<String>>().await?.flatten())
}

#[derive(Clone, Copy)]
struct Change<'a> {
    old: &'a str,
    new: &'a Email,
    browser: &'a Token,
}

/// Voids the earlier link of a change, then creates and mails its links: the one that confirms, if `is_mailed`, and
/// the one that cancels, within the budget of notices. Earlier notices cancel this change too: not every change has one.
async fn write(tx: &mut Tx, by: Actor<'_>, change: Change<'_>, is_mailed: bool) -> AppResult<()> {
    let Actor { me, now, .. } = by;
    let (Change { old, new, browser }, mail) = (change, by.mail());
    links::void(tx, now, me.user_id, Purpose::EmailChange).await?;
    let link =
        |purpose, email| NewLink { email, browser: Some(browser), ..NewLink::new(purpose, me.user_id) };
    let confirm = links::create(tx, now, link(Purpose::EmailChange, Some(new.as_str()))).await?;
    if is_mailed {
        let letter = letters::email_change(&mail.label(), confirm.expose());
        let life = Purpose::EmailChange.life();
        mail.enqueue(tx, "email_change", new.as_str(), letter, Some(life)).await?;
    }
    if mail.may_tell_of_address(tx, me.user_id, new.as_str()).await? {
        let cancel = links::create(tx, now, link(Purpose::EmailChangeCancel, None)).await?;
        let letter = letters::email_change_notice(&mail.label(), new.as_str(), cancel.expose());
        mail.enqueue(tx, "email_change_notice", old, letter, None).await?;
    }
    Ok(())
}

fn accepted(origin: &Origin, browser: &Token) -> Response {
    (cookies::with(origin, Name::Asked, browser), Json(Accepted {})).into_response()
}

/// Confirms the new address by its mailed link, in any browser.
#[utoipa::path(post, path = "/api/auth/email-change/confirm", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The account has the new address", body = EmailChangeAnswer),
    (status = 422, description = "The link is unknown, spent, void or too old, or the address has an account by now"),
))]
pub async fn confirm_email_change(by: By<Visitor>, ApiJson(body): ApiJson<TokenBody>) -> AppResult<Response> {
    let token = token_of(&by, &body).await?.ok_or_else(otp_expired)?;
    let (now, mail) = (by.now(), by.mail(by.now()));
    let mut tx = by.app.db.begin().await?;
    let Redeemed { user_id, email, current, .. } =
        links::redeem(&mut tx, now, Purpose::EmailChange, &token).await?.ok_or_else(otp_expired)?;
    let email = email.ok_or_else(otp_expired)?;
    move_to(&mut tx, user_id, &email, now).await?;
    // Links mailed to the old address are void.
    links::void_each(&mut tx, now, user_id).await?;
    let mine = by.who.0.as_ref().filter(|me| me.user_id == user_id);
    let rotated = match mine {
        Some(me) => session::rotate(&mut tx, me.session_id, now).await?,
        None => None,
    };
    // A thief may have asked for the change: the old address can undo it.
    session::end_others(&mut tx, user_id, mine.map(|me| me.session_id)).await?;
    let undo = links::create(&mut tx, now, NewLink::undo(user_id, &current)).await?;
    audit::record(&mut tx, now, &by_link(user_id, mine, &by.caller, "ok")).await?;
    let letter = letters::email_changed(&mail.label(), &email, undo.expose());
    mail.enqueue(&mut tx, "email_changed", &current, letter, None).await?;
    tx.commit().await?;

    let mut headers = HeaderMap::new();
    let mut answer = EmailChangeAnswer { email, access_token: None, token_type: None };
    if let Some((token, me)) = rotated.zip(mine) {
        (answer.access_token, answer.token_type) =
            view::hand_over(&by.app.origin, me.via, &token, &mut headers);
    }
    Ok((headers, Json(answer)).into_response())
}

/// Takes the account back by a link mailed to its owner: the change of address is cancelled or undone, all sessions
/// end, the password and a recently added second factor are void. Mails a link to a new password.
#[utoipa::path(post, path = "/api/auth/email-change/cancel", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "The account is back at the mailbox, which gets a link to a new password", body = Accepted),
    (status = 422, description = "The link is unknown, spent, void or too old"),
))]
pub async fn cancel_email_change(
    by: By<Anyone>,
    ApiJson(body): ApiJson<TokenBody>,
) -> AppResult<Json<Accepted>> {
    let token = token_of(&by, &body).await?.ok_or_else(otp_expired)?;
    let now = by.now();
    let mut tx = by.app.db.begin().await?;
    let Redeemed { user_id, email, current, created_at, .. } =
        links::redeem(&mut tx, now, Purpose::EmailChangeCancel, &token).await?.ok_or_else(otp_expired)?;
    let email = email.unwrap_or_else(|| current.clone());
    if email != current {
        move_to(&mut tx, user_id, &email, now).await?;
    }
    links::void_each(&mut tx, now, user_id).await?;
    // Links mailed to later addresses must not undo this.
    links::void_later_undos(&mut tx, now, user_id, &token).await?;
    take_back(&mut tx, &by, now, (user_id, &email), created_at).await?;
    let outcome = if email == current { "cancelled" } else { "undone" };
    audit::record(&mut tx, now, &by_link(user_id, None, &by.caller, outcome)).await?;
    tx.commit().await?;
    Ok(Json(Accepted {}))
}

/// Gives a locked account back to the owner of its mailbox: ends all sessions, voids the password, removes a member's
/// second factor set up later than three days before `mailed_at`, when the link was mailed, and mails a link to a new
/// password. The three days cover what a thief did before asking for the change.
async fn take_back(
    tx: &mut Tx,
    by: &By<Anyone>,
    now: Micros,
    (user_id, email): (UserId, &str),
    mailed_at: Micros,
) -> AppResult<()> {
    session::end_others(tx, user_id, None).await?;
    password::void(tx, user_id, &by.app.hasher, now).await?;
    let since = mailed_at - micros(mailed_link::EMAIL_UNDO_MS);
    let factor = two_factor::remove_since(tx, user_id, since, now).await?;
    let by_link = |event, on| Entry::visitor(event, Some(user_id), "taken_back", &by.caller).on(on);
    audit::record(tx, now, &by_link("authn_password_change", "password")).await?;
    if factor == letters::FactorLeft::Removed {
        audit::record(tx, now, &by_link("mfa_disabled", "two_factor")).await?;
    }
    let token = links::create(tx, now, NewLink::new(Purpose::Reset, user_id)).await?;
    let letter = letters::taken_back(&by.app.label(), token.expose(), factor);
    let life = Purpose::Reset.life();
    Ok(by.mail(now).enqueue(tx, "account_taken_back", email, letter, Some(life)).await?)
}

/// Gives the account another address; 422 if another account has it by now.
async fn move_to(tx: &mut Tx, user_id: UserId, email: &str, now: Micros) -> AppResult<()> {
    tx.query(DELETE_UNCONFIRMED).bind(email).execute().await?;
    let moved = tx.query(MOVE).bind(user_id).bind(email).bind(now).execute().await;
    moved.map(drop).map_err(|error| if rows::is_conflict(&error) { otp_expired() } else { error.into() })
}

/// Requires that an account with a second factor gave it in this session a short while ago.
fn require_factor(me: &SignedIn, now: Micros) -> AppResult<()> {
    let counts = me.mfa_verified_at.is_some_and(|at| now - at <= micros(email_change::FACTOR_COUNTS_MS));
    if !me.factor_enabled || counts {
        return Ok(());
    }
    Err(AppError::from_code(StatusCode::FORBIDDEN, Code::MfaVerificationNeeded))
}

/// Counts a letter to the mailbox, or says how long it must wait for one; whether it is sent: not to an address of an
/// account.
async fn may_mail(tx: &mut Tx, by: Actor<'_>, email: &Email) -> AppResult<Result<bool, Exceeded>> {
    let mail = by.mail();
    mail.check_global(tx, Breaker::Confirmations).await?;
    // Counted for addresses of accounts too, so that neither the notices nor the wait reveal them.
    if let Err(exceeded) = mail.may_confirm_again(tx, "email-change-mail", email.as_str()).await? {
        return Ok(Err(exceeded));
    }
    if tx.query(HAS_ACCOUNT).bind(email.as_str()).exists().await? {
        return Ok(Ok(false));
    }
    mail.take_global(tx, Breaker::Confirmations).await?;
    Ok(Ok(true))
}

fn by_link<'a>(
    user_id: UserId,
    me: Option<&SignedIn>,
    caller: &'a Caller,
    outcome: &'static str,
) -> Entry<'a> {
    let event = "user_updated";
    me.map_or_else(
        || Entry::visitor(event, Some(user_id), outcome, caller),
        |me| me.entry(event, outcome, caller),
    )
    .on("email")
}
