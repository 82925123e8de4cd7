//! Resolving, renewing and ending the session of a request.

use std::time::Duration;

use deadwax_store::clock::micros;
use futures_util::{StreamExt as _, future::join_all};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, RECEIVE_TIMEOUT, TestServer, people::PASSWORD},
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);

#[apply(on_both_engines!)]
async fn signing_out_ends_the_session_and_not_only_the_cookie(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let mut copy = browser.copy();
    let answer = browser.post("/api/auth/sign-out", json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.header("clear-site-data")), (200, "\"cache\""));
    assert!(!browser.cookies.contains_key("sid"));
    assert_eq!(copy.get("/api/auth/user").await.status, 401);
    assert_eq!(copy.post("/api/auth/sign-out", json!({})).await.status, 200);
    assert_eq!(browser.get("/api/auth/sign-out").await.status, 405);
}

#[apply(on_both_engines!)]
async fn a_renewed_session_has_a_new_token_and_the_old_one_a_minute(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let mut old = browser.copy();
    let before = browser.session().await["expires_at"].clone();
    server.advance(59 * MINUTE);
    let answer = browser.post("/api/auth/refresh", json!({})).await;
    assert_eq!(answer.status, 200);
    assert_ne!(answer.json()["expires_at"], before);
    assert_ne!(browser.cookies["sid"], old.cookies["sid"]);
    assert_eq!(old.get("/api/auth/user").await.status, 200);
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
    server.advance(MINUTE);
    assert_eq!(old.get("/api/auth/user").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_copied_token_that_comes_late_ends_the_session(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let mut thief = browser.copy();
    browser.post("/api/auth/refresh", json!({})).await;
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
    server.advance(61 * Duration::from_secs(1));
    assert_eq!(thief.get("/api/auth/user").await.status, 401);
    assert_eq!(browser.get("/api/auth/user").await.status, 401);
    assert_eq!(server.mails_to(&max.email).len(), 1);
}

#[apply(on_both_engines!)]
async fn a_lost_answer_of_a_renewal_harms_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let token = browser.cookies["sid"].clone();
    browser.post("/api/auth/refresh", json!({})).await;
    browser.cookies.insert("sid".to_owned(), token);
    server.advance(5 * DAY);
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
    assert_eq!(browser.post("/api/auth/refresh", json!({})).await.status, 200);
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
}

#[apply(on_both_engines!)]
async fn twenty_tabs_may_renew_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let browser = server.signed_in(&max).await;
    let statuses = join_all((0..20).map(|_| {
        let mut tab = browser.copy();
        async move {
            let first = tab.post("/api/auth/refresh", json!({})).await.status.as_u16();
            (first, tab.get("/api/auth/user").await.status.as_u16())
        }
    }))
    .await;
    assert!(statuses.iter().all(|pair| *pair == (200, 200)), "{statuses:?}");
}

#[apply(on_both_engines!)]
async fn a_session_ends_after_fourteen_idle_days_and_thirty_in_all(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut idle = server.signed_in(&max).await;
    server.advance(14 * DAY);
    let answer = idle.get("/api/auth/user").await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (401, "session_expired".to_owned()));
    assert_eq!(answer.json()["detail"], "Session expired. Please sign in again.");
    assert_eq!(idle.session().await["user"], Value::Null);
    let mut busy = server.signed_in(&max).await;
    for _ in 0..29 {
        server.advance(DAY);
        assert_eq!(busy.get("/api/auth/user").await.status, 200);
    }
    server.advance(DAY);
    assert_eq!(busy.get("/api/auth/user").await.problem(), "session_expired");
}

