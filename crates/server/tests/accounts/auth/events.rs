//! The names under which the activity log notes what happens to accounts.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{PASSWORD, token_in},
    },
};

const EMAIL: &str = "max@example.org";

#[apply(on_both_engines!)]
async fn signing_in_guessing_and_copying_are_noted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    browser.post("/api/auth/sign-up", json!({"email": EMAIL, "password": PASSWORD})).await;
    let token = token_in(&server.mails_to(EMAIL)[0], "signup");
    browser.post("/api/auth/confirm", json!({"token": token})).await;
    let mut events = vec!["user_created", "session_created"];
    browser.sign_in(EMAIL, "wrong password").await;
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.status, 200);
    events.extend(["authn_login_fail", "authn_login_successafterfail"]);
    let mut thief = browser.copy();
    server.advance(Duration::from_secs(61));
    browser.post("/api/auth/refresh", json!({})).await;
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
    server.advance(Duration::from_secs(61));
    assert_eq!(thief.get("/api/auth/user").await.status, 401);
    events.push("authn_token_reuse");
    let mut guesser = server.browser();
    for _ in 0..10 {
        guesser.sign_in(EMAIL, "wrong password").await;
    }
    events.push("authn_login_lock");
    server.with_factor(&server.admin("Eva_1").await).await;
    events.push("authz_admin");
    for event in events {
        assert!(server.count(&format!("audit_log WHERE event = '{event}'")).await > 0, "{event}");
    }
}
