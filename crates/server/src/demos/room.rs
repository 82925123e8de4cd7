//! Room for demos: on the disk, and among all of them.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{clock::Micros, columns::unsigned, db::Tx, limits, statements};
use rules::demo::{DEMOS_MAX_BYTES, FREE_BYTES};

statements! {
    // Bytes of all demos and uploads, and the missing bytes of uploads that hold room.
    TAKEN = "SELECT CAST(COALESCE((SELECT SUM((SELECT size_bytes FROM objects WHERE key = d.file_key)) FROM demos d), 0) \
            + COALESCE(SUM(CASE WHEN held_until > $1 THEN length WHEN expires_at > $1 THEN received ELSE 0 END), 0) AS BIGINT), \
            CAST(COALESCE(SUM(CASE WHEN held_until > $1 THEN length - received ELSE 0 END), 0) AS BIGINT) \
        FROM uploads WHERE finished_at IS NULL";
}

/// Lock key: serialises the check of total demo storage.
const TOTAL_LOCK: &str = "demos-in-all";

/// 503 if `bytes` more do not fit, with `free` on the disk. The transaction must lock no upload or demo after this,
/// because the holder of such a lock may wait here.
pub(super) async fn require_room(tx: &mut Tx, bytes: i64, free: u64, now: Micros) -> AppResult<()> {
    limits::hold_in(tx, TOTAL_LOCK, now).await?;
    let (taken, awaited) = tx.query(TAKEN).bind(now).one::<(i64, i64)>().await?;
    if fits(taken, free.saturating_sub(unsigned(awaited)), bytes) {
        return Ok(());
    }
    tracing::warn!(in_all = taken, awaited, free, "no room for another demo");
    Err(AppError::storage_full(None))
}

/// Whether `bytes` fit beside all demos and leave space on the disk.
fn fits(taken: i64, free: u64, bytes: i64) -> bool {
    let left = DEMOS_MAX_BYTES.saturating_sub(unsigned(taken));
    unsigned(bytes) <= left && leaves_space(free, bytes)
}

/// Whether `bytes` leave space on a disk that has `free`.
pub(super) fn leaves_space(free: u64, bytes: i64) -> bool {
    unsigned(bytes) <= free.saturating_sub(FREE_BYTES)
}

#[cfg(test)]
mod tests {
    use deadwax_store::db::Db;
    use rules::messages::Code;

    use super::{
        super::uploads::{self, NewUpload, Sender},
        *,
    };

    #[tokio::test]
    async fn what_other_uploads_may_still_bring_is_not_free() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(None, folder.path()).await.unwrap();
        db.migrate().await.unwrap();
        let sender = Sender {
            artist_name: "Mira Holm".to_owned(),
            email: "mira@x.example".to_owned(),
            message: None,
            original_name: "set.wav".to_owned(),
        };
        let new = NewUpload { sender, extension: "wav".to_owned(), length: 100, replaces: None };
        let mut tx = db.begin().await.unwrap();
        uploads::insert(&mut tx, b"other", &new, 0).await.unwrap();
        assert!(require_room(&mut tx, 50, FREE_BYTES + 150, 0).await.is_ok());
        let refused = require_room(&mut tx, 50, FREE_BYTES + 149, 0).await.unwrap_err();
        assert_eq!(refused.code(), Code::StorageFull.as_str());
        // Its room is no longer held.
        let later = uploads::announced_held_until(0);
        assert!(require_room(&mut tx, 50, FREE_BYTES + 149, later).await.is_ok());
    }

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
