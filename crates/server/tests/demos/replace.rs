//! A sender replaces the file of their demo.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use deadwax::{jobs, trash::moves};
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio_util::sync::CancellationToken;

use super::sender::{Sender, metadata, wav};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

const NOVA: &str = "nova@artist.example";

fn said(token: &str) -> String {
    metadata(&[("replaces", token), ("filename", "better.wav"), ("artist_name", "Somebody else")])
}

async fn hear(server: &TestServer) {
    let id = server.only_demo().await;
    let mut desk = server.desk().await;
    let path = format!("/api/admin/desk/demos/{id}/state");
    assert_eq!(desk.send(reqwest::Method::PUT, &path, Some(json!({"state": "heard"}))).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_file_replaces_an_unheard_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let [old] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    jobs::do_due(&server.app.analysis, &CancellationToken::new()).await.unwrap();
    let mut desk = server.desk().await;
    let at_desk = format!("/api/admin/desk/demos/{}", server.only_demo().await);
    assert_eq!(desk.get(&at_desk).await.json()["sound"]["state"], "done");
    let (sender, bytes) = (Sender::of(&server), wav(50_000, 9));
    let announced = sender.announce(bytes.len(), &said(&token)).await;
    assert_eq!(announced.status, 201, "{announced:?}");
    let path = announced.header("location").to_owned();
    assert_eq!(sender.patch(&path, 0, bytes[..20_000].to_vec()).await.status, 204);
    assert_eq!(server.sent(&token).await["original_name"], "set.wav", "until the other is all here");
    assert_eq!(sender.patch(&path, 20_000, bytes[20_000..].to_vec()).await.status, 204);
    server.wait_for_sweep().await;
    let [new] = <[String; 1]>::try_from(server.files("media/demos")).unwrap();
    assert_ne!(new, old);
    assert!(new.ends_with("_Nova.wav"), "{new}");
    assert_eq!(std::fs::read(server.data.path().join("media/demos").join(new)).unwrap(), bytes);
    let known = desk.get(&at_desk).await.json();
    assert_eq!(
        (&known["original_name"], &known["size_bytes"], &known["sound"]["state"]),
        (&json!("better.wav"), &json!(50_000), &json!("waiting")),
        "the desk has the new one, which is measured anew"
    );
    let shown = server.sent(&token).await;
    assert_eq!((&shown["original_name"], &shown["size_bytes"]), (&json!("better.wav"), &json!(50_000)));
    assert_eq!(shown["submitted_at"], "2026-11-20T12:00:00Z");
    assert_eq!((server.count("demos").await, server.count("objects").await, server.mails().len()), (1, 1, 2));
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_heard_file_is_not_replaced(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let before = server.files("media/demos");
    let (sender, bytes) = (Sender::of(&server), wav(50_000, 10));
    let path = sender.announce(bytes.len(), &said(&token)).await.header("location").to_owned();
    assert_eq!(sender.patch(&path, 0, bytes[..20_000].to_vec()).await.status, 204);
    hear(&server).await;
    let late = sender.patch(&path, 20_000, bytes[20_000..].to_vec()).await;
    assert_eq!((late.status.as_u16(), late.problem().as_str()), (409, "demo_heard"));
    assert_eq!(sender.head(&path).await.status, 404, "the upload is gone with its parts");
    let refused = sender.announce(bytes.len(), &said(&token)).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (409, "demo_heard"));
    server.wait_for_sweep().await;
    assert_eq!((server.files("media/demos"), server.count("objects").await), (before, 1));
    assert_eq!(server.sent(&token).await["can_replace"], false);
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_file_that_is_heard_while_another_arrives_is_not_replaced(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let before = server.files("media/demos");
    let (sender, bytes) = (Sender::of(&server), wav(50_000, 13));
    let path = sender.announce(bytes.len(), &said(&token)).await.header("location").to_owned();
    let mut arriving = sender.begin_patch(&path, 0, &bytes[..20_000], bytes.len()).await;
    server.wait_until("it arrives", async || !server.files("spool").is_empty()).await;
    hear(&server).await;
    arriving.write_all(&bytes[20_000..]).await.unwrap();
    server
        .wait_until("the upload is gone", async || {
            server.count("uploads WHERE replaces IS NOT NULL").await == 0
        })
        .await;
    assert_eq!(sender.head(&path).await.status, 404);
    server.wait_for_sweep().await;
    assert_eq!((server.files("media/demos"), server.count("objects").await), (before, 1));
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_heard_file_takes_no_more_bytes_of_another(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let (sender, bytes) = (Sender::of(&server), wav(50_000, 12));
    let path = sender.announce(bytes.len(), &said(&token)).await.header("location").to_owned();
    assert_eq!(sender.patch(&path, 0, bytes[..20_000].to_vec()).await.status, 204);
    hear(&server).await;
    let late = sender.patch(&path, 20_000, bytes[20_000..30_000].to_vec()).await;
    assert_eq!((late.status.as_u16(), late.problem().as_str()), (409, "demo_heard"));
    assert_eq!(sender.head(&path).await.status, 404);
    server.wait_for_sweep().await;
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn an_upload_ends_with_the_demo_that_the_label_deletes_for_good(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let (sender, bytes) = (Sender::of(&server), wav(50_000, 11));
    let path = sender.announce(bytes.len(), &said(&token)).await.header("location").to_owned();
    assert_eq!(sender.patch(&path, 0, bytes[..20_000].to_vec()).await.status, 204);
    let demo = format!("/api/admin/demos/{}", server.only_demo().await);
    assert_eq!(server.desk().await.send(reqwest::Method::DELETE, &demo, None).await.status, 204);
    assert_eq!(sender.offset(&path).await, 20_000, "it may be restored");
    server.advance(Duration::from_secs(61));
    moves::sweep(&server.app.db, &server.app.origin, server.app.clock.now()).await;
    assert_eq!(server.count("uploads WHERE replaces IS NOT NULL").await, 0);
    assert_eq!(sender.head(&path).await.status, 404);
    server.wait_for_sweep().await;
    assert_eq!(server.files("media/demos"), [""; 0]);
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_file_that_is_no_sound_and_a_link_that_leads_nowhere_change_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let before = server.files("media/demos");
    let sender = Sender::of(&server);
    let similar = format!("{}{}", &token[..42], if token.ends_with('A') { 'E' } else { 'A' });
    for nobody in ["", "x", &similar] {
        let refused = sender.announce(1000, &said(nobody)).await;
        assert_eq!(refused.status, 404, "{refused:?}");
    }
    let path = sender.announce(1000, &said(&token)).await.header("location").to_owned();
    let refused = sender.patch(&path, 0, vec![1; 1000]).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, "invalid_file_type"));
    server.wait_for_sweep().await;
    assert_eq!((server.files("media/demos"), server.count("demos").await), (before, 1));
    assert_eq!(server.sent(&token).await["original_name"], "set.wav");
}

#[apply(on_both_engines!)]
async fn replacing_a_file_reveals_nothing_about_the_sender(engine: Engine) {
    let server = TestServer::start(engine).await;
    let message = metadata(&[
        ("artist_name", "Nova"),
        ("email", NOVA),
        ("message", "Call me on 0170"),
        ("filename", "set.wav"),
    ]);
    let (sender, bytes) = (Sender::of(&server), wav(20_000, 7));
    let path = sender.announce(bytes.len(), &message).await.header("location").to_owned();
    assert!(!sender.head(&path).await.header("upload-metadata").is_empty(), "their own upload is described");
    assert_eq!(sender.patch(&path, 0, bytes).await.status, 204);
    let token = super::confirmation::token_in(&crate::support::sink::quoted(&server.mails_to(NOVA)[0]));

    let path = sender.announce(1000, &said(&token)).await.header("location").to_owned();
    let described = sender.head(&path).await;
    assert_eq!((described.status.as_u16(), described.header("upload-length")), (200, "1000"));
    let known: Vec<(String, String)> = described
        .header("upload-metadata")
        .split(',')
        .map(|pair| {
            let (name, value) = pair.split_once(' ').unwrap();
            (name.to_owned(), String::from_utf8(STANDARD.decode(value).unwrap()).unwrap())
        })
        .collect();
    assert_eq!(known, [("filename".to_owned(), "better.wav".to_owned())]);
}
