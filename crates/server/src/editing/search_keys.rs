//! Search keys of rows, ignoring case and accents: written with each row, and added here to rows without one.

use deadwax_store::{
    db::{Db, Statement},
    statements,
};
use rules::{search::search_key, sort_key::sort_key};
use uuid::Uuid;

statements! {
    // One text a line, as `search_key` joins them.
    DEMOS = "SELECT id, artist_name || '\n' || email || '\n' || original_name || '\n' || COALESCE(message, '') \
        FROM demos WHERE search_key = '' LIMIT $1";
    KEEP_OF_DEMO = "UPDATE demos SET search_key = $2 WHERE id = $1 AND search_key = ''";
    NOTES = "SELECT id, text FROM demo_notes WHERE search_key = '' LIMIT $1";
    KEEP_OF_NOTE = "UPDATE demo_notes SET search_key = $2 WHERE id = $1 AND search_key = ''";
    MEDIA = "SELECT id, original_name || '\n' || COALESCE(alt_text, '') FROM media_files WHERE search_key = '' LIMIT $1";
    KEEP_OF_MEDIUM = "UPDATE media_files SET search_key = $2 WHERE id = $1 AND search_key = ''";
    PRODUCTS = "SELECT id, title || '\n' || COALESCE(category, '') FROM store_products WHERE search_key = '' LIMIT $1";
    KEEP_OF_PRODUCT = "UPDATE store_products SET search_key = $2 WHERE id = $1 AND search_key = ''";
    UNSORTED_DEMOS = "SELECT id, artist_name FROM demos WHERE sort_key = '' LIMIT $1";
    KEEP_PLACE_OF_DEMO = "UPDATE demos SET sort_key = $2 WHERE id = $1 AND sort_key = ''";
}

const BATCH: i64 = 500;

pub fn of_demo(artist_name: &str, email: &str, original_name: &str, message: Option<&str>) -> String {
    search_key(&[artist_name, email, original_name, message.unwrap_or_default()])
}

pub fn of_note(text: &str) -> String {
    search_key(&[text])
}

pub fn of_medium(original_name: &str, alt_text: Option<&str>) -> String {
    search_key(&[original_name, alt_text.unwrap_or_default()])
}

pub fn of_product(title: &str, category: Option<&str>) -> String {
    search_key(&[title, category.unwrap_or_default()])
}

/// Adds missing keys: of rows from an older version, or written by another program. Returns how many.
pub async fn give_missing(db: &Db) -> sqlx::Result<usize> {
    let whole = |texts: &str| search_key(&[texts]);
    let mut given = 0;
    for (without, keep) in
        [(DEMOS, KEEP_OF_DEMO), (NOTES, KEEP_OF_NOTE), (MEDIA, KEEP_OF_MEDIUM), (PRODUCTS, KEEP_OF_PRODUCT)]
    {
        given += give(db, without, keep, whole).await?;
    }
    Ok(given + give(db, UNSORTED_DEMOS, KEEP_PLACE_OF_DEMO, sort_key).await?)
}

async fn give(
    db: &Db,
    without: Statement,
    keep: Statement,
    key: impl Fn(&str) -> String,
) -> sqlx::Result<usize> {
    let mut given = 0;
    loop {
        let rows = db.query(without).bind(BATCH).all::<(Uuid, String)>().await?;
        if rows.is_empty() {
            return Ok(given);
        }
        let mut tx = db.begin().await?;
        for (id, texts) in &rows {
            tx.query(keep).bind(*id).bind(key(texts)).execute().await?;
        }
        tx.commit().await?;
        given += rows.len();
    }
}
