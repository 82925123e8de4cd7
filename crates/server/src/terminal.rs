//! The terminal: questions about the label in free words. The embedded responder answers from the catalogue; a configured language model
//! answers instead, within its limits. The meaning of questions is a rule ([`rules::terminal_question`]), as are fixed answers about the
//! label ([`rules::terminal_answer`]).
//!
//! Questions are not stored: the log has a message's length and a code that equal ones share.

mod lookup;
mod prompt;
mod wording;

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult, Problem},
    extract::ApiJson,
};
use deadwax_responder::ai::{Ai, Failure};
use deadwax_store::limits::{self, LimitError};
use http::{StatusCode, request::Parts};
use rules::{
    messages::{self, Code},
    rate_limit,
    terminal::{AI_RETRY_SECONDS, check_terminal_message},
    terminal_question::understand,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, auth::guard::Visitor, content::maintenance, requests::caller::Caller};
use lookup::Found;

const PAGE: &str = "terminal";

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(ask_terminal))
}

/// A question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TerminalMessage {
    /// 1 to 1000 characters.
    message: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TerminalAnswer {
    /// Plain text in lines. `Name (/path)` on a line is a page of this website by its name, an https address another's.
    response: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TerminalRefusal {
    /// Always null.
    #[schema(value_type = Option<String>, required)]
    response: (),
    /// Stable name of the refusal, for programs.
    code: &'static str,
    /// The final text for a person.
    message: String,
}

/// Answers a question about the label.
#[utoipa::path(post, path = "/api/terminal", tag = "terminal", request_body = TerminalMessage, responses(
    (status = 200, description = "The answer", body = TerminalAnswer),
    (status = 400, description = "The message is empty, too long or has control characters; or the body is not JSON (then a problem)", content((TerminalRefusal = "application/json"), (Problem = "application/problem+json"))),
    (status = 401, description = "The language model does not accept the label's key", body = TerminalRefusal),
    (status = 404, description = "The language model is not where the settings say", body = TerminalRefusal),
    (status = 415, description = "Not JSON"),
    (status = 422, description = "JSON of another form"),
    (status = 429, description = "Too many questions from this address, or to the language model", body = TerminalRefusal),
    (status = 500, description = "There is no answer", content((TerminalRefusal = "application/json"), (Problem = "application/problem+json"))),
    (status = 503, description = "The terminal is in maintenance, or the service is not available", content((TerminalRefusal = "application/json"), (Problem = "application/problem+json"))),
))]
pub(crate) async fn ask_terminal(
    app: AppState,
    caller: Caller,
    mut parts: Parts,
    ApiJson(TerminalMessage { message }): ApiJson<TerminalMessage>,
) -> Response {
    match answer(&app, &caller, &mut parts, &message).await {
        Ok(response) => Json(TerminalAnswer { response }).into_response(),
        Err(error) if error.status() == StatusCode::INTERNAL_SERVER_ERROR => {
            refusal(&error.with_detail(Code::TerminalInternal.text()))
        }
        Err(error) => refusal(&error),
    }
}

async fn answer(app: &AppState, caller: &Caller, parts: &mut Parts, message: &str) -> AppResult<String> {
    let message = check_terminal_message(message)
        .map_err(|error| AppError::from_code(StatusCode::BAD_REQUEST, error))?;
    refuse_in_maintenance(app, parts).await?;
    limits::take_by_network(&app.db, "terminal", caller.address, rate_limit::TERMINAL, app.clock.now())
        .await
        .map_err(|error| match error {
            LimitError::Exceeded(_) => AppError::from(error).with_detail(Code::TerminalRateLimited.text()),
            LimitError::Database(cause) => cause.into(),
        })?;
    let embedded = {
        let label = app.known_label.last();
        let question = understand(&message, &label.name);
        lookup::answer(app, &label, &question, &message).await?
    };
    let (answered_by, answer) = match &app.terminal.ai {
        None => ("embedded", Ok(embedded.whole())),
        Some(ai) => ask_model(app, ai, &message, embedded).await?,
    };
    let outcome = answer.as_ref().map_or_else(|failure| failure.name(), |_| "answered");
    metrics::counter!("deadwax_terminal_answers_total", "answered_by" => answered_by, "outcome" => outcome)
        .increment(1);
    let code = hex::encode(&app.keys.mac(&[b"terminal message", message.as_bytes()])[..8]);
    tracing::info!(chars = message.chars().count(), code, answered_by, outcome, "terminal");
    answer.map_err(refused_by_model)
}

/// The model's answer, or the embedded one where the model must not be used; and which of them it is.
async fn ask_model(
    app: &AppState,
    ai: &Ai,
    message: &str,
    embedded: Found,
) -> AppResult<(&'static str, Result<String, Failure>)> {
    let Some(permit) = ai.permit() else { return Ok(("embedded_model_busy", Ok(embedded.whole()))) };
    let instructions = prompt::instructions(&app.db, &app.label_name(), &embedded.text).await?;
    // Counted right before the call: what is counted is what is paid for.
    match limits::take(&app.db, "terminal-ai", rate_limit::TERMINAL_AI_DAY, app.clock.now()).await {
        Ok(()) => {}
        Err(LimitError::Exceeded(_)) => return Ok(("embedded_budget_spent", Ok(embedded.whole()))),
        Err(LimitError::Database(cause)) => return Err(cause.into()),
    }
    let answer = ai.ask(&instructions, message, permit).await;
    if let Err(failure) = &answer {
        tracing::warn!(
            failure = failure.name(),
            status = failure.upstream_status(),
            "terminal: no answer from the language model"
        );
    }
    Ok(("model", answer))
}

/// 503 for all but admins while the page is in maintenance. Only then is the session looked up; an unreadable setting leaves the page
/// open.
async fn refuse_in_maintenance(app: &AppState, parts: &mut Parts) -> AppResult<()> {
    use axum::extract::FromRequestParts as _;
    match maintenance::is_closed(&app.db, PAGE).await {
        Ok(false) => return Ok(()),
        Ok(true) => {}
        Err(error) => {
            tracing::warn!(cause = %error, "reading whether the terminal is in maintenance");
            return Ok(());
        }
    }
    let Visitor(person) = Visitor::from_request_parts(parts, app).await?;
    // Like the page itself, without asking for the second factor.
    if person.is_some_and(|person| person.is_admin) {
        return Ok(());
    }
    Err(maintenance::closed())
}

fn refused_by_model(failure: Failure) -> AppError {
    let status = match failure {
        Failure::Unauthorized => StatusCode::UNAUTHORIZED,
        Failure::NotFound => StatusCode::NOT_FOUND,
        Failure::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Failure::Status(_) | Failure::Transport | Failure::Unreadable => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let code = messages::terminal_code(Some(u32::from(status.as_u16())));
    let error = AppError::from_code(status, code);
    if failure == Failure::RateLimited { error.with_retry_after(AI_RETRY_SECONDS) } else { error }
}

fn refusal(error: &AppError) -> Response {
    let body = TerminalRefusal { response: (), code: error.code(), message: error.detail().to_owned() };
    error.answer_with(&body)
}
