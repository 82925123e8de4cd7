//! The outbox: rows that wait, are leased to one worker at a time, and end as sent or dead. The content of a mail is sealed, so that a
//! copy of the database holds no code, token or address, and dropped when the mail ends.

use deadwax_store::{
    Failure,
    clock::{Clock, Micros, SECOND, micros},
    crypto::Keys,
    db::{Db, Tx},
    statements,
};
use uuid::Uuid;

use super::{
    letter::Content,
    letter::Letter,
    retry::{DeliveryState, MESSAGE_AGE, Patience},
};

macro_rules! lease {
    ($start:literal, $end:literal) => {
        concat!(
            "UPDATE outbox SET leased_until = $2, tries = CASE WHEN leased_until IS NULL THEN tries ELSE tries + 1 END WHERE id ",
            $start,
            "SELECT id FROM outbox \
                 WHERE sent_at IS NULL AND dead_at IS NULL AND next_try_at <= $1 \
                     AND (leased_until IS NULL OR leased_until <= $3) \
                 ORDER BY next_try_at, id LIMIT $4",
            $end,
            " RETURNING id, kind, sealed, patience, not_after, created_at, tries"
        )
    };
}

statements! {
    INSERT = "INSERT INTO outbox (id, kind, sealed, patience, not_after, created_at, next_try_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    // A mail that a worker holds, or that a server was given, may have arrived.
    CANCEL = "DELETE FROM outbox \
        WHERE id = $1 AND sent_at IS NULL AND dead_at IS NULL AND leased_until IS NULL AND tries = 0";
    FORGET = "DELETE FROM outbox WHERE id = $1";
    STATE = "SELECT COUNT(*), MIN(created_at), \
            MIN(CASE WHEN leased_until > next_try_at THEN leased_until ELSE next_try_at END) \
        FROM outbox \
        WHERE sent_at IS NULL AND dead_at IS NULL";
    // As an array the limited subquery runs once. Behind `IN` PostgreSQL may run it for every letter, and each run leases others.
    LEASE = lease!("IN (", ")"), postgres lease!("= ANY(ARRAY(", " FOR UPDATE SKIP LOCKED))");
    // Ended, not removed: the mail may have arrived, so the next lease counts a try.
    EXPIRE_LEASES = "UPDATE outbox SET leased_until = 0 \
        WHERE sent_at IS NULL AND dead_at IS NULL AND leased_until IS NOT NULL";
    // A server that was away counts as no try, but leaves its answer.
    IS_DUE = "SELECT id FROM outbox \
        WHERE sent_at IS NULL AND dead_at IS NULL AND next_try_at <= $1 AND tries = 0 AND last_error IS NULL AND leased_until IS NULL LIMIT 1";
    SENT = "UPDATE outbox SET sent_at = $2, sealed = NULL, leased_until = NULL, tries = tries + 1, last_error = NULL \
        WHERE id = $1";
    RESCHEDULE = "UPDATE outbox SET next_try_at = $3, tries = $4, last_error = $5, leased_until = NULL \
        WHERE id = $1 AND leased_until = $2";
    GIVE_BACK = "UPDATE outbox SET leased_until = NULL WHERE id = $1 AND leased_until = $2";
    REVIVE = "UPDATE outbox SET dead_at = NULL, next_try_at = $1 \
        WHERE patience = 'message' AND dead_at IS NOT NULL AND last_error <> 'unreadable'";
    // A visitor's message is never dropped.
    MARK_UNDELIVERABLE = "UPDATE outbox SET dead_at = $3, last_error = $4, leased_until = NULL, \
            sealed = CASE WHEN patience = 'message' THEN sealed ELSE NULL END \
        WHERE id = $1 AND leased_until = $2";
    UNDELIVERED = "SELECT id, created_at, COALESCE(last_error, '') AS reason FROM outbox \
        WHERE patience = 'message' AND (dead_at IS NOT NULL OR sent_at IS NULL AND created_at <= $1) \
        ORDER BY created_at, id";
    PRUNE = "DELETE FROM outbox WHERE sent_at < $1 OR (dead_at < $1 AND patience <> 'message')";
}

/// A worker that holds a row for longer has died, and another may take it.
const LEASE_TIME: Micros = 60 * SECOND;

#[derive(Debug)]
pub(super) struct Outbox {
    pub(super) db: Db,
    pub(super) keys: Keys,
    pub(super) clock: Clock,
}

/// A mail to send.
#[derive(Debug)]
pub struct Mail<'a> {
    /// For logs and metrics, such as `confirm`.
    pub kind: &'static str,
    pub to: &'a str,
    pub letter: Letter,
    pub reply_to: Option<&'a str>,
    /// When to send it, if not at once.
    pub not_before: Option<Micros>,
    /// When it becomes worthless, such as the end of its code's life.
    pub not_after: Option<Micros>,
    pub patience: Patience,
}

impl<'a> Mail<'a> {
    /// Mail about an account, sent at once and without an address for answers.
    pub fn new(kind: &'static str, to: &'a str, letter: Letter) -> Self {
        let (reply_to, not_before, not_after) = (None, None, None);
        Self { kind, to, letter, reply_to, not_before, not_after, patience: Patience::Account }
    }
}

/// A row that only this program works on, until `until`.
#[derive(Debug, sqlx_macros::FromRow)]
pub(super) struct Leased {
    pub(super) id: Uuid,
    pub(super) kind: String,
    #[sqlx(flatten)]
    pub(super) life: DeliveryState,
    sealed: Option<Vec<u8>>,
    #[sqlx(skip)]
    until: Micros,
}

