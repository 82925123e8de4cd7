//! Addresses that left, bounced, complained or were erased, so that no import brings them back. They are MACs by a key that is itself a
//! row: that keeps the list from being read as addresses, but is no secret to a reader of the whole database.

use anyhow::Context as _;
use deadwax_store::{
    Failure,
    clock::Micros,
    crypto,
    db::{Db, Tx},
    statements,
};

statements! {
    KEY = "SELECT value FROM installation WHERE name = 'suppression_key'";
    MAKE_KEY = "INSERT INTO installation (name, value, created_at) VALUES ('suppression_key', $1, $2) ON CONFLICT (name) DO NOTHING";
    FIND = "SELECT created_at FROM suppressions WHERE address = $1";
    // The first reason stays.
    INSERT = "INSERT INTO suppressions (address, reason, created_at) VALUES ($1, $2, $3) ON CONFLICT (address) DO NOTHING";
    DELETE = "DELETE FROM suppressions WHERE address = $1";
    DELETE_OF = "DELETE FROM suppressions WHERE address = $1 AND created_at = $2";
    COUNT = "SELECT COUNT(*) FROM suppressions";
}

/// An address as the list of suppressions holds it.
#[derive(Debug)]
pub struct Suppressed(Vec<u8>);

/// The code of a stored address; the first call makes the key.
pub async fn code_of(tx: &mut Tx, email: &str, now: Micros) -> Result<Suppressed, Failure> {
    let mut stored = tx.query(KEY).optional::<(String,)>().await?;
    if stored.is_none() {
        let fresh = hex::encode(rand::random::<[u8; 32]>());
        tx.query(MAKE_KEY).bind(fresh).bind(now).execute().await?;
        stored = tx.query(KEY).optional().await?;
    }
    let (key,) = stored.unwrap_or_default();
    let key = hex::decode(key).ok().and_then(|key| <[u8; 32]>::try_from(key).ok());
    let key = key.context("installation: suppression_key is not 32 bytes in hex")?;
    Ok(Suppressed(crypto::hmac(&key, &[email.as_bytes()]).to_vec()))
}

impl Suppressed {
    pub async fn is_there(&self, tx: &mut Tx) -> sqlx::Result<bool> {
        Ok(tx.query(FIND).bind(&self.0).optional::<(Micros,)>().await?.is_some())
    }

    pub async fn add(&self, tx: &mut Tx, reason: &'static str, now: Micros) -> sqlx::Result<()> {
        tx.query(INSERT).bind(&self.0).bind(reason).bind(now).execute().await.map(drop)
    }

    pub async fn lift(&self, tx: &mut Tx) -> sqlx::Result<()> {
        tx.query(DELETE).bind(&self.0).execute().await.map(drop)
    }

    /// Takes back the suppression that was added at `at`. False if an earlier one stands.
    pub async fn take_back(&self, tx: &mut Tx, at: Micros) -> sqlx::Result<bool> {
        Ok(tx.query(DELETE_OF).bind(&self.0).bind(at).execute().await? > 0)
    }
}

/// For `deadwax check`: whether suppressions exist whose key does not, so that they match no address.
pub async fn is_without_key(db: &Db) -> sqlx::Result<bool> {
    let (count,) = db.query(COUNT).one::<(i64,)>().await?;
    Ok(count > 0 && db.query(KEY).optional::<(String,)>().await?.is_none())
}
