use std::time::Duration;

use deadwax::demos;
use macro_rules_attribute::apply;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::sender::{Sender, plain, wav};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn what_arrived_before_the_connection_broke_is_kept(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(2_000_000, 1));
    let path = sender.create(bytes.len()).await;
    let mut offset = 0;
    for cut in [700_000, 1_300_000] {
        let socket = sender.begin_patch(&path, offset, &bytes[offset..cut], bytes.len() - offset).await;
        drop(socket);
        server
            .wait_until("what arrived is kept", async || {
                server.count(&format!("uploads WHERE received = {cut}")).await == 1
            })
            .await;
        offset = sender.offset(&path).await;
        assert_eq!(offset, cut);
    }
    assert_eq!(server.count("demos").await, 0);
    assert_eq!(sender.patch(&path, offset, bytes[offset..].to_vec()).await.status, 204);
    let [file] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    assert_eq!(std::fs::read(server.data.path().join("media/demos").join(file)).unwrap(), bytes);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn a_newer_request_takes_over_from_one_that_hangs(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(500_000, 2));
    let path = sender.create(bytes.len()).await;
    let mut hanging = sender.begin_patch(&path, 0, &bytes[..200_000], bytes.len()).await;
    server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
    // All bytes sent are at the server, or on their way to it.
    let offset = sender.offset(&path).await;
    assert!(offset <= 200_000);
    let mut answer = String::new();
    hanging.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 409"), "{answer}");
    let _hanging =
        sender.begin_patch(&path, offset, &bytes[offset..offset + 1000], bytes.len() - offset).await;
    server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
    let mut offset = offset;
    let mut answer = sender.patch(&path, offset, bytes[offset..].to_vec()).await;
    if answer.status == 409 {
        // The aborted request still had bytes to store.
        offset = sender.offset(&path).await;
        answer = sender.patch(&path, offset, bytes[offset..].to_vec()).await;
    }
    assert_eq!(answer.status, 204, "{answer:?}");
    let [file] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    assert_eq!(std::fs::read(server.data.path().join("media/demos").join(file)).unwrap(), bytes);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn of_many_at_once_one_writes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(400_000, 3));
    let path = sender.create(bytes.len()).await;
    let all = (0..12).map(|_| sender.patch(&path, 0, bytes.clone()));
    let mut accepted = 0;
    for answer in futures_util::future::join_all(all).await {
        assert!(matches!(answer.status.as_u16(), 204 | 409 | 429), "{answer:?}");
        accepted += usize::from(answer.status == 204);
    }
    let offset = sender.offset(&path).await;
    if offset < bytes.len() {
        assert_eq!(accepted, 0);
        assert_eq!(sender.patch(&path, offset, bytes[offset..].to_vec()).await.status, 204);
    }
    assert_eq!((server.count("demos").await, server.count("outbox").await, server.mails().len()), (1, 2, 2));
    let [file] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    assert_eq!(std::fs::read(server.data.path().join("media/demos").join(file)).unwrap(), bytes);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn an_upload_that_is_ended_leaves_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 4));
    let path = sender.create(1000).await;
    assert_eq!(sender.patch(&path, 0, bytes[..300].to_vec()).await.status, 204);
    assert_eq!(server.files("media/parts").len(), 1);
    assert_eq!(sender.end(&path).await.status, 204);
    for answer in [sender.end(&path).await, sender.head(&path).await, sender.patch(&path, 300, bytes).await] {
        assert_eq!(answer.status, 404);
    }
    server.assert_nothing_happened().await;
}

#[apply(on_both_engines!)]
async fn an_upload_that_is_forgotten_expires(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 5));
    let path = sender.create(1000).await;
    let done = sender.create(1000).await;
    assert_eq!(sender.patch(&done, 0, bytes.clone()).await.status, 204);
    server.advance(Duration::from_mins(59));
    assert_eq!(sender.patch(&path, 0, bytes[..300].to_vec()).await.status, 204);
    server.advance(Duration::from_mins(60));
    // Empty requests must not extend the expiry and so keep room from others.
    let expiry = sender.head(&path).await.header("upload-expires").to_owned();
    let empty = sender.patch(&path, 300, Vec::new()).await;
    assert_eq!((empty.status.as_u16(), empty.header("upload-expires")), (204, expiry.as_str()));
    assert_eq!(sender.head(&path).await.header("upload-expires"), expiry);
    server.advance(Duration::from_mins(22 * 60 + 59));
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(sender.offset(&path).await, 300, "what was kept gives another day");
    server.advance(Duration::from_mins(1));
    assert_eq!(sender.head(&done).await.status, 404);
    for answer in [sender.head(&path).await, sender.patch(&path, 300, bytes[300..].to_vec()).await] {
        assert_eq!(answer.status, 404);
    }
    assert_eq!(server.files("media/parts").len(), 1);
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("uploads").await, 0);
    server.wait_for_sweep().await;
    assert_eq!(server.count("demos").await, 1);
}

