//! A demo withdrawn by its sender leaves no trace.

use std::path::Path;

use deadwax_store::db::Db;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use super::sender::{Sender, metadata, wav};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        log::logged,
        sink::{Sink, sending_to},
    },
};

deadwax_store::statements! {
    LETTERS = "SELECT outbox_id FROM demo_letters";
}

/// A name that occurs nowhere else.
const ARTIST: &str = "Zyxwvut Qponmlk";
const LABEL: &str = "Zyxwvut_Qponmlk";
const EMAIL: &str = "zyxwvut@artist.example";
const FILE: &str = "qponmlk-nachtfahrt.wav";

/// Finds all files below a folder with one of the words in their name or content.
fn saying(folder: &Path, words: &[&str], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            saying(&path, words, found);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for word in words {
            let is_said = bytes.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
            if is_said || path.to_string_lossy().contains(word) {
                found.push(format!("{word} in {}", path.display()));
            }
        }
    }
}

/// The tables that contain one of the words.
async fn tables_saying(server: &TestServer, words: &[&str]) -> Vec<String> {
    let Db::Postgres { pool, .. } = &server.app.db else { return Vec::new() };
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT table_name::TEXT FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    assert!(tables.len() > 20, "{tables:?}");
    let mut found = Vec::new();
    for table in tables {
        let sql = sqlx::AssertSqlSafe(format!("SELECT t::TEXT FROM {table} t"));
        for row in sqlx::query_scalar::<_, String>(sql).fetch_all(pool).await.unwrap() {
            found.extend(
                words
                    .iter()
                    .filter(|word| row.contains(**word))
                    .map(|word| format!("{word} in {table}: {row}")),
            );
        }
    }
    found
}

#[apply(on_both_engines!)]
async fn nothing_is_left_of_a_sender_who_erases_everything(engine: Engine) {
    let server = TestServer::start(engine).await;
    let words = [ARTIST, LABEL, EMAIL, FILE, "secretly thought"];
    let (log, _guard) = logged("info,deadwax=trace,deadwax_mail=trace,deadwax_store=trace");
    let kept = server.sent_demo("Somebody else", "other@artist.example", "other.wav").await;
    let token = server.sent_demo(ARTIST, EMAIL, FILE).await;
    let mut desk = server.desk().await;
    let demos = desk.get("/api/admin/demos?q=Zyxwvut").await.json();
    let id = demos["items"][0]["id"].as_str().unwrap().to_owned();
    // One answer was sent, one is delayed, and another file is being uploaded.
    let path = format!("/api/admin/desk/demos/{id}/answers");
    let (subject, text) = (format!("{ARTIST}, hello"), format!("Dear {ARTIST}"));
    let received = json!({"kind": "received", "subject": subject, "text": text, "again": true});
    assert_eq!(desk.post(&path, received).await.status, 201);
    server.advance(std::time::Duration::from_secs(30));
    server.app.mail.send_due().await;
    assert_eq!(server.mails_to(EMAIL).len(), 2);
    let sender = Sender::of(&server);
    let said = metadata(&[("replaces", &token), ("filename", FILE)]);
    let upload = sender.announce(50_000, &said).await.header("location").to_owned();
    assert_eq!(sender.patch(&upload, 0, wav(50_000, 3)[..9000].to_vec()).await.status, 204);
    let waits = json!({"kind": "declined", "subject": "No", "text": format!("Dear {ARTIST}")});
    assert_eq!(desk.post(&path, waits).await.status, 201);
    let note = json!({"text": "secretly thought"});
    desk.post(&format!("/api/admin/desk/demos/{id}/notes"), note).await;

    let mut found = Vec::new();
    saying(server.data.path(), &words[..4], &mut found);
    assert!(found.len() > 5, "the test looks where it says: {found:?}");
    let mut browser = server.browser();
    let erased = browser.send(Method::DELETE, &format!("/api/sender/{token}"), None).await;
    assert_eq!(erased.status, 204, "{erased:?}");
    server.wait_for_sweep().await;
    assert!(server.app.db.settle_erased().await.unwrap());

    found.clear();
    saying(server.data.path(), &words, &mut found);
    assert_eq!(found, [""; 0]);
    assert_eq!(tables_saying(&server, &words).await, [""; 0]);
    let lines = log.text().to_lowercase();
    assert!(
        lines.contains("senders::show") || lines.contains("senders::letters"),
        "the log was written: {lines}"
    );
    for word in words {
        assert!(!lines.contains(&word.to_lowercase()), "{word} is in the log");
    }
    assert!(!lines.contains(&token.to_lowercase()), "so is the link");
    for path in [format!("/demos/{token}"), format!("/api/sender/{token}")] {
        assert_eq!(server.get(&path).await.status, 404);
    }
    assert_eq!(browser.send(Method::DELETE, &format!("/api/sender/{token}"), None).await.status, 404);
    assert_eq!(sender.head(&upload).await.status, 404);
    assert_eq!(
        server.count(&format!("audit_log WHERE event = 'data_erase' AND target = 'demo:{id}'")).await,
        1
    );
    server.advance(std::time::Duration::from_secs(60));
    server.app.mail.send_due().await;
    assert_eq!(server.mails_to(EMAIL).len(), 0, "what waited goes to nobody");
    // The other demo is unchanged.
    assert_eq!(server.sent(&kept).await["artist_name"], "Somebody else");
    assert_eq!((server.count("demos").await, server.mails_to("other@artist.example").len()), (1, 1));
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn mail_that_was_captured_before_there_was_a_mail_server_is_erased_too(engine: Engine) {
    let sink = Sink::away();
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    let sender = Sender::of(&server);
    let upload = sender.create(50_000).await;
    assert_eq!(sender.patch(&upload, 0, wav(50_000, 3)).await.status, 204);
    let folder = server.data.path().join("mail");
    std::fs::create_dir_all(&folder).unwrap();
    let letters = server.app.db.query(LETTERS).values::<uuid::Uuid>().await.unwrap();
    assert_eq!(letters.len(), 2);
    for id in letters {
        std::fs::write(folder.join(format!("1795176000000-{id}.eml")), EMAIL).unwrap();
    }
    std::fs::write(folder.join(format!("1795176000000-{}.eml", uuid::Uuid::nil())), "another").unwrap();
    let token = upload.strip_prefix("/api/demos/").unwrap();
    let erased = server.browser().send(Method::DELETE, &format!("/api/sender/{token}"), None).await;
    assert_eq!(erased.status, 204, "{erased:?}");
    assert_eq!(server.mails(), ["another"]);
}

#[apply(on_both_engines!)]
async fn of_many_who_erase_at_once_one_does(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", "nova@artist.example", "set.wav").await;
    let path = format!("/api/sender/{token}");
    let all = (0..8).map(|_| {
        let (mut browser, path) = (server.browser(), path.clone());
        async move { browser.send(Method::DELETE, &path, None).await.status.as_u16() }
    });
    let mut statuses = futures_util::future::join_all(all).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404, 404, 404, 404, 404, 404, 404]);
    assert_eq!(server.count("audit_log WHERE event = 'data_erase'").await, 1);
    server.wait_for_sweep().await;
    assert_eq!((server.count("demos").await, server.count("outbox").await, server.mails().len()), (0, 0, 0));
}