impl Leased {
    /// The content, unless it was sealed by another key or is damaged.
    pub(super) fn open(&self, keys: &Keys) -> Option<Content> {
        let bytes = keys.open(&purpose(self.id), self.sealed.as_deref()?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OutboxState {
    pub(super) waiting: i64,
    pub(super) oldest_at: Option<Micros>,
    /// When the next row may be leased.
    pub(super) next_at: Option<Micros>,
}

fn purpose(id: Uuid) -> String {
    format!("outbox:{id}")
}

/// Puts a mail into the outbox, in the transaction of its cause, whose commit sends it; returns its id.
pub async fn enqueue(tx: &mut Tx, keys: &Keys, now: Micros, mail: &Mail<'_>) -> Result<Uuid, Failure> {
    let id = Uuid::now_v7();
    let content = Content {
        to: mail.to.to_owned(),
        subject: mail.letter.subject.clone(),
        text: mail.letter.text.clone(),
        html: mail.letter.html.clone(),
        reply_to: mail.reply_to.map(str::to_owned),
        is_automatic: mail.letter.is_automatic,
    };
    let content = serde_json::to_vec(&content).map_err(anyhow::Error::from)?;
    let sealed = keys.seal(&purpose(id), &content)?;
    // Neither health nor patience counts the time before a mail is due.
    let due_at = mail.not_before.unwrap_or(now);
    tx.query(INSERT)
        .bind(id)
        .bind(mail.kind)
        .bind(sealed)
        .bind(mail.patience.name())
        .bind(mail.not_after)
        .bind(due_at)
        .bind(due_at)
        .execute()
        .await?;
    tx.queued.mail = true;
    Ok(id)
}

/// Takes back a mail that no server was given, in the transaction that undoes its cause. False if a worker has it: exactly one of the two
/// gets the row.
pub async fn cancel(tx: &mut Tx, id: Uuid) -> sqlx::Result<bool> {
    Ok(tx.query(CANCEL).bind(id).execute().await? > 0)
}

/// Deletes the row of a mail, sent or not. A worker that is sending it just now may still succeed.
pub async fn forget(tx: &mut Tx, id: Uuid) -> sqlx::Result<()> {
    tx.query(FORGET).bind(id).execute().await.map(drop)
}

/// Whether a mail waits for its first try.
pub async fn is_due(db: &Db, now: Micros) -> sqlx::Result<bool> {
    db.query(IS_DUE).bind(now).exists().await
}

pub(super) async fn state(db: &Db) -> sqlx::Result<OutboxState> {
    let (waiting, oldest_at, next_at) = db.query(STATE).one::<(i64, Option<i64>, Option<i64>)>().await?;
    Ok(OutboxState { waiting, oldest_at, next_at })
}

/// Leases up to `count` rows that were due by `due_by`, the longest waiting first.
pub(super) async fn lease(db: &Db, now: Micros, due_by: Micros, count: usize) -> sqlx::Result<Vec<Leased>> {
    let until = now.saturating_add(LEASE_TIME);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let mut rows = db.write(LEASE).bind(due_by).bind(until).bind(now).bind(count).all::<Leased>().await?;
    for row in &mut rows {
        row.until = until;
    }
    Ok(rows)
}

/// Frees the rows that an earlier run held when it died. On PostgreSQL another instance may still hold them: there, leases run out.
pub(super) async fn expire_leases(db: &Db) -> sqlx::Result<()> {
    if matches!(db, Db::Postgres { .. }) {
        return Ok(());
    }
    db.write(EXPIRE_LEASES).execute().await.map(drop)
}

/// Lets messages to the label that were given up be tried again.
pub(super) async fn revive(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(REVIVE).bind(now).execute().await.map(drop)
}

pub(super) async fn mark_sent(db: &Db, row: &Leased, now: Micros) -> sqlx::Result<()> {
    db.write(SENT).bind(row.id).bind(now).execute().await.map(drop)
}

pub(super) async fn reschedule(
    db: &Db,
    row: &Leased,
    at: Micros,
    tries: i64,
    reason: &str,
) -> sqlx::Result<()> {
    let update = db.write(RESCHEDULE).bind(row.id).bind(row.until).bind(at).bind(tries).bind(reason);
    update.execute().await.map(drop)
}

/// Ends a lease as if the row had not been taken.
pub(super) async fn give_back(db: &Db, row: &Leased) -> sqlx::Result<()> {
    db.write(GIVE_BACK).bind(row.id).bind(row.until).execute().await.map(drop)
}

pub(super) async fn mark_undeliverable(db: &Db, row: &Leased, now: Micros, reason: &str) -> sqlx::Result<()> {
    db.write(MARK_UNDELIVERABLE).bind(row.id).bind(row.until).bind(now).bind(reason).execute().await.map(drop)
}

/// A visitor's message that was given up, or has waited for a week.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct Undelivered {
    pub id: Uuid,
    pub created_at: Micros,
    /// The server's last answer.
    pub reason: String,
}

pub async fn undelivered(db: &Db, now: Micros) -> sqlx::Result<Vec<Undelivered>> {
    db.query(UNDELIVERED).bind(now.saturating_sub(MESSAGE_AGE)).all().await
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now.saturating_sub(micros(rules::retention::MAIL_MS))).execute().await.map(drop)
}
