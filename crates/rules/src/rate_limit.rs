//! How often something may be done: two kinds of limit as pure functions, and every limit of the server by name.
//!
//! The server keeps the state as rows and takes from it before the work; only the server calls this module.

use crate::span::{DAY, HOUR, MINUTE};

/// No more than `max` in any span of `span_ms`, wherever the span begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// How many.
    pub max: u32,
    /// The length of the span.
    pub span_ms: u64,
}

/// A burst, then one more each `period_ms` (the generic cell rate algorithm, ITU-T I.371).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many at once after a pause.
    pub burst: u32,
    /// The time after which one more is allowed.
    pub period_ms: u64,
}

/// Refused: the limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// When the next one would be allowed, from now.
    pub retry_after_ms: u64,
}

impl Exceeded {
    /// The wait for `Retry-After`, in whole seconds and never 0.
    pub fn retry_after_seconds(self) -> u32 {
        u32::try_from(self.retry_after_ms.div_ceil(1_000).max(1)).unwrap_or(u32::MAX)
    }
}

impl Window {
    /// `times` as many in the same span.
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        Self { max: self.max.saturating_mul(times), ..self }
    }

    /// Takes one. `taken_at_ms` holds the earlier ones, oldest first; the answer is what to keep for the next time.
    ///
    /// Moments ahead of `now_ms` count as they stand, so that clocks that differ a little share one count. Those more than a
    /// span ahead were written before the clock was set back, and count no more: no wait is longer than two spans.
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
        // The next is allowed when only `max - 1` are left in the span.
        let frees =
            counted.len().checked_sub(max).and_then(|index| counted.get(index)).copied().unwrap_or(now_ms);
        Err(Exceeded { retry_after_ms: frees.saturating_add(self.span_ms).saturating_sub(now_ms) })
    }

    /// Reserves the next free moment: `now_ms`, or a later one where all are taken until then. Answers it, and what to keep for the
    /// next time: the last `max` moments.
    ///
    /// Moments more than a week ahead were written before the clock was set back, and count no more.
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
    /// `times` as many, at once and by the hour.
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        let faster = if times == 0 { 1 } else { times as u64 };
        Self { burst: self.burst.saturating_mul(times), period_ms: self.period_ms / faster }
    }

    /// Takes one. `full_at_ms` is the only state: when the bucket will be full again; none, or a time that has passed,
    /// for a full one. The answer is its new value.
    ///
    /// An empty bucket is full again after `burst` periods. A state more than twice that ahead was written before the clock was
    /// set back, and counts no more; one nearer than that counts, so that clocks that differ a little share one bucket.
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

/// The farthest moment that is reserved; see [`Window::reserve`].
const RESERVED_AHEAD_MS: u64 = 7 * DAY;
/// How many times a limit per client address its /56 has, where the address is IPv6: a household's share.
pub const NETWORK_56: u32 = 2;
/// The same of its /48: what anybody rents with a server, and 65,536 times a /64.
pub const NETWORK_48: u32 = 4;

const fn window(max: u32, span_ms: u64) -> Window {
    Window { max, span_ms }
}

