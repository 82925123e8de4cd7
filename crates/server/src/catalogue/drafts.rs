//! Catalogue numbers (the next free one, duplicates and gaps), and drafts that take one: made without a form, with an artist found by name
//! or created.

use axum::Json;
use deadwax_http::error::AppResult;
use deadwax_store::{advisory_lock, db::Tx, ids::ArtistId, statements};
use rules::{
    artist::ArtistForm,
    catalog_number::{self, CatalogNotices},
    import::artist_key,
    publish::Publish,
    release::ReleaseForm,
};

use super::{artist_edits, editable_release::EditableRelease, release_edits};
use crate::{
    app::AppState,
    auth::guard::{Actor, Admin},
};

statements! {
    // Serialised: two drafts at once would take the same number and create the same artist twice.
    ALONE = "SELECT 1", postgres advisory_lock!(additions);
    // Of two with one name, the one entered first.
    ARTISTS = "SELECT id, name FROM artists WHERE deleted_at IS NULL ORDER BY created_at, id";
    LIST = "SELECT catalog FROM releases WHERE catalog IS NOT NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC";
}

/// Adds a draft without a date; `title` and `artist` have passed the rules. Concurrent drafts get different numbers.
pub(crate) async fn add(
    by: Actor<'_>,
    tx: &mut Tx,
    artist: Option<String>,
    title: String,
) -> AppResult<EditableRelease> {
    tx.query(ALONE).execute().await?;
    let artist_id = match artist {
        Some(name) => Some(found_or_made(by, tx, name).await?),
        None => None,
    };
    let catalog = Some(next_number(tx, &by.app.known_label.last().name).await?);
    let form = ReleaseForm { title, catalog, publish: Some(Publish::NotYet), ..ReleaseForm::default() };
    release_edits::insert(by, tx, &form, artist_id).await
}

async fn found_or_made(by: Actor<'_>, tx: &mut Tx, name: String) -> AppResult<ArtistId> {
    let (key, mut found) = (artist_key(&name), None);
    tx.query(ARTISTS)
        .each(|(id, name): (ArtistId, String)| {
            if found.is_none() && artist_key(&name) == key {
                found = Some(id);
            }
        })
        .await?;
    if let Some(id) = found {
        return Ok(id);
    }
    let form = ArtistForm { name, ..ArtistForm::default() };
    // The sender of a demo has not agreed to be announced.
    Ok(artist_edits::insert(by, tx, &form, false).await?.id)
}

async fn next_number(tx: &mut Tx, label: &str) -> sqlx::Result<String> {
    let next = catalog_number::notices(tx.query(LIST).values::<String>().await?).next;
    Ok(next.unwrap_or_else(|| catalog_number::first_number(label)))
}

#[utoipa::path(get, path = "/api/admin/catalog-numbers", tag = "admin", responses(
    (status = 200, description = "The numbers", body = CatalogNotices),
))]
pub async fn show_catalog_numbers(app: AppState, _: Admin) -> AppResult<Json<CatalogNotices>> {
    let mut notices = catalog_number::notices(app.db.query(LIST).values::<String>().await?);
    let label = app.known_label.current(&app.db).await?;
    notices.next.get_or_insert_with(|| catalog_number::first_number(&label.name));
    Ok(Json(notices))
}
