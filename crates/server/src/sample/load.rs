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
use rules::track_list;
use sample_art::encode::EncodeError;
use serde_json::json;
use uuid::Uuid;

use super::{
    catalogue::{self, SampleArtist, SampleRelease, sheet},
    pictures::{self, Picture, Subject},
};
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

/// Files on their way into storage at the same time.
const UPLOADS: usize = 8;

/// Why the sample catalogue could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A picture could not be drawn.
    #[error(transparent)]
    Picture(#[from] EncodeError),
    /// The database refused.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The storage refused.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The thread that draws ended early.
    #[error("drawing the pictures")]
    Drawing(#[from] tokio::task::JoinError),
}

/// What loading did. Shown as one line to the person who asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The label was empty and now has these many.
    Loaded {
        /// Artists added.
        artists: usize,
        /// Releases added.
        releases: usize,
    },
    /// The label already has a catalogue; nothing was touched.
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

/// A stored picture.
struct Stored {
    key: String,
    small_key: String,
    picture: Picture,
}

/// Loads the sample catalogue, unless there is an artist or a release.
///
/// Works beside a running server. Fails without a trace in the database; files that were stored by then are removed.
pub async fn load(db: &Db, storage: &Storage, clock: &Clock) -> Result<Outcome, LoadError> {
    let found = db.query(COUNT).one::<(i64, i64)>().await?;
    if let Some(outcome) = already_there(found) {
        return Ok(outcome);
    }
    let now = clock.now();
    let (artists, releases) = (catalogue::artists(), catalogue::releases());
    let subjects = subjects(artists, &releases);
    let pictures = {
        let subjects = subjects.clone();
        tokio::task::spawn_blocking(move || pictures::draw_all(&subjects)).await??
    };
    let mut keys = Vec::new();
    let filled = match store_all(storage, &subjects, pictures, now, &mut keys).await {
        Ok(stored) => fill(db, artists, &releases, &stored, now).await,
        Err(error) => Err(error.into()),
    };
    let outcome = match filled {
        // Should the answer to the commit get lost, the rows may be there: their files stay.
        Ok(Filled::Ready(tx)) => {
            tx.commit().await?;
            return Ok(Outcome::Loaded { artists: artists.len(), releases: releases.len() });
        }
        Ok(Filled::TooLate(outcome)) => Ok(outcome),
        Err(error) => Err(error),
    };
    remove(storage, &keys).await;
    outcome
}

/// What became of the rows.
enum Filled {
    /// All are in the transaction.
    Ready(Tx),
    /// Somebody else was faster.
    TooLate(Outcome),
}

fn already_there((artists, releases): (i64, i64)) -> Option<Outcome> {
    (artists > 0 || releases > 0).then_some(Outcome::AlreadyThere { artists, releases })
}

/// The subjects of all pictures: portraits, then sleeves, each in the order of the catalogue.
fn subjects(artists: &[SampleArtist], releases: &[SampleRelease]) -> Vec<Subject> {
    let portraits =
        artists.iter().filter(|artist| artist.portrait).map(|artist| Subject::Portrait(artist.name));
    let covers = releases.iter().filter(|release| release.artwork);
    portraits.chain(covers.map(|release| Subject::Cover(release.catalog.unwrap_or(release.title)))).collect()
}

/// Stores all pictures, several at a time, in the order of their subjects. `keys` gets what was stored, also
/// when a later one fails.
async fn store_all(
    storage: &Storage,
    subjects: &[Subject],
    pictures: Vec<Picture>,
    now: Micros,
    keys: &mut Vec<String>,
) -> Result<Vec<Stored>, StorageError> {
    let milliseconds = AtomicI64::new(now / 1000);
    let mut stored = Vec::with_capacity(subjects.len());
    let mut failed = None;
    let mut tries = stream::iter(subjects.iter().zip(pictures))
        .map(|(subject, picture)| store(storage, *subject, picture, &milliseconds))
        .buffered(UPLOADS);
    while let Some(result) = tries.next().await {
        match result {
            Ok(one) => {
                keys.extend([one.key.clone(), one.small_key.clone()]);
                stored.push(one);
            }
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(stored), Err)
}

/// Stores a picture under a key that nobody else has: a sleeve's is random, a portrait's the next free
/// millisecond.
async fn store(
    storage: &Storage,
    subject: Subject,
    picture: Picture,
    milliseconds: &AtomicI64,
) -> Result<Stored, StorageError> {
    loop {
        let at = milliseconds.fetch_add(1, Ordering::Relaxed);
        let name = match subject {
            Subject::Portrait(_) => format!("artists/artist-{at}"),
            Subject::Cover(_) => format!("releases/{at}-{}", Uuid::new_v4().simple()),
        };
        let (key, small_key) = (format!("{name}.png"), format!("{name}-small.png"));
        match storage.put_new(&key, Bytes::copy_from_slice(&picture.full)).await {
            Ok(()) => {}
            Err(StorageError::Exists) => continue,
            Err(error) => return Err(error),
        }
        if let Err(error) = storage.put_new(&small_key, Bytes::copy_from_slice(&picture.small)).await {
            remove(storage, &[key]).await;
            return Err(error);
        }
        return Ok(Stored { key, small_key, picture });
    }
}

/// Removes files that no row will name. One that stays is only lost space.
async fn remove(storage: &Storage, keys: &[String]) {
    for key in keys {
        if let Err(error) = storage.remove(key).await {
            tracing::warn!(key, cause = %error, "removing a sample picture");
        }
    }
}

async fn fill(
    db: &Db,
    artists: &[SampleArtist],
    releases: &[SampleRelease],
    stored: &[Stored],
    now: Micros,
) -> Result<Filled, LoadError> {
    let mut tx = db.begin().await?;
    tx.query(ONE_AT_A_TIME).execute().await?;
    if let Some(outcome) = already_there(tx.query(COUNT).one::<(i64, i64)>().await?) {
        return Ok(Filled::TooLate(outcome));
    }
    for one in stored {
        insert_objects(&mut tx, one, now).await?;
    }
    let mut addresses = stored.iter().map(|one| objects::url(&one.key));
    let mut next = |wanted: bool| if wanted { addresses.next() } else { None };
    // Later rows are a microsecond younger, so that lists by age have one order.
    let mut at = now;
    let mut ids = HashMap::new();
    for artist in artists {
        at += 1;
        let id = Uuid::now_v7();
        ids.insert(artist.name, id);
        insert_artist(&mut tx, id, artist, next(artist.portrait), at).await?;
    }
    for release in releases {
        at += 1;
        let artist_id = release.artist.and_then(|name| ids.get(name).copied());
        insert_release(&mut tx, release, artist_id, next(release.artwork), at).await?;
    }
    Ok(Filled::Ready(tx))
}

async fn insert_objects(tx: &mut Tx, stored: &Stored, now: Micros) -> sqlx::Result<()> {
    let small = NewObject {
        key: &stored.small_key,
        fingerprint: Fingerprint::of(&stored.picture.small),
        dimensions: None,
        small_key: None,
    };
    objects::insert(tx, &small, now).await?;
    let full = NewObject {
        key: &stored.key,
        fingerprint: Fingerprint::of(&stored.picture.full),
        dimensions: Some((pictures::FULL, pictures::FULL)),
        small_key: Some(&stored.small_key),
    };
    objects::insert(tx, &full, now).await?;
    picture_sizes::queue(tx, &stored.key, now).await
}

async fn insert_artist(
    tx: &mut Tx,
    id: Uuid,
    artist: &SampleArtist,
    image_url: Option<String>,
    now: Micros,
) -> sqlx::Result<()> {
    let social_links =
        serde_json::json!({ "website": artist.website, "twitter": artist.twitter }).to_string();
    tx.query(INSERT_ARTIST)
        .bind(id)
        .bind(artist.name)
        .bind(rules::sort_key::sort_key(artist.name))
        .bind(artist.bio)
        .bind(image_url.as_deref())
        .bind(artist.spotify_url)
        .bind(artist.soundcloud_url)
        .bind(artist.instagram_url)
        .bind(artist.youtube_url)
        .bind(artist.apple_music_url)
        .bind(social_links.as_str())
        .bind(artist.featured)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

async fn insert_release(
    tx: &mut Tx,
    release: &SampleRelease,
    artist_id: Option<Uuid>,
    cover_image_url: Option<String>,
    now: Micros,
) -> sqlx::Result<()> {
    let id = Uuid::now_v7();
    let sheet = sheet(release.catalog);
    let tracks = sheet.and_then(|sheet| track_list::tracks(sheet.tracks)).unwrap_or_default();
    let credits = sheet.and_then(|sheet| track_list::credits(sheet.credits)).unwrap_or_default();
    tx.query(INSERT_RELEASE)
        .bind(id)
        .bind(release.title)
        .bind(rules::sort_key::sort_key(release.title))
        .bind(release.catalog)
        .bind(release.release_date)
        .bind(release.description)
        .bind(cover_image_url.as_deref())
        .bind(release.spotify_url)
        .bind(release.soundcloud_url)
        .bind(release.apple_music_url)
        .bind(release.youtube_url)
        .bind(release.bandcamp_url)
        .bind(artist_id)
        .bind(release.featured)
        .bind(now)
        .bind(sheet.map(|sheet| sheet.format))
        .bind(json!(tracks).to_string())
        .bind(json!(credits).to_string())
        .execute()
        .await?;
    publication::give_slug(tx, id, release.catalog, release.title, now).await
}
