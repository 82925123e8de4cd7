//! Delays before a page reopens its live connection, and the lifetime of a connection.

use crate::span::MINUTE;

/// The waits before the first, second, third and every later try, in milliseconds.
pub const BACK_OFF_MS: [u32; 4] = [1_000, 2_000, 5_000, 10_000];

/// Interval of the server's heartbeat on an open connection.
pub const HEARTBEAT_SECONDS: u32 = 25;

/// The server ends an open connection after about this time (a fifth more or less), so that connections spread over the
/// instances.
pub const LIFE_MS: u64 = 30 * MINUTE;
/// Retry delay while the server has no free connections.
pub const FULL_SECONDS: u32 = 30;

/// Delay before an attempt in milliseconds: 1, 2, 5, then always 10 seconds. `failures` counts consecutive failures; a success
/// resets it.
pub fn delay_ms(failures: u32) -> u32 {
    let step = usize::try_from(failures).map_or(3, |failures| failures.min(3));
    BACK_OFF_MS[step]
}
