//! What rows of the back office are looked for by, whatever its case and accents: written with each row by whoever writes the row, and
//! here for rows that have none.

use deadwax_store::{
    db::{Db, Statement},
    statements,
};
use rules::{search::search_key, sort_key::sort_key};
use uuid::Uuid;

statements! {
    // Each text on a line of its own, as `search_key` puts them.
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

/// Rows that are given theirs in one transaction.
const BATCH: i64 = 500;

/// A demo: who sent it, what was written, and the name on the artist's disk.
pub fn of_demo(artist_name: &str, email: &str, original_name: &str, message: Option<&str>) -> String {
    search_key(&[artist_name, email, original_name, message.unwrap_or_default()])
}

/// A note on a demo.
pub fn of_note(text: &str) -> String {
    search_key(&[text])
}

/// A file of the library: its name on somebody's disk, and its alternative text.
pub fn of_medium(original_name: &str, alt_text: Option<&str>) -> String {
    search_key(&[original_name, alt_text.unwrap_or_default()])
}

/// A product: its title and its category.
pub fn of_product(title: &str, category: Option<&str>) -> String {
    search_key(&[title, category.unwrap_or_default()])
}

/// Gives keys to rows that have none: those of a database that an older version made, or that another program wrote. Answers how many
/// were missing.
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

/// Gives the rows of `without` what `key` makes of their texts, which is never empty.
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