#[apply(on_both_engines!)]
async fn an_announcement_alone_holds_its_room_for_an_hour(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let path = sender.create(1000).await;
    for _ in 0..3 {
        server.advance(Duration::from_mins(19));
        assert_eq!(sender.patch(&path, 0, Vec::new()).await.status, 204);
    }
    server.advance(Duration::from_mins(3));
    assert_eq!(sender.head(&path).await.status, 404);
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("uploads").await, 0);
}

#[apply(on_both_engines!)]
async fn bytes_that_are_only_announced_hold_no_room(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let path = sender.create(1000).await;
    let expiry = sender.head(&path).await.header("upload-expires").to_owned();
    for _ in 0..3 {
        server.advance(Duration::from_mins(19));
        let socket = sender.begin_patch(&path, 0, &[], 1).await;
        server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
        drop(socket);
        server.wait_until("it has ended", async || server.files("spool").is_empty()).await;
        assert_eq!(sender.head(&path).await.header("upload-expires"), expiry);
    }
    server.advance(Duration::from_mins(3));
    assert_eq!(sender.head(&path).await.status, 404);
    assert_eq!(sender.patch(&path, 0, vec![0]).await.status, 404);
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("uploads").await, 0);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn a_byte_a_day_does_not_hold_room_beyond_two_days(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 9));
    let path = sender.create(bytes.len()).await;
    server.advance(Duration::from_mins(30));
    assert_eq!(sender.patch(&path, 0, bytes[..1].to_vec()).await.status, 204);
    server.advance(Duration::from_hours(23));
    assert_eq!(sender.patch(&path, 1, bytes[1..2].to_vec()).await.status, 204);
    server.advance(Duration::from_hours(23));
    let last = sender.patch(&path, 2, bytes[2..3].to_vec()).await;
    assert_eq!(last.status, 204);
    assert_eq!(sender.head(&path).await.header("upload-expires"), last.header("upload-expires"));
    server.advance(Duration::from_mins(89));
    assert_eq!(sender.offset(&path).await, 3);
    server.advance(Duration::from_mins(1));
    assert_eq!(sender.patch(&path, 3, bytes[3..].to_vec()).await.status, 404);
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("uploads").await, 0);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn a_request_that_began_in_time_may_end_after_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 10));
    let path = sender.create(bytes.len()).await;
    server.advance(Duration::from_mins(59));
    let mut socket = sender.begin_patch(&path, 0, &bytes[..500], bytes.len()).await;
    server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
    server.advance(Duration::from_mins(20));
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    socket.write_all(&bytes[500..]).await.unwrap();
    let mut answer = [0; 12];
    socket.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 204");
    assert_eq!(server.count("demos").await, 1);
}

#[apply(on_both_engines!)]
async fn ending_an_upload_ends_the_request_that_writes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(100_000, 6));
    let path = sender.create(bytes.len()).await;
    let mut hanging = sender.begin_patch(&path, 0, &bytes[..50_000], bytes.len()).await;
    server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
    assert_eq!(sender.end(&path).await.status, 204);
    let mut answer = String::new();
    hanging.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 409"), "{answer}");
    assert_eq!(sender.head(&path).await.status, 404);
    server.assert_nothing_happened().await;
}

#[apply(on_both_engines!)]
async fn a_demo_survives_the_end_of_its_upload(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 7));
    let path = sender.create(1000).await;
    assert_eq!(sender.patch(&path, 0, bytes).await.status, 204);
    assert_eq!(sender.end(&path).await.status, 204);
    assert_eq!(sender.head(&path).await.status, 404);
    assert_eq!((server.count("demos").await, server.files("media/demos").len()), (1, 1));
}

#[apply(on_both_engines!)]
async fn an_ending_server_keeps_what_has_arrived(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(100_000, 8));
    let path = sender.create(bytes.len()).await;
    let mut hanging = sender.begin_patch(&path, 0, &bytes[..50_000], bytes.len()).await;
    server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
    server.app.stop.cancel();
    let mut answer = String::new();
    hanging.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("retry-after: 5"), "{answer}");
    assert_eq!(server.files("spool"), [""; 0]);
    let kept = server.count("uploads WHERE received > 0").await;
    assert_eq!(server.count("upload_parts").await, kept);
}

#[apply(on_both_engines!)]
async fn an_upload_that_cannot_go_keeps_no_other_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    for name in ["stuck.wav", "set.wav"] {
        assert_eq!(sender.announce(1000, &plain(name)).await.status, 201);
    }
    server.refuse("DELETE", "uploads", "OLD.original_name = 'stuck.wav'").await;
    server.advance(Duration::from_hours(49));
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("uploads").await, 1);
}