#[apply(on_both_engines!)]
async fn an_account_has_ten_sessions(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browsers = Vec::new();
    for _ in 0..11 {
        server.advance(Duration::from_secs(1));
        browsers.push(server.signed_in(&max).await);
    }
    assert_eq!(browsers[0].get("/api/auth/user").await.status, 401);
    assert_eq!(browsers[1].get("/api/auth/user").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_stream_ends_with_its_token_and_its_session(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let open = async |cookie: Option<String>| {
        let mut request = server.client.get(format!("{}/api/events", server.base));
        if let Some(token) = cookie {
            request = request.header("cookie", format!("sid={token}"));
        }
        let mut stream = request.send().await.unwrap().bytes_stream();
        stream.next().await.unwrap().unwrap();
        stream
    };
    let mut visitors = open(None).await;
    for _ in 0..3 {
        server.advance(MINUTE);
        assert_eq!(browser.post("/api/auth/refresh", json!({})).await.status, 200);
        assert_eq!(browser.get("/api/auth/user").await.status, 200);
    }
    let mut copied = open(Some(browser.cookies["sid"].clone())).await;
    let body = json!({"password": "another long password", "confirm_password": "another long password"});
    assert_eq!(browser.put("/api/auth/password", body).await.status, 200);
    let ended = tokio::time::timeout(RECEIVE_TIMEOUT, copied.next()).await.expect("it ends");
    assert!(ended.is_none(), "{ended:?}");
    assert_eq!(server.count("events WHERE table_name = 'sessions'").await, 1, "one change for four tokens");
    let mut mine = open(Some(browser.cookies["sid"].clone())).await;
    browser.post("/api/auth/sign-out", json!({})).await;
    let ended = tokio::time::timeout(RECEIVE_TIMEOUT, mine.next()).await.expect("it ends");
    assert!(ended.is_none(), "{ended:?}");
    server.artist("Somebody", None).await;
    let frame = tokio::time::timeout(RECEIVE_TIMEOUT, visitors.next()).await.unwrap().unwrap().unwrap();
    let text = String::from_utf8(frame.to_vec()).unwrap();
    assert!(text.contains("\"table\":\"artists\"") && !text.contains("sessions"), "{text}");
}

#[apply(on_both_engines!)]
async fn an_admins_stream_ends_with_the_second_factor_and_the_session(engine: Engine) {
    let server = TestServer::start(engine).await;
    let boss = server.admin("Boss_1").await;
    server.add_unknown_factor(&boss).await;
    let browser = server.signed_in(&boss).await;
    server.verify_sessions(&boss).await;
    let soon = server.app.clock.now() + 100_000;
    let begun = soon - micros(rules::session::ABSOLUTE_MS);
    for change in [
        format!("UPDATE sessions SET mfa_verified_until = {soon}"),
        format!("UPDATE sessions SET mfa_verified_until = {soon} + 3600000000, created_at = {begun}"),
    ] {
        server.sql(&change).await;
        let request = server.client.get(format!("{}/api/events", server.base));
        let request = request.header("cookie", format!("sid={}", browser.cookies["sid"]));
        let mut stream = request.send().await.unwrap().bytes_stream();
        stream.next().await.unwrap().unwrap();
        let ended = tokio::time::timeout(RECEIVE_TIMEOUT, stream.next()).await.expect("it ends");
        assert!(ended.is_none(), "{change}: {ended:?}");
    }
}

#[apply(on_both_engines!)]
async fn rights_are_read_anew_for_every_request(engine: Engine) {
    let server = TestServer::start(engine).await;
    let admin = server.admin("Boss_1").await;
    let mut browser = server.signed_in(&admin).await;
    let session = browser.session().await;
    assert_eq!((&session["is_admin"], &session["auth_stage"]), (&json!(true), &json!("authenticated")));
    assert_eq!(session["admin"]["active"], true);
    server.sql("UPDATE admin_users SET active = FALSE").await;
    let session = browser.session().await;
    assert_eq!((&session["is_admin"], &session["auth_stage"]), (&json!(false), &json!("unauthenticated")));
    assert_eq!(session["admin"], Value::Null);
    assert_eq!(session["user"]["email"], admin.email);
}

#[apply(on_both_engines!)]
async fn no_answer_about_a_session_is_cached(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.browser();
    for answer in [
        browser.sign_in(&max.email, PASSWORD).await,
        browser.get("/api/auth/session").await,
        browser.get("/api/auth/user").await,
    ] {
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
    }
}

#[apply(on_both_engines!)]
async fn an_authorization_that_is_no_token_of_ours_leaves_the_cookie_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eve) = (server.person("Max_1").await, server.person("Eve_1").await);
    let mut browser = server.signed_in(&max).await;
    let eves = server.signed_in(&eve).await.cookies["sid"].clone();
    let unknown = "A".repeat(43);
    type Headers<'a> = &'a [(&'a str, String)];
    let cases: [(Headers<'_>, Option<&str>); 13] = [
        (&[("authorization", "Basic eDp5".to_owned())], Some(&max.email)),
        (&[("authorization", "basic eDp5".to_owned())], Some(&max.email)),
        (&[("authorization", "Digest username=\"x\"".to_owned())], Some(&max.email)),
        (&[("authorization", String::new())], Some(&max.email)),
        (&[("authorization", "Bearer".to_owned())], Some(&max.email)),
        (&[("authorization", "Bearer ".to_owned())], Some(&max.email)),
        (&[("authorization", "Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln".to_owned())], Some(&max.email)),
        (&[("proxy-authorization", format!("Bearer {eves}"))], Some(&max.email)),
        (&[("authorization", format!("Bearer {eves}"))], Some(&eve.email)),
        (&[("authorization", format!("bEARER   {eves}"))], Some(&eve.email)),
        (
            &[("authorization", "Basic eDp5".to_owned()), ("authorization", format!("Bearer {eves}"))],
            Some(&eve.email),
        ),
        (
            &[("authorization", format!("Bearer {eves}")), ("authorization", "Basic eDp5".to_owned())],
            Some(&eve.email),
        ),
        // A token in this format is the server's own, so no cookie overrides it.
        (&[("authorization", format!("Bearer {unknown}"))], None),
    ];
    for (headers, who) in cases {
        browser.headers = headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let session = browser.session().await;
        assert_eq!(session["user"]["email"].as_str(), who, "{headers:?}");
        let status = browser.get("/api/auth/user").await.status.as_u16();
        assert_eq!(status, if who.is_some() { 200 } else { 401 }, "{headers:?}");
    }
}
