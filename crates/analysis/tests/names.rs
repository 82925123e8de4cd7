//! Titles and albums in the tags of every file type, as written by ffmpeg, and in files with false sizes.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

use std::{fs::File, io::Cursor, path::Path, process::Command};

use deadwax_analysis::{NAME_CHARACTERS, Names, analyse};

fn made(folder: &Path, name: &str, how: &[&str], tags: &[&str]) -> Names {
    let path = folder.join(name);
    let output = Command::new("ffmpeg")
        .args(["-hide_banner", "-y", "-f", "lavfi", "-i", "sine=f=110:d=1:r=44100"])
        .args(tags.iter().flat_map(|tag| ["-metadata", tag]))
        .args(how)
        .arg(&path)
        .output()
        .expect("ffmpeg is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let extension = path.extension().unwrap().to_str().unwrap();
    analyse(Box::new(File::open(&path).unwrap()), extension, &mut || true).unwrap().names
}

#[test]
fn tags_of_every_kind_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let tags = ["title=Größe 東京", "album=Night Shift", "artist=Nova"];
    let read = Names { title: Some("Größe 東京".to_owned()), album: Some("Night Shift".to_owned()) };
    for (name, how) in [
        ("a.wav", &[][..]),
        ("a.flac", &[]),
        ("a.m4a", &["-c:a", "aac"]),
        ("b.m4a", &["-c:a", "alac"]),
        ("a.mp3", &["-id3v2_version", "4"]),
        ("b.mp3", &["-id3v2_version", "3", "-write_id3v1", "1"]),
    ] {
        assert_eq!(made(folder.path(), name, how, &tags), read, "{name}");
        assert_eq!(made(folder.path(), name, how, &[]), Names::default(), "{name} without tags");
    }
}

/// A WAV file with these chunks before its samples.
fn wave(chunks: &[u8]) -> Names {
    let bytes = [
        b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0"
            .as_slice(),
        chunks,
        b"data\x90\x01\0\0",
        &[7; 400],
    ]
    .concat();
    analyse(Box::new(Cursor::new(bytes)), "wav", &mut || true).unwrap().names
}

#[test]
fn names_are_cut_and_broken_lists_have_none() {
    let size = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
    let list = |value: &[u8], claimed: usize| {
        let info = [b"INFOINAM", &size(claimed)[..], value].concat();
        [b"LIST", &size(info.len())[..], &info].concat()
    };
    let long = "ä".repeat(NAME_CHARACTERS * 5);
    assert_eq!(wave(&list(long.as_bytes(), long.len())).title, Some("ä".repeat(NAME_CHARACTERS)));
    assert_eq!(wave(&list(b"Quartz\0two", 10)).title.as_deref(), Some("Quartz"));
    assert_eq!(wave(&list(b"Gr\xfcn.x", 6)).title.as_deref(), Some("Gr\u{fffd}n.x"));
    assert_eq!(wave(b"").title, None);
    assert_eq!(wave(&list(b"", 0)).title.as_deref(), Some(""));
}
