//! Contact messages: each becomes one mail to one address, or is refused.

mod delivery;

use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, people::Browser},
};

/// The shortest accepted message has ten letters.
pub(super) const MESSAGE: &str = "Are you in Berlin next week?";

pub(super) async fn write(browser: &mut Browser, message: &str) -> Answer {
    let body = json!({"name": "Max", "email": "Max@Example.org", "message": message});
    browser.post("/api/contact", body).await
}

pub(super) fn accepted() -> Value {
    json!({"error": null})
}

#[apply(on_both_engines!)]
async fn a_message_is_mail_before_the_answer(engine: Engine) {
    let server = TestServer::start(engine).await;
    let answer = write(&mut server.browser(), MESSAGE).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, accepted()));
    let mails = server.mails();
    let [mail] = mails.as_slice() else { panic!("{mails:?}") };
    for line in [
        "From: \"404 COLLECTIVE\" <no-reply@localhost>",
        "Reply-To: max@example.org",
        "Subject: 404 COLLECTIVE: message from the contact form",
        "Name:",
        "Max",
        "max@example.org",
        MESSAGE,
    ] {
        assert!(mail.lines().any(|found| found == line), "{line}: {mail}");
    }
    assert_eq!(server.count("outbox WHERE sealed IS NULL AND patience = 'message'").await, 1);
}

#[apply(on_both_engines!)]
async fn short_and_wrong_fields_are_refused_in_the_stated_words(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    let name = "Name must be at least 2 characters";
    let email = "Please enter a valid email address";
    let message = "Message must be at least 10 characters";
    for (body, fields, code) in [
        (
            json!({"name": "M", "email": "max@example.org", "message": MESSAGE}),
            json!({"name": name}),
            "name_too_short",
        ),
        (
            json!({"name": "Max", "email": "max", "message": MESSAGE}),
            json!({"email": email}),
            "email_invalid",
        ),
        (
            json!({"name": "Max", "email": "max@example.org", "message": "123456789"}),
            json!({"message": message}),
            "message_too_short",
        ),
        (
            json!({"name": " M ", "email": "", "message": " 123456789\n"}),
            json!({"name": name, "email": email, "message": message}),
            "name_too_short",
        ),
    ] {
        let answer = browser.post("/api/contact", body).await;
        assert_eq!(answer.status, 422);
        assert!(answer.header("content-type").starts_with("application/json"), "{answer:?}");
        let first = fields.as_object().unwrap().get(code.split('_').next().unwrap()).unwrap().clone();
        assert_eq!(answer.json(), json!({"error": first, "code": code, "fields": fields}));
    }
    let long = json!({"name": "é".repeat(101), "email": "max@example.org", "message": "é".repeat(5001)});
    let answer = browser.post("/api/contact", long).await.json();
    assert_eq!(
        answer["fields"],
        json!({"name": "Name must be less than 100 characters", "message": "Message must be less than 5000 characters"})
    );
    assert_eq!((server.count("outbox").await, server.count("limits").await), (0, 0));
}

fn count(statuses: &[u16], wanted: u16) -> usize {
    statuses.iter().filter(|status| **status == wanted).count()
}

#[apply(on_both_engines!)]
async fn parallel_messages_are_exactly_the_allowed_ones(engine: Engine) {
    let server = TestServer::start(engine).await;
    let place = server.browser();
    let answers = join_all((0..40).map(|number| {
        let mut tab = place.copy();
        async move { write(&mut tab, &format!("{MESSAGE} {number}")).await }
    }))
    .await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!((count(&statuses, 200), count(&statuses, 429)), (3, 37), "{statuses:?}");
    assert_eq!((server.count("outbox").await, server.mails().len()), (3, 3));
    let refused = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!(refused.header("retry-after"), "600");
    assert_eq!(
        refused.json(),
        json!({"error": "Too many requests. Try again in 10 minutes.", "code": "rate_limited"})
    );
}

#[apply(on_both_engines!)]
async fn a_message_that_is_sent_twice_is_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    let (mut one, mut other) = (place.copy(), place.copy());
    let (first, second) = tokio::join!(write(&mut one, MESSAGE), write(&mut other, MESSAGE));
    for answer in [first, second] {
        assert_eq!((answer.status.as_u16(), answer.json()), (200, accepted()));
    }
    assert_eq!((server.count("outbox").await, server.mails().len()), (1, 1));
    assert_eq!(write(&mut server.browser(), MESSAGE).await.status, 200);
    assert_eq!(server.count("outbox").await, 2, "somebody else's is another one");
    server.advance(Duration::from_secs(1));
    assert_eq!(write(&mut place, MESSAGE).await.status, 200, "a later one is another one");
    assert_eq!(server.count("outbox").await, 3);
    assert_eq!(write(&mut place, MESSAGE).await.status, 429, "both clicks were counted");
}

