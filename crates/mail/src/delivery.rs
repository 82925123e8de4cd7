//! The delivery of one mail of the outbox: to the mail server or into the folder, and what becomes of its row.

use std::time::Duration;

use deadwax_store::clock::{Micros, SECOND};
use lettre::Message;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    captured,
    letter::{self, Sender},
    outbox::{self, Leased, Outbox},
    retry::{Failure, RetryDecision},
    smtp::{self, Refusal},
};

/// Pause before a folder that cannot be written to is tried again.
const FOLDER_PAUSE: Micros = 5 * SECOND;

#[derive(Debug)]
pub(super) enum Way {
    Folder(captured::Folder),
    Smtp(smtp::Server),
}

/// Why a message was not handed over.
#[derive(Debug)]
pub(super) enum NotSent {
    Refused(Refusal),
    /// The program stops, and the server does not have the text.
    GivenBack,
    /// The folder cannot be written to.
    NotWritten,
}

impl Way {
    /// Hands a message over to the server, or writes it into the folder under `at`. `more` is added to the wait for the server's last answer.
    pub(super) async fn transmit(
        &self,
        id: Uuid,
        at: Micros,
        message: &Message,
        more: Duration,
        stop: &CancellationToken,
    ) -> Result<(), NotSent> {
        match self {
            Self::Smtp(server) => {
                let begun = stop.run_until_cancelled(server.begin(message)).await;
                let transaction = begun.ok_or(NotSent::GivenBack)?.map_err(NotSent::Refused)?;
                transaction.finish(message, more).await.map_err(NotSent::Refused)
            }
            Self::Folder(folder) => folder.write(at, id, message).await.map_err(|error| {
                tracing::error!(%id, cause = %error, "writing captured mail");
                NotSent::NotWritten
            }),
        }
    }
}

/// Whether a mail came to the server.
#[derive(Clone, Copy, Debug)]
pub(super) enum Contact {
    None,
    Reached,
    Away,
}

/// Sends one mail, or captures it. When the program stops, a letter whose text the server does not have is given back.
pub(super) async fn deliver_one(
    outbox: &Outbox,
    sender: &Sender,
    way: &Way,
    row: &Leased,
    stop: &CancellationToken,
) -> Contact {
    let (db, created_at) = (&outbox.db, row.life.created_at);
    if let Some(reason) = row.life.over(outbox.clock.now()) {
        note(row, reason);
        settle(row, outbox::mark_undeliverable(db, row, outbox.clock.now(), reason).await);
        return Contact::None;
    }
    let content = row.open(&outbox.keys);
    let message = content.and_then(|content| letter::compose(sender, row.id, created_at, &content));
    let Some(message) = message else { return failed(outbox, row, &Failure::Unreadable).await };
    match way.transmit(row.id, created_at, &message, Duration::ZERO, stop).await {
        Ok(()) => {
            note(row, if matches!(way, Way::Folder(_)) { "captured" } else { "sent" });
            settle(row, outbox::mark_sent(db, row, outbox.clock.now()).await);
            Contact::Reached
        }
        Err(NotSent::Refused(refusal)) => failed(outbox, row, &refusal.failure()).await,
        Err(NotSent::GivenBack) => {
            settle(row, outbox::give_back(db, row).await);
            Contact::None
        }
        Err(NotSent::NotWritten) => {
            let at = outbox.clock.now().saturating_add(FOLDER_PAUSE);
            settle(row, outbox::reschedule(db, row, at, row.life.tries, "folder").await);
            Contact::None
        }
    }
}

async fn failed(outbox: &Outbox, row: &Leased, failure: &Failure) -> Contact {
    let (now, reason) = (outbox.clock.now(), failure.reason());
    note(row, reason);
    let stored = match row.life.after(failure, now) {
        RetryDecision::Again(at, tries) => outbox::reschedule(&outbox.db, row, at, tries, reason).await,
        RetryDecision::Dead => outbox::mark_undeliverable(&outbox.db, row, now, reason).await,
    };
    settle(row, stored);
    match failure {
        Failure::Unreadable => Contact::None,
        Failure::Away(_) => Contact::Away,
        Failure::Later(_) | Failure::Rejected(_) => Contact::Reached,
    }
}

/// Logs and counts an outcome, without the recipient or the content.
fn note(row: &Leased, outcome: &str) {
    if ["sent", "captured"].contains(&outcome) {
        tracing::info!(id = %row.id, kind = row.kind, tries = row.life.tries, outcome, "mail");
    } else {
        tracing::warn!(id = %row.id, kind = row.kind, tries = row.life.tries, outcome, "mail");
    }
    // Captured mail is in the log alone.
    let outcome = match outcome {
        "captured" => return,
        "sent" => "sent",
        _ => "failed",
    };
    metrics::counter!("deadwax_mail_total", "kind" => row.kind.clone(), "outcome" => outcome).increment(1);
}

fn settle(row: &Leased, stored: sqlx::Result<()>) {
    if let Err(error) = stored {
        // The lease runs out, and the row is tried again.
        tracing::error!(id = %row.id, cause = %error, "recording what became of a mail");
    }
}
