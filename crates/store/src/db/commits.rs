//! What follows each commit of this process, whoever makes it: nothing that the process keeps may be older than what it has
//! committed, and work that waits for rows is woken. It happens in [`Tx::commit`](super::Tx::commit) and in queries made by
//! [`Db::write`](super::Db::write), so that nobody can forget it.

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, PoisonError, RwLock, Weak},
};

/// Work that a transaction leaves to be done after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queued {
    /// Files are to be removed.
    pub files: bool,
    /// Sizes of pictures are to be made.
    pub pictures: bool,
    /// Demos are to be measured.
    pub sounds: bool,
}

/// What is done once a transaction stands, and never where it is undone.
#[derive(Default)]
pub struct Afterwards(Vec<Box<dyn FnOnce() + Send + Sync>>);

impl Afterwards {
    /// Adds something that is quickly done, such as a line for the log.
    pub fn add(&mut self, what: impl FnOnce() + Send + Sync + 'static) {
        self.0.push(Box::new(what));
    }

    pub(super) fn run(self) {
        self.0.into_iter().for_each(|what| what());
    }
}

impl fmt::Debug for Afterwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Afterwards").field(&self.0.len()).finish()
    }
}

/// Whoever has to know of commits.
pub trait AfterCommit: fmt::Debug + Send + Sync {
    /// Something was committed, or may have been. Must not wait.
    fn committed(&self, queued: Queued);

    /// Returns when this process shows nothing older than what was committed before the call.
    fn applied(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The one who has to know, if anybody does: programs of the command line keep nothing. Cheap to clone.
#[derive(Clone, Default)]
pub struct Commits(Arc<RwLock<Option<Weak<dyn AfterCommit>>>>);

impl Commits {
    /// From now on `follower` is told of every commit, as long as somebody else holds it.
    pub fn follow(&self, follower: Weak<dyn AfterCommit>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(follower);
    }

    /// Tells of a commit when the value is dropped, however the commit ends.
    pub(super) fn tell_when_dropped(&self, queued: Queued) -> impl Drop + use<> {
        Told { commits: self.clone(), queued }
    }

    /// See [`AfterCommit::applied`].
    pub(super) async fn applied(&self) {
        if let Some(follower) = self.follower() {
            follower.applied().await;
        }
    }

    fn follower(&self) -> Option<Arc<dyn AfterCommit>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).as_ref()?.upgrade()
    }
}

impl fmt::Debug for Commits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commits").finish_non_exhaustive()
    }
}

struct Told {
    commits: Commits,
    queued: Queued,
}

impl Drop for Told {
    fn drop(&mut self) {
        if let Some(follower) = self.commits.follower() {
            follower.committed(self.queued);
        }
    }
}
