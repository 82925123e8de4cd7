//! Previewing a mailed link does not use it; the browser that asked is recognised by its cookie; a sign-up learns how it ended.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{
        Answer, Engine, TestServer,
        people::{Browser, token_in},
    },
};

async fn look(browser: &mut Browser, kind: &str, token: &str) -> Answer {
    browser.post("/api/auth/link", json!({"type": kind, "token": token})).await
}

async fn sign_up(browser: &mut Browser, email: &str) {
    let answer = browser.post("/api/auth/sign-up", json!({"email": email, "password": "secret"})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

async fn status(browser: &mut Browser) -> Value {
    browser.get("/api/auth/sign-up").await.json()["status"].clone()
}

#[apply(on_both_engines!)]
async fn looking_at_a_link_spends_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut signed_in = server.signed_in(&max).await;
    sign_up(&mut server.browser(), "new@example.org").await;
    server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
    signed_in.post("/api/auth/email-change", json!({"email": "other@label.example"})).await;
    let reset = token_in(&server.mails_to(&max.email)[0], "recovery");
    let change = token_in(&server.mails_to("other@label.example")[0], "email_change");
    let confirm = token_in(&server.mails_to("new@example.org")[0], "signup");
    let mut scanner = server.browser();
    for (kind, token, masked) in [
        ("signup", &confirm, "n***@example.org"),
        ("recovery", &reset, "m***@label.example"),
        ("email_change", &change, "o***@label.example"),
    ] {
        for _ in 0..3 {
            let seen = look(&mut scanner, kind, token).await;
            assert_eq!(seen.status, 200, "{seen:?}");
            let expected = json!({"type": kind, "used": false, "email": masked, "asked_here": false,
                "signed_in_as_other": false});
            assert_eq!(seen.json(), expected);
        }
    }
    assert!(scanner.cookies.is_empty());
    let mut owner = server.browser();
    for (path, token) in [
        ("/api/auth/confirm", &confirm),
        ("/api/auth/reset", &reset),
        ("/api/auth/email-change/confirm", &change),
    ] {
        let answer = owner.post(path, json!({"token": token})).await;
        // The reset does not revoke the change: the same person asked for both.
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    let again = look(&mut scanner, "signup", &confirm).await.json();
    assert_eq!(again["used"], true);
    for (kind, token) in [("recovery", &reset), ("email_change", &change)] {
        assert_eq!(look(&mut scanner, kind, token).await.problem(), "otp_expired", "{kind}");
    }
}

#[apply(on_both_engines!)]
async fn the_browser_that_asked_is_recognised_among_others_with_the_link(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut asking = server.signed_in(&max).await;
    sign_up(&mut asking, "new@example.org").await;
    asking.post("/api/auth/forgot", json!({"email": max.email})).await;
    asking.post("/api/auth/email-change", json!({"email": "other@label.example"})).await;
    let mails = [
        ("signup", server.mails_to("new@example.org")),
        ("recovery", server.mails_to(&max.email)),
        ("email_change", server.mails_to("other@label.example")),
    ];
    // A browser with a pending sign-up is still not the browser that asked for this one.
    let mut other = server.browser();
    sign_up(&mut other, "third@example.org").await;
    other.post("/api/auth/forgot", json!({"email": "nobody@example.org"})).await;
    for (kind, mails) in &mails {
        let token = token_in(&mails[0], kind);
        assert_eq!(look(&mut asking, kind, &token).await.json()["asked_here"], true, "{kind}");
        assert_eq!(look(&mut other, kind, &token).await.json()["asked_here"], false, "{kind}");
    }
}

#[apply(on_both_engines!)]
async fn a_browser_that_asks_twice_stays_the_one_that_asked(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut asking = server.browser();
    for _ in 0..2 {
        sign_up(&mut asking, "new@example.org").await;
        asking.post("/api/auth/forgot", json!({"email": max.email})).await;
    }
    for mail in server.mails_to("new@example.org") {
        assert_eq!(look(&mut asking, "signup", &token_in(&mail, "signup")).await.json()["asked_here"], true);
    }
    let mails = server.mails_to(&max.email);
    assert_eq!(mails.len(), 1, "the second asking sends nothing");
    assert_eq!(
        look(&mut asking, "recovery", &token_in(&mails[0], "recovery")).await.json()["asked_here"],
        true
    );
}

#[apply(on_both_engines!)]
async fn a_link_that_opens_nothing_says_so_in_the_words_of_its_kind(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.browser();
    browser.post("/api/auth/forgot", json!({"email": max.email})).await;
    let reset = token_in(&server.mails_to(&max.email)[0], "recovery");
    let confirmation = "Invalid confirmation link or expired token";
    let of_reset =
        "This reset link has expired, was used, or has a newer one. Ask for a new one at the login.";
    for (kind, token, words) in [
        ("signup", "", confirmation),
        ("signup", reset.as_str(), confirmation),
        ("email_change", "garbage", confirmation),
        ("recovery", "A".repeat(43).as_str(), of_reset),
    ] {
        let answer = look(&mut browser, kind, token).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "otp_expired"), "{kind}");
        assert_eq!(answer.json()["detail"], words, "{kind}");
    }
    let spent = browser.post("/api/auth/reset", json!({"token": "garbage"})).await;
    assert_eq!((spent.status.as_u16(), &spent.json()["detail"]), (422, &json!(of_reset)));
    assert_eq!(look(&mut browser, "not_me", &reset).await.status, 422);
    server.advance(Duration::from_secs(3601));
    assert_eq!(look(&mut browser, "recovery", &reset).await.problem(), "otp_expired");
}

