//! When a session is renewed and when it ends.
//!
//! The browser renews, the server ends. Times are milliseconds; storing them is the server's business.

use crate::span::{DAY, HOUR, MINUTE};

/// The browser looks at its session this often.
pub const TICK_MS: u32 = 30_000;
/// It renews when this much is left.
pub const RENEW_LEFT_MS: f64 = 90_000.0;

/// From issue or renewal to `expires_at`, which says when to renew and not when the session ends.
pub const EXPIRES_MS: u64 = HOUR;
/// An unused session ends after this.
pub const IDLE_MS: u64 = 14 * DAY;
/// Any session ends after this.
pub const ABSOLUTE_MS: u64 = 30 * DAY;
/// A session whose second factor was never given ends after this.
pub const PENDING_MS: u64 = 30 * MINUTE;
/// The token before a renewal stays valid this long after the new one is first used.
pub const PREVIOUS_TOKEN_MS: u64 = MINUTE;
/// A change of rights retires the earlier tokens at once. The answer that brings the next one arrives within this, the bound of every
/// answer, or never.
pub const NEXT_TOKEN_MS: u64 = MINUTE / 2;
/// A session that was renewed within this time keeps its token: its answer may only have been slow.
pub const RENEWED_LATELY_MS: u64 = MINUTE;
/// A token that was replaced is known this long, so that a copy of it is noticed: longer nobody honest holds it, because a
/// session that lies idle has ended.
pub const REPLACED_KEPT_MS: u64 = IDLE_MS;
/// A re-authentication counts this long.
pub const STAMP_MS: u64 = 10 * MINUTE;
/// How often the last use is written down: precise enough for the idle days, and no write for each request.
pub const USE_NOTED_MS: u64 = 5 * MINUTE;
/// Sessions that ended by time are kept this long, so that their owners read why.
pub const ENDED_KEPT_MS: u64 = 30 * DAY;
/// A browser that signed in to an account stays known to it this long.
pub const BROWSER_KNOWN_MS: u64 = 180 * DAY;
/// Sessions of one account; one more ends the oldest.
pub const MAX_PER_ACCOUNT: usize = 10;

/// Whether the browser renews now: 90 seconds are left, or fewer.
pub fn should_renew(expires_at_ms: f64, now_ms: f64) -> bool {
    expires_at_ms - now_ms <= RENEW_LEFT_MS
}

/// The moments a session's end depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    /// When the person signed in.
    pub created_at_ms: u64,
    /// When the session was last used.
    pub used_at_ms: u64,
    /// Whether the account asks for a second factor that was never given in this session.
    pub factor_pending: bool,
}

/// When a session ends if it is not used again: idle, absolute or pending, whichever comes first.
pub fn ends_at_ms(moments: Moments) -> u64 {
    let Moments { created_at_ms, used_at_ms, factor_pending } = moments;
    let end = used_at_ms.saturating_add(IDLE_MS).min(created_at_ms.saturating_add(ABSOLUTE_MS));
    if factor_pending { end.min(created_at_ms.saturating_add(PENDING_MS)) } else { end }
}

/// Whether a session still stands.
pub fn is_alive(moments: Moments, now_ms: u64) -> bool {
    now_ms < ends_at_ms(moments)
}

/// What using the token before a renewal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviousToken {
    /// Another tab was slower: it still counts.
    Valid,
    /// It was copied: the whole family of the session ends.
    Reused,
}

/// Judges the token before a renewal by when the new one was first used.
pub fn previous_token(new_first_used_at_ms: Option<u64>, now_ms: u64) -> PreviousToken {
    match new_first_used_at_ms {
        Some(used) if now_ms.saturating_sub(used) > PREVIOUS_TOKEN_MS => PreviousToken::Reused,
        _ => PreviousToken::Valid,
    }
}

/// Whether whoever comes with a retired token may still be waiting for the answer that brings the next one.
pub fn next_token_is_under_way(retired_at_ms: u64, now_ms: u64) -> bool {
    now_ms.saturating_sub(retired_at_ms) <= NEXT_TOKEN_MS
}

/// Whether a re-authentication stamp still counts.
pub fn stamp_counts(stamped_at_ms: Option<u64>, now_ms: u64) -> bool {
    stamped_at_ms.is_some_and(|at| now_ms.saturating_sub(at) <= STAMP_MS)
}
