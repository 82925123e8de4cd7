//! Addresses that left, bounced, complained or were removed, so that no import brings them back. They are MACs by a key that is itself a
//! row: that keeps the list from being read as addresses, but is no secret to a reader of the whole database.

use anyhow::Context as _;
use std::collections::HashSet;

use deadwax_store::{
    Failure,
    clock::Micros,
    crypto,
    db::{Db, Source, Tx},
    ids::SubscriptionId,
    statements,
};
use serde_json::{Value, json};
use uuid::Uuid;

statements! {
    // Also of one that an import has ended, so that its undo does not restore it.
    END = "UPDATE newsletter_subscriptions SET active = FALSE, inactive_reason = $3, inactive_at = $2, suppressed = TRUE, \
            ended_by = NULL, updated_at = $2, version = version + 1 \
        WHERE id = $1 AND (active OR ended_by IS NOT NULL) RETURNING email";
    KEY = "SELECT value FROM installation WHERE name = 'suppression_key'";
    MAKE_KEY = "INSERT INTO installation (name, value, created_at) VALUES ('suppression_key', $1, $2) ON CONFLICT (name) DO NOTHING";
    FIND = "SELECT created_at FROM suppressions WHERE address = $1";
    // The first reason stays, unless it is an import's: then it becomes the person's, which no undo takes back. Its time stays, so that who
    // leaves and comes back is suppressed as before.
    INSERT = "INSERT INTO suppressions (address, reason, created_at) VALUES ($1, $2, $3) \
        ON CONFLICT (address) DO UPDATE SET reason = excluded.reason, added_by = NULL \
        WHERE suppressions.added_by IS NOT NULL";
    INSERT_MANY = "INSERT INTO suppressions (address, reason, created_at, added_by) \
        SELECT unhex(value ->> 'address', ''), value ->> 'reason', CAST(value ->> 'now' AS BIGINT), unhex(value ->> 'import') \
        FROM json_each($1) WHERE TRUE ON CONFLICT (address) DO NOTHING";
    AMONG = "SELECT address FROM suppressions WHERE address IN (SELECT unhex(value ->> 'address', '') FROM json_each($1))";
    UNDO_AMONG = "DELETE FROM suppressions \
        WHERE added_by = $2 AND address IN (SELECT unhex(value ->> 'address', '') FROM json_each($1))";
    UNDO_SOME = "DELETE FROM suppressions \
        WHERE address IN (SELECT s.address FROM suppressions s WHERE s.added_by = $1 LIMIT $2)",
        postgres "DELETE FROM suppressions \
        WHERE address = ANY(ARRAY(SELECT s.address FROM suppressions s WHERE s.added_by = $1 LIMIT $2))";
    DELETE = "DELETE FROM suppressions WHERE address = $1";
    DELETE_OF = "DELETE FROM suppressions WHERE address = $1 AND created_at = $2";
    COUNT = "SELECT COUNT(*) FROM suppressions";
}

/// An address as the list of suppressions holds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Suppressed(Vec<u8>);

/// The key of the codes.
#[derive(Clone, Debug)]
pub struct Key([u8; 32]);

impl Key {
    /// The code of a stored address.
    pub fn code_of(&self, email: &str) -> Suppressed {
        Suppressed(crypto::hmac(&self.0, &[email.as_bytes()]).to_vec())
    }
}

/// The code of a stored address; the first call makes the key.
pub async fn code_of(tx: &mut Tx, email: &str, now: Micros) -> Result<Suppressed, Failure> {
    Ok(key(tx, now).await?.code_of(email))
}

/// The key; none before the first suppression.
pub async fn find_key(db: &Db) -> Result<Option<Key>, Failure> {
    Ok(db.query(KEY).maybe::<String>().await?.map(|stored| read_key(&stored)).transpose()?)
}

/// The key; the first call makes it.
pub async fn key(tx: &mut Tx, now: Micros) -> Result<Key, Failure> {
    let mut stored = tx.query(KEY).maybe::<String>().await?;
    if stored.is_none() {
        let fresh = hex::encode(rand::random::<[u8; 32]>());
        tx.query(MAKE_KEY).bind(fresh).bind(now).execute().await?;
        stored = tx.query(KEY).maybe().await?;
    }
    Ok(read_key(&stored.unwrap_or_default())?)
}

fn read_key(stored: &str) -> anyhow::Result<Key> {
    let key = hex::decode(stored).ok().and_then(|key| <[u8; 32]>::try_from(key).ok());
    key.map(Key).context("installation: suppression_key is not 32 bytes in hex")
}

/// Ends a subscription that has not ended, and suppresses its address.
pub async fn end(tx: &mut Tx, id: SubscriptionId, reason: &'static str, now: Micros) -> Result<(), Failure> {
    if let Some(email) = tx.query(END).bind(id).bind(now).bind(reason).maybe::<String>().await? {
        code_of(tx, &email, now).await?.add(tx, reason, now).await?;
    }
    Ok(())
}

/// Those of the codes that are suppressed.
pub async fn among(source: &mut Source<'_>, codes: &[Suppressed]) -> sqlx::Result<HashSet<Suppressed>> {
    Ok(source.query(AMONG).bind(listed(codes)).values().await?.into_iter().map(Suppressed).collect())
}

fn listed(codes: &[Suppressed]) -> String {
    let codes = codes.iter().map(|code| json!({"address": hex::encode(&code.0)}));
    codes.collect::<Value>().to_string()
}

/// Adds suppressions in the name of an import; how many are new.
pub async fn add_many(
    tx: &mut Tx,
    codes: impl Iterator<Item = (Suppressed, &'static str)>,
    import: Uuid,
    now: Micros,
) -> sqlx::Result<u64> {
    let import = hex::encode(import);
    let rows = codes.map(|(code, reason)| {
        json!({"address": hex::encode(&code.0), "reason": reason, "now": now, "import": import})
    });
    tx.query(INSERT_MANY).bind(rows.collect::<Value>().to_string()).execute().await
}

/// Takes back those of the codes that an import has added.
pub async fn undo_among(tx: &mut Tx, codes: &[Suppressed], import: Uuid) -> sqlx::Result<u64> {
    tx.query(UNDO_AMONG).bind(listed(codes)).bind(import).execute().await
}

/// Takes back at most `most` suppressions of an import; how many.
pub async fn undo_some(tx: &mut Tx, import: Uuid, most: i64) -> sqlx::Result<u64> {
    tx.query(UNDO_SOME).bind(import).bind(most).execute().await
}

impl Suppressed {
    pub async fn is_there(&self, tx: &mut Tx) -> sqlx::Result<bool> {
        tx.query(FIND).bind(&self.0).exists().await
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
    Ok(db.query(COUNT).value::<i64>().await? > 0 && !db.query(KEY).exists().await?)
}
