//! Time spans in milliseconds.

/// A second.
pub(crate) const SECOND: u64 = 1_000;
/// A minute.
pub(crate) const MINUTE: u64 = 60 * SECOND;
/// An hour.
pub(crate) const HOUR: u64 = 60 * MINUTE;
/// A day of 24 hours.
pub(crate) const DAY: u64 = 24 * HOUR;
