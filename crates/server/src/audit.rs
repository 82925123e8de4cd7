//! The audit log: security events by the names of the OWASP logging vocabulary, written in the transaction that they
//! are about, never changed, and kept 180 days. It names accounts by id and browsers by hash, and holds no mail
//! address.

pub mod activity;
pub mod refusals;
pub mod refused_answers;

use std::time::Duration;

use deadwax_store::{
    clock::{HOUR, Micros, micros},
    columns::{Named as _, signed},
    db::{Db, Tx},
    ids::{SessionId, UserId},
    limits, names, statements,
};
use rules::rate_limit;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::requests::caller::Caller;

statements! {
    INSERT = "INSERT INTO audit_log (id, at, event, actor, role, session_ref, address, agent_hash, target, outcome, \
            request_id, repeats) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    PRUNE = "DELETE FROM audit_log WHERE at < $1";
}

/// Longest wait for the row of an event of the program itself.
const NOTE: Duration = Duration::from_secs(2);

names! {
    /// The role of who acted.
    Role;
    /// Not signed in.
    Visitor = "visitor";
    Member = "member";
    Admin = "admin";
    /// The program itself, or its command line.
    System = "system";
}

#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Such as `authn_login_fail`.
    pub event: &'static str,
    /// The account that acted, or that the request tried to act as.
    pub actor: Option<UserId>,
    pub role: Role,
    /// Eight hex digits of it are stored.
    pub session: Option<SessionId>,
    /// Such as `release:{id}`.
    pub target: Option<&'a str>,
    /// `ok`, the code of the refusal, or an exact result, such as `admin_granted`.
    pub outcome: &'a str,
    pub caller: &'a Caller,
}

impl<'a> Entry<'a> {
    /// An event without a session; `actor` is the account it is about, if any.
    pub fn visitor(event: &'static str, actor: Option<UserId>, outcome: &'a str, caller: &'a Caller) -> Self {
        Self { event, actor, role: Role::Visitor, session: None, target: None, outcome, caller }
    }

    /// An event that has just created a session. For an existing session see
    /// [`SignedIn::entry`](crate::auth::guard::SignedIn::entry).
    pub fn new_session(event: &'static str, actor: UserId, session: SessionId, caller: &'a Caller) -> Self {
        let (actor, session) = (Some(actor), Some(session));
        Self { event, actor, role: Role::Member, session, target: None, outcome: "ok", caller }
    }

    #[must_use]
    pub fn on(self, target: &'a str) -> Self {
        Self { target: Some(target), ..self }
    }
}

/// Writes an entry, which is logged when `tx` is committed. Repeated events of one account, and sign-ins to unknown
/// accounts from one network, are written only so often, because rows cannot be removed and must not fill the disk: the
/// next row of its kind says how many were left out. Other entries are always written.
pub async fn record(tx: &mut Tx, now: Micros, entry: &Entry<'_>) -> sqlx::Result<()> {
    let (event, outcome) = (entry.event, entry.outcome.to_owned());
    tx.afterwards.add(move || tracing::info!(event, outcome, "audit"));
    let Some(repeats) = left_out(tx, now, entry).await? else { return Ok(()) };
    insert(tx, now, entry, repeats).await
}

/// Writes an event of the program itself, or of its command line.
pub async fn record_system(
    tx: &mut Tx,
    now: Micros,
    event: &'static str,
    target: Option<&str>,
    outcome: &str,
) -> sqlx::Result<()> {
    let caller = Caller::command_line();
    let entry = Entry { role: Role::System, target, ..Entry::visitor(event, None, outcome, &caller) };
    record(tx, now, &entry).await
}

/// Writes an event of the program itself, such as `sys_backup`. A database that cannot write must not prevent a start
/// or a backup: then the event is only logged.
pub async fn note_system(db: &Db, now: Micros, event: &'static str, outcome: &str) {
    let writing = async {
        let mut tx = db.begin().await?;
        record_system(&mut tx, now, event, None, outcome).await?;
        tx.commit().await
    };
    match tokio::time::timeout(NOTE, writing).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(event, cause = %error, "writing to the audit log"),
        Err(_) => tracing::warn!(event, "writing to the audit log took too long"),
    }
}

/// Writes the row of an entry, before which `repeats` alike were left out. The caller bounds their number.
pub(crate) async fn insert(tx: &mut Tx, now: Micros, entry: &Entry<'_>, repeats: u64) -> sqlx::Result<()> {
    let session_ref = entry.session.map(|id| hex::encode(&id.0.as_bytes()[12..]));
    let address = entry.caller.address.to_string();
    let agent_hash = hex::encode(&Sha256::digest(&entry.caller.user_agent)[..8]);
    tx.query(INSERT)
        .bind(Uuid::now_v7())
        .bind(now)
        .bind(entry.event)
        .bind(entry.actor)
        .bind(entry.role.as_str())
        .bind(session_ref)
        .bind(address)
        .bind(agent_hash)
        .bind(entry.target)
        .bind(entry.outcome)
        .bind(entry.caller.request_id.as_deref())
        .bind(signed(repeats))
        .execute()
        .await?;
    Ok(())
}

/// How many entries like this one were left out before it; none if this one is left out.
async fn left_out(tx: &mut Tx, now: Micros, entry: &Entry<'_>) -> sqlx::Result<Option<u64>> {
    let whose = match (entry.actor, entry.role, entry.event) {
        (Some(account), Role::Visitor | Role::Member, _) => account.to_string(),
        (None, Role::Visitor, "authn_login_fail" | "authn_login_lock") => entry.caller.network(),
        _ => return Ok(Some(0)),
    };
    let key = format!("audit:{}:{whose}", entry.event);
    limits::take_or_count_in(tx, &key, rate_limit::AUDIT, now).await
}

/// Deletes entries that are older than they are kept.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    // One entry that the database's clock keeps refuses all.
    let before = now - micros(rules::retention::AUDIT_MS) - HOUR;
    db.write(PRUNE).bind(before).execute().await.map(drop)
}
