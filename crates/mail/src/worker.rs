//! The worker: takes rows from the outbox as they come due, sends them, a few at a time, and waits
//! while the mail server is away.

use std::time::Duration;

use deadwax_store::clock::SECOND;
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{
    delivery::{Contact, Way, deliver_one},
    mailer::{Inner, Mailer},
    outbox,
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
    let outbox = &mailer.0.outbox;
    let warn_of = |done: sqlx::Result<()>| {
        if let Err(error) = done {
            tracing::warn!(cause = %error, "reading the outbox");
        }
    };
    warn_of(outbox::expire_leases(&outbox.db).await);
    if let Way::Smtp(server) = &mailer.0.way {
        warn_of(outbox::revive(&outbox.db, outbox.clock.now()).await);
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
                Ok(contact) => pause.record(contact),
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
    under_way: &mut JoinSet<Contact>,
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
        let delivery = async move {
            let Inner { outbox, settings, way, .. } = &*mailer.0;
            Box::pin(deliver_one(outbox, &settings.sender, way, &row, &stop)).await
        };
        under_way.spawn(delivery.in_current_span());
    }
    Ok(MIN_POLL_INTERVAL)
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

    fn record(&mut self, contact: Contact) {
        match contact {
            Contact::Reached => *self = Self::default(),
            Contact::Away if self.left().is_zero() => {
                let seconds = [5, 10, 20].get(self.failures as usize).copied().unwrap_or(30);
                self.failures = self.failures.saturating_add(1);
                self.until = Some(Instant::now() + Duration::from_secs(seconds));
            }
            Contact::Away | Contact::None => {}
        }
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
            pause.record(Contact::Away);
            pause.record(Contact::Away);
            assert_eq!((pause.room(0), pause.left().as_secs()), (0, seconds));
            tokio::time::advance(Duration::from_secs(seconds)).await;
            assert_eq!((pause.room(0), pause.room(1)), (1, 0));
        }
        pause.record(Contact::Reached);
        assert_eq!(pause.room(0), PARALLEL);
    }
}
