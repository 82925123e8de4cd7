//! Sessions: the caller's own, its renewal and end, the account's list of them, and the end of replaced ones.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_store::{
    clock::{Micros, millis},
    columns::Timestamp,
    db::Tx,
    ids::SessionId,
    statements,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use rules::session::is_alive;
use serde::Serialize;
use utoipa::ToSchema;

use super::view::{self, Accepted, SessionView, UserView};
use crate::{
    app::AppState,
    audit::{self, Entry},
    auth::{
        By,
        cookies::{self, Name},
        guard::{Actor, Member, SessionStatus, SignedIn, VerifiedMember, not_authenticated},
        session::{self, TokenTransport, moments},
    },
    editing::lists::Page,
    requests::caller::Caller,
};

statements! {
    LIST = "SELECT id, created_at, used_at, user_agent, network, mfa_verified_at, mfa_verified_until \
        FROM sessions \
        WHERE user_id = $1 \
        ORDER BY used_at DESC, id DESC";
    END_OWN = "DELETE FROM sessions WHERE id = $1 AND user_id = $2";
}

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// The caller's session. Visitors get nulls, and so does a token that a change of rights has just retired: the answer says
/// so.
#[utoipa::path(get, path = "/api/auth/session", tag = "auth", responses((status = 200, description = "The session, as far as there is one", body = SessionView)))]
pub async fn show_session(app: AppState, status: SessionStatus) -> Json<SessionView> {
    let anonymous = SessionView { token_retired: status.retired.is_some(), ..SessionView::default() };
    Json(status.signed_in.map_or(anonymous, |me| SessionView::of(&me, app.clock.now())))
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
pub async fn refresh(by: By<Member>) -> AppResult<Response> {
    let by = by.act();
    let Actor { app, me, now, .. } = by;
    if me.was_renewed_lately(now) {
        return Ok(Json(SessionView::of(me, now)).into_response());
    }
    let mut tx = app.db.begin().await?;
    let Some(token) = session::renew_if_due(&mut tx, me.session_id, now).await? else {
        drop(tx);
        return Ok(Json(view::current(app, me.session_id, me.via).await?).into_response());
    };
    // After the renewal, which waits for a change of rights under way: that change may have retired the caller's token.
    me.require_still(&mut tx, now).await?;
    by.record_unchecked(&mut tx, "session_renewed", "ok", None).await?;
    tx.commit().await?;
    view::with_token(app, me.session_id, &token, me.via).await
}

/// Ends the session, if there is one, also by the token that a change of rights has just replaced.
#[utoipa::path(post, path = "/api/auth/sign-out", tag = "auth", responses((status = 200, description = "Signed out", body = Accepted)))]
pub async fn sign_out(app: AppState, status: SessionStatus, caller: Caller) -> AppResult<Response> {
    if let Some(me) = status.signed_in.or(status.retired) {
        let by = Actor::new(&app, &me, &caller);
        let mut tx = app.db.begin().await?;
        if session::end(&mut tx, me.session_id).await? {
            by.record_unchecked(&mut tx, "session_expired", "sign_out", None).await?;
        }
        tx.commit().await?;
    }
    let mut headers = HeaderMap::new();
    cookies::clear(&app.origin, &mut headers, Name::Session);
    // Not "storage": the browser keeps the state of a sign-up there.
    headers.insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\""));
    Ok((headers, Json(Accepted {})).into_response())
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct SessionItem {
    pub id: SessionId,
    pub created_at: Timestamp,
    /// When it was last used, to within five minutes.
    pub used_at: Timestamp,
    /// Browser and system in short, such as `Firefox on Linux`.
    pub user_agent: String,
    /// The address that signed in, or its /64 if IPv6.
    pub network: String,
    /// Whether it is the caller's.
    #[sqlx(skip)]
    pub current: bool,
    /// Whether the second factor given in it counts.
    #[sqlx(skip)]
    pub mfa_verified: bool,
    #[serde(skip)]
    mfa_verified_at: Option<Micros>,
    #[serde(skip)]
    mfa_verified_until: Option<Micros>,
}

