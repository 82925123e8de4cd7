//! From an accepted upload to a stored file with its rows.
//!
//! A file is first reserved for deletion, then stored; the transaction that writes its rows keeps it. Anything that fails before the
//! commit leaves neither rows nor, after minutes, bytes.

use bytes::Bytes;
use deadwax_http::error::{AppError, AppResult};
use deadwax_pictures::{Mark, Published};
use deadwax_store::{
    clock::{self, Clock, Micros},
    columns::signed,
    db::{Db, Source, Tx},
    deletions, limits,
    objects::{self, Fingerprint, NewObject},
    picture_sizes,
    spool::{Spool, Spooled},
    statements,
    storage::{Storage, StorageError, UploadPermit},
};
use rules::{
    demo::FREE_BYTES,
    media::{LIBRARY_MAX_BYTES, LIBRARY_MAX_FILES},
    media_name,
    upload::kept_name,
};
use uuid::Uuid;

use crate::{
    app::App,
    audit,
    auth::guard::Actor,
    editing::{Editor, search_keys},
};

statements! {
    TAKEN = "SELECT COUNT(*), CAST(COALESCE(SUM(file_size), 0) AS BIGINT) FROM media_files";
    INSERT = "INSERT INTO media_files (id, filename, original_name, file_path, file_type, file_size, mime_type, \
            alt_text, sort_key, search_key, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
}

/// Attempts before a collision cannot be chance.
const TRIES: i64 = 100;

/// Where a file is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Folder {
    /// Portraits.
    Artists,
    /// Covers.
    Releases,
    /// Anything else.
    Uploads,
    /// Pictures of the pages themselves.
    #[serde(skip)]
    Assets,
}

#[derive(Debug)]
pub struct Accepted {
    pub file: Spooled,
    pub original_name: String,
    pub small: Option<Bytes>,
    pub dimensions: Option<(u32, u32)>,
}

impl Accepted {
    pub async fn picture(spool: &Spool, original_name: String, picture: Published) -> AppResult<Self> {
        let file = spool.keep(&picture.bytes).await.map_err(AppError::storage_error)?;
        Ok(Self {
            file,
            original_name,
            small: Some(picture.small.into()),
            dimensions: Some(picture.dimensions),
        })
    }

    pub async fn mark(spool: &Spool, original_name: String, mark: Mark) -> AppResult<Self> {
        let file = spool.keep(&mark.bytes).await.map_err(AppError::storage_error)?;
        Ok(Self { file, original_name, small: None, dimensions: Some(mark.dimensions) })
    }
}

#[derive(Debug)]
pub struct Placed {
    pub key: String,
    pub small_key: Option<String>,
    accepted: Accepted,
    now: Micros,
    _permit: UploadPermit,
}

#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub files: u64,
    pub bytes: u64,
}

impl Taken {
    pub fn percent(self) -> u64 {
        (self.files * 100 / LIBRARY_MAX_FILES).max(self.bytes / (LIBRARY_MAX_BYTES / 100))
    }
}

pub async fn taken(source: impl Into<Source<'_>>) -> sqlx::Result<Taken> {
    let (files, bytes) = source.into().query(TAKEN).one::<(i64, i64)>().await?;
    Ok(Taken { files: files.cast_unsigned(), bytes: bytes.cast_unsigned() })
}

/// 503 if the library is full or, counting uploads in progress, the disk is almost.
async fn require_room(db: &Db, spool: &Spool) -> AppResult<()> {
    let free = spool.free_bytes().await.map_err(AppError::storage_error)?;
    // A file has at least a byte.
    has_room(taken(db).await?, 1, free)
}

/// Stores the file of an admin's form in `folder`, if there is room; a refusal by `accepted` gets an audit entry.
pub async fn receive<T>(
    editor: &Editor,
    folder: Folder,
    accepted: impl Future<Output = AppResult<(Accepted, T)>>,
) -> AppResult<(Placed, T)> {
    let app = &editor.app;
    require_room(&app.db, &app.spool).await?;
    let accepted = accepted.await;
    if let Err(refusal) = &accepted
        && refusal.status().is_client_error()
    {
        let mut tx = app.db.begin().await?;
        let entry = editor.me().entry("upload_validation", refusal.code(), &editor.caller).on("media");
        audit::record(&mut tx, app.clock.now(), &entry).await?;
        tx.commit().await?;
    }
    let (accepted, texts) = accepted?;
    Ok((place(&app.db, &app.storage, &app.clock, folder, accepted).await?, texts))
}

