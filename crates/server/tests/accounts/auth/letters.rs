//! How many letters are sent, and that attackers cannot suppress the ones that must arrive.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, PASSWORD, Person, token_in},
    },
};

const GAP: Duration = Duration::from_secs(301);
const HOUR: Duration = Duration::from_secs(3_600);

async fn forgot(browser: &mut Browser, email: &str) -> u16 {
    browser.post("/api/auth/forgot", json!({"email": email})).await.status.as_u16()
}

async fn sign_up(browser: &mut Browser, email: &str) -> u16 {
    browser.post("/api/auth/sign-up", json!({"email": email, "password": "secret"})).await.status.as_u16()
}

/// The number of letters to `email` with `text` in their subject.
fn letters(server: &TestServer, email: &str, text: &str) -> usize {
    let subject =
        |mail: &&String| mail.lines().any(|line| line.starts_with("Subject: ") && line.contains(text));
    server.mails_to(email).iter().filter(subject).count()
}

fn resets(server: &TestServer, max: &Person) -> usize {
    letters(server, &max.email, "set a new password")
}

/// Sets the breaker as if it had just let its 300 letters through.
async fn exhaust(server: &TestServer, breaker: &str) {
    let now = server.app.clock.now();
    let stamps = vec![(now / 1_000).to_string(); 300].join(",");
    let expires = now + 3_600_000_000;
    server.sql(&format!("DELETE FROM limits WHERE key = '{breaker}'")).await;
    server
        .sql(&format!(
            "INSERT INTO limits (key, state, expires_at) VALUES ('{breaker}', '{stamps}', {expires})"
        ))
        .await;
}

#[apply(on_both_engines!)]
async fn strangers_cannot_use_up_the_reset_of_an_account(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut stranger = server.browser();
    for number in 1..=5 {
        // Tagged addresses share a mailbox, so these use up the day's five confirmations.
        assert_eq!(sign_up(&mut stranger, &format!("max_1+{number}@label.example")).await, 200);
    }
    for _ in 0..5 {
        let body = json!({"email": max.email});
        assert_eq!(server.browser().post("/api/auth/resend", body).await.status, 200);
    }
    assert_eq!(forgot(&mut server.browser(), &max.email).await, 200);
    assert_eq!(resets(&server, &max), 1);
}

#[apply(on_both_engines!)]
async fn an_account_is_mailed_five_resets_a_day_and_three_more_where_it_is_known(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut home = server.browser();
    assert_eq!(home.sign_in(&max.email, PASSWORD).await.status, 200);
    home.post("/api/auth/sign-out", json!({})).await;
    for letters in [1, 2, 3, 4, 5, 5, 5] {
        assert_eq!(forgot(&mut server.browser(), &max.email).await, 200);
        assert_eq!(resets(&server, &max), letters);
        server.advance(GAP);
    }
    for letters in [6, 7, 8, 8] {
        assert_eq!(forgot(&mut home, &max.email).await, 200);
        assert_eq!(resets(&server, &max), letters);
        server.advance(GAP);
    }
    // A browser known to another account counts as unknown here.
    let eve = server.person("Eve_1").await;
    let mut other = server.browser();
    assert_eq!(other.sign_in(&eve.email, PASSWORD).await.status, 200);
    assert_eq!(forgot(&mut other, &max.email).await, 200);
    assert_eq!(resets(&server, &max), 8);
    server.advance(24 * HOUR);
    assert_eq!(forgot(&mut server.browser(), &max.email).await, 200);
    assert_eq!(resets(&server, &max), 9);
}

#[apply(on_both_engines!)]
async fn a_second_click_in_a_known_browser_mails_no_second_link(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut home = server.browser();
    assert_eq!(home.sign_in(&max.email, PASSWORD).await.status, 200);
    for _ in 0..2 {
        assert_eq!(forgot(&mut home, &max.email).await, 200);
        assert_eq!(resets(&server, &max), 1);
    }
    server.advance(GAP);
    // A stranger's request does not stand in the way.
    assert_eq!(forgot(&mut server.browser(), &max.email).await, 200);
    assert_eq!(resets(&server, &max), 2);
    for _ in 0..2 {
        assert_eq!(forgot(&mut home, &max.email).await, 200);
        assert_eq!(resets(&server, &max), 3);
    }
}

#[apply(on_both_engines!)]
async fn sign_ups_leave_resets_alone_and_resets_leave_sign_ups_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    exhaust(&server, "account-mail-global").await;
    assert_eq!(sign_up(&mut server.browser(), "new@label.example").await, 503);
    let resend = json!({"email": "new@label.example"});
    assert_eq!(server.browser().post("/api/auth/resend", resend.clone()).await.status, 503);
    assert_eq!(forgot(&mut server.browser(), &max.email).await, 200);
    assert_eq!(resets(&server, &max), 1);
    server.advance(HOUR);
    exhaust(&server, "reset-mail-global").await;
    // Every address gets the same answer, so it does not reveal which are known.
    assert_eq!(forgot(&mut server.browser(), &max.email).await, 503);
    assert_eq!(forgot(&mut server.browser(), "nobody@label.example").await, 503);
    assert_eq!(sign_up(&mut server.browser(), "new@label.example").await, 200);
    assert_eq!(server.browser().post("/api/auth/resend", resend).await.status, 200);
    assert_eq!(letters(&server, "new@label.example", "confirm"), 2);
}

