//! The templates of letters about demos: stored texts, and filling them in. The desk edits them.

use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    statements,
};
use rules::letter_template::{KINDS, LetterForm, LetterValues, built_in, fill_confirmation, fill_letter};

statements! {
    FIND = "SELECT subject, text FROM letter_templates WHERE kind = $1";
    INSERT = "INSERT INTO letter_templates (kind, subject, text, updated_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (kind) DO NOTHING";
}

/// Inserts the built-in texts of kinds without a row.
pub async fn install(tx: &mut Tx, now: Micros) -> sqlx::Result<()> {
    for kind in KINDS {
        let (subject, text) = built_in(kind).unwrap_or_default();
        tx.query(INSERT).bind(kind).bind(subject).bind(text).bind(now).execute().await?;
    }
    Ok(())
}

/// The template of a kind; the built-in one if it has no row.
pub async fn find(tx: &mut Tx, kind: &str) -> sqlx::Result<LetterForm> {
    Ok(or_built_in(kind, tx.query(FIND).bind(kind).optional().await?))
}

/// The same outside a transaction.
pub async fn read(db: &Db, kind: &str) -> sqlx::Result<LetterForm> {
    Ok(or_built_in(kind, db.query(FIND).bind(kind).optional().await?))
}

fn or_built_in(kind: &str, stored: Option<(String, String)>) -> LetterForm {
    let built_in = || built_in(kind).map(|(subject, text)| (subject.to_owned(), text.to_owned()));
    let (subject, text) = stored.or_else(built_in).unwrap_or_default();
    LetterForm { subject, text }
}

pub fn fill(template: &LetterForm, label: &str, artist: &str, file: &str) -> LetterForm {
    fill_letter(template, &values(label, artist, file))
}

/// Fills in the confirmation, which repeats no link of the sender's.
pub(super) fn confirm(template: &LetterForm, label: &str, artist: &str, file: &str) -> LetterForm {
    fill_confirmation(template, &values(label, artist, file))
}

fn values(label: &str, artist: &str, file: &str) -> LetterValues {
    LetterValues { artist: artist.to_owned(), file: file.to_owned(), label: label.to_owned() }
}