#[apply(on_both_engines!)]
async fn repeating_the_same_message_is_limited_too(engine: Engine) {
    let server = TestServer::start(engine).await;
    let place = server.browser();
    let answers = join_all((0..40).map(|_| {
        let mut tab = place.copy();
        async move { write(&mut tab, MESSAGE).await.status.as_u16() }
    }))
    .await;
    assert_eq!((count(&answers, 200), count(&answers, 429)), (3, 37), "{answers:?}");
    assert_eq!(server.count("outbox").await, 1);
}

#[apply(on_both_engines!)]
async fn a_day_has_ten_messages(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    let mut accepted = 0;
    for _ in 0..6 {
        for number in 0..3 {
            accepted += usize::from(write(&mut place, &format!("{MESSAGE} {number}")).await.status == 200);
        }
        server.advance(Duration::from_secs(600));
    }
    assert_eq!((accepted, server.count("outbox").await), (10, 10));
    server.advance(Duration::from_secs(23 * 3600));
    assert_eq!(write(&mut place, MESSAGE).await.status, 200);
}

#[apply(on_both_engines!)]
async fn all_places_together_have_a_limit(engine: Engine) {
    let server = TestServer::start(engine).await;
    let statuses = join_all((0..65).map(|_| {
        let mut browser = server.browser();
        async move { write(&mut browser, MESSAGE).await.status.as_u16() }
    }))
    .await;
    assert_eq!((count(&statuses, 200), count(&statuses, 429)), (60, 5), "{statuses:?}");
    assert_eq!(server.count("outbox").await, 60);
}

#[apply(on_both_engines!)]
async fn forged_addresses_are_not_believed(engine: Engine) {
    let server = TestServer::start_with(engine, |settings| settings.trusted_proxies.clear()).await;
    for number in 0..5 {
        let mut browser = server.browser();
        browser.headers = vec![
            ("x-real-ip".to_owned(), format!("9.9.9.{number}")),
            ("forwarded".to_owned(), format!("for=9.9.9.{number}")),
        ];
        let message = format!("{MESSAGE} {number}");
        assert_eq!(write(&mut browser, &message).await.status.as_u16(), if number < 3 { 200 } else { 429 });
    }
}

#[apply(on_both_engines!)]
async fn a_filled_trap_sends_nothing_and_says_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut body = json!({"name": "Max", "email": "max@example.org", "message": MESSAGE, "trap": "x"});
    let answer = server.browser().post("/api/contact", body.clone()).await;
    assert_eq!(answer.status, 422);
    assert_eq!(
        answer.json(),
        json!({"error": "Failed to send message. Please try again.", "code": "refused"})
    );
    assert_eq!((server.count("outbox").await, server.count("limits").await), (0, 0));
    body["trap"] = json!("");
    assert_eq!(server.browser().post("/api/contact", body).await.json(), accepted());
}

#[apply(on_both_engines!)]
async fn bodies_of_another_form_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    for (body, code) in [
        (json!({}), "invalid_body"),
        (json!({"name": 1, "email": "max@example.org", "message": MESSAGE}), "invalid_body"),
        (json!({"name": "Max", "email": "max@example.org", "message": [MESSAGE]}), "invalid_body"),
        (
            json!({"name": "Max", "email": "max@example.org", "message": MESSAGE, "to": "eve@example.org"}),
            "unknown_field",
        ),
        (
            json!({"name": "Max", "email": "max@example.org", "message": MESSAGE, "subject": "x"}),
            "unknown_field",
        ),
    ] {
        let answer = browser.post("/api/contact", body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, code), "{body}");
    }
    assert_eq!(write(&mut browser, &"a".repeat(65 * 1024)).await.status, 413);
    assert_eq!(server.count("outbox").await, 0);
}

#[apply(on_both_engines!)]
async fn a_label_that_cannot_get_mail_says_so(engine: Engine) {
    let server = TestServer::start_with(engine, |settings| {
        settings.public_url = Some("https://label.example".parse().unwrap());
    })
    .await;
    let mut browser = server.browser();
    browser.headers = vec![("host".to_owned(), "label.example".to_owned())];
    let answer = write(&mut browser, MESSAGE).await;
    assert_eq!(answer.status, 503);
    assert_eq!(
        answer.json(),
        json!({"error": "Failed to send message. Please try again.", "code": "mail_unavailable"})
    );
    assert_eq!((server.count("outbox").await, server.count("limits").await), (0, 0));
    assert!(server.mails().is_empty());
}
