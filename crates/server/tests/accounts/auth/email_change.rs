mod again;

use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{
        Answer, Engine, TestServer,
        people::{Browser, PASSWORD, token_in},
    },
};

const NEW: &str = "new@label.example";

async fn ask(browser: &mut Browser, email: &str) -> Answer {
    browser.post("/api/auth/email-change", json!({"email": email})).await
}

async fn confirm(browser: &mut Browser, token: &str) -> Answer {
    browser.post("/api/auth/email-change/confirm", json!({"token": token})).await
}

fn link_to(server: &TestServer, email: &str) -> String {
    token_in(server.mails_to(email).last().expect("a mail"), "email_change")
}

#[apply(on_both_engines!)]
async fn the_new_mailbox_confirms_and_the_old_one_gets_a_notice(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
    let reset = token_in(&server.mails_to(&max.email)[0], "recovery");
    let asked = ask(&mut browser, " New@Label.Example ").await;
    assert_eq!((asked.status.as_u16(), asked.json()), (200, json!({})));
    let profile = browser.profile().await;
    assert_eq!((&profile["email"], &profile["pending_email"]), (&json!(max.email), &json!(NEW)));
    let notice = server.mails_to(&max.email).pop().unwrap();
    let cancel = token_in(&notice, "email_change_cancel");
    let token = link_to(&server, NEW);
    assert_ne!(token, cancel);

    let mut phone = server.browser();
    let answer = confirm(&mut phone, &token).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"email": NEW})));
    assert!(phone.cookies.is_empty(), "a link signs nobody in");
    // A change confirmed in another browser ends every session.
    assert_eq!(browser.get("/api/auth/user").await.status, 401);
    let profile = server.signed_in(&max).await.profile().await;
    assert_eq!((&profile["email"], &profile["pending_email"]), (&json!(NEW), &Value::Null));
    let of_a_change = "Invalid confirmation link or expired token";
    let of_a_reset =
        "This reset link has expired, was used, or has a newer one. Ask for a new one at the login.";
    for (path, token, detail) in [
        ("/api/auth/email-change/confirm", &token, of_a_change),
        ("/api/auth/email-change/cancel", &cancel, of_a_change),
        ("/api/auth/reset", &reset, of_a_reset),
    ] {
        let again = phone.post(path, json!({"token": token})).await;
        assert_eq!((again.status.as_u16(), again.problem()), (422, "otp_expired".to_owned()), "{path}");
        assert_eq!(again.json()["detail"], detail, "{path}");
    }
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 401);
    assert_eq!(server.browser().sign_in("NEW@label.example", PASSWORD).await.status, 200);
    let noted = server.audited(max.id).await;
    assert!(noted.contains(&("user_updated".to_owned(), "asked".to_owned())), "{noted:?}");
}

#[apply(on_both_engines!)]
async fn a_change_confirmed_in_the_same_browser_gives_it_a_new_token(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    let mut other = server.signed_in(&server.person("Other_1").await).await;
    ask(&mut browser, NEW).await;
    let mut before = browser.copy();
    assert_eq!(confirm(&mut browser, &link_to(&server, NEW)).await.status, 200);
    assert_ne!(browser.cookies["sid"], before.cookies["sid"]);
    assert_eq!(browser.get("/api/auth/user").await.json()["email"], NEW);
    assert_eq!(before.get("/api/auth/user").await.status, 401);

    ask(&mut browser, "third@label.example").await;
    let sid = other.cookies["sid"].clone();
    assert_eq!(confirm(&mut other, &link_to(&server, "third@label.example")).await.status, 200);
    assert_eq!(other.cookies["sid"], sid, "somebody else's session stays theirs");
    assert_eq!(other.get("/api/auth/user").await.json()["email"], "other_1@label.example");
}

/// The undo link in the newest letter to `email`.
fn undo_link(server: &TestServer, email: &str) -> String {
    token_in(server.mails_to(email).last().unwrap(), "email_change_undo")
}

async fn undo(server: &TestServer, token: &str) -> u16 {
    let answer = server.browser().post("/api/auth/email-change/cancel", json!({"token": token})).await;
    answer.status.as_u16()
}

#[apply(on_both_engines!)]
async fn a_change_that_was_made_is_undone_from_the_old_mailbox_for_three_days(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (hours, is_undone) in [(71, true), (72, false)] {
        let max = server.person(&format!("Max_{hours}")).await;
        let (mut thief, mut owner) = (server.signed_in(&max).await, server.signed_in(&max).await);
        let taken = format!("thief{hours}@label.example");
        ask(&mut thief, &taken).await;
        assert_eq!(confirm(&mut thief, &link_to(&server, &taken)).await.status, 200);
        assert_eq!(owner.get("/api/auth/user").await.status, 401, "other sessions end");
        let token = undo_link(&server, &max.email);
        // No request of a session revokes the undo link.
        let body = json!({"password": "another password", "confirm_password": "another password"});
        assert_eq!(thief.put("/api/auth/password", body).await.status, 200);
        ask(&mut thief, &format!("next{hours}@label.example")).await;
        thief.delete("/api/auth/email-change").await;
        server.advance(Duration::from_hours(hours));
        assert_eq!(undo(&server, &token).await, if is_undone { 200 } else { 422 });
        assert_eq!(undo(&server, &token).await, 422, "once");
        let status = thief.get("/api/auth/user").await.status.as_u16();
        assert_eq!(status, if is_undone { 401 } else { 200 });
        let now_has = server.signed_in(&max).await.profile().await["email"].clone();
        assert_eq!(now_has, json!(if is_undone { max.email } else { taken }));
    }
}

