//! The parts of an upload: what its earlier requests brought, as private files under `parts/`, which no address serves.

use http::StatusCode;
use rules::demo::UPLOAD_PARTS_MAX;
use uuid::Uuid;

use super::{
    append::Progress,
    uploads::{self, Claim},
};
use crate::{
    app::AppState,
    clock::Micros,
    db::{Db, Tx},
    deletions,
    error::{AppError, AppResult},
    spool::Spooled,
    statements,
};

statements! {
    LIST = "SELECT start, size_bytes, key FROM upload_parts WHERE upload_hash = $1 ORDER BY start";
    KEYS = "SELECT key FROM upload_parts WHERE upload_hash = $1";
    COUNT = "SELECT COUNT(*) FROM upload_parts WHERE upload_hash = $1";
    INSERT = "INSERT INTO upload_parts (upload_hash, start, size_bytes, key) VALUES ($1, $2, $3, $4)";
    DELETE = "DELETE FROM upload_parts WHERE upload_hash = $1";
}

/// A part.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Part {
    /// Its first byte's place in the file.
    pub start: i64,
    /// Its length.
    pub size_bytes: i64,
    /// Where it is stored.
    pub key: String,
}

/// The parts in the order of their bytes.
pub async fn list(db: &Db, id: &[u8]) -> sqlx::Result<Vec<Part>> {
    db.query(LIST).bind(id).all::<Part>().await
}

/// Keeps what a request brought, in storage and in the row; 409 when another request has begun to write.
pub async fn keep(app: &AppState, claim: &Claim, spooled: &Spooled) -> AppResult<Progress> {
    let key = format!("parts/{}", Uuid::new_v4().simple());
    let turn = app.storage.turn().await;
    let now = app.clock.now();
    deletions::reserve(&app.db, &key, now).await?;
    let kept = async {
        app.storage.put_file(&turn, &key, spooled.path()).await?;
        let size = i64::try_from(spooled.size_bytes).unwrap_or(i64::MAX);
        let mut tx = app.db.begin().await?;
        let offset = claim.offset + size;
        uploads::advance(&mut tx, claim, offset, now).await?;
        let (parts,) = tx.query(COUNT).bind(&claim.id).one::<(i64,)>().await?;
        if parts >= i64::from(UPLOAD_PARTS_MAX) {
            return Err(too_many());
        }
        if !deletions::keep(&mut tx, &key).await? {
            return Err(AppError::busy(rules::request::BUSY_SECONDS));
        }
        tx.query(INSERT).bind(&claim.id).bind(claim.offset).bind(size).bind(&key).execute().await?;
        tx.commit().await?;
        Ok(Progress { offset, expires_at: uploads::expiry(now) })
    };
    let kept = kept.await;
    if kept.is_err() {
        deletions::give_up(&app.db, &key, app.clock.now()).await;
    }
    kept
}

/// 422: an upload in so many requests would be a file in so many pieces. Only one that brings all that is missing is taken.
fn too_many() -> AppError {
    AppError::stated(StatusCode::UNPROCESSABLE_ENTITY, "too_many_parts")
}

/// Removes all parts of an upload.
pub async fn remove(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<()> {
    let keys: Vec<String> =
        tx.query(KEYS).bind(id).all::<(String,)>().await?.into_iter().map(|(key,)| key).collect();
    tx.query(DELETE).bind(id).execute().await?;
    deletions::remove_files(tx, &keys, now).await
}
