//! Puts the sample catalogue into an empty label: files first, then all rows in one transaction, so that
//! a running server shows either nothing of it or all of it.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicI64, Ordering},
};

use bytes::Bytes;
use deadwax_store::{
    advisory_lock,
    clock::{Clock, Micros},
    db::{Db, Tx},
    objects::{self, Fingerprint, NewObject},
    picture_sizes, statements,
    storage::{Storage, StorageError},
};
use futures_util::{StreamExt as _, stream};
use rules::{artist::ArtistForm, release::ReleaseForm};
use serde_json::json;
use uuid::Uuid;

use super::{Catalogue, Files};
use crate::catalogue::publication;

statements! {
    COUNT = "SELECT (SELECT COUNT(*) FROM artists), (SELECT COUNT(*) FROM releases)";
    // SQLite has one writer anyway; on PostgreSQL two loaders at once must not both find the label empty.
    ONE_AT_A_TIME = "SELECT 1", postgres advisory_lock!(sample);
    INSERT_ARTIST = "INSERT INTO artists (id, name, sort_key, bio, image_url, spotify_url, soundcloud_url, \
            instagram_url, youtube_url, apple_music_url, social_links, featured, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)";
    INSERT_RELEASE = "INSERT INTO releases (id, title, sort_key, catalog, release_date, description, cover_image_url, \
            spotify_url, soundcloud_url, apple_music_url, youtube_url, bandcamp_url, artist_id, featured, created_at, \
            updated_at, out_at, format, tracks, credits) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $15, $16, $17, $18)";
}

/// Width and height of a picture.
const FULL: u32 = 1000;
/// Files stored at the same time.
const UPLOADS: usize = 8;

/// Why the sample catalogue could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The database refused.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The storage refused.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The result of loading, shown as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The label was empty and now has this many.
    Loaded {
        /// Artists added.
        artists: usize,
        /// Releases added.
        releases: usize,
    },
    /// The label already has a catalogue; nothing was changed.
    AlreadyThere {
        /// Artists found.
        artists: i64,
        /// Releases found.
        releases: i64,
    },
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Loaded { artists, releases } => {
                write!(f, "loaded the sample catalogue: {artists} artists, {releases} releases")
            }
            Self::AlreadyThere { artists, releases } => {
                write!(f, "nothing loaded: there are already {artists} artists and {releases} releases")
            }
        }
    }
}

/// A stored picture and its small version.
struct Stored {
    key: String,
    small_key: String,
    full: Bytes,
    small: Bytes,
}

/// The stored pictures by their paths in the sample's folder.
type Pictures = HashMap<String, Stored>;

/// Loads the sample catalogue, unless there is an artist or a release.
///
/// Works beside a running server. A failure leaves no rows, and removes the files stored by then.
pub async fn load(db: &Db, storage: &Storage, clock: &Clock) -> Result<Outcome, LoadError> {
    let found = db.query(COUNT).one::<(i64, i64)>().await?;
    if let Some(outcome) = already_there(found) {
        return Ok(outcome);
    }
    let now = clock.now();
    let catalogue = super::catalogue();
    let mut pictures = Pictures::new();
    let filled = match store_all(storage, &catalogue, now, &mut pictures).await {
        Ok(()) => fill(db, &catalogue, &pictures, now).await,
        Err(error) => Err(error.into()),
    };
    let outcome = match filled {
        // If the answer to the commit is lost, the rows may exist: their files stay.
        Ok(Filled::Ready(tx)) => {
            tx.commit().await?;
            let Catalogue { artists, releases } = catalogue;
            return Ok(Outcome::Loaded { artists: artists.len(), releases: releases.len() });
        }
        Ok(Filled::TooLate(outcome)) => Ok(outcome),
        Err(error) => Err(error),
    };
    for Stored { key, small_key, .. } in pictures.values() {
        remove(storage, key).await;
        remove(storage, small_key).await;
    }
    outcome
}

/// The result of writing the rows.
enum Filled {
    /// All are in the transaction.
    Ready(Tx),
    /// Another loader was faster.
    TooLate(Outcome),
}

fn already_there((artists, releases): (i64, i64)) -> Option<Outcome> {
    (artists > 0 || releases > 0).then_some(Outcome::AlreadyThere { artists, releases })
}

