//! The parts of an upload: what its earlier requests brought, as private files under `parts/`, which no address serves.

use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    deletions, statements,
};

use super::upload::Claim;

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

/// How many parts an upload has.
pub async fn count(tx: &mut Tx, id: &[u8]) -> sqlx::Result<i64> {
    Ok(tx.query(COUNT).bind(id).one::<(i64,)>().await?.0)
}

/// Writes the row of a part that was stored under `key`.
pub async fn insert(tx: &mut Tx, claim: &Claim, size_bytes: i64, key: &str) -> sqlx::Result<()> {
    tx.query(INSERT).bind(&claim.id).bind(claim.offset).bind(size_bytes).bind(key).execute().await.map(drop)
}

/// Removes all parts of an upload.
pub async fn remove(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<()> {
    let keys: Vec<String> =
        tx.query(KEYS).bind(id).all::<(String,)>().await?.into_iter().map(|(key,)| key).collect();
    tx.query(DELETE).bind(id).execute().await?;
    deletions::remove_files(tx, &keys, now).await
}