/// Checks again when the rows of a file are written; concurrent uploads wait here.
async fn still_has_room(tx: &mut Tx, new_bytes: u64, now: Micros) -> AppResult<()> {
    limits::hold_in(tx, "library", now).await?;
    has_room(taken(tx).await?, new_bytes, u64::MAX)
}

fn has_room(taken: Taken, new_bytes: u64, free: u64) -> AppResult<()> {
    let bytes = taken.bytes.saturating_add(new_bytes);
    if taken.files < LIBRARY_MAX_FILES && bytes <= LIBRARY_MAX_BYTES && free >= FREE_BYTES {
        return Ok(());
    }
    tracing::warn!(files = taken.files, bytes = taken.bytes, free, "no room for another file of the library");
    Err(AppError::storage_full(None))
}

pub async fn place(
    db: &Db,
    storage: &Storage,
    clock: &Clock,
    folder: Folder,
    accepted: Accepted,
) -> AppResult<Placed> {
    let permit = storage.upload_permit().await;
    let now = clock.now();
    for attempt in 0..TRIES {
        let key = key(folder, clock::millis(now + attempt * 1000), &accepted.original_name)?;
        let small_key = accepted.small.as_ref().map(|_| small_key(&key));
        let keys = keys(&key, small_key.as_deref());
        for key in &keys {
            deletions::reserve(db, key, now).await?;
        }
        match put(storage, &permit, &accepted, &key, small_key.as_deref()).await {
            Ok(()) => return Ok(Placed { key, small_key, accepted, now, _permit: permit }),
            // The name is taken; a row or another reservation protects that file from ours.
            Err(StorageError::Exists) => {}
            Err(error) => return deletions::settle(db, &keys, clock, Err(error.into())).await,
        }
    }
    Err(AppError::internal(anyhow::anyhow!("every name of a file was taken")))
}

async fn put(
    storage: &Storage,
    permit: &UploadPermit,
    accepted: &Accepted,
    key: &str,
    small_key: Option<&str>,
) -> Result<(), StorageError> {
    if let (Some(small_key), Some(small)) = (small_key, &accepted.small) {
        storage.put_new(small_key, small.clone()).await?;
    }
    storage.put_file(permit, key, accepted.file.path()).await
}

/// `artists/artist-{unix_ms}.{ext}`, or an unguessable name.
fn key(folder: Folder, unix_ms: u64, original_name: &str) -> AppResult<String> {
    let nameless = || AppError::internal(anyhow::anyhow!("an accepted file without an extension"));
    let folder = match folder {
        Folder::Artists => return media_name::artist_key(unix_ms, original_name).ok_or_else(nameless),
        Folder::Releases => "releases",
        Folder::Uploads => "uploads",
        Folder::Assets => "assets",
    };
    let extension = media_name::extension(original_name).ok_or_else(nameless)?.to_ascii_lowercase();
    Ok(format!("{folder}/{unix_ms}-{}.{extension}", Uuid::new_v4().simple()))
}

/// The extension is part of the name: `a.png` and `a.jpg` have different small versions.
fn small_key(key: &str) -> String {
    let (stem, extension) = key.rsplit_once('.').unwrap_or((key, ""));
    format!("{stem}-{extension}-small.jpg")
}

impl Placed {
    /// Writes the rows of the file and an audit entry; returns its id in the library.
    pub async fn keep(&self, tx: &mut Tx, editor: &Editor, alt_text: Option<&str>) -> AppResult<Uuid> {
        let (id, now, accepted) = (Uuid::now_v7(), self.now, &self.accepted);
        still_has_room(tx, accepted.file.size_bytes, now).await?;
        if let (Some(small_key), Some(small)) = (&self.small_key, &accepted.small) {
            deletions::confirm(tx, small_key).await?;
            objects::insert(tx, &NewObject::new(small_key, Fingerprint::of(small)), now).await?;
        }
        deletions::confirm(tx, &self.key).await?;
        let fingerprint = Fingerprint { size_bytes: accepted.file.size_bytes, sha256: accepted.file.sha256 };
        let object = NewObject {
            dimensions: accepted.dimensions,
            small_key: self.small_key.as_deref(),
            ..NewObject::new(&self.key, fingerprint)
        };
        objects::insert(tx, &object, now).await?;
        let kind = media_name::content_type(&self.key).unwrap_or_default();
        if accepted.dimensions.is_some() && kind != "image/svg+xml" {
            picture_sizes::queue(tx, &self.key, now).await?;
        }
        let original_name = kept_name(&accepted.original_name);
        let file_name = self.key.rsplit('/').next().unwrap_or_default();
        tx.query(INSERT)
            .bind(id)
            .bind(file_name)
            .bind(&original_name)
            .bind(&self.key)
            .bind(if kind.starts_with("image/") { "image" } else { "video" })
            .bind(signed(accepted.file.size_bytes))
            .bind(kind)
            .bind(alt_text)
            .bind(rules::sort_key::sort_key(&original_name))
            .bind(search_keys::of_medium(&original_name, alt_text))
            .bind(now)
            .execute()
            .await?;
        let by = Actor { now, ..editor.act() };
        by.check_and_record(tx, "upload_stored", &format!("media:{id}")).await?;
        Ok(id)
    }

