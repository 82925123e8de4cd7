//! The desk at a glance: how many demos stand where, how long they wait, what they are tagged with; and the settings of the desk.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::{DAY, Micros, millis},
    db::{Db, Tx},
    statements,
};
use rules::{
    demo_desk::{self, OVERDUE_DAYS},
    demo_state::{DemoState, MEDIAN_PERCENT, days_waited, rank},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::promise;
use crate::{app::AppState, auth::guard::Admin, caller::Caller, edits};

statements! {
    COUNTS = "SELECT state, COUNT(*) FROM demos WHERE deleted_at IS NULL GROUP BY state";
    // From the shortest wait to the longest.
    ARRIVED = "SELECT submitted_at FROM demos WHERE state = 'new' AND deleted_at IS NULL ORDER BY submitted_at DESC LIMIT 1 OFFSET $1";
    OVERDUE = "SELECT COUNT(*) FROM demos WHERE state = 'new' AND deleted_at IS NULL AND submitted_at < $1";
    TAGS = "SELECT t.tag, COUNT(*) AS count FROM demo_tags t JOIN demos d ON d.id = t.demo_id WHERE d.deleted_at IS NULL \
        GROUP BY t.tag ORDER BY COUNT(*) DESC, t.tag LIMIT 200";
    SETTINGS = "SELECT overdue_days, hides_decision FROM desk_settings";
    SET = "INSERT INTO desk_settings (id, overdue_days, hides_decision, updated_at) \
        VALUES (1, COALESCE(CAST($1 AS BIGINT), $3), COALESCE(CAST($2 AS BOOLEAN), TRUE), $4) \
        ON CONFLICT (id) DO UPDATE SET overdue_days = COALESCE(CAST($1 AS BIGINT), desk_settings.overdue_days), \
            hides_decision = COALESCE(CAST($2 AS BOOLEAN), desk_settings.hides_decision), updated_at = $4";
}

/// How many demos stand where.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct DeskCounts {
    /// Nobody has heard them.
    pub new: i64,
    /// Somebody has.
    pub heard: i64,
    /// They may become releases.
    pub shortlisted: i64,
    /// The label wants them.
    pub accepted: i64,
    /// The label does not.
    pub declined: i64,
}

/// How long demos wait that nobody has heard.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct DeskWaiting {
    /// Whole days; half of them wait longer. Null where none waits.
    pub median_days: Option<u32>,
    /// Whole days of the oldest. Null where none waits.
    pub oldest_days: Option<u32>,
    /// How many wait longer than the label has set.
    pub overdue: i64,
}

/// What the label has set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx::FromRow)]
pub struct DeskSettings {
    /// Demos are overdue after so many days.
    pub overdue_days: i64,
    /// Whether a sender reads a decision only once an answer has gone out.
    pub hides_decision: bool,
}

/// A tag, and how often it stands on a demo.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct DeskTag {
    /// In lower case.
    pub tag: String,
    /// Demos that have it.
    pub count: i64,
}

/// The desk at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskSummary {
    /// How many demos stand where.
    pub counts: DeskCounts,
    /// How long they wait.
    pub waiting: DeskWaiting,
    /// What the label has set.
    pub settings: DeskSettings,
    /// The 200 most frequent tags, the most frequent first.
    pub tags: Vec<DeskTag>,
    /// Within how many days senders are promised an ear; null while too few were heard.
    pub promise_days: Option<u32>,
}

/// What is to be set; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsBody {
    /// 1 to 365.
    #[schema(minimum = 1, maximum = 365)]
    overdue_days: Option<i64>,
    /// Whether a sender reads a decision only once an answer has gone out.
    hides_decision: Option<bool>,
}

impl Default for DeskSettings {
    fn default() -> Self {
        Self { overdue_days: OVERDUE_DAYS.into(), hides_decision: true }
    }
}

/// What the label has set, or else what the rules say.
pub async fn settings(db: &Db) -> sqlx::Result<DeskSettings> {
    Ok(db.query(SETTINGS).optional().await?.unwrap_or_default())
}

/// The same as this transaction sees it.
pub async fn settings_in(tx: &mut Tx) -> sqlx::Result<DeskSettings> {
    Ok(tx.query(SETTINGS).optional().await?.unwrap_or_default())
}

/// An unheard demo that came in before this is overdue.
pub(super) fn overdue_at(days: i64, now: Micros) -> Micros {
    now.saturating_sub(days.saturating_mul(DAY))
}

async fn counts(db: &Db) -> sqlx::Result<DeskCounts> {
    let mut counts = DeskCounts::default();
    for (state, count) in db.query(COUNTS).all::<(String, i64)>().await? {
        match DemoState::named(&state) {
            Some(DemoState::New) => counts.new = count,
            Some(DemoState::Heard) => counts.heard = count,
            Some(DemoState::Shortlisted) => counts.shortlisted = count,
            Some(DemoState::Accepted) => counts.accepted = count,
            Some(DemoState::Declined) => counts.declined = count,
            None => {}
        }
    }
    Ok(counts)
}

async fn waiting(db: &Db, waiting: i64, overdue_days: i64, now: Micros) -> sqlx::Result<DeskWaiting> {
    let count = u32::try_from(waiting).unwrap_or(u32::MAX);
    let mut days = [None, None];
    for (days, percent) in days.iter_mut().zip([MEDIAN_PERCENT, 100]) {
        if let Some(rank) = rank(count, percent)
            && let Some((at,)) = db.query(ARRIVED).bind(i64::from(rank)).optional::<(Micros,)>().await?
        {
            *days = Some(days_waited(millis(now - at)));
        }
    }
    let [median_days, oldest_days] = days;
    let (overdue,) = db.query(OVERDUE).bind(overdue_at(overdue_days, now)).one::<(i64,)>().await?;
    Ok(DeskWaiting { median_days, oldest_days, overdue })
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
        promise_days: promise::days(db, now).await?,
    }))
}

/// Sets how the desk works; what is left out stays.
#[utoipa::path(patch, path = "/api/admin/desk/settings", tag = "admin", request_body = SettingsBody, responses(
    (status = 200, description = "What is set now", body = DeskSettings),
))]
pub async fn set_desk(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    ApiJson(body): ApiJson<SettingsBody>,
) -> AppResult<Json<DeskSettings>> {
    let days = body.overdue_days.map(demo_desk::overdue_days).transpose();
    let days = days.map_err(|error| AppError::invalid("overdue_days", error))?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let before = settings_in(&mut tx).await?;
    tx.query(SET)
        .bind(days)
        .bind(body.hides_decision)
        .bind(i64::from(OVERDUE_DAYS))
        .bind(now)
        .execute()
        .await?;
    let after = settings_in(&mut tx).await?;
    if after != before {
        edits::note(&mut tx, &me, &caller, "data_update", "desk_settings", now).await?;
        tx.commit().await?;
    }
    Ok(Json(after))
}
