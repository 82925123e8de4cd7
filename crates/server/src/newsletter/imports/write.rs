//! Writes an import in transactions of some rows each. Interrupted, it leaves the rows of those before, which its undo takes back.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{Micros, micros, rfc3339},
    db::Tx,
    statements,
};
use http::StatusCode;
use rules::{
    import::ImportError,
    subscriber_import::{Candidate, SubscriberVerdict, consent_of},
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    judge::{BATCH, Judged, judged},
    lists::{ListFile, Lists},
};
use crate::{
    editing::Editor,
    newsletter::suppressions::{self, Key},
};

statements! {
    INSERT = "INSERT INTO newsletter_subscriptions \
            (id, email, subscribed_at, created_at, updated_at, consent, confirmed_at, proof, added_by) \
        SELECT unhex(value ->> 'id'), value ->> 'email', CAST(value ->> 'subscribed_at' AS BIGINT), CAST(value ->> 'now' AS BIGINT), \
            CAST(value ->> 'now' AS BIGINT), value ->> 'consent', CAST(value ->> 'confirmed_at' AS BIGINT), value ->> 'proof', \
            unhex(value ->> 'import') FROM json_each($1) WHERE TRUE ON CONFLICT (email) DO NOTHING RETURNING consent";
    END = "UPDATE newsletter_subscriptions SET active = FALSE, suppressed = TRUE, inactive_reason = value ->> 'reason', \
            inactive_at = CAST(value ->> 'now' AS BIGINT), updated_at = CAST(value ->> 'now' AS BIGINT), \
            ended_by = unhex(value ->> 'import'), version = newsletter_subscriptions.version + 1 FROM json_each($1) \
        WHERE newsletter_subscriptions.active AND newsletter_subscriptions.id = unhex(value ->> 'id')";
    COUNT = "UPDATE subscriber_imports SET confirmed = confirmed + $2, unconfirmed = unconfirmed + $3, ended = ended + $4, \
        suppressed = suppressed + $5 WHERE id = $1 AND undone_at IS NULL";
}

#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    pub id: Uuid,
    pub at: Micros,
    pub key: &'a Key,
}

/// Writes every row that changes something, for as long as the editor may.
pub async fn write(editor: &Editor, lists: &Lists, import: Import<'_>) -> AppResult<()> {
    for rows in lists.rows.chunks(BATCH) {
        let mut tx = editor.app.db.begin().await?;
        editor.me().require_still(&mut tx, import.at).await?;
        let judged = judged(&mut (&mut tx).into(), Some(import.key), rows).await?;
        if judged.iter().any(|row| row.verdict.writes()) {
            write_rows(&mut tx, &lists.files, &judged, import).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

async fn write_rows(
    tx: &mut Tx,
    files: &[ListFile],
    judged: &[Judged<'_>],
    import: Import<'_>,
) -> AppResult<()> {
    let (mut added, mut ended) = (Vec::new(), Vec::new());
    for row in judged {
        match (row.verdict, &row.row.read) {
            (SubscriberVerdict::AddConfirmed | SubscriberVerdict::AddUnconfirmed, Ok(candidate)) => {
                added.push(addition(candidate, row.verdict, &files[row.row.file].name, import));
            }
            (SubscriberVerdict::End, _) => ended.push(json!({
                "id": row.known.map(|known| hex::encode(known.0)),
                "reason": row.reason(),
                "now": import.at,
                "import": hex::encode(import.id),
            })),
            _ => {}
        }
    }
    let added = tx.query(INSERT).bind(Value::Array(added).to_string()).values::<String>().await?;
    let confirmed = added.iter().filter(|consent| *consent == "confirmed").count();
    // Vouching, asking and the undo lock them by id too.
    ended.sort_by(|a, b| a["id"].as_str().cmp(&b["id"].as_str()));
    let ended = tx.query(END).bind(Value::Array(ended).to_string()).execute().await?;
    let gone = judged
        .iter()
        .filter(|row| matches!(row.verdict, SubscriberVerdict::End | SubscriberVerdict::Suppress))
        .filter_map(|row| Some((row.code.clone()?, row.reason()?)));
    let suppressed = suppressions::add_many(tx, gone, import.id, import.at).await?;
    let counted = tx
        .query(COUNT)
        .bind(import.id)
        .bind(signed(confirmed))
        .bind(signed(added.len() - confirmed))
        .bind(i64::try_from(ended).unwrap_or(i64::MAX))
        .bind(i64::try_from(suppressed).unwrap_or(i64::MAX))
        .execute()
        .await?;
    // At another instance, by someone who has seen it among the recent imports.
    if counted == 0 {
        return Err(AppError::from_code(StatusCode::CONFLICT, ImportError::AlreadyUndone));
    }
    Ok(())
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A new subscription. It counts from the time at which the person joined, as the confirmation mail says.
fn addition(candidate: &Candidate, verdict: SubscriberVerdict, file: &str, import: Import<'_>) -> Value {
    let at = |ms: Option<i64>| ms.and_then(|ms| u64::try_from(ms).ok()).map(|ms| micros(ms).min(import.at));
    let (confirmed_at, joined_at) = (at(candidate.confirmed_at_ms), at(candidate.joined_at_ms));
    let proof = json!({"imported": {
        "file": file,
        "joined": joined_at.map(rfc3339),
        "confirmed": confirmed_at.map(rfc3339),
        "member": candidate.member,
        "at": rfc3339(import.at),
    }});
    json!({
        "id": hex::encode(Uuid::now_v7()),
        "email": candidate.email,
        "subscribed_at": joined_at.or(confirmed_at).unwrap_or(import.at),
        "now": import.at,
        "consent": consent_of(verdict).as_str(),
        "confirmed_at": confirmed_at,
        "proof": proof.to_string(),
        "import": hex::encode(import.id),
    })
}
