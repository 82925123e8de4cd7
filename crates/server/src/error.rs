//! What a refused request is answered with: RFC 9457 `application/problem+json`, and nothing of an internal cause.

use std::{borrow::Cow, collections::BTreeMap};

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use rules::request::{BUSY_SECONDS, FULL_SECONDS};
use serde::Serialize;
use utoipa::ToSchema;

use crate::storage::StorageError;

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
    pub request_id: Option<String>,
    /// Seconds to wait, on 429 and 503; the `Retry-After` header says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
}

/// Why a handler refused. Constructors are named by meaning; an internal error has no path to the body.
#[derive(Debug)]
pub struct AppError {
    status: StatusCode,
    code: &'static str,
    detail: String,
    fields: BTreeMap<String, String>,
    retry_after: Option<u32>,
    cause: Option<anyhow::Error>,
}

/// The result of a handler.
pub type AppResult<T> = Result<T, AppError>;

impl AppError {
    /// A refusal that is the caller's doing, with its final text.
    pub fn refused(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), fields: BTreeMap::new(), retry_after: None, cause: None }
    }

    /// 404: the same for what never existed and what may not be seen.
    pub fn not_found() -> Self {
        Self::stated(StatusCode::NOT_FOUND, "not_found")
    }

    /// 422: one field of the input broke a rule.
    pub fn invalid(field: &str, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        let mut error = Self::refused(StatusCode::UNPROCESSABLE_ENTITY, code, message.clone());
        error.fields.insert(field.to_owned(), message);
        error
    }

    /// 422: what the rules refuse, each problem at its field; the first one's text and code stand for all.
    pub fn broken(problems: Vec<rules::checked::Problem>) -> Self {
        let mut error = match problems.first() {
            Some(first) => {
                let code = match first.code {
                    Cow::Borrowed(code) => code,
                    Cow::Owned(_) => "invalid",
                };
                Self::refused(StatusCode::UNPROCESSABLE_ENTITY, code, first.message.clone())
            }
            None => Self::of_status(StatusCode::UNPROCESSABLE_ENTITY),
        };
        for problem in problems {
            error.fields.entry(problem.field.to_owned()).or_insert_with(|| problem.message.into_owned());
        }
        error
    }

    /// 422: what the rules refuse of one field.
    pub fn broken_field(field: &'static str, refusal: impl Into<rules::checked::Refusal>) -> Self {
        Self::broken(vec![rules::checked::Problem::new(field, refusal)])
    }

    /// A refusal whose text the reference states under its code.
    pub fn stated(status: StatusCode, code: &'static str) -> Self {
        Self::refused(status, code, stated_text(code))
    }

    /// The same refusal with another text, where a screen has its own words for it.
    #[must_use]
    pub fn saying(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// The same refusal by another name, where programs should tell it apart.
    #[must_use]
    pub fn named(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    /// The same refusal with the whole seconds to wait, for 429 and 503.
    #[must_use]
    pub fn after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// Seconds to wait, on 429 and 503.
    pub fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }

    /// 429: past a limit, with the whole seconds to wait.
    pub fn too_many_requests(retry_after: u32) -> Self {
        let detail = rules::cooldown::too_many_text(retry_after);
        let mut error = Self::refused(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail);
        error.retry_after = Some(retry_after.max(1));
        error
    }

    /// 503: as much as this instance can carry is under way.
    pub fn busy(retry_after: u32) -> Self {
        let mut error = Self::stated(StatusCode::SERVICE_UNAVAILABLE, "busy");
        error.retry_after = Some(retry_after);
        error
    }

    /// 503: there is no room for another file. The cause, where it is the disk's, goes to the log.
    pub fn storage_full(cause: Option<anyhow::Error>) -> Self {
        let mut error = Self::stated(StatusCode::SERVICE_UNAVAILABLE, "storage_full");
        error.retry_after = Some(FULL_SECONDS);
        error.cause = cause;
        error
    }

    /// 503: a file could not be written, for want of room or for another reason of the disk's.
    pub fn unwritten(cause: std::io::Error) -> Self {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        if matches!(cause.kind(), StorageFull | QuotaExceeded) {
            Self::storage_full(Some(cause.into()))
        } else {
            Self::unavailable(cause)
        }
    }

    /// 503: something this instance needs does not answer. The cause goes to the log.
    pub fn unavailable(cause: impl Into<anyhow::Error>) -> Self {
        let mut error = Self::stated(StatusCode::SERVICE_UNAVAILABLE, "unavailable");
        error.retry_after = Some(BUSY_SECONDS);
        error.cause = Some(cause.into());
        error
    }

    /// 500: a bug or a broken part. The cause goes to the log under the request id the person sees.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let mut error = Self::stated(StatusCode::INTERNAL_SERVER_ERROR, "internal");
        error.cause = Some(cause.into());
        error
    }

    /// What a library below the handlers refuses with a bare status, in this program's words.
    pub fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::not_found(),
            StatusCode::METHOD_NOT_ALLOWED => Self::stated(status, "method_not_allowed"),
            StatusCode::PAYLOAD_TOO_LARGE => Self::stated(status, "payload_too_large"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::stated(status, "unsupported_media_type"),
            StatusCode::SERVICE_UNAVAILABLE => Self::busy(BUSY_SECONDS),
            status if status.is_server_error() => {
                Self::internal(anyhow::anyhow!("answered with a bare {status}"))
            }
            _ => Self::stated(status, "bad_request"),
        }
    }

    /// For the command line, where no request is answered: the cause, or else the text.
    pub fn into_error(self) -> anyhow::Error {
        self.cause.unwrap_or_else(|| anyhow::Error::msg(self.detail))
    }

    /// The status it will be answered with.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The stable name it will be answered with.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The message at each field that broke a rule.
    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.fields
    }

    /// The text a person will read.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The same refusal with a body of another shape, where a function states its own.
    pub fn answer_with(&self, body: &impl Serialize) -> Response {
        self.log();
        let mut response = (self.status, axum::Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    /// Writes the cause to the log, where there is one. Done by whatever makes an answer of the refusal.
    pub fn log(&self) {
        if let Some(cause) = &self.cause {
            tracing::error!(
                code = self.code,
                cause = rules::demo_name::without_artists(&format!("{cause:#}")),
                "request failed"
            );
        }
    }
}

/// The text that the reference states under a name.
pub fn stated_text(name: &str) -> String {
    let text = rules::messages::message(name).and_then(|message| message.text);
    text.unwrap_or_else(|| name.to_owned())
}

impl From<sqlx::Error> for AppError {
    /// A database out of reach is 503 and heals by itself; anything else it says is a bug.
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::unavailable(error),
            sqlx::Error::Database(ref refused) if refused.code().is_some_and(|code| is_outage(&code)) => {
                Self::unavailable(error)
            }
            other => Self::internal(other),
        }
    }
}

/// Codes by which an engine says that it cannot work right now: PostgreSQL classes 08, 40 (rolled back to end a deadlock), 53, 57; SQLite busy, locked, I/O, full.
fn is_outage(code: &str) -> bool {
    if code.len() == 5 {
        return ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class));
    }
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 13 | 14))
}

impl From<StorageError> for AppError {
    /// A file that cannot be moved is 503: the disk is full, or the storage heals by itself.
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Disk(cause) => Self::unwritten(cause),
            other => Self::unavailable(other),
        }
    }
}

impl From<serde_json::Error> for AppError {
    /// Answers are made of types that always serialise: anything else is a bug.
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
    fn into_response(self) -> Response {
        let problem = Problem {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            code: self.code,
            fields: self.fields.clone(),
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
