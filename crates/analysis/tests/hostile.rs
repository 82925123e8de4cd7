//! Files that crashed a decoder end as a failure.

#![expect(clippy::expect_used, clippy::cast_possible_truncation, reason = "a test")]

use std::{
    io::{Cursor, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use deadwax_analysis::{Failure, MediaSource, analyse};

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

/// A file with a real head, followed by zeros up to its claimed size. Counts the bytes read.
struct Claim {
    head: Vec<u8>,
    length: u64,
    position: u64,
    read: Arc<AtomicU64>,
}

impl Read for Claim {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        for (place, byte) in (self.position..).zip(&mut buffer[..length]) {
            *byte = usize::try_from(place).ok().and_then(|place| self.head.get(place)).copied().unwrap_or(0);
        }
        self.position += length as u64;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

impl Seek for Claim {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(place) => place,
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
            SeekFrom::End(by) => self.length.saturating_add_signed(by),
        };
        Ok(self.position)
    }
}

impl MediaSource for Claim {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.length)
    }
}

/// At most 10 MiB are read of files that contain only tables, texts and pictures, whatever size they claim.
#[test]
fn what_is_no_sound_is_not_read() {
    const GIB: u32 = 1024 * 1024 * 1024;
    let mut tables = b"\0\0\0\x18ftypM4A \0\0\0\0M4A mp42".to_vec();
    for (depth, name) in (0_u32..).zip([b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsz"]) {
        tables.extend((GIB - 24 - 8 * depth).to_be_bytes());
        tables.extend(name);
    }
    tables.extend([0; 8]);
    tables.extend(((GIB - 24 - 40 - 20) / 4).to_be_bytes());
    let mut list =
        b"RIFF\xff\xff\xff\x3fWAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0LIST"
            .to_vec();
    list.extend((GIB - 60).to_le_bytes());
    list.extend(b"INFOICMT");
    list.extend((GIB - 80).to_le_bytes());
    // 240 MiB, seven bits a byte.
    let mut picture = b"ID3\x03\0\0\x78\0\0\0APIC".to_vec();
    picture.extend((240 * 1024 * 1024 - 10_u32).to_be_bytes());
    for (head, extension) in [(tables, "m4a"), (list, "wav"), (picture, "mp3")] {
        let read = Arc::new(AtomicU64::new(0));
        let claim = Claim { head, length: u64::from(GIB), position: 0, read: Arc::clone(&read) };
        let found = analyse(Box::new(claim), extension, &mut || true).expect_err("a failure");
        assert!(matches!(found, Failure::Unreadable(_)), "{extension}: {found:?}");
        let mib = read.load(Ordering::Relaxed) / (1024 * 1024);
        assert!(mib <= 10, "{extension}: {mib} MiB, {found:?}");
    }
}
