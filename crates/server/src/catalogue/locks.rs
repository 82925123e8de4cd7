//! Lock order of the catalogue: releases before their artist.

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

/// Locks the releases of artists before the artists themselves are changed: an edit of a release locks it first and then waits for its
/// artist. Sorted, so that two transactions over several artists cannot deadlock.
pub(crate) async fn lock_releases(tx: &mut Tx, artists: &[Uuid]) -> sqlx::Result<()> {
    tx.query(RELEASES).bind(list(artists)).all::<(Uuid,)>().await.map(drop)
}

/// Locks releases in the order of [`lock_releases`].
pub(crate) async fn lock_releases_by_id(tx: &mut Tx, releases: &[Uuid]) -> sqlx::Result<()> {
    if releases.is_empty() {
        return Ok(());
    }
    tx.query(THESE).bind(list(releases)).all::<(Uuid,)>().await.map(drop)
}
