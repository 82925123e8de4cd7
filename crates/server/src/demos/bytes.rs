//! The bytes of uploads: the space for all demos, receiving a request into the spool, and joining the parts. An upload takes its
//! received bytes until it expires, and its whole length while that is reserved.

use std::{io, pin::pin};

use axum::body::Body;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::Micros,
    db::Tx,
    limits,
    spool::{Spool, SpoolWriter, Spooled},
    statements,
    storage::{Storage, StorageError},
};
use futures_util::{StreamExt as _, TryStreamExt as _};
use rules::demo::{DEMOS_MAX_BYTES, FREE_BYTES};
use tokio::io::AsyncReadExt as _;
use tokio_util::sync::CancellationToken;

use super::uploads::Part;

statements! {
    TAKEN = "SELECT CAST(COALESCE((SELECT SUM(o.size_bytes) FROM demos d JOIN objects o ON o.key = d.file_key), 0) \
        + COALESCE((SELECT SUM(CASE WHEN held_until > $1 THEN length WHEN expires_at > $1 THEN received ELSE 0 END) \
            FROM uploads WHERE finished_at IS NULL), 0) AS BIGINT)";
}

/// Lock key: serialises the check of total demo storage.
const TOTAL_LOCK: &str = "demos-in-all";

/// 503 if `bytes` more do not fit, with `free` on the disk. The transaction must lock no upload or demo after this,
/// because the holder of such a lock may wait here.
pub(super) async fn require_room(tx: &mut Tx, bytes: i64, free: u64, now: Micros) -> AppResult<()> {
    limits::hold_in(tx, TOTAL_LOCK, now).await?;
    let (taken,) = tx.query(TAKEN).bind(now).one::<(i64,)>().await?;
    if fits(taken, free, bytes) {
        return Ok(());
    }
    tracing::warn!(in_all = taken, free, "no room for another demo");
    Err(AppError::storage_full(None))
}

/// Whether `bytes` fit beside all demos and leave space on the disk.
fn fits(taken: i64, free: u64, bytes: i64) -> bool {
    let fits = |left: u64| u64::try_from(bytes).is_ok_and(|bytes| bytes <= left);
    let taken = u64::try_from(taken).unwrap_or(0);
    fits(DEMOS_MAX_BYTES.saturating_sub(taken)) && fits(free.saturating_sub(FREE_BYTES))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Complete.
    Whole,
    /// More bytes than there was room for.
    TooLong,
    /// The connection broke, or the sender was too slow.
    Broken,
    /// A newer request came for the same upload.
    Overtaken,
    /// Others wait for a permit.
    Yielded,
    /// The program is stopping.
    Stopping,
}

/// Writes at most `room` bytes of a request, until they end or a token is cancelled: a newer request has come, others
/// wait for a permit, or the program stops. The bytes are synced when this returns, unless there were too many.
pub(super) async fn receive(
    mut file: SpoolWriter,
    body: Body,
    room: u64,
    [overtaken, yielded, stopping]: [&CancellationToken; 3],
) -> io::Result<(Spooled, Ending)> {
    let mut bytes = body.into_data_stream();
    // Created once, because each new wait takes the token's lock.
    let (mut overtaken, mut yielded) = (pin!(overtaken.cancelled()), pin!(yielded.cancelled()));
    let mut stopping = pin!(stopping.cancelled());
    let ending = loop {
        let piece = tokio::select! {
            biased;
            () = &mut overtaken => break Ending::Overtaken,
            () = &mut stopping => break Ending::Stopping,
            () = &mut yielded => break Ending::Yielded,
            piece = bytes.next() => piece,
        };
        match piece {
            None => break Ending::Whole,
            Some(Err(_)) => break Ending::Broken,
            Some(Ok(piece)) if piece.len() as u64 > room - file.size_bytes() => break Ending::TooLong,
            Some(Ok(piece)) => file.write(&piece).await?,
        }
    };
    Ok((file.finish().await?, ending))
}

/// Bytes read at a time.
const PIECE: usize = 256 * 1024;

/// Writes the whole file into `spool`, from the `parts` in `storage` and then `last`.
pub(super) async fn join(
    spool: &Spool,
    storage: &Storage,
    parts: &[Part],
    last: &Spooled,
) -> AppResult<Spooled> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_gigabyte_and_the_last_of_twenty_stay_free() {
        const GIB: u64 = 1 << 30;
        let all = i64::try_from(20 * GIB).unwrap();
        assert!(fits(0, GIB + 100, 100));
        assert!(!fits(0, GIB + 99, 100));
        assert!(!fits(0, 5, 1));
        assert!(fits(all - 100, 30 * GIB, 100));
        assert!(!fits(all - 99, 30 * GIB, 100));
        assert!(!fits(all + 1, 30 * GIB, 1));
    }
}
