//! Will it arrive?: what is looked up about the sender, and letters that are read back.

use std::time::Duration;

use deadwax::newsletter::returned::{Received, read_box, receive};
use deadwax_config::Settings;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{
    helper::{Helper, Mailbox},
    returned::{BOUNCES, report, to},
};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::Browser,
        sink::{Sink, headers, message_id, sending_to},
    },
};

const ARRIVAL: &str = "/api/admin/newsletter/arrival";
const READ_BACK: &str = "/api/admin/newsletter/read-back";
const HEADERS: &str = "/api/admin/newsletter/headers";

/// A DNS server with the records of a test.
struct Zone(Helper);

impl Zone {
    fn with(records: Value) -> Self {
        let mut zone = Self(Helper::start("dns_server.py"));
        zone.set(records);
        zone
    }

    fn set(&mut self, records: Value) {
        self.0.say(&records);
    }

    /// A label whose mail goes out by a provider.
    fn settings(&self, settings: &mut Settings) {
        settings.dns_server = Some(([127, 0, 0, 1], self.0.port).into());
        settings.smtp_url = Some("smtps://user:password@smtp.mailgun.org".into());
        settings.mail_from = Some("mail@label.example".to_owned());
        settings.contact_to = Some("mail@label.example".to_owned());
    }
}

fn good() -> Value {
    json!({
        "label.example": {"TXT": ["x=y", "v=spf1 include:mailgun.org -all"], "MX": [[10, "mx.label.example"]]},
        "_dmarc.label.example": {"TXT": ["v=DMARC1; p=none"]},
        "mailgun.org": {"TXT": ["v=spf1 include:_spf.mailgun.org ~all"]},
        "_spf.mailgun.org": {"TXT": ["v=spf1 ip4:192.0.2.0/24 ~all"]},
        "smtp.mailgun.org": {"A": ["192.0.2.7"]},
    })
}

/// The grades by check, and the records to enter.
fn grades(arrival: &Value) -> Vec<(String, String, Option<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let findings = arrival["findings"].as_array().unwrap().iter();
    findings
        .map(|found| {
            let record = found["record"]["value"].as_str().map(str::to_owned);
            (text(&found["check"]), text(&found["grade"]), record)
        })
        .collect()
}

async fn check(desk: &mut Browser) -> Value {
    desk.post_another(ARRIVAL, json!({})).await.json()
}

async fn graded(desk: &mut Browser, check_name: &str) -> (String, Option<String>) {
    let found = grades(&check(desk).await).into_iter().find(|(name, ..)| name == check_name).unwrap();
    (found.1, found.2)
}

fn is(grade: &str) -> (String, Option<String>) {
    (grade.to_owned(), None)
}

#[apply(on_both_engines!)]
async fn what_is_looked_up_is_kept_for_an_hour_for_all_admins(engine: Engine) {
    let mut zone = Zone::with(good());
    let server = TestServer::start_with(engine, |settings| zone.settings(settings)).await;
    let mut desk = server.desk().await;
    let before: Value = desk.get(ARRIVAL).await.json();
    assert_eq!((&before["checked_at"], &before["is_fresh"]), (&Value::Null, &json!(false)), "{before}");
    assert_eq!(before["findings"], json!([]));

    let arrival = check(&mut desk).await;
    let named: Vec<_> =
        grades(&arrival).into_iter().map(|(check, grade, _)| format!("{check} {grade}")).collect();
    let expected =
        ["sender pass", "spf pass", "dmarc pass", "mx pass", "https fail", "leave pass", "postal warning"];
    assert_eq!(named, expected, "{arrival}");
    assert_eq!((&arrival["is_fresh"], &arrival["can_read_back"]), (&json!(true), &json!(false)));
    // Pressing the link to leave leaves no trace.
    assert_eq!(server.count("newsletter_subscriptions").await, 0);
    assert_eq!(server.count("suppressions").await, 0);

    // Looked-up findings stay for an hour; those of the settings change at once.
    zone.set(json!({"label.example": {}}));
    desk.patch("/api/admin/newsletter/settings", json!({"postal_address": "Lane 1"})).await;
    server.advance(Duration::from_mins(59));
    let kept: Value = desk.get(ARRIVAL).await.json();
    assert_eq!((&kept["is_fresh"], &kept["checked_at"]), (&json!(true), &arrival["checked_at"]));
    assert_eq!(grades(&kept)[1].1, "pass");
    assert_eq!(grades(&kept)[6].1, "pass");
    server.advance(Duration::from_mins(2));
    let kept: Value = desk.get(ARRIVAL).await.json();
    assert_eq!(kept["is_fresh"], json!(false));
    let again = check(&mut desk).await;
    assert_eq!(again["is_fresh"], json!(true));
    let entry = Some("v=spf1 include:mailgun.org ~all".to_owned());
    assert_eq!(grades(&again)[1], ("spf".to_owned(), "fail".to_owned(), entry));
    assert_eq!(grades(&again)[3].1, "fail", "no MX and no address");
}

