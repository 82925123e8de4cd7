//! When a mail that was not taken is tried again or given up.

use std::convert::Infallible;

use deadwax_store::{
    clock::{DAY, HOUR, Micros, SECOND},
    text_column,
};

/// Pause after the first refusal; it doubles with each.
const FIRST_PAUSE: Micros = 5 * SECOND;
const ACCOUNT_TRIES: i64 = 12;
const ACCOUNT_AGE: Micros = DAY;
pub(super) const MESSAGE_AGE: Micros = 7 * DAY;

/// How long delivery is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Mail about an account: with growing pauses, until its end or for a day. A rejected one is given up at once.
    Account,
    /// A visitor's message to the label: hourly for a week, even when rejected; then kept, named by `deadwax check`, and tried
    /// again at each start.
    Message,
}

impl Patience {
    /// In the outbox.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Message => MESSAGE,
        }
    }
}

const MESSAGE: &str = "message";

text_column!(Patience, |text: &str| Ok::<_, Infallible>(match text {
    MESSAGE => Patience::Message,
    _ => Patience::Account,
}));

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
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub(super) struct DeliveryState {
    pub(super) patience: Patience,
    pub(super) created_at: Micros,
    pub(super) not_after: Option<Micros>,
    /// How often a server has refused it, or a program died while it had it.
    pub(super) tries: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryDecision {
    /// When, and how many refusals count by then.
    Again(Micros, i64),
    Dead,
}

impl DeliveryState {
    /// Why it must not be delivered any more, if so.
    pub(super) fn over(&self, now: Micros) -> Option<&'static str> {
        if self.not_after.is_some_and(|end| end <= now) {
            return Some("expired");
        }
        let lasts = self.not_after.is_some() || self.patience == Patience::Message;
        (!lasts && self.age(now) >= ACCOUNT_AGE).then_some("gave up")
    }

    fn age(&self, now: Micros) -> Micros {
        now.saturating_sub(self.created_at)
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
            (_, Patience::Message) if self.age(now) >= MESSAGE_AGE => return RetryDecision::Dead,
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
        assert_eq!(message.over(NOW + 7 * DAY), None, "it is tried once more");
        assert_eq!(message.after(&rejected, NOW + 7 * DAY), RetryDecision::Dead);
    }

    #[test]
    fn a_server_that_is_away_costs_a_mail_nothing_but_its_day() {
        let account = life(Patience::Account, 11);
        assert_eq!(account.after(&Failure::Away("connect".to_owned()), NOW), RetryDecision::Again(NOW, 11));
        assert_eq!(account.over(NOW + DAY - 1), None);
        assert_eq!(account.over(NOW + DAY), Some("gave up"));
        let message = life(Patience::Message, 11);
        let away = message.after(&Failure::Away("connect".to_owned()), NOW + 8 * DAY);
        assert_eq!(away, RetryDecision::Again(NOW + 8 * DAY, 11));
    }

    #[test]
    fn nothing_waits_beyond_its_end() {
        let account = DeliveryState { not_after: Some(NOW + 600 * SECOND), ..life(Patience::Account, 9) };
        assert_eq!(account.after(&later(), NOW), RetryDecision::Again(NOW + 600 * SECOND, 10));
        assert_eq!(account.over(NOW + 600 * SECOND), Some("expired"));
        assert_eq!(account.over(NOW + 600 * SECOND - 1), None);
        let link = DeliveryState { not_after: Some(NOW + 30 * DAY), ..life(Patience::Account, 0) };
        assert_eq!(link.over(NOW + 30 * DAY - 1), None, "its link works");
    }
}
