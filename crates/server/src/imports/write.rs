//! Writes a plan completely or not at all, and stores what an undo needs.

use std::{collections::HashSet, fmt::Display};

use deadwax_store::{
    clock::Micros,
    db::{Statement, Tx},
    ids::{ArtistId, ReleaseId, UserId},
    statements,
};
use rules::{
    artist::ArtistForm, import::Ready, publish::ReleaseState, release::ReleaseForm, sort_key::sort_key,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ImportFailure,
    plan::{Addition, Change, Plan},
};
use crate::{
    catalogue::{
        publication,
        release_detail::Track,
        release_edits::{bind_content, stored_date, update_releases},
    },
    editing::versions::{self, Saved, VersionKind},
    exports::TableRow,
};

const BATCH: usize = 200;

// Rows are passed as JSON, hundreds per statement.
statements! {
    COVERS = "SELECT deleted_at IS NOT NULL FROM media_files \
        WHERE file_path IN (SELECT value ->> 'key' FROM json_each($1)) ORDER BY id", postgres + " FOR SHARE";
    // They become public with their first public release, also one of this import.
    INSERT_ARTISTS = "INSERT INTO artists (id, name, sort_key, social_links, featured, is_public, created_at, updated_at) \
        SELECT unhex(value ->> 'id'), value ->> 'name', value ->> 'sort_key', '{}', FALSE, FALSE, CAST(value ->> 'now' AS BIGINT), \
            CAST(value ->> 'now' AS BIGINT) FROM json_each($1)";
    INSERT_RELEASES = "INSERT INTO releases (id, artist_id, title, sort_key, catalog, release_date, description, cover_image_url, \
            spotify_url, soundcloud_url, apple_music_url, youtube_url, bandcamp_url, featured, format, tracks, credits, state, goes_out_at, out_at, \
            slug, created_at, updated_at) \
        SELECT unhex(value ->> 'id'), unhex(value ->> 'artist_id'), value ->> 'title', value ->> 'sort_key', value ->> 'catalog', \
            value ->> 'release_date', value ->> 'description', value ->> 'cover_image_url', value ->> 'spotify_url', \
            value ->> 'soundcloud_url', value ->> 'apple_music_url', value ->> 'youtube_url', value ->> 'bandcamp_url', \
            CAST(value ->> 'featured' AS BOOLEAN), value ->> 'format', value ->> 'tracks', value ->> 'credits', value ->> 'state', \
            CAST(value ->> 'goes_out_at' AS BIGINT), CAST(value ->> 'out_at' AS BIGINT), value ->> 'slug', CAST(value ->> 'now' AS BIGINT), \
            CAST(value ->> 'now' AS BIGINT) FROM json_each($1)";
    UPDATE_RELEASE = concat!(
        update_releases!("$4"),
        ", updated_at = $18 WHERE id = $1 AND version = $19 AND deleted_at IS NULL"
    );
    INSERT_IMPORT = "INSERT INTO imports (id, file_name, created_at, created_by) VALUES ($1, $2, $3, $4)";
    INSERT_ROWS = "INSERT INTO import_rows (import_id, kind, row_id, version, before) \
        SELECT unhex(value ->> 'import_id'), value ->> 'kind', unhex(value ->> 'id'), CAST(value ->> 'version' AS BIGINT), \
            value ->> 'before' FROM json_each($1)";
    INSERT_SLUGS = "INSERT INTO slugs (slug, release_id, created_at) SELECT r.slug, r.id, r.created_at FROM releases r \
        WHERE r.slug IS NOT NULL AND r.id IN (SELECT row_id FROM import_rows \
            WHERE import_id = $1 AND kind = 'release' AND before IS NULL)";
}

#[derive(Clone, Debug)]
pub struct NewImport {
    pub id: Uuid,
    pub file_name: String,
    pub by: Option<UserId>,
    pub as_drafts: bool,
}

