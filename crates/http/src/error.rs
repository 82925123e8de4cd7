//! Refusals as RFC 9457 `application/problem+json`, without their internal causes.

use std::{borrow::Cow, collections::BTreeMap, fmt, mem};

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use deadwax_store::{Failure, limits::LimitError, storage::StorageError};
use http::{HeaderValue, StatusCode, header};
use rules::{
    checked::{Problem as FieldProblem, Problems, Refusal},
    messages::Code,
    rate_limit::Exceeded,
    request::{BUSY_SECONDS, FULL_SECONDS},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::slots::Full;

/// The body of every refusal.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: `code` says which problem it is.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The final text for a person.
    pub detail: String,
    /// Stable name of the problem, for programs.
    pub code: &'static str,
    /// Field → message, when input broke a rule.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// Names the request in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub request_id: Option<String>,
    /// Seconds to wait, on 429 and 503; the `Retry-After` header says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retry_after: Option<u32>,
}

/// Why a handler refused: a status, a code and a text, and for the log a cause that has no path to the body.
///
/// Its code is one of [`Code`] or of a rule's own refusals; only the rules can make a [`Refusal`].
pub struct AppError {
    status: StatusCode,
    code: &'static str,
    detail: Cow<'static, str>,
    fields: BTreeMap<String, String>,
    retry_after: Option<u32>,
    cause: Option<anyhow::Error>,
}

pub type AppResult<T> = Result<T, AppError>;

impl fmt::Debug for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, code, .. } = self;
        f.debug_struct("AppError")
            .field("status", status)
            .field("code", code)
            .field("cause", &self.cause())
            .finish_non_exhaustive()
    }
}

impl AppError {
    /// A refusal with the code and the text of `refusal`: a [`Code`], or what a rule refused.
    pub fn from_code(status: StatusCode, refusal: impl Into<Refusal>) -> Self {
        let refusal = refusal.into();
        Self {
            status,
            code: refusal.code,
            detail: refusal.message,
            fields: BTreeMap::new(),
            retry_after: None,
            cause: None,
        }
    }

    /// 404: the same for what never existed and what may not be seen.
    pub fn not_found() -> Self {
        Self::from_code(StatusCode::NOT_FOUND, Code::NotFound)
    }

    pub fn invalid(field: &'static str, refusal: impl Into<Refusal>) -> Self {
        Self::validation(FieldProblem::new(field, refusal).into())
    }

    /// 422: fields of the input are not valid. The first problem's code and text stand for all; each field has the text of its
    /// own first problem.
    pub fn validation(problems: Problems) -> Self {
        let mut error = Self::of_status(StatusCode::UNPROCESSABLE_ENTITY);
        if let Some(first) = problems.first() {
            (error.code, error.detail) = (first.code, first.message.clone());
        }
        for problem in Vec::from(problems) {
            error.fields.entry(problem.field.into_owned()).or_insert_with(|| problem.message.into_owned());
        }
        error
    }

    /// 413: the file is larger than its place takes, in that place's own words.
    pub fn too_large(refusal: impl Into<Refusal>) -> Self {
        Self::from_code(StatusCode::PAYLOAD_TOO_LARGE, refusal)
    }

    /// Replaces the text, where a screen has its own words; fields keep theirs.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Replaces the code, where programs should tell the refusal apart; the text stays.
    #[must_use]
    pub fn with_code(mut self, code: Code) -> Self {
        self.code = code.as_str();
        self
    }

    /// Adds the whole seconds to wait, at least 1, for 429 and 503.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    pub fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }

    /// 429: past a limit, with the whole seconds to wait.
    pub fn too_many_requests(retry_after: u32) -> Self {
        Self::from_code(StatusCode::TOO_MANY_REQUESTS, Code::RateLimited)
            .with_detail(rules::cooldown::too_many_text(retry_after))
            .with_retry_after(retry_after)
    }

    pub fn rate_limited(exceeded: Exceeded) -> Self {
        Self::too_many_requests(exceeded.retry_after_seconds())
    }

    /// 503: as much as this instance can carry is under way.
    pub fn busy(retry_after: u32) -> Self {
        Self::from_code(StatusCode::SERVICE_UNAVAILABLE, Code::Busy).with_retry_after(retry_after)
    }

    /// Without a slot: 429 where the client's own are taken, 503 where all are.
    pub fn full(bound: Full, retry_after: u32) -> Self {
        match bound {
            Full::Client => Self::too_many_requests(retry_after),
            Full::All => Self::busy(retry_after),
        }
    }

    /// 503: there is no room for more. The disk's own error, where there is one, goes to the log.
    pub fn storage_full(cause: Option<anyhow::Error>) -> Self {
        let error = Self::from_code(StatusCode::SERVICE_UNAVAILABLE, Code::StorageFull);
        Self { cause, ..error.with_retry_after(FULL_SECONDS) }
    }

    /// 503: reading or writing a file failed: disk full, quota, or another I/O error. The cause goes to the log.
    pub fn storage_error(cause: std::io::Error) -> Self {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        if matches!(cause.kind(), StorageFull | QuotaExceeded) {
            Self::storage_full(Some(cause.into()))
        } else {
            Self::unavailable(cause)
        }
    }

