//! Small writes that must not be lost while the database is away for a moment.

use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// For a minute altogether, while a database is restarted.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_secs(3);

/// Retries a write for a minute at most. When the program stops it tries once more. Returns the last error.
pub(crate) async fn retry_write<F, E>(stop: &CancellationToken, write: impl Fn() -> F) -> Result<(), E>
where
    F: Future<Output = Result<(), E>>,
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
            assert_eq!(retry_write(&stop, write).await.is_ok(), ends_well);
            assert_eq!(tried.load(Ordering::Relaxed), tries);
        }
    }
}
