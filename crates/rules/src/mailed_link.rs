//! Lifetimes of mailed single-use links. The server creates and redeems them.

use crate::span::{DAY, HOUR, MINUTE};

/// Links that confirm or cancel a sign-up.
pub const CONFIRM_MS: u64 = DAY;
/// Link to set a new password.
pub const RESET_MS: u64 = HOUR;
/// Links that confirm a new address, or cancel the change.
pub const EMAIL_CHANGE_MS: u64 = 30 * MINUTE;
/// Link that restores the previous address after a change.
pub const EMAIL_UNDO_MS: u64 = 3 * DAY;
/// Ended links are remembered this long, to distinguish used ones from unknown ones.
pub const KEPT_MS: u64 = 7 * DAY;
