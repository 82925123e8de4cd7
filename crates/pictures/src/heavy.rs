//! One upload at a time of a picture that takes much memory to open, however many cores there are. Sizes are made one at a time
//! anyway, at the lowest priority.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rules::image::OPENED_ALONE_BYTES;

static HEAVY: Mutex<()> = Mutex::new(());

/// Waits for its turn where opening a picture takes much memory.
pub(super) fn lock_if_heavy(bytes: u64) -> Option<MutexGuard<'static, ()>> {
    (bytes > OPENED_ALONE_BYTES).then(|| HEAVY.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_pictures_wait_for_each_other_and_small_ones_for_nobody() {
        let first = lock_if_heavy(80_000_000);
        assert!(first.is_some());
        assert!(HEAVY.try_lock().is_err());
        assert!(lock_if_heavy(4_000_000).is_none());
    }
}
