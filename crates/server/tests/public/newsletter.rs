//! Newsletter sign-ups: one row per address, the same answer for everyone, and one mail at most.

use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, change, people::Browser},
};

const ROWS: &str = "newsletter_subscriptions";

async fn subscribe(browser: &mut Browser, email: &str) -> Answer {
    browser.post("/api/newsletter", json!({"subscriber_email": email, "client_ip": null})).await
}

fn success() -> Value {
    json!({"success": true, "error": null, "message": "You have been added to the encrypted channel."})
}

fn refused(error: &str, message: &str) -> Value {
    json!({"success": false, "error": error, "message": message})
}

#[apply(on_both_engines!)]
async fn new_active_and_inactive_addresses_get_the_same_answer(engine: Engine) {
    let server = TestServer::start(engine).await;
    let new = subscribe(&mut server.browser(), "max@example.org").await;
    assert_eq!((new.status.as_u16(), new.json()), (200, success()));
    let stored = "newsletter_subscriptions WHERE email = 'max@example.org' AND active AND version = ";
    assert_eq!(server.count(&format!("{stored}1")).await, 1);

    server.advance(Duration::from_secs(60));
    let active = subscribe(&mut server.browser(), "max@example.org").await;
    assert_eq!((active.status, &active.bytes), (new.status, &new.bytes));
    assert_eq!(server.count(&format!("{stored}1 AND subscribed_at = created_at")).await, 1);

    server.sql("UPDATE newsletter_subscriptions SET active = FALSE").await;
    let inactive = subscribe(&mut server.browser(), "max@example.org").await;
    assert_eq!((inactive.status, &inactive.bytes), (new.status, &new.bytes));
    assert_eq!(server.count(&format!("{stored}2 AND subscribed_at > created_at")).await, 1);
    assert_eq!(server.count(ROWS).await, 1);
    let names = |answer: &Answer| {
        let mut names: Vec<_> = answer.headers.keys().map(|name| name.as_str().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&new), names(&active));
    assert_eq!(names(&new), names(&inactive));
}

#[apply(on_both_engines!)]
async fn twenty_places_make_one_row_and_one_mail(engine: Engine) {
    let server = TestServer::start(engine).await;
    let answers = join_all((0..20).map(|_| {
        let mut browser = server.browser();
        async move { subscribe(&mut browser, "max@example.org").await }
    }))
    .await;
    assert!(answers.iter().all(|answer| answer.json() == success()), "{answers:?}");
    assert_eq!(server.count(ROWS).await, 1);
    assert_eq!((server.count("outbox").await, server.mails().len()), (1, 1));
}

#[tokio::test]
async fn an_address_that_an_import_is_adding_is_subscribed() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut importing = server.app.db.begin().await.unwrap();
    let add = "INSERT INTO newsletter_subscriptions (id, email, consent, subscribed_at, created_at, updated_at) \
        VALUES (gen_random_uuid(), 'max@example.org', 'unconfirmed', 1, 1, 1)";
    change(&mut importing, add).await;
    let mut browser = server.browser();
    let import = async {
        server.wait_for_locks(1).await;
        importing.commit().await.unwrap();
    };
    let (subscribed, ()) = tokio::join!(subscribe(&mut browser, "max@example.org"), import);
    assert_eq!((subscribed.status.as_u16(), subscribed.json()), (200, success()));
    assert_eq!((server.count(ROWS).await, server.mails().len()), (1, 1));
}

#[apply(on_both_engines!)]
async fn the_sixth_of_an_hour_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    for number in 0..5 {
        assert_eq!(subscribe(&mut place, &format!("fan{number}@example.org")).await.status, 200);
    }
    for client_ip in [json!(null), json!("9.9.9.9"), json!("")] {
        let body = json!({"subscriber_email": "fan6@example.org", "client_ip": client_ip});
        let answer = place.post("/api/newsletter", body).await;
        assert_eq!(answer.status, 429);
        assert_eq!(answer.json(), refused("rate_limited", "Too many attempts. Please try again later."));
        assert_eq!(answer.header("retry-after"), "3600");
        assert!(answer.header("content-type").starts_with("application/json"), "{answer:?}");
    }
    assert_eq!(server.count(ROWS).await, 5);
    assert_eq!(subscribe(&mut server.browser(), "fan6@example.org").await.status, 200);
    server.advance(Duration::from_secs(3600));
    assert_eq!(subscribe(&mut place, "fan7@example.org").await.status, 200);
}

#[apply(on_both_engines!)]
async fn parallel_subscriptions_are_exactly_the_allowed_ones(engine: Engine) {
    let server = TestServer::start(engine).await;
    let place = server.browser();
    let statuses = join_all((0..60).map(|number| {
        let mut tab = place.copy();
        async move { subscribe(&mut tab, &format!("fan{number}@example.org")).await.status.as_u16() }
    }))
    .await;
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(200), count(429)), (5, 55), "{statuses:?}");
    assert_eq!(server.count(ROWS).await, 5);
}

