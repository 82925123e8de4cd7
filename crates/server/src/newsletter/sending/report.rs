//! How far a letter is, and what became of it.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_store::{
    columns::{Name, Timestamp},
    db::Db,
    ids::LetterId,
    statements,
};
use rules::letter_sending::{LetterState, PauseReason, duration_s};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::{
    letters::parts::{self, PartsColumn},
    settings,
};
use crate::{app::AppState, auth::guard::Admin};

statements! {
    LETTER = "SELECT version, state, goes_out_at, began_at, ended_at, pause_reason, captured, parts \
        FROM letters WHERE id = $1";
    WOULD_GET = "SELECT COUNT(*) FROM newsletter_subscriptions WHERE active AND consent IN ('confirmed', 'vouched')";
    COUNTS = "SELECT COUNT(*) AS recipients, \
            COALESCE(SUM(CASE WHEN state IN ('waiting', 'handing') THEN 1 ELSE 0 END), 0) AS waiting, \
            COALESCE(SUM(CASE WHEN sent_at IS NOT NULL THEN 1 ELSE 0 END), 0) AS sent, \
            COALESCE(SUM(CASE WHEN state = 'refused' THEN 1 ELSE 0 END), 0) AS refused, \
            COALESCE(SUM(CASE WHEN state = 'bounced' THEN 1 ELSE 0 END), 0) AS bounced, \
            COALESCE(SUM(CASE WHEN state = 'left' THEN 1 ELSE 0 END), 0) AS \"left\", \
            COALESCE(SUM(CASE WHEN state = 'skipped' THEN 1 ELSE 0 END), 0) AS skipped, \
            COALESCE(SUM(CASE WHEN perhaps_twice THEN 1 ELSE 0 END), 0) AS perhaps_twice \
        FROM letter_recipients WHERE letter_id = $1";
    CODES = "SELECT code, COUNT(*) AS count FROM letter_recipients \
        WHERE letter_id = $1 AND state IN ('refused', 'bounced') AND code IS NOT NULL GROUP BY code ORDER BY 2 DESC, 1 LIMIT 20";
}

#[derive(Debug, sqlx_macros::FromRow)]
struct LetterRow {
    version: i64,
    state: Name<LetterState>,
    goes_out_at: Option<Timestamp>,
    began_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    pause_reason: Option<String>,
    captured: bool,
    parts: PartsColumn,
}

/// How many recipients had which outcome.
#[derive(Debug, Default, Clone, Copy, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct RecipientCounts {
    /// All of them. Of a letter that has not begun: how many subscribers it would go to now.
    pub recipients: i64,
    /// Those without an outcome so far.
    pub waiting: i64,
    /// Taken by the mail server.
    pub sent: i64,
    /// Refused for good, and not because of the person.
    pub refused: i64,
    /// The address does not exist any more.
    pub bounced: i64,
    /// Left while it was being sent, or by this letter's link.
    pub left: i64,
    /// Not on the list any more when it was their turn.
    pub skipped: i64,
    /// Handed over again after the program or the connection ended during the first time.
    pub perhaps_twice: i64,
}

/// A mail server's code, and how many letters it refused with it.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct RefusalCount {
    /// Such as `550` or `5.7.1`.
    pub code: String,
    pub count: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LetterSending {
    pub version: i64,
    /// Where it stands.
    #[schema(value_type = LetterState)]
    pub state: Name<LetterState>,
    pub goes_out_at: Option<Timestamp>,
    pub began_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// Why it is paused, for a person.
    pub pause_text: Option<&'static str>,
    /// Whether there is no mail server: letters are written into files on this machine.
    pub is_captured: bool,
    pub counts: RecipientCounts,
    /// The most frequent codes of refused letters, at most 20.
    pub refusals: Vec<RefusalCount>,
    /// About how long the rest takes at the rate that is set, in seconds; pauses not counted.
    pub seconds_left: u64,
    /// The titles of its releases that are not out; none once it has begun.
    pub not_out: Vec<String>,
}

/// The sending of a letter: its state, its numbers, its end.
#[utoipa::path(get, path = "/api/admin/letters/{id}/sending", tag = "admin", params(PathId), responses(
    (status = 200, description = "How far it is", body = LetterSending),
))]
pub async fn show_sending(
    app: AppState,
    _: Admin,
    PathId(id): PathId<LetterId>,
) -> AppResult<Json<LetterSending>> {
    Ok(Json(sending(&app.db, app.mail.has_server(), id).await?))
}

/// 404 if there is no such letter.
pub(super) async fn sending(db: &Db, has_server: bool, id: LetterId) -> AppResult<LetterSending> {
    let row = db.query(LETTER).bind(id).optional::<LetterRow>().await?.ok_or_else(AppError::not_found)?;
    let state = row.state.0;
    let mut counts = RecipientCounts::default();
    let (mut refusals, mut not_out) = (Vec::new(), Vec::new());
    if row.began_at.is_some() {
        counts = db.query(COUNTS).bind(id).one().await?;
        refusals = db.query(CODES).bind(id).all().await?;
    } else {
        counts.recipients = db.query(WOULD_GET).value::<i64>().await?;
        counts.waiting = counts.recipients;
        not_out = parts::not_out(db, &row.parts.0).await?;
    }
    let rest = if matches!(state, LetterState::Sent | LetterState::Stopped) { 0 } else { counts.waiting };
    let settings = settings::read(db).await?;
    let bound = |bound: Option<i64>| bound.and_then(|bound| u32::try_from(bound).ok());
    let seconds_left = duration_s(
        rest.unsigned_abs(),
        u32::try_from(settings.letters_a_second).unwrap_or(1),
        bound(settings.letters_an_hour),
        bound(settings.letters_a_day),
    );
    let reason = row.pause_reason.as_deref().and_then(PauseReason::named);
    Ok(LetterSending {
        version: row.version,
        state: row.state,
        goes_out_at: row.goes_out_at,
        began_at: row.began_at,
        ended_at: row.ended_at,
        pause_text: reason.filter(|_| state == LetterState::Paused).map(PauseReason::text),
        is_captured: if row.began_at.is_some() { row.captured } else { !has_server },
        counts,
        refusals,
        seconds_left,
        not_out,
    })
}
