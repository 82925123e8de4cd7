//! Pending uploads count towards the 20 GB for all demos.

use std::time::Duration;

use deadwax::demos;
use macro_rules_attribute::apply;

use super::sender::{Sender, plain, wav};
use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer},
};

const ALL: i64 = 20 * 1024 * 1024 * 1024;

/// Changes the announced size of the upload of `length` bytes to `claimed` bytes.
async fn enlarge(server: &TestServer, length: usize, claimed: i64) {
    server.sql(&format!("UPDATE uploads SET length = {claimed} WHERE length = {length}")).await;
}

/// Whether an upload of `length` bytes is accepted.
async fn finds_room(server: &TestServer, length: usize) -> bool {
    let answer = Sender::of(server).announce(length, &plain("set.wav")).await;
    if answer.status != 201 {
        is_full(&answer);
    }
    answer.status == 201
}

fn is_full(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (503, "storage_full"), "{answer:?}");
    assert_eq!(answer.header("retry-after"), "600");
}

#[apply(on_both_engines!)]
async fn an_announcement_holds_room_for_five_minutes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let path = Sender::of(&server).create(1001).await;
    enlarge(&server, 1001, ALL).await;
    assert_eq!(Sender::of(&server).head(&path).await.status, 200);
    server.advance(Duration::from_mins(4));
    assert!(!finds_room(&server, 1).await);
    server.advance(Duration::from_mins(1));
    assert!(finds_room(&server, 1000).await);
}

#[apply(on_both_engines!)]
async fn a_byte_now_and_then_holds_no_more_room_than_itself(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1001, 1));
    let path = sender.create(bytes.len()).await;
    let all = usize::try_from(ALL).unwrap();
    for (offset, hours) in [(0, 2), (1, 18), (2, 20)] {
        assert_eq!(sender.patch(&path, offset, bytes[offset..=offset].to_vec()).await.status, 204);
        enlarge(&server, 1001, ALL).await;
        server.advance(Duration::from_hours(hours));
        assert!(finds_room(&server, 990).await, "{hours} hours after byte {offset}");
        server.sql("DELETE FROM uploads WHERE received = 0").await;
        enlarge(&server, all, 1001).await;
    }
}

#[apply(on_both_engines!)]
async fn what_has_arrived_waits_for_room_and_is_not_lost(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 2));
    let path = sender.create(bytes.len()).await;
    assert_eq!(sender.patch(&path, 0, bytes[..300].to_vec()).await.status, 204);
    server.advance(Duration::from_mins(22 * 60));
    let stranger = Sender::of(&server);
    let other = stranger.create(1001).await;
    // All of it is there: what had still to come would need that much of this machine's disk.
    let takes = async |bytes: i64| {
        let set = format!("UPDATE uploads SET length = {bytes}, received = {bytes} WHERE length > 1000");
        server.sql(&set).await;
    };
    takes(ALL - 999).await;
    for _ in 0..2 {
        is_full(&sender.patch(&path, 300, bytes[300..].to_vec()).await);
        assert_eq!(sender.offset(&path).await, 300);
    }
    assert_eq!(server.count("uploads WHERE writer IS NULL").await, 2);
    // One more byte is free now.
    takes(ALL - 1000).await;
    assert_eq!(sender.patch(&path, 300, bytes[300..].to_vec()).await.status, 204);
    assert_eq!(server.count("demos").await, 1);
    assert_eq!(stranger.end(&other).await.status, 204);
    server.wait_for_sweep().await;
}

#[apply(on_both_engines!)]
async fn an_upload_that_goes_on_keeps_its_room(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(6_000_000, 3));
    let path = sender.create(bytes.len()).await;
    // At 8 KiB a second these may take 488 seconds.
    assert_eq!(sender.patch(&path, 0, bytes[..4_000_000].to_vec()).await.status, 204);
    server.advance(Duration::from_secs(300 + 400));
    Sender::of(&server).create(1001).await;
    enlarge(&server, 1001, ALL - 6_000_000).await;
    assert!(!finds_room(&server, 1).await);
    assert_eq!(sender.patch(&path, 4_000_000, bytes[4_000_000..5_000_000].to_vec()).await.status, 204);
    // And these another 122.
    server.advance(Duration::from_mins(3));
    assert!(!finds_room(&server, 1).await);
    assert_eq!(sender.patch(&path, 5_000_000, bytes[5_000_000..].to_vec()).await.status, 204);
    assert_eq!(server.count("demos").await, 1);
}

#[apply(on_both_engines!)]
async fn a_request_under_way_holds_room_for_what_it_may_bring(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1001, 4));
    let path = sender.create(bytes.len()).await;
    server.advance(Duration::from_mins(10));
    let socket = sender.begin_patch(&path, 0, &bytes[..500], bytes.len()).await;
    server.wait_until("it writes", async || !server.files("spool").is_empty()).await;
    enlarge(&server, 1001, ALL).await;
    server.advance(Duration::from_mins(19));
    assert!(!finds_room(&server, 1).await);
    drop(socket);
    server.wait_until("it has ended", async || server.count("uploads WHERE writer IS NULL").await == 1).await;
    server.advance(Duration::from_secs(1));
    assert!(finds_room(&server, 1000).await);
}

#[apply(on_both_engines!)]
async fn what_has_expired_takes_no_room_before_it_is_swept(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(1001, 5));
    let path = sender.create(bytes.len()).await;
    assert_eq!(sender.patch(&path, 0, bytes[..500].to_vec()).await.status, 204);
    server.sql(&format!("UPDATE uploads SET length = {ALL}, received = {ALL}")).await;
    assert!(!finds_room(&server, 1).await);
    server.advance(Duration::from_hours(24));
    assert_eq!(sender.head(&path).await.status, 404);
    assert!(finds_room(&server, 1000).await);
    demos::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("uploads").await, 1);
}
