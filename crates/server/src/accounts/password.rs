//! Changing a password after recent authentication: every other session and open link ends.

use std::iter::once;

use axum::response::Response;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
    slots::{Permit, per_account},
};
use deadwax_mail::letters;
use deadwax_store::{clock::Micros, crypto::Token, db::Tx, statements};
use http::HeaderMap;
use rules::{
    password::{Password, PasswordChangeForm},
    rate_limit::OPEN_HASHES_ACCOUNT,
    request::BUSY_SECONDS,
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account_mail::{self, Notice},
    links::{self, Purpose},
    view::{self, SessionView},
};
use crate::{
    accounts::hashing::Hasher,
    app::AppState,
    audit,
    auth::{
        cookies::{self, Device, Name},
        guard::{SignedIn, VerifiedMember, not_authenticated},
        session::{self, TokenTransport},
    },
    requests::caller::Caller,
};

statements! {
    CHANGED_AT = "SELECT password_changed_at FROM users WHERE id = $1";
    SET = "UPDATE users SET password_hash = $2, password_changed_at = $3, updated_at = $3, version = version + 1 \
        WHERE id = $1";
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
