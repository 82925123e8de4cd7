//! Presence: which admin listens to which demo. Clients renew it every few seconds, otherwise it expires.

use axum::Json;
use deadwax_http::{error::AppResult, extract::ApiJson};
use deadwax_store::{clock::micros, columns::Timestamp, statements};
use http::StatusCode;
use rules::demo_desk::LISTENING_MS;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::view;
use crate::{accounts::rows, app::AppState, auth::guard::Admin};

statements! {
    LIST = "SELECT COALESCE(p.username, '') AS person, l.user_id = $2 AS is_me, l.demo_id, l.since FROM demo_listeners l \
            JOIN demos d ON d.id = l.demo_id LEFT JOIN profiles p ON p.id = l.user_id \
        WHERE l.expires_at > $1 AND d.deleted_at IS NULL ORDER BY l.since, l.user_id";
    SET = "INSERT INTO demo_listeners (user_id, demo_id, since, expires_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (user_id) DO UPDATE SET expires_at = excluded.expires_at, demo_id = excluded.demo_id, \
            since = CASE WHEN demo_listeners.demo_id = excluded.demo_id THEN demo_listeners.since ELSE excluded.since END";
    LEAVE = "DELETE FROM demo_listeners WHERE user_id = $1";
    EXPIRE = "DELETE FROM demo_listeners WHERE expires_at <= $1";
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct Listener {
    /// The name.
    pub person: String,
    /// Whether it is the caller.
    pub is_me: bool,
    pub demo_id: Uuid,
    pub since: Timestamp,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Listeners {
    /// The earliest first.
    pub items: Vec<Listener>,
    /// Always null: an admin listens to one demo at most.
    pub next_cursor: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListeningBody {
    /// The demo; null to stop.
    demo_id: Option<Uuid>,
}

/// All admins who listen.
#[utoipa::path(get, path = "/api/admin/desk/listening", tag = "admin", responses(
    (status = 200, description = "Everybody who listens", body = Listeners),
))]
pub async fn list_listeners(app: AppState, Admin(me): Admin) -> AppResult<Json<Listeners>> {
    let items = app.db.query(LIST).bind(app.clock.now()).bind(me.user_id).all().await?;
    Ok(Json(Listeners { items, next_cursor: None }))
}

/// Sets what the caller listens to, for 30 seconds. Renewals without a change publish nothing, and nothing is audited:
/// the audit log records who reads a demo.
#[utoipa::path(put, path = "/api/admin/desk/listening", tag = "admin", request_body = ListeningBody, responses(
    (status = 204, description = "It is known"),
))]
pub async fn set_listening(
    app: AppState,
    Admin(me): Admin,
    ApiJson(body): ApiJson<ListeningBody>,
) -> AppResult<StatusCode> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    rows::lock_own(&mut tx, me.user_id).await?;
    me.require_still(&mut tx, now).await?;
    tx.query(EXPIRE).bind(now).execute().await?;
    match body.demo_id {
        Some(demo) => {
            view::require(&mut tx, demo).await?;
            let until = now.saturating_add(micros(LISTENING_MS));
            tx.query(SET).bind(me.user_id).bind(demo).bind(now).bind(until).execute().await?;
        }
        None => {
            tx.query(LEAVE).bind(me.user_id).execute().await?;
        }
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
