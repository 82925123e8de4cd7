use futures_util::stream;
use macro_rules_attribute::apply;
use reqwest::Body;
use sha2::Digest as _;

use super::sender::{BYTES, MOST, PATH, Sender, metadata, plain, wav};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn what_is_wrong_is_said_before_a_byte_travels(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let with = |changed: (&'static str, &str)| {
        let pairs = [("artist_name", "Nova"), ("email", "nova@artist.example"), ("filename", "set.wav")];
        let pairs = pairs.map(|(name, value)| if name == changed.0 { changed } else { (name, value) });
        metadata(&pairs)
    };
    let missing = "Please fill in all required fields and select a demo file.";
    let kind = "Please upload a .zip, .mp3, .wav, .flac or .m4a file.";
    for (said, field, text) in [
        (String::new(), "artist_name", missing),
        (String::new(), "email", missing),
        (String::new(), "file", missing),
        (with(("artist_name", " ")), "artist_name", missing),
        (with(("email", "")), "email", missing),
        (metadata(&[("artist_name", "Nova"), ("email", "a@b.example")]), "file", missing),
        (with(("email", "nobody")), "email", "Please enter a valid email address"),
        (with(("email", "a@b.example\r\nBcc: c@d.example")), "email", "Please enter a valid email address"),
        (
            with(("artist_name", &"x".repeat(501))),
            "artist_name",
            "Artist name must be less than 500 characters",
        ),
        (with(("artist_name", "a\0b")), "artist_name", "Invalid characters in artist name"),
        (with(("filename", "setup.exe")), "file", kind),
        (with(("filename", "set.wav.exe")), "file", kind),
        (with(("filename", "wav")), "file", kind),
        (with(("filename", "")), "file", kind),
        (with(("filename", "set.wav/")), "file", kind),
    ] {
        let answer = sender.announce(1000, &said).await;
        assert_eq!(answer.status, 422, "{said}: {answer:?}");
        answer.problem();
        assert_eq!(answer.json()["fields"][field], text, "{said}");
        assert_eq!(answer.header("location"), "");
    }
    let empty = sender.announce(0, &plain("set.wav")).await;
    assert_eq!((empty.status.as_u16(), empty.problem().as_str()), (422, "file_empty"));
    let said = plain("set.wav");
    for (length, metadata, code) in [
        ("", said.as_str(), "length_missing"),
        ("-1", &said, "length_missing"),
        ("1e3", &said, "length_missing"),
        ("1000", "email *", "invalid_metadata"),
        ("1000", "email YQ==,email YQ==", "invalid_metadata"),
    ] {
        let headers =
            [("upload-length", length), ("upload-metadata", metadata), ("upload-defer-length", "1")];
        let answer = sender.ask("POST", PATH, &headers, "").await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, code));
    }
    server.assert_nothing_happened().await;
    assert_eq!(server.count("uploads").await, 0);
    // The refusals above were not counted.
    for _ in 0..3 {
        sender.create(1000).await;
    }
    assert_eq!(server.count("uploads").await, 3);
}

#[apply(on_both_engines!)]
async fn an_address_is_taken_as_it_is_pasted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let pairs = [
        ("artist_name", "\u{feff}Nova\u{200b}"),
        ("email", "\u{200b}Nova <nova@bücher.example>"),
        ("filename", "set.wav"),
    ];
    assert_eq!(sender.announce(1000, &metadata(&pairs)).await.status, 201);
    let stored = "uploads WHERE artist_name = 'Nova' AND email = 'nova@xn--bcher-kva.example'";
    assert_eq!(server.count(stored).await, 1);
}

#[apply(on_both_engines!)]
async fn one_byte_over_seventy_megabytes_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    for (length, shown) in [(MOST + 1, "70.1"), (MOST + 104_858, "70.2"), (usize::MAX, "17592186044416.0")] {
        let answer = sender.announce(length, &plain("set.wav")).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (413, "file_too_large"));
        assert_eq!(
            answer.json()["detail"],
            format!("File size must be under 70MB. Your file is {shown} MB.")
        );
        // In the order of the form: missing fields, then the kind of file, then its size.
        let film = sender.announce(length, &plain("set.mov")).await;
        assert_eq!((film.status.as_u16(), film.problem().as_str()), (422, "invalid_file_type"));
        let nobody = sender.announce(length, &metadata(&[("filename", "set.mov")])).await;
        assert_eq!((nobody.status.as_u16(), nobody.problem().as_str()), (422, "missing_information"));
    }
    assert_eq!(server.count("uploads").await, 0);
    server.assert_nothing_happened().await;
}

