//! Readiness, cached for a second: one probe answers all concurrent requests.

use std::time::Duration;

use tokio::{sync::Mutex, time::Instant};

const KEPT: Duration = Duration::from_secs(1);

/// The last result. Locked during a probe, so that concurrent requests wait for it and share its result.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<Probe>>);

type Probe = (Instant, Result<u64, &'static str>);

impl Readiness {
    pub async fn ask<F>(&self, probe: impl FnOnce() -> F) -> Result<u64, &'static str>
    where
        F: Future<Output = Result<u64, &'static str>>,
    {
        let mut kept = self.0.lock().await;
        match *kept {
            Some((at, result)) if at.elapsed() < KEPT => result,
            _ => {
                let result = probe().await;
                *kept = Some((Instant::now(), result));
                result
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
        let readiness = Readiness::default();
        let (probes, at_once) = (AtomicU32::new(0), AtomicU32::new(0));
        let ask = || {
            readiness.ask(|| async {
                assert_eq!(at_once.fetch_add(1, Ordering::Relaxed), 0, "one at a time");
                probes.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(KEPT).await;
                at_once.fetch_sub(1, Ordering::Relaxed);
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

    #[tokio::test]
    async fn one_who_asks_and_leaves_does_not_keep_the_others_waiting() {
        let readiness = Readiness::default();
        let gone = readiness.ask(std::future::pending);
        assert!(futures_util::FutureExt::now_or_never(gone).is_none());
        assert_eq!(readiness.ask(async || Ok(7)).await, Ok(7));
    }
}
