//! The desk at a glance: counts by state, waiting times and tags; the settings of the desk; and the public promise to
//! senders.

use axum::{Json, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::{DAY, Micros, millis},
    db::{Db, Source, known},
    statements,
    tables::Tables,
};
use http::HeaderMap;
use rules::{
    demo_desk::{self, OVERDUE_DAYS},
    demo_state::{
        DemoState, MEDIAN_PERCENT, PROMISE_WINDOW_DAYS, days_waited, days_within, promise_rank, rank,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{app::AppState, auth::guard::Admin, editing::Editor};

statements! {
    COUNTS = "SELECT state, COUNT(*) FROM demos WHERE deleted_at IS NULL GROUP BY state";
    // From the shortest wait to the longest.
    ARRIVED = "SELECT submitted_at FROM demos WHERE state = 'new' AND deleted_at IS NULL ORDER BY submitted_at DESC LIMIT 1 OFFSET $1";
    WAITING = "SELECT COUNT(CASE WHEN submitted_at < $1 THEN 1 END), MIN(submitted_at) FROM demos WHERE state = 'new' AND deleted_at IS NULL";
    TAGS = "SELECT t.tag, COUNT(*) AS count FROM demo_tags t JOIN demos d ON d.id = t.demo_id WHERE d.deleted_at IS NULL \
        GROUP BY t.tag ORDER BY COUNT(*) DESC, t.tag LIMIT 200";
    SETTINGS = "SELECT overdue_days, hides_decision FROM desk_settings";
    SET = "INSERT INTO desk_settings (id, overdue_days, hides_decision, updated_at) \
        VALUES (1, COALESCE(CAST($1 AS BIGINT), $3), COALESCE(CAST($2 AS BOOLEAN), TRUE), $4) \
        ON CONFLICT (id) DO UPDATE SET overdue_days = COALESCE(CAST($1 AS BIGINT), desk_settings.overdue_days), \
            hides_decision = COALESCE(CAST($2 AS BOOLEAN), desk_settings.hides_decision), updated_at = $4";
    COUNT_HEARD = "SELECT COUNT(*) FROM demos WHERE heard_at >= $1 AND NOT declined_unheard AND deleted_at IS NULL";
    WAITED = "SELECT heard_at - submitted_at FROM demos WHERE heard_at >= $1 AND NOT declined_unheard AND deleted_at IS NULL \
        ORDER BY heard_at - submitted_at LIMIT 1 OFFSET $2";
}

#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct DeskCounts {
    pub new: i64,
    pub heard: i64,
    pub shortlisted: i64,
    pub accepted: i64,
    pub declined: i64,
}

/// The waiting times of unheard demos.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct DeskWaiting {
    /// The median in whole days, if any waits.
    pub median_days: Option<u32>,
    /// The oldest in whole days, if any waits.
    pub oldest_days: Option<u32>,
    /// How many wait longer than the label allows.
    pub overdue: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct DeskSettings {
    /// The days after which demos are overdue.
    pub overdue_days: i64,
    /// Whether senders see a decision only after an answer was sent.
    pub hides_decision: bool,
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct DeskTag {
    /// In lower case.
    pub tag: String,
    /// Demos that have it.
    pub count: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskSummary {
    pub counts: DeskCounts,
    pub waiting: DeskWaiting,
    pub settings: DeskSettings,
    /// The 200 most frequent tags, the most frequent first.
    pub tags: Vec<DeskTag>,
    /// Within how many days senders are promised to be heard; null while too few were heard.
    pub promise_days: Option<u32>,
}

/// Omitted settings stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsBody {
    /// 1 to 365.
    #[schema(minimum = 1, maximum = 365)]
    overdue_days: Option<i64>,
    /// Whether senders see a decision only after an answer was sent.
    hides_decision: Option<bool>,
}

impl Default for DeskSettings {
    fn default() -> Self {
        Self { overdue_days: OVERDUE_DAYS.into(), hides_decision: true }
    }
}

pub async fn settings(source: impl Into<Source<'_>>) -> sqlx::Result<DeskSettings> {
    Ok(source.into().query(SETTINGS).optional().await?.unwrap_or_default())
}

/// An unheard demo submitted before this is overdue.
pub(super) fn overdue_at(days: i64, now: Micros) -> Micros {
    now.saturating_sub(days.saturating_mul(DAY))
}

async fn counts(db: &Db) -> sqlx::Result<DeskCounts> {
    let mut counts = DeskCounts::default();
    for (state, count) in db.query(COUNTS).all::<(String, i64)>().await? {
        match known(DemoState::named, &state, ("demos", "state", &"some rows"))? {
            DemoState::New => counts.new = count,
            DemoState::Heard => counts.heard = count,
            DemoState::Shortlisted => counts.shortlisted = count,
            DemoState::Accepted => counts.accepted = count,
            DemoState::Declined => counts.declined = count,
        }
    }
    Ok(counts)
}

async fn waiting(db: &Db, waiting: i64, overdue_days: i64, now: Micros) -> sqlx::Result<DeskWaiting> {
    let count = u32::try_from(waiting).unwrap_or(u32::MAX);
    let median = match rank(count, MEDIAN_PERCENT) {
        Some(rank) => db.query(ARRIVED).bind(i64::from(rank)).maybe::<Micros>().await?,
        None => None,
    };
    let (overdue, oldest) =
        db.query(WAITING).bind(overdue_at(overdue_days, now)).one::<(i64, Option<Micros>)>().await?;
    let days = |at| days_waited(millis(now - at));
    Ok(DeskWaiting { median_days: median.map(days), oldest_days: oldest.map(days), overdue })
}

/// The desk at a glance.
#[utoipa::path(get, path = "/api/admin/desk", tag = "admin", responses(
    (status = 200, description = "The desk at a glance", body = DeskSummary),
))]
pub async fn show_desk(app: AppState, _: Admin) -> AppResult<Json<DeskSummary>> {
    let (db, now) = (&app.db, app.clock.now());
    let (counts, settings) = (counts(db).await?, settings(db).await?);
    Ok(Json(DeskSummary {
        counts,
        waiting: waiting(db, counts.new, settings.overdue_days, now).await?,
        settings,
        tags: db.query(TAGS).all().await?,
        promise_days: promised_days(db, now).await?,
    }))
}

