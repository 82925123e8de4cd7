//! What this process does after each of its commits, before anybody is answered: it applies what has changed to what it keeps
//! and tells, and wakes the work that the transaction queued.

use std::pin::Pin;

use deadwax_store::{
    db::{AfterCommit, Queued},
    deletions::Deletions,
    live::Live,
};

use crate::{analysis::AnalysisJob, sizes::SizesJob};

/// The parts of the program that follow commits.
#[derive(Debug)]
pub struct Followers {
    /// Keeps and tells.
    pub live: Live,
    /// Removes files.
    pub deletions: Deletions,
    /// Makes the sizes of pictures.
    pub sizes: SizesJob,
    /// Measures demos.
    pub analysis: AnalysisJob,
}

impl AfterCommit for Followers {
    fn committed(&self, queued: Queued) {
        self.live.wake();
        if queued.files {
            self.deletions.wake();
        }
        if queued.pictures {
            self.sizes.wake();
        }
        if queued.sounds {
            self.analysis.wake();
        }
    }

    fn applied(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.live.show_committed())
    }
}
