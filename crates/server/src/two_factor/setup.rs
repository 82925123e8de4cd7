//! Setting the factor up, removing it, and new recovery codes; the owner is notified of each. The first two change who
//! may sign in, so they need recent authentication, which `POST /api/auth/reauthenticate` renews, and end the other
//! sessions. New recovery codes need a code of the factor.

use axum::response::{IntoResponse as _, Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::letters;
use deadwax_store::db::Tx;
use http::StatusCode;
use rules::{login::LoginError, messages::Code, mfa::Verdict, password::Password};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    answer::Done,
    attempts::{self, Judged},
    factor::{self, Factor, NewSecret},
    recovery,
};
use crate::{
    accounts::{
        account_mail::Notice,
        links::{self, NewLink},
        rows,
        sign_in::confirm_password,
        view::{self, SessionView},
    },
    auth::{
        By,
        guard::{self, Actor, VerifiedMember},
        session,
    },
};

fn already_enabled() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::AlreadyEnabled)
}

/// Whether this session may replace the account's authenticator: a recovery code opened it, and the password was given
/// again since.
fn may_replace(by: Actor<'_>) -> AppResult<bool> {
    let Some(recovered_at) = by.me.recovered_at else { return Ok(false) };
    if by.me.stamped_at.is_some_and(|at| at > recovered_at) {
        return Ok(true);
    }
    Err(AppError::from_code(StatusCode::FORBIDDEN, Code::ReauthenticationNeeded))
}

/// Creates a secret and stores it for ten minutes in place of an earlier one. An enabled factor stays until the new
/// secret's first code is given.
pub(super) async fn generate(by: Actor<'_>) -> AppResult<Done> {
    let Actor { app, me, now, .. } = by;
    me.require_recent_authentication(now)?;
    let secret = NewSecret::random(&app.label_name(), &me.email);
    let address = secret.address()?;
    let sealed = app.keys.seal(&factor::purpose(me.user_id), secret.bytes())?;
    let mut tx = rows::begin(by).await?;
    me.require_still(&mut tx, now).await?;
    let factor = Factor::lock(&mut tx, me.user_id).await?;
    if factor.is_enabled() && !may_replace(by)? {
        return Err(already_enabled());
    }
    factor.set_pending(&mut tx, me.user_id, &sealed, now).await?;
    tx.commit().await?;
    let mut done = Done::with_message(Code::SecretGenerated.text());
    done.answer.secret = Some(secret.base32());
    done.answer.qr_code_url = Some(address);
    done.answer.manual_entry_key = Some(secret.groups());
    Ok(done)
}

/// Enables the pending secret, given its first code, replacing an earlier factor if the session may do that.
pub(super) async fn enable(by: Actor<'_>, typed_secret: &str, typed: &str) -> AppResult<Done> {
    let Actor { app, me, now, .. } = by;
    me.require_recent_authentication(now)?;
    let code = attempts::six_digits(typed)?;
    let mut tx = rows::begin(by).await?;
    let failures = attempts::lock(&mut tx, by).await?;
    me.require_still(&mut tx, now).await?;
    let factor = Factor::lock(&mut tx, me.user_id).await?;
    let replaces = factor.is_enabled();
    if replaces && !may_replace(by)? {
        return Err(already_enabled());
    }
    let pending = factor.pending(&app.keys, me.user_id, now)?;
    let secret = pending.filter(|secret| factor::is_secret(secret, typed_secret)).ok_or_else(not_pending)?;
    let failures = failures.map_err(attempts::too_many)?;
    // A step used under another secret does not matter for this one.
    let last_step = if replaces { 0 } else { factor.last_step };
    let judged = Judged { failures, secret: &secret, last_step, code: &code, request_id: None };
    let (mut tx, step) = attempts::demand(tx, by, judged).await?;
    if !factor::enable(&mut tx, me.user_id, step, now).await? {
        return Err(not_pending());
    }
    let recovery_codes = recovery::replace_codes(&mut tx, by).await?;
    let token = attempts::prove(&mut tx, by, false).await?;
    session::end_others(&mut tx, me.user_id, Some(me.session_id)).await?;
    by.record_unchecked(&mut tx, "mfa_enabled", if replaces { "replaced" } else { "ok" }, None).await?;
    let label = app.label();
    let letter = if replaces {
        letters::authenticator_replaced(&label)
    } else if me.is_admin {
        // Their mailbox alone must not open the back office; the command line takes the factor off.
        letters::two_factor_on(&label, None)
    } else {
        // The mailbox's owner takes the account back from a thief who set the factor up.
        let undo = links::create(&mut tx, now, NewLink::undo(me.user_id, &me.email)).await?;
        letters::two_factor_on(&label, Some(undo.expose()))
    };
    by.notify(&mut tx, Notice::TwoFactorChanged, letter).await?;
    tx.commit().await?;
    let mut done = Done::with_message(Code::MfaEnabled.title()).with(token);
    done.answer.recovery_codes = Some(recovery_codes);
    Ok(done)
}

