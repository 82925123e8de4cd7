//! Padding for answers whose time must not reveal whether an account exists.

use std::time::Duration;

use tokio::time::Instant;

/// Waits until the next multiple of `step` since `started`, so that work of slightly different length ends at the same time.
pub async fn pad_to_multiple(started: Instant, step: Duration) {
    let step_micros = step.as_micros().max(1);
    let steps = started.elapsed().as_micros() / step_micros + 1;
    let micros = u64::try_from(step_micros * steps).unwrap_or(u64::MAX);
    tokio::time::sleep_until(started + Duration::from_micros(micros)).await;
}

/// For answers that hashed a password, which takes about 20 ms.
pub const HASHED: Duration = Duration::from_millis(50);
/// For answers that may have queued a mail.
pub const MAILED: Duration = Duration::from_millis(100);
