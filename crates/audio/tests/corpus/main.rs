//! The verdict on every file of the corpus, by every way of reading it.

#![expect(clippy::unwrap_used, reason = "a source in memory that cannot be read fails the run")]

#[path = "files.rs"]
mod files;

use deadwax_audio::{
    Content, Known, PROBE_MAX_BYTES, PROBE_MAX_ROUNDS, Probe, Source, check, check_file, describe, tracks,
};
use proptest::prelude::*;
use rules::{
    archive::check_demo_end,
    demo::{DEMO_EXTENSIONS, DemoError},
};

use self::files::{
    deflated, files, silence,
    zip::{archive, file},
};

fn verdict(extension: &str, bytes: &[u8]) -> Result<(), DemoError> {
    check(&Source::new(&bytes, bytes.len() as u64), extension).unwrap()
}

#[test]
fn each_file_gets_its_verdict() {
    let wrong: Vec<_> = files()
        .into_iter()
        .map(|(extension, name, bytes, expected)| (extension, name, verdict(extension, &bytes), expected))
        .filter(|(_, _, found, expected)| found != expected)
        .map(|(extension, name, found, expected)| {
            format!("{name} as .{extension}: expected {expected:?}, found {found:?}")
        })
        .collect();
    assert_eq!(wrong, [""; 0]);
}

/// The result of reading in pieces, with the number of pieces and of bytes.
fn in_pieces(extension: &str, bytes: &[u8]) -> (Known, u32, u64) {
    let mut probe = Probe::new(&format!("set.{extension}"), bytes.len() as u64);
    let (mut rounds, mut read) = (0, 0);
    loop {
        match probe.advance() {
            Known::Missing(range) => {
                rounds += 1;
                read += range.end - range.start;
                let at = |offset| usize::try_from(offset).unwrap();
                probe.take(bytes[at(range.start)..at(range.end)].to_vec());
            }
            known => return (known, rounds, read),
        }
    }
}

fn whole(extension: &str, bytes: &[u8]) -> Known {
    let source = Source::new(&bytes, bytes.len() as u64);
    match check(&source, extension).unwrap() {
        Ok(()) => Known::Right(describe(&source, extension).unwrap()),
        Err(refusal) => Known::Refused(refusal),
    }
}

#[test]
fn a_file_in_pieces_is_the_same_file() {
    for (extension, name, bytes, _) in files() {
        let (found, rounds, read) = in_pieces(extension, &bytes);
        assert_eq!(found, whole(extension, &bytes), "{name} as .{extension}");
        assert!(read <= bytes.len() as u64, "{name} as .{extension}: {read} bytes in {rounds} pieces");
    }
}

#[test]
fn a_large_file_is_not_read_whole() {
    let (_, _, mut wave, _) = files().into_iter().find(|(_, name, ..)| *name == "a wave").unwrap();
    wave.resize(70 << 20, 0);
    let (found, rounds, read) = in_pieces("wav", &wave);
    assert_eq!(found, whole("wav", &wave));
    assert!(rounds == 1 && read <= 32 * 1024, "{read} bytes in {rounds} pieces");
    // The file states no length and contains no frame.
    let song = [b"ID3\x04\0\0\0\0\0\0".as_slice(), &vec![0; 70 << 20]].concat();
    let (found, rounds, read) = in_pieces("mp3", &song);
    assert_eq!(found, Known::Right(None));
    assert!(read < 200_000, "{read} bytes in {rounds} pieces");
}

#[test]
fn an_archive_is_read_where_its_tracks_begin() {
    // Incompressible noise.
    let mut seed = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    })
    .take(3 << 20)
    .collect();
    let tracks: Vec<_> = (0..12)
        .map(|track| {
            let name = format!("{track:02}.wav");
            let data = [&silence(44_100, 2, 16, 0)[..36], b"data\xff\xff\xff\xff", &noise].concat();
            if track % 2 == 0 { deflated(&name, &data) } else { file(&name, &data) }
        })
        .collect();
    let bytes = archive(&tracks);
    let (found, rounds, read) = in_pieces("zip", &bytes);
    assert_eq!(found, whole("zip", &bytes));
    assert!(
        matches!(&found, Known::Right(Some(content)) if content.to_string().starts_with("ZIP, 12 tracks"))
    );
    assert!(rounds < 100 && read < 8 << 20, "{read} bytes in {rounds} pieces");
}