/// Sign-ins per identifier and client address, and per account and known browser; the password again, per session.
pub const SIGN_IN_PAIR: Window = window(10, 15 * MINUTE);
/// Sign-ins per account over all addresses, and over all browsers that it knows; the password again, per session.
pub const SIGN_IN_ACCOUNT: Window = window(30, HOUR);
/// Failed sign-ins of an account that its owner is told of in a day: once.
pub const FAILURE_NOTICE: Window = window(1, DAY);
/// Sign-ins per client address, whatever the account.
pub const SIGN_IN_ADDRESS: Rate = Rate { burst: 10, period_ms: 30_000 };
/// Failed sign-ins of an account, in the span of [`SIGN_IN_ACCOUNT`], that its owner is told of, once.
pub const SIGN_IN_FAILURES_TOLD: u32 = 5;
/// Sign-ups per client address in an hour.
pub const SIGN_UP_HOUR: Window = window(5, HOUR);
/// Sign-ups per client address in a day.
pub const SIGN_UP_DAY: Window = window(20, DAY);
/// Notices to the owner of an account that somebody signed up with its address.
pub const SIGN_UP_NOTICE: Window = window(1, DAY);
/// Redeeming of mailed links per client address, and looking at them.
pub const REDEEM: Window = window(30, 5 * MINUTE);
/// Resent confirmations and password resets per mail address: inside it no mail goes, and the answer stays the same.
pub const ADDRESS_MAIL: Window = window(1, 300_000);
/// Confirmations to one mail address in a day.
pub const ADDRESS_MAIL_DAY: Window = window(5, DAY);
/// Password resets mailed to one account in a day.
pub const RESET_DAY: Window = window(5, DAY);
/// More of them, asked for in a browser that has signed in to the account: strangers cannot use these up.
pub const RESET_KNOWN_DAY: Window = window(3, DAY);
/// Notices of one kind to one account in a day.
pub const NOTICE: Window = window(5, DAY);
/// Notices to an account that one new address was asked for, in a day, which go in any case; more are counted by [`NOTICE`].
pub const NEW_ADDRESS_NOTICE: Window = window(1, DAY);
/// Changes of address asked for per account in a day, and so at most as many new addresses that its mailbox is told of.
pub const EMAIL_CHANGE_DAY: Window = window(20, DAY);
/// Resends and resets per client address.
pub const RESEND: Window = window(10, HOUR);
/// Confirmations over all addresses, and password resets over all accounts, each for itself; past it the service is busy.
pub const MAIL_GLOBAL: Window = window(300, HOUR);
/// New tokens per session.
pub const RENEWAL: Rate = Rate { burst: 10, period_ms: 10 * MINUTE };
/// Rows of the audit log per account and kind of event.
pub const AUDIT: Rate = Rate { burst: 30, period_ms: 10 * MINUTE };
/// Rows of the audit log about refused requests, per kind and account, or client's network where nobody is signed in.
pub const AUDIT_REFUSAL: Rate = Rate { burst: 1, period_ms: MINUTE };
/// The same over all accounts, and over all networks, in one instance of the server: half a year of a day's 1,440 is what each can make it keep.
pub const AUDIT_REFUSAL_GLOBAL: Rate = Rate { burst: 60, period_ms: MINUTE };
/// Wrong second-factor codes per account in 5 minutes.
pub const MFA: Window = window(crate::mfa::FAILURES_5_MINUTES, 5 * MINUTE);
/// Wrong second-factor codes per account in a day.
pub const MFA_DAY: Window = window(crate::mfa::FAILURES_24_HOURS, DAY);
/// Recovery codes per account in a minute.
pub const RECOVERY_MINUTE: Window = window(1, MINUTE);
/// Recovery codes per account in an hour.
pub const RECOVERY_HOUR: Window = window(5, HOUR);
/// Recovery codes per account in a day.
pub const RECOVERY_DAY: Window = window(5, DAY);
/// Questions whether a username is free and changes of it, per account.
pub const USERNAME_CHECK: Window = window(30, 5 * MINUTE);
/// Newsletter subscriptions per client address.
pub const NEWSLETTER: Window = window(5, HOUR);
/// Newsletter subscriptions over all addresses.
pub const NEWSLETTER_GLOBAL: Window = window(200, HOUR);
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
/// Letters that confirm a demo to its sender, to one mailbox in a day.
pub const DEMO_MAIL_DAY: Window = window(5, DAY);
/// Letters that confirm a demo to its sender over all mailboxes, and those that tell the label of one, each for itself. Past it the
/// demo is taken; its confirmation waits for the next free moment, and the label is not told.
pub const DEMO_MAIL_GLOBAL: Window = window(60, HOUR);
/// Attempts to erase or replace a demo by its sender's link, per client address, whatever they find.
pub const SENDER_LINK: Window = window(60, MINUTE);
/// Notes that an admin read a demo, per admin and demo: whoever listens asks for it piece by piece.
pub const DEMO_READ_NOTE: Window = window(1, HOUR);
/// Requests that send a demo's bytes, open at the same time, per client address.
pub const OPEN_UPLOADS: u32 = 2;
/// The same in one instance of the server; a further one waits for a slot.
pub const OPEN_UPLOADS_GLOBAL: u32 = 64;
/// How long it waits.
pub const UPLOAD_SLOT_MS: u64 = 30_000;
/// Forms with a file that are read at the same time, per account.
pub const OPEN_FORMS_ACCOUNT: u32 = 2;
/// The same per client address.
pub const OPEN_FORMS: u32 = 4;
/// The same in one instance of the server, of members and of admins each; past it the service is busy.
pub const OPEN_FORMS_GLOBAL: u32 = 32;
/// How long a further one waits for a slot.
pub const FORM_SLOT_MS: u64 = 10_000;
/// Passwords of one member's sessions that are hashed at the same time: a new one, or the one they prove who they are by.
pub const OPEN_HASHES_ACCOUNT: u32 = 2;
/// The same of all members in one instance of the server. It is half of those that may wait for a turn: the others are for
/// signing in and up.
pub const OPEN_HASHES_GLOBAL: u32 = 32;
/// Terminal questions per client address.
pub const TERMINAL: Window = window(20, 5 * MINUTE);
/// Terminal questions that reach the AI in a day, over all addresses; past it the built-in answers serve.
pub const TERMINAL_AI_DAY: Window = window(1_000, DAY);
/// Questions at the AI at the same time.
pub const TERMINAL_AI_PARALLEL: u32 = 4;
/// Avatars stored per account.
pub const AVATAR: Window = window(10, HOUR);
/// Avatars sent per account, refused ones too.
pub const AVATAR_TRY: Window = window(60, HOUR);
/// Reports of content security policy violations per client address.
pub const CSP_REPORT: Window = window(10, MINUTE);
/// Open live streams per client address: a household or a small office with a browser each.
pub const OPEN_STREAMS: u32 = 20;
/// The same in one instance of the server that may have as many connections as it wants.
pub const OPEN_STREAMS_GLOBAL: u32 = streams_among(OPEN_CONNECTIONS_GLOBAL);
/// Open connections per client address; a trusted proxy carries everybody's and has no bound.
pub const OPEN_CONNECTIONS: u32 = 100;
/// The same in one instance of the server; fewer where fewer files may be open.
pub const OPEN_CONNECTIONS_GLOBAL: u32 = 14_000;
/// Answers under way per client address, over all of its connections; a trusted proxy has no bound.
pub const OPEN_ANSWERS: u32 = 200;
/// Lines of the log from one place in the code, in any one of the spans of [`LOG_SPAN_MS`]; further ones are counted.
pub const LOG_LINES: u32 = 50;
/// A span in which they are counted.
pub const LOG_SPAN_MS: u64 = 10_000;

/// Live streams among so many connections: six of seven, so that a full house of listeners leaves ordinary requests room.
pub const fn streams_among(connections: u32) -> u32 {
    connections / 7 * 6
}