/// The live sessions of the account: the caller's first, then the others, last used first.
#[utoipa::path(get, path = "/api/auth/sessions", tag = "auth", responses(
    (status = 200, description = "The sessions", body = Page<SessionItem>),
))]
pub async fn list_sessions(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
) -> AppResult<Json<Page<SessionItem>>> {
    let now = app.clock.now();
    let mut items = app.db.query(LIST).bind(me.user_id).all::<SessionItem>().await?;
    items.retain(|item| {
        let factor_pending = me.factor_enabled && item.mfa_verified_at.is_none();
        is_alive(moments(item.created_at.0, item.used_at.0, factor_pending), millis(now))
    });
    for item in &mut items {
        item.user_agent = agent_label(&item.user_agent);
        item.current = item.id == me.session_id;
        item.mfa_verified = me.factor_enabled && item.mfa_verified_until.is_some_and(|until| until > now);
    }
    // Stable: the others keep their order.
    items.sort_by_key(|item| !item.current);
    Ok(Json(Page { items, next_cursor: None }))
}

/// Ends a session of the account, which may be the caller's.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", tag = "auth", params(("id" = String, Path, description = "The session")), responses(
    (status = 204, description = "It has ended"),
    (status = 404, description = "The account has no such session"),
))]
pub async fn end_session(by: By<VerifiedMember>, PathId(id): PathId<SessionId>) -> AppResult<Response> {
    let Actor { app, me, caller, now } = by.act();
    let mut tx = app.db.begin().await?;
    me.require_still(&mut tx, now).await?;
    if tx.query(END_OWN).bind(id).bind(me.user_id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    let entry = Entry { session: Some(id), ..me.entry("session_expired", "ended", caller) };
    audit::record(&mut tx, now, &entry).await?;
    tx.commit().await?;
    let mut headers = HeaderMap::new();
    if id == me.session_id {
        cookies::clear(&app.origin, &mut headers, Name::Session);
    }
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

/// Ends the session `before`, whose cookie the answer replaces, because no client could end it any more. A bearer
/// token stays with its program.
pub(super) async fn end_replaced(
    tx: &mut Tx,
    now: Micros,
    before: Option<&SignedIn>,
    caller: &Caller,
) -> sqlx::Result<()> {
    if let Some(before) = before.filter(|before| before.via == TokenTransport::Cookie)
        && session::end(tx, before.session_id).await?
    {
        audit::record(tx, now, &before.entry("session_expired", "replaced", caller)).await?;
    }
    Ok(())
}

/// Marks of browsers, the more specific first: most browsers also name their relatives.
const BROWSERS: [(&str, &str); 11] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("HeadlessChrome/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marks of systems, the more specific first.
const SYSTEMS: [(&str, &str); 9] = [
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
    ("X11", "Linux"),
];

/// Longest name shown of an unknown program.
const LONGEST_NAME: usize = 40;

/// A `User-Agent` as `Firefox on Linux`; for an unknown program, the name it begins with.
fn agent_label(user_agent: &str) -> String {
    let known = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, system) => {
            let begin = user_agent.split(['/', ' ', '(']).next().unwrap_or_default();
            let is_name = begin.starts_with(|c: char| c.is_ascii_alphabetic())
                && begin.len() <= LONGEST_NAME
                && begin
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
            let name = if is_name && begin != "Mozilla" { begin } else { "Unknown browser" };
            system.map_or_else(|| name.to_owned(), |system| format!("{name} on {system}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_systems_have_their_own_names() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Linux",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
                "Chromium on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
                "Safari on iOS",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
            ("curl/8.14.1", "curl"),
            ("python-requests/2.32", "python-requests"),
            ("Mozilla/5.0", "Unknown browser"),
            ("", "Unknown browser"),
            ("<script>alert(1)</script>", "Unknown browser"),
        ] {
            assert_eq!(agent_label(agent), expected, "{agent}");
        }
    }
}
