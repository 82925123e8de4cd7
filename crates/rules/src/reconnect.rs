//! How long a page waits before it opens its live connection again.

const BACK_OFF_SECONDS: [u32; 4] = [1, 2, 5, 10];

/// The server's heartbeat on an open connection.
pub const HEARTBEAT_SECONDS: u32 = 25;

/// The wait before a try, in milliseconds: 1, 2, 5, 10 seconds and then every 10. `failures` counts the tries that
/// failed in a row; a success starts it over.
pub fn delay_ms(failures: u32) -> u32 {
    let step = usize::try_from(failures).map_or(3, |failures| failures.min(3));
    BACK_OFF_SECONDS[step] * 1_000
}
