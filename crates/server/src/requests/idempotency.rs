//! Requests that create something, sent twice: the second creates nothing, and gets the answer of the first.
//!
//! A request is named by its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Without one, equal content
//! to the same path within a second is a double click. A request is claimed in the transaction that creates, so that
//! of two at once one waits for the other, and a failed one leaves nothing behind. Each row belongs to a created
//! thing, so the bounds of those bound the rows.
//!
//! Codes of the second factor are remembered apart (`two_factor::attempts`): there a refusal counts, and is
//! repeated too.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::json_and_bytes,
};
use deadwax_store::{
    clock::{Micros, micros},
    crypto::Keys,
    db::{Db, Tx},
    statements,
};
use http::{HeaderMap, HeaderName, StatusCode, header};
use rules::{
    idempotency::{DOUBLE_CLICK_MS, KEPT_MS, key},
    messages::Code,
};
use serde::{Serialize, de::DeserializeOwned};
use utoipa::IntoParams;
use zeroize::Zeroizing;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

statements! {
    // An existing row is written too, which locks it.
    CLAIM = "INSERT INTO idempotency_keys (request, expires_at) VALUES ($1, $2) \
        ON CONFLICT (request) DO UPDATE SET request = excluded.request RETURNING content, answer, expires_at";
    KEEP = "UPDATE idempotency_keys SET content = $2, answer = $3, expires_at = $4 WHERE request = $1";
    PRUNE = "DELETE FROM idempotency_keys WHERE expires_at <= $1";
}

/// The header, for the API's description.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKey {
    /// Names the request: sent again with the same key, it is answered as before.
    #[param(rename = "Idempotency-Key", max_length = 128)]
    pub key: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Repeatable {
    key: Option<String>,
    path: String,
    content: Bytes,
}

/// A JSON body as [`ApiJson`](deadwax_http::extract::ApiJson) reads it, with the request that may be repeated.
#[derive(Debug)]
pub struct RepeatableJson<T> {
    pub body: T,
    pub request: Repeatable,
}

/// An idempotency key, locked until the transaction ends.
#[derive(Debug)]
pub struct Claim {
    request: Vec<u8>,
    content: Vec<u8>,
    expires_at: Micros,
    earlier: Option<Zeroizing<Vec<u8>>>,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for RepeatableJson<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> AppResult<Self> {
        let key = key_of(request.headers())?;
        let path = request.uri().path().to_owned();
        let (body, content) = json_and_bytes(request, state).await?;
        Ok(Self { body, request: Repeatable { key, path, content } })
    }
}

/// The key of a request, if it has one; 400 for an invalid one.
fn key_of(headers: &HeaderMap) -> AppResult<Option<String>> {
    let invalid = || AppError::from_code(StatusCode::BAD_REQUEST, Code::InvalidIdempotencyKey);
    let named = headers.get(IDEMPOTENCY_KEY);
    named.map(|value| value.to_str().ok().and_then(key).map(str::to_owned).ok_or_else(invalid)).transpose()
}

impl Repeatable {
    /// A request that is idempotent only if it carries a key; none without. 400 for an invalid key.
    pub fn named(headers: &HeaderMap, path: &str, content: Bytes) -> AppResult<Option<Self>> {
        let key = key_of(headers)?;
        Ok(key.map(|key| Self { key: Some(key), path: path.to_owned(), content }))
    }

    pub fn is_named(&self) -> bool {
        self.key.is_some()
    }

    /// Claims the request for `sender`, its session or network. 422 if the key came with other content before.
    pub async fn claim(&self, tx: &mut Tx, keys: &Keys, sender: &str, now: Micros) -> AppResult<Claim> {
        let (kind, named, span_ms): (&[u8], &[u8], u64) = match &self.key {
            Some(key) => (b"key", key.as_bytes(), KEPT_MS),
            None => (b"content", &self.content, DOUBLE_CLICK_MS),
        };
        let request = keys.mac(&[b"idempotency", sender.as_bytes(), self.path.as_bytes(), kind, named]);
        let content = keys.mac(&[b"idempotency content", &self.content]);
        let expires_at = now + micros(span_ms);
        let claim = tx.query(CLAIM).bind(&request).bind(expires_at);
        let (before, answer, until) = claim.one::<(Option<Vec<u8>>, Option<Vec<u8>>, Micros)>().await?;
        let earlier = match (before, answer) {
            (Some(before), Some(answer)) if until > now => {
                if before != content {
                    let reused = Code::IdempotencyKeyReused;
                    return Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, reused));
                }
                tracing::info!(path = self.path, "a request was repeated");
                Some(keys.open(&purpose(&request), &answer).map_err(AppError::internal)?)
            }
            _ => None,
        };
        Ok(Claim { request, content, expires_at, earlier })
    }
}

/// A transaction begun for a request that may be repeated.
#[derive(Debug)]
pub enum ClaimedRequest {
    /// The transaction, and the claim of a repeatable request.
    New(Tx, Option<Claim>),
    /// The answer of the request that this one repeats.
    Repeated(Response),
}

/// Commits the transaction of a [`ClaimedRequest`], and answers 201 with what was stored; the answer is kept if the
/// request may be repeated.
pub async fn finish<T: Serialize>(
    mut tx: Tx,
    claim: Option<Claim>,
    keys: &Keys,
    stored: &T,
) -> AppResult<Response> {
    let answer = serde_json::to_vec(stored).map_err(AppError::internal)?;
    if let Some(claim) = claim {
        claim.keep(&mut tx, keys, &answer).await?;
    }
    tx.commit().await?;
    Ok(created(answer))
}

impl Claim {
    /// The kept answer, if this is a repetition.
    pub fn earlier(&self) -> Option<&[u8]> {
        self.earlier.as_ref().map(|answer| answer.as_slice())
    }

    /// Keeps the data of the answer for as long as the request may be repeated. It is sealed, because only its sender
    /// may read it.
    pub async fn keep(&self, tx: &mut Tx, keys: &Keys, answer: &[u8]) -> AppResult<()> {
        let sealed = keys.seal(&purpose(&self.request), answer).map_err(AppError::internal)?;
        let keep = tx.query(KEEP).bind(&self.request).bind(&self.content).bind(sealed).bind(self.expires_at);
        keep.execute().await?;
        Ok(())
    }
}

pub(crate) fn created(json: Vec<u8>) -> Response {
    (StatusCode::CREATED, [(header::CONTENT_TYPE, "application/json")], json).into_response()
}

fn purpose(request: &[u8]) -> String {
    format!("idempotency:{}", hex::encode(request))
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now).execute().await.map(drop)
}
