//! The confirmation letter of a demo, and the sender's page it links to.

use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::sender::{Sender, metadata, wav};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, sink::quoted},
};

deadwax_store::statements! {
    ONLY = "SELECT id FROM demos";
}

const NOVA: &str = "nova@artist.example";

/// The token in a letter's link to the sender's page.
pub fn token_in(mail: &str) -> String {
    let (_, rest) = mail.split_once("/demos/").unwrap_or_else(|| panic!("no link in {mail}"));
    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
}

impl TestServer {
    /// Sends a demo and returns the token of its page.
    pub async fn sent_demo(&self, artist: &str, email: &str, file: &str) -> String {
        let said = metadata(&[("artist_name", artist), ("email", email), ("filename", file)]);
        let before = self.mails_to(email).len();
        let (sender, bytes) = (Sender::of(self), wav(20_000, 7));
        let path = sender.announce(bytes.len(), &said).await.header("location").to_owned();
        assert_eq!(sender.patch(&path, 0, bytes).await.status, 204);
        let mails = self.mails_to(email);
        assert_eq!(mails.len(), before + 1, "{mails:?}");
        token_in(&quoted(&mails[before]))
    }

    /// The demo as its sender's page shows it.
    pub async fn sent(&self, token: &str) -> Value {
        let answer = self.get(&format!("/api/sender/{token}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.json()
    }

    /// The id of the only demo.
    pub async fn only_demo(&self) -> String {
        let id = self.app.db.query(ONLY).value::<Uuid>().await.unwrap();
        assert_eq!(self.count("demos").await, 1);
        id.to_string()
    }
}

#[apply(on_both_engines!)]
async fn a_demo_is_confirmed_with_a_link_to_its_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova {label}", "Nova@Artist.example", "set {artist}.wav").await;
    assert_eq!(token.len(), 43);
    let mail = quoted(&server.mails_to(NOVA)[0]);
    for line in [
        "Subject: 404 COLLECTIVE: your demo has arrived".to_owned(),
        "Auto-Submitted: auto-generated".to_owned(),
        "Nova {label},".to_owned(),
        "we have set {artist}.wav.".to_owned(),
        format!("{}/demos/{token}", server.base),
    ] {
        assert!(mail.contains(&line), "{line}: {mail}");
    }
    assert!(mail.contains("Reply-To: no-reply@localhost"), "an answer to it reaches the label: {mail}");

    let shown = server.get(&format!("/api/sender/{token}")).await;
    assert_eq!(
        shown.json(),
        json!({
            "artist_name": "Nova {label}", "original_name": "set {artist}.wav", "size_bytes": 20000,
            "submitted_at": "2026-11-20T12:00:00Z", "step": 0, "label": "RECEIVED", "decision": null, "can_replace": true
        })
    );
    let page = server.get(&format!("/demos/{token}")).await;
    assert_eq!(page.status, 200);
    for answer in [&shown, &page] {
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-robots-tag"), "noindex");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
    }
    assert!(!page.text().contains("Nova") && !page.text().contains(&token), "{page:?}");

    let other = format!("{}{}", &token[..42], if token.ends_with('A') { 'E' } else { 'A' });
    for guess in ["x", "", &other, "00000000-0000-7000-8000-000000000000"] {
        assert_eq!(server.get(&format!("/demos/{guess}")).await.status, 404, "{guess}");
        assert_eq!(server.get(&format!("/api/sender/{guess}")).await.status, 404, "{guess}");
    }
    let hashes = server.count("demo_links").await;
    assert_eq!((hashes, server.count("demo_letters").await), (2, 2), "one in the letter, one of the upload");
}

#[apply(on_both_engines!)]
async fn five_letters_a_day_go_to_one_mailbox(engine: Engine) {
    let server = TestServer::start(engine).await;
    for number in 0..5 {
        server.sent_demo("Nova", &format!("nova+{number}@artist.example"), "set.wav").await;
    }
    let bytes = wav(20_000, 8);
    let sixth = async || {
        let sender = Sender::of(&server);
        let path = sender.create(bytes.len()).await;
        assert_eq!(sender.patch(&path, 0, bytes.clone()).await.status, 204);
    };
    sixth().await;
    assert_eq!(server.mails_to(NOVA).len(), 0, "the demo is here, and nobody is written to");
    assert_eq!((server.count("demos").await, server.mails().len()), (6, 11));
    server.advance(std::time::Duration::from_secs(24 * 3600));
    sixth().await;
    assert_eq!(server.mails_to(NOVA).len(), 1);
}

#[apply(on_both_engines!)]
async fn a_confirmation_repeats_no_link_of_a_stranger(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.sent_demo("Win: https://evil.example", NOVA, "WWW.evil.example.wav").await;
    let mail = quoted(&server.mails_to(NOVA)[0]);
    assert!(!mail.contains("evil"), "{mail}");
    assert!(mail.contains("Artist,") && mail.contains("we have your file."), "{mail}");
    let mail = server.mails().into_iter().find(|mail| mail.contains("new demo by")).unwrap();
    assert!(quoted(&mail).contains("https://evil.example"), "the label reads what was written: {mail}");
}

#[apply(on_both_engines!)]
async fn the_address_of_an_upload_leads_its_sender_to_the_demo(engine: Engine) {
    let server = TestServer::start(engine).await;
    let said = metadata(&[("artist_name", "Nova"), ("email", NOVA), ("filename", "set.wav")]);
    let (sender, bytes) = (Sender::of(&server), wav(20_000, 7));
    let path = sender.announce(bytes.len(), &said).await.header("location").to_owned();
    let token = path.rsplit('/').next().unwrap().to_owned();
    let page = format!("/api/sender/{token}");
    assert_eq!(server.get(&page).await.status, 404, "there is no demo yet");
    assert_eq!(sender.patch(&path, 0, bytes.clone()).await.status, 204);
    assert_eq!(server.sent(&token).await["artist_name"], "Nova");
    assert_eq!(server.get(&format!("/demos/{token}")).await.status, 200);

    // Also when its last answer got lost, and when the upload is forgotten; a replacement file has no link.
    assert_eq!(sender.patch(&path, bytes.len(), Vec::new()).await.status, 204);
    sender.end(&path).await;
    let other = metadata(&[("filename", "other.wav"), ("replaces", &token)]);
    let replacing = sender.announce(bytes.len(), &other).await.header("location").to_owned();
    assert_eq!(sender.patch(&replacing, 0, bytes).await.status, 204);
    assert_eq!(server.sent(&token).await["original_name"], "other.wav");
    assert_eq!(server.count("demo_links").await, 2);
    let erased = server.browser().send(reqwest::Method::DELETE, &page, None).await;
    assert_eq!(erased.status, StatusCode::NO_CONTENT, "{erased:?}");
    assert_eq!((server.get(&page).await.status.as_u16(), server.count("demo_links").await), (404, 0));
}

#[apply(on_both_engines!)]
async fn past_sixty_letters_an_hour_confirmations_wait_and_the_label_gets_no_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let now = deadwax_store::clock::millis(server.app.clock.now());
    let sent = vec![now.to_string(); 59].join(",");
    for key in ["demo-global", "demo-mail-global"] {
        server
            .sql(&format!(
                "INSERT INTO limits (key, state, expires_at) VALUES ('{key}', '{sent}', 9000000000000000)"
            ))
            .await;
    }
    server.sent_demo("Nova", NOVA, "set.wav").await;
    assert_eq!(server.mails().len(), 2);
    let other = async |email: &str| {
        let said = metadata(&[("artist_name", "Other"), ("email", email), ("filename", "other.wav")]);
        let (sender, bytes) = (Sender::of(&server), wav(20_000, 9));
        let path = sender.announce(bytes.len(), &said).await.header("location").to_owned();
        assert_eq!(sender.patch(&path, 0, bytes).await.status, 204, "it is taken all the same");
    };
    other("other@artist.example").await;
    other("third@artist.example").await;
    assert_eq!((server.count("demos").await, server.mails().len()), (3, 2), "no letter has left yet");
    assert_eq!(server.app.mail.oldest_waiting().await.unwrap(), Some(server.app.clock.now() + 3_600_000_000));
    server.advance(std::time::Duration::from_secs(3599));
    server.app.mail.send_due().await;
    assert_eq!(server.mails().len(), 2);
    server.advance(std::time::Duration::from_secs(1));
    server.app.mail.send_due().await;
    for email in ["other@artist.example", "third@artist.example"] {
        let mails = server.mails_to(email);
        assert_eq!(mails.len(), 1, "{email}");
        assert_eq!(server.sent(&token_in(&quoted(&mails[0]))).await["artist_name"], "Other");
    }
    assert_eq!(server.mails().len(), 4);
    // Two of this hour's sixty were used by the delayed letters.
    let waiting = vec![deadwax_store::clock::millis(server.app.clock.now()).to_string(); 60].join(",");
    server.sql(&format!("UPDATE limits SET state = '{waiting}' WHERE key = 'demo-mail-global'")).await;
    other("fourth@artist.example").await;
    assert_eq!(server.mails_to("fourth@artist.example").len(), 0);
    // A letter is not abandoned after a day of waiting.
    server.advance(std::time::Duration::from_hours(1));
    server.app.mail.send_due().await;
    assert_eq!(server.mails_to("fourth@artist.example").len(), 1);
}