#[apply(on_both_engines!)]
async fn another_signed_in_account_is_named_as_such(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eve) = (server.person("Max_1").await, server.person("Eve_1").await);
    server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
    let token = token_in(&server.mails_to(&max.email)[0], "recovery");
    for (person, other) in [(&max, false), (&eve, true)] {
        let mut browser = server.signed_in(person).await;
        assert_eq!(look(&mut browser, "recovery", &token).await.json()["signed_in_as_other"], other);
        assert_eq!(browser.session().await["user"]["email"], person.email);
    }
}

#[apply(on_both_engines!)]
async fn looks_are_limited_by_themselves(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.browser();
    browser.post("/api/auth/forgot", json!({"email": max.email})).await;
    let token = token_in(&server.mails_to(&max.email)[0], "recovery");
    for _ in 0..30 {
        assert_eq!(look(&mut browser, "recovery", &token).await.status, 200);
    }
    assert_eq!(look(&mut browser, "recovery", &token).await.status, 429);
    assert_eq!(browser.post("/api/auth/reset", json!({"token": token})).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_reset_link_ends_the_session_it_takes_the_place_of(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eve) = (server.person("Max_1").await, server.person("Eve_1").await);
    server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
    let token = token_in(&server.mails_to(&max.email)[0], "recovery");
    let mut browser = server.signed_in(&eve).await;
    let mut copied = browser.copy();
    let mut elsewhere = server.signed_in(&eve).await;
    assert_eq!(browser.post("/api/auth/reset", json!({"token": "A".repeat(43)})).await.status, 422);
    assert_eq!(browser.session().await["user"]["email"], eve.email, "a link that is none changes nothing");
    assert_eq!(browser.post("/api/auth/reset", json!({"token": token})).await.status, 200);
    assert_eq!(browser.session().await["user"]["email"], max.email);
    assert_eq!(copied.session().await["user"], Value::Null);
    assert_eq!(elsewhere.session().await["user"]["email"], eve.email);
}

#[apply(on_both_engines!)]
async fn the_browser_that_signed_up_learns_of_its_own_confirmation_only(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (mut stranger, mut owner) = (server.browser(), server.browser());
    assert_eq!(status(&mut owner).await, "none");
    sign_up(&mut stranger, "max@example.org").await;
    sign_up(&mut owner, "max@example.org").await;
    assert_eq!((status(&mut stranger).await, status(&mut owner).await), (json!("waiting"), json!("waiting")));
    let mails = server.mails_to("max@example.org");
    let token = token_in(&mails[1], "signup");
    let elsewhere = server.browser().post("/api/auth/confirm", json!({"token": token})).await;
    assert_eq!(elsewhere.json()["session"], Value::Null);
    assert_eq!(
        (status(&mut stranger).await, status(&mut owner).await),
        (json!("waiting"), json!("confirmed"))
    );
    assert!(
        !owner.cookies.contains_key("su") && !owner.cookies.contains_key("sid"),
        "nobody is signed in by it"
    );
    assert_eq!(status(&mut owner).await, "none");

    // A sign-up its owner objected to looks pending to the browser that asked.
    sign_up(&mut stranger, "eve@example.org").await;
    let objection = token_in(&server.mails_to("eve@example.org")[0], "not_me");
    server.browser().post("/api/auth/not-me", json!({"token": objection})).await;
    assert_eq!(status(&mut stranger).await, "waiting");
    stranger.cookies.insert("su".to_owned(), "garbage".to_owned());
    assert_eq!(status(&mut stranger).await, "none");
}

#[apply(on_both_engines!)]
async fn forgetting_a_password_sets_the_same_cookie_for_everybody(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut lines = Vec::new();
    for email in [max.email.as_str(), "nobody@label.example"] {
        let mut browser = server.browser();
        let answer = browser.post("/api/auth/forgot", json!({"email": email})).await;
        let line = answer.header("set-cookie").to_owned();
        assert_eq!(browser.cookies["ask"].len(), 43);
        lines.push(line.replace(&browser.cookies["ask"], "…"));
    }
    assert_eq!(lines[0], lines[1]);
    assert!(lines[0].contains("HttpOnly") && lines[0].contains("SameSite=Lax"), "{lines:?}");
}
