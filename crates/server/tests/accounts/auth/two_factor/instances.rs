//! Set-up, verification and recovery keep no state in the process: another instance may answer each step.

use futures_util::future::join_all;
use http::StatusCode;
use serde_json::json;

use super::person::Phone;
use crate::support::{Answer, Engine, TestServer};

#[tokio::test]
async fn each_step_may_be_answered_by_another_instance() {
    let one = TestServer::start(Engine::Postgres).await;
    let two = TestServer::start_beside(&one).await;
    let person = one.person("ada").await;
    let token = one.session(&person).await;
    let generated = one.mfa(&token, json!({"action": "generate_secret"})).await.json();
    let phone = Phone::new(generated["secret"].as_str().unwrap());
    let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": phone.code(&two, 0)});
    assert_eq!(two.mfa(&token, body).await.outcome(), "ok");

    let pending = one.session(&person).await;
    assert_eq!(one.verify(&pending, &phone.code(&one, 3)).await.outcome(), "time_skew");
    one.advance_seconds(90);
    two.advance_seconds(90);
    assert_eq!(
        two.verify(&pending, &phone.code(&two, 0)).await.outcome(),
        "invalid_otp",
        "burned by the other"
    );
    let body = json!({"action": "verify_mfa", "totpCode": phone.code(&one, 1), "request_id": "lost"});
    assert_eq!(one.mfa(&pending, body.clone()).await.outcome(), "ok");
    assert_eq!(two.mfa(&pending, body).await.outcome(), "ok", "its answer got lost");

    let pending = one.session(&person).await;
    assert_eq!(one.send_recovery_code(&pending).await.status, StatusCode::OK);
    // Either instance may have sent the mail.
    let server = if one.mails().iter().any(|mail| mail.contains("YOUR EMAIL CODE")) { &one } else { &two };
    let opened = two.recover(&pending, &server.mailed_code()).await;
    assert_eq!(opened.json()["valid"], true);
    assert_eq!(one.state(&opened.token()).await, (true, true));
}

#[tokio::test]
async fn two_instances_look_at_five_guesses_and_accept_a_code_once() {
    let one = TestServer::start(Engine::Postgres).await;
    let two = TestServer::start_beside(&one).await;
    let person = one.person("ada").await;
    let (token, phone) = one.with_factor(&person).await;
    two.advance_seconds(15 * 30);
    let code = phone.code(&one, 0);
    let tries = (0..64)
        .map(|turn| if turn % 2 == 0 { &one } else { &two })
        .map(|server| server.verify(&token, &code));
    let answers = join_all(tries).await;
    assert!(answers.iter().all(|answer| !answer.status.is_server_error()), "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| answer.status == StatusCode::OK).count(), 1, "{answers:?}");

    one.advance_seconds(300);
    two.advance_seconds(300);
    let session = one.session(&person).await;
    let codes = phone.wrong_codes(&one, 100);
    let tries = codes.iter().enumerate().map(|(turn, code)| {
        let server = if turn % 2 == 0 { &one } else { &two };
        server.verify(&session, code)
    });
    let outcomes: Vec<_> = join_all(tries).await.iter().map(Answer::outcome).collect();
    assert_eq!(outcomes.iter().filter(|outcome| *outcome == "invalid_otp").count(), 5, "{outcomes:?}");
}
