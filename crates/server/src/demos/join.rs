//! Joins the parts of an upload and the bytes of its last request.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    spool::{Spool, SpoolWriter, Spooled},
    storage::{Storage, StorageError},
};
use futures_util::TryStreamExt as _;
use tokio::io::AsyncReadExt as _;

use super::parts::Part;

/// Bytes read at a time.
const PIECE: usize = 256 * 1024;

/// Writes the whole file into `spool`, from the `parts` in `storage` and then `last`.
pub async fn join(spool: &Spool, storage: &Storage, parts: &[Part], last: &Spooled) -> AppResult<Spooled> {
    let mut whole = spool.create(false).await.map_err(AppError::storage_error)?;
    for part in parts {
        if part.start != i64::try_from(whole.size_bytes()).unwrap_or(-1) {
            return Err(AppError::internal(anyhow::anyhow!(
                "the parts of an upload do not follow each other"
            )));
        }
        copy_part(storage, part, &mut whole).await?;
    }
    let mut file = tokio::fs::File::open(last.path()).await.map_err(AppError::storage_error)?;
    let mut piece = Vec::with_capacity(PIECE);
    while (&mut file).take(PIECE as u64).read_to_end(&mut piece).await.map_err(AppError::storage_error)? > 0 {
        whole.write(&piece).await.map_err(AppError::storage_error)?;
        piece.clear();
    }
    whole.finish().await.map_err(AppError::storage_error)
}

async fn copy_part(storage: &Storage, part: &Part, whole: &mut SpoolWriter) -> AppResult<()> {
    let size = u64::try_from(part.size_bytes).unwrap_or(0);
    let (stored, mut bytes) = storage.read(&part.key, None).await?;
    if stored != size {
        return Err(AppError::unavailable(anyhow::anyhow!("a part has {stored} bytes instead of {size}")));
    }
    while let Some(piece) = bytes.try_next().await.map_err(StorageError::from)? {
        whole.write(&piece).await.map_err(AppError::storage_error)?;
    }
    Ok(())
}
