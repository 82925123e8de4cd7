//! Rate limits: two algorithms as pure functions, and every limit of the server.
//!
//! Used by the server only, which stores the state in rows and takes from it before the work.

use crate::span::{DAY, HOUR, MINUTE};

/// At most `max` in any span of `span_ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Maximum number in the span.
    pub max: u32,
    /// Length of the span.
    pub span_ms: u64,
}

/// A burst, then one per `period_ms` (the generic cell rate algorithm, ITU-T I.371).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Number allowed at once after a pause.
    pub burst: u32,
    /// Time after which another one is allowed.
    pub period_ms: u64,
}

/// The limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// Wait until the next one is allowed.
    pub retry_after_ms: u64,
}

impl Exceeded {
    /// The wait for `Retry-After`, in whole seconds, at least 1.
    pub fn retry_after_seconds(self) -> u32 {
        u32::try_from(self.retry_after_ms.div_ceil(1_000).max(1)).unwrap_or(u32::MAX)
    }
}

impl Window {
    /// The same limit with `times` as many.
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        Self { max: self.max.saturating_mul(times), ..self }
    }

    /// Takes one. `taken_at_ms` holds the times of earlier ones, oldest first; returns the state to store.
    ///
    /// Times ahead of `now_ms` are kept, so that instances whose clocks differ a little share a count. Times more than a span
    /// ahead, written before the clock was set back, are dropped: no wait is longer than two spans.
    ///
    /// ```
    /// use rules::rate_limit::Window;
    /// let limit = Window { max: 2, span_ms: 1_000 };
    /// let taken = limit.take(&[0], 400).unwrap();
    /// assert_eq!(limit.take(&taken, 999).unwrap_err().retry_after_ms, 1);
    /// assert_eq!(limit.take(&taken, 1_000).unwrap(), [400, 1_000]);
    /// ```
    pub fn take(self, taken_at_ms: &[u64], now_ms: u64) -> Result<Vec<u64>, Exceeded> {
        let counts =
            |at: &u64| now_ms < at.saturating_add(self.span_ms) && *at <= now_ms.saturating_add(self.span_ms);
        let mut counted: Vec<u64> = taken_at_ms.iter().copied().filter(counts).collect();
        let max = usize::try_from(self.max).unwrap_or(usize::MAX);
        if counted.len() < max {
            counted.insert(counted.partition_point(|at| *at <= now_ms), now_ms);
            return Ok(counted);
        }
        // The next is allowed once only `max - 1` are left in the span.
        let frees =
            counted.len().checked_sub(max).and_then(|index| counted.get(index)).copied().unwrap_or(now_ms);
        Err(Exceeded { retry_after_ms: frees.saturating_add(self.span_ms).saturating_sub(now_ms) })
    }

    /// Reserves the next free time: `now_ms`, or a later one if all are taken until then. Returns it and the state to store,
    /// the last `max` times.
    ///
    /// Times more than a week ahead, written before the clock was set back, are dropped.
    ///
    /// ```
    /// use rules::rate_limit::Window;
    /// let limit = Window { max: 2, span_ms: 1_000 };
    /// assert_eq!(limit.reserve(&[0], 400), (400, vec![0, 400]));
    /// assert_eq!(limit.reserve(&[0, 400], 500), (1_000, vec![400, 1_000]));
    /// assert_eq!(limit.reserve(&[400, 1_000], 500), (1_400, vec![1_000, 1_400]));
    /// assert_eq!(limit.reserve(&[1_000, 1_400], 2_000), (2_000, vec![1_400, 2_000]));
    /// ```
    pub fn reserve(self, taken_at_ms: &[u64], now_ms: u64) -> (u64, Vec<u64>) {
        let counts = |at: &u64| {
            now_ms < at.saturating_add(self.span_ms) && *at <= now_ms.saturating_add(RESERVED_AHEAD_MS)
        };
        let mut taken: Vec<u64> = taken_at_ms.iter().copied().filter(counts).collect();
        let max = usize::try_from(self.max).unwrap_or(usize::MAX);
        let full = taken.len().checked_sub(max).and_then(|index| taken.get(index));
        let at = full.map_or(now_ms, |first| now_ms.max(first.saturating_add(self.span_ms)));
        taken.insert(taken.partition_point(|other| *other <= at), at);
        taken.drain(..taken.len().saturating_sub(max));
        (at, taken)
    }
}

