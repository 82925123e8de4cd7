//! How long the links count that are mailed to people, each of which works once. Making and redeeming them is the server's
//! business.

use crate::span::{DAY, HOUR, MINUTE};

/// The link that confirms a sign-up, and the one that voids it.
pub const CONFIRM_MS: u64 = DAY;
/// The link that leads to a new password.
pub const RESET_MS: u64 = HOUR;
/// The link that confirms a new address, and the one that keeps the old one.
pub const EMAIL_CHANGE_MS: u64 = 30 * MINUTE;
/// The link that puts the old address back after a change.
pub const EMAIL_UNDO_MS: u64 = 3 * DAY;
/// Ended links are remembered this long, so that one that was used before can be told from none.
pub const KEPT_MS: u64 = 7 * DAY;
