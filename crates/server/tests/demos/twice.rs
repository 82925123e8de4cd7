//! A demo announced twice under one idempotency key, by a double click or after a lost answer, is stored once.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::json;
use tokio::join;

use super::sender::{BYTES, PATH, Sender, number, plain, wav};
use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer},
};

/// Announces `set.wav`, with its bytes or without, always under the same key.
async fn announce(sender: &Sender, length: usize, bytes: Option<Vec<u8>>) -> Answer {
    announce_as("\"the form\"", sender, length, bytes).await
}

async fn announce_as(key: &str, sender: &Sender, length: usize, bytes: Option<Vec<u8>>) -> Answer {
    let (length, metadata) = (length.to_string(), plain("set.wav"));
    let kind = if bytes.is_some() { BYTES } else { "" };
    let headers = [
        ("upload-length", length.as_str()),
        ("upload-metadata", &metadata),
        ("content-type", kind),
        ("idempotency-key", key),
    ];
    sender.ask("POST", PATH, &headers, bytes.unwrap_or_default()).await
}

#[apply(on_both_engines!)]
async fn a_demo_that_is_announced_twice_is_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(20_000, 1));
    let (first, second) = join!(announce(&sender, 20_000, None), announce(&sender, 20_000, None));
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201), "{first:?} {second:?}");
    let path = first.header("location").to_owned();
    assert_eq!((second.header("location"), server.count("uploads").await), (path.as_str(), 1));
    assert_eq!(second.header("upload-expires"), first.header("upload-expires"));
    // The newer request writes while the other learns the offset. If the older one had stored some bytes before it was stopped,
    // both do.
    let (one, other) = join!(sender.patch(&path, 0, bytes.clone()), sender.patch(&path, 0, bytes.clone()));
    for answer in [&one, &other] {
        assert!([204, 409].contains(&answer.status.as_u16()), "{answer:?}");
    }
    let kept = sender.offset(&path).await;
    assert_eq!(one.status == 204 || other.status == 204, kept == 20_000, "{kept} kept: {one:?} {other:?}");
    let rest = sender.patch(&path, kept, bytes[kept..].to_vec()).await;
    assert_eq!((rest.status.as_u16(), sender.offset(&path).await), (204, 20_000), "{rest:?}");
    assert_eq!((server.count("demos").await, server.mails().len()), (1, 2));
    let late = announce(&sender, 20_000, None).await;
    assert_eq!((late.header("location"), number(&late.headers, "upload-offset")), (path.as_str(), 20_000));

    // Two more this hour: the repetition was not counted. Another key, or another sender, makes another upload.
    assert_ne!(announce_as("another", &sender, 20_000, None).await.header("location"), path);
    assert_ne!(announce(&Sender::of(&server), 20_000, None).await.header("location"), path);
    let reused = announce(&sender, 20_004, None).await;
    assert_eq!((reused.status.as_u16(), &reused.json()["code"]), (422, &json!("idempotency_key_reused")));
    server.advance(Duration::from_secs(600));
    let later = announce(&sender, 20_000, None).await;
    assert_eq!(later.status, 201, "{later:?}");
    assert_ne!(later.header("location"), path);
    assert_eq!(announce_as("a fourth", &sender, 20_000, None).await.status, 429);
}

#[apply(on_both_engines!)]
async fn a_demo_that_is_sent_twice_at_once_is_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (sender, bytes) = (Sender::of(&server), wav(20_000, 1));
    let send = async || announce(&sender, 20_000, Some(bytes.clone())).await;
    let (first, second) = join!(send(), send());
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201), "{first:?} {second:?}");
    assert_eq!(first.header("location"), second.header("location"));
    assert_eq!((server.count("demos").await, server.mails().len()), (1, 2));
}

#[apply(on_both_engines!)]
async fn an_upload_that_was_dropped_may_be_announced_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sender = Sender::of(&server);
    let path = announce(&sender, 20_000, None).await.header("location").to_owned();
    assert_eq!(sender.end(&path).await.status, 204);
    let again = announce(&sender, 20_000, None).await;
    assert_eq!(again.status, 201, "{again:?}");
    assert_ne!(again.header("location"), path);
    // An upload refused by its first bytes is dropped, and refused again when resent.
    let broken = vec![7; 20_000];
    for _ in 0..2 {
        let other = Sender::of(&server);
        let refused = announce(&other, 20_000, Some(broken.clone())).await;
        assert_eq!(refused.status, 422, "{refused:?}");
    }
}
