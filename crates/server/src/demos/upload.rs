//! An upload as the requests for it see it: who sends it, how far it is, which request writes to it, and what it is refused with.

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

/// Who sends a demo, for as long as it is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// Whose music it is.
    pub artist_name: String,
    /// Where to answer.
    pub email: String,
    /// What they say.
    pub message: Option<String>,
    /// The file's name on their disk.
    pub original_name: String,
}

/// An upload that is announced.
#[derive(Debug, Clone)]
pub struct NewUpload {
    /// Who sends it.
    pub sender: Sender,
    /// In lower case, without the dot.
    pub extension: String,
    /// Of the whole file.
    pub length: i64,
    /// The demo whose file it is to be; none for a new one.
    pub replaces: Option<Uuid>,
}

/// How far an upload is.
#[derive(Debug, Clone)]
pub enum State {
    /// Bytes are missing.
    Open(Sender),
    /// It became a demo.
    Accepted,
    /// Its content was not what its name said.
    Refused(DemoError),
}

/// An upload that has not expired.
#[derive(Debug, Clone)]
pub struct Upload {
    /// How far it is.
    pub state: State,
    /// In lower case, without the dot.
    pub extension: String,
    /// Of the whole file.
    pub length: i64,
    /// The demo whose file it is to be; none for a new one.
    pub replaces: Option<Uuid>,
    /// The bytes that are kept.
    pub received: i64,
    /// When it was announced.
    pub created_at: Micros,
    /// When it is dropped.
    pub expires_at: Micros,
    /// Until when the bytes that are missing have their room.
    pub held_until: Micros,
    /// Whether a request writes to it, or did when its program was killed.
    pub is_written: bool,
}

/// The request that writes to an upload, and from which byte on. What it does counts only while nobody else has begun to write.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The hash of the upload's token.
    pub id: Vec<u8>,
    /// This request.
    pub writer: Uuid,
    /// The first byte it brings.
    pub offset: i64,
    /// When its upload was announced.
    pub created_at: Micros,
    /// Until when the missing bytes had their room before this request.
    pub held_until: Micros,
}

/// How far an upload is after a request.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The bytes that are kept.
    pub offset: i64,
    /// When they are dropped, unless more follow.
    pub expires_at: Micros,
}

/// An upload that waits for the bytes of this request.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) claim: Claim,
    pub(super) sender: Sender,
    pub(super) extension: String,
    pub(super) length: i64,
    pub(super) replaces: Option<Uuid>,
    pub(super) expires_at: Micros,
}

/// The hash by which an upload is stored, of what stands in its address; 404 for anything that was never handed out.
pub fn id_of(token: &str) -> AppResult<Vec<u8>> {
    Token::parse(token).map(|token| token.hash()).ok_or_else(AppError::not_found)
}

/// 409: the bytes do not begin where the kept ones end, or another request has begun to write.
pub fn conflict() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::UploadOffset)
}

/// 422: what a refused upload is answered with, now and later.
pub fn refused(refusal: DemoError) -> AppError {
    AppError::invalid("file", refusal)
}

/// When an upload that was announced at `now` is dropped, unless bytes come.
pub fn announced_expiry(now: Micros) -> Micros {
    now.saturating_add(clock::micros(ANNOUNCED_MS))
}

/// When an upload that was announced at `created_at`, and whose bytes were kept at `now`, is dropped.
pub fn expiry(created_at: Micros, now: Micros) -> Micros {
    let end = created_at.saturating_add(clock::micros(UPLOAD_ABSOLUTE_MS));
    now.saturating_add(clock::micros(UPLOAD_MS)).min(end)
}

/// Until when an upload that was announced at `now` has room for bytes of which none has come.
pub fn announced_held_until(now: Micros) -> Micros {
    now.saturating_add(clock::micros(ANNOUNCED_HELD_MS))
}

/// Until when the missing bytes of an upload have their room after `kept` more at `now`: so long as those may take at the slowest rate.
pub fn held_until(before: Micros, kept: i64, now: Micros) -> Micros {
    let bought = u64::try_from(kept).unwrap_or(0).saturating_mul(1_000) / RATE_MIN_BYTES;
    before.max(now).saturating_add(clock::micros(bought))
}

/// When the answer of an upload that ended at `now` is forgotten.
pub fn answer_expiry(now: Micros) -> Micros {
    now.saturating_add(clock::micros(UPLOAD_MS))
}
