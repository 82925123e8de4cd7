//! `deadwax check`: whether stored data is complete. Reads everything, writes and removes one file, works beside a running server.

pub(crate) mod files;

use deadwax_config::Origin;
use deadwax_store::{
    clock::{self, Micros},
    db::{Db, Statement},
    statements,
    storage::Storage,
};

use crate::newsletter::suppressions;

statements! {
    ARTIST_SORT_KEYS = "SELECT name, sort_key FROM artists";
    RELEASE_SORT_KEYS = "SELECT title, sort_key FROM releases";
}

pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, files::STATEMENTS].concat()
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
    let mut findings = database(db).await?;
    findings.extend(files::rows_without_objects(db, origin).await?);
    for (what, rows) in [
        ("artist", db.query(ARTIST_SORT_KEYS).all::<(String, String)>().await?),
        ("release", db.query(RELEASE_SORT_KEYS).all::<(String, String)>().await?),
    ] {
        let stale = rows.iter().filter(|(name, key)| rules::sort_key::sort_key(name) != *key);
        findings.extend(stale.map(|(name, _)| {
            format!("{what} {name}: written by another program, so it is not in its alphabetical place")
        }));
    }
    for message in deadwax_mail::undelivered(db).await? {
        let written = clock::rfc3339(message.created_at);
        findings.push(format!(
            "mail {}: what a visitor wrote on {written} could not be delivered ({})",
            message.id, message.reason
        ));
    }
    if suppressions::is_without_key(db).await? {
        findings.push("suppressions: their key is missing, so that they match no address".to_owned());
    }
    findings.extend(files::sizes(db).await?);
    let mut is_readable = true;
    if let Err(fault) = storage.probe().await {
        findings.push(format!("files cannot be stored: {fault}"));
        is_readable = storage.is_readable().await;
    }
    if is_readable {
        findings.extend(files::damaged(db, storage).await?);
    }
    findings.extend(files::objects_without_rows(db, origin, now).await?);
    if is_readable {
        findings.extend(files::files_without_rows(db, storage, now).await?);
    }
    Ok(findings)
}

/// The engine's built-in check. PostgreSQL verifies pages and keys as it works; SQLite does so on request.
pub(super) async fn database(db: &Db) -> sqlx::Result<Vec<String>> {
    let Db::Sqlite { read, .. } = db else { return Ok(Vec::new()) };
    let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(read).await?;
    let mut findings: Vec<String> =
        lines.into_iter().filter(|line| line != "ok").map(|line| format!("database: {line}")).collect();
    let orphans: Vec<String> =
        sqlx::query_scalar("SELECT \"table\" FROM pragma_foreign_key_check").fetch_all(read).await?;
    findings.extend(
        orphans.into_iter().map(|table| format!("database: a row of {table} refers to one that is gone")),
    );
    Ok(findings)
}
