//! The work after each commit of this process: it wakes the work that the transaction queued, and returns when this process shows
//! nothing older and the mail it queued is on its way. Both [`Tx::commit`](super::Tx::commit) and queries made by
//! [`Db::write`](super::Db::write) do it, so that no caller can forget it.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use futures_util::future::BoxFuture;
use tokio::sync::Notify;

/// The queues to which a transaction has added something; its commit wakes them.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a flag for each queue")]
pub struct Queued {
    pub files: bool,
    pub pictures: bool,
    pub sounds: bool,
    pub backups: bool,
    pub mail: bool,
}

/// Actions run once a transaction is committed, and never when it is undone.
#[derive(Default)]
pub struct Afterwards(Vec<Box<dyn FnOnce() + Send + Sync>>);

impl Afterwards {
    /// Adds a quick action, such as a line for the log.
    pub fn add(&mut self, action: impl FnOnce() + Send + Sync + 'static) {
        self.0.push(Box::new(action));
    }

    pub(super) fn run(self) {
        self.0.into_iter().for_each(|action| action());
    }
}

impl fmt::Debug for Afterwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Afterwards").field(&self.0.len()).finish()
    }
}

/// Work that commits await; see [`Commits`].
pub type CommitHook = Box<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// The queues that commits wake, and the hooks they await. Programs of the command line set no hooks. Cheap to clone.
#[derive(Clone, Default)]
pub struct Commits(Arc<Followers>);

#[derive(Default)]
struct Followers {
    files: Notify,
    pictures: Notify,
    sounds: Notify,
    backups: Notify,
    show: OnceLock<CommitHook>,
    send_mail: OnceLock<CommitHook>,
}

impl Commits {
    pub fn files(&self) -> &Notify {
        &self.0.files
    }

    pub fn pictures(&self) -> &Notify {
        &self.0.pictures
    }

    pub fn sounds(&self) -> &Notify {
        &self.0.sounds
    }

    pub fn backups(&self) -> &Notify {
        &self.0.backups
    }

    /// Sets what each commit awaits: `show` returns when this process shows nothing older than the commit. The first call counts.
    pub fn show_with(&self, show: CommitHook) {
        let _ = self.0.show.set(show);
    }

    /// Sets what commits that queued mail await. The first call counts.
    pub fn send_mail_with(&self, send_mail: CommitHook) {
        let _ = self.0.send_mail.set(send_mail);
    }

    pub(super) fn wake(&self, queued: Queued) {
        for (is_queued, work) in [
            (queued.files, self.files()),
            (queued.pictures, self.pictures()),
            (queued.sounds, self.sounds()),
            (queued.backups, self.backups()),
        ] {
            if is_queued {
                work.notify_one();
            }
        }
    }

    pub(super) async fn follow(&self, queued: Queued) {
        self.wake(queued);
        if let Some(show) = self.0.show.get() {
            show().await;
        }
        if queued.mail
            && let Some(send_mail) = self.0.send_mail.get()
        {
            send_mail().await;
        }
    }
}

impl fmt::Debug for Commits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commits").finish_non_exhaustive()
    }
}
