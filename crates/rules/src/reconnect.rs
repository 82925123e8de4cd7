//! How long a page waits before it opens its live connection again, and how long a connection lasts.

const BACK_OFF_SECONDS: [u32; 4] = [1, 2, 5, 10];

/// The server's heartbeat on an open connection.
pub const HEARTBEAT_SECONDS: u32 = 25;

/// The server ends an open connection after about so long (a fifth more or less), so that they spread anew over instances.
pub const LIFE_MS: u64 = 30 * 60_000;
/// A server whose places for connections are taken is worth another try after this.
pub const FULL_SECONDS: u32 = 30;

/// The wait before a try, in milliseconds: 1, 2, 5, 10 seconds and then every 10. `failures` counts the tries that
/// failed in a row; a success starts it over.
pub fn delay_ms(failures: u32) -> u32 {
    let step = usize::try_from(failures).map_or(3, |failures| failures.min(3));
    BACK_OFF_SECONDS[step] * 1_000
}
