//! The delivery of one mail of the outbox: to the mail server or into the folder, and what becomes of its row.

use std::time::Duration;

use deadwax_store::clock::{Micros, SECOND};
use tokio_util::sync::CancellationToken;

use super::{
    captured,
    letter::{self, Sender},
    outbox::{self, Leased, Outbox},
    retry::{DeliveryState, Failure, RetryDecision},
    smtp,
};

/// Pause before a folder that cannot be written to is tried again.
const FOLDER_PAUSE: Micros = 5 * SECOND;

#[derive(Debug)]
pub(super) enum Way {
    Folder(captured::Folder),
    Smtp(smtp::Server),
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
    let life = DeliveryState::of(row);
    if let Some(reason) = life.over(outbox.clock.now()) {
        note(row, reason);
        settle(row, outbox::mark_undeliverable(&outbox.db, row, outbox.clock.now(), reason).await);
        return Contact::None;
    }
    let message =
        row.open(&outbox.keys).and_then(|content| letter::compose(sender, row.id, row.created_at, &content));
    let Some(message) = message else { return failed(outbox, row, life, &Failure::Unreadable).await };
    let server = match way {
        Way::Smtp(server) => server,
        Way::Folder(folder) => {
            let (db, now) = (&outbox.db, outbox.clock.now());
            let stored = match folder.write(row.created_at, row.id, &message).await {
                Ok(()) => {
                    note(row, "captured");
                    outbox::mark_sent(db, row, now).await
                }
                Err(error) => {
                    tracing::error!(id = %row.id, kind = row.kind, cause = %error, "writing captured mail");
                    outbox::reschedule(db, row, now.saturating_add(FOLDER_PAUSE), row.tries, "folder").await
                }
            };
            settle(row, stored);
            return Contact::None;
        }
    };
    let transaction = match stop.run_until_cancelled(server.begin(&message)).await {
        Some(Ok(transaction)) => transaction,
        Some(Err(refusal)) => return failed(outbox, row, life, &refusal.failure()).await,
        None => {
            settle(row, outbox::give_back(&outbox.db, row).await);
            return Contact::None;
        }
    };
    if let Err(refusal) = transaction.finish(&message, Duration::ZERO).await {
        return failed(outbox, row, life, &refusal.failure()).await;
    }
    note(row, "sent");
    settle(row, outbox::mark_sent(&outbox.db, row, outbox.clock.now()).await);
    Contact::Reached
}

async fn failed(outbox: &Outbox, row: &Leased, life: DeliveryState, failure: &Failure) -> Contact {
    let (now, reason) = (outbox.clock.now(), failure.reason());
    note(row, reason);
    let stored = match life.after(failure, now) {
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
        tracing::info!(id = %row.id, kind = row.kind, tries = row.tries, outcome, "mail");
    } else {
        tracing::warn!(id = %row.id, kind = row.kind, tries = row.tries, outcome, "mail");
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
