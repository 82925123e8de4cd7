use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{answer, ask, label, refusal};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn a_message_has_1_to_1000_characters(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    for (message, code, text) in [
        (String::new(), "message_empty", "Message is required"),
        (" \n\t ".to_owned(), "message_empty", "Message is required"),
        ("x".repeat(1001), "message_too_long", "Message must be less than 1000 characters"),
        ("😀".repeat(1001), "message_too_long", "Message must be less than 1000 characters"),
        ("a\u{0}b".to_owned(), "message_characters", "Invalid characters in message"),
        ("\u{1b}[31m".to_owned(), "message_characters", "Invalid characters in message"),
        ("a\u{7f}".to_owned(), "message_characters", "Invalid characters in message"),
        ("a\u{85}b".to_owned(), "message_characters", "Invalid characters in message"),
    ] {
        // Refusals are not counted: there are more of them than the limit.
        for _ in 0..3 {
            let answer = ask(&mut browser, &message).await;
            assert_eq!(refusal(&answer), (400, code.to_owned(), text.to_owned()), "{message:?}");
        }
    }
    for message in [
        "x".repeat(1000),
        "😀".repeat(1000),
        format!("  {}  ", "é".repeat(1000)),
        "two\nlines\tand a tab".to_owned(),
    ] {
        assert_eq!(ask(&mut browser, &message).await.status, 200, "{message}");
    }
}

#[apply(on_both_engines!)]
async fn a_body_of_another_form_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    for body in [
        json!({}),
        json!({"message": null}),
        json!({"message": 7}),
        json!({"message": ["help"]}),
        json!({"message": {"text": "help"}}),
        json!({"message": "help", "model": "x"}),
        Value::Null,
    ] {
        let answer = browser.post("/api/terminal", body.clone()).await;
        assert_eq!(answer.status, 422, "{body}: {answer:?}");
        assert!(["invalid_body", "unknown_field"].contains(&answer.problem().as_str()), "{body}");
    }
    assert_eq!(browser.get("/api/terminal").await.status, 405);
}

#[apply(on_both_engines!)]
async fn twenty_questions_in_five_minutes_and_no_more(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    for number in 1..=20 {
        assert_eq!(ask(&mut browser, "help").await.status, 200, "{number}");
    }
    let refused = ask(&mut browser, "help").await;
    let text = "Rate limit exceeded. Please wait before trying again.";
    assert_eq!(refusal(&refused), (429, "rate_limited".to_owned(), text.to_owned()));
    assert_eq!(refused.header("retry-after"), "300");
    assert_eq!(ask(&mut server.browser(), "help").await.status, 200, "somebody else");
    server.advance(std::time::Duration::from_secs(299));
    let refused = ask(&mut browser, "help").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "1"));
    server.advance(std::time::Duration::from_secs(1));
    assert_eq!(ask(&mut browser, "help").await.status, 200);
}

#[apply(on_both_engines!)]
async fn twenty_of_a_hundred_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    label(&server).await;
    let place = server.browser();
    let statuses = join_all((0..100).map(|number| {
        let mut browser = place.copy();
        async move { ask(&mut browser, &format!("nullpnt {number}")).await.status.as_u16() }
    }))
    .await;
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(200), count(429)), (20, 80), "{statuses:?}");
}

#[apply(on_both_engines!)]
async fn an_address_cannot_be_forged(engine: Engine) {
    let server = TestServer::start(engine).await;
    let place = server.browser();
    let mut statuses = Vec::new();
    for number in 0..25 {
        let mut browser = place.copy();
        let real = place.address.clone();
        browser.address = match number % 3 {
            0 => format!("192.0.2.{number}, {real}"),
            1 => format!("::ffff:192.0.2.{number},{real}"),
            _ => real,
        };
        browser.headers.push(("x-real-ip".to_owned(), format!("192.0.2.{number}")));
        browser.headers.push(("forwarded".to_owned(), format!("for=192.0.2.{number}")));
        statuses.push(ask(&mut browser, "help").await.status.as_u16());
    }
    assert_eq!(statuses, [[200; 20].as_slice(), &[429; 5]].concat());
    // An IPv6 network counts as one client.
    let mut statuses = Vec::new();
    for number in 0..21 {
        let mut browser = place.copy();
        browser.address = format!("2001:db8:1:2:{number:x}::{number:x}");
        statuses.push(ask(&mut browser, "help").await.status.as_u16());
    }
    assert_eq!(statuses, [[200; 20].as_slice(), &[429]].concat());
}

#[apply(on_both_engines!)]
async fn in_maintenance_only_admins_are_answered(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (member, pending, boss) =
        (server.person("member_x").await, server.admin("pending_x").await, server.admin("boss_x").await);
    server.add_unknown_factor(&pending).await;
    // Admins get an answer with or without their second factor.
    let mut admins = [server.signed_in(&boss).await, server.signed_in(&pending).await];
    let mut others = [server.browser(), server.signed_in(&member).await, server.browser()];
    others[2].cookies.insert("sid".to_owned(), "A".repeat(43));
    let toggle = async |on: bool| {
        server
            .sql(&format!(
                "UPDATE maintenance_settings SET is_maintenance_mode = {on} WHERE page_key = 'terminal'"
            ))
            .await;
    };
    toggle(true).await;
    for browser in &mut others {
        for _ in 0..25 {
            let answer = ask(browser, "help").await;
            let text = "This page is currently down for maintenance. Check back soon.";
            assert_eq!(refusal(&answer), (503, "maintenance".to_owned(), text.to_owned()));
            assert_eq!(answer.header("retry-after"), "600");
        }
    }
    for browser in &mut admins {
        assert_eq!(ask(browser, "help").await.status, 200);
    }
    toggle(false).await;
    for browser in &mut others {
        assert_eq!(ask(browser, "help").await.status, 200, "refusals were not counted");
    }
    // If the setting cannot be read, the terminal stays open.
    server.sql("ALTER TABLE maintenance_settings RENAME TO away").await;
    assert!(answer(&server, "help").await.contains("COMMANDS"));
}

#[apply(on_both_engines!)]
async fn maintenance_of_another_page_is_none_of_the_terminals(engine: Engine) {
    let server = TestServer::start(engine).await;
    server
        .sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE WHERE page_key <> 'terminal'")
        .await;
    assert!(answer(&server, "help").await.contains("COMMANDS"));
}
