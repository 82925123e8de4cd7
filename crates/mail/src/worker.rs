//! The worker: takes rows from the outbox as they come due, sends them, a few at a time, and decides when one that was
//! not taken is tried again or given up.

use std::time::Duration;

use deadwax_store::clock::{DAY, HOUR, Micros, SECOND};
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{
    letter,
    mailer::{Mailer, Way},
    outbox::{self, Leased, Outbox, Patience},
};

const PARALLEL: usize = 4;
/// Longest pause between two looks at the outbox: rows of an instance that died wake no worker.
const POLL: Duration = Duration::from_secs(10);
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(200);
/// How long a letter may be under way, and its outcome be recorded, after the program begins to stop.
pub const DELIVERY_MAX: Duration = Duration::from_secs(23);
/// Longest pause between two looks for mail to capture that no commit of this process queued.
const LEFT_BEHIND: Duration = Duration::from_secs(30);

/// Delivers mail until the program stops. Returns when no mail is under way, at most [`DELIVERY_MAX`] later.
pub async fn deliver(mailer: Mailer, stop: CancellationToken) {
    if let Err(error) = outbox::expire_leases(&mailer.0.outbox.db).await {
        tracing::warn!(cause = %error, "reading the outbox");
    }
    if let Way::Smtp(server) = &mailer.0.way {
        send(&mailer, &stop).await;
        server.rest();
    } else {
        Box::pin(stop.run_until_cancelled_owned(keep_capturing(mailer))).await;
    }
}

