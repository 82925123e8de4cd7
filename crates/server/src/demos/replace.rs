//! Another file in the place of a demo's, by its sender, for as long as nobody has heard it.

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

/// What was said of a file that is to take the place of another, with what its demo says of the sender. 404 for a link that leads
/// nowhere, 409 once somebody has heard the demo.
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

/// Sees to it that a demo is there and unheard until the transaction ends, before anything of its uploads is touched: in this order
/// everywhere. Answers the key of its file; 409 once somebody has heard it, or it is gone.
pub(super) async fn lock(tx: &mut Tx, demo: Uuid) -> AppResult<String> {
    Ok(tx.query(LOCK).bind(demo).optional::<(String,)>().await?.ok_or_else(heard)?.0)
}

/// What a demo has of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewFile<'a> {
    /// Where it is stored.
    pub(super) key: &'a str,
    /// Its name on the artist's disk.
    pub(super) name: &'a str,
    /// What the demo is looked for by, with that name.
    pub(super) search_key: &'a str,
}

/// Puts a stored file, whose row is there, in the place of a demo's, which goes.
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
