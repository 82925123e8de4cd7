//! A sender's links to a demo, stored as hashes of their tokens: one in the confirmation letter, and one with the
//! token of the upload. Each shows the demo's state, replaces its file until it is heard, and erases everything.

use std::net::IpAddr;

use deadwax_store::{
    clock::Micros,
    crypto::Token,
    db::{Db, Tx},
    limits::{self, LimitError},
    statements,
};
use rules::rate_limit::SENDER_LINK;
use uuid::Uuid;

macro_rules! find {
    () => {
        "SELECT d.id, d.artist_name, d.email, d.message, d.file_key FROM demo_links l JOIN demos d ON d.id = l.demo_id \
         WHERE l.token_hash = $1 AND d.deleted_at IS NULL"
    };
}

statements! {
    INSERT = "INSERT INTO demo_links (token_hash, demo_id, created_at) VALUES ($1, $2, $3)";
    FIND = find!();
    LOCK = find!(), postgres + " FOR UPDATE OF d";
}

/// The demo of a link.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct LinkedDemo {
    pub id: Uuid,
    pub artist_name: String,
    pub email: String,
    pub message: Option<String>,
    pub file_key: String,
}

/// Creates a link; only the returned value holds the token.
pub async fn create(tx: &mut Tx, demo: Uuid, now: Micros) -> sqlx::Result<Token> {
    let token = Token::random();
    insert(tx, &token.hash(), demo, now).await?;
    Ok(token)
}

pub async fn insert(tx: &mut Tx, token_hash: &[u8], demo: Uuid, now: Micros) -> sqlx::Result<()> {
    tx.query(INSERT).bind(token_hash).bind(demo).bind(now).execute().await.map(drop)
}

/// Counts an attempt to change a demo by a link, before the link is checked. Looking has no limit, because the token
/// is 256 random bits.
pub async fn count(db: &Db, client: IpAddr, now: Micros) -> Result<(), LimitError> {
    limits::take_by_network(db, "sender-link", client, SENDER_LINK, now).await
}

/// The demo of a link; none for an unknown token, or if the demo is deleted or in the trash.
pub async fn find(db: &Db, token: &str) -> sqlx::Result<Option<LinkedDemo>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    db.query(FIND).bind(token.hash()).optional::<LinkedDemo>().await
}

/// As [`find()`], and locks the demo's row until the transaction ends.
pub async fn lock(tx: &mut Tx, token: &str) -> sqlx::Result<Option<LinkedDemo>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    tx.query(LOCK).bind(token.hash()).optional::<LinkedDemo>().await
}
