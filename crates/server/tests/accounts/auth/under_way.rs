//! Requests that are still arriving when their permission is withdrawn.

use std::time::Duration;

use deadwax::auth::session;
use deadwax_store::ids::SessionId;
use futures_util::stream;
use macro_rules_attribute::apply;
use reqwest::{Body, Method};
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Answer, Engine, TestServer,
        people::{Browser, PASSWORD, Person},
    },
};

const NEW: &str = "wholly new words";

deadwax_store::statements! {
    SESSION = "SELECT id FROM sessions WHERE user_id = $1";
}

/// Method, path, content type, body, and the table that must stay empty.
const WRITES: [(&str, &str, &str, &[u8], &str); 8] = [
    ("POST", "/api/admin/artists", JSON, br#"{"name": "Held"}"#, "artists"),
    (
        "PATCH",
        "/api/admin/maintenance/releases",
        JSON,
        br#"{"is_maintenance_mode": true}"#,
        "maintenance_settings WHERE is_maintenance_mode",
    ),
    ("PATCH", "/api/profile", JSON, br#"{"username": "Held_1"}"#, "profiles WHERE username = 'Held_1'"),
    (
        "PUT",
        "/api/auth/password",
        JSON,
        br#"{"password": "held words", "confirm_password": "held words"}"#,
        NOTED,
    ),
    ("POST", "/api/auth/email-change", JSON, br#"{"email": "held@label.example"}"#, "one_time_tokens"),
    ("POST", "/api/auth/mfa-operations", JSON, br#"{"action": "generate_secret"}"#, "two_factor"),
    ("POST", "/api/admin/media", FORM, PICTURE, "media_files"),
    ("POST", "/api/profile/avatar", FORM, PICTURE, "objects"),
];
const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data; boundary=cut";
const NOTED: &str = "audit_log WHERE event = 'authn_password_change' AND outcome = 'ok'";
/// A form with a PNG of one pixel.
const PICTURE: &[u8] = b"--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0d\x49\x44\x41\x54\x78\xda\x63\x64\x60\xf8\x5f\x0f\x00\x02\x87\x01\x80\xeb\x47\xba\x92\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82\r\n--cut--\r\n";

/// Sends a request up to the end of its body, calls `during` once the session is accepted, then sends the rest.
async fn held(
    server: &TestServer,
    browser: &Browser,
    (method, path, kind, body, _): (&str, &str, &'static str, &'static [u8], &str),
    during: impl AsyncFnOnce(),
) -> Answer {
    let (first, rest) = body.split_at(5);
    let (go_on, gone_on) = tokio::sync::oneshot::channel();
    let rest = async move {
        gone_on.await.unwrap();
        Ok::<_, std::io::Error>(rest)
    };
    let pieces = stream::StreamExt::chain(stream::iter([Ok(first)]), stream::once(rest));
    let request = browser
        .request(Method::from_bytes(method.as_bytes()).unwrap(), path)
        .header("content-type", kind)
        .body(Body::wrap_stream(pieces));
    let sending = tokio::spawn(request.send());
    server
        .wait_until("the session is let in", async || {
            server.count("session_tokens WHERE first_used_at IS NOT NULL").await > 0
        })
        .await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    during().await;
    go_on.send(()).unwrap();
    Answer::read(sending.await.unwrap().unwrap()).await
}

#[apply(on_both_engines!)]
async fn a_request_whose_session_ends_while_it_arrives_writes_nothing(engine: Engine) {
    for write in WRITES {
        let server = TestServer::start(engine).await;
        let max = server.admin("Max_404").await;
        let browser = server.signed_in(&max).await;
        let before = server.count(write.4).await;
        let answer = held(&server, &browser, write, async || {
            let id = server.id_literal(max.id);
            server.sql(&format!("DELETE FROM sessions WHERE user_id = {id}")).await;
        })
        .await;
        assert_eq!(answer.status, 401, "{} {}: {answer:?}", write.0, write.1);
        assert_eq!(server.count(write.4).await, before, "{} {}", write.0, write.1);
    }
}

#[apply(on_both_engines!)]
async fn a_request_by_a_copied_token_ends_with_the_password(engine: Engine) {
    for write in WRITES {
        let server = TestServer::start(engine).await;
        let max = server.admin("Max_404").await;
        let thief = server.signed_in(&max).await;
        let before = server.count(write.4).await;
        let answer = held(&server, &thief, write, async || change_password(&thief, &max).await).await;
        let changes = i64::from(write.4 == NOTED);
        assert_eq!(answer.status, 401, "{} {}: {answer:?}", write.0, write.1);
        assert_eq!(server.count(write.4).await, before + changes, "{} {}", write.0, write.1);
    }
}

async fn change_password(thief: &Browser, owner: &Person) {
    let mut browser = thief.copy();
    let body = json!({"password": NEW, "confirm_password": NEW});
    assert_eq!(browser.put("/api/auth/password", body).await.status, 200, "{}", owner.email);
}

#[apply(on_both_engines!)]
async fn a_refresh_that_waits_for_a_new_token_of_its_session_gets_none(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut thief = server.signed_in(&max).await;
    assert_eq!(thief.get("/api/auth/user").await.status, 200);
    let mut tx = server.app.db.begin().await.unwrap();
    let session_id = tx.query(SESSION).bind(max.id).value::<SessionId>().await.unwrap();
    session::rotate(&mut tx, session_id, server.app.clock.now()).await.unwrap().unwrap();
    let refresh = tokio::spawn(thief.request(Method::POST, "/api/auth/refresh").send());
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!refresh.is_finished());
    tx.commit().await.unwrap();
    let answer = Answer::read(refresh.await.unwrap().unwrap()).await;
    assert_eq!(answer.status, 401, "{answer:?}");
}

#[apply(on_both_engines!)]
async fn a_request_of_a_former_admin_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.admin("Max_404").await;
    let browser = server.signed_in(&max).await;
    for write in WRITES.into_iter().filter(|write| write.1.contains("/admin/")) {
        let answer = held(&server, &browser, write, async || {
            server.sql("UPDATE admin_users SET active = FALSE").await;
        })
        .await;
        assert_eq!(answer.status, 403, "{}: {answer:?}", write.1);
        assert_eq!(server.count(write.4).await, 0, "{}", write.1);
        server.sql("UPDATE admin_users SET active = TRUE").await;
    }
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 200);
}