    pub fn url(&self) -> String {
        objects::url(&self.key)
    }

    pub fn small_url(&self) -> Option<String> {
        self.small_key.as_deref().map(objects::url)
    }

    pub fn dimensions(&self) -> Option<(u32, u32)> {
        self.accepted.dimensions
    }

    pub async fn settle<T>(self, app: &App, committed: AppResult<T>) -> AppResult<T> {
        let keys = keys(&self.key, self.small_key.as_deref());
        deletions::settle(&app.db, &keys, &app.clock, committed).await
    }

    /// Called for a repetition, whose file is there already.
    pub async fn abandon(&self, app: &App) {
        let keys = keys(&self.key, self.small_key.as_deref());
        deletions::abandon(&app.db, &keys, app.clock.now()).await;
    }
}

fn keys<'a>(key: &'a str, small_key: Option<&'a str>) -> Vec<&'a str> {
    small_key.into_iter().chain([key]).collect()
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        sync::{
            Arc,
            atomic::{AtomicI64, Ordering},
        },
    };

    use deadwax_store::db::Statement;
    use futures_util::poll;

    use super::*;

    const SQL: &str = "SELECT created_at FROM deletions";
    const RESERVED_AT: Statement = Statement { name: "RESERVED_AT", sqlite: SQL, postgres: SQL };

    #[tokio::test]
    async fn a_reservation_lasts_for_the_storing_and_not_for_the_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let (db, spool) = (Db::open(None, folder.path()).await.unwrap(), Spool::open(folder.path()).unwrap());
        db.migrate().await.unwrap();
        // Nothing answers there: the file is not stored, and its reservation shows when that was tried.
        let bucket = "s3://key:secret@bucket?endpoint=http://127.0.0.1:9&region=none";
        let storage = Storage::open(Some(bucket), folder.path()).unwrap();
        let time = Arc::new(AtomicI64::new(1_000_000));
        let clock = Clock::Fixed(Arc::clone(&time));
        let file = spool.create(false).await.unwrap().finish().await.unwrap();
        let accepted = Accepted { file, original_name: "a.mp4".to_owned(), small: None, dimensions: None };
        let others = [storage.upload_permit().await, storage.upload_permit().await];
        let mut placing = pin!(place(&db, &storage, &clock, Folder::Uploads, accepted));
        assert!(poll!(placing.as_mut()).is_pending());
        time.store(900_000_000, Ordering::SeqCst);
        drop(others);
        assert!(placing.await.is_err());
        let reserved_at = db.query(RESERVED_AT).value::<Micros>().await.unwrap();
        assert_eq!(reserved_at, 900_000_000);
    }

    #[tokio::test]
    async fn a_database_that_fails_is_not_taken_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        // Without its tables.
        let (db, spool) = (Db::open(None, folder.path()).await.unwrap(), Spool::open(folder.path()).unwrap());
        let storage = Storage::open(None, folder.path()).unwrap();
        let file = spool.create(false).await.unwrap().finish().await.unwrap();
        let accepted = Accepted { file, original_name: "a.mp4".to_owned(), small: None, dimensions: None };
        let placed = place(&db, &storage, &Clock::System, Folder::Uploads, accepted).await;
        assert_eq!(placed.unwrap_err().code(), "internal");
    }

    #[test]
    fn there_is_room_below_every_limit() {
        let room = |files, bytes, free| has_room(Taken { files, bytes }, 2, free).is_ok();
        assert!(room(LIBRARY_MAX_FILES - 1, LIBRARY_MAX_BYTES - 2, FREE_BYTES));
        assert!(!room(LIBRARY_MAX_FILES, 0, u64::MAX));
        assert!(!room(0, LIBRARY_MAX_BYTES - 1, u64::MAX));
        assert!(!room(0, 0, FREE_BYTES - 1));
    }
}