#[apply(on_both_engines!)]
async fn all_places_together_have_a_limit(engine: Engine) {
    let server = TestServer::start_patient(engine).await;
    let statuses = join_all((0..210).map(|number| {
        let mut browser = server.browser();
        async move { subscribe(&mut browser, &format!("fan{number}@example.org")).await.status.as_u16() }
    }))
    .await;
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(200), count(429)), (200, 10), "{statuses:?}");
    assert_eq!(server.count(ROWS).await, 200);
    // Refused requests did not count towards the address's limit either.
    server.advance(Duration::from_secs(3600));
    assert_eq!(subscribe(&mut server.browser(), "late@example.org").await.status, 200);
}

#[apply(on_both_engines!)]
async fn forged_addresses_are_not_believed(engine: Engine) {
    let forged = |number: usize| {
        let address = format!("9.9.{number}.9");
        ["x-forwarded-for", "x-real-ip", "forwarded", "true-client-ip", "cf-connecting-ip"].map(|name| {
            let value = if name == "forwarded" { format!("for={address}") } else { address.clone() };
            (name.to_owned(), value)
        })
    };
    // Without trusted proxies the headers are ignored.
    let server = TestServer::start_with(engine, |settings| settings.trusted_proxies.clear()).await;
    for number in 0..7 {
        let mut browser = server.browser();
        browser.headers = forged(number).into();
        let answer = subscribe(&mut browser, &format!("fan{number}@example.org")).await;
        assert_eq!(answer.status.as_u16(), if number < 5 { 200 } else { 429 });
    }
    // A trusted proxy appends the last entry of X-Forwarded-For; the client may have forged the ones before it.
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    let address = place.address.clone();
    for number in 0..7 {
        place.address = format!("9.9.{number}.9, 127.0.0.1, ::ffff:{address}");
        place.headers = forged(number).into_iter().filter(|(name, _)| name != "x-forwarded-for").collect();
        let answer = subscribe(&mut place, &format!("fan{number}@example.org")).await;
        assert_eq!(answer.status.as_u16(), if number < 5 { 200 } else { 429 });
    }
    assert_eq!(server.count(ROWS).await, 5);
}

#[apply(on_both_engines!)]
async fn one_spelling_of_an_address_is_kept(engine: Engine) {
    let server = TestServer::start(engine).await;
    for typed in [" Max@BÜCHER.Example ", "max@xn--bcher-kva.example", "MAX@XN--BCHER-KVA.EXAMPLE"] {
        assert_eq!(subscribe(&mut server.browser(), typed).await.json(), success(), "{typed}");
    }
    assert_eq!(server.count(ROWS).await, 1);
    assert_eq!(server.count("newsletter_subscriptions WHERE email = 'max@xn--bcher-kva.example'").await, 1);
}

#[apply(on_both_engines!)]
async fn what_is_no_address_is_refused_and_not_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    let long = format!("{}@example.org", "a".repeat(65));
    for typed in [
        "",
        "  ",
        "max",
        "max@example",
        "max@example.org\r\nbcc: eve@example.org",
        "max@example.org\neve@example.org",
        "max@example.org\n",
        "\r\nmax@example.org",
        "max@exam\0ple.org",
        "max@example.org, eve@example.org",
        "\"max\"@example.org",
        "mäx@example.org",
        long.as_str(),
    ] {
        let answer = subscribe(&mut place, typed).await;
        assert_eq!(answer.status, 422, "{typed:?}: {answer:?}");
        assert_eq!(
            answer.json(),
            refused("invalid_email", "Please enter a valid email address."),
            "{typed:?}"
        );
    }
    assert_eq!((server.count(ROWS).await, server.count("limits").await), (0, 0));
    assert_eq!(subscribe(&mut place, "max@example.org").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_filled_trap_stores_nothing_and_says_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    for trap in ["https://pills.example", " "] {
        let body = json!({"subscriber_email": "max@example.org", "trap": trap});
        let answer = browser.post("/api/newsletter", body).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.json(), refused("refused", "Something went wrong. Please try again."));
    }
    assert_eq!((server.count(ROWS).await, server.count("limits").await), (0, 0));
    for trap in [json!(null), json!("")] {
        let body = json!({"subscriber_email": "max@example.org", "trap": trap});
        assert_eq!(browser.post("/api/newsletter", body).await.json(), success());
    }
}

#[apply(on_both_engines!)]
async fn bodies_of_another_form_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    for (body, code) in [
        (json!({}), "invalid_body"),
        (json!({"subscriber_email": null}), "invalid_body"),
        (json!({"subscriber_email": 7}), "invalid_body"),
        (json!({"subscriber_email": ["max@example.org"]}), "invalid_body"),
        (json!({"subscriber_email": "max@example.org", "trap": 1}), "invalid_body"),
        (json!({"subscriber_email": "max@example.org", "active": false}), "unknown_field"),
        (json!([]), "invalid_body"),
        // A message that quotes a value must not decide the code.
        (json!("unknown field `x`"), "invalid_body"),
    ] {
        let answer = browser.post("/api/newsletter", body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, code), "{body}");
    }
    let large = json!({"subscriber_email": "a".repeat(17 * 1024)});
    assert_eq!(browser.post("/api/newsletter", large).await.status, 413);
    for (kind, status) in [("text/plain", 415), ("application/x-www-form-urlencoded", 415)] {
        let request =
            server.client.post(format!("{}/api/newsletter", server.base)).header("content-type", kind);
        let answer = request.body(r#"{"subscriber_email": "max@example.org"}"#).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{kind}");
    }
    assert_eq!(server.count(ROWS).await, 0);
}
