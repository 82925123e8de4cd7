//! Files that have brought a decoder down end as a failure.

#![expect(clippy::expect_used, clippy::cast_possible_truncation, reason = "a test")]

use std::io::Cursor;

use deadwax_analysis::{Failure, analyse};

fn wave(format: &[u8]) -> Vec<u8> {
    let data = [0_u8; 400];
    [
        b"RIFF\xff\xff\xff\xffWAVEfmt ".as_slice(),
        &(format.len() as u32).to_le_bytes(),
        format,
        b"data\x90\x01\0\0",
        &data,
    ]
    .concat()
}

fn failure(bytes: &[u8], extension: &str) -> Failure {
    analyse(Box::new(Cursor::new(bytes)), extension, &mut || true).expect_err("a failure")
}

#[test]
fn what_no_recording_says_ends_as_a_failure() {
    // Tag, channels, rate, bytes a second, bytes a frame, bits.
    for format in [
        [1, 0, 255, 255, 0x44, 0xac, 0, 0, 0, 0, 0, 0, 4, 0, 16, 0],
        [1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 16, 0],
        [1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 16, 0],
        [1, 0, 0, 0, 0x44, 0xac, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0],
        [1, 0, 2, 0, 0x80, 0x84, 0x1e, 0, 0, 0, 0, 0, 4, 0, 16, 0],
        [1, 0, 32, 0, 0, 0xee, 2, 0, 0, 0, 0, 0, 64, 0, 16, 0],
        [1, 0, 40, 0, 0x44, 0xac, 0, 0, 0, 0, 0, 0, 80, 0, 16, 0],
        [1, 0, 33, 0, 0x44, 0xac, 0, 0, 0, 0, 0, 0, 66, 0, 16, 0],
    ] {
        let found = failure(&wave(&format), "wav");
        assert!(matches!(found, Failure::Unreadable(_) | Failure::Empty), "{format:?}: {found:?}");
    }
    for (bytes, extension) in [
        (&b"<!doctype html>"[..], "mp3"),
        (b"", "wav"),
        (b"fLaC", "flac"),
        (b"\0\0\0\x18ftypM4A ", "m4a"),
        (b"x", "zip"),
    ] {
        assert!(failure(bytes, extension).code().is_some(), "{extension}");
    }
}

#[test]
fn who_asked_can_stop() {
    let bytes = wave(&[1, 0, 2, 0, 0x44, 0xac, 0, 0, 0x10, 0xb1, 2, 0, 4, 0, 16, 0]);
    assert!(analyse(Box::new(Cursor::new(bytes.as_slice())), "wav", &mut || true).is_ok());
    let stopped = analyse(Box::new(Cursor::new(bytes.as_slice())), "wav", &mut || false);
    assert!(matches!(stopped, Err(Failure::Stopped)), "{stopped:?}");
}
