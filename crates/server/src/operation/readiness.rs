//! Readiness, cached for a second: one probe answers all concurrent requests.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Mutex, time::Instant};
use tokio_util::task::TaskTracker;

const KEPT: Duration = Duration::from_secs(1);

/// The last result. Locked during a probe, so that concurrent requests wait for it and share its result.
#[derive(Debug, Default)]
pub struct Readiness(Arc<Mutex<Option<Probe>>>);

type Probe = (Instant, Answer);

type Answer = Result<u64, &'static str>;

impl Readiness {
    /// A probe goes on in the background when its caller leaves, because others wait for its result.
    pub async fn ask<F>(&self, background: &TaskTracker, probe: impl FnOnce() -> F) -> Answer
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let mut kept = Arc::clone(&self.0).lock_owned().await;
        match *kept {
            Some((at, result)) if at.elapsed() < KEPT => result,
            _ => {
                let probe = probe();
                let probing = background.spawn(async move {
                    let result = probe.await;
                    *kept = Some((Instant::now(), result));
                    result
                });
                probing.await.unwrap_or(Err("probe"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn however_many_ask_at_once_one_probe_answers_them_all() {
        let (readiness, background) = (Readiness::default(), TaskTracker::new());
        let probes = Arc::new(AtomicU32::new(0));
        let ask = || {
            let probes = Arc::clone(&probes);
            readiness.ask(&background, || async move {
                probes.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(KEPT).await;
                Err("database")
            })
        };
        let answers = futures_util::future::join_all((0..1000).map(|_| ask())).await;
        assert!(answers.iter().all(|answer| *answer == Err("database")));
        assert_eq!(probes.load(Ordering::Relaxed), 1);
        tokio::time::advance(KEPT).await;
        assert_eq!(ask().await, Err("database"));
        assert_eq!(probes.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_ask_and_leave_begin_no_second_probe() {
        let (readiness, background) = (Readiness::default(), TaskTracker::new());
        let probes = Arc::new(AtomicU32::new(0));
        let ask = || {
            let probes = Arc::clone(&probes);
            readiness.ask(&background, || async move {
                tokio::time::sleep(5 * KEPT).await;
                Ok(u64::from(probes.fetch_add(1, Ordering::Relaxed)))
            })
        };
        for _ in 0..20 {
            assert!(tokio::time::timeout(KEPT / 10, ask()).await.is_err(), "it is given up");
        }
        assert_eq!(ask().await, Ok(0));
        assert_eq!(ask().await, Ok(0));
    }
}
