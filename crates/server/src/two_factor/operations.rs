//! `POST /api/auth/mfa-operations`: dispatch of the operations, and their common answer, refusals included.

use axum::response::Response;
use deadwax_http::{
    error::{AppError, AppResult, Problem},
    extract::ApiJson,
};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    answer::{Done, MfaAnswer, refusal},
    attempts::{self, request_id},
    setup,
};
use crate::{
    app::AppState,
    auth::guard::{self, Actor, Verifying},
    requests::caller::Caller,
};

/// An operation of the second factor. Each may carry a `request_id`.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum OperationBody {
    /// Proves this session with a code.
    VerifyMfa {
        /// Six digits.
        #[serde(rename = "totpCode")]
        totp_code: String,
        /// Names the attempt: a repeated one gets the same answer for two minutes, and is counted once.
        request_id: Option<String>,
    },
    /// Begins a set-up.
    GenerateSecret {
        /// Names the request.
        request_id: Option<String>,
    },
    /// Ends a set-up with the first code.
    EnableMfa {
        /// The secret that `generate_secret` answered.
        #[serde(rename = "mfaSecret")]
        mfa_secret: String,
        /// Six digits.
        #[serde(rename = "totpCode")]
        totp_code: String,
        /// Names the request.
        request_id: Option<String>,
    },
    /// Takes the factor off.
    DisableMfa {
        /// Six digits.
        #[serde(rename = "totpCode")]
        totp_code: String,
        /// Names the request.
        request_id: Option<String>,
    },
    /// Replaces the ten recovery codes.
    RegenerateRecoveryCodes {
        /// Six digits.
        #[serde(rename = "totpCode")]
        totp_code: String,
        /// Names the request.
        request_id: Option<String>,
    },
}

impl OperationBody {
    fn request_id(&self) -> Option<&str> {
        match self {
            Self::VerifyMfa { request_id, .. }
            | Self::GenerateSecret { request_id }
            | Self::EnableMfa { request_id, .. }
            | Self::DisableMfa { request_id, .. }
            | Self::RegenerateRecoveryCodes { request_id, .. } => request_id.as_deref(),
        }
    }

    /// 401 with the text of the screen that asks: verifying is part of signing in, the others are settings.
    fn without_session(&self) -> AppError {
        match self {
            Self::VerifyMfa { .. } => attempts::no_session(),
            _ => guard::not_authenticated(),
        }
    }
}

/// Sets the second factor up, verifies it, or removes it.
#[utoipa::path(post, path = "/api/auth/mfa-operations", tag = "auth", request_body = OperationBody, responses(
    (status = 200, description = "Done; after `verify_mfa`, `enable_mfa` and `disable_mfa` the session has a new token", body = MfaAnswer),
    (status = 401, description = "No session", content((MfaAnswer = "application/json"), (Problem = "application/problem+json"))),
    (status = 403, description = "`mfa_required`, or `reauthentication_needed`", content((MfaAnswer = "application/json"), (Problem = "application/problem+json"))),
    (status = 409, description = "`already_enabled`, `not_enabled`, or `request_id_conflict`", body = MfaAnswer),
    (status = 422, description = "`invalid_otp`, `expired_otp`, `time_skew`, a field's own code, or a body of another form (then a problem)", content((MfaAnswer = "application/json"), (Problem = "application/problem+json"))),
    (status = 429, description = "Too many wrong codes, even with the right one", body = MfaAnswer),
    (status = 503, description = "The database does not answer", content((MfaAnswer = "application/json"), (Problem = "application/problem+json"))),
))]
pub(super) async fn operate(
    app: AppState,
    caller: Caller,
    verifying: AppResult<Verifying>,
    headers: HeaderMap,
    body: AppResult<ApiJson<OperationBody>>,
) -> AppResult<Response> {
    let who = match (verifying, &body) {
        (Ok(who), _) => who,
        (Err(error), Ok(ApiJson(body))) if error.status() == StatusCode::UNAUTHORIZED => {
            let request_id = request_id(body.request_id(), &headers).unwrap_or_default();
            return Ok(refusal(&body.without_session(), request_id));
        }
        (Err(error), _) => return Err(error),
    };
    let ApiJson(body) = body?;
    let by = Actor::new(&app, &who.signed_in, &caller);
    let request_id = match request_id(body.request_id(), &headers) {
        Ok(request_id) => request_id,
        Err(error) => return Ok(refusal(&error, None)),
    };
    Ok(match perform(by, who.is_retired, &body, request_id.as_deref()).await {
        Ok(done) => done.into_response(by, request_id),
        Err(error) => refusal(&error, request_id),
    })
}

async fn perform(
    by: Actor<'_>,
    is_retired: bool,
    body: &OperationBody,
    request_id: Option<&str>,
) -> AppResult<Done> {
    let is_setting = !matches!(body, OperationBody::VerifyMfa { .. });
    if is_setting && is_retired {
        return Err(body.without_session());
    }
    if is_setting && by.me.factor_pending(by.now) {
        return Err(guard::mfa_required());
    }
    match body {
        OperationBody::VerifyMfa { totp_code, .. } => {
            attempts::verify(by, is_retired, totp_code, request_id).await
        }
        OperationBody::GenerateSecret { .. } => setup::generate(by).await,
        OperationBody::EnableMfa { mfa_secret, totp_code, .. } => {
            setup::enable(by, mfa_secret, totp_code).await
        }
        OperationBody::DisableMfa { totp_code, .. } => setup::disable(by, totp_code).await,
        OperationBody::RegenerateRecoveryCodes { totp_code, .. } => setup::regenerate(by, totp_code).await,
    }
}