impl Rate {
    /// The same limit with `times` as many, at once and per period.
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        let faster = if times == 0 { 1 } else { times as u64 };
        Self { burst: self.burst.saturating_mul(times), period_ms: self.period_ms / faster }
    }

    /// Takes one. `full_at_ms` is the state: when the bucket will be full again; `None` or a past time means it is full.
    /// Returns the new state.
    ///
    /// An empty bucket is full again after `burst` periods. A state more than twice that ahead, written before the clock was
    /// set back, is dropped; a nearer one is kept, so that instances whose clocks differ a little share a bucket.
    ///
    /// ```
    /// use rules::rate_limit::Rate;
    /// let limit = Rate { burst: 2, period_ms: 100 };
    /// let full_at = limit.take(None, 0).unwrap();
    /// let full_at = limit.take(Some(full_at), 0).unwrap();
    /// assert_eq!(limit.take(Some(full_at), 30).unwrap_err().retry_after_ms, 70);
    /// assert!(limit.take(Some(full_at), 100).is_ok());
    /// ```
    pub fn take(self, full_at_ms: Option<u64>, now_ms: u64) -> Result<u64, Exceeded> {
        let capacity_ms = self.period_ms.saturating_mul(u64::from(self.burst));
        let is_possible = |full_at: &u64| *full_at <= now_ms.saturating_add(capacity_ms.saturating_mul(2));
        let full_at =
            full_at_ms.filter(is_possible).unwrap_or(now_ms).max(now_ms).saturating_add(self.period_ms);
        let missing = full_at - now_ms;
        if missing <= capacity_ms {
            Ok(full_at)
        } else {
            Err(Exceeded { retry_after_ms: missing - capacity_ms })
        }
    }
}

/// Maximum time reserved ahead; see [`Window::reserve`].
const RESERVED_AHEAD_MS: u64 = 7 * DAY;
/// Multiple of a limit per client address that applies to an IPv6 /56, a household's share.
pub const NETWORK_56: u32 = 2;
/// Multiple of a limit per client address that applies to an IPv6 /48, which comes with a rented server and contains 65,536
/// /64.
pub const NETWORK_48: u32 = 4;

const fn window(max: u32, span_ms: u64) -> Window {
    Window { max, span_ms }
}