pub async fn write(tx: &mut Tx, plan: &Plan, import: &NewImport, now: Micros) -> Result<(), ImportFailure> {
    tx.query(INSERT_IMPORT)
        .bind(import.id)
        .bind(&import.file_name)
        .bind(now)
        .bind(import.by)
        .execute()
        .await?;
    lock_new_covers(tx, plan).await?;
    // Before new releases publish or name an artist: an edit of that artist has locked its releases.
    let changed: Vec<ReleaseId> = plan.changes.iter().map(|change| change.stored.id).collect();
    publication::lock_releases_by_id(tx, &changed).await?;
    let taken = publication::taken_slugs(tx).await?;
    for (statement, rows) in inserted(plan, import, taken, now) {
        tx.query(statement).bind(rows).execute().await?;
    }
    tx.query(INSERT_SLUGS).bind(import.id).execute().await?;
    for change in &plan.changes {
        update(tx, change, now).await?;
    }
    keep_versions(tx, plan, import.by, now).await?;
    Ok(())
}

async fn lock_new_covers(tx: &mut Tx, plan: &Plan) -> Result<(), ImportFailure> {
    let added = plan.additions.iter().map(|addition| &addition.ready.form);
    let changed =
        plan.changes.iter().filter(|change| change.form.cover_image_url != change.stored.cover_image_url);
    let forms = added.chain(changed.map(|change| &change.form));
    let covers = forms.filter_map(|form| form.cover_image_url.as_deref());
    // Moved to the trash since the plan was made: the next preview shows it.
    if lock_covers(tx, covers).await? { Err(ImportFailure::Stale) } else { Ok(()) }
}

/// Locks the files of covers in the order of the trash; whether one is in it. To be called before the releases that show them are locked:
/// the trash locks the file first.
pub(super) async fn lock_covers<'a>(tx: &mut Tx, urls: impl Iterator<Item = &'a str>) -> sqlx::Result<bool> {
    let keys: Value = urls.filter_map(|url| Some(json!({"key": url.split_once("/media/")?.1}))).collect();
    Ok(tx.query(COVERS).bind(keys.to_string()).values().await?.contains(&true))
}

