//! The versions an import leaves, as single edits would have.

use deadwax_store::{clock::Micros, db::Tx};
use rules::{artist::ArtistForm, release::ReleaseForm};
use serde_json::{Value, json};
use uuid::Uuid;

use super::plan::{Plan, Step};
use crate::{
    catalogue::{release_detail::Track, release_edits::stored_date},
    exports::releases::TableRow,
    versions::{self, Saved, VersionKind},
};

pub(super) async fn keep(tx: &mut Tx, plan: &Plan, by: Option<Uuid>, now: Micros) -> sqlx::Result<()> {
    let artists: Vec<_> =
        plan.artists.iter().map(|(id, name)| made(*id, artist(name.clone()), now)).collect();
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
            Step::Unchanged | Step::AsksForDay | Step::AsksForOrder | Step::LeftOut | Step::Refused(_) => {}
        }
    }
    versions::keep_many(tx, VersionKind::Release, by, &before, &saved).await
}

/// A version with the fields of a release as found.
pub(super) fn as_stored(stored: &TableRow, version: i64, saved_at: Micros) -> Saved {
    Saved { key: stored.id, version, saved_at, row: release(&stored.form(), stored.artist_id) }
}

fn made(key: Uuid, row: Value, now: Micros) -> Saved {
    Saved { key, version: 1, saved_at: now, row }
}

fn artist(name: String) -> Value {
    json!(ArtistForm { name, ..ArtistForm::default() })
}

fn release(form: &ReleaseForm, artist_id: Option<Uuid>) -> Value {
    let mut row = json!(form);
    row["artist_id"] = json!(artist_id);
    row["release_date"] = json!(stored_date(form));
    row["tracks"] = json!(form.tracks.iter().cloned().map(Track::from).collect::<Vec<_>>());
    row["credits"] = json!(form.credits);
    row
}
