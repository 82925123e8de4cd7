//! The demos of the desk as a list: the queue, with unheard demos first, the oldest first, or another order.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiQuery,
};
use deadwax_store::{columns::Named, db::Statement};
use rules::demo_desk::{self, DeskError};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    summary,
    view::{DeskDemo, DeskRow},
};
use crate::{
    app::AppState,
    auth::guard::Admin,
    editing::lists::{ListPage, ListQuery, Narrowed, orders},
};

macro_rules! select {
    ($more:expr) => {
        $crate::desk::view::select_demos!($more)
    };
}

deadwax_store::names! {
    /// The filters of the list.
    DeskFilter;
    /// Not heard yet.
    New = "new";
    /// Heard by an admin.
    Heard = "heard";
    /// They may become releases.
    Shortlisted = "shortlisted";
    /// The label wants them.
    Accepted = "accepted";
    /// The label does not.
    Declined = "declined";
}

deadwax_store::names! {
    /// Which demos have waited too long.
    DeskOverdue;
    /// They have waited, unheard, for longer than the label has set.
    Yes = "yes";
}

deadwax_store::names! {
    /// Whether senders know where their demos stand.
    DeskAnswered;
    /// The letter that tells of the state has left.
    Yes = "yes";
    /// It was not, or still waits. Demos that were only heard need none.
    No = "no";
}

orders! {
    /// The orders of the desk.
    DeskOrder: select select,
        // Looked for in what the desk shows of a demo; in tags and notes last.
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
        binds [Me, Folded, Lower, State, Tag, Score, Sender, Answered, UnheardBefore] then "$10" "$11" "$12";
    /// Unheard first, the oldest first: as the index of the queue has it.
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
    /// The best first, by everybody's scores; those that the admin who asks has not scored last.
    by_score ByScore = "-score", number
        "COALESCE((SELECT CAST(SUM(s.score) AS BIGINT) * 1000 / COUNT(*) FROM demo_scores s WHERE s.demo_id = d.id \
            AND EXISTS (SELECT 1 FROM demo_scores m WHERE m.demo_id = d.id AND m.user_id = $1)), 0)" down;
}

/// Every SQL text of this module.
pub(super) fn statements() -> Vec<(&'static str, Statement)> {
    orders::statements()
}

/// Where in the desk, how much of it, what to look for, and in which order.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeskQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before, in the same order.
    pub cursor: Option<String>,
    /// Only demos that show this, in tags and notes too, whatever its case.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The order; the queue where nothing is said.
    #[param(inline)]
    pub sort: Option<DeskOrder>,
    /// Only demos that stand there.
    #[param(inline)]
    pub state: Option<DeskFilter>,
    /// Only demos with this tag.
    #[param(min_length = 1, max_length = 30)]
    pub tag: Option<String>,
    /// Only demos that the admin who asks has given this score; 0 for those that they have given none.
    #[param(minimum = 0, maximum = 5)]
    pub score: Option<i64>,
    /// Only demos of this mail address.
    #[param(max_length = 254)]
    pub sender: Option<String>,
    /// Only demos that are shortlisted, accepted or declined, and whose sender was informed, or was not.
    #[param(inline)]
    pub answered: Option<DeskAnswered>,
    /// Only unheard demos that have waited for longer than the label has set.
    #[param(inline)]
    pub overdue: Option<DeskOverdue>,
}

/// One page of the desk.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskDemos {
    /// In the requested order.
    pub items: Vec<DeskDemo>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
}

/// The demos of the desk: unheard ones first, the oldest first, unless another order is requested.
#[utoipa::path(get, path = "/api/admin/desk/demos", tag = "admin", params(DeskQuery), responses(
    (status = 200, description = "A page of demos", body = DeskDemos),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_desk_demos(
    app: AppState,
    Admin(me): Admin,
    ApiQuery(query): ApiQuery<DeskQuery>,
) -> AppResult<Json<DeskDemos>> {
    let DeskQuery { limit, cursor, q, sort, state, tag, score, sender, answered, overdue } = query;
    let invalid = |field| move |error: DeskError| AppError::invalid(field, error);
    let tag = tag.map(|tag| demo_desk::tag(&tag)).transpose().map_err(invalid("tag"))?;
    // 0 asks for what is not scored.
    let score = score.filter(|score| *score != 0).map_or(Ok(score.unwrap_or(-1)), demo_desk::score);
    let unheard_before = match overdue {
        Some(DeskOverdue::Yes) => {
            Some(summary::overdue_at(summary::settings(&app.db).await?.overdue_days, app.clock.now()))
        }
        None => None,
    };
    let narrowed = Narrowed {
        me: me.user_id,
        tag: tag.unwrap_or_default(),
        score: score.map_err(invalid("score"))?,
        sender: sender.unwrap_or_default().trim().to_lowercase().replace('\0', ""),
        answered: answered.map(Named::name).unwrap_or_default(),
        unheard_before,
    };
    let query = ListQuery { limit, cursor, q, sort, state };
    let ListPage { items: rows, next_cursor, total } =
        query.narrowed_page::<DeskRow>(&app.db, &app.origin, narrowed).await?;
    let items = rows.into_iter().map(DeskRow::into_view).collect::<sqlx::Result<_>>()?;
    Ok(Json(DeskDemos { items, next_cursor, total }))
}
