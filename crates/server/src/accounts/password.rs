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
use deadwax_store::{clock::Micros, crypto::Token, db::Tx, ids::UserId, statements};
use rules::{
    password::{Password, PasswordChangeForm},
    rate_limit::{self, OPEN_HASHES_ACCOUNT},
    request::BUSY_SECONDS,
};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::{
    account_mail::{self, Breaker, Notice},
    confirm::{TokenBody, token_of},
    links::{self, NewLink, Purpose, reset_link_invalid},
    rows,
    sessions::end_replaced,
    view::{self, Accepted, SessionView},
};
use crate::{
    accounts::hashing::Hasher,
    app::AppState,
    audit::{self, Entry},
    auth::{
        Anyone, By,
        cookies::{self, Device, Name},
        guard::{Actor, VerifiedMember, Visitor, not_authenticated},
        session::{self, TokenTransport},
    },
    requests::timing::{self, pad_to_multiple},
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
    (status = 403, description = "First the second factor, or the password again"),
    (status = 429, description = "Too many passwords of this account at once"),
    (status = 503, description = "Too many passwords at once"),
))]
pub async fn change_password(
    by: By<VerifiedMember>,
    ApiJson(body): ApiJson<PasswordBody>,
) -> AppResult<Response> {
    let actor = by.act();
    let Actor { app, me, now, .. } = actor;
    let form = PasswordChangeForm { password: body.password, confirm_password: body.confirm_password };
    let checked = me
        .require_recent_authentication(now)
        .and_then(|()| rules::password::check_password_change(form).map_err(AppError::validation));
    let password = match checked {
        Ok(change) => change.password,
        Err(refusal) => {
            actor.record_refusal("authn_password_change_fail", &refusal, "password").await?;
            return Err(refusal);
        }
    };
    let changed_at = app.db.query(CHANGED_AT).bind(me.user_id).maybe::<Micros>().await?;
    let device = by.device(me.user_id, changed_at.ok_or_else(not_authenticated)?);
    let permit = permit(app, me.user_id)?;
    let hash = app.hasher.hash(&password).await?;
    drop(permit);
    let token = install(actor, &hash).await?;
    let mut response = view::with_token(app, me.session_id, &token, me.via).await?;
    if let Some(device) = device.or_else(|| (me.via == TokenTransport::Cookie).then(Device::random)) {
        // Device cookies count for the old password only. This browser stays known, or becomes known: a browser that
        // came by a mailed link is then safe from being locked out by strangers.
        let cookie = device.sign(&app.keys, me.user_id, now, now);
        cookies::set(&app.origin, response.headers_mut(), Name::Device, &cookie);
    }
    Ok(response)
}

/// A permit to hash: limited per account (429), and limited overall (503) so that sign-ins always find a free thread.
pub(super) fn permit(app: &AppState, account: UserId) -> AppResult<Permit> {
    let bound = per_account(account.0, OPEN_HASHES_ACCOUNT);
    app.member_hashes.try_acquire(once(bound)).map_err(|full| AppError::full(full, BUSY_SECONDS))
}

/// Voids the password until a mailed link sets another. No browser is known any more.
pub(crate) async fn void(tx: &mut Tx, user_id: UserId, hasher: &Hasher, now: Micros) -> sqlx::Result<()> {
    tx.query(SET).bind(user_id).bind(hasher.unknown()).bind(now).execute().await?;
    Ok(())
}

async fn install(by: Actor<'_>, hash: &str) -> AppResult<Token> {
    let Actor { app, me, now, .. } = by;
    let mut tx = app.db.begin().await?;
    tx.query(SET).bind(me.user_id).bind(hash).bind(now).execute().await?;
    // Another change may have ended this session while the password was hashed.
    me.require_still(&mut tx, now).await?;
    session::end_others(&mut tx, me.user_id, Some(me.session_id)).await?;
    let token = session::rotate(&mut tx, me.session_id, now).await?.ok_or_else(not_authenticated)?;
    links::void_each(&mut tx, now, me.user_id).await?;
    by.record_unchecked(&mut tx, "authn_password_change", "ok", Some("password")).await?;
    by.notify(&mut tx, Notice::PasswordChanged, letters::password_changed(&app.label())).await?;
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
))]
pub async fn forgot(by: By<Anyone>, ApiJson(body): ApiJson<ForgotBody>) -> AppResult<Response> {
    let started = Instant::now();
    let email = rules::forgot::check_forgot(&account_mail::to_ascii(&body.email))
        .map_err(|error| AppError::invalid("email", error))?;
    by.take("forgot", rate_limit::RESEND).await?;
    let (now, browser) = (by.now(), by.browser(Name::Asked));
    let mail = by.mail(now);
    let mut tx = by.app.db.begin().await?;
    // Refused for unknown addresses too, so that the answer does not reveal known ones.
    mail.check_global(&mut tx, Breaker::Resets).await?;
    if let Some((user_id, set_at)) = tx.query(FIND).bind(email.as_str()).optional::<(UserId, i64)>().await?
        // The address may have changed while this waited: the earlier mailbox gets no link.
        && rows::lock(&mut tx, user_id).await?.as_deref() == Some(email.as_str())
        && mail.may_reset(&mut tx, user_id, by.device(user_id, set_at).is_some()).await?
    {
        mail.take_global(&mut tx, Breaker::Resets).await?;
        // Only the newest link in the owner's mailbox works.
        links::void(&mut tx, now, user_id, Purpose::Reset).await?;
        let link = NewLink { browser: Some(&browser), ..NewLink::new(Purpose::Reset, user_id) };
        let token = links::create(&mut tx, now, link).await?;
        let letter = letters::reset(&mail.label(), token.expose());
        mail.enqueue(&mut tx, "reset", email.as_str(), letter, Some(Purpose::Reset.life())).await?;
    }
    tx.commit().await?;
    pad_to_multiple(started, timing::MAILED).await;
    // Set for every address, so that the cookie reveals nothing.
    let set = cookies::with(&by.app.origin, Name::Asked, &browser);
    Ok((set, Json(Accepted {})).into_response())
}

/// Redeems the link: signs in, up to the second factor, so that the password can be changed. The browser's previous
/// session ends.
#[utoipa::path(post, path = "/api/auth/reset", tag = "auth", request_body = TokenBody, responses(
    (status = 200, description = "Signed in; an account with a second factor is asked for it before anything else", body = SessionView),
    (status = 422, description = "The link is unknown, spent, void or too old"),
))]
pub async fn reset(by: By<Visitor>, ApiJson(body): ApiJson<TokenBody>) -> AppResult<Response> {
    let token = token_of(&by, &body).await?.ok_or_else(reset_link_invalid)?;
    let (app, now) = (&by.app, by.now());
    let mut tx = app.db.begin().await?;
    let redeemed = links::redeem(&mut tx, now, Purpose::Reset, &token).await?;
    let user_id = redeemed.ok_or_else(reset_link_invalid)?.user_id;
    // From now on the mailbox alone must not open the second factor as well.
    tx.query(NOTE).bind(user_id).bind(now).execute().await?;
    let (session_id, token) = session::create(&mut tx, now, user_id, &by.caller).await?;
    let entry = Entry::new_session("authn_login_success", user_id, session_id, &by.caller).on("reset_link");
    audit::record(&mut tx, now, &entry).await?;
    end_replaced(&mut tx, now, by.who.0.as_ref(), &by.caller).await?;
    tx.commit().await?;
    let mut response = view::with_token(app, session_id, &token, TokenTransport::Cookie).await?;
    cookies::clear(&app.origin, response.headers_mut(), Name::Asked);
    Ok(response)
}
