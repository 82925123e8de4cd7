//! Uploads and their parts: the sender, the progress, the request that writes, and the deadlines. A request changes a row in a single
//! statement or under its lock; the bytes of parts are private files under `parts/`, which no address serves.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{self, Micros},
    columns::unsigned,
    crypto::Token,
    db::{Db, Source, Tx, known},
    deletions,
    ids::DemoId,
    statements,
};
use http::StatusCode;
use rules::{
    demo::{ANNOUNCED_HELD_MS, ANNOUNCED_MS, DemoError, UPLOAD_ABSOLUTE_MS, UPLOAD_MS, WRITING_MS},
    messages::Code,
    request::RATE_MIN_BYTES,
};
use uuid::Uuid;

macro_rules! select {
    () => {
        "SELECT artist_name, email, message, original_name, extension, length, received, finished_at, refusal, created_at, \
            expires_at, held_until, writer IS NOT NULL AS is_written, replaces \
         FROM uploads \
         WHERE id_hash = $1 AND expires_at > $2"
    };
}

statements! {
    FIND = select!();
    LOCK = select!(), postgres + " FOR UPDATE";
    INSERT = "INSERT INTO uploads (id_hash, artist_name, email, message, original_name, extension, length, created_at, \
            expires_at, held_until, replaces) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    CLAIM = "UPDATE uploads SET writer = $2, held_until = $3 WHERE id_hash = $1";
    RELEASE = "UPDATE uploads SET writer = NULL, held_until = $3 WHERE id_hash = $1 AND writer = $2";
    ADVANCE = "UPDATE uploads SET received = $4, expires_at = $5, held_until = $6, writer = NULL \
        WHERE id_hash = $1 AND writer = $2 AND received = $3 AND finished_at IS NULL";
    FINISH = "UPDATE uploads SET finished_at = $4, refusal = $5, received = $6, expires_at = $7, writer = NULL, \
        artist_name = NULL, email = NULL, message = NULL, original_name = NULL \
        WHERE id_hash = $1 AND writer = $2 AND received = $3 AND finished_at IS NULL";
    DELETE = "DELETE FROM uploads WHERE id_hash = $1";
    OF_DEMO = "SELECT id_hash FROM uploads WHERE replaces = $1", postgres + " FOR UPDATE";
    EXPIRED = "SELECT id_hash FROM uploads WHERE expires_at <= $1 AND (writer IS NULL OR expires_at <= $2)";
    IS_EXPIRED = "SELECT id_hash FROM uploads WHERE expires_at <= $1 AND (writer IS NULL OR expires_at <= $2) AND id_hash = $3",
        postgres + " FOR UPDATE SKIP LOCKED";
    LIST_PARTS = "SELECT start, size_bytes, key FROM upload_parts WHERE upload_hash = $1 ORDER BY start";
    COUNT_PARTS = "SELECT COUNT(*) FROM upload_parts WHERE upload_hash = $1";
    INSERT_PART = "INSERT INTO upload_parts (upload_hash, start, size_bytes, key) VALUES ($1, $2, $3, $4)";
    DELETE_PARTS = "DELETE FROM upload_parts WHERE upload_hash = $1";
}

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
    pub replaces: Option<DemoId>,
}

#[derive(Debug, Clone)]
pub enum UploadState {
    /// Bytes are missing.
    Open(Sender),
    /// It became a demo.
    Accepted,
    /// The content did not match the file's name.
    Refused(DemoError),
}

#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Upload {
    artist_name: Option<String>,
    email: Option<String>,
    message: Option<String>,
    original_name: Option<String>,
    finished_at: Option<Micros>,
    refusal: Option<String>,
    pub extension: String,
    pub length: i64,
    pub replaces: Option<DemoId>,
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
pub struct WriterClaim {
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
pub(super) struct ClaimedUpload {
    pub(super) claim: WriterClaim,
    pub(super) sender: Sender,
    pub(super) extension: String,
    pub(super) length: i64,
    pub(super) replaces: Option<DemoId>,
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
    let bought = unsigned(kept).saturating_mul(1_000) / RATE_MIN_BYTES;
    before.max(now).saturating_add(clock::micros(bought))
}

/// When the answer of an upload that ended at `now` is forgotten.
pub fn answer_expiry(now: Micros) -> Micros {
    now.saturating_add(clock::micros(UPLOAD_MS))
}

impl Upload {
    pub fn state(&self, id: &[u8]) -> sqlx::Result<UploadState> {
        let Self { artist_name, email, message, original_name, finished_at, refusal, .. } = self.clone();
        Ok(match (artist_name, email, original_name, refusal) {
            (Some(artist_name), Some(email), Some(original_name), _) if finished_at.is_none() => {
                UploadState::Open(Sender { artist_name, email, message, original_name })
            }
            (.., None) => UploadState::Accepted,
            (.., Some(code)) => {
                let id = format_args!("{id:02x?}");
                UploadState::Refused(known(DemoError::of_content, &code, ("uploads", "refusal", &id))?)
            }
        })
    }
}

pub async fn find(db: &Db, id: &[u8], now: Micros) -> sqlx::Result<Option<Upload>> {
    db.query(FIND).bind(id).bind(now).optional().await
}

/// As [`find`], and locks its row until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<Option<Upload>> {
    tx.query(LOCK).bind(id).bind(now).optional().await
}

