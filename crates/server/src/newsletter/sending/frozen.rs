//! The letter as it was when it began, read once for many recipients.

use std::sync::Arc;

use deadwax_store::{clock::Micros, db::Tx, ids::LetterId, statements};

statements! {
    FROZEN = "SELECT id, subject, began_at, in_archive, html, text FROM letters WHERE id = $1";
}

/// A letter as it goes out.
#[derive(Debug, sqlx_macros::FromRow)]
pub(super) struct FrozenLetter {
    pub id: LetterId,
    pub subject: String,
    pub began_at: Micros,
    pub in_archive: bool,
    pub html: String,
    pub text: String,
}

/// The letter `id`, from `last` if it is that.
pub(super) async fn read(
    tx: &mut Tx,
    id: LetterId,
    last: &mut Option<Arc<FrozenLetter>>,
) -> sqlx::Result<Arc<FrozenLetter>> {
    if let Some(letter) = last.as_ref().filter(|letter| letter.id == id) {
        return Ok(Arc::clone(letter));
    }
    let letter = tx.query(FROZEN).bind(id).one::<FrozenLetter>().await?;
    Ok(Arc::clone(last.insert(Arc::new(letter))))
}
