//! The sessions of the signed-in person's account.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_store::{
    clock::{Micros, millis, rfc3339},
    statements,
};
use http::{HeaderMap, StatusCode};
use rules::session::is_alive;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent;
use crate::{
    app::AppState,
    audit::{self, Entry},
    auth::{
        cookies::{self, Name},
        guard::VerifiedMember,
        session::moments,
    },
    caller::Caller,
};

statements! {
    LIST = "SELECT id, created_at, used_at, user_agent, network, mfa_verified_at, mfa_verified_until \
        FROM sessions \
        WHERE user_id = $1 \
        ORDER BY used_at DESC, id DESC";
    END_OWN = "DELETE FROM sessions WHERE id = $1 AND user_id = $2";
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    id: Uuid,
    created_at: Micros,
    used_at: Micros,
    user_agent: String,
    network: String,
    mfa_verified_at: Option<Micros>,
    mfa_verified_until: Option<Micros>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SessionItem {
    pub id: Uuid,
    pub created_at: String,
    /// When it was last used, to within five minutes.
    pub used_at: String,
    /// Browser and system in short, such as `Firefox on Linux`.
    pub user_agent: String,
    /// The address that signed in, or its /64 if IPv6.
    pub network: String,
    /// Whether it is the caller's.
    pub current: bool,
    /// Whether the second factor given in it counts.
    pub mfa_verified: bool,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SessionList {
    /// The caller's first, then the others, last used first.
    pub items: Vec<SessionItem>,
    /// Always null: there are ten at most.
    pub next_cursor: Option<String>,
}

/// The live sessions of the account.
#[utoipa::path(get, path = "/api/auth/sessions", tag = "auth", responses(
    (status = 200, description = "The sessions", body = SessionList),
    (status = 401, description = "No session"),
    (status = 403, description = "First the second factor"),
))]
pub async fn list_sessions(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
) -> AppResult<Json<SessionList>> {
    let now = app.clock.now();
    let rows = app.db.query(LIST).bind(me.user_id).all::<Row>().await?;
    let mut items: Vec<_> = rows
        .into_iter()
        .filter(|row| row.is_alive(me.factor_enabled, now))
        .map(|row| SessionItem {
            id: row.id,
            created_at: rfc3339(row.created_at),
            used_at: rfc3339(row.used_at),
            user_agent: agent::label(&row.user_agent),
            network: row.network,
            current: row.id == me.session_id,
            mfa_verified: me.factor_enabled && row.mfa_verified_until.is_some_and(|until| until > now),
        })
        .collect();
    // Stable: the others keep their order.
    items.sort_by_key(|item: &SessionItem| !item.current);
    Ok(Json(SessionList { items, next_cursor: None }))
}

impl Row {
    fn is_alive(&self, factor_enabled: bool, now: Micros) -> bool {
        let factor_pending = factor_enabled && self.mfa_verified_at.is_none();
        is_alive(moments(self.created_at, self.used_at, factor_pending), millis(now))
    }
}

/// Ends a session of the account, which may be the caller's.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", tag = "auth", params(("id" = String, Path, description = "The session")), responses(
    (status = 204, description = "It has ended"),
    (status = 401, description = "No session"),
    (status = 403, description = "First the second factor"),
    (status = 404, description = "The account has no such session"),
))]
pub async fn end_session(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<Response> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    me.require_still(&mut tx, now).await?;
    if tx.query(END_OWN).bind(id).bind(me.user_id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    let entry = Entry { session: Some(id), ..me.entry("session_expired", "ended", &caller) };
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;
    let mut headers = HeaderMap::new();
    if id == me.session_id {
        cookies::clear(&app.origin, &mut headers, Name::Session);
    }
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}
