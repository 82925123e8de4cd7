//! Uploads of pictures that take much memory to be opened: one at a time, however many cores there are. Sizes are made one at a time
//! anyway, at the lowest priority: nobody waits for them here.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rules::image::OPENED_ALONE_BYTES;

static HEAVY: Mutex<()> = Mutex::new(());

/// Waits for its turn where a picture of `pixels` pixels, which are `opened` bytes when it is open, takes much memory on the way there.
pub(super) fn lock_if_heavy(file: &[u8], pixels: u64, opened: u64) -> Option<MutexGuard<'static, ()>> {
    // A JPEG that comes in passes is held in coefficients of two bytes until the last one: three for each pixel at most.
    let held = if is_progressive(file) { pixels.saturating_mul(6) } else { 0 };
    (opened.saturating_add(held) > OPENED_ALONE_BYTES)
        .then(|| HEAVY.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Whether a file is a JPEG in passes, as the head of its frame says (ITU-T T.81, table B.1).
fn is_progressive(file: &[u8]) -> bool {
    if !file.starts_with(&[0xff, 0xd8]) {
        return false;
    }
    let mut at = 2;
    while let Some([0xff, marker]) = file.get(at..at + 2) {
        match marker {
            0xff => at += 1,
            0xc2 | 0xc6 | 0xca | 0xce => return true,
            0xc0 | 0xc1 | 0xc3 | 0xc5 | 0xc7 | 0xc9 | 0xcb | 0xcd | 0xcf | 0xda => return false,
            _ => {
                let Some(length) = file.get(at + 2..at + 4) else { return false };
                at += 2 + usize::from(u16::from_be_bytes([length[0], length[1]]));
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jpeg_in_passes_is_known_by_the_head_of_its_frame() {
        let with =
            |frame: u8| [&[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, frame, 0, 4, 1, 2][..]].concat();
        assert!(is_progressive(&with(0xc2)));
        assert!(!is_progressive(&with(0xc0)));
        for broken in [&b""[..], b"\xff\xd8", b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe0\xff\xff", b"\x89PNG"] {
            assert!(!is_progressive(broken), "{broken:?}");
        }
    }

    #[test]
    fn large_pictures_wait_for_each_other_and_small_ones_for_nobody() {
        let first = lock_if_heavy(b"\x89PNG", 20_000_000, 80_000_000);
        assert!(first.is_some());
        assert!(HEAVY.try_lock().is_err());
        assert!(lock_if_heavy(b"\x89PNG", 1_000_000, 4_000_000).is_none());
        drop(first);
        assert!(lock_if_heavy(&[0xff, 0xd8, 0xff, 0xc2, 0, 2], 12_000_000, 36_000_000).is_some());
    }
}
