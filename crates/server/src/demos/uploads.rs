//! The rows of uploads. A request changes one in a single statement or under its lock; the bytes are elsewhere.

use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::{self, Micros},
    db::{Db, Tx, known},
    statements,
};
use rules::demo::{DemoError, WRITING_MS};
use uuid::Uuid;

use super::{
    parts,
    upload::{
        Claim, NewUpload, Sender, State, Upload, announced_expiry, announced_held_until, answer_expiry,
        conflict, expiry, held_until,
    },
};

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
}

#[derive(sqlx::FromRow)]
struct Row {
    artist_name: Option<String>,
    email: Option<String>,
    message: Option<String>,
    original_name: Option<String>,
    extension: String,
    length: i64,
    received: i64,
    finished_at: Option<i64>,
    refusal: Option<String>,
    created_at: i64,
    expires_at: i64,
    held_until: i64,
    is_written: bool,
    replaces: Option<Uuid>,
}

impl Row {
    fn into_upload(self, id: &[u8]) -> sqlx::Result<Upload> {
        let state = match (self.artist_name, self.email, self.original_name) {
            (Some(artist_name), Some(email), Some(original_name)) if self.finished_at.is_none() => {
                State::Open(Sender { artist_name, email, message: self.message, original_name })
            }
            _ => match self.refusal {
                None => State::Accepted,
                Some(code) => {
                    let place = ("uploads", "refusal", &format_args!("{id:02x?}") as &dyn std::fmt::Display);
                    State::Refused(known(DemoError::of_content, &code, place)?)
                }
            },
        };
        Ok(Upload {
            state,
            extension: self.extension,
            length: self.length,
            replaces: self.replaces,
            received: self.received,
            created_at: self.created_at,
            expires_at: self.expires_at,
            held_until: self.held_until,
            is_written: self.is_written,
        })
    }
}

pub async fn find(db: &Db, id: &[u8], now: Micros) -> sqlx::Result<Option<Upload>> {
    let row = db.query(FIND).bind(id).bind(now).optional::<Row>().await?;
    row.map(|row| row.into_upload(id)).transpose()
}

/// As [`find`], and locks its row until the transaction ends.
pub async fn lock(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<Option<Upload>> {
    let row = tx.query(LOCK).bind(id).bind(now).optional::<Row>().await?;
    row.map(|row| row.into_upload(id)).transpose()
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
pub async fn claim(tx: &mut Tx, claim: &Claim, now: Micros) -> sqlx::Result<()> {
    let ended = now.saturating_add(clock::micros(WRITING_MS));
    tx.query(CLAIM).bind(&claim.id).bind(claim.writer).bind(ended).execute().await.map(drop)
}

/// Ends the claim of a request that kept nothing.
pub async fn release(db: &Db, claim: &Claim) -> sqlx::Result<()> {
    db.write(RELEASE).bind(&claim.id).bind(claim.writer).bind(claim.held_until).execute().await.map(drop)
}

/// Records that the bytes up to `end` are kept and ends the claim; 409 if a newer request writes.
pub async fn advance(tx: &mut Tx, claim: &Claim, end: i64, now: Micros) -> AppResult<()> {
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
    claim: &Claim,
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
    Ok(parts::remove(tx, &claim.id, now).await?)
}

pub async fn delete(tx: &mut Tx, id: &[u8], now: Micros) -> sqlx::Result<()> {
    parts::remove(tx, id, now).await?;
    tx.query(DELETE).bind(id).execute().await.map(drop)
}

/// Deletes every upload that was to replace a demo's file.
pub async fn delete_of_demo(tx: &mut Tx, demo: Uuid, now: Micros) -> sqlx::Result<()> {
    for (id,) in tx.query(OF_DEMO).bind(demo).all::<(Vec<u8>,)>().await? {
        delete(tx, &id, now).await?;
    }
    Ok(())
}

/// Deletes expired uploads. One that a request writes to stays until the request must have ended, because it may renew
/// it. A failure does not keep the others.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    let written_until = now.saturating_sub(clock::micros(WRITING_MS));
    let expired = db.query(EXPIRED).bind(now).bind(written_until).all::<(Vec<u8>,)>().await?;
    for (id,) in expired {
        let dropped = async {
            let mut tx = db.begin().await?;
            let found = tx.query(IS_EXPIRED).bind(now).bind(written_until).bind(&id);
            if found.optional::<(Vec<u8>,)>().await?.is_some() {
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
