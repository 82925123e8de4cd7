//! Confirmation mails: written to a new address within the bounds of [`rules::newsletter_consent`], later where a bound or a missing
//! mail server delays them. Addresses that never confirm are erased.

use std::time::Duration;

use deadwax_mail::{Label, Letter, Mail, OutboxError, Part, say};
use deadwax_store::{
    clock::{DAY, Micros, SECOND, micros, millis},
    crypto::Token,
    db::Tx,
    ids::SubscriptionId,
    limits, statements,
};
use rules::{
    newsletter_consent::{CONFIRMATION_MS, CONFIRMATIONS_ANEW_MS, NotYet, next_confirmation},
    rate_limit::NEWSLETTER_CONFIRMATIONS,
};
use uuid::Uuid;

use super::settings;
use crate::{accounts::account_mail::counter, app::AppState};

/// True also where each mail since then has failed.
macro_rules! without_mail {
    () => {
        "NOT EXISTS (SELECT 1 FROM newsletter_letters l \
            WHERE l.subscription_id = newsletter_subscriptions.id AND l.created_at >= newsletter_subscriptions.subscribed_at)"
    };
}
pub(super) use without_mail;

statements! {
    ASKED = "UPDATE newsletter_subscriptions SET confirm_hash = $2, asked_at = $3, ask_at = NULL WHERE id = $1";
    KEEP_LETTER = "INSERT INTO newsletter_letters (outbox_id, subscription_id, created_at) VALUES ($1, $2, $3)";
    // Unless the link of an earlier mail ends before: then the address is erased with it.
    ASK_AT = "UPDATE newsletter_subscriptions SET ask_at = \
            CASE WHEN asked_at IS NULL OR asked_at > $3 THEN CAST($2 AS BIGINT) END \
        WHERE id = $1";
    ASK_AT_FIRST = "UPDATE newsletter_subscriptions SET ask_at = $2 WHERE id = $1 AND asked_at IS NULL";
    // The newest subscribers first: they just pressed SUBSCRIBE, while earlier ones may fill the bounds for days. Without $2, only who
    // used the form and had no mail since.
    DUE = concat!("SELECT id, email, subscribed_at FROM newsletter_subscriptions \
        WHERE ask_at <= $1 AND active AND consent = 'unconfirmed' \
            AND ($2 OR proof LIKE '%\"subscribed\":%' AND ", without_mail!(), ") \
        ORDER BY subscribed_at DESC, id LIMIT 1"), postgres + " FOR UPDATE";
    ANY_DUE = "SELECT id FROM newsletter_subscriptions WHERE ask_at <= $1 AND active AND consent = 'unconfirmed' LIMIT 1";
    ASKED_SINCE = "SELECT COUNT(*) FROM newsletter_subscriptions WHERE asked_at > $1";
    EXPIRED = "SELECT n.id FROM newsletter_subscriptions n \
        WHERE n.consent = 'unconfirmed' AND n.ask_at IS NULL AND n.asked_at < $1 \
            AND NOT EXISTS (SELECT 1 FROM newsletter_letters l \
                WHERE l.subscription_id = n.id AND l.created_at >= n.subscribed_at AND (l.sent_at IS NULL OR l.sent_at >= $1)) \
        ORDER BY n.id LIMIT $2";
    LETTERS = "SELECT outbox_id FROM newsletter_letters WHERE subscription_id = $1";
    RECEIVED = "SELECT id FROM letter_recipients WHERE subscription_id = $1";
    // Only if it is unconfirmed still, and was not asked again.
    ERASE = "DELETE FROM newsletter_subscriptions \
        WHERE id = $1 AND consent = 'unconfirmed' AND ask_at IS NULL AND asked_at < $2";
}

const PAUSE: Duration = Duration::from_mins(1);
const BATCH: i64 = 200;

/// Key of the lock on waiting confirmations: one instance sends at a time, so that the daily number is exact.
pub(super) const HELD: &str = "newsletter-confirm-due";

/// The recipient of a confirmation mail.
#[derive(Debug, sqlx_macros::FromRow)]
pub struct Asked {
    pub id: SubscriptionId,
    pub email: String,
    pub subscribed_at: Micros,
}

/// The outcome of a request for a confirmation mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    Queued,
    /// A bound of this mailbox allows it from then on.
    From(Micros),
    /// All mailboxes together have had theirs for now, or there is no mail server.
    NotNow,
}

fn letter(label: &Label<'_>, token: &Token) -> Letter {
    label.letter(
        "may we write to you?",
        "ONE PRESS, AND YOU ARE ON THE LIST",
        &[
            say(format!("This address was entered for our newsletter {}.", label.when())),
            Part::Link(
                "If it was you, confirm within 30 days",
                label.link(&format!("/newsletter/confirm/{}", token.expose())),
            ),
            say("If it was not you, there is nothing to do: we send no newsletter, and forget the address after 30 days."),
        ],
    )
}

/// The token of a subscription's confirmation link: the same in each of its mails, another once it subscribes anew.
fn token(app: &AppState, asked: &Asked) -> Token {
    app.keys.token(&[b"newsletter confirmation", asked.id.0.as_bytes(), &asked.subscribed_at.to_be_bytes()])
}

/// Whether confirmations can arrive. Captured mail reaches only the developer of a website on this machine.
pub(super) fn can_send(app: &AppState) -> bool {
    app.mail.has_server() || app.origin.is_loopback()
}

