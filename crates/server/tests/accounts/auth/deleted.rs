//! Requests about an account that another request holds and then changes: what they found of it before counts no more.

use deadwax_store::db::EngineTx;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Executor as _;

use crate::support::{Answer, Engine, TestServer, people::Browser};

/// Sends a request while the account's deletion holds its row, and commits the deletion once the request waits for it.
async fn while_it_goes(server: &TestServer, browser: &Browser, path: &'static str, body: Value) -> Answer {
    while_held(server, "DELETE FROM users", browser, (Method::POST, path, Some(body))).await
}

/// Sends a request while `change` holds the account's row, and commits the change once the request waits for it.
async fn while_held(
    server: &TestServer,
    change: &'static str,
    browser: &Browser,
    (method, path, body): (Method, &'static str, Option<Value>),
) -> Answer {
    let mut tx = server.app.db.begin().await.unwrap();
    let EngineTx::Postgres(holding) = &mut tx.inner else { unreachable!() };
    holding.execute(change).await.unwrap();
    let mut browser = browser.copy();
    let asking = tokio::spawn(async move { browser.send(method, path, body).await });
    let waits = "pg_locks WHERE NOT granted AND pid IN \
        (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
    server
        .wait_until("the request waits", async || server.count(waits).await > 0 || asking.is_finished())
        .await;
    tx.commit().await.unwrap();
    asking.await.unwrap()
}

#[tokio::test]
async fn an_account_deleted_during_the_request_is_answered_like_an_unknown_one() {
    let server = TestServer::start(Engine::Postgres).await;
    let sign_up = json!({"email": "new@label.example", "password": "a good password"});
    let known = json!({"email": "max_1@label.example"});
    for (path, body, is_confirmed) in [
        ("/api/auth/forgot", known.clone(), true),
        ("/api/auth/resend", json!({"email": "new@label.example"}), false),
        ("/api/auth/sign-up", sign_up.clone(), false),
    ] {
        if is_confirmed {
            server.person("Max_1").await;
        } else {
            assert_eq!(server.browser().post("/api/auth/sign-up", sign_up.clone()).await.status, 200);
            server.advance(std::time::Duration::from_secs(400));
        }
        let answer = while_it_goes(&server, &server.browser(), path, body.clone()).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    assert_eq!(server.count("users").await, 1, "signing up made it anew");
}

#[tokio::test]
async fn setting_up_a_factor_of_an_account_being_deleted_answers_signed_out() {
    let server = TestServer::start(Engine::Postgres).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    // Stamps the session beforehand: the stamp would otherwise be the first thing to wait for the deletion.
    browser.session().await;
    let path = "/api/auth/mfa-operations";
    let answer = while_it_goes(&server, &browser, path, json!({"action": "generate_secret"})).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (401, &json!("not_authenticated")));
}

#[tokio::test]
async fn a_deletion_that_waits_while_its_session_ends_deletes_nothing() {
    let server = TestServer::start(Engine::Postgres).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    browser.session().await;
    // As when the account is taken back from a thief.
    let change = "WITH held AS (UPDATE users SET version = version + 1) DELETE FROM sessions";
    let answer = while_held(&server, change, &browser, (Method::DELETE, "/api/auth/account", None)).await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (401, "not_authenticated".to_owned()));
    assert_eq!(server.count("users").await, 1);
}

#[tokio::test]
async fn a_reset_that_waits_while_the_address_changes_writes_to_neither() {
    let server = TestServer::start(Engine::Postgres).await;
    let max = server.person("Max_1").await;
    let change = "UPDATE users SET email = 'new@label.example'";
    let forgot = (Method::POST, "/api/auth/forgot", Some(json!({"email": max.email})));
    let answer = while_held(&server, change, &server.browser(), forgot).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(server.count("one_time_tokens").await, 0);
    assert!(server.mails().is_empty());
}

#[tokio::test]
async fn a_resend_that_waits_while_the_account_is_confirmed_mails_nothing() {
    let server = TestServer::start(Engine::Postgres).await;
    let sign_up = json!({"email": "new@label.example", "password": "a good password"});
    assert_eq!(server.browser().post("/api/auth/sign-up", sign_up).await.status, 200);
    server.advance(std::time::Duration::from_secs(400));
    let mails = server.mails().len();
    let resend = (Method::POST, "/api/auth/resend", Some(json!({"email": "new@label.example"})));
    let change = "UPDATE users SET confirmed_at = 1, password_hash = 'x'";
    let answer = while_held(&server, change, &server.browser(), resend).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(server.mails().len(), mails);
}

#[tokio::test]
async fn a_note_by_an_account_being_deleted_answers_signed_out() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    desk.session().await;
    let demo = "01975a00-0000-7000-8000-00000000abcd";
    server.sql("INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('demos/1_00000000_x.zip', 'application/zip', 7, '', 1)").await;
    server.sql(&format!("INSERT INTO demos (id, file_key, artist_name, email, original_name, submitted_at) VALUES ('{demo}', 'demos/1_00000000_x.zip', 'x', 'a@b.example', 'x.zip', 1)")).await;
    let path = "/api/admin/desk/demos/01975a00-0000-7000-8000-00000000abcd/notes";
    let answer = while_it_goes(&server, &desk, path, json!({"text": "loud"})).await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (401, "not_authenticated".to_owned()));
    assert_eq!(server.count("demo_notes").await, 0);
}
