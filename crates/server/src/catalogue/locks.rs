//! In which order the catalogue's rows are locked: releases before their artist.

use deadwax_store::{db::Tx, statements};
use uuid::Uuid;

statements! {
    RELEASES = "SELECT id FROM releases WHERE artist_id = $1 ORDER BY id", postgres + " FOR NO KEY UPDATE";
    RELEASES_OF_SEVERAL = "SELECT id FROM releases WHERE artist_id IN (SELECT unhex(value) FROM json_each($1)) ORDER BY id",
        postgres "SELECT id FROM releases \
            WHERE artist_id IN (SELECT CAST(value AS UUID) FROM jsonb_array_elements_text(CAST(CAST($1 AS TEXT) AS JSONB)) AS ids (value)) \
            ORDER BY id FOR NO KEY UPDATE";
}

/// Locks the releases of an artist who is to be changed, before the artist: whoever changes a release has it, and then waits for its
/// artist, whose name is searched with it.
pub(crate) async fn lock_releases(tx: &mut Tx, artist_id: Uuid) -> sqlx::Result<()> {
    tx.query(RELEASES).bind(artist_id).all::<(Uuid,)>().await.map(drop)
}

/// The same of several artists who are changed in one transaction: all their releases in one order, or two such transactions wait for each
/// other.
pub(crate) async fn lock_releases_of(tx: &mut Tx, artists: &[Uuid]) -> sqlx::Result<()> {
    let artists: Vec<String> = artists.iter().map(hex::encode).collect();
    let artists = serde_json::Value::from(artists).to_string();
    tx.query(RELEASES_OF_SEVERAL).bind(artists).all::<(Uuid,)>().await.map(drop)
}
