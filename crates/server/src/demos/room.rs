//! The space for all demos. An upload takes its received bytes until it expires, and its whole length while that is
//! reserved.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{clock::Micros, db::Tx, limits, statements};
use rules::demo::{DEMOS_MAX_BYTES, FREE_BYTES};

statements! {
    TAKEN = "SELECT CAST(COALESCE((SELECT SUM(o.size_bytes) FROM demos d JOIN objects o ON o.key = d.file_key), 0) \
        + COALESCE((SELECT SUM(CASE WHEN held_until > $1 THEN length WHEN expires_at > $1 THEN received ELSE 0 END) \
            FROM uploads WHERE finished_at IS NULL), 0) AS BIGINT)";
}

/// Lock key: serialises the check of total demo storage.
const SUM: &str = "demos-in-all";

/// 503 if `bytes` more do not fit, with `free` on the disk. The transaction must lock no upload or demo after this,
/// because the holder of such a lock may wait here.
pub(super) async fn require(tx: &mut Tx, bytes: i64, free: u64, now: Micros) -> AppResult<()> {
    limits::hold_in(tx, SUM, now).await?;
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