pub async fn insert(tx: &mut Tx, id: &[u8], new: &NewUpload, now: Micros) -> sqlx::Result<()> {
    let Sender { artist_name, email, message, original_name } = &new.sender;
    tx.query(INSERT)
        .bind(id)
        .bind(artist_name)
        .bind(email)
        .bind(message.as_deref())
        .bind(original_name)
        .bind(&new.extension)
        .bind(new.length)
        .bind(now)
        .bind(announced_expiry(now))
        .bind(announced_held_until(now))
        .bind(new.replaces)
        .execute()
        .await
        .map(drop)
}

/// Makes a request the writer; an earlier one fails when it wants to keep its bytes. It extends no deadline, which
/// only kept bytes do, and reserves space for the whole file.
pub async fn claim(tx: &mut Tx, claim: &WriterClaim, now: Micros) -> sqlx::Result<()> {
    let ended = now.saturating_add(clock::micros(WRITING_MS));
    tx.query(CLAIM).bind(&claim.id).bind(claim.writer).bind(ended).execute().await.map(drop)
}

/// Ends the claim of a request that kept nothing.
pub async fn release(db: &Db, claim: &WriterClaim) -> sqlx::Result<()> {
    db.write(RELEASE).bind(&claim.id).bind(claim.writer).bind(claim.held_until).execute().await.map(drop)
}

/// Records that the bytes up to `end` are kept and ends the claim; 409 if a newer request writes.
pub async fn advance(tx: &mut Tx, claim: &WriterClaim, end: i64, now: Micros) -> AppResult<()> {
    let rows = tx
        .query(ADVANCE)
        .bind(&claim.id)
        .bind(claim.writer)
        .bind(claim.offset)
        .bind(end)
        .bind(expiry(claim.created_at, now))
        .bind(held_until(claim.held_until, end - claim.offset, now))
        .execute()
        .await?;
    if rows == 0 { Err(conflict()) } else { Ok(()) }
}

/// Ends an upload of `length` bytes, accepted or refused; erases the sender's data and the parts. 409 if a newer
/// request writes.
pub async fn finish(
    tx: &mut Tx,
    claim: &WriterClaim,
    length: i64,
    refusal: Option<DemoError>,
    now: Micros,
) -> AppResult<()> {
    let code = refusal.map(DemoError::code);
    let rows = tx
        .query(FINISH)
        .bind(&claim.id)
        .bind(claim.writer)
        .bind(claim.offset)
        .bind(now)
        .bind(code)
        .bind(length)
        .bind(answer_expiry(now))
        .execute()
        .await?;
    if rows == 0 {
        return Err(conflict());
    }
    Ok(delete_parts(tx, &claim.id, now).await?)
}

pub async fn delete(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<()> {
    delete_parts(tx, id, now).await?;
    tx.query(DELETE).bind(id).execute().await.map(drop)
}

/// Deletes every upload that was to replace a demo's file.
pub async fn delete_of_demo(tx: &mut Tx, demo: DemoId, now: Micros) -> sqlx::Result<()> {
    for id in tx.query(OF_DEMO).bind(demo).values::<Vec<u8>>().await? {
        delete(tx, &id, now).await?;
    }
    Ok(())
}

/// Deletes expired uploads. One that a request writes to stays until the request must have ended, because it may renew
/// it. A failure does not keep the others.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    let written_until = now.saturating_sub(clock::micros(WRITING_MS));
    for id in db.query(EXPIRED).bind(now).bind(written_until).values::<Vec<u8>>().await? {
        let dropped = async {
            let mut tx = db.begin().await?;
            if tx.query(IS_EXPIRED).bind(now).bind(written_until).bind(&id).exists().await? {
                delete(&mut tx, &id, now).await?;
                tx.commit().await?;
            }
            Ok::<_, sqlx::Error>(())
        };
        if let Err(error) = dropped.await {
            tracing::warn!(cause = %error, "dropping an expired upload");
        }
    }
    Ok(())
}

#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Part {
    pub start: i64,
    pub size_bytes: i64,
    pub key: String,
}

pub async fn list_parts(source: impl Into<Source<'_>>, id: &[u8]) -> sqlx::Result<Vec<Part>> {
    source.into().query(LIST_PARTS).bind(id).all::<Part>().await
}

pub async fn count_parts(tx: &mut Tx, id: &[u8]) -> sqlx::Result<i64> {
    tx.query(COUNT_PARTS).bind(id).value().await
}

pub async fn insert_part(tx: &mut Tx, claim: &WriterClaim, size_bytes: i64, key: &str) -> sqlx::Result<()> {
    tx.query(INSERT_PART)
        .bind(&claim.id)
        .bind(claim.offset)
        .bind(size_bytes)
        .bind(key)
        .execute()
        .await
        .map(drop)
}

async fn delete_parts(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<()> {
    for part in list_parts(&mut *tx, id).await? {
        deletions::queue(tx, &part.key, now).await?;
    }
    tx.query(DELETE_PARTS).bind(id).execute().await.map(drop)
}
