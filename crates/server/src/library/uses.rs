//! Where a file of the library is shown. One that goes is taken out there in the same transaction, so that no page shows a gap.

use deadwax_config::Origin;
use deadwax_store::{clock::Micros, db::Tx, picture_sizes, statements};

statements! {
    OF_ARTISTS = "UPDATE artists SET image_url = NULL, updated_at = $3, version = version + 1 \
        WHERE image_url IN ($1, $2)";
    OF_RELEASES = "UPDATE releases SET cover_image_url = NULL, updated_at = $3, version = version + 1 \
        WHERE cover_image_url IN ($1, $2)";
    OF_PRODUCTS = "UPDATE store_products SET image_url = NULL, updated_at = $3, version = version + 1 \
        WHERE image_url IN ($1, $2)";
    OF_SITE = "DELETE FROM site_images WHERE image_url IN ($1, $2)";
}

/// Removes the file at an address of this website, with everything that was made of it, and takes it out of artists, releases, products and
/// site images, whether they name it by that address or by the full one. Any other address is nobody's file.
pub(crate) async fn remove_file(tx: &mut Tx, origin: &Origin, url: &str, now: Micros) -> sqlx::Result<()> {
    let Some(key) = url.strip_prefix("/media/") else { return Ok(()) };
    let full = format!("{origin}{url}");
    for statement in [OF_ARTISTS, OF_RELEASES, OF_PRODUCTS] {
        tx.query(statement).bind(url).bind(&full).bind(now).execute().await?;
    }
    tx.query(OF_SITE).bind(url).bind(&full).execute().await?;
    picture_sizes::remove_with_all(tx, key, now).await
}
