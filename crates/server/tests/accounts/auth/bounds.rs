//! Repeated requests by one member, or from one network, use bounded room in the database.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::PASSWORD},
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);

#[apply(on_both_engines!)]
async fn a_session_renewed_lately_keeps_its_token(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    server.advance(59 * MINUTE);
    let first = browser.post("/api/auth/refresh", json!({})).await;
    let token = browser.cookies["sid"].clone();
    let mut late = browser.copy();
    for _ in 0..50 {
        let again = browser.post("/api/auth/refresh", json!({})).await;
        assert_eq!(again.status, 200);
        assert_eq!(again.header("set-cookie"), "");
        assert_eq!(again.json()["expires_at"], first.json()["expires_at"]);
    }
    assert_eq!(browser.cookies["sid"], token);
    assert_eq!(server.count("session_tokens").await, 2);
    assert_eq!(server.count("audit_log WHERE event = 'session_renewed'").await, 1);
    server.advance(MINUTE);
    assert_eq!(late.post("/api/auth/refresh", json!({})).await.status, 200);
    assert_ne!(late.cookies["sid"], token);
}

#[apply(on_both_engines!)]
async fn a_session_gets_a_handful_of_tokens_at_once_and_then_one_now_and_then(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    for _ in 0..8 * 60 {
        server.advance(MINUTE);
        assert_eq!(browser.post("/api/auth/refresh", json!({})).await.status, 200);
    }
    let tokens = server.count("session_tokens").await;
    assert!((55..=60).contains(&tokens), "{tokens}");
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_copied_token_is_noticed_for_as_long_as_a_session_may_lie_idle(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    for (days, is_noticed) in [(13, true), (15, false)] {
        let mut browser = server.signed_in(&max).await;
        let mut thief = browser.copy();
        browser.post("/api/auth/refresh", json!({})).await;
        assert_eq!(browser.get("/api/auth/user").await.status, 200);
        for _ in 0..days {
            server.advance(DAY);
            assert_eq!(browser.get("/api/auth/user").await.status, 200);
        }
        deadwax::accounts::prune(&server.app.db, server.app.clock.now()).await.unwrap();
        // The session is refused in any case; ageing also ends the copied one.
        assert_eq!(thief.get("/api/auth/user").await.status, 401);
        let status = browser.get("/api/auth/user").await.status.as_u16();
        assert_eq!(status, if is_noticed { 401 } else { 200 }, "after {days} days");
    }
    assert_eq!(server.count("session_tokens").await, 1);
}

#[apply(on_both_engines!)]
async fn what_an_account_repeats_is_audited_in_part(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    for _ in 0..80 {
        // Clear the separate limit on how many names may be tried.
        server.sql("DELETE FROM limits WHERE key LIKE 'username-check:%'").await;
        assert_eq!(browser.rename("Max_2").await.status, 200);
        let refused =
            browser.put("/api/auth/password", json!({"password": "x", "confirm_password": "y"})).await;
        assert_eq!(refused.status, 422);
    }
    for event in ["user_updated", "authn_password_change_fail"] {
        let rows = format!("audit_log WHERE event = '{event}'");
        assert_eq!(server.count(&rows).await, 30, "{event}");
        assert_eq!(server.count(&format!("{rows} AND repeats > 0")).await, 0);
    }
    server.advance(11 * MINUTE);
    assert_eq!(browser.rename("Max_3").await.status, 200);
    assert_eq!(server.count("audit_log WHERE event = 'user_updated' AND repeats = 50").await, 1);
    // Other accounts have their own count.
    let eve = server.person("Eve_1").await;
    assert_eq!(server.signed_in(&eve).await.rename("Eve_2").await.status, 200);
    assert_eq!(server.count("audit_log WHERE event = 'user_updated'").await, 32);
    // Sign-ins and their sessions are bounded the same way.
    for _ in 0..35 {
        let mut place = server.browser();
        assert_eq!(place.sign_in(&max.email, PASSWORD).await.status, 200);
    }
    assert_eq!(server.count("audit_log WHERE event = 'authn_login_success'").await, 30);
}

#[apply(on_both_engines!)]
async fn failed_sign_ins_of_unknown_accounts_are_audited_in_part(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut stranger = server.browser();
    let mut fail = async |number: usize| {
        // Clear the separate limit on how many may fail.
        server.sql("DELETE FROM limits WHERE key LIKE 'sign-in%'").await;
        assert_eq!(stranger.sign_in(&format!("Unknown_{number}"), PASSWORD).await.status, 401);
    };
    for number in 0..35 {
        fail(number).await;
    }
    let rows = "audit_log WHERE event = 'authn_login_fail' AND actor IS NULL";
    assert_eq!(server.count(rows).await, 30);
    server.advance(11 * MINUTE);
    fail(35).await;
    assert_eq!(server.count(&format!("{rows} AND repeats = 5")).await, 1);
}

#[apply(on_both_engines!)]
async fn admins_are_audited_without_gaps(engine: Engine) {
    let server = TestServer::start(engine).await;
    let boss = server.admin("Boss_1").await;
    let mut browser = server.signed_in(&boss).await;
    for number in 0..35 {
        server.advance(Duration::from_secs(1));
        let form = json!({"title": format!("Sleeve {number}"), "price": 1, "stock_quantity": 1});
        let answer = browser.post("/api/admin/products", form).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        assert_ne!(answer.json()["id"], Value::Null);
    }
    assert_eq!(server.count("audit_log WHERE role = 'admin'").await, 35);
}
