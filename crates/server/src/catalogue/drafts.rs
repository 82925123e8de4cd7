//! Drafts that are made of something else than a form: with an artist who is found by name or made, and the next catalogue number.

use deadwax_http::error::AppResult;
use deadwax_store::{advisory_lock, clock::Micros, db::Tx, statements};
use rules::{artist::ArtistForm, import::artist_key, publish::Publish, release::ReleaseForm};
use uuid::Uuid;

use super::{artist_edits, editable_release::EditableRelease, numbers, release_edits};
use crate::{app::App, auth::guard::SignedIn, caller::Caller};

statements! {
    // One draft after the other: two that are made at once would find the same number free, and neither the other's artist.
    ALONE = "SELECT 1", postgres advisory_lock!(additions);
    // Of two of one name, the one that was entered first.
    ARTISTS = "SELECT id, name FROM artists WHERE deleted_at IS NULL ORDER BY created_at, id";
}

/// Adds a draft of that title, as the rules leave titles and names. It has no date before somebody gives it one. Drafts that are made at
/// once have numbers of their own.
pub(crate) async fn add(
    app: &App,
    tx: &mut Tx,
    by: (&SignedIn, &Caller),
    artist: Option<String>,
    title: String,
    now: Micros,
) -> AppResult<EditableRelease> {
    tx.query(ALONE).execute().await?;
    let artist_id = match artist {
        Some(name) => Some(found_or_made(tx, by, name, now).await?),
        None => None,
    };
    let catalog = numbers::next(tx).await?;
    let form = ReleaseForm { title, catalog, publish: Some(Publish::NotYet), ..ReleaseForm::default() };
    release_edits::insert(app, tx, by, &form, artist_id, now).await
}

/// The artist of that name as an import finds one, or a new one.
async fn found_or_made(tx: &mut Tx, by: (&SignedIn, &Caller), name: String, now: Micros) -> AppResult<Uuid> {
    let (key, mut found) = (artist_key(&name), None);
    tx.query(ARTISTS)
        .each(|(id, name): (Uuid, String)| {
            if found.is_none() && artist_key(&name) == key {
                found = Some(id);
            }
        })
        .await?;
    if let Some(id) = found {
        return Ok(id);
    }
    let form = ArtistForm { name, ..ArtistForm::default() };
    // Whoever sent a demo has not agreed to be announced.
    Ok(artist_edits::insert(tx, by, &form, false, now).await?.id)
}