/// Queues a confirmation mail for `send_at` if all bounds allow it.
pub async fn ask(
    tx: &mut Tx,
    app: &AppState,
    asked: &Asked,
    now: Micros,
    send_at: Micros,
) -> Result<Asking, OutboxError> {
    if !can_send(app) {
        return Ok(Asking::NotNow);
    }
    if limits::peek_in(tx, "newsletter-confirm-global", NEWSLETTER_CONFIRMATIONS, now).await?.is_err() {
        return Ok(Asking::NotNow);
    }
    let key = counter(&app.keys, "newsletter-confirm", &asked.email);
    let rule = |sent: &[u64]| next_confirmation(sent, millis(now));
    if let Err(NotYet { free_at_ms }) =
        limits::take_by_rule_in(tx, &key, now, CONFIRMATIONS_ANEW_MS, rule).await?
    {
        return Ok(Asking::From(micros(free_at_ms)));
    }
    let _ = limits::take_in(tx, "newsletter-confirm-global", NEWSLETTER_CONFIRMATIONS, now).await?;
    let token = token(app, asked);
    let letter = letter(&app.label_at(asked.subscribed_at), &token);
    let mail = Mail {
        not_before: Some(send_at),
        not_after: Some(now.saturating_add(micros(CONFIRMATION_MS))),
        ..Mail::new("newsletter_confirm", &asked.email, letter)
    };
    let outbox_id = deadwax_mail::enqueue(tx, &app.keys, now, &mail).await?;
    tx.query(ASKED).bind(asked.id).bind(token.hash()).bind(now).execute().await?;
    tx.query(KEEP_LETTER).bind(outbox_id).bind(asked.id).bind(now).execute().await?;
    Ok(Asking::Queued)
}

/// Asks a new subscriber. A mail that a bound delays is sent later, unless an earlier one holds a working link.
pub(super) async fn ask_now(
    tx: &mut Tx,
    app: &AppState,
    asked: &Asked,
    now: Micros,
) -> Result<(), OutboxError> {
    let at = match ask(tx, app, asked, now, now).await? {
        Asking::Queued => return Ok(()),
        Asking::From(at) => at,
        Asking::NotNow => now,
    };
    tx.query(ASK_AT_FIRST).bind(asked.id).bind(at).execute().await?;
    Ok(())
}

/// Sends the confirmations that wait, within all bounds; how many.
pub async fn send_due(app: &AppState) -> Result<u32, OutboxError> {
    let mut sent = 0;
    loop {
        let now = app.clock.now();
        if !app.db.query(ANY_DUE).bind(now).exists().await? {
            return Ok(sent);
        }
        let mut tx = app.db.begin().await?;
        limits::hold_in(&mut tx, HELD, now).await?;
        let today = tx.query(ASKED_SINCE).bind(now - DAY).value::<i64>().await?;
        let settings = settings::read(&mut tx).await?;
        let due = tx.query(DUE).bind(now).bind(today < settings.confirmations_a_day);
        let Some(asked) = due.optional::<Asked>().await? else { return Ok(sent) };
        // At the rate of letters, so that other mail goes between them.
        let send_at = now + Micros::from(sent) * (SECOND / settings.letters_a_second.max(1));
        match ask(&mut tx, app, &asked, now, send_at).await? {
            Asking::Queued => sent += 1,
            Asking::From(at) => {
                let earliest = at.saturating_sub(micros(CONFIRMATION_MS));
                tx.query(ASK_AT).bind(asked.id).bind(at).bind(earliest).execute().await?;
            }
            Asking::NotNow => return Ok(sent),
        }
        tx.commit().await?;
    }
}

async fn try_send(app: &AppState) {
    if let Err(error) = send_due(app).await {
        tracing::warn!(cause = %error, "sending confirmations of subscriptions");
    }
}

/// Sends what waits without making the caller wait.
pub(super) fn send_soon(app: &AppState) {
    let app = app.clone();
    app.background.clone().spawn(async move { try_send(&app).await });
}

pub async fn keep_sending(app: AppState) {
    let stop = app.stop.clone();
    stop.run_until_cancelled_owned(async move {
        loop {
            try_send(&app).await;
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await;
}

/// Deletes the mails about a subscription from the outbox; the ids of all that it got, whose captured files are to be removed.
pub async fn forget_letters(tx: &mut Tx, subscription: SubscriptionId) -> sqlx::Result<Vec<Uuid>> {
    let mut letters = tx.query(LETTERS).bind(subscription).values::<Uuid>().await?;
    for id in &letters {
        deadwax_mail::forget(tx, *id).await?;
    }
    letters.extend(tx.query(RECEIVED).bind(subscription).values::<Uuid>().await?);
    Ok(letters)
}

/// Erases addresses that did not confirm in the life of their latest link.
pub async fn prune(app: &AppState, now: Micros) -> sqlx::Result<()> {
    let before = now.saturating_sub(micros(CONFIRMATION_MS));
    for id in app.db.query(EXPIRED).bind(before).bind(BATCH).values::<SubscriptionId>().await? {
        let forgetting = app.mail.forgetting().await;
        let mut tx = app.db.begin().await?;
        let letters = forget_letters(&mut tx, id).await?;
        if tx.query(ERASE).bind(id).bind(before).execute().await? == 0 {
            continue;
        }
        forgetting.remove_captured(&letters).await.map_err(sqlx::Error::Io)?;
        tx.commit().await?;
    }
    Ok(())
}
