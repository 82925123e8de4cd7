//! What a job has leased is kept for as long as the job works on it.

use std::time::Duration;

use deadwax_store::clock::{Micros, SECOND};
use tokio::time::sleep;

/// Whoever has held something for so long without renewing has died.
pub(crate) const LEASE: Micros = 120 * SECOND;
/// How often what is under way is renewed.
const RENEWAL: Duration = Duration::from_secs(30);

/// Does the work, and renews its lease meanwhile. None where `renew` says that it is somebody else's by now, or gone: then the work is
/// dropped where it stands.
pub(crate) async fn keep<T, F>(
    work: impl Future<Output = T>,
    renew: impl Fn() -> F,
) -> sqlx::Result<Option<T>>
where
    F: Future<Output = sqlx::Result<bool>>,
{
    let kept = async {
        loop {
            sleep(RENEWAL).await;
            if !renew().await? {
                return Ok(None);
            }
        }
    };
    // Beside each other: one may hold what the other waits for in the database.
    tokio::select! {
        biased;
        done = work => Ok(Some(done)),
        lost = kept => lost,
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::pending,
        sync::atomic::{AtomicU32, Ordering},
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_lease_is_renewed_until_the_work_is_done_or_it_is_lost() {
        let renewed = AtomicU32::new(0);
        let renew = |most: u32| {
            let renewed = &renewed;
            move || async move { Ok(renewed.fetch_add(1, Ordering::Relaxed) < most) }
        };
        let work = async {
            sleep(Duration::from_secs(100)).await;
            "done"
        };
        assert_eq!(keep(work, renew(u32::MAX)).await.unwrap(), Some("done"));
        assert_eq!(renewed.swap(0, Ordering::Relaxed), 3);
        assert_eq!(keep(pending::<()>(), renew(2)).await.unwrap(), None);
        assert_eq!(renewed.swap(0, Ordering::Relaxed), 3);
        let refused = || async { Err(sqlx::Error::PoolTimedOut) };
        assert!(keep(pending::<()>(), refused).await.is_err());
    }
}
