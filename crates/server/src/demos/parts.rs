//! The parts of an upload: the bytes of earlier requests, as private files under `parts/`, which no address serves.

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

#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Part {
    pub start: i64,
    pub size_bytes: i64,
    pub key: String,
}

pub async fn list(db: &Db, id: &[u8]) -> sqlx::Result<Vec<Part>> {
    db.query(LIST).bind(id).all::<Part>().await
}

pub async fn count(tx: &mut Tx, id: &[u8]) -> sqlx::Result<i64> {
    Ok(tx.query(COUNT).bind(id).one::<(i64,)>().await?.0)
}

pub async fn insert(tx: &mut Tx, claim: &Claim, size_bytes: i64, key: &str) -> sqlx::Result<()> {
    tx.query(INSERT).bind(&claim.id).bind(claim.offset).bind(size_bytes).bind(key).execute().await.map(drop)
}

pub async fn remove(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<()> {
    let keys: Vec<String> =
        tx.query(KEYS).bind(id).all::<(String,)>().await?.into_iter().map(|(key,)| key).collect();
    tx.query(DELETE).bind(id).execute().await?;
    deletions::remove_files(tx, &keys, now).await
}
