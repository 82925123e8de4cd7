//! Links and addresses that were not confirmed in time.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::json;

use super::{confirm, sign_up};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, change},
};

#[apply(on_both_engines!)]
async fn a_link_ends_after_a_day_and_an_address_after_seven(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    sign_up(&mut browser, "max@example.org", "secret", Some("Max_1")).await;
    let hour = Duration::from_secs(3600);
    server.advance(24 * hour);
    assert_eq!(confirm(&mut browser, &server.mails()[0]).await.problem(), "otp_expired");
    // Resending gives the same sign-up a new link.
    browser.post("/api/auth/resend", json!({"email": "max@example.org"})).await;
    assert_eq!(server.mails().len(), 2);
    server.advance(6 * 24 * hour + hour);
    deadwax::accounts::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(browser.sign_in("max@example.org", "secret").await.status, 401);
    assert_eq!(
        sign_up(&mut server.browser(), "other@example.org", "secret", Some("max_1")).await.status,
        200
    );
}

/// The row is as old as the first sign-up; the link expires by the age of its letter.
#[apply(on_both_engines!)]
async fn signing_up_again_after_a_week_gives_a_day_to_confirm(engine: Engine) {
    let server = TestServer::start(engine).await;
    let email = "late@label.example";
    let mut browser = server.browser();
    assert_eq!(sign_up(&mut browser, email, "secret", None).await.status, 200);
    server.advance(Duration::from_secs(7 * 86_400 - 60));
    assert_eq!(sign_up(&mut browser, email, "secret", None).await.status, 200);
    server.advance(Duration::from_secs(23 * 3_600));
    deadwax::accounts::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    let answer = confirm(&mut browser, server.mails_to(email).last().unwrap()).await;
    assert_eq!(answer.json()["status"], "confirmed", "{answer:?}");
    let email = "gone@label.example";
    assert_eq!(sign_up(&mut browser, email, "secret", None).await.status, 200);
    server.advance(Duration::from_secs(7 * 86_400 + 60));
    deadwax::accounts::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("users WHERE email = 'gone@label.example'").await, 0);
}

#[apply(on_both_engines!)]
async fn more_addresses_than_one_transaction_erases_are_forgotten_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for number in 0..201 {
        let id = server.id_literal(uuid::Uuid::now_v7());
        server
            .sql(&format!(
                "INSERT INTO users (id, email, password_changed_at, created_at, updated_at) VALUES ({id}, '{number}@label.example', 0, 0, 0)"
            ))
            .await;
    }
    deadwax::accounts::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("users").await, 0);
}

#[tokio::test]
async fn an_address_that_signs_up_again_while_others_are_forgotten_stays() {
    let server = TestServer::start(Engine::Postgres).await;
    assert_eq!(sign_up(&mut server.browser(), "late@label.example", "secret", None).await.status, 200);
    server.advance(Duration::from_secs(7 * 86_400 + 60));
    let mut again = server.app.db.begin().await.unwrap();
    change(&mut again, "SELECT id FROM users FOR UPDATE").await;
    let link = "INSERT INTO one_time_tokens (token_hash, purpose, user_id, created_at, expires_at) \
        SELECT '\\x01', 'confirm', id, created_at, created_at + 864000000000 FROM users";
    change(&mut again, link).await;
    let signing_up = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        again.commit().await.unwrap();
    };
    let (pruned, ()) =
        tokio::join!(deadwax::accounts::prune(&server.app.db, server.app.clock.now()), signing_up);
    pruned.unwrap();
    assert_eq!(server.count("users").await, 1);
}
