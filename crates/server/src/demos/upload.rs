//! An upload: its sender, its progress, the request that writes to it, and its deadlines.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{self, Micros},
    crypto::Token,
};
use http::StatusCode;
use rules::{
    demo::{ANNOUNCED_HELD_MS, ANNOUNCED_MS, DemoError, UPLOAD_ABSOLUTE_MS, UPLOAD_MS},
    messages::Code,
    request::RATE_MIN_BYTES,
};
use uuid::Uuid;

/// The sender of a demo, stored while the upload lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    pub artist_name: String,
    pub email: String,
    pub message: Option<String>,
    pub original_name: String,
}

#[derive(Debug, Clone)]
pub struct NewUpload {
    pub sender: Sender,
    /// In lower case, without the dot.
    pub extension: String,
    pub length: i64,
    /// The demo whose file it replaces.
    pub replaces: Option<Uuid>,
}

#[derive(Debug, Clone)]
pub enum State {
    /// Bytes are missing.
    Open(Sender),
    /// It became a demo.
    Accepted,
    /// The content did not match the file's name.
    Refused(DemoError),
}

#[derive(Debug, Clone)]
pub struct Upload {
    pub state: State,
    pub extension: String,
    pub length: i64,
    pub replaces: Option<Uuid>,
    pub received: i64,
    pub created_at: Micros,
    pub expires_at: Micros,
    /// Until when the missing bytes have reserved space.
    pub held_until: Micros,
    /// Whether a request writes to it, or did when its program was killed.
    pub is_written: bool,
}

/// The request that writes to an upload. Its writes count only until a newer request claims it.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The hash of the upload's token.
    pub id: Vec<u8>,
    pub writer: Uuid,
    pub offset: i64,
    pub created_at: Micros,
    /// Until when the missing bytes had reserved space before this request.
    pub held_until: Micros,
}

/// The progress of an upload after a request.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub offset: i64,
    /// When they are dropped, unless more follow.
    pub expires_at: Micros,
}

/// An unfinished upload, claimed by this request.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) claim: Claim,
    pub(super) sender: Sender,
    pub(super) extension: String,
    pub(super) length: i64,
    pub(super) replaces: Option<Uuid>,
    pub(super) expires_at: Micros,
}

/// The hash by which an upload is stored; 404 for an invalid token.
pub fn id_of(token: &str) -> AppResult<Vec<u8>> {
    Token::parse(token).map(|token| token.hash()).ok_or_else(AppError::not_found)
}

/// 409: the bytes do not continue the kept ones, or a newer request writes.
pub fn conflict() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::UploadOffset)
}

/// 422: the answer of a refused upload, now and later.
pub fn refused(refusal: DemoError) -> AppError {
    AppError::invalid("file", refusal)
}

/// When an upload announced at `now` is dropped, unless bytes come.
pub fn announced_expiry(now: Micros) -> Micros {
    now.saturating_add(clock::micros(ANNOUNCED_MS))
}

/// When an upload announced at `created_at` is dropped, if bytes were kept at `now`.
pub fn expiry(created_at: Micros, now: Micros) -> Micros {
    let end = created_at.saturating_add(clock::micros(UPLOAD_ABSOLUTE_MS));
    now.saturating_add(clock::micros(UPLOAD_MS)).min(end)
}

/// Until when an upload announced at `now` has reserved space without any bytes.
pub fn announced_held_until(now: Micros) -> Micros {
    now.saturating_add(clock::micros(ANNOUNCED_HELD_MS))
}

/// Until when the missing bytes have reserved space after `kept` more at `now`: as long as those take at the slowest
/// rate.
pub fn held_until(before: Micros, kept: i64, now: Micros) -> Micros {
    let bought = u64::try_from(kept).unwrap_or(0).saturating_mul(1_000) / RATE_MIN_BYTES;
    before.max(now).saturating_add(clock::micros(bought))
}

/// When the answer of an upload that ended at `now` is forgotten.
pub fn answer_expiry(now: Micros) -> Micros {
    now.saturating_add(clock::micros(UPLOAD_MS))
}
