//! The outbox: rows that wait, are leased to one worker at a time, and end as sent or dead. What a mail says is sealed, so that a
//! copy of the database holds no code, token or address; its end takes the sealed bytes away.

use deadwax_store::{
    clock::{Clock, Micros, SECOND, micros},
    crypto::Keys,
    db::{Db, Tx},
    statements,
};
use uuid::Uuid;

use super::{
    compose::Content,
    message::{Mail, Patience},
};

macro_rules! lease {
    ($start:literal, $end:literal) => {
        concat!(
            "UPDATE outbox SET leased_until = $2 WHERE id ",
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
    // What a worker has taken, or has tried, may be with its reader.
    CANCEL = "DELETE FROM outbox \
        WHERE id = $1 AND sent_at IS NULL AND dead_at IS NULL AND leased_until IS NULL AND tries = 0 AND next_try_at > $2";
    FORGET = "DELETE FROM outbox WHERE id = $1";
    STATE = "SELECT COUNT(*), MIN(created_at), \
            MIN(CASE WHEN leased_until > next_try_at THEN leased_until ELSE next_try_at END) \
        FROM outbox \
        WHERE sent_at IS NULL AND dead_at IS NULL";
    // As an array, the limited subquery runs once; behind `IN`, PostgreSQL may run it for every letter, and each run leases others.
    LEASE = lease!("IN (", ")"), postgres lease!("= ANY(ARRAY(", " FOR UPDATE SKIP LOCKED))");
    EXPIRE_LEASES = "UPDATE outbox SET leased_until = NULL \
        WHERE sent_at IS NULL AND dead_at IS NULL AND leased_until IS NOT NULL";
    SENT = "UPDATE outbox SET sent_at = $2, sealed = NULL, leased_until = NULL, tries = tries + 1, last_error = NULL \
        WHERE id = $1";
    RESCHEDULE = "UPDATE outbox SET next_try_at = $3, tries = $4, last_error = $5, leased_until = NULL \
        WHERE id = $1 AND leased_until = $2";
    GIVE_BACK = "UPDATE outbox SET leased_until = NULL WHERE id = $1 AND leased_until = $2";
    // A visitor's message is never dropped.
    MARK_UNDELIVERABLE = "UPDATE outbox SET dead_at = $3, last_error = $4, leased_until = NULL, \
            sealed = CASE WHEN patience = 'message' THEN sealed ELSE NULL END \
        WHERE id = $1 AND leased_until = $2";
    UNDELIVERED = "SELECT id, created_at, COALESCE(last_error, '') FROM outbox \
        WHERE patience = 'message' AND dead_at IS NOT NULL \
        ORDER BY created_at, id";
    PRUNE = "DELETE FROM outbox WHERE sent_at < $1 OR (dead_at < $1 AND patience <> 'message')";
}

/// A worker that holds a row longer than this has died: another may take it.
const LEASE_TIME: Micros = 60 * SECOND;

/// What it takes to work on the rows: where they are, what opens them, and the time.
#[derive(Debug)]
pub(super) struct Outbox {
    pub(super) db: Db,
    pub(super) keys: Keys,
    pub(super) clock: Clock,
}

/// Why a mail was not put into the outbox.
#[derive(Debug, thiserror::Error)]
pub enum OutboxError {
    /// The row was not written.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// What the mail says is not to be written down: a bug.
    #[error("a mail's content: {0}")]
    Content(#[from] serde_json::Error),
    /// It could not be sealed: a bug.
    #[error(transparent)]
    Seal(anyhow::Error),
}

/// A row that this program alone works on until `until`.
#[derive(Debug)]
pub(super) struct Leased {
    pub(super) id: Uuid,
    pub(super) kind: String,
    pub(super) patience: Patience,
    pub(super) not_after: Option<Micros>,
    pub(super) created_at: Micros,
    /// How often a server has answered that it would not take it.
    pub(super) tries: i64,
    sealed: Option<Vec<u8>>,
    until: Micros,
}

impl Leased {
    /// What it says, unless it was sealed elsewhere or is damaged.
    pub(super) fn open(&self, keys: &Keys) -> Option<Content> {
        let bytes = keys.open(&purpose(self.id), self.sealed.as_deref()?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

/// What waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) waiting: i64,
    pub(super) oldest_at: Option<Micros>,
    /// When the next row may be leased.
    pub(super) next_at: Option<Micros>,
}

fn purpose(id: Uuid) -> String {
    format!("outbox:{id}")
}

fn name(patience: Patience) -> &'static str {
    match patience {
        Patience::Account => "account",
        Patience::Message => "message",
    }
}

/// Puts a mail into the outbox, in the transaction of its cause; returns its id. After the commit,
/// [`Mailer::sent_soon`](super::Mailer::sent_soon) gets it on its way.
pub async fn enqueue(tx: &mut Tx, keys: &Keys, now: Micros, mail: &Mail<'_>) -> Result<Uuid, OutboxError> {
    let id = Uuid::now_v7();
    let content = Content {
        to: mail.to.to_owned(),
        subject: mail.letter.subject.clone(),
        text: mail.letter.text.clone(),
        html: mail.letter.html.clone(),
        reply_to: mail.reply_to.map(str::to_owned),
        is_automatic: mail.letter.is_automatic,
    };
    let sealed = keys.seal(&purpose(id), &serde_json::to_vec(&content)?).map_err(OutboxError::Seal)?;
    // A mail that is to wait is no older than its time: neither health nor patience counts the wait.
    let due_at = mail.not_before.unwrap_or(now);
    tx.query(INSERT)
        .bind(id)
        .bind(mail.kind)
        .bind(sealed)
        .bind(name(mail.patience))
        .bind(mail.not_after)
        .bind(due_at)
        .bind(due_at)
        .execute()
        .await?;
    Ok(id)
}

/// Takes a mail back that still waits for its time, in the transaction of what takes its cause back. False where its time has come by
/// `now`, or a worker has it: of the two exactly one gets the row.
pub async fn cancel(tx: &mut Tx, id: Uuid, now: Micros) -> sqlx::Result<bool> {
    Ok(tx.query(CANCEL).bind(id).bind(now).execute().await? > 0)
}

/// Drops whatever is known of a mail, sent or not; one that a worker is handing over just now may still go.
pub async fn forget(tx: &mut Tx, id: Uuid) -> sqlx::Result<()> {
    tx.query(FORGET).bind(id).execute().await.map(drop)
}

/// What waits, without touching it.
pub(super) async fn state(db: &Db) -> sqlx::Result<State> {
    let (waiting, oldest_at, next_at) = db.query(STATE).one::<(i64, Option<i64>, Option<i64>)>().await?;
    Ok(State { waiting, oldest_at, next_at })
}

/// Takes up to `count` rows that were due by `due_by`, those that wait longest first.
pub(super) async fn lease(db: &Db, now: Micros, due_by: Micros, count: usize) -> sqlx::Result<Vec<Leased>> {
    type Row = (Uuid, String, Option<Vec<u8>>, String, Option<i64>, i64, i64);
    let until = now.saturating_add(LEASE_TIME);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let rows = db.write(LEASE).bind(due_by).bind(until).bind(now).bind(count).all::<Row>().await?;
    let leased = rows.into_iter().map(|(id, kind, sealed, patience, not_after, created_at, tries)| {
        let patience = if patience == "message" { Patience::Message } else { Patience::Account };
        Leased { id, kind, patience, not_after, created_at, tries, sealed, until }
    });
    Ok(leased.collect())
}

/// Frees what an earlier run was working on when it died. On PostgreSQL it may have been an instance that lives: there, leases
/// run out.
pub(super) async fn expire_leases(db: &Db) -> sqlx::Result<()> {
    if matches!(db, Db::Postgres { .. }) {
        return Ok(());
    }
    db.write(EXPIRE_LEASES).execute().await.map(drop)
}

/// Ends a row well.
pub(super) async fn mark_sent(db: &Db, row: &Leased, now: Micros) -> sqlx::Result<()> {
    db.write(SENT).bind(row.id).bind(now).execute().await.map(drop)
}

/// Gives a row back, to be tried at `at`.
pub(super) async fn reschedule(
    db: &Db,
    row: &Leased,
    at: Micros,
    tries: i64,
    reason: &str,
) -> sqlx::Result<()> {
    db.write(RESCHEDULE)
        .bind(row.id)
        .bind(row.until)
        .bind(at)
        .bind(tries)
        .bind(reason)
        .execute()
        .await
        .map(drop)
}

/// Leaves a row to whoever looks next, as if it had not been taken.
pub(super) async fn give_back(db: &Db, row: &Leased) -> sqlx::Result<()> {
    db.write(GIVE_BACK).bind(row.id).bind(row.until).execute().await.map(drop)
}

/// Ends a row that nobody will get.
pub(super) async fn mark_undeliverable(db: &Db, row: &Leased, now: Micros, reason: &str) -> sqlx::Result<()> {
    db.write(MARK_UNDELIVERABLE).bind(row.id).bind(row.until).bind(now).bind(reason).execute().await.map(drop)
}

/// A visitor's message that no server took.
#[derive(Debug)]
pub struct Undelivered {
    /// Its row.
    pub id: Uuid,
    /// When it was written.
    pub created_at: Micros,
    /// What the server said last.
    pub reason: String,
}

/// Every visitor's message that was given up.
pub async fn undelivered(db: &Db) -> sqlx::Result<Vec<Undelivered>> {
    let rows = db.query(UNDELIVERED).all::<(Uuid, i64, String)>().await?;
    Ok(rows.into_iter().map(|(id, created_at, reason)| Undelivered { id, created_at, reason }).collect())
}

/// Drops what is left of mail that was sent or given up long ago.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now.saturating_sub(micros(rules::retention::MAIL_MS))).execute().await.map(drop)
}