#[apply(on_both_engines!)]
async fn a_later_mailbox_cannot_undo_what_the_first_undid(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut thief = server.signed_in(&max).await;
    for next in [NEW, "third@label.example"] {
        server.advance(Duration::from_mins(1));
        ask(&mut thief, next).await;
        assert_eq!(confirm(&mut thief, &link_to(&server, next)).await.status, 200);
    }
    let (owners, thiefs) = (undo_link(&server, &max.email), undo_link(&server, NEW));
    assert_eq!(undo(&server, &owners).await, 200);
    assert_eq!(undo(&server, &thiefs).await, 422);
    assert_eq!(server.signed_in(&max).await.profile().await["email"], json!(max.email));
}

#[apply(on_both_engines!)]
async fn a_cancelled_change_cannot_be_confirmed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    ask(&mut browser, NEW).await;
    let (token, cancel) =
        (link_to(&server, NEW), token_in(&server.mails_to(&max.email)[0], "email_change_cancel"));
    let mut phone = server.browser();
    assert_eq!(confirm(&mut phone, &cancel).await.status, 422, "the one link is not the other");
    let cancelled = phone.post("/api/auth/email-change/cancel", json!({"token": cancel})).await;
    assert_eq!((cancelled.status.as_u16(), cancelled.json()), (200, json!({})));
    assert_eq!(confirm(&mut phone, &token).await.problem(), "otp_expired");
    assert_eq!(phone.post("/api/auth/email-change/cancel", json!({"token": cancel})).await.status, 422);
    assert_eq!(browser.get("/api/auth/user").await.status, 401, "the thief is signed out");
    let profile = server.signed_in(&max).await.profile().await;
    assert_eq!((&profile["email"], &profile["pending_email"]), (&json!(max.email), &Value::Null));
}

#[apply(on_both_engines!)]
async fn only_the_newest_link_counts_for_half_an_hour(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    ask(&mut browser, "first@label.example").await;
    ask(&mut browser, NEW).await;
    let (first, newest) = (link_to(&server, "first@label.example"), link_to(&server, NEW));
    let mut phone = server.browser();
    assert_eq!(confirm(&mut phone, &first).await.status, 422);
    server.advance(Duration::from_mins(30));
    assert_eq!(confirm(&mut phone, &newest).await.status, 422);
    assert_eq!(browser.profile().await["pending_email"], Value::Null);
    for token in ["", "x", &"A".repeat(43), &newest[1..]] {
        assert_eq!(confirm(&mut phone, token).await.problem(), "otp_expired", "{token}");
    }
}

#[apply(on_both_engines!)]
async fn an_address_that_has_an_account_is_answered_alike_and_not_written_to(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eva) = (server.person("Max_404").await, server.person("Eva_1").await);
    let mut browser = server.signed_in(&max).await;
    let taken = ask(&mut browser, &eva.email).await;
    assert_eq!(browser.profile().await["pending_email"], eva.email, "nor does the profile tell");
    let free = ask(&mut browser, NEW).await;
    assert_eq!((taken.status, &taken.bytes), (free.status, &free.bytes));
    assert!(server.mails_to(&eva.email).is_empty());
    assert_eq!(server.mails_to(&max.email).len(), 2, "the account's mailbox gets a mail in both cases");
    assert_eq!(ask(&mut browser, &eva.email).await.status, 429, "a mailbox without an account waits as long");
    let broken = ask(&mut browser, "nobody").await;
    assert_eq!(
        (broken.status.as_u16(), broken.json()["detail"].as_str()),
        (422, Some("Please enter a valid email address"))
    );
}

#[apply(on_both_engines!)]
async fn of_two_accounts_that_want_an_address_one_gets_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..5 {
        let wanted = format!("wanted{round}@label.example");
        let mut tokens = Vec::new();
        for name in ["Max", "Eva"] {
            let person = server.person(&format!("{name}_{round}")).await;
            let mut browser = server.signed_in(&person).await;
            // A mailbox gets one such letter in five minutes.
            server.advance(Duration::from_mins(6));
            assert_eq!(ask(&mut browser, &wanted).await.status, 200);
            tokens.push(link_to(&server, &wanted));
        }
        let answers = join_all(tokens.iter().map(|token| {
            let mut phone = server.browser();
            async move { confirm(&mut phone, token).await.status.as_u16() }
        }))
        .await;
        let mut sorted = answers.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [200, 422]);
        assert_eq!(server.count(&format!("users WHERE email = '{wanted}'")).await, 1);
    }
}