    /// 503: something this instance needs does not answer. The cause goes to the log.
    pub fn unavailable(cause: impl Into<anyhow::Error>) -> Self {
        let error = Self::from_code(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable);
        Self { cause: Some(cause.into()), ..error.with_retry_after(BUSY_SECONDS) }
    }

    /// 500: a bug or a broken part. The cause goes to the log under the request id the person sees.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let error = Self::from_code(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal);
        Self { cause: Some(cause.into()), ..error }
    }

    /// The refusal for a bare status, as libraries below the handlers answer it.
    pub fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::not_found(),
            StatusCode::METHOD_NOT_ALLOWED => Self::from_code(status, Code::MethodNotAllowed),
            StatusCode::PAYLOAD_TOO_LARGE => Self::from_code(status, Code::PayloadTooLarge),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::from_code(status, Code::UnsupportedMediaType),
            StatusCode::SERVICE_UNAVAILABLE => Self::busy(BUSY_SECONDS),
            status if status.is_server_error() => {
                Self::internal(anyhow::anyhow!("answered with a bare {status}"))
            }
            _ => Self::from_code(status, Code::BadRequest),
        }
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    pub fn code(&self) -> &'static str {
        self.code
    }

    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.fields
    }

    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The cause, or else the text: for the log of work that answers no request.
    pub fn cause(&self) -> String {
        match &self.cause {
            Some(cause) => format!("{cause:#}"),
            None => self.detail.to_string(),
        }
    }

    /// The same status and `Retry-After` with a body of another shape. Logs the cause.
    pub fn answer_with(&self, body: &impl Serialize) -> Response {
        self.log();
        let mut response = (self.status, axum::Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    fn log(&self) {
        if self.cause.is_some() {
            tracing::error!(code = self.code, cause = self.cause(), "request failed");
        }
    }
}

impl From<sqlx::Error> for AppError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::unavailable(error),
            sqlx::Error::Database(ref refused) if refused.code().is_some_and(|code| is_full(&code)) => {
                Self::storage_full(Some(error.into()))
            }
            sqlx::Error::Database(ref refused) if refused.code().is_some_and(|code| is_outage(&code)) => {
                Self::unavailable(error)
            }
            other => Self::internal(other),
        }
    }
}

/// Codes by which an engine says that its disk is full: of PostgreSQL and of SQLite.
fn is_full(code: &str) -> bool {
    code == "53100" || code == "13"
}

/// Codes by which an engine says that it cannot work right now: PostgreSQL classes 08, 40 (rolled back to end a deadlock), 53, 57, a
/// server that only reads and a transaction that rested too long; SQLite busy, locked, I/O.
fn is_outage(code: &str) -> bool {
    if code.len() == 5 {
        return ["08", "40", "53", "57", "25006", "25P03"].iter().any(|begin| code.starts_with(begin));
    }
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 14))
}

impl From<LimitError> for AppError {
    fn from(error: LimitError) -> Self {
        match error {
            LimitError::Exceeded(exceeded) => Self::rate_limited(exceeded),
            LimitError::Database(cause) => cause.into(),
        }
    }
}

impl From<Failure> for AppError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Busy | Failure::Late => Self::busy(BUSY_SECONDS),
            Failure::Disk(cause) => Self::storage_error(cause),
            Failure::Database(cause) => cause.into(),
            Failure::Bug(cause) => Self::internal(cause),
        }
    }
}

impl From<StorageError> for AppError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Disk(cause) => Self::storage_error(cause),
            other => Self::unavailable(other),
        }
    }
}

impl From<serde_json::Error> for AppError {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error)
    }
}

impl From<anyhow::Error> for AppError {
    fn from(error: anyhow::Error) -> Self {
        Self::internal(error)
    }
}

impl IntoResponse for AppError {
    fn into_response(mut self) -> Response {
        let problem = Problem {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: mem::take(&mut self.detail).into_owned(),
            code: self.code,
            fields: mem::take(&mut self.fields),
            request_id: crate::observe::current_request_id(),
            retry_after: self.retry_after,
        };
        let mut response = self.answer_with(&problem);
        let kind = HeaderValue::from_static("application/problem+json; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

/// Gives every refusal the one shape, also those that a library below the handlers made.
pub async fn as_problems(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let is_ours = kind.starts_with(b"application/problem+json")
        || kind.starts_with(b"text/html")
        || kind.starts_with(b"application/json");
    if is_ours || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let mut problem = AppError::of_status(status).into_response();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        problem.headers_mut().insert(header::ALLOW, allow.clone());
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_fills_is_its_own_429_and_what_all_fill_503() {
        for (bound, status) in [(Full::Client, 429), (Full::All, 503)] {
            let refusal = AppError::full(bound, BUSY_SECONDS);
            assert_eq!((refusal.status().as_u16(), refusal.retry_after()), (status, Some(BUSY_SECONDS)));
        }
    }
}
