//! `deadwax check`: whether stored data is complete. Reads everything, writes and removes one file, works beside a running server.

pub(crate) mod files;

use deadwax_config::Origin;
use deadwax_store::{
    clock::{self, Micros},
    db::{Db, Statement},
    statements,
    storage::{Storage, StorageError},
};

use crate::newsletter::suppressions;

statements! {
    and files;
    ARTIST_SORT_KEYS = "SELECT name, sort_key FROM artists";
    RELEASE_SORT_KEYS = "SELECT title, sort_key FROM releases";
}

/// Everything that is wrong, one line each for the operator.
///
/// `origin` is the website's address, by which a row may name a file; `now` is by the storage's clock.
pub async fn findings(
    db: &Db,
    storage: &Storage,
    origin: &Origin,
    now: Micros,
) -> anyhow::Result<Vec<String>> {
    let mut findings = Vec::new();
    add(&mut findings, database(db).await)?;
    add(&mut findings, files::rows_without_objects(db, origin).await)?;
    for (what, names) in [("artist", ARTIST_SORT_KEYS), ("release", RELEASE_SORT_KEYS)] {
        add(&mut findings, stale_sort_keys(db, what, names).await)?;
    }
    add(&mut findings, undelivered(db, now).await)?;
    add(&mut findings, missing_key(db).await)?;
    add(&mut findings, files::sizes(db).await)?;
    let mut is_readable = true;
    if let Err(fault) = storage.probe().await {
        findings.push(format!("files cannot be stored: {fault}"));
        is_readable = storage.is_readable().await;
    }
    if is_readable {
        let read = files::damaged(db, storage, &mut findings).await;
        add(&mut findings, read.map(|()| Vec::new()))?;
    }
    add(&mut findings, files::objects_without_rows(db, origin, now).await)?;
    if is_readable {
        add(&mut findings, files::files_without_rows(db, storage, now).await)?;
    }
    Ok(findings)
}

/// Adds the findings of a step. A table, a value or a storage that cannot be read is a finding too, and does not end the check.
fn add<E: Into<anyhow::Error>>(
    findings: &mut Vec<String>,
    step: Result<Vec<String>, E>,
) -> anyhow::Result<()> {
    let error: anyhow::Error = match step {
        Ok(found) => {
            findings.extend(found);
            return Ok(());
        }
        Err(error) => error.into(),
    };
    let line = if let Some(sqlx::Error::Database(cause)) = error.downcast_ref() {
        format!("database: {}", cause.message())
    } else if let Some(cause @ (sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_))) =
        error.downcast_ref()
    {
        format!("database: {cause}")
    } else if let Some(cause) = error.downcast_ref::<StorageError>() {
        format!("files cannot be read: {cause}")
    } else {
        return Err(error);
    };
    if !findings.contains(&line) {
        findings.push(line);
    }
    Ok(())
}

async fn stale_sort_keys(db: &Db, what: &str, names: Statement) -> sqlx::Result<Vec<String>> {
    let rows = db.query(names).all::<(String, String)>().await?;
    let stale = rows.iter().filter(|(name, key)| rules::sort_key::sort_key(name) != *key);
    let line =
        |name| format!("{what} {name}: written by another program, so it is not in its alphabetical place");
    Ok(stale.map(|(name, _)| line(name)).collect())
}

async fn undelivered(db: &Db, now: Micros) -> sqlx::Result<Vec<String>> {
    let messages = deadwax_mail::undelivered(db, now).await?.into_iter();
    let lines = messages.map(|message| {
        let written = clock::rfc3339(message.created_at);
        format!(
            "mail {}: what a visitor wrote on {written} could not be delivered ({})",
            message.id, message.reason
        )
    });
    Ok(lines.collect())
}

async fn missing_key(db: &Db) -> sqlx::Result<Vec<String>> {
    let is_missing = suppressions::is_without_key(db).await?;
    let line = || "suppressions: their key is missing, so that they match no address".to_owned();
    Ok(is_missing.then(line).into_iter().collect())
}

/// The engine's built-in check. PostgreSQL verifies pages and keys as it works; SQLite does so on request.
pub(super) async fn database(db: &Db) -> sqlx::Result<Vec<String>> {
    let Db::Sqlite { read, .. } = db else { return Ok(Vec::new()) };
    let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(read).await?;
    let damaged: Vec<String> =
        lines.into_iter().filter(|line| line != "ok").map(|line| format!("database: {line}")).collect();
    if !damaged.is_empty() {
        return Ok(damaged);
    }
    let orphans: Vec<String> =
        sqlx::query_scalar("SELECT \"table\" FROM pragma_foreign_key_check").fetch_all(read).await?;
    let line = |table| format!("database: a row of {table} refers to one that is gone");
    Ok(orphans.into_iter().map(line).collect())
}