#[apply(on_both_engines!)]
async fn a_link_counts_once_however_often_it_is_sent_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..5 {
        let max = server.person(&format!("Max_{round}")).await;
        let mut browser = server.signed_in(&max).await;
        let wanted = format!("wanted{round}@label.example");
        ask(&mut browser, &wanted).await;
        let (token, cancel) =
            (link_to(&server, &wanted), token_in(&server.mails_to(&max.email)[0], "email_change_cancel"));
        let answers = join_all((0..64).map(|_| {
            let (mut phone, token) = (server.browser(), token.clone());
            async move { confirm(&mut phone, &token).await.status.as_u16() }
        }))
        .await;
        assert!(answers.iter().all(|status| matches!(status, 200 | 422)), "{answers:?}");
        assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1);
        let mut phone = server.browser();
        assert_eq!(phone.post("/api/auth/email-change/cancel", json!({"token": cancel})).await.status, 422);
    }
    // Exactly one of the two happens.
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    ask(&mut browser, NEW).await;
    let (token, cancel) =
        (link_to(&server, NEW), token_in(&server.mails_to(&max.email)[0], "email_change_cancel"));
    let answers = join_all((0..64).map(|number| {
        let mut phone = server.browser();
        let (path, token) = if number % 2 == 0 {
            ("/api/auth/email-change/confirm", token.clone())
        } else {
            ("/api/auth/email-change/cancel", cancel.clone())
        };
        async move { phone.post(path, json!({"token": token})).await.status.as_u16() }
    }))
    .await;
    assert!(answers.iter().all(|status| matches!(status, 200 | 422)), "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1);
}

#[apply(on_both_engines!)]
async fn an_unconfirmed_sign_up_keeps_no_address(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let squatter = json!({"email": NEW, "password": "123456", "data": {"username": "Squatter"}});
    assert_eq!(server.browser().post("/api/auth/sign-up", squatter).await.status, 200);
    let mut browser = server.signed_in(&max).await;
    ask(&mut browser, NEW).await;
    assert_eq!(confirm(&mut browser, &link_to(&server, NEW)).await.status, 200);
    assert_eq!(browser.profile().await["email"], NEW);
    assert_eq!(server.count("users").await, 1);
}

#[apply(on_both_engines!)]
async fn a_second_factor_must_be_given_within_ten_minutes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    server.add_unknown_factor(&max).await;
    server.verify_sessions(&max).await;
    assert_eq!(ask(&mut browser, NEW).await.status, 200);
    server.advance(Duration::from_mins(11));
    assert_eq!(ask(&mut browser, NEW).await.problem(), "reauthentication_needed");
    server.sql(&format!("UPDATE sessions SET stamped_at = {}", server.app.clock.now())).await;
    let needed = ask(&mut browser, NEW).await;
    assert_eq!((needed.status.as_u16(), needed.problem()), (403, "mfa_verification_needed".to_owned()));
    assert_eq!(server.mails_to(&max.email).len(), 1);
    server.verify_sessions(&max).await;
    assert_eq!(ask(&mut browser, NEW).await.status, 200);
}

#[apply(on_both_engines!)]
async fn an_address_is_stored_in_one_form(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    assert_eq!(ask(&mut browser, "Max@Bücher.example").await.status, 200);
    let stored = "max@xn--bcher-kva.example";
    assert_eq!(browser.profile().await["pending_email"], stored);
    assert_eq!(confirm(&mut browser, &link_to(&server, stored)).await.json()["email"], stored);
    for email in
        ["mıke@label.example", "max@@label.example", "max@label", "max@label.example\nbcc: x@y.example"]
    {
        assert_eq!(ask(&mut browser, email).await.status, 422, "{email}");
    }
}

#[apply(on_both_engines!)]
async fn a_mailbox_is_not_flooded(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    for _ in 0..10 {
        assert_eq!(ask(&mut browser, "victim@elsewhere.example").await.status, 200);
    }
    let late = ask(&mut browser, "victim@elsewhere.example").await;
    assert_eq!((late.status.as_u16(), late.problem()), (429, "rate_limited".to_owned()));
    assert_eq!(server.mails_to("victim@elsewhere.example").len(), 1);
    assert_eq!(server.browser().post("/api/auth/email-change", json!({"email": NEW})).await.status, 401);
}

#[apply(on_both_engines!)]
async fn the_own_address_is_refused_as_unchanged(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    for own in [max.email.as_str(), " MAX_404@Label.Example"] {
        let answer = ask(&mut browser, own).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "email_unchanged"), "{own}");
        assert_eq!(answer.json()["fields"]["email"], "This is your address already");
    }
    assert_eq!(browser.profile().await["pending_email"], Value::Null);
    assert!(server.mails().is_empty());
}
