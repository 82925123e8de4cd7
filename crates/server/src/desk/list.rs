//! The demos of the desk as a list: the queue, with unheard demos first, the oldest first, or another order; and which
//! admin listens to which demo.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery},
};
use deadwax_store::{
    clock::{Micros, micros},
    columns::{Named, Timestamp},
    ids::DemoId,
    names, statements,
};
use http::StatusCode;
use rules::{
    demo_desk::{self, DeskError, LISTENING_MS},
    demo_state::DemoState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    summary,
    view::{self, DeskDemo},
};
use crate::{
    accounts::rows,
    app::AppState,
    auth::guard::Admin,
    editing::lists::{ListPage, ListQuery, Narrowed, Page, orders},
};

macro_rules! select {
    ($more:expr) => {
        $crate::desk::view::select_demos!($more)
    };
}

names! {
    /// Whether demos have waited too long.
    DeskOverdue;
    /// Unheard for longer than the label allows.
    Yes = "yes";
}

names! {
    /// Whether senders know the state of their demos.
    DeskAnswered;
    /// The letter about the state was sent.
    Yes = "yes";
    /// It was not, or still waits. Demos that were only heard need none.
    No = "no";
}

orders! {
    /// The orders of the desk.
    DeskOrder: select select,
        // Tags and notes are searched last.
        found "d.deleted_at IS NULL AND ($4 = '' OR d.state = $4) \
            AND ($5 = '' OR EXISTS (SELECT 1 FROM demo_tags t WHERE t.demo_id = d.id AND t.tag = $5)) \
            AND (CAST($6 AS BIGINT) < 0 OR CAST($6 AS BIGINT) = \
                COALESCE((SELECT s.score FROM demo_scores s WHERE s.demo_id = d.id AND s.user_id = $1), 0)) \
            AND ($7 = '' OR LOWER(d.email) = $7) \
            AND ($8 = '' OR (d.state IN ('shortlisted', 'accepted', 'declined') AND ($8 = 'yes') = \
                EXISTS (SELECT 1 FROM demo_answers a WHERE a.demo_id = d.id AND a.kind = d.state AND a.sent_at IS NOT NULL))) \
            AND (CAST($9 AS BIGINT) = 9223372036854775807 OR (d.state = 'new' AND d.submitted_at < $9)) \
            AND (d.search_key LIKE $2 ESCAPE '\\' \
                OR EXISTS (SELECT 1 FROM demo_tags t WHERE t.demo_id = d.id AND t.tag LIKE $3 ESCAPE '\\') \
                OR EXISTS (SELECT 1 FROM demo_notes n WHERE n.demo_id = d.id AND n.search_key LIKE $2 ESCAPE '\\'))",
        count "SELECT COUNT(*) FROM demos d", id "d.id",
        binds [narrowed.me, search.folded, search.lower, state, narrowed.tag, narrowed.score,
            narrowed.sender, narrowed.answered, narrowed.unheard_before] then "$10" "$11" "$12";
    /// Unheard first, the oldest first, as in the index of the queue.
    queue Queue = "queue", number
        "CASE WHEN d.state = 'new' THEN d.submitted_at ELSE d.submitted_at + 1000000000000000000 END" up;
    /// The newest first.
    newest Newest = "-submitted", number "d.submitted_at" down;
    /// The oldest first.
    oldest Oldest = "submitted", number "d.submitted_at" up;
    /// The latest step first.
    by_step ByStep = "-state", number "COALESCE(d.state_at, d.submitted_at)" down;
    /// By artist.
    by_artist ByArtist = "artist", text "d.sort_key" up;
    /// The best first, by all scores; those that the caller has not scored last.
    by_score ByScore = "-score", number
        "COALESCE((SELECT CAST(SUM(s.score) AS BIGINT) * 1000 / COUNT(*) FROM demo_scores s WHERE s.demo_id = d.id \
            AND EXISTS (SELECT 1 FROM demo_scores m WHERE m.demo_id = d.id AND m.user_id = $1)), 0)" down;
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeskQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before, in the same order.
    pub cursor: Option<String>,
    /// Only demos that contain this, in tags and notes too, in any case.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The order; by default the queue.
    #[param(inline)]
    pub sort: Option<DeskOrder>,
    /// Only demos in this state.
    #[param(inline)]
    pub state: Option<DemoState>,
    /// Only demos with this tag.
    #[param(min_length = 1, max_length = 30)]
    pub tag: Option<String>,
    /// Only demos with this score of the caller; 0 for those without one.
    #[param(minimum = 0, maximum = 5)]
    pub score: Option<i64>,
    /// Only demos of this mail address.
    pub sender: Option<String>,
    /// Only demos that are shortlisted, accepted or declined, and whose sender was informed, or was not.
    #[param(inline)]
    pub answered: Option<DeskAnswered>,
    /// Only unheard demos that have waited for longer than the label allows.
    #[param(inline)]
    pub overdue: Option<DeskOverdue>,
}

/// The demos of the desk: unheard ones first, the oldest first, unless another order is requested.
#[utoipa::path(get, path = "/api/admin/desk/demos", tag = "admin", params(DeskQuery), responses(
    (status = 200, description = "A page of demos", body = ListPage<DeskDemo>),
))]
pub async fn list_desk_demos(
    app: AppState,
    Admin(me): Admin,
    ApiQuery(query): ApiQuery<DeskQuery>,
) -> AppResult<Json<ListPage<DeskDemo>>> {
    let DeskQuery { limit, cursor, q, sort, state, tag, score, sender, answered, overdue } = query;
    let invalid = |field| move |error: DeskError| AppError::invalid(field, error);
    let tag = tag.map(|tag| demo_desk::tag(&tag)).transpose().map_err(invalid("tag"))?;
    let score = score.filter(|score| *score != 0).map_or(Ok(score.unwrap_or(-1)), demo_desk::score);
    let unheard_before = match overdue {
        Some(DeskOverdue::Yes) => {
            summary::overdue_at(summary::settings(&app.db).await?.overdue_days, app.clock.now())
        }
        None => Micros::MAX,
    };
    let narrowed = Narrowed {
        me: Some(me.user_id),
        tag: tag.unwrap_or_default(),
        score: score.map_err(invalid("score"))?,
        sender: sender.unwrap_or_default().trim().to_lowercase().replace('\0', ""),
        answered: answered.map(Named::as_str).unwrap_or_default(),
        unheard_before,
        ..Narrowed::default()
    };
    let query = ListQuery { limit, cursor, q, sort, state };
    Ok(Json(query.narrowed_page(&app.db, narrowed).await?))
}

statements! {
    and orders;
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
    pub demo_id: DemoId,
    pub since: Timestamp,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListeningBody {
    /// The demo; null to stop.
    demo_id: Option<DemoId>,
}

/// All admins who listen, the earliest first.
#[utoipa::path(get, path = "/api/admin/desk/listening", tag = "admin", responses(
    (status = 200, description = "Everybody who listens", body = Page<Listener>),
))]
pub async fn list_listeners(app: AppState, Admin(me): Admin) -> AppResult<Json<Page<Listener>>> {
    let items = app.db.query(LIST).bind(app.clock.now()).bind(me.user_id).all().await?;
    Ok(Json(Page { items, next_cursor: None }))
}

/// Sets what the caller listens to, for 30 seconds. Renewals without a change publish nothing, and nothing is audited:
/// the audit log records who reads a demo.
#[utoipa::path(put, path = "/api/admin/desk/listening", tag = "admin", request_body = ListeningBody, responses(
    (status = 204, description = "It is known"),
    (status = 404, description = "There is no such demo"),
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
