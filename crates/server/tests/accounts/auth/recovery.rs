use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::token_in},
};

#[apply(on_both_engines!)]
async fn a_forgotten_password_is_answered_alike_for_everybody(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut place = server.browser();
    let mut bodies = Vec::new();
    for email in [max.email.as_str(), "nobody@label.example", &max.email.to_uppercase()] {
        let answer =
            place.post("/api/auth/forgot", json!({"email": email, "redirect_to": "//evil.example"})).await;
        assert_eq!(answer.status, 200);
        bodies.push(answer.bytes);
    }
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(server.mails().len(), 1);
    for (bad, detail) in
        [("", "Please enter your email address first"), ("Max_1", "Please enter your email address first")]
    {
        let answer = place.post("/api/auth/forgot", json!({"email": bad})).await;
        assert_eq!((answer.status.as_u16(), answer.json()["detail"].clone()), (422, json!(detail)));
    }
    assert_eq!(place.post("/api/auth/forgot", json!({"email": "mıke@label.example"})).await.status, 422);
    for _ in 0..7 {
        assert_eq!(place.post("/api/auth/forgot", json!({"email": max.email})).await.status, 200);
    }
    assert_eq!(place.post("/api/auth/forgot", json!({"email": max.email})).await.status, 429);
    assert_eq!(server.mails().len(), 1);
}

#[apply(on_both_engines!)]
async fn a_reset_link_signs_in_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..5 {
        let max = server.person(&format!("Max_{round}")).await;
        server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
        let token = token_in(&server.mails_to(&max.email)[0], "recovery");
        let browsers = join_all((0..64).map(|_| {
            let (mut browser, token) = (server.browser(), token.clone());
            async move {
                let answer = browser.post("/api/auth/reset", json!({"token": token})).await;
                (answer.status.as_u16(), browser)
            }
        }))
        .await;
        let statuses: Vec<u16> = browsers.iter().map(|(status, _)| *status).collect();
        assert!(statuses.iter().all(|status| matches!(status, 200 | 422)), "{statuses:?}");
        let mut winners: Vec<_> = browsers.into_iter().filter(|(status, _)| *status == 200).collect();
        assert_eq!(winners.len(), 1);
        assert_eq!(winners[0].1.session().await["user"]["email"], max.email);
    }
}

/// SECURITY T25: the newest link is always in the owner's mailbox, even if an attacker asks last.
#[apply(on_both_engines!)]
async fn the_newest_reset_link_counts_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    // An attacker uses up the day's five; the owner has no known browser.
    for _ in 0..5 {
        let asked = server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
        assert_eq!(asked.status, 200);
        server.advance(Duration::from_secs(301));
    }
    let tokens: Vec<String> =
        server.mails_to(&max.email).iter().map(|mail| token_in(mail, "recovery")).collect();
    let (newest, older) = tokens.split_last().unwrap();
    assert_eq!(older.len(), 4);
    let mut place = server.browser();
    let mut open = async |token: &str| {
        let opened = place.post("/api/auth/reset", json!({"token": token})).await;
        (opened.status.as_u16(), if opened.status == 200 { String::new() } else { opened.problem() })
    };
    for token in older {
        assert_eq!(open(token).await, (422, "otp_expired".to_owned()));
    }
    assert_eq!(open(newest).await.0, 200);
    assert_eq!(open(newest).await, (422, "otp_expired".to_owned()));
    assert_eq!(place.session().await["user"]["email"], max.email);
}

/// A request that sends no letter does not revoke the current link.
#[apply(on_both_engines!)]
async fn a_reset_link_counts_for_its_hour(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (after, status) in [(3599, 200), (3600, 422)] {
        let max = server.person(&format!("Max_{after}")).await;
        let mut place = server.browser();
        for _ in 0..2 {
            place.post("/api/auth/forgot", json!({"email": max.email})).await;
        }
        let [mail] = &server.mails_to(&max.email)[..] else { panic!("one letter in 300 seconds") };
        server.advance(Duration::from_secs(after));
        let token = token_in(mail, "recovery");
        let opened = place.post("/api/auth/reset", json!({"token": token})).await;
        assert_eq!((opened.status.as_u16(), place.cookies.contains_key("sid")), (status, status == 200));
    }
}

#[apply(on_both_engines!)]
async fn the_browser_that_sets_a_new_password_is_known(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut place = server.browser();
    place.post("/api/auth/forgot", json!({"email": max.email})).await;
    let token = token_in(&server.mails_to(&max.email)[0], "recovery");
    assert_eq!(place.post("/api/auth/reset", json!({"token": token})).await.status, 200);
    assert!(!place.cookies.contains_key("dev"), "the mailbox alone makes no browser known");
    let body = json!({"password": "wholly new words", "confirm_password": "wholly new words"});
    assert_eq!(place.put("/api/auth/password", body).await.status, 200);
    place.post("/api/auth/sign-out", json!({})).await;
    for _ in 0..5 {
        server.advance(Duration::from_secs(301));
        server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
    }
    server.advance(Duration::from_secs(301));
    let before = server.mails_to(&max.email).len();
    place.post("/api/auth/forgot", json!({"email": max.email})).await;
    assert_eq!(server.mails_to(&max.email).len(), before + 1, "strangers do not use up its letters");
}

#[apply(on_both_engines!)]
async fn links_lead_to_this_website_whatever_the_request_says(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut place = server.browser();
    place.headers = vec![
        ("x-forwarded-host".to_owned(), "evil.example".to_owned()),
        ("x-forwarded-proto".to_owned(), "https".to_owned()),
    ];
    place.post("/api/auth/forgot", json!({"email": max.email})).await;
    let mail = server.mails_to(&max.email).remove(0).replace("=\r\n", "");
    assert!(!mail.contains("evil.example"));
    assert!(mail.contains(&server.base), "{mail}");
}
