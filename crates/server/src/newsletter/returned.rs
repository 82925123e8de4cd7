//! Mail that came back about letters: it ends subscriptions whose address is gone, of people who complain, and of those who ask to leave.

use std::time::Duration;

use anyhow::Context as _;
use deadwax_http::error::AppResult;
use deadwax_mail::returned::{self, About, What};
use deadwax_store::{
    clock::{DAY, Micros, micros},
    columns::Named as _,
    crypto::Keys,
    db::{Db, Tx},
    ids::{LetterId, SubscriptionId},
    names, statements,
};
use rules::mail_replies::{Bounce, SOFT_BOUNCES_MAX, SOFT_BOUNCES_MS};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{arrival::read_back, leaving, sending::RecipientState, suppressions};
use crate::app::AppState;

statements! {
    // Subscriptions are locked before their recipients, as a deletion does.
    ROW = "SELECT r.id, r.letter_id, r.subscription_id, s.email FROM letter_recipients r \
        JOIN newsletter_subscriptions s ON s.id = r.subscription_id WHERE r.id = $1", postgres + " FOR UPDATE OF s";
    REPORT = "INSERT INTO letter_reports (message_id, created_at) VALUES ($1, $2) ON CONFLICT (message_id) DO NOTHING";
    BOUNCE = "UPDATE letter_recipients SET state = $2, code = $3, ended_at = $4 WHERE id = $1 AND state IN ('sent', 'handing')";
    COMPLAIN = "UPDATE letter_recipients SET state = 'left', ended_at = $2 WHERE id = $1 AND state IN ('sent', 'handing')";
    SOFT = "SELECT COUNT(*) FROM letter_recipients WHERE subscription_id = $1 AND state = 'bounced' AND ended_at > $2";
    PRUNE = "DELETE FROM letter_reports WHERE created_at < $1";
}

/// The largest mail that is read; the report stands before the letter in it.
pub const RETURNED_MAX_BYTES: usize = 1024 * 1024;
const REPORT_ID_MAX: usize = 250;
/// For reading the mailbox once.
const MAILBOX_TIMEOUT: Duration = Duration::from_mins(2);
const READ_AGAIN: Duration = Duration::from_mins(5);
/// While more wait than one look reads.
const READ_MORE: Duration = Duration::from_secs(5);
/// Reports older than this are not sent again.
const KEPT: Micros = 365 * DAY;

names! {
    /// The effect of a mail that came back.
    Received;
    /// The subscription ended.
    Gone = "gone";
    Complained = "complained";
    Left = "left";
    /// It counts; several end the subscription.
    Counted = "counted";
    /// It was counted before.
    Again = "again";
    /// It is about the letter that was sent to be read back.
    ReadBack = "read_back";
    /// It is about a letter, and changes nothing: a notice of delay, or an automatic answer.
    Noted = "noted";
    /// It is about no letter, or not understood.
    Ignored = "ignored";
}

#[derive(Debug, sqlx_macros::FromRow)]
struct Row {
    id: Uuid,
    letter_id: LetterId,
    subscription_id: SubscriptionId,
    email: String,
}

/// Reads a mail that was sent to `address`, the label's address for mail that comes back, and does what it asks for.
pub async fn receive(db: &Db, keys: &Keys, address: &str, raw: &[u8], now: Micros) -> AppResult<Received> {
    let reading = spawn_blocking({
        let (raw, address, keys) = (raw.to_vec(), address.to_owned(), keys.clone());
        move || returned::read(&raw, &address, &keys)
    });
    // A mail that the reader fails at is not understood either.
    let Some(mail) = reading.await.ok().flatten() else { return Ok(Received::Ignored) };
    let (id, recipient) = match mail.about {
        About::Leaving(token) => {
            leaving::leave(db, now, &token, None).await?;
            return Ok(Received::Left);
        }
        About::ReadBack(id) => {
            read_back::arrived(db, id, raw).await?;
            return Ok(Received::ReadBack);
        }
        About::Recipient(id) => (id, None),
        // Anybody can write a report with an id that they have seen.
        About::Letter { id, recipient: Some(recipient) } => (id, Some(recipient)),
        About::Letter { .. } | About::Unknown => return Ok(Received::Ignored),
    };
    if read_back::came_back(db, id, &mail.what).await? {
        return Ok(Received::ReadBack);
    }
    let mut tx = db.begin().await?;
    let found = tx.query(ROW).bind(id).optional::<Row>().await?;
    let Some(row) = found.filter(|row| recipient.is_none_or(|named| named == row.email)) else {
        return Ok(Received::Ignored);
    };
    // PostgreSQL refuses a NUL in a text.
    let id = mail.id.unwrap_or_default();
    let id: String = id.chars().filter(|c| !c.is_control()).take(REPORT_ID_MAX).collect();
    // A report without an id counts once for each recipient.
    let report = if id.is_empty() { row.id.to_string() } else { id };
    if tx.query(REPORT).bind(report).bind(now).execute().await? == 0 {
        return Ok(Received::Again);
    }
    let received = match mail.what {
        What::Complaint => {
            suppressions::end(&mut tx, row.subscription_id, "complained", now).await?;
            tx.query(COMPLAIN).bind(row.id).bind(now).execute().await?;
            Received::Complained
        }
        What::Bounced(kind, code) => bounced(&mut tx, &row, kind, &code, now).await?,
        What::Other if mail.is_automatic => return Ok(Received::Noted),
        // A person may have written it.
        What::Other => return Ok(Received::Ignored),
    };
    tx.commit().await?;
    tracing::info!(letter = %row.letter_id, ?received, "mail came back");
    Ok(received)
}