/// Changes the settings of the desk; omitted ones stay.
#[utoipa::path(patch, path = "/api/admin/desk/settings", tag = "admin", request_body = SettingsBody, responses(
    (status = 200, description = "What is set now", body = DeskSettings),
))]
pub async fn set_desk(editor: Editor, ApiJson(body): ApiJson<SettingsBody>) -> AppResult<Json<DeskSettings>> {
    let days = body.overdue_days.map(demo_desk::overdue_days).transpose();
    let days = days.map_err(|error| AppError::invalid("overdue_days", error))?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let before = settings(&mut tx).await?;
    tx.query(SET)
        .bind(days)
        .bind(body.hides_decision)
        .bind(i64::from(OVERDUE_DAYS))
        .bind(by.now)
        .execute()
        .await?;
    let after = settings(&mut tx).await?;
    if after != before {
        by.check_and_record(&mut tx, "sensitive_update", "desk_settings").await?;
        tx.commit().await?;
    }
    Ok(Json(after))
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Promise {
    /// Within how many days a demo is heard; null while too few were heard.
    pub days: Option<u32>,
}

/// The promise on the day of `now`. It changes with demos and with the day.
async fn promised_days(db: &Db, now: Micros) -> sqlx::Result<Option<u32>> {
    let since = (now.div_euclid(DAY) - Micros::from(PROMISE_WINDOW_DAYS)) * DAY;
    let count = db.query(COUNT_HEARD).bind(since).value::<i64>().await?;
    let Some(rank) = promise_rank(u32::try_from(count).unwrap_or(u32::MAX)) else { return Ok(None) };
    let waited = db.query(WAITED).bind(since).bind(i64::from(rank)).maybe::<Micros>().await?;
    Ok(waited.map(|span| days_within(millis(span))))
}

/// Within how many days demos are heard.
#[utoipa::path(get, path = "/api/demos/promise", tag = "demos", responses(
    (status = 200, description = "What is promised", body = Promise),
))]
pub async fn show_promise(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    let now = app.clock.now();
    // Cached until demos or the day change.
    let name = format!("/api/demos/promise#{}", now.div_euclid(DAY));
    app.answer_as(&name, &headers, Tables::DEMOS, || async {
        CachedResponse::json(&Promise { days: promised_days(&app.db, now).await? })
    })
    .await
}
