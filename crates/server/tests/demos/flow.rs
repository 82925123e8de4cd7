use macro_rules_attribute::apply;
use sha2::{Digest as _, Sha256};

use super::sender::{BYTES, MOST, PATH, Sender, number, plain, wav};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, sink::quoted},
};

#[apply(on_both_engines!)]
async fn a_demo_is_stored_and_the_label_gets_one_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(300_000, 1));
    let path = sender.create(bytes.len()).await;
    let before = sender.head(&path).await;
    assert_eq!(
        (number(&before.headers, "upload-offset"), number(&before.headers, "upload-length")),
        (0, 300_000)
    );
    assert_eq!(
        before.header("upload-expires"),
        "Fri, 20 Nov 2026 13:00:00 GMT",
        "an announcement waits an hour"
    );
    assert_eq!(before.header("upload-metadata").split(',').count(), 4);

    let answer = sender.patch(&path, 0, bytes.clone()).await;
    assert_eq!((answer.status.as_u16(), answer.header("upload-offset")), (204, "300000"), "{answer:?}");
    let [file] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    assert!(file.starts_with("1795176000000_") && file.ends_with("_Nova_Söhne.wav"), "{file}");
    assert_eq!(std::fs::read(server.data.path().join("media/demos").join(&file)).unwrap(), bytes);
    let sum = hex::encode(Sha256::digest(&bytes));
    assert_eq!(
        server.count(&format!("objects WHERE key = 'demos/{file}' AND size_bytes = 300000 AND sha256 = '{sum}' AND content_type = 'audio/wav'")).await,
        1
    );
    assert_eq!(
        server.count(&format!("demos WHERE file_key = 'demos/{file}' AND artist_name = 'Nova & Söhne' AND email = 'nova@artist.example' AND original_name = 'set.wav' AND message LIKE 'Two tracks.%'")).await,
        1
    );
    assert_eq!(server.get(&format!("/media/demos/{file}")).await.status, 404, "demos are never public");

    let mails = server.mails();
    assert_eq!(
        (mails.len(), server.mails_to("nova@artist.example").len()),
        (2, 1),
        "to the label and to the sender: {mails:?}"
    );
    let mail = quoted(&mails[0]);
    let id = server.only_demo().await;
    for line in [
        "Subject: 404 COLLECTIVE: new demo by Nova",
        "Reply-To: nova@artist.example",
        "Nova & Söhne",
        "set.wav (292.97 KB)",
        "Two tracks.\r\nBest at night.",
        &format!("/admin/demos?demo={id}"),
    ] {
        assert!(mail.contains(line), "{line}: {mail}");
    }

    // A client that lost the answer may ask again or resend.
    let after = sender.head(&path).await;
    assert_eq!(
        (after.status.as_u16(), after.header("upload-offset"), after.header("upload-metadata")),
        (200, "300000", "")
    );
    for offset in [0, 100_000, 300_000] {
        let again = sender.patch(&path, offset, bytes[offset..].to_vec()).await;
        assert_eq!((again.status.as_u16(), again.header("upload-offset")), (204, "300000"));
    }
    assert_eq!(sender.patch(&path, 300_001, vec![]).await.status, 409);
    assert_eq!((server.count("demos").await, server.count("outbox").await, server.mails().len()), (1, 2, 2));
    assert_eq!(server.count("uploads WHERE email IS NULL AND artist_name IS NULL AND message IS NULL AND original_name IS NULL").await, 1);
    assert_eq!(server.count("audit_log WHERE event = 'upload_stored' AND outcome = 'ok'").await, 1);
    server.wait_for_sweep().await;
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_demo_in_many_requests_is_joined(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1_000_003, 2));
    let path = sender.create(bytes.len()).await;
    let mut offset = 0;
    for (number, piece) in bytes.chunks(100_000).enumerate() {
        assert_eq!(sender.offset(&path).await, offset);
        let answer = sender.patch(&path, offset, piece.to_vec()).await;
        offset += piece.len();
        assert_eq!(
            (answer.status.as_u16(), answer.header("upload-offset")),
            (204, offset.to_string().as_str())
        );
        let is_last = offset == bytes.len();
        assert_eq!(server.count("upload_parts").await, if is_last { 0 } else { number as i64 + 1 });
    }
    let [file] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    assert_eq!(std::fs::read(server.data.path().join("media/demos").join(file)).unwrap(), bytes);
    assert_eq!((server.count("demos").await, server.mails().len()), (1, 2));
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn a_demo_of_exactly_seventy_megabytes_is_accepted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(MOST, 3));
    let path = sender.create(MOST).await;
    let first = sender.patch(&path, 0, bytes[..MOST - 1].to_vec()).await;
    assert_eq!(first.status, 204);
    assert_eq!(sender.patch(&path, MOST - 1, bytes[MOST - 1..].to_vec()).await.status, 204);
    let sum = hex::encode(Sha256::digest(&bytes));
    assert_eq!(server.count(&format!("objects WHERE size_bytes = {MOST} AND sha256 = '{sum}'")).await, 1);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn bytes_may_come_with_the_announcement(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(50_000, 4));
    let announce = async |bytes: &[u8]| {
        let headers =
            [("upload-length", "50000"), ("upload-metadata", &plain("set.wav")), ("content-type", BYTES)];
        sender.ask("POST", PATH, &headers, bytes.to_vec()).await
    };
    let whole = announce(&bytes).await;
    assert_eq!((whole.status.as_u16(), whole.header("upload-offset")), (201, "50000"), "{whole:?}");
    let half = announce(&bytes[..20_000]).await;
    assert_eq!((half.status.as_u16(), half.header("upload-offset")), (201, "20000"));
    let path = half.header("location").to_owned();
    assert_eq!(sender.patch(&path, 20_000, bytes[20_000..].to_vec()).await.status, 204);
    assert_eq!(server.count("demos").await, 2);
    let mut wrong = bytes;
    wrong[..4].copy_from_slice(b"JUNK");
    let refused = announce(&wrong).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, "invalid_file_type"));
    assert_eq!(server.count("demos").await, 2);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn the_server_says_what_it_can_do(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let answer = sender.ask("OPTIONS", PATH, &[("tus-resumable", "")], "").await;
    assert_eq!(answer.status, 204);
    for (name, value) in [
        ("tus-version", "1.0.0"),
        ("tus-extension", "creation,creation-with-upload,termination,expiration,checksum"),
        ("tus-max-size", "73400320"),
        ("tus-checksum-algorithm", "sha1,sha256"),
    ] {
        assert_eq!(answer.header(name), value);
    }
}