/// Stores all pictures, several at a time. `stored` also gets those stored before one failed.
async fn store_all(
    storage: &Storage,
    catalogue: &Catalogue,
    now: Micros,
    stored: &mut Pictures,
) -> Result<(), StorageError> {
    let milliseconds = AtomicI64::new(now / 1000);
    let portraits = catalogue.artists.iter().filter_map(|artist| artist.image_url.as_deref());
    let covers = catalogue.releases.iter().filter_map(|one| one.release.cover_image_url.as_deref());
    let mut results = stream::iter(portraits.chain(covers))
        .map(async |path| (path, store(storage, path, &milliseconds).await))
        .buffer_unordered(UPLOADS);
    let mut failed = None;
    while let Some((path, result)) = results.next().await {
        match result {
            Ok(one) => drop(stored.insert(path.to_owned(), one)),
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Stores a picture under a new key: a sleeve's is random, a portrait's the next free millisecond.
async fn store(storage: &Storage, path: &str, milliseconds: &AtomicI64) -> Result<Stored, StorageError> {
    let file = |path: &str| {
        Files::get(path).map(|file| Bytes::from(file.data.into_owned())).ok_or(StorageError::NotFound)
    };
    let stem = path.strip_suffix(".png").unwrap_or(path);
    let (full, small) = (file(path)?, file(&format!("{stem}-small.webp"))?);
    loop {
        let at = milliseconds.fetch_add(1, Ordering::Relaxed);
        let name = if path.starts_with("artists/") {
            format!("artists/artist-{at}")
        } else {
            format!("releases/{at}-{}", Uuid::new_v4().simple())
        };
        let (key, small_key) = (format!("{name}.png"), format!("{name}-small.webp"));
        match storage.put_new(&key, full.clone()).await {
            Ok(()) => {}
            Err(StorageError::Exists) => continue,
            Err(error) => return Err(error),
        }
        if let Err(error) = storage.put_new(&small_key, small.clone()).await {
            remove(storage, &key).await;
            return Err(error);
        }
        return Ok(Stored { key, small_key, full, small });
    }
}

/// Removes a file that no row will name. One that stays only takes space.
async fn remove(storage: &Storage, key: &str) {
    if let Err(error) = storage.remove(key).await {
        tracing::warn!(key, cause = %error, "removing a sample picture");
    }
}

async fn fill(db: &Db, catalogue: &Catalogue, pictures: &Pictures, now: Micros) -> Result<Filled, LoadError> {
    let mut tx = db.begin().await?;
    tx.query(ONE_AT_A_TIME).execute().await?;
    if let Some(outcome) = already_there(tx.query(COUNT).one::<(i64, i64)>().await?) {
        return Ok(Filled::TooLate(outcome));
    }
    for one in pictures.values() {
        insert_objects(&mut tx, one, now).await?;
    }
    let address = |path: &Option<String>| {
        let stored = path.as_ref().and_then(|path| pictures.get(path));
        stored.map(|stored| objects::url(&stored.key))
    };
    // Later rows are a microsecond younger, so that lists by age have one order.
    let mut at = now;
    let mut ids = HashMap::new();
    for artist in &catalogue.artists {
        at += 1;
        let id = Uuid::now_v7();
        ids.insert(&artist.name, id);
        insert_artist(&mut tx, id, artist, address(&artist.image_url), at).await?;
    }
    for one in &catalogue.releases {
        at += 1;
        let artist_id = one.artist.as_ref().and_then(|name| ids.get(name).copied());
        insert_release(&mut tx, &one.release, artist_id, address(&one.release.cover_image_url), at).await?;
    }
    Ok(Filled::Ready(tx))
}

async fn insert_objects(tx: &mut Tx, stored: &Stored, now: Micros) -> sqlx::Result<()> {
    let small = NewObject {
        key: &stored.small_key,
        fingerprint: Fingerprint::of(&stored.small),
        dimensions: None,
        small_key: None,
    };
    objects::insert(tx, &small, now).await?;
    let full = NewObject {
        key: &stored.key,
        fingerprint: Fingerprint::of(&stored.full),
        dimensions: Some((FULL, FULL)),
        small_key: Some(&stored.small_key),
    };
    objects::insert(tx, &full, now).await?;
    picture_sizes::mark_made(tx, &stored.key, now).await
}

async fn insert_artist(
    tx: &mut Tx,
    id: Uuid,
    artist: &ArtistForm,
    image_url: Option<String>,
    now: Micros,
) -> sqlx::Result<()> {
    let social_links = json!({ "website": artist.website, "twitter": artist.twitter }).to_string();
    tx.query(INSERT_ARTIST)
        .bind(id)
        .bind(&artist.name)
        .bind(rules::sort_key::sort_key(&artist.name))
        .bind(artist.bio.as_deref())
        .bind(image_url.as_deref())
        .bind(artist.spotify_url.as_deref())
        .bind(artist.soundcloud_url.as_deref())
        .bind(artist.instagram_url.as_deref())
        .bind(artist.youtube_url.as_deref())
        .bind(artist.apple_music_url.as_deref())
        .bind(social_links.as_str())
        .bind(artist.featured)
        .bind(now)
        .execute()
        .await
        .map(drop)
}

async fn insert_release(
    tx: &mut Tx,
    release: &ReleaseForm,
    artist_id: Option<Uuid>,
    cover_image_url: Option<String>,
    now: Micros,
) -> sqlx::Result<()> {
    let id = Uuid::now_v7();
    tx.query(INSERT_RELEASE)
        .bind(id)
        .bind(&release.title)
        .bind(rules::sort_key::sort_key(&release.title))
        .bind(release.catalog.as_deref())
        .bind(Some(release.release_date.as_str()).filter(|date| !date.is_empty()))
        .bind(release.description.as_deref())
        .bind(cover_image_url.as_deref())
        .bind(release.spotify_url.as_deref())
        .bind(release.soundcloud_url.as_deref())
        .bind(release.apple_music_url.as_deref())
        .bind(release.youtube_url.as_deref())
        .bind(release.bandcamp_url.as_deref())
        .bind(artist_id)
        .bind(release.featured)
        .bind(now)
        .bind(release.format.as_deref())
        .bind(json!(release.tracks).to_string())
        .bind(json!(release.credits).to_string())
        .execute()
        .await?;
    publication::give_slug(tx, id, release.catalog.as_deref(), &release.title, now).await
}
