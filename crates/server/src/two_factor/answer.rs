//! The common answer of the operations, refusals included.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{error::AppError, observe};
use deadwax_store::crypto::Token;
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{accounts::view, auth::guard::Actor};

#[derive(Default, Serialize, ToSchema)]
pub(super) struct MfaAnswer {
    /// `ok` or `error`.
    status: &'static str,
    /// `ok`, or the name of the refusal.
    code: &'static str,
    /// The text for a person.
    message: String,
    /// The caller's name for the request, or else the server's for the request.
    request_id: Option<String>,
    /// Seconds to wait, on 429 and 503.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    retry_after: Option<u32>,
    /// The new secret in base 32, to be sent back with its first code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) secret: Option<String>,
    /// The new secret as an `otpauth://` address, for a QR code.
    #[serde(rename = "qrCodeUrl", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) qr_code_url: Option<String>,
    /// The new secret in groups of four, for typing.
    #[serde(rename = "manualEntryKey", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) manual_entry_key: Option<String>,
    /// The ten recovery codes, shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) recovery_codes: Option<Vec<String>>,
    /// The session's next token, for programs that carry it themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    access_token: Option<String>,
    /// Always `bearer`, beside the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    token_type: Option<&'static str>,
}

/// A successful operation: its answer, and the session's next token if it changed rights.
pub(super) struct Done {
    pub(super) answer: MfaAnswer,
    pub(super) token: Option<Token>,
}

impl Done {
    pub(super) fn with_message(message: impl Into<String>) -> Self {
        let answer = MfaAnswer { status: "ok", code: "ok", message: message.into(), ..MfaAnswer::default() };
        Self { answer, token: None }
    }

    pub(super) fn with(mut self, token: Token) -> Self {
        self.token = Some(token);
        self
    }

    pub(super) fn into_response(self, by: Actor<'_>, request_id: Option<String>) -> Response {
        let Self { mut answer, token } = self;
        answer.request_id = request_id.or_else(observe::current_request_id);
        let mut headers = HeaderMap::new();
        if let Some(token) = &token {
            (answer.access_token, answer.token_type) =
                view::hand_over(&by.app.origin, by.me.via, token, &mut headers);
        }
        (headers, Json(answer)).into_response()
    }
}

pub(super) fn refusal(error: &AppError, request_id: Option<String>) -> Response {
    let answer = MfaAnswer {
        status: "error",
        code: error.code(),
        message: error.detail().to_owned(),
        request_id: request_id.or_else(observe::current_request_id),
        retry_after: error.retry_after(),
        ..MfaAnswer::default()
    };
    error.answer_with(&answer)
}
