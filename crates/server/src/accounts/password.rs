//! Changing a password, after recent authentication or by a link to the mailbox of an account.

use std::iter::once;

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
    slots::{Permit, per_account},
};
use deadwax_mail::letters;
use deadwax_store::{clock::Micros, crypto::Token, db::Tx, limits, statements};
use http::HeaderMap;
use rules::{
    messages::Code,
    password::{Password, PasswordChangeForm},
    rate_limit::{self, OPEN_HASHES_ACCOUNT},
    request::BUSY_SECONDS,
};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account_mail::{self, Breaker, Notice},
    confirm::{TokenBody, otp_expired, token_of},
    links::{self, NewLink, Purpose},
    rows,
    sessions::end_replaced,
    view::{self, Accepted, SessionView},
};
use crate::{
    accounts::hashing::Hasher,
    app::AppState,
    audit::{self, Entry},
    auth::{
        cookies::{self, Device, Name},
        guard::{SignedIn, VerifiedMember, Visitor, not_authenticated},
        session::{self, TokenTransport},
    },
    requests::{
        caller::Caller,
        timing::{self, pad_to_multiple},
    },
};

statements! {
    CHANGED_AT = "SELECT password_changed_at FROM users WHERE id = $1";
    SET = "UPDATE users SET password_hash = $2, password_changed_at = $3, updated_at = $3, version = version + 1 \
        WHERE id = $1";
    FIND = "SELECT id, password_changed_at FROM users WHERE email = $1 AND confirmed_at IS NOT NULL";
    NOTE = "UPDATE users SET reset_by_mail_at = $2, updated_at = $2, version = version + 1 WHERE id = $1";
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    /// 8 to 128 characters.
    #[schema(value_type = String, format = Password)]
    password: Password,
    #[schema(value_type = String, format = Password)]
    confirm_password: Password,
}

/// Changes the password. The session continues under a new token; all others of the account end.
#[utoipa::path(put, path = "/api/auth/password", tag = "auth", request_body = PasswordBody, responses(
    (status = 200, description = "The password is changed; the session has a new token", body = SessionView),
    (status = 401, description = "No session"),
    (status = 403, description = "First the second factor, or the password again"),
    (status = 422, description = "The fields break a rule"),
    (status = 429, description = "Too many passwords of this account at once"),
    (status = 503, description = "Too many passwords at once"),
))]
pub async fn change_password(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
    headers: HeaderMap,
    ApiJson(body): ApiJson<PasswordBody>,
) -> AppResult<Response> {
    let now = app.clock.now();
    let form = PasswordChangeForm { password: body.password, confirm_password: body.confirm_password };
    let checked = me
        .require_recent_authentication(now)
        .and_then(|()| rules::password::check_password_change(form).map_err(AppError::validation));
    let password = match checked {
        Ok(change) => change.password,
        Err(refusal) => {
            let mut tx = app.db.begin().await?;
            let entry = me.entry("authn_password_change_fail", refusal.code(), &caller).on("password");
            audit::record(&mut tx, now, &entry).await?;
            tx.commit().await?;
            return Err(refusal);
        }
    };
    let (changed_at,) = app
        .db
        .query(CHANGED_AT)
        .bind(me.user_id)
        .optional::<(Micros,)>()
        .await?
        .ok_or_else(not_authenticated)?;
    let device = Device::of(&app.origin, &app.keys, &headers, me.user_id, changed_at, now);
    let permit = permit(&app, me.user_id)?;
    let hash = app.hasher.hash(&password).await?;
    drop(permit);
    let token = install(&app, &me, &caller, &hash, now).await?;
    let mut response = view::with_token(&app, me.session_id, &token, me.via).await?;
    if let Some(device) = device.or_else(|| (me.via == TokenTransport::Cookie).then(Device::random)) {
        // Device cookies count for the old password only. This browser stays known, or becomes known: a browser that
        // came by a mailed link is then safe from being locked out by strangers.
        let cookie = device.sign(&app.keys, me.user_id, now, now);
        cookies::set(&app.origin, response.headers_mut(), Name::Device, &cookie);
    }
    Ok(response)
}

/// A permit to hash: limited per account (429), and limited overall (503) so that sign-ins always find a free thread.
pub(super) fn permit(app: &AppState, account: Uuid) -> AppResult<Permit> {
    let bound = per_account(account, OPEN_HASHES_ACCOUNT);
    app.member_hashes.try_acquire(once(bound)).map_err(|full| AppError::full(full, BUSY_SECONDS))
}

/// Voids the password until a mailed link sets another. No browser is known any more.
pub(crate) async fn void(tx: &mut Tx, user_id: Uuid, hasher: &Hasher, now: Micros) -> sqlx::Result<()> {
    tx.query(SET).bind(user_id).bind(hasher.unknown()).bind(now).execute().await?;
    Ok(())
}

async fn install(
    app: &AppState,
    me: &SignedIn,
    caller: &Caller,
    hash: &str,
    now: Micros,
) -> AppResult<Token> {
    let mut tx = app.db.begin().await?;
    tx.query(SET).bind(me.user_id).bind(hash).bind(now).execute().await?;
    // Another change may have ended this session while the password was hashed.
    me.require_still(&mut tx, now).await?;
    session::end_others(&mut tx, me.user_id, Some(me.session_id)).await?;
    let token = session::rotate(&mut tx, me.session_id, now).await?.ok_or_else(not_authenticated)?;
    for purpose in [Purpose::Reset, Purpose::EmailChange, Purpose::EmailChangeCancel] {
        links::void(&mut tx, now, me.user_id, purpose).await?;
    }
    let entry = me.entry("authn_password_change", "ok", caller).on("password");
    audit::record(&mut tx, now, &entry).await?;
    let letter = letters::password_changed(&app.label());
    account_mail::notify(&app.keys, &mut tx, now, Notice::PasswordChanged, (me.user_id, &me.email), letter)
        .await?;
    tx.commit().await?;
    Ok(token)
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
    let email = rules::forgot::check_forgot(&account_mail::to_ascii(&body.email))
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
