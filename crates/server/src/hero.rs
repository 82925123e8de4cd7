//! The home page's default background: stored by the server itself where none is recorded, once, whoever starts first.

use bytes::Bytes;
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    deletions,
    objects::{self, Fingerprint, NewObject},
    picture_sizes, statements,
    storage::{Storage, StorageError},
};
use uuid::Uuid;

/// The key of the home page's background.
pub const HERO_KEY: &str = "hero_background";

static IMAGE: &[u8] = include_bytes!("../assets/hero-default.avif");
static SMALL: &[u8] = include_bytes!("../assets/hero-default-small.jpg");
const DIMENSIONS: (u32, u32) = (1600, 1000);

statements! {
    INSERT = "INSERT INTO site_images (id, key, image_url, alt_text, description, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6) \
        ON CONFLICT (key) WHERE deleted_at IS NULL DO NOTHING";
    IS_DEFAULT = "SELECT COUNT(*) FROM objects WHERE key = $1 AND sha256 = $2";
    EXISTS = "SELECT COUNT(*) FROM site_images WHERE key = $1 AND deleted_at IS NULL";
}

/// Why the default background could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum HeroError {
    /// The database refused.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The storage refused.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The files were about to be removed when their rows could be written.
    #[error("storing it took longer than its files are kept for")]
    Late,
}

/// Whether the picture at an address is the default background.
pub(crate) async fn is_default(tx: &mut Tx, url: &str) -> sqlx::Result<bool> {
    let Some(key) = url.strip_prefix(&objects::url("")) else { return Ok(false) };
    let sha256 = hex::encode(Fingerprint::of(IMAGE).sha256);
    Ok(tx.query(IS_DEFAULT).bind(key).bind(sha256).one::<(i64,)>().await?.0 > 0)
}

/// As [`install`], after a background may have gone. Should the storage refuse now, the job that keeps it tries again.
pub async fn restore(db: &Db, storage: &Storage, now: Micros) {
    if let Err(error) = install(db, storage, now).await {
        tracing::warn!(cause = %error, "storing the default background");
    }
}

/// Records the default background, unless a background is recorded. Several instances may do this at once: one row arises.
pub async fn install(db: &Db, storage: &Storage, now: Micros) -> Result<(), HeroError> {
    let (recorded,) = db.query(EXISTS).bind(HERO_KEY).one::<(i64,)>().await?;
    if recorded > 0 {
        return Ok(());
    }
    let name = format!("assets/{}-{}", now / 1000, Uuid::new_v4().simple());
    let (image_key, small_key) = (format!("{name}.avif"), format!("{name}-small.jpg"));
    // Reserved for deletion until its rows are written: whatever ends this before leaves no file behind.
    for key in [&small_key, &image_key] {
        deletions::reserve(db, key, now).await?;
    }
    storage.put_new(&small_key, Bytes::from_static(SMALL)).await?;
    storage.put_new(&image_key, Bytes::from_static(IMAGE)).await?;
    let mut tx = db.begin().await?;
    let rows = tx
        .query(INSERT)
        .bind(Uuid::now_v7())
        .bind(HERO_KEY)
        .bind(objects::url(&image_key))
        .bind("Grooves of a record running out into the dead wax")
        .bind("Background of the home page")
        .bind(now)
        .execute()
        .await?;
    if rows == 0 {
        // Another instance was first: its files are the ones that count.
        drop(tx);
        for key in [&small_key, &image_key] {
            deletions::abandon(db, key, now).await;
        }
        return Ok(());
    }
    for key in [&small_key, &image_key] {
        if !deletions::confirm(&mut tx, key).await? {
            return Err(HeroError::Late);
        }
    }
    objects::insert(
        &mut tx,
        &NewObject {
            key: &small_key,
            fingerprint: Fingerprint::of(SMALL),
            dimensions: None,
            small_key: None,
        },
        now,
    )
    .await?;
    let image = NewObject {
        key: &image_key,
        fingerprint: Fingerprint::of(IMAGE),
        dimensions: Some(DIMENSIONS),
        small_key: Some(&small_key),
    };
    objects::insert(&mut tx, &image, now).await?;
    picture_sizes::queue(&mut tx, &image_key, now).await?;
    tx.commit().await?;
    Ok(())
}
