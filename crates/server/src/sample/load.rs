//! Puts the sample catalogue into an empty label: files first, then all rows in one transaction, so that
//! a running server shows either nothing of it or all of it.

use std::collections::HashMap;

use bytes::Bytes;
use deadwax_store::{
    advisory_lock,
    clock::{Clock, Micros},
    db::{Db, Tx},
    objects::{self, Fingerprint, NewObject},
    picture_sizes, statements,
    storage::{Storage, StorageError},
};
use rules::{artist::ArtistForm, release::ReleaseForm};
use uuid::Uuid;

use super::{Catalogue, Files};
use crate::catalogue::{artist_edits, release_edits};

statements! {
    COUNT = "SELECT (SELECT COUNT(*) FROM artists), (SELECT COUNT(*) FROM releases)";
    // SQLite has one writer anyway; on PostgreSQL two loaders at once must not both find the label empty.
    ONE_AT_A_TIME = "SELECT 1", postgres advisory_lock!(sample);
}

const FULL: u32 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Loaded { artists: usize, releases: usize },
    AlreadyThere { artists: i64, releases: i64 },
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

struct Stored {
    key: String,
    small_key: String,
    full: Bytes,
    small: Bytes,
}

type Pictures = HashMap<String, Stored>;

/// Loads the sample catalogue, unless there is an artist or a release.
///
/// Works beside a running server. A failure leaves no rows, and removes the files stored by then.
pub async fn load(db: &Db, storage: &Storage, clock: &Clock) -> anyhow::Result<Outcome> {
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
        Ok(Ok(tx)) => {
            tx.commit().await?;
            let Catalogue { artists, releases } = catalogue;
            return Ok(Outcome::Loaded { artists: artists.len(), releases: releases.len() });
        }
        Ok(Err(outcome)) => Ok(outcome),
        Err(error) => Err(error),
    };
    for Stored { key, small_key, .. } in pictures.values() {
        remove(storage, key).await;
        remove(storage, small_key).await;
    }
    outcome
}

fn already_there((artists, releases): (i64, i64)) -> Option<Outcome> {
    (artists > 0 || releases > 0).then_some(Outcome::AlreadyThere { artists, releases })
}

/// Stores all pictures. `stored` also gets those stored before one failed.
async fn store_all(
    storage: &Storage,
    catalogue: &Catalogue,
    now: Micros,
    stored: &mut Pictures,
) -> Result<(), StorageError> {
    let mut millisecond = now / 1000;
    let portraits = catalogue.artists.iter().filter_map(|artist| artist.image_url.as_deref());
    let covers = catalogue.releases.iter().filter_map(|one| one.release.cover_image_url.as_deref());
    for path in portraits.chain(covers) {
        stored.insert(path.to_owned(), store(storage, path, &mut millisecond).await?);
    }
    Ok(())
}

/// Stores a picture under a new key: a sleeve's is random, a portrait's the next free millisecond.
async fn store(storage: &Storage, path: &str, at: &mut i64) -> Result<Stored, StorageError> {
    let file = |path: &str| {
        Files::get(path).map(|file| Bytes::from(file.data.into_owned())).ok_or(StorageError::NotFound)
    };
    let stem = path.strip_suffix(".png").unwrap_or(path);
    let (full, small) = (file(path)?, file(&format!("{stem}-small.webp"))?);
    loop {
        *at += 1;
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

async fn remove(storage: &Storage, key: &str) {
    if let Err(error) = storage.remove(key).await {
        tracing::warn!(key, cause = %error, "removing a sample picture");
    }
}

/// Writes all rows; another loader's outcome if that was faster.
async fn fill(
    db: &Db,
    catalogue: &Catalogue,
    pictures: &Pictures,
    now: Micros,
) -> anyhow::Result<Result<Tx, Outcome>> {
    let mut tx = db.begin().await?;
    tx.query(ONE_AT_A_TIME).execute().await?;
    if let Some(outcome) = already_there(tx.query(COUNT).one::<(i64, i64)>().await?) {
        return Ok(Err(outcome));
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
        let form = ArtistForm { image_url: address(&artist.image_url), ..artist.clone() };
        ids.insert(&artist.name, artist_edits::insert_row(&mut tx, &form, true, at).await?);
    }
    for one in &catalogue.releases {
        at += 1;
        let artist_id = one.artist.as_ref().and_then(|name| ids.get(name).copied());
        let cover_image_url = address(&one.release.cover_image_url);
        let form = ReleaseForm { cover_image_url, ..one.release.clone() };
        release_edits::insert_row(&mut tx, &form, artist_id, at).await?;
    }
    Ok(Ok(tx))
}

async fn insert_objects(tx: &mut Tx, stored: &Stored, now: Micros) -> sqlx::Result<()> {
    let small = NewObject::new(&stored.small_key, Fingerprint::of(&stored.small));
    objects::insert(tx, &small, now).await?;
    let full = NewObject {
        dimensions: Some((FULL, FULL)),
        small_key: Some(&stored.small_key),
        ..NewObject::new(&stored.key, Fingerprint::of(&stored.full))
    };
    objects::insert(tx, &full, now).await?;
    picture_sizes::mark_made(tx, &stored.key, now).await
}
