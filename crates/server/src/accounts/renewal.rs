//! The session itself: who is asking, a new token for it, and its end.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::error::AppResult;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{
    confirm::Accepted,
    view::{self, SessionView, UserView},
};
use crate::{
    app::AppState,
    audit,
    auth::{
        cookies::{self, Name},
        guard::{Member, SessionStatus, Visitor, not_authenticated},
        session,
    },
    caller::Caller,
};

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// The caller's session. Visitors get nulls, and so does a token that a change of rights has just retired: the answer says
/// so.
#[utoipa::path(get, path = "/api/auth/session", tag = "auth", responses((status = 200, description = "The session, as far as there is one", body = SessionView)))]
pub async fn show_session(app: AppState, status: SessionStatus) -> Json<SessionView> {
    let nobody = SessionView { token_retired: status.token_retired, ..SessionView::default() };
    Json(status.signed_in.map_or(nobody, |me| SessionView::of(&me, app.clock.now())))
}

/// The signed-in account.
#[utoipa::path(get, path = "/api/auth/user", tag = "auth", responses(
    (status = 200, description = "The account", body = UserView),
    (status = 401, description = "No session"),
))]
pub async fn show_user(app: AppState, Member(me): Member) -> AppResult<Json<UserView>> {
    let view = SessionView::of(&me, app.clock.now());
    view.user.map(Json).ok_or_else(not_authenticated)
}

/// Gives the session a new token; the old one still counts until a minute after the new one was first used. A session
/// that was renewed within the last minute, or very often, keeps its token: the answer then brings none.
#[utoipa::path(post, path = "/api/auth/refresh", tag = "auth", responses(
    (status = 200, description = "Renewed", body = SessionView),
    (status = 401, description = "No session, or one that has ended"),
))]
pub async fn refresh(app: AppState, Member(me): Member, caller: Caller) -> AppResult<Response> {
    let now = app.clock.now();
    if me.found.was_renewed_lately(now) {
        return Ok(Json(SessionView::of(&me, now)).into_response());
    }
    let mut tx = app.db.begin().await?;
    let Some(token) = session::renew_if_due(&mut tx, me.session_id, now).await? else {
        drop(tx);
        return Ok(Json(view::current(&app, me.session_id, me.via).await?).into_response());
    };
    let entry = me.entry("session_renewed", "ok", &caller);
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;
    view::with_token(&app, me.session_id, &token, me.via).await
}

/// Ends the session, if there is one.
#[utoipa::path(post, path = "/api/auth/sign-out", tag = "auth", responses((status = 200, description = "Nobody is signed in here any more", body = Accepted)))]
pub async fn sign_out(app: AppState, Visitor(me): Visitor, caller: Caller) -> AppResult<Response> {
    if let Some(me) = me {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        if session::end(&mut tx, me.session_id).await? {
            let entry = me.entry("session_expired", "sign_out", &caller);
            audit::record(&mut tx, now, &entry).await?;
        }
        tx.commit().await?;
    }
    let mut headers = HeaderMap::new();
    cookies::clear(&app.origin, &mut headers, Name::Session);
    // Not "storage": the browser keeps the state of a sign-up there.
    headers.insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\""));
    Ok((headers, Json(Accepted {})).into_response())
}
