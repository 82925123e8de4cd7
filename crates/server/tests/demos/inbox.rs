use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::sender::{Sender, metadata, wav};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::Browser,
        sink::{Sink, sending_to},
    },
};

const PATH: &str = "/api/admin/demos";

async fn submitted(server: &TestServer, artist: &str, bytes: Vec<u8>) {
    server.advance(std::time::Duration::from_secs(1));
    let sender = Sender::of(server);
    let said =
        metadata(&[("artist_name", artist), ("email", "Nova@Artist.example"), ("filename", "set.wav")]);
    let answer = sender.announce(bytes.len(), &said).await;
    let path = answer.header("location").to_owned();
    assert_eq!(sender.patch(&path, 0, bytes).await.status, 204);
}

async fn newest(desk: &mut Browser) -> Value {
    desk.get(PATH).await.json()["items"][0].clone()
}

#[apply(on_both_engines!)]
async fn demos_are_listed_newest_first_and_searched(engine: Engine) {
    let server = TestServer::start(engine).await;
    for artist in ["Nova & Söhne", "Rhythm_Sound", "100% Vinyl"] {
        submitted(&server, artist, wav(1000, 1)).await;
    }
    let mut desk = server.desk().await;
    let page = desk.get("/api/admin/demos?limit=100").await.json();
    let artists: Vec<&str> =
        page["items"].as_array().unwrap().iter().map(|row| row["artist_name"].as_str().unwrap()).collect();
    assert_eq!(artists, ["100% Vinyl", "Rhythm_Sound", "Nova & Söhne"]);
    assert_eq!((&page["total"], &page["next_cursor"]), (&json!(3), &Value::Null));
    let last = &page["items"][2];
    assert_eq!((&last["artist_label"], &last["size_bytes"]), (&json!("Nova Söhne"), &json!(1000)));
    assert_eq!((&last["email"], &last["message"]), (&json!("nova@artist.example"), &Value::Null));
    assert_eq!((&last["original_name"], &last["content_type"]), (&json!("set.wav"), &json!("audio/wav")));
    assert_eq!(last["submitted_at"], "2026-11-20T12:00:01Z");
    assert_eq!(last["name"], last["file_name"]);
    assert_eq!((&last["size"], &last["last_modified"]), (&json!(1000), &json!("2026-11-20T12:00:01Z")));
    for (q, total) in [
        ("0%25", 1),
        ("rhythm_s", 1),
        ("NOVA@", 3),
        ("SET.WAV", 3),
        ("S%C3%96HNE", 1),
        ("sohne", 1),
        ("nobody", 0),
    ] {
        let found = desk.get(&format!("{PATH}?q={q}")).await.json();
        assert_eq!(found["total"], total, "{q}");
    }
    let first = desk.get("/api/admin/demos?limit=2").await.json();
    let next = format!("/api/admin/demos?limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!(desk.get(&next).await.json()["items"][0]["artist_name"], "Nova & Söhne");
}

#[apply(on_both_engines!)]
async fn a_demo_can_be_heard_and_downloaded_by_admins_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let bytes = wav(300_000, 5);
    submitted(&server, "Nova & Söhne", bytes.clone()).await;
    let mut desk = server.desk().await;
    let row = newest(&mut desk).await;
    let (id, name) = (row["id"].as_str().unwrap(), row["file_name"].as_str().unwrap());
    let path = format!("{PATH}/{id}/file");
    let file = desk.get(&path).await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "audio/wav"));
    assert!(file.bytes == bytes);
    let plain = name.replace('ö', "_");
    let encoded = name.replace('ö', "%C3%B6");
    assert_eq!(
        file.header("content-disposition"),
        format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
    );
    assert_eq!(
        (file.header("cache-control"), file.header("x-content-type-options")),
        ("no-store", "nosniff")
    );
    assert_eq!(file.header("cross-origin-resource-policy"), "same-origin");
    desk.headers = vec![("range".to_owned(), "bytes=299990-".to_owned())];
    let part = desk.get(&format!("{path}?inline=true")).await;
    assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &bytes[299_990..]));
    assert!(part.header("content-disposition").starts_with("inline; "), "{part:?}");
    desk.headers.clear();
    assert_eq!(desk.get(&format!("{path}?inline=maybe")).await.status, 422);
    let noted = format!("audit_log WHERE event = 'sensitive_read' AND target = 'demo:{id}'");
    assert_eq!(server.count(&noted).await, 1, "a player asks piece by piece");
    let mut other = server.signed_in(&server.admin("other_404").await).await;
    assert_eq!(other.get(&path).await.status, 200);
    assert_eq!(server.count(&noted).await, 2, "each admin is noted");
    server.advance(std::time::Duration::from_mins(61));
    other.headers = vec![("range".to_owned(), "bytes=1-".to_owned())];
    assert_eq!(other.get(&path).await.status, 206);
    assert_eq!(server.count(&noted).await, 3, "an hour later again, whichever piece it is");
    let member = server.person("member_404").await;
    let mut member = server.signed_in(&member).await;
    assert_eq!(
        (member.get(&path).await.status, server.get(&path).await.status),
        (403.try_into().unwrap(), 401.try_into().unwrap())
    );
    // The storage key alone gives no access, not even to an admin.
    for key in [
        format!("/media/demos/{name}"),
        format!("/media/demos/{encoded}"),
        format!("/media/uploads/..%2fdemos%2f{encoded}"),
    ] {
        for browser in [&mut desk, &mut member, &mut server.browser()] {
            assert_eq!(browser.get(&key).await.status, 404, "{key}");
        }
    }
    // An archive cannot be played.
    server.sql("UPDATE objects SET content_type = 'application/zip'").await;
    let archive = desk.get(&format!("{path}?inline=true")).await;
    assert!(archive.header("content-disposition").starts_with("attachment; "), "{archive:?}");
}

#[apply(on_both_engines!)]
async fn a_demo_goes_with_its_file_and_its_notice(engine: Engine) {
    let sink = Sink::away();
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    submitted(&server, "Nova", wav(1000, 1)).await;
    submitted(&server, "Mira", wav(1000, 2)).await;
    let mut desk = server.desk().await;
    let id = newest(&mut desk).await["id"].as_str().unwrap().to_owned();
    let path = format!("{PATH}/{id}");
    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.delete(&path).await.status, 404);
    assert_eq!(desk.get(&format!("{path}/file")).await.status, 404);
    assert_eq!(newest(&mut desk).await["artist_name"], "Nova");
    // A deleted demo can be restored for one minute.
    let trash = format!("/api/admin/trash/demo/{id}/restore");
    server.advance(std::time::Duration::from_secs(59));
    assert_eq!(desk.send(reqwest::Method::POST, &trash, None).await.status, 204);
    assert_eq!(newest(&mut desk).await["id"], id);
    assert_eq!(desk.delete(&path).await.status, 204);
    server.advance(std::time::Duration::from_secs(60));
    assert_eq!(desk.send(reqwest::Method::POST, &trash, None).await.status, 404);
    let (notices, now) = ("outbox WHERE kind = 'demo' AND sealed IS NOT NULL", server.app.clock.now());
    assert_eq!(server.count(notices).await, 2);
    assert_eq!(deadwax::trash::moves::sweep(&server.app.db, &server.app.origin, now).await, 1);
    assert_eq!((server.count("objects").await, server.count(notices).await), (1, 1));
    assert!(server.count("outbox WHERE kind = 'demo_arrived'").await > 0, "the sender's own letter leaves");
    server.wait_until("the file is gone", async || server.files("media/demos").len() == 1).await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
}
