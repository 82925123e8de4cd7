//! Shared by the edits of the back office: the editor, and the edited version.

pub mod history;
pub mod lists;
pub mod newest;
pub mod search_keys;
pub mod versions;

use axum::extract::FromRequestParts;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::db::Tx;
use http::{StatusCode, header, request::Parts};
use rules::messages::Code;
use utoipa::{
    IntoParams, PartialSchema as _,
    openapi::{
        Required,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

use self::versions::{Saved, VersionKind, Versioned};
use crate::{
    auth::{
        By,
        guard::{Actor, Admin},
    },
    requests::idempotency::{self, ClaimedRequest, Repeatable},
    trash::moves::Mover,
};

/// The version of the row that the editor saw: `If-Match: "3"` (RFC 9110 §13.1.1). 428 without it.
#[derive(Clone, Copy, Debug)]
pub struct IfMatch(pub i64);

impl IntoParams for IfMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let header = ParameterBuilder::new().name("if-match").parameter_in(ParameterIn::Header);
        let header = header.required(Required::True).schema(Some(String::schema()));
        vec![header.description(Some("The version that was edited, in quotes")).build()]
    }
}

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> AppResult<Self> {
        let seen = parts
            .headers
            .get(header::IF_MATCH)
            .ok_or_else(|| AppError::from_code(StatusCode::PRECONDITION_REQUIRED, Code::VersionRequired))?;
        // A malformed version matches no row.
        seen.to_str()
            .ok()
            .and_then(|text| text.strip_prefix('"')?.strip_suffix('"')?.parse().ok())
            .map(Self)
            .ok_or_else(stale)
    }
}

/// 412: the row is no longer the one that the editor saw.
pub fn stale() -> AppError {
    AppError::from_code(StatusCode::PRECONDITION_FAILED, Code::StaleVersion)
}

/// Why an edit changed no row: it is gone, or has another version.
pub fn not_updated(is_there: bool) -> AppError {
    if is_there { stale() } else { AppError::not_found() }
}

/// An admin at work.
pub type Editor = By<Admin>;

impl Actor<'_> {
    /// Begins the transaction of a request, which is idempotent if it is a repeatable one.
    pub async fn begin(&self, request: Option<&Repeatable>) -> AppResult<ClaimedRequest> {
        let mut tx = self.app.db.begin().await?;
        let Some(request) = request else { return Ok(ClaimedRequest::New(tx, None)) };
        let sender = self.me.session_id.to_string();
        let claim = request.claim(&mut tx, &self.app.keys, &sender, self.now).await?;
        Ok(match claim.earlier() {
            Some(answer) => ClaimedRequest::Repeated(idempotency::created(answer.to_vec())),
            None => ClaimedRequest::New(tx, Some(claim)),
        })
    }

    pub fn mover(&self) -> Mover<'_> {
        Mover { origin: &self.app.origin, by: Some(self.me.user_id), now: self.now }
    }

    /// Writes the audit entry of a row that was saved, and keeps it as a version; `before` is the row as it was. Nothing if it is unchanged.
    pub async fn saved<R: Versioned + Sync>(
        &self,
        tx: &mut Tx,
        before: Option<&R>,
        saved: &R,
    ) -> AppResult<()> {
        if before.is_some_and(|before| before.version() == saved.version()) {
            return Ok(());
        }
        // The pages have their pictures from the start.
        let is_new = before.is_none() && R::KIND != VersionKind::SiteImage;
        let event = if is_new { "sensitive_create" } else { "sensitive_update" };
        self.check_and_record(tx, event, &saved.target()).await?;
        let before = before.map(|row| Saved::of(row, row.updated_at())).transpose()?;
        let (by, saved) = (Some(self.me.user_id), [Saved::of(saved, self.now)?]);
        Ok(versions::keep_many(tx, R::KIND, by, before.as_slice(), &saved).await?)
    }
}
