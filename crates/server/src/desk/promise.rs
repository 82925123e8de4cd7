//! What the label promises to whoever thinks of sending a demo: within how many days it is heard, from what was heard lately. Nothing else
//! about demos is public.

use axum::response::Response;
use deadwax_http::{cached_response::CachedResponse, error::AppResult};
use deadwax_store::{
    clock::{DAY, Micros, millis},
    db::Db,
    statements,
    tables::Tables,
};
use http::HeaderMap;
use rules::demo_state::{PROMISE_WINDOW_DAYS, days_within, promise_rank};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;

statements! {
    COUNT = "SELECT COUNT(*) FROM demos WHERE heard_at >= $1 AND NOT declined_unheard AND deleted_at IS NULL";
    WAITED = "SELECT heard_at - submitted_at FROM demos WHERE heard_at >= $1 AND NOT declined_unheard AND deleted_at IS NULL \
        ORDER BY heard_at - submitted_at LIMIT 1 OFFSET $2";
}

/// What is promised.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Promise {
    /// Within how many days a demo is heard; null while too few were heard to say.
    pub days: Option<u32>,
}

/// What is promised on the day of `now`; it changes with demos, and from one day to the next.
pub(super) async fn days(db: &Db, now: Micros) -> sqlx::Result<Option<u32>> {
    let since = (now.div_euclid(DAY) - Micros::from(PROMISE_WINDOW_DAYS)) * DAY;
    let (count,) = db.query(COUNT).bind(since).one::<(i64,)>().await?;
    let Some(rank) = promise_rank(u32::try_from(count).unwrap_or(u32::MAX)) else { return Ok(None) };
    let waited = db.query(WAITED).bind(since).bind(i64::from(rank)).optional::<(Micros,)>().await?;
    Ok(waited.map(|(span,)| days_within(millis(span))))
}

/// Within how many days demos are heard.
#[utoipa::path(get, path = "/api/demos/promise", tag = "demos", responses(
    (status = 200, description = "What is promised", body = Promise),
))]
pub async fn show_promise(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    let now = app.clock.now();
    // Kept until demos change, or the day.
    let name = format!("/api/demos/promise#{}", now.div_euclid(DAY));
    app.answer_as(&name, &headers, Tables::DEMOS, || async {
        CachedResponse::json(&Promise { days: days(&app.db, now).await? })
    })
    .await
}