#[apply(on_both_engines!)]
async fn names_lead_nowhere(engine: Engine) {
    let server = TestServer::start(engine).await;
    let bytes = wav(500, 1);
    for (artist, name) in [
        ("../../x", "../../../../tmp/x.wav"),
        (".. %2f %2e", "..\\..\\x.wav"),
        ("a/b#c?d", "a\0b.wav"),
        (&"ü".repeat(500), "\u{202e}vaw.exe.wav"),
        ("\u{200f}abc", "/etc/passwd.wav"),
        ("...", "\u{feff}.wav"),
        (&"𝕹".repeat(500), "x.wav"),
        ("名前", &format!("{}.wav", "x".repeat(1000))),
    ] {
        let sender = Sender::of(&server);
        let said = metadata(&[("artist_name", artist), ("email", "a@b.example"), ("filename", name)]);
        let answer = sender.announce(bytes.len(), &said).await;
        assert_eq!(answer.status, 201, "{artist}: {answer:?}");
        assert_eq!(sender.patch(answer.header("location"), 0, bytes.clone()).await.status, 204, "{artist}");
    }
    let files = server.files("media/demos");
    assert_eq!(files.len(), 8);
    for file in files {
        assert!(rules::demo_name::is_demo_key(&format!("demos/{file}")), "{file}");
    }
    let mut folders = server.files("media");
    folders.sort();
    assert_eq!(folders, ["demos"]);
    assert_eq!(server.count("demos WHERE original_name LIKE '%/%' OR original_name LIKE '%\\%'").await, 0);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn more_than_was_announced_drops_the_upload(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(3000, 2));
    for first in [0, 500] {
        let path = sender.create(1000).await;
        if first > 0 {
            assert_eq!(sender.patch(&path, 0, bytes[..first].to_vec()).await.status, 204);
        }
        let answer = sender.patch(&path, first, bytes[first..1001].to_vec()).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (413, "upload_too_long"));
        assert_eq!(sender.head(&path).await.status, 404);
    }
    server.assert_nothing_happened().await;
}

#[apply(on_both_engines!)]
async fn an_endless_body_is_cut_off(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let path = sender.create(1000).await;
    // Too large, but small enough for the server to read to the end, so the answer arrives.
    let pieces = stream::iter((0..9).map(|_| Ok::<_, std::io::Error>(vec![0; 100_000])));
    let answer = sender.patch(&path, 0, Body::wrap_stream(pieces)).await;
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (413, "upload_too_long"));
    let path = sender.create(1000).await;
    let sent = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = sent.clone();
    let pieces = stream::iter((0..1024).map(move |_| {
        counter.fetch_add(1 << 20, std::sync::atomic::Ordering::Relaxed);
        Ok::<_, std::io::Error>(vec![0; 1 << 20])
    }));
    let request = sender
        .client
        .patch(format!("{}{path}", sender.base))
        .header("tus-resumable", "1.0.0")
        .header("content-type", BYTES)
        .header("upload-offset", "0")
        .body(Body::wrap_stream(pieces));
    // The client may see either the answer or the closed connection first.
    if let Ok(answer) = request.send().await {
        assert_eq!(answer.status(), 413);
    }
    assert!(sent.load(std::sync::atomic::Ordering::Relaxed) < 64 << 20, "what the sockets hold, and no more");
    assert_eq!(sender.head(&path).await.status, 404);
    server.assert_nothing_happened().await;
}

#[apply(on_both_engines!)]
async fn what_is_not_what_its_name_says_is_refused_and_stays_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    let kind =
        "This file is not what its name says. Please export it again as .zip, .mp3, .wav, .flac or .m4a.";
    let disguised: [(&str, &[u8]); 5] = [
        ("set.mp3", b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0 this program cannot be run"),
        ("set.wav", b"<!doctype html><script>alert(1)</script>"),
        ("set.zip", b"PK\x03\x04 and then nothing of a directory"),
        ("set.flac", b"RIFF\xff\xff\xff\xffWAVEfmt "),
        ("set.m4a", b"#!/bin/sh\nrm -rf ~\n"),
    ];
    for (name, bytes) in disguised {
        let (code, text) = if name == "set.zip" {
            ("archive_broken", "This .zip is broken or incomplete. Please pack your tracks again.")
        } else {
            ("invalid_file_type", kind)
        };
        let sender = Sender::of(&server);
        let path = sender.announce(bytes.len(), &plain(name)).await.header("location").to_owned();
        assert_eq!(sender.patch(&path, 0, bytes[..8].to_vec()).await.status, 204);
        for offset in [8, 8, 0, bytes.len()] {
            let answer = sender.patch(&path, offset, bytes[offset..].to_vec()).await;
            assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, code), "{name}");
            assert_eq!(
                (&answer.json()["detail"], &answer.json()["fields"]["file"]),
                (&text.into(), &text.into())
            );
        }
        assert_eq!(sender.head(&path).await.status, 422);
    }
    assert_eq!(
        server.count("audit_log WHERE event = 'upload_validation' AND outcome IN ('invalid_file_type', 'archive_broken')").await,
        5
    );
    assert_eq!(server.count("uploads WHERE email IS NULL AND artist_name IS NULL").await, 5);
    server.assert_nothing_happened().await;
}

