//! What sends the mail of the outbox: by which way, and when it is asked to.

use std::{io, path::Path, sync::Arc};

use deadwax_store::{
    clock::{Clock, Micros},
    crypto::Keys,
    db::Db,
};
use tokio::sync::{Mutex, MutexGuard, Notify};
use tracing::Instrument as _;
use uuid::Uuid;

use super::{
    captured,
    compose::Sender,
    outbox::{self, Outbox},
    settings::MailSettings,
    smtp,
};

/// Sends what is in the outbox. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) outbox: Outbox,
    pub(super) sender: Sender,
    contact_to: lettre::Address,
    pub(super) way: Way,
    /// Whose mail is just being handed over.
    pub(super) turn: Mutex<()>,
    /// Rung when the outbox has a new row.
    pub(super) wake: Notify,
}

#[derive(Debug)]
pub(super) enum Way {
    /// Files on this machine.
    Folder(captured::Folder),
    /// A mail server.
    Smtp(smtp::Server),
}

impl Mailer {
    /// A mailer of the outbox in `db` as `settings` say; captured mail goes to `mail/` in `data_dir`.
    pub fn new(
        settings: MailSettings,
        data_dir: &Path,
        db: Db,
        keys: Keys,
        clock: Clock,
    ) -> anyhow::Result<Self> {
        let way = match settings.smtp {
            Some(url) => Way::Smtp(smtp::Server::new(url, &settings.sender.host)?),
            None => Way::Folder(captured::Folder::open(data_dir)?),
        };
        Ok(Self(Arc::new(Inner {
            outbox: Outbox { db, keys, clock },
            sender: settings.sender,
            contact_to: settings.contact_to,
            way,
            turn: Mutex::default(),
            wake: Notify::new(),
        })))
    }

    /// Called after the commit that put mail into the outbox. Without a mail server every pending mail is in the folder when
    /// this returns; with one, delivery begins and is not waited for. What fails is tried again by [`deliver`](super::deliver).
    pub async fn sent_soon(&self) {
        match &self.0.way {
            Way::Smtp(_) => self.0.wake.notify_one(),
            Way::Folder(_) => {
                // A task of its own: a client that hangs up must not leave a mail half captured. Writing requests are finished
                // anyway, but a read may put mail out too, where it notices a copied token.
                let mailer = self.clone();
                let due_by = self.0.outbox.clock.now();
                let captured = tokio::spawn(async move { mailer.capture(due_by).await }.in_current_span());
                if let Err(error) = captured.await {
                    tracing::error!(cause = %error, "capturing mail");
                }
            }
        }
    }

    /// Called after the commit that put mail into the outbox which is [to wait](super::Mail::not_before): the worker learns of its time.
    pub fn sent_later(&self) {
        self.0.wake.notify_one();
    }

    /// Since when the oldest letter waits that has not been sent or given up; none waits where there is none.
    pub async fn oldest_waiting(&self) -> sqlx::Result<Option<Micros>> {
        Ok(outbox::state(&self.0.outbox.db).await?.oldest_at)
    }

    /// To be held while mails are forgotten: nothing is captured meanwhile, and the files that were can be removed.
    ///
    /// Before the transaction that [`forget`](super::forget)s the rows is begun, because whoever writes captured mail holds the folder
    /// and then waits for the database.
    pub async fn forgetting(&self) -> Forgetting<'_> {
        Forgetting(match self.folder() {
            Some(folder) => Some((folder, folder.pause().await)),
            None => None,
        })
    }

    /// Where messages to the label go.
    pub fn contact_to(&self) -> &str {
        self.0.contact_to.as_ref()
    }

    /// Whether mail leaves this machine.
    pub fn has_server(&self) -> bool {
        matches!(self.0.way, Way::Smtp(_))
    }

    /// Where captured mail is shown, below the website's own address; none with a mail server. A secret: mail holds links that
    /// open accounts.
    pub fn viewer(&self) -> Option<String> {
        self.folder().map(captured::Folder::viewer)
    }

    /// Without a mail server, writes every mail that was due by `due_by`.
    pub(super) async fn capture(&self, due_by: Micros) {
        if let Some(folder) = self.folder() {
            folder.capture(&self.0.outbox, &self.0.sender, due_by).await;
        }
    }

    /// Where captured mail is; none with a mail server.
    pub fn folder(&self) -> Option<&captured::Folder> {
        match &self.0.way {
            Way::Folder(folder) => Some(folder),
            Way::Smtp(_) => None,
        }
    }
}

/// The right to remove captured mail, while none is written. With a mail server there is none to remove.
#[derive(Debug)]
pub struct Forgetting<'a>(Option<(&'a captured::Folder, MutexGuard<'a, ()>)>);

impl Forgetting<'_> {
    /// Removes what was captured of these mails on this machine.
    pub async fn remove_captured(&self, ids: &[Uuid]) -> io::Result<()> {
        match &self.0 {
            Some((folder, _)) => folder.remove(ids).await,
            None => Ok(()),
        }
    }
}
