//! All subscribers as a table, with their consent and its proof.

use axum::response::Response;
use bytes::Bytes;
use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::Db,
    statements,
};

use crate::{
    editing::Editor,
    exports::{Lines, batches, export, table},
};

statements! {
    COUNT = "SELECT COUNT(*) FROM newsletter_subscriptions";
    AFTER = "SELECT email, active, inactive_reason, consent, confirmed_at, subscribed_at, proof FROM newsletter_subscriptions \
        WHERE email > $2 ORDER BY email LIMIT $1";
}

const BATCH: i64 = 1000;

const HEADER: [&str; 7] =
    ["email", "active", "inactive_reason", "consent", "confirmed_at", "subscribed_at", "proof"];

#[derive(sqlx_macros::FromRow)]
struct TableRow {
    email: String,
    active: bool,
    inactive_reason: Option<String>,
    consent: String,
    confirmed_at: Option<Micros>,
    subscribed_at: Micros,
    proof: String,
}

/// All subscribers as CSV, by address, with their consent and its proof. Noted in the audit log with their number.
#[utoipa::path(get, path = "/api/admin/newsletter/export.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub async fn export_consent(editor: Editor) -> AppResult<Response> {
    let db = editor.app.db.clone();
    let count = db.query(COUNT).value::<i64>().await?;
    let rows = batches(db, String::new(), |db, after| async move { batch(&db, &after).await });
    let target = format!("newsletter_consent:{count}");
    export(&editor, &target, "newsletter-consent", table(HEADER, rows)).await
}

/// The next rows as lines, and the last address of them.
async fn batch(db: &Db, after: &str) -> anyhow::Result<Option<(Bytes, String)>> {
    let rows = db.query(AFTER).bind(BATCH).bind(after).all::<TableRow>().await?;
    let Some(last) = rows.last().map(|row| row.email.clone()) else { return Ok(None) };
    let mut lines = Lines::more();
    for row in rows {
        lines.add([
            row.email,
            row.active.to_string(),
            row.inactive_reason.unwrap_or_default(),
            row.consent,
            row.confirmed_at.map(rfc3339).unwrap_or_default(),
            rfc3339(row.subscribed_at),
            row.proof,
        ])?;
    }
    Ok(Some((lines.finish()?, last)))
}