#[apply(on_both_engines!)]
async fn bytes_belong_where_the_kept_ones_end(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 3));
    let path = sender.create(1000).await;
    assert_eq!(sender.patch(&path, 0, bytes[..400].to_vec()).await.status, 204);
    for offset in [0, 399, 401, 1000, 2000] {
        let answer = sender.patch(&path, offset, bytes[..100].to_vec()).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (409, "upload_offset"));
    }
    let nowhere = sender.ask("PATCH", &path, &[("content-type", BYTES)], bytes[..100].to_vec()).await;
    assert_eq!((nowhere.status.as_u16(), nowhere.problem().as_str()), (422, "offset_missing"));
    assert_eq!(sender.offset(&path).await, 400);
    let nobodys = format!("{PATH}/{}", "A".repeat(43));
    for path in [nobodys.as_str(), "/api/demos/x", "/api/demos/..%2f..%2fetc"] {
        assert_eq!(sender.patch(path, 0, bytes.clone()).await.status, 404);
        assert_eq!(sender.head(path).await.status, 404);
        assert_eq!(sender.end(path).await.status, 404);
    }
    assert_eq!(sender.patch(&path, 400, bytes[400..].to_vec()).await.status, 204);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn damaged_bytes_are_not_kept(engine: Engine) {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 4));
    let path = sender.create(1000).await;
    let sha1 = |bytes: &[u8]| format!("sha1 {}", STANDARD.encode(sha1::Sha1::digest(bytes)));
    let sha256 = |bytes: &[u8]| format!("sha256 {}", STANDARD.encode(sha2::Sha256::digest(bytes)));
    let (first, second) = (bytes[..600].to_vec(), bytes[600..].to_vec());
    for sum in [sha1(&second), sha256(&second), "sha1 AAAA".to_owned()] {
        let answer = sender.patch_with(&path, 0, first.clone(), &[("upload-checksum", &sum)]).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (460, "checksum_mismatch"));
        assert_eq!(sender.offset(&path).await, 0);
    }
    for sum in ["md5 AAAA", "sha1", "crc32 AAAA"] {
        let answer = sender.patch_with(&path, 0, first.clone(), &[("upload-checksum", sum)]).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (400, "checksum_algorithm"));
    }
    let answer = sender.patch_with(&path, 0, first.clone(), &[("upload-checksum", &sha1(&first))]).await;
    assert_eq!((answer.status.as_u16(), answer.header("upload-offset")), (204, "600"));
    // Bytes sent with a checksum and cut off are not kept either.
    let wrong = sender.patch_with(&path, 600, second.clone(), &[("upload-checksum", &sha256(&first))]).await;
    assert_eq!(wrong.status.as_u16(), 460);
    assert_eq!(server.count("demos").await, 0);
    let last = sender.patch_with(&path, 600, second.clone(), &[("upload-checksum", &sha256(&second))]).await;
    assert_eq!(last.status, 204);
    assert_eq!(server.count("demos").await, 1);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn other_versions_types_and_methods_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let path = sender.create(1000).await;
    for version in ["", "0.2.2", "2.0.0"] {
        let headers = [("tus-resumable", version), ("upload-length", "5"), ("upload-offset", "0")];
        for (method, path) in [("POST", PATH), ("HEAD", &path), ("PATCH", &path), ("DELETE", &path)] {
            let answer = sender.ask(method, path, &headers, "").await;
            assert_eq!((answer.status.as_u16(), answer.header("tus-version")), (412, "1.0.0"), "{method}");
        }
    }
    for kind in ["application/json", "", "application/octet-stream"] {
        let headers = [("content-type", kind), ("upload-offset", "0")];
        let request = sender
            .client
            .patch(format!("{}{path}", sender.base))
            .header("tus-resumable", "1.0.0")
            .header("upload-offset", "0")
            .body("bytes");
        let request = if kind.is_empty() { request } else { request.header("content-type", headers[0].1) };
        assert_eq!(request.send().await.unwrap().status(), 415, "{kind}");
    }
    let foreign = sender
        .client
        .post(format!("{}{PATH}", sender.base))
        .header("tus-resumable", "1.0.0")
        .header("sec-fetch-site", "cross-site")
        .header("origin", "https://evil.example")
        .header("upload-length", "5")
        .send();
    assert_eq!(foreign.await.unwrap().status(), 403);
    assert_eq!(sender.offset(&path).await, 0);
}