/// Sign-ins per identifier and client address, and per account and known browser; password confirmations per session.
pub const SIGN_IN_PAIR: Window = window(10, 15 * MINUTE);
/// Sign-ins per account over all addresses, and over all its known browsers; password confirmations per session.
pub const SIGN_IN_ACCOUNT: Window = window(30, HOUR);
/// Notices about failed sign-ins per account.
pub const FAILURE_NOTICE: Window = window(1, DAY);
/// Sign-ins per client address, for any account.
pub const SIGN_IN_ADDRESS: Rate = Rate { burst: 10, period_ms: 30_000 };
/// Failed sign-ins of an account within the span of [`SIGN_IN_ACCOUNT`] that cause a notice to its owner.
pub const SIGN_IN_FAILURES_NOTIFIED: u32 = 5;
/// Sign-ups per client address in an hour.
pub const SIGN_UP_HOUR: Window = window(5, HOUR);
/// Sign-ups per client address in a day.
pub const SIGN_UP_DAY: Window = window(20, DAY);
/// Notices to an account's owner about sign-ups with its address.
pub const SIGN_UP_NOTICE: Window = window(1, DAY);
/// Mailed links redeemed or previewed per client address.
pub const REDEEM: Window = window(30, 5 * MINUTE);
/// Resent confirmations and password resets per mail address; past it no mail is sent, and the answer stays the same. A
/// change of address is refused.
pub const ADDRESS_MAIL: Window = window(1, 300_000);
/// Confirmations mailed to one address in a day.
pub const ADDRESS_MAIL_DAY: Window = window(5, DAY);
/// Password resets mailed to one account in a day.
pub const RESET_DAY: Window = window(5, DAY);
/// Further password resets requested in a browser known to the account, which strangers cannot use up.
pub const RESET_KNOWN_DAY: Window = window(3, DAY);
/// Notices of one kind to one account in a day.
pub const NOTICE: Window = window(5, DAY);
/// Notices per account and requested new address in a day, which are always sent; further ones count towards [`NOTICE`].
pub const NEW_ADDRESS_NOTICE: Window = window(1, DAY);
/// Address changes requested per account in a day, and so the number of new addresses its mailbox is notified of.
pub const EMAIL_CHANGE_DAY: Window = window(20, DAY);
/// Resends and resets per client address.
pub const RESEND: Window = window(10, HOUR);
/// Confirmations over all addresses, and password resets over all accounts, counted separately; past it the service is busy.
pub const MAIL_GLOBAL: Window = window(300, HOUR);
/// Token renewals per session.
pub const RENEWAL: Rate = Rate { burst: 10, period_ms: 10 * MINUTE };
/// Rows of the audit log per account and kind of event, and per client network for sign-ins to unknown accounts.
pub const AUDIT: Rate = Rate { burst: 30, period_ms: 10 * MINUTE };
/// Audit rows about refused requests per kind and account, or per client network without a session.
pub const AUDIT_REFUSAL: Rate = Rate { burst: 1, period_ms: MINUTE };
/// The same over all accounts, and over all networks, per instance: at most 1,440 rows a day each, kept for half a year.
pub const AUDIT_REFUSAL_GLOBAL: Rate = Rate { burst: 60, period_ms: MINUTE };
/// Wrong second-factor codes per account in 5 minutes.
pub const MFA: Window = window(crate::mfa::FAILURES_5_MINUTES, 5 * MINUTE);
/// Wrong second-factor codes per account in a day.
pub const MFA_DAY: Window = window(crate::mfa::FAILURES_24_HOURS, DAY);
/// Recovery codes per account in a minute.
pub const RECOVERY_MINUTE: Window = window(1, MINUTE);
/// Recovery codes per account in a day.
pub const RECOVERY_DAY: Window = window(5, DAY);
/// Username checks and changes per account.
pub const USERNAME_CHECK: Window = window(30, 5 * MINUTE);
/// Newsletter subscriptions per client address.
pub const NEWSLETTER: Window = window(5, HOUR);
/// Newsletter subscriptions over all addresses.
pub const NEWSLETTER_GLOBAL: Window = window(200, HOUR);
/// Confirmations of newsletter subscriptions over all mailboxes; past it they wait for the next hour.
pub const NEWSLETTER_CONFIRMATIONS: Window = window(200, HOUR);
/// Contact messages per client address in 10 minutes.
pub const CONTACT: Window = window(3, 10 * MINUTE);
/// Contact messages per client address in a day.
pub const CONTACT_DAY: Window = window(10, DAY);
/// Contact messages over all addresses.
pub const CONTACT_GLOBAL: Window = window(60, HOUR);
/// Demos per client address in an hour.
pub const DEMO: Window = window(3, HOUR);
/// Demos per client address in a day.
pub const DEMO_DAY: Window = window(10, DAY);
/// Demo confirmations mailed to one mailbox in a day.
pub const DEMO_MAIL_DAY: Window = window(5, DAY);
/// Demo confirmations over all mailboxes, and letters to the label about demos, counted separately. Past it the demo is
/// accepted; its confirmation waits for the next free time, and the label gets no letter.
pub const DEMO_MAIL_GLOBAL: Window = window(60, HOUR);
/// Attempts to erase or replace a demo by a sender's link per client address, successful or not.
pub const SENDER_LINK: Window = window(60, MINUTE);
/// Audit rows about playing a demo, per admin and demo: a player requests it in pieces.
pub const DEMO_READ_NOTE: Window = window(1, HOUR);
/// Concurrent uploading requests of demos per client address.
pub const OPEN_UPLOADS: u32 = 2;
/// The same per instance; a further one waits for a slot.
pub const OPEN_UPLOADS_GLOBAL: u32 = 64;
/// Wait for an upload slot.
pub const UPLOAD_SLOT_MS: u64 = 30_000;
/// Concurrent forms with a file per account.
pub const OPEN_FORMS_ACCOUNT: u32 = 2;
/// Concurrent forms with a file per client address.
pub const OPEN_FORMS: u32 = 4;
/// The same per instance, for members and admins each; past it the service is busy.
pub const OPEN_FORMS_GLOBAL: u32 = 32;
/// Wait for a form slot.
pub const FORM_SLOT_MS: u64 = 10_000;
/// Concurrent password hashes of one member's sessions: new passwords and confirmations.
pub const OPEN_HASHES_ACCOUNT: u32 = 2;
/// The same for all members per instance: half of the permits that may wait, so that the rest are for sign-ins and sign-ups.
pub const OPEN_HASHES_GLOBAL: u32 = 32;
/// Terminal questions per client address.
pub const TERMINAL: Window = window(20, 5 * MINUTE);
/// Terminal questions sent to the AI in a day, over all addresses; past it the built-in answers are used.
pub const TERMINAL_AI_DAY: Window = window(1_000, DAY);
/// Concurrent questions to the AI.
pub const TERMINAL_AI_PARALLEL: u32 = 4;
/// Avatars stored per account.
pub const AVATAR: Window = window(10, HOUR);
/// Avatars uploaded per account, including refused ones.
pub const AVATAR_TRY: Window = window(60, HOUR);
/// Content security policy reports per client address.
pub const CSP_REPORT: Window = window(10, MINUTE);
/// Open live streams per client address: a household or small office with a browser each.
pub const OPEN_STREAMS: u32 = 20;
/// The same per instance with all of its connections.
pub const OPEN_STREAMS_GLOBAL: u32 = streams_among(OPEN_CONNECTIONS_GLOBAL);
/// Open connections per client address; trusted proxies are unlimited.
pub const OPEN_CONNECTIONS: u32 = 100;
/// The same per instance; fewer if fewer files may be open.
pub const OPEN_CONNECTIONS_GLOBAL: u32 = 14_000;
/// Concurrent responses per client address, over all its connections; trusted proxies are unlimited.
pub const OPEN_ANSWERS: u32 = 200;
/// Log lines per call site within [`LOG_SPAN_MS`]; further ones are only counted.
pub const LOG_LINES: u32 = 50;
/// Span for [`LOG_LINES`].
pub const LOG_SPAN_MS: u64 = 10_000;

/// Live streams among `connections`: six of seven, so that full streams leave room for ordinary requests.
pub const fn streams_among(connections: u32) -> u32 {
    connections / 7 * 6
}
