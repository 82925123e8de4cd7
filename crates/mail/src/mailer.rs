//! The mailer: which way mail of the outbox is sent, and when.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use deadwax_store::{
    clock::{Clock, Micros},
    crypto::Keys,
    db::{CommitHook, Db},
};
use tokio::sync::{MutexGuard, Notify};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{
    bounce_box::BounceBox,
    captured,
    delivery::{Way, deliver_one},
    letter::LabelName,
    outbox::{self, Outbox},
    settings::MailSettings,
    smtp,
};

/// Mails that are leased at once to be captured.
const BATCH: usize = 20;

/// Sends the mail of the outbox. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) outbox: Outbox,
    /// But for `smtp`, which `way` has.
    pub(super) settings: MailSettings,
    pub(super) way: Way,
    /// Where mail is captured, or was before there was a mail server.
    captured_in: PathBuf,
    /// Wakes the worker.
    pub(super) wake: Notify,
}

impl Mailer {
    pub fn new(
        mut settings: MailSettings,
        data_dir: &Path,
        db: Db,
        keys: Keys,
        clock: Clock,
    ) -> anyhow::Result<Self> {
        let way = match settings.smtp.take() {
            Some(url) => Way::Smtp(smtp::Server::new(url, &settings.sender.host)?),
            None => Way::Folder(captured::Folder::open(data_dir)?),
        };
        let outbox = Outbox { db, keys, clock };
        let captured_in = data_dir.join(captured::FOLDER);
        Ok(Self(Arc::new(Inner { outbox, settings, way, captured_in, wake: Notify::new() })))
    }

    /// Sends what is due. With a mail server it wakes [`deliver`](super::deliver). Without one every due mail is in the folder when this
    /// returns, and [`deliver`](super::deliver) is woken if others wait for their time.
    pub async fn send_due(&self) {
        if matches!(self.0.way, Way::Folder(_)) {
            // In its own task, because a client that hangs up must not leave a mail half captured.
            let mailer = self.clone();
            let due_by = self.0.outbox.clock.now();
            let captured = tokio::spawn(async move { mailer.capture(due_by).await }.in_current_span());
            if let Err(error) = captured.await {
                tracing::error!(cause = %error, "capturing mail");
            }
            if outbox::state(&self.0.outbox.db).await.is_ok_and(|state| state.next_at.is_none()) {
                return;
            }
        }
        self.0.wake.notify_one();
    }

    /// Makes each commit that queued mail send it. It must not run while the caller holds [`Forgetting`], which keeps the folder:
    /// such a transaction queues no mail.
    pub fn on_commit(&self) -> CommitHook {
        // The mailer holds the database, which holds this.
        let mailer = Arc::downgrade(&self.0);
        Box::new(move || {
            let mailer = mailer.upgrade().map(Self);
            Box::pin(async move {
                if let Some(mailer) = mailer {
                    mailer.send_due().await;
                }
            })
        })
    }

    /// Since when the oldest mail waits that was neither sent nor given up.
    pub async fn oldest_waiting(&self) -> sqlx::Result<Option<Micros>> {
        Ok(outbox::state(&self.0.outbox.db).await?.oldest_at)
    }

    /// Held while mails are forgotten: no mail is captured, and captured files can be removed.
    ///
    /// Take it before beginning the transaction that [`forget`](super::forget)s the rows: capturing holds the folder and then waits for
    /// the database.
    pub async fn forgetting(&self) -> Forgetting<'_> {
        let turn = match self.folder() {
            Some(folder) => Some(folder.pause().await),
            None => None,
        };
        Forgetting { folder: &self.0.captured_in, _turn: turn }
    }

    pub fn contact_to(&self) -> &str {
        self.0.settings.contact_to.as_ref()
    }

    /// Where letters to many come back to, if it is set.
    pub fn bounce_address(&self) -> Option<&str> {
        self.0.settings.bounce_address.as_ref().map(AsRef::as_ref)
    }

    /// The address in `MAIL_FROM`, or the one that is made up without it.
    pub fn sender_address(&self) -> &str {
        self.0.settings.sender.mailbox.email.as_ref()
    }

    /// The mail server that mail is handed to; none if it is captured.
    pub fn server_host(&self) -> Option<&str> {
        match &self.0.way {
            Way::Smtp(server) => Some(server.host()),
            Way::Folder(_) => None,
        }
    }

    /// The name of the sender, for the program that learns of the label's new one.
    pub fn label_name(&self) -> LabelName {
        self.0.settings.sender.label_name.clone()
    }

    /// The mailbox of the bounce address, if the program reads it.
    pub fn bounce_box(&self) -> Option<&BounceBox> {
        self.0.settings.bounce_box.as_ref()
    }

    pub fn has_server(&self) -> bool {
        matches!(self.0.way, Way::Smtp(_))
    }

    /// The address of the viewer of captured mail, below the website's own; none with a mail server. It is a secret, because mail holds
    /// links that open accounts.
    pub fn viewer(&self) -> Option<String> {
        self.folder().map(captured::Folder::viewer)
    }

    /// Without a mail server, captures every mail that was due by `due_by`.
    pub(super) async fn capture(&self, due_by: Micros) {
        let Inner { outbox, settings, way, .. } = &*self.0;
        let Some(folder) = self.folder() else { return };
        let _turn = folder.pause().await;
        loop {
            match outbox::lease(&outbox.db, outbox.clock.now(), due_by, BATCH).await {
                Ok(rows) if rows.is_empty() => return,
                Ok(rows) => {
                    for row in rows {
                        Box::pin(deliver_one(outbox, &settings.sender, way, &row, &CancellationToken::new()))
                            .await;
                    }
                }
                Err(error) => {
                    tracing::error!(cause = %error, "reading the outbox");
                    return;
                }
            }
        }
    }

    pub fn folder(&self) -> Option<&captured::Folder> {
        match &self.0.way {
            Way::Folder(folder) => Some(folder),
            Way::Smtp(_) => None,
        }
    }
}

/// The right to remove captured mail, while none is written. With a mail server there may be mail from before.
#[derive(Debug)]
pub struct Forgetting<'a> {
    folder: &'a Path,
    _turn: Option<MutexGuard<'a, ()>>,
}

impl Forgetting<'_> {
    /// Removes the files of these mails on this machine.
    pub async fn remove_captured(&self, ids: &[Uuid]) -> io::Result<()> {
        let (folder, ids) = (self.folder.to_owned(), ids.to_vec());
        let removed = tokio::task::spawn_blocking(move || captured::remove_files(&folder, &ids));
        removed.await.map_err(io::Error::other).flatten()
    }
}
