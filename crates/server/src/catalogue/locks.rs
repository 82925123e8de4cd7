//! In which order the catalogue's rows are locked: releases before their artist.

use deadwax_store::{db::Tx, statements};
use uuid::Uuid;

statements! {
    RELEASES = "SELECT id FROM releases WHERE artist_id IN (SELECT unhex(value) FROM json_each($1)) ORDER BY id",
        postgres "SELECT id FROM releases \
            WHERE artist_id IN (SELECT CAST(value AS UUID) FROM jsonb_array_elements_text(CAST(CAST($1 AS TEXT) AS JSONB)) AS ids (value)) \
            ORDER BY id FOR NO KEY UPDATE";
    THESE = "SELECT id FROM releases WHERE id IN (SELECT unhex(value) FROM json_each($1)) ORDER BY id",
        postgres "SELECT id FROM releases \
            WHERE id IN (SELECT CAST(value AS UUID) FROM jsonb_array_elements_text(CAST(CAST($1 AS TEXT) AS JSONB)) AS ids (value)) \
            ORDER BY id FOR NO KEY UPDATE";
}

fn list(ids: &[Uuid]) -> String {
    let ids: Vec<String> = ids.iter().map(hex::encode).collect();
    serde_json::Value::from(ids).to_string()
}

/// Locks the releases of artists who are to be changed, before the artists: whoever changes a release has it, and then waits for its
/// artist, whose name is searched with it. All of them in one order, so that two who change several artists never wait for each other.
pub(crate) async fn lock_releases(tx: &mut Tx, artists: &[Uuid]) -> sqlx::Result<()> {
    tx.query(RELEASES).bind(list(artists)).all::<(Uuid,)>().await.map(drop)
}

/// Locks releases that are all to be changed in one transaction, in the order of [`lock_releases`].
pub(crate) async fn lock_releases_by_id(tx: &mut Tx, releases: &[Uuid]) -> sqlx::Result<()> {
    if releases.is_empty() {
        return Ok(());
    }
    tx.query(THESE).bind(list(releases)).all::<(Uuid,)>().await.map(drop)
}
