//! Contact messages through a real mail server: one recipient, no header chosen by the visitor, the text unchanged, sent once.

use macro_rules_attribute::apply;
use serde_json::json;

use super::{MESSAGE, accepted, write};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        sink::{self, Sink, message_id, plain_text, sending_to},
    },
};

#[apply(on_both_engines!)]
async fn line_breaks_begin_no_header(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    let fields =
        |name: &str, email: &str, message: &str| json!({"name": name, "email": email, "message": message});
    for end in ["\r\n", "\n", "\r", "\r\n\r\n", "\0"] {
        let bcc = format!("{end}Bcc: eve@example.org");
        for (body, field) in [
            (fields(&format!("Max{bcc}"), "max@example.org", MESSAGE), "name"),
            (fields("Max", &format!("max@example.org{bcc}"), MESSAGE), "email"),
            (fields("Max", &format!("max@example.org{end}, eve@example.org"), MESSAGE), "email"),
        ] {
            let answer = server.browser().post("/api/contact", body).await;
            assert_eq!(answer.status, 422, "{end:?} in {field}");
            assert!(answer.json()["fields"][field].is_string(), "{answer:?}");
        }
    }
    let hostile =
        "Nice site\r\nBcc: eve@example.org\r\nSubject: pills\r\n\r\n.\r\nMAIL FROM:<eve@example.org>\r\n";
    for (name, message) in [
        ("Max", hostile.to_owned()),
        ("=?utf-8?q?Max=0D=0ABcc:_eve=40example.org?=", format!("{MESSAGE}\r\n.\r\nQUIT\r\n..\r\n")),
        ("Max\u{2028}Bcc: eve@example.org", MESSAGE.to_owned()),
        ("Max\u{b}Bcc:\u{85}eve@example.org", MESSAGE.to_owned()),
        ("<b>Max</b>", format!("<script>alert(1)</script> {MESSAGE}")),
    ] {
        let answer = server.browser().post("/api/contact", fields(name, "max@example.org", &message)).await;
        assert_eq!(answer.json(), accepted(), "{name}");
        let (to, mail) = sink.mail().await;
        assert_eq!(to, "label@label.example");
        let mut headers = sink::headers(&mail);
        headers.retain(|line| {
            !["Date: ", "Message-ID: ", "Content-Type: "].iter().any(|kind| line.starts_with(kind))
        });
        headers.sort();
        assert_eq!(
            headers,
            [
                "From: \"The Label\" <mail@label.example>",
                "MIME-Version: 1.0",
                "Reply-To: max@example.org",
                "Subject: 404 COLLECTIVE: message from the contact form",
                "To: label@label.example",
            ]
        );
        let text = plain_text(&mail);
        let name = name.replace(['\u{2028}', '\u{b}', '\u{85}'], " ");
        assert!(text.contains(&format!("\nName:\n{name}\n")), "{text}");
        assert!(text.contains(message.trim().replace("\r\n", "\n").as_str()), "{text}");
        assert!(!mail.contains("<script>") || text.contains("<script>"), "{mail}");
    }
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn what_people_write_arrives_as_they_wrote_it(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    for (name, message) in [
        ("Åse Ünal 🎛", "🎧".repeat(5000)),
        ("李娜", "音".repeat(5000)),
        ("Max", "a".repeat(5000)),
        ("Max", "From the start\n.\n..\nFrom here = on\n--\n-- \n=20".to_owned()),
        ("مريم", "\u{202e}reversed\u{202c} and e\u{301} and 👩‍👩‍👧".to_owned()),
    ] {
        let body = json!({"name": name, "email": "max@bücher.example", "message": message});
        assert_eq!(server.browser().post("/api/contact", body).await.json(), accepted());
        let (_, mail) = sink.mail().await;
        let text = plain_text(&mail);
        assert!(text.contains(&format!("\nName:\n{name}\n\nEmail:\nmax@xn--bcher-kva.example\n")), "{text}");
        assert!(text.contains(&format!("\nMessage:\n{message}\n")), "{text}");
        assert!(mail.split("\r\n").all(|line| line.len() <= 998), "a line too long for mail servers");
    }
    all_forgotten(&server).await;
}

/// Waits until every message is delivered and erased.
async fn all_forgotten(server: &TestServer) {
    server
        .wait_until("delivered and forgotten", async || {
            server.count("outbox WHERE sent_at IS NULL OR sealed IS NOT NULL").await == 0
        })
        .await;
}

#[apply(on_both_engines!)]
async fn a_message_waits_for_the_mail_server_and_arrives_once(engine: Engine) {
    let mut sink = Sink::away();
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    for number in 0..3 {
        let answer = write(&mut server.browser(), &format!("{MESSAGE} {number}")).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, accepted()));
    }
    server
        .wait_until("tried in vain", async || server.count("outbox WHERE last_error IS NOT NULL").await > 0)
        .await;
    assert_eq!(server.count("outbox WHERE sent_at IS NULL AND sealed IS NOT NULL").await, 3);
    sink.restart().await;
    let mut arrived = Vec::new();
    for _ in 0..3 {
        let (_, mail) = sink.mail().await;
        arrived.push(message_id(&mail).to_owned());
    }
    all_forgotten(&server).await;
    arrived.sort();
    arrived.dedup();
    assert_eq!(arrived.len(), 3);
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_message_whose_receipt_was_lost_keeps_its_name(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    sink.mode("drop").await;
    assert_eq!(write(&mut server.browser(), MESSAGE).await.json(), accepted());
    let (_, first) = sink.mail().await;
    server.wait_until("one failure", async || server.count("outbox WHERE tries = 1").await == 1).await;
    sink.mode("accept").await;
    server.advance(std::time::Duration::from_secs(3600));
    server.app.mail.send_due().await;
    let (_, second) = sink.mail().await;
    assert_eq!(message_id(&first), message_id(&second));
    all_forgotten(&server).await;
    sink.nothing_more();
}
