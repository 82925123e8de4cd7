//! The home page's default background, installed by the server if none is recorded.

use bytes::Bytes;
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    deletions,
    objects::{self, Fingerprint, NewObject},
    picture_sizes, statements,
    storage::Storage,
};
use uuid::Uuid;

use crate::trash::kinds::TrashKind;

pub const HERO_KEY: &str = "hero_background";

static IMAGE: &[u8] = include_bytes!("../../assets/hero-default.avif");
static SMALL: &[u8] = include_bytes!("../../assets/hero-default-small.jpg");
const DIMENSIONS: (u32, u32) = (1600, 1000);

statements! {
    INSERT = "INSERT INTO site_images (id, key, image_url, alt_text, description, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6) \
        ON CONFLICT (key) WHERE deleted_at IS NULL DO NOTHING";
    IS_DEFAULT = "SELECT COUNT(*) FROM objects WHERE key = $1 AND sha256 = $2";
    EXISTS = "SELECT COUNT(*) FROM site_images WHERE key = $1 AND deleted_at IS NULL";
    ROWS = "SELECT i.id, f.id \
        FROM site_images i LEFT JOIN media_files f ON f.file_path = substr(i.image_url, 8) AND f.deleted_at IS NULL \
        WHERE i.key = $1 AND i.deleted_at IS NULL";
}

pub(crate) async fn is_default(tx: &mut Tx, url: &str) -> sqlx::Result<bool> {
    let Some(key) = url.strip_prefix(&objects::url("")) else { return Ok(false) };
    let sha256 = hex::encode(Fingerprint::of(IMAGE).sha256);
    Ok(tx.query(IS_DEFAULT).bind(key).bind(sha256).value::<i64>().await? > 0)
}

/// Installs the default background, unless one is recorded; concurrent instances create one row.
pub async fn install(db: &Db, storage: &Storage, now: Micros) -> anyhow::Result<()> {
    if db.query(EXISTS).bind(HERO_KEY).value::<i64>().await? > 0 {
        return Ok(());
    }
    let files = DefaultFiles::store(db, storage, now).await?;
    let mut tx = db.begin().await?;
    if files.record(&mut tx, now).await? {
        tx.commit().await?;
    } else {
        // Another instance was first; its files count.
        drop(tx);
        files.abandon(db, now).await;
    }
    Ok(())
}

/// Stores the default files if one of `rows` is the current background or its file, so that the transaction which deletes it can
/// [record](DefaultFiles::record) them, and no page lacks one. None also if they cannot be stored; the job
/// that follows the site images then [installs](install) one.
pub async fn before_deletion(
    db: &Db,
    storage: &Storage,
    kind: TrashKind,
    rows: &[Uuid],
    now: Micros,
) -> sqlx::Result<Option<DefaultFiles>> {
    if !matches!(kind, TrashKind::Media | TrashKind::SiteImage) {
        return Ok(None);
    }
    let Some((image, file)) = db.query(ROWS).bind(HERO_KEY).optional::<(Uuid, Option<Uuid>)>().await? else {
        return Ok(None);
    };
    let present = if kind == TrashKind::Media { file } else { Some(image) };
    if !present.is_some_and(|present| rows.contains(&present)) {
        return Ok(None);
    }
    match DefaultFiles::store(db, storage, now).await {
        Ok(files) => Ok(Some(files)),
        Err(error) => {
            tracing::warn!(cause = %error, "storing the default background");
            Ok(None)
        }
    }
}

#[derive(Debug)]
pub struct DefaultFiles {
    image: String,
    small: String,
}

impl DefaultFiles {
    /// Stores them, reserved for deletion until their rows are written: an abort leaves no file behind.
    async fn store(db: &Db, storage: &Storage, now: Micros) -> anyhow::Result<Self> {
        let name = format!("assets/{}-{}", now / 1000, Uuid::new_v4().simple());
        let files = Self { image: format!("{name}.avif"), small: format!("{name}-small.jpg") };
        for key in [&files.small, &files.image] {
            deletions::reserve(db, key, now).await?;
        }
        storage.put_new(&files.small, Bytes::from_static(SMALL)).await?;
        storage.put_new(&files.image, Bytes::from_static(IMAGE)).await?;
        Ok(files)
    }

    /// Records them as the background. False if another is recorded; then they must be abandoned.
    pub async fn record(&self, tx: &mut Tx, now: Micros) -> anyhow::Result<bool> {
        let rows = tx
            .query(INSERT)
            .bind(Uuid::now_v7())
            .bind(HERO_KEY)
            .bind(objects::url(&self.image))
            .bind("Grooves of a record running out into the dead wax")
            .bind("Background of the home page")
            .bind(now)
            .execute()
            .await?;
        if rows == 0 {
            return Ok(false);
        }
        for key in [&self.small, &self.image] {
            deletions::confirm(tx, key).await?;
        }
        let small = NewObject::new(&self.small, Fingerprint::of(SMALL));
        objects::insert(tx, &small, now).await?;
        let image = NewObject {
            dimensions: Some(DIMENSIONS),
            small_key: Some(&self.small),
            ..NewObject::new(&self.image, Fingerprint::of(IMAGE))
        };
        objects::insert(tx, &image, now).await?;
        picture_sizes::queue(tx, &self.image, now).await?;
        Ok(true)
    }

    pub async fn abandon(&self, db: &Db, now: Micros) {
        deletions::abandon(db, &[&self.small, &self.image], now).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statements_know_the_default_by_its_hash() {
        let statements = include_str!("../content/images.rs");
        let sha256 = hex::encode(Fingerprint::of(IMAGE).sha256);
        assert!(statements.contains(&format!("COALESCE(o.sha256 = '{sha256}', FALSE)")), "{sha256}");
    }
}
