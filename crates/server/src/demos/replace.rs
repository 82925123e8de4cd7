//! Replacing a demo's file by its sender, until the demo is heard.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    deletions, demo_sounds, statements,
};
use http::StatusCode;
use rules::messages::Code;
use uuid::Uuid;

use super::{links, tus::Metadata};

statements! {
    IS_UNHEARD = "SELECT id FROM demos WHERE id = $1 AND deleted_at IS NULL AND state = 'new'";
    LOCK = "SELECT file_key FROM demos WHERE id = $1 AND deleted_at IS NULL AND state = 'new'", postgres + " FOR UPDATE";
    CHANGE = "UPDATE demos SET file_key = $2, original_name = $3, search_key = $4 WHERE id = $1";
}

/// The metadata of a replacement, with the sender's data from its demo. 404 for an unknown link, 409 if the demo has
/// been heard.
pub(super) async fn described(db: &Db, token: &str, metadata: Metadata) -> AppResult<(Uuid, Metadata)> {
    let demo = links::find(db, token).await?.ok_or_else(AppError::not_found)?;
    db.query(IS_UNHEARD).bind(demo.id).optional::<(Uuid,)>().await?.ok_or_else(heard)?;
    let metadata = Metadata {
        artist_name: demo.artist_name,
        email: demo.email,
        message: demo.message,
        filename: metadata.filename,
        replaces: None,
    };
    Ok((demo.id, metadata))
}

/// Locks an unheard demo before anything of its uploads is touched, in this order everywhere. Returns the key of its
/// file; 409 if it has been heard or deleted.
pub(super) async fn lock(tx: &mut Tx, demo: Uuid) -> AppResult<String> {
    Ok(tx.query(LOCK).bind(demo).optional::<(String,)>().await?.ok_or_else(heard)?.0)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NewFile<'a> {
    pub(super) key: &'a str,
    /// The name on the artist's disk.
    pub(super) name: &'a str,
    pub(super) search_key: &'a str,
}

/// Replaces a demo's file by a stored one, and deletes the old one.
pub(super) async fn change(
    tx: &mut Tx,
    (demo, old): (Uuid, &str),
    new: NewFile<'_>,
    now: Micros,
) -> sqlx::Result<()> {
    tx.query(CHANGE).bind(demo).bind(new.key).bind(new.name).bind(new.search_key).execute().await?;
    demo_sounds::queue_anew(tx, demo, now).await?;
    deletions::remove_object(tx, old, now).await
}

fn heard() -> AppError {
    AppError::from_code(StatusCode::CONFLICT, Code::DemoHeard)
}
