//! The audit log: security events by the names of the OWASP logging vocabulary, written in the transaction that they are
//! about, never changed, kept 180 days; what one account repeats without end, in part only. It names accounts by id and browsers by hash; it holds no address of a mailbox.

use std::time::Duration;

use deadwax_store::{
    clock::{Micros, micros},
    db::{Db, Tx},
    limits, statements,
};
use rules::rate_limit;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::caller::Caller;

statements! {
    INSERT = "INSERT INTO audit_log (id, at, event, actor, role, session_ref, address, agent_hash, target, outcome, \
            request_id, repeats) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    PRUNE = "DELETE FROM audit_log WHERE at < $1";
}

/// What the program did waits no longer than this for its row.
const NOTE: Duration = Duration::from_secs(2);

/// In whose name something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nobody who is signed in.
    Visitor,
    /// A signed-in person.
    Member,
    /// An admin.
    Admin,
    /// The program itself, or whoever may run it.
    System,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Visitor => "visitor",
            Self::Member => "member",
            Self::Admin => "admin",
            Self::System => "system",
        }
    }
}

/// One event.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its name, such as `authn_login_fail`.
    pub event: &'static str,
    /// The account that acted, or that somebody tried to act as.
    pub actor: Option<Uuid>,
    /// In whose name.
    pub role: Role,
    /// The session, of which eight hex digits are kept.
    pub session: Option<Uuid>,
    /// What it was done to, such as `release:{id}`.
    pub target: Option<&'a str>,
    /// How it ended: `ok`, the code of the refusal, or what exactly was done, such as `admin_granted`.
    pub outcome: &'a str,
    /// Who sent the request.
    pub caller: &'a Caller,
}

impl<'a> Entry<'a> {
    /// What somebody did who is not signed in; `actor` is the account that it was about, where there is one.
    pub fn visitor(event: &'static str, actor: Option<Uuid>, outcome: &'a str, caller: &'a Caller) -> Self {
        Self { event, actor, role: Role::Visitor, session: None, target: None, outcome, caller }
    }

    /// What somebody did by signing in: the session has just begun. For one that was there before see
    /// [`SignedIn::entry`](crate::auth::guard::SignedIn::entry).
    pub fn new_session(event: &'static str, actor: Uuid, session: Uuid, caller: &'a Caller) -> Self {
        let (actor, session) = (Some(actor), Some(session));
        Self { event, actor, role: Role::Member, session, target: None, outcome: "ok", caller }
    }

    /// The same, done to `target`.
    #[must_use]
    pub fn on(self, target: &'a str) -> Self {
        Self { target: Some(target), ..self }
    }
}

/// Writes an entry; it stands when `tx` is committed, and is in the log then.
///
/// What one account does over and over is written so often only, so that nobody fills the disk with rows that nobody may
/// remove: the next row of its kind that is written says how many alike were left out before it. Admins and the command line
/// are always written.
pub async fn record(tx: &mut Tx, now: Micros, entry: &Entry<'_>) -> sqlx::Result<()> {
    let (event, outcome) = (entry.event, entry.outcome.to_owned());
    tx.afterwards.add(move || tracing::info!(event, outcome, "audit"));
    let Some(repeats) = left_out(tx, now, entry).await? else { return Ok(()) };
    insert(tx, now, entry, repeats).await
}

async fn record_system(db: &Db, now: Micros, event: &'static str, outcome: &str) -> sqlx::Result<()> {
    let caller = Caller::command_line();
    let entry = Entry { role: Role::System, ..Entry::visitor(event, None, outcome, &caller) };
    let mut tx = db.begin().await?;
    record(&mut tx, now, &entry).await?;
    tx.commit().await
}

/// Writes what the program did by itself or for whoever is at the machine, such as `sys_backup`, in a transaction of its own. A database
/// that cannot write, for a disk that is full, keeps nobody from a start or a backup: the log of the program says it then.
pub async fn note_system(db: &Db, now: Micros, event: &'static str, outcome: &str) {
    match tokio::time::timeout(NOTE, record_system(db, now, event, outcome)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(event, cause = %error, "writing to the audit log"),
        Err(_) => tracing::warn!(event, "writing to the audit log took too long"),
    }
}

/// Writes the row of an entry, of whose kind `repeats` were left out before it. Whoever calls it has bounded how many there are.
pub(crate) async fn insert(tx: &mut Tx, now: Micros, entry: &Entry<'_>, repeats: u64) -> sqlx::Result<()> {
    let session_ref = entry.session.map(|id| hex::encode(&id.as_bytes()[12..]));
    let address = entry.caller.address.to_string();
    let agent_hash = hex::encode(&Sha256::digest(&entry.caller.user_agent)[..8]);
    tx.query(INSERT)
        .bind(Uuid::now_v7())
        .bind(now)
        .bind(entry.event)
        .bind(entry.actor)
        .bind(entry.role.name())
        .bind(session_ref)
        .bind(address)
        .bind(agent_hash)
        .bind(entry.target)
        .bind(entry.outcome)
        .bind(entry.caller.request_id.as_deref())
        .bind(i64::try_from(repeats).unwrap_or(i64::MAX))
        .execute()
        .await?;
    Ok(())
}

/// How many entries like this one were left out before it, or nothing when it is left out itself.
async fn left_out(tx: &mut Tx, now: Micros, entry: &Entry<'_>) -> sqlx::Result<Option<u64>> {
    match (entry.actor, entry.role) {
        (Some(account), Role::Visitor | Role::Member) => {
            let key = format!("audit:{}:{account}", entry.event);
            limits::take_or_count_in(tx, &key, rate_limit::AUDIT, now).await
        }
        _ => Ok(Some(0)),
    }
}

/// Drops entries that are older than they are kept.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now - micros(rules::retention::AUDIT_MS)).execute().await.map(drop)
}