#[tokio::test]
async fn the_dns_may_be_silent_broken_or_hostile() {
    let mut zone = Zone::with(good());
    let server = TestServer::start_with(Engine::Sqlite, |settings| zone.settings(settings)).await;
    let mut desk = server.desk().await;

    let started = tokio::time::Instant::now();
    zone.set(json!({"label.example": "silent", "_dmarc.label.example": "silent"}));
    let silent = check(&mut desk).await;
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    for at in 1..4 {
        assert_eq!(grades(&silent)[at].1, "info", "{silent}");
    }
    zone.set(good());
    for code in ["servfail", "refused"] {
        zone.set(json!({"label.example": code}));
        assert_eq!(graded(&mut desk, "spf").await, is("info"), "{code}");
        assert_eq!(graded(&mut desk, "mx").await, is("info"), "{code}");
    }
    zone.set(json!({"label.example": null}));
    assert_eq!(graded(&mut desk, "mx").await, is("fail"), "no such name");

    // Cut over UDP, whole over TCP.
    let other: Vec<_> = (0..20).map(|number| format!("{number}={}", "x".repeat(200))).collect();
    let mut texts = other.clone();
    texts.push("v=spf1 include:mailgun.org -all".to_owned());
    zone.set(json!({"label.example": {"TXT": texts}}));
    assert_eq!(graded(&mut desk, "spf").await, is("pass"));
    let huge = format!("v=spf1 {}-all", "include:mailgun.org ".repeat(2000));
    zone.set(json!({"label.example": {"TXT": [huge]}}));
    assert_eq!(graded(&mut desk, "spf").await.0, "fail", "too long to be a record");

    // An alias, and aliases in a circle.
    zone.set(json!({"label.example": {"CNAME": "real.example"}, "real.example": good()["label.example"]}));
    assert_eq!(graded(&mut desk, "spf").await, is("pass"));
    zone.set(
        json!({"label.example": {"CNAME": "round.example"}, "round.example": {"CNAME": "label.example"}}),
    );
    let (grade, _) = graded(&mut desk, "spf").await;
    assert!(matches!(&*grade, "info" | "fail"), "{grade}");

    // Records that include themselves, too many others, a missing one.
    for (record, grade) in [
        ("v=spf1 include:label.example -all", "fail"),
        (
            "v=spf1 a mx a:a.example a:b.example a:c.example a:d.example a:e.example a:f.example a:g.example a:h.example a:i.example -all",
            "fail",
        ),
        ("v=spf1 include:missing.example -all", "fail"),
        ("v=spf1 redirect=mailgun.org", "pass"),
        ("v=spf1 redirect=%{d}._spf.mailgun.org", "info"),
        ("v=spf1 include:mailgun.org redirect=%{d}._spf.mailgun.org", "info"),
        ("v=spf1 a:smtp.mailgun.org -all", "pass"),
        ("v=spf1 ip4:192.0.2.0/28 ?all", "warning"),
        ("v=spf1 ip4:198.51.100.1 -all", "warning"),
    ] {
        zone.set(json!({"label.example": {"TXT": [record]}}));
        assert_eq!(graded(&mut desk, "spf").await.0, grade, "{record}");
    }
}

