//! The deletion of an account by its owner.

use axum::response::{IntoResponse as _, Response};
use deadwax_http::error::{AppError, AppResult};
use deadwax_mail::letters;
use deadwax_store::{db::Tx, ids::UserId, statements};
use http::{HeaderMap, StatusCode};
use rules::messages::Code;

use super::{avatar, rows};
use crate::auth::{
    By,
    cookies::{self, Name},
    guard::{Actor, VerifiedMember, not_authenticated},
    session,
};

statements! {
    // All of them, so that of two admins who leave at once the second sees that the first has left.
    ACTIVE_ADMINS = "SELECT user_id FROM admin_users WHERE active ORDER BY user_id", postgres + " FOR UPDATE";
    DELETE_USER = "DELETE FROM users WHERE id = $1";
}

/// Deletes the account: login, profile, picture, second factor, admin rights and all sessions.
#[utoipa::path(delete, path = "/api/auth/account", tag = "auth", responses(
    (status = 204, description = "The account and its sessions are gone"),
    (status = 403, description = "First the second factor, or the password again"),
    (status = 409, description = "The last admin must stay"),
))]
pub async fn delete_account(by: By<VerifiedMember>) -> AppResult<Response> {
    let by = by.act();
    let Actor { app, me, now, .. } = by;
    me.require_recent_authentication(now)?;
    // The account before the rights that refer to it, and before the session, which may end while this waits.
    let mut tx = rows::begin(by).await?;
    me.require_still(&mut tx, now).await?;
    if is_last_admin(&mut tx, me.user_id).await? {
        return Err(AppError::from_code(StatusCode::CONFLICT, Code::LastAdmin));
    }
    avatar::remove_with_account(&mut tx, me.user_id, now).await?;
    session::end_others(&mut tx, me.user_id, None).await?;
    // Foreign keys delete the profile, second factor, codes, links and admin row.
    if tx.query(DELETE_USER).bind(me.user_id).execute().await? == 0 {
        return Err(not_authenticated());
    }
    by.record_unchecked(&mut tx, "user_deleted", "ok", Some("account")).await?;
    let letter = letters::farewell(&app.label());
    by.mail().enqueue(&mut tx, "account_deleted", &me.email, letter, None).await?;
    tx.commit().await?;
    let mut headers = HeaderMap::new();
    for name in [Name::Session, Name::Device, Name::SignUp, Name::Asked] {
        cookies::clear(&app.origin, &mut headers, name);
    }
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

/// Whether the account is the only active admin. The admin rows stay locked until the transaction ends.
async fn is_last_admin(tx: &mut Tx, user_id: UserId) -> AppResult<bool> {
    Ok(tx.query(ACTIVE_ADMINS).values::<UserId>().await? == [user_id])
}