#[test]
fn what_is_not_the_file_that_was_chosen_says_nothing() {
    let (_, _, bytes, _) = files().swap_remove(0);
    for wrong in [Vec::new(), bytes[1..].to_vec(), [&bytes[..], b"x"].concat()] {
        let mut probe = Probe::new("set.zip", bytes.len() as u64);
        assert!(matches!(probe.advance(), Known::Missing(_)));
        probe.take(wrong);
        assert_eq!(probe.advance(), Known::Nothing);
    }
}

/// The search for an archive's end is bounded.
#[test]
fn a_look_comes_to_an_end() {
    let cut_off = [b"PK\x03\x04".as_slice(), &vec![7; 70 << 20]].concat();
    let (found, rounds, read) = in_pieces("zip", &cut_off);
    assert_eq!(found, Known::Nothing);
    assert!(
        rounds <= PROBE_MAX_ROUNDS && read <= PROBE_MAX_BYTES + (1 << 20),
        "{read} bytes in {rounds} pieces"
    );
}

/// A refusal by the browser is also the server's, for the same reason; an accepted file passes in the browser, however little
/// of its end is read.
#[test]
fn the_look_at_the_end_agrees_with_the_look_at_all() {
    let mut refused = 0;
    for (extension, name, bytes, expected) in files() {
        for end in [bytes.len(), 100_000, 300, 60, 22, 3] {
            let end = &bytes[bytes.len().saturating_sub(end)..];
            if let Err(reason) = check_demo_end(&format!("set.{extension}"), end) {
                assert_eq!(Err(reason), expected, "{name} as .{extension}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn the_list_of_tracks_is_read_without_their_sound() {
    let bytes = archive(&[file("1.wav", &silence(8000, 1, 8, 20_000))]);
    let source = Source::new(&bytes, bytes.len() as u64);
    let listed = tracks(&source).unwrap().unwrap();
    assert!(listed.iter().all(|track| track.sound.is_none()), "{listed:?}");
    let described = describe(&source, "zip").unwrap();
    assert!(
        matches!(&described, Some(Content::Archive(tracks)) if tracks.iter().all(|track| track.sound.is_some())),
        "{described:?}"
    );
}

#[test]
fn names_in_archives_are_read_as_they_were_meant() {
    for (archive, expected) in [
        ("Finder: a folder", "EP/Dro\u{308}hnen.wav"),
        ("Windows Explorer: names", "M\u{fc}ller.wav"),
        ("Info-ZIP: the name once more", "M\u{fc}ller.wav"),
        ("Info-ZIP: the name of a file that was renamed", "new.wav"),
    ] {
        let (_, _, bytes, _) = files().into_iter().find(|(_, name, ..)| name.starts_with(archive)).unwrap();
        let found = tracks(&Source::new(&bytes, bytes.len() as u64)).unwrap().unwrap();
        assert_eq!(
            found.iter().map(|track| track.name.as_str()).collect::<Vec<_>>(),
            [expected],
            "{archive}"
        );
    }
}

#[test]
fn the_refusal_is_that_of_the_content() {
    assert_eq!(verdict("wav", b"<html>"), Err(DemoError::Content));
}

#[test]
fn a_file_that_is_not_there_is_the_disk_s_failure() {
    assert!(check_file(std::path::Path::new("/nowhere/at/all"), "zip").is_err());
}

proptest! {
    #[test]
    fn random_bytes_are_judged_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for extension in DEMO_EXTENSIONS {
            prop_assert_eq!(in_pieces(extension, &bytes).0, whole(extension, &bytes));
        }
    }

    /// One to eight bytes of a real file are replaced, to reach the code that depends on them.
    #[test]
    fn damaged_files_are_judged_without_panic(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(0xff), Just(0), any::<u8>()]), 1..8),
    ) {
        let mut files = files();
        files.retain(|(_, _, bytes, _)| !bytes.is_empty() && bytes.len() < 10_000);
        let (_, _, mut bytes, _) = files.swap_remove(which.index(files.len()));
        for (at, byte) in damage {
            let length = bytes.len();
            bytes[at.index(length)] = byte;
        }
        for extension in DEMO_EXTENSIONS {
            prop_assert_eq!(in_pieces(extension, &bytes).0, whole(extension, &bytes));
        }
    }
}