pub(super) async fn disable(by: Actor<'_>, typed: &str) -> AppResult<Done> {
    let Actor { app, me, now, .. } = by;
    me.require_recent_authentication(now)?;
    let mut tx = spend(by, typed).await?;
    factor::remove(&mut tx, me.user_id, now).await?;
    let token = session::rotate(&mut tx, me.session_id, now).await?.ok_or_else(guard::not_authenticated)?;
    session::end_others(&mut tx, me.user_id, Some(me.session_id)).await?;
    by.record_unchecked(&mut tx, "mfa_disabled", "ok", None).await?;
    let letter = letters::two_factor_off(&app.label());
    by.notify(&mut tx, Notice::TwoFactorChanged, letter).await?;
    tx.commit().await?;
    Ok(Done::with_message(Code::MfaDisabled.title()).with(token))
}

pub(super) async fn regenerate(by: Actor<'_>, typed: &str) -> AppResult<Done> {
    let mut tx = spend(by, typed).await?;
    let recovery_codes = recovery::replace_codes(&mut tx, by).await?;
    by.record_unchecked(&mut tx, "recovery_codes_replaced", "ok", None).await?;
    by.notify(&mut tx, Notice::RecoveryCodesReplaced, letters::recovery_codes_replaced(&by.app.label()))
        .await?;
    tx.commit().await?;
    let mut done = Done::with_message(Code::RecoveryCodesReplaced.text());
    done.answer.recovery_codes = Some(recovery_codes);
    Ok(done)
}

/// Uses up a code of the account's factor, in a transaction that continues. 409 without a factor; 422 and 429 as
/// `verify_mfa`.
pub(super) async fn spend(by: Actor<'_>, typed: &str) -> AppResult<Tx> {
    let Actor { app, me, now, .. } = by;
    let code = attempts::six_digits(typed)?;
    let mut tx = rows::begin(by).await?;
    let failures = attempts::lock(&mut tx, by).await?;
    me.require_still(&mut tx, now).await?;
    let factor = Factor::lock(&mut tx, me.user_id).await?;
    let secret = factor.secret(&app.keys, me.user_id)?.ok_or_else(attempts::not_enabled)?;
    let failures = failures.map_err(attempts::too_many)?;
    let last_step = factor.last_step;
    let judged = Judged { failures, secret: &secret, last_step, code: &code, request_id: None };
    let (mut tx, step) = attempts::demand(tx, by, judged).await?;
    if factor::spend(&mut tx, me.user_id, step).await? {
        Ok(tx)
    } else {
        Err(attempts::refusal(Verdict::Invalid))
    }
}

fn not_pending() -> AppError {
    AppError::invalid("mfaSecret", Code::SecretNotPending)
}

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
    (status = 409, description = "A code, and the account has no second factor"),
    (status = 422, description = "Neither password nor code, or both; or a wrong code"),
))]
pub(super) async fn reauthenticate(
    by: By<VerifiedMember>,
    ApiJson(body): ApiJson<ReauthenticateBody>,
) -> AppResult<Response> {
    let by = by.act();
    match (body.password, body.totp_code) {
        (Some(password), None) => confirm_password(by, &password).await?,
        (None, Some(code)) => confirm_code(by, &code).await?,
        _ => return Err(AppError::invalid("password", LoginError::PasswordRequired)),
    }
    Ok(axum::Json(view::current(by.app, by.me.session_id, by.me.via).await?).into_response())
}

async fn confirm_code(by: Actor<'_>, typed: &str) -> AppResult<()> {
    let mut tx = spend(by, typed).await?;
    session::mark_reauthenticated(&mut tx, by.me.session_id, by.now).await?;
    by.record_unchecked(&mut tx, "mfa_verified", "ok", None).await?;
    Ok(tx.commit().await?)
}
