//! Turns at decoding: one for each core, and one alone for uploads that take much memory to open. Sizes are made one at a time anyway,
//! at the lowest priority.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rules::image::OPENED_ALONE_BYTES;
use tokio::sync::Semaphore;

use crate::format::PictureError;

const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct Pictures {
    turns: Arc<Semaphore>,
}

impl Default for Pictures {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { turns: Arc::new(Semaphore::new(cores)) }
    }
}

impl Pictures {
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PictureError> {
        let turn = tokio::time::timeout(QUEUE_TIMEOUT, Arc::clone(&self.turns).acquire_owned())
            .await
            .map_err(|_| PictureError::Busy)?
            .map_err(|closed| PictureError::Failed(closed.into()))?;
        // The turn goes with the work: a caller who leaves does not let more of it run at once.
        let work = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        work.await.map_err(|panicked| PictureError::Failed(panicked.into()))
    }
}

static HEAVY: Mutex<()> = Mutex::new(());

/// Waits for its turn where opening a picture takes much memory.
pub(super) fn lock_if_heavy(bytes: u64) -> Option<MutexGuard<'static, ()>> {
    (bytes > OPENED_ALONE_BYTES).then(|| HEAVY.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_pictures_wait_for_each_other_and_small_ones_for_nobody() {
        let first = lock_if_heavy(80_000_000);
        assert!(first.is_some());
        assert!(HEAVY.try_lock().is_err());
        assert!(lock_if_heavy(4_000_000).is_none());
    }
}