async fn keep_capturing(mailer: Mailer) {
    let outbox = &mailer.0.outbox;
    loop {
        mailer.capture(outbox.clock.now()).await;
        let wait = match outbox::state(&outbox.db).await {
            Ok(state) => state.next_at.map_or(LEFT_BEHIND, |next_at| {
                let wait = u64::try_from(next_at.saturating_sub(outbox.clock.now())).unwrap_or(0);
                Duration::from_micros(wait).clamp(MIN_POLL_INTERVAL, LEFT_BEHIND)
            }),
            Err(error) => {
                tracing::warn!(cause = %error, "reading the outbox");
                LEFT_BEHIND
            }
        };
        tokio::select! {
            () = mailer.0.wake.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

async fn send(mailer: &Mailer, stop: &CancellationToken) {
    let mut under_way = JoinSet::new();
    let mut pause = Pause::default();
    while !stop.is_cancelled() {
        let room = pause.room(under_way.len());
        let wait = match take(mailer, room, &mut under_way, stop).await {
            Ok(wait) => wait.max(pause.left()),
            Err(error) => {
                tracing::warn!(cause = %error, "reading the outbox");
                POLL
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            Some(done) = under_way.join_next() => match done {
                Ok(Some(is_away)) => pause.record_outcome(is_away),
                Ok(None) => {}
                Err(error) => tracing::error!(cause = %error, "delivering mail"),
            },
            () = mailer.0.wake.notified(), if pause.left().is_zero() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
    // A server that is taking a text has a deadline; until then it is unknown whether the letter must be sent again.
    while under_way.join_next().await.is_some() {}
}

/// Begins to send up to `room` due rows; returns when to look again.
async fn take(
    mailer: &Mailer,
    room: usize,
    under_way: &mut JoinSet<Option<bool>>,
    stop: &CancellationToken,
) -> sqlx::Result<Duration> {
    let outbox = &mailer.0.outbox;
    let now = outbox.clock.now();
    let state = outbox::state(&outbox.db).await?;
    let age_seconds = state.oldest_at.map_or(0, |at| now.saturating_sub(at).max(0)) / SECOND;
    for (name, value) in
        [("deadwax_outbox_waiting", state.waiting), ("deadwax_outbox_oldest_seconds", age_seconds)]
    {
        metrics::gauge!(name).set(f64::from(u32::try_from(value).unwrap_or(u32::MAX)));
    }
    let Some(next_at) = state.next_at else { return Ok(POLL) };
    if next_at > now {
        let wait = u64::try_from(next_at - now).map_or(POLL, Duration::from_micros);
        return Ok(wait.clamp(MIN_POLL_INTERVAL, POLL));
    }
    if room == 0 {
        return Ok(POLL);
    }
    for row in outbox::lease(&outbox.db, now, now, room).await? {
        let (mailer, stop) = (mailer.clone(), stop.clone());
        let delivery = async move { Box::pin(deliver_one(&mailer, &row, &stop)).await };
        under_way.spawn(delivery.in_current_span());
    }
    Ok(MIN_POLL_INTERVAL)
}

/// Sends one mail. Returns whether the server was away, or `None` if it was not contacted. When the program stops, a letter whose text
/// the server does not have is given back.
async fn deliver_one(mailer: &Mailer, row: &Leased, stop: &CancellationToken) -> Option<bool> {
    let Way::Smtp(server) = &mailer.0.way else { return None };
    let outbox = &mailer.0.outbox;
    let life = DeliveryState::of(row);
    if let Some(reason) = life.over(outbox.clock.now()) {
        note(row, reason);
        settle(row, outbox::mark_undeliverable(&outbox.db, row, outbox.clock.now(), reason).await);
        return None;
    }
    let message = row
        .open(&outbox.keys)
        .and_then(|content| letter::compose(&mailer.0.sender, row.id, row.created_at, &content));
    let Some(message) = message else { return failed(outbox, row, life, &Failure::Unreadable).await };
    let begun = match stop.run_until_cancelled(server.begin(&message)).await {
        Some(Ok(begun)) => begun,
        Some(Err(failure)) => return failed(outbox, row, life, &failure).await,
        None => {
            settle(row, outbox::give_back(&outbox.db, row).await);
            return None;
        }
    };
    if let Err(failure) = begun.finish(&message).await {
        return failed(outbox, row, life, &failure).await;
    }
    note(row, "sent");
    settle(row, outbox::mark_sent(&outbox.db, row, outbox.clock.now()).await);
    Some(false)
}

async fn failed(outbox: &Outbox, row: &Leased, life: DeliveryState, failure: &Failure) -> Option<bool> {
    let (now, reason) = (outbox.clock.now(), failure.reason());
    note(row, reason);
    let stored = match life.after(failure, now) {
        RetryDecision::Again(at, tries) => outbox::reschedule(&outbox.db, row, at, tries, reason).await,
        RetryDecision::Dead => outbox::mark_undeliverable(&outbox.db, row, now, reason).await,
    };
    settle(row, stored);
    match failure {
        Failure::Unreadable => None,
        failure => Some(matches!(failure, Failure::Away(_))),
    }
}

/// Logs and counts an outcome, without the recipient or the content.
fn note(row: &Leased, outcome: &str) {
    if outcome == "sent" {
        tracing::info!(id = %row.id, kind = row.kind, tries = row.tries, outcome, "mail");
    } else {
        tracing::warn!(id = %row.id, kind = row.kind, tries = row.tries, outcome, "mail");
    }
    let outcome = if outcome == "sent" { "sent" } else { "failed" };
    metrics::counter!("deadwax_mail_total", "kind" => row.kind.clone(), "outcome" => outcome).increment(1);
}

fn settle(row: &Leased, stored: sqlx::Result<()>) {
    if let Err(error) = stored {
        // The lease runs out, and the row is tried again.
        tracing::error!(id = %row.id, cause = %error, "recording what became of a mail");
    }
}

/// The pause after a server that took no mail at all; then one mail tries it.
#[derive(Debug, Default)]
struct Pause {
    failures: u32,
    until: Option<Instant>,
}

impl Pause {
    /// How many mails may begin beside those under way.
    fn room(&self, under_way: usize) -> usize {
        let limit = match self.until {
            _ if !self.left().is_zero() => 0,
            Some(_) => 1,
            None => PARALLEL,
        };
        limit.saturating_sub(under_way)
    }

    fn left(&self) -> Duration {
        self.until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()))
    }

    fn record_outcome(&mut self, is_away: bool) {
        if !is_away {
            *self = Self::default();
        } else if self.left().is_zero() {
            let seconds = [5, 10, 20].get(self.failures as usize).copied().unwrap_or(30);
            self.failures = self.failures.saturating_add(1);
            self.until = Some(Instant::now() + Duration::from_secs(seconds));
        }
    }
}

/// Pause after the first refusal; it doubles with each.
const FIRST_PAUSE: Micros = 5 * SECOND;
const ACCOUNT_TRIES: i64 = 12;
const ACCOUNT_AGE: Micros = DAY;
const MESSAGE_AGE: Micros = 7 * DAY;

/// Why a mail was not taken. The texts are logged and stored, so they hold codes and no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server takes no mail at all right now.
    Away(String),
    /// The server may take it later (4xx, or the connection broke over it).
    Later(String),
    /// The server will never take it (5xx).
    Rejected(String),
    /// No mail can be made of the row.
    Unreadable,
}

impl Failure {
    pub(super) fn reason(&self) -> &str {
        match self {
            Self::Away(reason) | Self::Later(reason) | Self::Rejected(reason) => reason,
            Self::Unreadable => "unreadable",
        }
    }
}

/// The life of a mail so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeliveryState {
    pub(super) patience: Patience,
    pub(super) created_at: Micros,
    pub(super) not_after: Option<Micros>,
    pub(super) tries: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryDecision {
    /// When, and how many refusals count by then.
    Again(Micros, i64),
    Dead,
}

impl DeliveryState {
    pub(super) fn of(row: &Leased) -> Self {
        let Leased { patience, created_at, not_after, tries, .. } = *row;
        Self { patience, created_at, not_after, tries }
    }

    /// Why it must not be delivered any more, if so.
    pub(super) fn over(&self, now: Micros) -> Option<&'static str> {
        if self.not_after.is_some_and(|end| end <= now) {
            return Some("expired");
        }
        let age = match self.patience {
            Patience::Account => ACCOUNT_AGE,
            Patience::Message => MESSAGE_AGE,
        };
        (now.saturating_sub(self.created_at) >= age).then_some("gave up")
    }

    pub(super) fn after(&self, failure: &Failure, now: Micros) -> RetryDecision {
        let tries = self.tries.saturating_add(1);
        let pause = match (failure, self.patience) {
            // Not this mail's fault: it stays due while the worker pauses.
            (Failure::Away(_), _) => return RetryDecision::Again(now, self.tries),
            (Failure::Unreadable, _) | (Failure::Rejected(_), Patience::Account) => {
                return RetryDecision::Dead;
            }
            (Failure::Later(_), Patience::Account) if tries >= ACCOUNT_TRIES => return RetryDecision::Dead,
            (Failure::Later(_), Patience::Account) => {
                let doublings = u32::try_from(self.tries).unwrap_or(u32::MAX).min(20);
                FIRST_PAUSE.saturating_mul(1 << doublings).min(HOUR)
            }
            (Failure::Later(_) | Failure::Rejected(_), Patience::Message) => HOUR,
        };
        let at = now.saturating_add(pause);
        // At its end it is leased once more, to be given up.
        RetryDecision::Again(self.not_after.map_or(at, |end| at.min(end)), tries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_away_is_asked_by_one_mail_every_thirty_seconds_at_most() {
        let mut pause = Pause::default();
        assert_eq!(pause.room(1), PARALLEL - 1);
        for seconds in [5, 10, 20, 30, 30] {
            pause.record_outcome(true);
            pause.record_outcome(true);
            assert_eq!((pause.room(0), pause.left().as_secs()), (0, seconds));
            tokio::time::advance(Duration::from_secs(seconds)).await;
            assert_eq!((pause.room(0), pause.room(1)), (1, 0));
        }
        pause.record_outcome(false);
        assert_eq!(pause.room(0), PARALLEL);
    }

    const NOW: Micros = 1_795_176_000_000_000;

    fn life(patience: Patience, tries: i64) -> DeliveryState {
        DeliveryState { patience, created_at: NOW, not_after: None, tries }
    }

    fn later() -> Failure {
        Failure::Later("452".to_owned())
    }

    #[test]
    fn pauses_double_from_five_seconds_to_an_hour_and_end_after_twelve_tries() {
        let mut account = life(Patience::Account, 0);
        let mut pauses = Vec::new();
        while let RetryDecision::Again(at, tries) = account.after(&later(), NOW) {
            pauses.push((at - NOW) / SECOND);
            account.tries = tries;
        }
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600]);
    }

    #[test]
    fn a_rejected_mail_is_dead_and_a_rejected_message_is_tried_hourly_for_a_week() {
        let rejected = Failure::Rejected("550".to_owned());
        assert_eq!(life(Patience::Account, 0).after(&rejected, NOW), RetryDecision::Dead);
        for tries in [0, 100] {
            let message = life(Patience::Message, tries);
            assert_eq!(message.after(&rejected, NOW), RetryDecision::Again(NOW + HOUR, tries + 1));
            assert_eq!(message.after(&later(), NOW), RetryDecision::Again(NOW + HOUR, tries + 1));
        }
        let message = life(Patience::Message, 0);
        assert_eq!(message.over(NOW + 7 * DAY - 1), None);
        assert_eq!(message.over(NOW + 7 * DAY), Some("gave up"));
    }

    #[test]
    fn a_server_that_is_away_costs_a_mail_nothing_but_its_day() {
        let account = life(Patience::Account, 11);
        assert_eq!(account.after(&Failure::Away("connect".to_owned()), NOW), RetryDecision::Again(NOW, 11));
        assert_eq!(account.over(NOW + DAY - 1), None);
        assert_eq!(account.over(NOW + DAY), Some("gave up"));
    }

    #[test]
    fn nothing_waits_beyond_its_end() {
        let account = DeliveryState { not_after: Some(NOW + 600 * SECOND), ..life(Patience::Account, 9) };
        assert_eq!(account.after(&later(), NOW), RetryDecision::Again(NOW + 600 * SECOND, 10));
        assert_eq!(account.over(NOW + 600 * SECOND), Some("expired"));
        assert_eq!(account.over(NOW + 600 * SECOND - 1), None);
    }
}
