//! Mail: a row in the outbox, written in the transaction of its cause and delivered afterwards, by SMTP or, without a mail
//! server, as files that a secret address shows on this machine (`viewer`). What the letters about accounts say is in [`letters`], and every letter is made of
//! [`Part`]s; whether a mail goes at all is decided by whoever enqueues it.

mod captured;
mod compose;
mod eml;
mod letter;
pub mod letters;
mod outbox;
mod retry;
mod settings;
mod smtp;
mod viewer;
mod worker;

use std::{path::Path, sync::Arc};

use tokio::sync::{Mutex, Notify};

use crate::{app::AppState, clock::Micros, db::Statement};

pub use letter::{Label, Letter, Part, say};
pub use outbox::{Undelivered, enqueue, prune, undelivered};
pub use settings::{MailSettings, SettingError};
pub use viewer::routes;
pub use worker::deliver;

/// How long delivery is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Mail about an account: with growing pauses, for a day; what the receiving server rejects is given up at once.
    Account,
    /// What a visitor wrote to the label: hourly for a week, whatever the server says; then kept, and named by `deadwax check`.
    Message,
}

/// A mail to be sent.
#[derive(Debug)]
pub struct Mail<'a> {
    /// What it is, for logs and metrics, such as `confirm`.
    pub kind: &'static str,
    /// The one address it goes to.
    pub to: &'a str,
    /// What it says.
    pub letter: Letter,
    /// Where an answer goes, unless to the label's own address.
    pub reply_to: Option<&'a str>,
    /// When it has become worthless, such as the end of its code's life: it is not delivered from then on.
    pub not_after: Option<Micros>,
    /// How long delivery is tried.
    pub patience: Patience,
}

/// Sends what is in the outbox. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sender: compose::Sender,
    contact_to: lettre::Address,
    way: Way,
    /// Whose mail is just being handed over.
    turn: Mutex<()>,
    /// Rung when the outbox has a new row.
    wake: Notify,
}

#[derive(Debug)]
enum Way {
    /// Files on this machine.
    Folder(captured::Folder),
    /// A mail server.
    Smtp(smtp::Server),
}

impl Mailer {
    /// A mailer as `settings` say; captured mail goes to `mail/` in `data_dir`.
    pub fn new(settings: MailSettings, data_dir: &Path) -> anyhow::Result<Self> {
        let way = match settings.smtp {
            Some(url) => Way::Smtp(smtp::Server::new(url, &settings.sender.host)?),
            None => Way::Folder(captured::Folder::open(data_dir)?),
        };
        let (sender, contact_to) = (settings.sender, settings.contact_to);
        Ok(Self(Arc::new(Inner { sender, contact_to, way, turn: Mutex::default(), wake: Notify::new() })))
    }

    /// Called after the commit that put mail into the outbox. Without a mail server every pending mail is in the folder when
    /// this returns; with one, delivery begins and is not waited for. What fails is tried again by [`deliver`].
    pub async fn sent_soon(&self, app: &AppState) {
        match &self.0.way {
            Way::Smtp(_) => self.0.wake.notify_one(),
            Way::Folder(_) => {
                // A task of its own: a client that hangs up must not leave a mail half captured. Writing requests are finished
                // anyway, but a read may put mail out too, where it notices a copied token.
                let app = app.clone();
                let due_by = app.clock.now();
                let captured = tokio::spawn(async move { captured::capture(&app, due_by).await });
                if let Err(error) = captured.await {
                    tracing::error!(cause = %error, "capturing mail");
                }
            }
        }
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

    fn folder(&self) -> Option<&captured::Folder> {
        match &self.0.way {
            Way::Folder(folder) => Some(folder),
            Way::Smtp(_) => None,
        }
    }
}

/// Every SQL text of mail.
pub(crate) const STATEMENTS: &[(&str, Statement)] = outbox::STATEMENTS;