#[apply(on_both_engines!)]
async fn a_demo_without_a_message_says_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 5));
    let said = super::sender::metadata(&[
        ("filename", "C:\\music\\Set.WAV"),
        ("artist_name", " X "),
        ("email", "x@y.example"),
        ("message", "  "),
        ("filetype", "audio/wav"),
    ]);
    let path = sender.announce(1000, &said).await.header("location").to_owned();
    assert_eq!(sender.patch(&path, 0, bytes).await.status, 204);
    assert_eq!(
        server.count("demos WHERE message IS NULL AND artist_name = 'X' AND original_name = 'Set.WAV'").await,
        1
    );
    assert!(server.files("media/demos")[0].ends_with("_X.wav"));
    assert!(!server.mails()[0].contains("Message:"));
}

#[apply(on_both_engines!)]
async fn the_longest_words_in_the_widest_letters_fit_into_a_head(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let said = |message: usize| {
        super::sender::metadata(&[
            ("filename", "set.wav"),
            ("artist_name", &"🎛".repeat(500)),
            ("email", "x@y.example"),
            ("message", &"🎛".repeat(message)),
        ])
    };
    let answer = sender.announce(1000, &said(2000)).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let answer = sender.announce(1000, &said(2001)).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.json()["fields"]["message"], "Message must be less than 2000 characters");
}

#[apply(on_both_engines!)]
async fn clients_that_can_only_post_are_served(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 6));
    let path = sender.create(1000).await;
    let patch = [("x-http-method-override", "PATCH"), ("content-type", BYTES), ("upload-offset", "0")];
    assert_eq!(sender.ask("POST", &path, &patch, bytes[..10].to_vec()).await.status, 204);
    let head = sender.ask("POST", &path, &[("x-http-method-override", "HEAD")], "").await;
    assert_eq!((head.status.as_u16(), head.header("upload-offset")), (200, "10"));
    assert_eq!(sender.ask("POST", &path, &[], "").await.status, 405);
    assert_eq!(sender.ask("POST", &path, &[("x-http-method-override", "DELETE")], "").await.status, 204);
    assert_eq!(sender.head(&path).await.status, 404);
    server.assert_nothing_happened().await;
}
