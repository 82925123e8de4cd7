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

#[apply(on_both_engines!)]
async fn only_the_newest_link_counts_for_an_hour(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut place = server.browser();
    place.post("/api/auth/forgot", json!({"email": max.email})).await;
    server.pass(Duration::from_secs(301));
    place.post("/api/auth/forgot", json!({"email": max.email})).await;
    let mails = server.mails_to(&max.email);
    assert_eq!(mails.len(), 2);
    let first = place.post("/api/auth/reset", json!({"token": token_in(&mails[0], "recovery")})).await;
    assert_eq!((first.status.as_u16(), first.problem()), (422, "otp_expired".to_owned()));
    server.pass(Duration::from_secs(3600));
    let second = place.post("/api/auth/reset", json!({"token": token_in(&mails[1], "recovery")})).await;
    assert_eq!(second.problem(), "otp_expired");
    assert!(!place.cookies.contains_key("sid"));
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