#[tokio::test]
async fn a_sender_at_a_mail_service_is_not_looked_up() {
    let zone = Zone::with(json!({"gmail.com": "silent"}));
    let server = TestServer::start_with(Engine::Sqlite, |settings| {
        zone.settings(settings);
        settings.mail_from = Some("Label <label@gmail.com>".to_owned());
    })
    .await;
    let mut desk = server.desk().await;
    let arrival = check(&mut desk).await;
    let grades: Vec<_> = grades(&arrival).into_iter().map(|(_, grade, _)| grade).collect();
    assert_eq!(grades, ["fail", "info", "info", "info", "fail", "pass", "warning"], "{arrival}");
}

const TELLING: &str = "Authentication-Results: mx.label.example; spf=pass; dkim=pass header.d=label.example; dmarc=pass\r\n\
    DKIM-Signature: v=1; d=label.example; h=From:List-Unsubscribe:List-Unsubscribe-Post; b=x\r\n";

#[apply(on_both_engines!)]
async fn a_letter_is_read_back_from_the_bounce_mailbox(engine: Engine) {
    let mut mailbox = Mailbox::start();
    let mut sink = Sink::start().await;
    let url = mailbox.url();
    let smtp = sending_to(sink.port);
    let server = TestServer::start_with(engine, move |settings| {
        smtp(settings);
        settings.bounce_address = Some(BOUNCES.to_owned());
        settings.bounce_url = Some(url.into());
    })
    .await;
    let mut desk = server.desk().await;
    let waiting: Value = desk.post_another(READ_BACK, json!({})).await.json();
    assert_eq!(waiting["can_read_back"], json!(true), "{waiting}");
    assert_eq!(waiting["read_back"]["found"], Value::Null);
    let (to, letter) = sink.mail().await;
    // While it is on its way, no second one is sent.
    desk.post_another(READ_BACK, json!({})).await;

    let sent = headers(&letter);
    assert!(to.starts_with("bounces+check-") && sent.contains(&format!("To: {to}")), "{sent:?}");
    assert!(sent.contains(&"List-Unsubscribe-Post: List-Unsubscribe=One-Click".to_owned()), "{sent:?}");
    assert!(sent.iter().any(|line| line.starts_with("Subject: [TEST] ")), "{sent:?}");
    mailbox.deliver(&format!("{TELLING}{letter}"));
    read_box(&server.app).await.unwrap();
    let arrival: Value = desk.get(ARRIVAL).await.json();
    let found = &arrival["read_back"]["found"];
    assert_eq!(found["said"], "mx.label.example received the letter and found:", "{arrival}");
    let grades: Vec<_> =
        found["findings"].as_array().unwrap().iter().map(|finding| &finding["grade"]).collect();
    assert_eq!(grades, ["pass"; 4], "{found}");
    assert_eq!(mailbox.event()["seen"], 1);
    assert_eq!(server.app.mail.bounce_box().unwrap().left_unread(), Some(0));
    assert_eq!(server.count("letter_reports").await, 0);
    let summary: Value = desk.get("/api/admin/newsletter/settings").await.json();
    assert_eq!(summary["left_unread"], 0);
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_letter_that_comes_back_undelivered_is_reported(engine: Engine) {
    let mut mailbox = Mailbox::start();
    let mut sink = Sink::start().await;
    let url = mailbox.url();
    let smtp = sending_to(sink.port);
    let server = TestServer::start_with(engine, move |settings| {
        smtp(settings);
        settings.bounce_address = Some(BOUNCES.to_owned());
        settings.bounce_url = Some(url.into());
    })
    .await;
    let mut desk = server.desk().await;
    desk.post_another(READ_BACK, json!({})).await;
    let (_, letter) = sink.mail().await;
    let id: uuid::Uuid =
        message_id(&letter).split_once('@').unwrap().0.trim_start_matches('<').parse().unwrap();
    mailbox.deliver(&report(&to(&server, id), id, "x@label.example", "failed", "5.1.1"));
    read_box(&server.app).await.unwrap();
    let arrival: Value = desk.get(ARRIVAL).await.json();
    assert_eq!(arrival["read_back"]["failure"], "The letter came back undelivered (5.1.1).", "{arrival}");
    assert_eq!(server.app.mail.bounce_box().unwrap().left_unread(), Some(0));
    // Another letter than the latest changes nothing, and is understood too.
    let old = "To: bounces+check-00000000000000000000000000000001@label.example\r\nFrom: a@b.example\r\n\r\n";
    let received = receive(&server.app.db, &server.app.keys, BOUNCES, old.as_bytes(), server.app.clock.now())
        .await
        .unwrap();
    assert_eq!(received, Received::ReadBack);
    let after: Value = desk.get(ARRIVAL).await.json();
    assert_eq!(after["read_back"], arrival["read_back"]);
    // So is a late report about one before.
    desk.post_another(READ_BACK, json!({})).await;
    sink.mail().await;
    let late = report(&to(&server, id), id, "x@label.example", "failed", "4.4.7");
    let received =
        receive(&server.app.db, &server.app.keys, BOUNCES, late.as_bytes(), server.app.clock.now())
            .await
            .unwrap();
    assert_eq!(received, Received::ReadBack);
    let waiting: Value = desk.get(ARRIVAL).await.json();
    assert_eq!(waiting["read_back"]["failure"], Value::Null, "{waiting}");
}

#[tokio::test]
async fn a_refused_letter_says_so_and_none_is_sent_without_a_mailbox() {
    let mut sink = Sink::start().await;
    let smtp = sending_to(sink.port);
    let server = TestServer::start_with(Engine::Sqlite, move |settings| {
        smtp(settings);
        settings.bounce_address = Some(BOUNCES.to_owned());
        settings.bounce_url = Some("imap://bounces:secret@127.0.0.1:9".into());
    })
    .await;
    sink.mode("550").await;
    let mut desk = server.desk().await;
    desk.post_another(READ_BACK, json!({})).await;
    let refused = async {
        loop {
            let arrival: Value = desk.get(ARRIVAL).await.json();
            if let Some(why) = arrival["read_back"]["failure"].as_str() {
                return why.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let refused = tokio::time::timeout(crate::support::RECEIVE_TIMEOUT, refused).await.unwrap();
    assert_eq!(refused, "The mail server refused the letter (550 5.1.1).");

    let server = TestServer::start(Engine::Sqlite).await;
    let answer = server.desk().await.post_another(READ_BACK, json!({})).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (409, &json!("no_bounce_mailbox")));
}

#[tokio::test]
async fn pasted_headers_are_read_within_their_size() {
    let server = TestServer::start(Engine::Sqlite).await;
    let mut desk = server.desk().await;
    let letter = format!(
        "{TELLING}List-Unsubscribe: <x>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\nHello"
    );
    let read: Value = desk.post_another(HEADERS, json!({"headers": letter})).await.json();
    assert_eq!(read["said"], "mx.label.example received the letter and found:");
    assert_eq!(read["findings"].as_array().unwrap().len(), 4);
    let long = format!("{TELLING}{}", "X-Long: y\r\n".repeat(5_000));
    assert_eq!(desk.post_another(HEADERS, json!({"headers": long})).await.status, 200);
    for wrong in [String::new(), "Hello".to_owned(), "From: a\r\n".repeat(7_500)] {
        let answer = desk.post_another(HEADERS, json!({"headers": wrong})).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["code"]),
            (422, &json!("invalid_headers")),
            "{answer:?}"
        );
        assert!(answer.json()["fields"]["headers"].is_string(), "{answer:?}");
    }
    let huge = json!({"headers": "x".repeat(200_000)});
    assert_eq!(desk.post_another(HEADERS, huge).await.status, 413);
}
