//! The length predicted without decoding equals the measured one: for every file of the corpus, and for MP3 files whose header
//! states no length or a wrong one.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

#[path = "../../audio/tests/corpus/files.rs"]
mod files;

use std::{io::Cursor, process::Command};

use deadwax_analysis::{Failure, analyse};
use deadwax_audio::{Content, Source, describe};

/// Encoders add padding, and decoders count it differently.
const TOLERANCE_MS: u64 = 60;

fn said(bytes: &[u8], extension: &str) -> Option<u64> {
    match describe(&Source::new(&bytes, bytes.len() as u64), extension).unwrap() {
        Some(Content::Sound(sound)) => sound.milliseconds,
        _ => None,
    }
}

fn measured(bytes: &[u8], extension: &str) -> Result<u64, Failure> {
    analyse(Box::new(Cursor::new(bytes)), extension, &mut || true).map(|found| found.milliseconds)
}

#[test]
fn every_file_of_the_corpus_is_as_long_as_it_says() {
    let (mut wrong, mut right) = (Vec::new(), 0);
    for (extension, name, bytes, verdict) in files::files() {
        let Some(said) = said(&bytes, extension).filter(|said| *said > 0 && verdict.is_ok()) else {
            continue;
        };
        match measured(&bytes, extension) {
            Ok(found) if found.abs_diff(said) <= TOLERANCE_MS => right += 1,
            found => wrong.push(format!("{name} as .{extension}: {said} ms are said, {found:?}")),
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(right > 20, "{right}");
}

fn mp3(inputs: &[&str], how: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.mp3");
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-y"])
        .args(inputs.iter().flat_map(|input| ["-f", "lavfi", "-i", input]))
        .args(["-filter_complex", &format!("concat=n={}:v=0:a=1", inputs.len()), "-ar", "44100"])
        .args(how)
        .arg(&path)
        .output()
        .expect("ffmpeg is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(path).unwrap()
}

/// HE-AAC is marked compatibly, so that other decoders play its core.
#[test]
fn the_core_of_he_aac_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.m4a");
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "sine=f=110:d=3:r=22050", "-c:a", "aac"])
        .arg(&path)
        .status();
    assert!(made.expect("ffmpeg is installed").success());
    let plain = std::fs::read(path).unwrap();
    // Low complexity at 22.05 kHz in one channel, without spectral band replication.
    let at = plain.windows(5).position(|bytes| bytes == b"\x13\x88\x56\xe5\x00").unwrap();
    let expected = measured(&plain, "m4a").unwrap();
    // With band replication up to 44.1 kHz, and the other way round.
    for settings in [b"\x13\x88\x56\xe5\xa0", b"\x2b\x8a\x08\x00\x00"] {
        let mut marked = plain.clone();
        marked[at..at + 5].copy_from_slice(settings);
        assert_eq!(measured(&marked, "m4a").unwrap(), expected, "{settings:x?}");
    }
}

#[test]
fn a_variable_rate_without_a_header_is_decoded_to_its_end() {
    let bytes = mp3(&["anoisesrc=d=10:a=0.6", "sine=f=110:d=50"], &["-q:a", "2", "-write_xing", "0"]);
    let found = measured(&bytes, "mp3").unwrap();
    assert!(found.abs_diff(60_000) <= TOLERANCE_MS, "{found}");
    assert!(said(&bytes, "mp3").unwrap().abs_diff(60_000) <= TOLERANCE_MS, "{:?}", said(&bytes, "mp3"));
    // A file too long to count gets no length instead of a wrong one.
    let long = bytes.repeat(56);
    assert!(long.len() > 16 << 20, "{}", long.len());
    assert_eq!(said(&long, "mp3"), None);
}

#[test]
fn joined_files_are_as_long_as_both() {
    for how in [["-q:a", "4"], ["-b:a", "192k"]] {
        let one = mp3(&["anoisesrc=d=20:a=0.6"], &how);
        let found = measured(&one.repeat(2), "mp3").unwrap();
        assert!(found.abs_diff(40_000) <= 3 * TOLERANCE_MS, "{how:?}: {found}");
        let said = said(&one.repeat(2), "mp3");
        assert!(said.is_none_or(|said| said.abs_diff(40_000) <= 3 * TOLERANCE_MS), "{how:?}: {said:?}");
    }
}
