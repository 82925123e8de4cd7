//! The versions that an import leaves, as edits of its rows one by one would have.

use deadwax_store::{clock::Micros, db::Tx};
use rules::release::ReleaseForm;
use serde_json::{Value, json};
use uuid::Uuid;

use super::plan::{Plan, Step, form_of};
use crate::{
    catalogue::release_detail::{Credit, Track},
    exports::releases::TableRow,
    versions::{self, Saved, VersionKind},
};

/// Keeps a version of everything that a plan has written.
pub(super) async fn keep(tx: &mut Tx, plan: &Plan, by: Option<Uuid>, now: Micros) -> sqlx::Result<()> {
    let artists: Vec<_> = plan.artists.iter().map(|(id, name)| made(*id, artist(name), now)).collect();
    versions::keep_many(tx, VersionKind::Artist, by, &[], &artists).await?;
    let (mut before, mut saved) = (Vec::new(), Vec::new());
    for row in &plan.rows {
        match &row.step {
            Step::Add(addition) => {
                saved.push(made(addition.id, release(&addition.ready.form, addition.artist_id), now));
            }
            Step::Change(change) => {
                let stored = &change.stored;
                before.push(as_stored(stored, stored.version, stored.updated_at));
                let row = release(&change.form, change.artist_id);
                saved.push(Saved { key: stored.id, version: stored.version + 1, saved_at: now, row });
            }
            Step::Unchanged | Step::AsksForDay | Step::LeftOut | Step::Refused(_) => {}
        }
    }
    versions::keep_many(tx, VersionKind::Release, by, &before, &saved).await
}

/// A version that has the fields of a release as it was found.
pub(super) fn as_stored(stored: &TableRow, version: i64, saved_at: Micros) -> Saved {
    Saved { key: stored.id, version, saved_at, row: release(&form_of(stored), stored.artist_id) }
}

fn made(key: Uuid, row: Value, now: Micros) -> Saved {
    Saved { key, version: 1, saved_at: now, row }
}

fn release(form: &ReleaseForm, artist_id: Option<Uuid>) -> Value {
    json!({
        "title": form.title,
        "artist_id": artist_id,
        "catalog": form.catalog,
        "release_date": form.release_date,
        "description": form.description,
        "cover_image_url": form.cover_image_url,
        "spotify_url": form.spotify_url,
        "soundcloud_url": form.soundcloud_url,
        "apple_music_url": form.apple_music_url,
        "youtube_url": form.youtube_url,
        "bandcamp_url": form.bandcamp_url,
        "featured": form.featured,
        "format": form.format,
        "tracks": form.tracks.iter().cloned().map(Track::from).collect::<Vec<_>>(),
        "credits": form.credits.iter().cloned().map(Credit::from).collect::<Vec<_>>(),
    })
}

fn artist(name: &str) -> Value {
    json!({
        "name": name,
        "bio": null,
        "image_url": null,
        "spotify_url": null,
        "soundcloud_url": null,
        "apple_music_url": null,
        "youtube_url": null,
        "instagram_url": null,
        "website": null,
        "twitter": null,
        "featured": false,
    })
}
