//! Mail to all admins.

use deadwax_mail::{Letter, Mail, OutboxError};
use deadwax_store::{clock::Micros, db::Tx, statements};

use crate::app::App;

statements! {
    ADMINS = "SELECT u.email FROM admin_users a JOIN users u ON u.id = a.user_id WHERE a.active ORDER BY u.email";
}

pub async fn addresses(tx: &mut Tx) -> sqlx::Result<Vec<String>> {
    tx.query(ADMINS).values().await
}

/// Writes the same letter to each admin.
pub async fn write(
    tx: &mut Tx,
    app: &App,
    now: Micros,
    kind: &'static str,
    letter: &Letter,
) -> Result<(), OutboxError> {
    for email in addresses(tx).await? {
        deadwax_mail::enqueue(tx, &app.keys, now, &Mail::new(kind, &email, letter.clone())).await?;
    }
    Ok(())
}
