//! In which order the catalogue's rows are locked: releases before their artist.

use deadwax_store::{db::Tx, statements};
use uuid::Uuid;

statements! {
    RELEASES = "SELECT id FROM releases WHERE artist_id = $1 ORDER BY id", postgres + " FOR NO KEY UPDATE";
}

/// Locks the releases of an artist who is to be changed, before the artist: whoever changes a release has it, and then waits for its
/// artist, whose name is searched with it.
pub(crate) async fn lock_releases(tx: &mut Tx, artist_id: Uuid) -> sqlx::Result<()> {
    tx.query(RELEASES).bind(artist_id).all::<(Uuid,)>().await.map(drop)
}