#[apply(on_both_engines!)]
async fn a_sender_sees_where_the_demo_stands_and_nothing_else(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    server.sent_demo("Other", "other@artist.example", "other.wav").await;
    let mut desk = server.desk().await;
    let demos = desk.get("/api/admin/demos?q=Nova").await.json();
    let id = demos["items"][0]["id"].as_str().unwrap().to_owned();
    let state = format!("/api/admin/desk/demos/{id}/state");
    for (set, step, label, decision) in [
        ("heard", 1, "HEARD", Value::Null),
        ("declined", 1, "HEARD", Value::Null),
        ("shortlisted", 2, "SHORTLISTED", Value::Null),
        ("accepted", 2, "SHORTLISTED", Value::Null),
        ("new", 0, "RECEIVED", Value::Null),
    ] {
        assert_eq!(desk.send(reqwest::Method::PUT, &state, Some(json!({"state": set}))).await.status, 200);
        let shown = server.sent(&token).await;
        assert_eq!((&shown["step"], &shown["label"]), (&json!(step), &json!(label)), "{set}");
        assert_eq!((&shown["decision"], &shown["can_replace"]), (&decision, &json!(set == "new")), "{set}");
        assert_eq!(shown.as_object().unwrap().len(), 8, "{shown}");
    }
    // The decision is shown once its answer has been sent, not while the letter is delayed.
    let answer = json!({"kind": "accepted", "subject": "Yes", "text": "Let us."});
    let answered = desk.post(&format!("/api/admin/desk/demos/{id}/answers"), answer).await;
    assert_eq!(answered.status, 201, "{answered:?}");
    assert_eq!(server.sent(&token).await["label"], "HEARD");
    server.advance(std::time::Duration::from_secs(30));
    server.app.mail.send_due().await;
    let shown = server.sent(&token).await;
    assert_eq!((&shown["label"], &shown["decision"]), (&json!("DECISION"), &json!("ACCEPTED")));
    // A changed decision is not shown before its answer is sent.
    desk.send(reqwest::Method::PUT, &state, Some(json!({"state": "declined"}))).await;
    assert_eq!(server.sent(&token).await["decision"], Value::Null);
    server.sql("INSERT INTO desk_settings (id, overdue_days, hides_decision, updated_at) VALUES (1, 30, FALSE, 0)").await;
    assert_eq!(server.sent(&token).await["decision"], "NOT THIS TIME");
    // In the trash its page is not found.
    assert_eq!(desk.send(reqwest::Method::DELETE, &format!("/api/admin/demos/{id}"), None).await.status, 204);
    assert_eq!(server.get(&format!("/api/sender/{token}")).await.status, 404);
    assert_eq!(server.get(&format!("/demos/{token}")).await.status, 404);
}

#[apply(on_both_engines!)]
async fn a_demo_that_is_declined_unheard_is_not_called_heard(engine: Engine) {
    let server = TestServer::start(engine).await;
    let token = server.sent_demo("Nova", NOVA, "set.wav").await;
    let mut desk = server.desk().await;
    let ids = json!({"ids": [server.only_demo().await]});
    assert_eq!(desk.post("/api/admin/desk/decline", ids).await.json()["changed"], 1);
    let shown = server.sent(&token).await;
    assert_eq!((&shown["step"], &shown["label"]), (&json!(0), &json!("RECEIVED")));
    assert_eq!((&shown["decision"], &shown["can_replace"]), (&Value::Null, &json!(false)));
    server.sql("INSERT INTO desk_settings (id, overdue_days, hides_decision, updated_at) VALUES (1, 30, FALSE, 0)").await;
    assert_eq!(server.sent(&token).await["decision"], "NOT THIS TIME");
}
