//! Small writes that must not be lost because the database is away for a moment.

use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// Tries, the first one included: for a minute altogether, while a database is restarted.
const TRIES: u32 = 20;
/// Between two of them.
const PAUSE: Duration = Duration::from_secs(3);

/// Tries a write until it succeeds, but not for long, and once only when the program stops. The last error counts.
pub(crate) async fn patiently<F>(stop: &CancellationToken, write: impl Fn() -> F) -> sqlx::Result<()>
where
    F: Future<Output = sqlx::Result<()>>,
{
    for _ in 1..TRIES {
        if write().await.is_ok() {
            return Ok(());
        }
        if stop.run_until_cancelled(sleep(PAUSE)).await.is_none() {
            break;
        }
    }
    write().await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_write_is_tried_while_the_database_may_come_back_and_not_for_ever() {
        let stop = CancellationToken::new();
        for (failures, tries, ends_well) in [(0, 1, true), (5, 6, true), (100, TRIES, false)] {
            let tried = AtomicU32::new(0);
            let write = || async {
                let failed = tried.fetch_add(1, Ordering::Relaxed) < failures;
                if failed { Err(sqlx::Error::PoolTimedOut) } else { Ok(()) }
            };
            assert_eq!(patiently(&stop, write).await.is_ok(), ends_well);
            assert_eq!(tried.load(Ordering::Relaxed), tries);
        }
    }
}