#[apply(on_both_engines!)]
async fn only_letters_that_go_are_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    for _ in 0..6 {
        let resend = json!({"email": "new@label.example"});
        assert_eq!(server.browser().post("/api/auth/resend", resend).await.status, 200);
        assert_eq!(forgot(&mut server.browser(), "new@label.example").await, 200);
        server.advance(GAP);
    }
    assert_eq!(
        server.count("limits WHERE key LIKE '%-mail:%' OR key LIKE 'reset-%' AND state <> ''").await,
        0
    );
    for letters_before in 0..5 {
        assert_eq!(letters(&server, "new@label.example", "confirm"), letters_before);
        assert_eq!(sign_up(&mut server.browser(), "new@label.example").await, 200);
    }
    // Refused, not accepted without a letter: only links to other passwords would be left to confirm.
    assert_eq!(sign_up(&mut server.browser(), "new@label.example").await, 429);
    assert_eq!(letters(&server, "new@label.example", "confirm"), 5);
    server.advance(24 * HOUR);
    assert_eq!(sign_up(&mut server.browser(), "new@label.example").await, 200);
    assert_eq!(letters(&server, "new@label.example", "confirm"), 6);
}

#[apply(on_both_engines!)]
async fn failed_sign_ins_are_mailed_once_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let notices = || letters(&server, &max.email, "failed sign-ins");
    for expected in [1, 1, 1, 2] {
        for number in 0..7 {
            server.browser().sign_in(&max.email, &format!("wrong {number}")).await;
        }
        server.wait_until("the notice", async || notices() == expected).await;
        // The hour's failures have expired, and in the end the day's as well.
        server.advance(8 * HOUR);
    }
    assert_eq!(notices(), 2);
}

#[apply(on_both_engines!)]
async fn a_new_password_is_mailed_five_times_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let change = async |browser: &mut Browser, number: usize| {
        let password = format!("password {number}");
        let body = json!({"password": password, "confirm_password": password});
        assert_eq!(browser.put("/api/auth/password", body).await.status, 200);
    };
    for number in 1..=7 {
        change(&mut browser, number).await;
        assert_eq!(letters(&server, &max.email, "your password was changed"), number.min(5));
    }
    server.advance(24 * HOUR);
    let mut later = server.signed_in(&max).await;
    change(&mut later, 8).await;
    assert_eq!(letters(&server, &max.email, "your password was changed"), 6);
}

/// Asks for another address with a fresh proof of the password.
async fn ask(server: &TestServer, browser: &mut Browser, email: &str) -> u16 {
    server.sql(&format!("UPDATE sessions SET stamped_at = {}", server.app.clock.now())).await;
    browser.post("/api/auth/email-change", json!({"email": email})).await.status.as_u16()
}

#[apply(on_both_engines!)]
async fn a_new_address_is_mailed_and_repeats_of_it_five_times_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let notices = || letters(&server, &max.email, "about to change");
    for (number, expected) in [1, 2, 3, 4, 5, 6, 7, 7, 7, 7].into_iter().enumerate() {
        let email = if number % 2 == 0 { "one@label.example" } else { "two@label.example" };
        assert_eq!(ask(&server, &mut browser, email).await, 200);
        assert_eq!(notices(), expected, "{number}");
        server.advance(GAP);
    }
    // Each of the two mailboxes has had its five letters of the day.
    let resend = browser.post("/api/auth/email-change/resend", json!({})).await;
    assert_eq!((resend.status.as_u16(), resend.problem(), notices()), (429, "rate_limited".to_owned(), 7));
    // The last notice sent still cancels the pending change.
    let cancel = token_in(server.mails_to(&max.email).last().unwrap(), "email_change_cancel");
    let body = json!({"token": cancel});
    assert_eq!(server.browser().post("/api/auth/email-change/cancel", body).await.status, 200);
    let link = token_in(server.mails_to("two@label.example").last().unwrap(), "email_change");
    let body = json!({"token": link});
    assert_eq!(server.browser().post("/api/auth/email-change/confirm", body).await.status, 422);
    // An address without a notice gets one, and the change itself is announced with its undo link.
    server.advance(HOUR);
    let mut browser = server.signed_in(&max).await;
    assert_eq!(ask(&server, &mut browser, "three@label.example").await, 200);
    assert_eq!(notices(), 8);
    let link = token_in(server.mails_to("three@label.example").last().unwrap(), "email_change");
    assert_eq!(browser.post("/api/auth/email-change/confirm", json!({"token": link})).await.status, 200);
    token_in(server.mails_to(&max.email).last().unwrap(), "email_change_undo");
    // Includes the link to a new password, sent after the change was cancelled.
    assert_eq!(server.mails_to(&max.email).len(), 10);
}

#[apply(on_both_engines!)]
async fn other_addresses_are_asked_for_twenty_times_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    for number in 0..20 {
        assert_eq!(ask(&server, &mut browser, &format!("new{number}@label.example")).await, 200);
        server.advance(HOUR / 8);
    }
    assert_eq!(ask(&server, &mut browser, "another@label.example").await, 429);
    assert_eq!(letters(&server, &max.email, "about to change"), 20);
}

#[apply(on_both_engines!)]
async fn deleting_the_account_sends_a_last_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    assert_eq!(browser.delete("/api/auth/account").await.status, 204);
    assert_eq!(letters(&server, &max.email, "your account was deleted"), 1);
    assert!(server.mails_to(&max.email)[0].contains("/contact"));
}
