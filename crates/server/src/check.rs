//! `deadwax check`: whether what is stored is whole. Reads everything, writes one file and removes it, works beside a running server.

mod files;

use deadwax_config::Origin;
use deadwax_store::{
    clock::{self, Micros},
    db::{Db, Statement},
    statements,
    storage::Storage,
};

statements! {
    ARTIST_SORT_KEYS = "SELECT name, sort_key FROM artists";
    RELEASE_SORT_KEYS = "SELECT title, sort_key FROM releases";
}

/// Every SQL text of the check.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, files::STATEMENTS].concat()
}

/// Everything that is not as it should be, each as a line for the person who looks after the label.
///
/// `origin` is the website's own address, by which a row may name a file; `now` is by the clock of the storage.
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

/// What the engine itself finds. PostgreSQL verifies its pages and keys as it works; SQLite is asked to.
async fn database(db: &Db) -> sqlx::Result<Vec<String>> {
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
