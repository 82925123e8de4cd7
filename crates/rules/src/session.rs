//! Renewal and end of sessions.
//!
//! The browser renews sessions, the server ends and stores them. Times are in milliseconds.

use crate::span::{DAY, HOUR, MINUTE};

/// Interval at which the browser checks its session.
pub const TICK_MS: u32 = 30_000;
/// Remaining time at which the browser renews.
pub const RENEW_LEFT_MS: f64 = 90_000.0;

/// Time from issue or renewal to `expires_at`, which asks for a renewal and does not end the session.
pub const EXPIRES_MS: u64 = HOUR;
/// An unused session ends after this.
pub const IDLE_MS: u64 = 14 * DAY;
/// Every session ends after this.
pub const ABSOLUTE_MS: u64 = 30 * DAY;
/// A session without its second factor ends after this.
pub const PENDING_MS: u64 = 30 * MINUTE;
/// The token before a renewal stays valid this long after the new one is first used.
pub const PREVIOUS_TOKEN_MS: u64 = MINUTE;
/// A change of rights retires earlier tokens at once. The response with the next token arrives within this time, the limit of
/// every response, or never.
pub const NEXT_TOKEN_MS: u64 = MINUTE / 2;
/// A session renewed within this time keeps its token: its response may only have been slow.
pub const RENEWED_LATELY_MS: u64 = MINUTE;
/// A replaced token is remembered this long, to notice a copy of it. No honest client holds it longer, since an idle session
/// has ended by then.
pub const REPLACED_KEPT_MS: u64 = IDLE_MS;
/// Lifetime of a re-authentication.
pub const STAMP_MS: u64 = 10 * MINUTE;
/// Precision of the recorded last use: enough for the idle days, without a write for each request.
pub const USE_NOTED_MS: u64 = 5 * MINUTE;
/// Sessions ended by time are kept this long, so that their owners learn why.
pub const ENDED_KEPT_MS: u64 = 30 * DAY;
/// How long a browser that signed in to an account stays known to it.
pub const BROWSER_KNOWN_MS: u64 = 180 * DAY;
/// Maximum number of sessions per account; another one ends the oldest.
pub const MAX_PER_ACCOUNT: usize = 10;

/// Whether the browser renews now: 90 seconds or less are left.
pub fn should_renew(expires_at_ms: f64, now_ms: f64) -> bool {
    expires_at_ms - now_ms <= RENEW_LEFT_MS
}

/// The times that decide a session's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    /// When the person signed in.
    pub created_at_ms: u64,
    /// When the session was last used.
    pub used_at_ms: u64,
    /// Whether the account has a second factor not yet verified in this session.
    pub factor_pending: bool,
}

/// When a session ends without further use: idle, absolute or pending, whichever comes first.
pub fn ends_at_ms(moments: Moments) -> u64 {
    let Moments { created_at_ms, used_at_ms, factor_pending } = moments;
    let end = used_at_ms.saturating_add(IDLE_MS).min(created_at_ms.saturating_add(ABSOLUTE_MS));
    if factor_pending { end.min(created_at_ms.saturating_add(PENDING_MS)) } else { end }
}

/// Whether a session is still valid.
pub fn is_alive(moments: Moments, now_ms: u64) -> bool {
    now_ms < ends_at_ms(moments)
}

/// Result of using the token before a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviousToken {
    /// Another tab was slower: it is still valid.
    Valid,
    /// It was copied: all tokens of the session end.
    Reused,
}

/// Judges the token before a renewal by when the new one was first used.
pub fn previous_token(new_first_used_at_ms: Option<u64>, now_ms: u64) -> PreviousToken {
    match new_first_used_at_ms {
        Some(used) if now_ms.saturating_sub(used) > PREVIOUS_TOKEN_MS => PreviousToken::Reused,
        _ => PreviousToken::Valid,
    }
}

/// Whether the response with the next token may still be on its way to the holder of a retired one.
pub fn next_token_is_under_way(retired_at_ms: u64, now_ms: u64) -> bool {
    now_ms.saturating_sub(retired_at_ms) <= NEXT_TOKEN_MS
}

/// Whether a re-authentication is still valid.
pub fn stamp_counts(stamped_at_ms: Option<u64>, now_ms: u64) -> bool {
    stamped_at_ms.is_some_and(|at| now_ms.saturating_sub(at) <= STAMP_MS)
}
