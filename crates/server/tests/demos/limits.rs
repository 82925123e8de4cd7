use std::time::Duration;

use macro_rules_attribute::apply;

use super::sender::{PATH, Sender, plain, wav};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn the_fourth_demo_of_an_hour_and_the_eleventh_of_a_day_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    for number in 0..10 {
        sender.create(1000).await;
        if number % 3 == 2 {
            let answer = sender.announce(1000, &plain("set.wav")).await;
            assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (429, "rate_limited"));
            assert_eq!(answer.header("retry-after"), "3600");
            server.advance(Duration::from_hours(1));
        }
    }
    server.advance(Duration::from_hours(1));
    let answer = sender.announce(1000, &plain("set.wav")).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (429, "72000"));
    Sender::of(&server).create(1000).await;
    server.advance(Duration::from_hours(20));
    sender.create(1000).await;
}

#[apply(on_both_engines!)]
async fn a_forged_address_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut accepted = 0;
    for number in 0..20 {
        // The last entry is the one the nearest proxy saw; the entries before it may be forged.
        let mut sender = Sender::at(&server.base, &format!("203.0.113.{number}, 198.51.100.7"));
        if number % 2 == 0 {
            sender.address = format!("2001:db8::{number}, 198.51.100.7:{}", 1000 + number);
        }
        let forged = [("x-real-ip", "192.0.2.1"), ("forwarded", "for=192.0.2.2")];
        let said = plain("set.wav");
        let headers =
            [&[("upload-length", "1000"), ("upload-metadata", said.as_str())], &forged[..]].concat();
        accepted += usize::from(sender.ask("POST", PATH, &headers, "").await.status == 201);
    }
    assert_eq!(accepted, 3);
    let mut accepted = 0;
    for host in 0..6 {
        let sender = Sender::at(&server.base, &format!("2001:db8:7:7:{host}::1"));
        accepted += usize::from(sender.announce(1000, &plain("set.wav")).await.status == 201);
    }
    assert_eq!(accepted, 3, "a network of IPv6 counts as one client");
}

#[apply(on_both_engines!)]
async fn many_at_once_do_not_pass_the_limit(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let said = plain("set.wav");
    let all = (0..20).map(|_| sender.announce(1000, &said));
    let answers = futures_util::future::join_all(all).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 3);
    assert_eq!(server.count("uploads").await, 3);
}

#[apply(on_both_engines!)]
async fn a_third_request_with_bytes_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(10_000, 1));
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(sender.create(bytes.len()).await);
    }
    let first = sender.begin_patch(&paths[0], 0, &bytes[..100], bytes.len()).await;
    let _second = sender.begin_patch(&paths[1], 0, &bytes[..100], bytes.len()).await;
    server.wait_until("both write", async || server.files("spool").len() == 2).await;
    let refused = sender.patch(&paths[2], 0, bytes.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (429, "rate_limited"));
    let elsewhere = Sender::of(&server);
    let path = elsewhere.create(bytes.len()).await;
    assert_eq!(elsewhere.patch(&path, 0, bytes.clone()).await.status, 204);
    drop(first);
    server.wait_until("one has left", async || server.files("spool").len() == 1).await;
    server
        .wait_until("it may begin", async || sender.patch(&paths[2], 0, bytes.clone()).await.status == 204)
        .await;
}

#[apply(on_both_engines!)]
async fn twenty_gigabytes_are_enough(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let (first, second) = (sender.create(1000).await, sender.create(1000).await);
    let all = 20_i64 * 1024 * 1024 * 1024;
    server.sql(&format!("UPDATE uploads SET length = {} WHERE id_hash = (SELECT id_hash FROM uploads ORDER BY id_hash LIMIT 1)", all - 2500)).await;
    let said = plain("set.wav");
    for (length, status) in [(1501, 503), (1500, 201), (1, 503)] {
        let answer = Sender::of(&server).announce(length, &said).await;
        assert_eq!(answer.status.as_u16(), status, "{answer:?}");
        if status == 503 {
            assert_eq!((answer.problem().as_str(), answer.header("retry-after")), ("storage_full", "600"));
        }
    }
    // A refusal for lack of room is not counted, and a finished upload makes room.
    sender.end(&first).await;
    sender.end(&second).await;
    sender.create(1).await;
}
