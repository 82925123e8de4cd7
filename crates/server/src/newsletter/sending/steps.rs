//! The steps of an admin: SEND, UNDO, PAUSE, RESUME, STOP.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_store::{
    clock::{Micros, micros, millis},
    columns::Name,
    ids::LetterId,
    statements,
};
use http::StatusCode;
use rules::letter_sending::{
    LetterState, PauseReason, SEND_UNDO_MS, SendingError, SendingStep, after_step, goes_out_ms,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    super::letters::freeze,
    report::{LetterSending, sending},
};
use crate::{
    app::App,
    editing::{Editor, IfMatch, stale},
};

statements! {
    LOCK = "SELECT version, state, began_at FROM letters WHERE id = $1", postgres + " FOR UPDATE";
    SET = "UPDATE letters SET state = $2, goes_out_at = $3, pause_reason = $4, ended_at = $5, updated_at = $6, version = version + 1 \
        WHERE id = $1";
    ANY_RECIPIENT = "SELECT id FROM newsletter_subscriptions WHERE active AND consent IN ('confirmed', 'vouched') LIMIT 1";
}

#[derive(Debug, sqlx_macros::FromRow)]
struct Standing {
    version: i64,
    state: Name<LetterState>,
    began_at: Option<Micros>,
}

impl Standing {
    /// The state after a step of an admin who saw the version `seen`, where that matters.
    fn after(&self, step: SendingStep, seen: Option<i64>) -> AppResult<LetterState> {
        let after = after_step(self.state.0, step, self.began_at.is_some())
            .map_err(|error| AppError::from_code(StatusCode::CONFLICT, error))?;
        if seen.is_some_and(|seen| seen != self.version) {
            return Err(stale());
        }
        Ok(after)
    }
}

/// When a letter goes out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SendBody {
    /// RFC 3339, within the next year. Omitted: in a minute.
    #[schema(format = DateTime)]
    goes_out_at: Option<String>,
}

/// Schedules a letter: in a minute, in which UNDO takes it back, or at a time. Recipients are chosen when it begins. 409 `letter_state` if it
/// is under way or has ended; 422 `letter_subject_missing`, `letter_parts_missing`, `letter_without_recipients` or `invalid_goes_out_at`.
#[utoipa::path(post, path = "/api/admin/letters/{id}/send", tag = "admin", request_body = SendBody, params(PathId, IfMatch), responses(
    (status = 200, description = "It is scheduled", body = LetterSending),
    (status = 409, description = "The letter is in another state"),
))]
pub async fn send_letter(
    editor: Editor,
    PathId(id): PathId<LetterId>,
    IfMatch(seen): IfMatch,
    ApiJson(body): ApiJson<SendBody>,
) -> AppResult<Json<LetterSending>> {
    let now = editor.app.clock.now();
    let at = match &body.goes_out_at {
        None => now.saturating_add(micros(SEND_UNDO_MS)),
        Some(text) => {
            micros(goes_out_ms(text, millis(now)).map_err(|error| AppError::invalid("goes_out_at", error))?)
        }
    };
    step(&editor, id, SendingStep::Send, Some(seen), Some(at)).await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StepBody {
    step: SendingStep,
}

/// Takes back a letter that has not begun, pauses one that is being sent, resumes it, or stops it for good. 409 `letter_state` if its state does
/// not allow that.
#[utoipa::path(post, path = "/api/admin/letters/{id}/sending", tag = "admin", request_body = StepBody, params(PathId), responses(
    (status = 200, description = "How far it is", body = LetterSending),
    (status = 409, description = "The letter is in another state"),
))]
pub async fn step_sending(
    editor: Editor,
    PathId(id): PathId<LetterId>,
    ApiJson(body): ApiJson<StepBody>,
) -> AppResult<Json<LetterSending>> {
    step(&editor, id, body.step, None, None).await
}

/// Renders a letter that is to be sent, before the transaction that schedules it: that one holds the row.
async fn require_ready(app: &App, id: LetterId, seen: Option<i64>) -> AppResult<()> {
    let letter = app.db.query(LOCK).bind(id).optional::<Standing>().await?.ok_or_else(AppError::not_found)?;
    letter.after(SendingStep::Send, seen)?;
    freeze::require_ready(app, id).await
}

async fn step(
    editor: &Editor,
    id: LetterId,
    taken: SendingStep,
    seen: Option<i64>,
    at: Option<Micros>,
) -> AppResult<Json<LetterSending>> {
    let by = editor.act();
    if taken == SendingStep::Send {
        require_ready(by.app, id, seen).await?;
    }
    let mut tx = by.app.db.begin().await?;
    let letter = tx.query(LOCK).bind(id).optional::<Standing>().await?.ok_or_else(AppError::not_found)?;
    let after = letter.after(taken, seen)?;
    if taken == SendingStep::Send && !tx.query(ANY_RECIPIENT).exists().await? {
        return Err(AppError::invalid("letter", SendingError::Recipients));
    }
    let reason = (after == LetterState::Paused).then(|| PauseReason::Admin.as_str());
    let ended_at = (after == LetterState::Stopped).then_some(by.now);
    let set = tx.query(SET).bind(id).bind(after.as_str()).bind(at).bind(reason);
    set.bind(ended_at).bind(by.now).execute().await?;
    by.check_and_record(&mut tx, "sensitive_update", &format!("letter:{id} {}", after.as_str())).await?;
    tx.commit().await?;
    Ok(Json(sending(&by.app.db, by.app.mail.has_server(), id).await?))
}
