//! The rows of stored files: what each is, and that it is there. From the commit of its row on, a file's key answers.

use sha2::{Digest as _, Sha256};

use crate::{
    clock::Micros,
    columns::signed,
    db::{Db, Tx},
    statements,
};

statements! {
    FIND = "SELECT content_type, size_bytes, sha256, original_key FROM objects WHERE key = $1";
    ANY = "SELECT COUNT(*) FROM (SELECT 1 FROM objects LIMIT 1) o";
    INSERT = "INSERT INTO objects (key, content_type, size_bytes, sha256, width, height, small_key, original_key, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
}

#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Object {
    pub content_type: String,
    pub size_bytes: i64,
    /// Its SHA-256 in hex; also its entity tag.
    pub sha256: String,
    /// The picture that it is a size of.
    pub original_key: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct NewObject<'a> {
    pub key: &'a str,
    pub fingerprint: Fingerprint,
    pub dimensions: Option<(u32, u32)>,
    pub small_key: Option<&'a str>,
    /// The picture that it is a size of.
    pub original_key: Option<&'a str>,
}

impl<'a> NewObject<'a> {
    pub const fn new(key: &'a str, fingerprint: Fingerprint) -> Self {
        Self { key, fingerprint, dimensions: None, small_key: None, original_key: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    pub size_bytes: u64,
    pub sha256: [u8; 32],
}

impl Fingerprint {
    pub fn of(bytes: &[u8]) -> Self {
        Self { size_bytes: bytes.len() as u64, sha256: Sha256::digest(bytes).into() }
    }
}

/// Where a stored file is read.
pub fn url(key: &str) -> String {
    format!("/media/{key}")
}

pub async fn find(db: &Db, key: &str) -> sqlx::Result<Option<Object>> {
    db.query(FIND).bind(key).optional::<Object>().await
}

pub async fn exist(db: &Db) -> sqlx::Result<bool> {
    Ok(db.query(ANY).value::<i64>().await? > 0)
}

/// Makes a stored file readable: from the commit of `tx` on, its key answers.
pub async fn insert(tx: &mut Tx, object: &NewObject<'_>, now: Micros) -> sqlx::Result<()> {
    let content_type = rules::media_name::content_type(object.key).unwrap_or("application/octet-stream");
    let sha256 = hex::encode(object.fingerprint.sha256);
    let (width, height) =
        object.dimensions.map(|(width, height)| (i64::from(width), i64::from(height))).unzip();
    tx.query(INSERT)
        .bind(object.key)
        .bind(content_type)
        .bind(signed(object.fingerprint.size_bytes))
        .bind(sha256)
        .bind(width)
        .bind(height)
        .bind(object.small_key)
        .bind(object.original_key)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}
