//! Turns at decoding: one for each core.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

use crate::error::{NotAPicture, PictureError};

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
    /// Does the work on a picture when it is its turn.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, NotAPicture> + Send + 'static,
    ) -> Result<Result<T, NotAPicture>, PictureError> {
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