async fn bounced(tx: &mut Tx, row: &Row, kind: Bounce, code: &str, now: Micros) -> AppResult<Received> {
    let state = if kind == Bounce::Refused { RecipientState::Refused } else { RecipientState::Bounced };
    tx.query(BOUNCE).bind(row.id).bind(state.as_str()).bind(code).bind(now).execute().await?;
    let is_gone = match kind {
        Bounce::Gone => true,
        Bounce::Soft => {
            let since = now.saturating_sub(micros(SOFT_BOUNCES_MS));
            let count = tx.query(SOFT).bind(row.subscription_id).bind(since).value::<i64>().await?;
            count.unsigned_abs() >= SOFT_BOUNCES_MAX
        }
        Bounce::Refused | Bounce::None => false,
    };
    if !is_gone {
        return Ok(Received::Counted);
    }
    suppressions::end(tx, row.subscription_id, "bounced", now).await?;
    Ok(Received::Gone)
}

/// Reads at most [`RETURNED_MAX_BYTES`] of a mail.
pub fn read_mail(from: impl std::io::Read) -> anyhow::Result<Vec<u8>> {
    let mut raw = Vec::new();
    let most = u64::try_from(RETURNED_MAX_BYTES)?;
    std::io::Read::read_to_end(&mut from.take(most), &mut raw).context("reading standard input")?;
    Ok(raw)
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now.saturating_sub(KEPT)).execute().await.map(drop)
}

/// Reads the mailbox of the bounce address to its end every five minutes, if it is set. Instances may read it at the same time: a report counts once.
pub async fn keep_reading(app: AppState) {
    let stop = app.stop.clone();
    let reading = async {
        loop {
            let has_more = read_returned(&app).await;
            tokio::time::sleep(if has_more { READ_MORE } else { READ_AGAIN }).await;
        }
    };
    if app.mail.bounce_box().is_some() {
        stop.run_until_cancelled(reading).await;
    }
}

/// As [`read_box`], within a time. Logs why it could not.
pub(super) async fn read_returned(app: &AppState) -> bool {
    let read = tokio::time::timeout(MAILBOX_TIMEOUT, read_box(app)).await;
    read.unwrap_or_else(|_| Err(anyhow::anyhow!("no answer in time"))).unwrap_or_else(|error| {
        tracing::warn!(cause = format!("{error:#}"), "reading the mailbox of letters that come back");
        false
    })
}

/// Reads new mails of the mailbox; whether more wait. Mails that are about no letter, and those of people, stay unread.
pub async fn read_box(app: &AppState) -> anyhow::Result<bool> {
    let (Some(mailbox), Some(address)) = (app.mail.bounce_box(), app.mail.bounce_address()) else {
        return Ok(false);
    };
    let mut unread = mailbox.open().await?;
    while let Some((mail, raw)) = unread.next(RETURNED_MAX_BYTES).await? {
        let received = receive(&app.db, &app.keys, address, &raw, app.clock.now()).await;
        let received = received.map_err(|error| anyhow::anyhow!("{}", error.cause()))?;
        metrics::counter!("deadwax_returned_mail_total", "effect" => received.as_str()).increment(1);
        if received == Received::Ignored {
            unread.leave_unread(mail);
        } else {
            unread.mark_read(mail).await?;
        }
    }
    let has_more = unread.has_more();
    metrics::gauge!("deadwax_returned_mail_unread").set(f64::from(unread.close().await?));
    Ok(has_more)
}