fn inserted(
    plan: &Plan,
    import: &NewImport,
    mut taken: HashSet<String>,
    now: Micros,
) -> Vec<(Statement, String)> {
    let (mut artists, mut releases, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut written = |kind: &str, id: String, version: i64, before: Option<&TableRow>| {
        rows.push(json!({
            "import_id": hex::encode(import.id),
            "kind": kind,
            "id": id,
            "version": version,
            "before": before.map(|row| json!(row).to_string()),
        }));
    };
    for (id, name) in &plan.artists {
        artists.push(json!({"id": hex::encode(id.0), "name": name, "sort_key": sort_key(name), "now": now}));
        written("artist", hex::encode(id.0), 1, None);
    }
    for addition in &plan.additions {
        let (state, goes_out_at) = state(addition, import.as_drafts, now);
        let Ready { form, .. } = &addition.ready;
        // Only public releases have slugs.
        let slug = if state == ReleaseState::Out {
            publication::choose_slug(&mut taken, addition.id, form.catalog.as_deref(), &form.title)
        } else {
            None
        };
        releases.push(added(addition, (state, goes_out_at), slug.as_deref(), now));
        written("release", hex::encode(addition.id.0), 1, None);
    }
    for Change { stored, .. } in &plan.changes {
        written("release", hex::encode(stored.id.0), stored.version + 1, Some(stored));
    }
    [(INSERT_ARTISTS, artists), (INSERT_RELEASES, releases), (INSERT_ROWS, rows)]
        .into_iter()
        .flat_map(|(statement, rows)| {
            let some = rows.chunks(BATCH).map(|some| (statement, json!(some).to_string()));
            some.collect::<Vec<_>>()
        })
        .collect()
}

fn added(
    addition: &Addition,
    (state, goes_out_at): (ReleaseState, Option<Micros>),
    slug: Option<&str>,
    now: Micros,
) -> Value {
    let form = &addition.ready.form;
    let mut row = json!(form);
    for (column, value) in [
        ("id", json!(hex::encode(addition.id.0))),
        ("artist_id", json!(addition.artist_id.map(|id| hex::encode(id.0)))),
        ("sort_key", json!(sort_key(&form.title))),
        ("release_date", json!(stored_date(form))),
        ("tracks", json!(json!(form.tracks).to_string())),
        ("credits", json!(json!(form.credits).to_string())),
        ("state", json!(state)),
        ("goes_out_at", json!(goes_out_at)),
        ("slug", json!(slug)),
        ("out_at", json!((state == ReleaseState::Out).then_some(now))),
        ("now", json!(now)),
    ] {
        row[column] = value;
    }
    row
}

/// The state of a new release. A scheduled instant in the past means out.
fn state(addition: &Addition, as_drafts: bool, now: Micros) -> (ReleaseState, Option<Micros>) {
    use ReleaseState::{Draft, Out, Scheduled};
    match (addition.ready.state, addition.goes_out_at) {
        (Some(Scheduled), Some(at)) if at > now => (Scheduled, Some(at)),
        (Some(Scheduled), Some(_)) | (Some(Out), _) => (Out, None),
        (Some(Draft | Scheduled), _) => (Draft, None),
        (None, _) if as_drafts => (Draft, None),
        (None, _) => (Out, None),
    }
}

async fn update(tx: &mut Tx, change: &Change, now: Micros) -> Result<(), ImportFailure> {
    let Change { stored, artist_id, form } = change;
    let update = bind_content(tx.query(UPDATE_RELEASE).bind(stored.id), form, *artist_id);
    let touched = update.bind(now).bind(stored.version).execute().await?;
    // The release was changed in between: nothing is written, and the next preview shows that change.
    if touched == 0 {
        return Err(ImportFailure::Stale);
    }
    if stored.state == "out" {
        publication::give_slug(tx, stored.id, form.catalog.as_deref(), &form.title, now).await?;
    }
    Ok(())
}

async fn keep_versions(tx: &mut Tx, plan: &Plan, by: Option<UserId>, now: Micros) -> sqlx::Result<()> {
    let artists: Vec<_> =
        plan.artists.iter().map(|(id, name)| saved(id, 1, now, artist(name.clone()))).collect();
    versions::keep_many(tx, VersionKind::Artist, by, &[], &artists).await?;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for Addition { id, artist_id, ready, .. } in &plan.additions {
        after.push(saved(id, 1, now, release(&ready.form, *artist_id)));
    }
    for Change { stored, artist_id, form } in &plan.changes {
        before.push(as_stored(stored, stored.version, stored.updated_at));
        after.push(saved(stored.id, stored.version + 1, now, release(form, *artist_id)));
    }
    versions::keep_many(tx, VersionKind::Release, by, &before, &after).await
}

pub(super) fn as_stored(stored: &TableRow, version: i64, saved_at: Micros) -> Saved {
    saved(stored.id, version, saved_at, release(&stored.form(), stored.artist_id))
}

fn saved(id: impl Display, version: i64, saved_at: Micros, row: Value) -> Saved {
    Saved { key: id.to_string(), version, saved_at, row }
}

fn artist(name: String) -> Value {
    json!(ArtistForm { name, ..ArtistForm::default() })
}

fn release(form: &ReleaseForm, artist_id: Option<ArtistId>) -> Value {
    let mut row = json!(form);
    row["artist_id"] = json!(artist_id);
    row["release_date"] = json!(stored_date(form));
    row["tracks"] = json!(form.tracks.iter().cloned().map(Track::from).collect::<Vec<_>>());
    row["credits"] = json!(form.credits);
    row
}
