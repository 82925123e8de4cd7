//! Verification: the answer to each code, its cost, and what a right one opens.

use http::StatusCode;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer},
};

const STEP: i64 = 30;

#[apply(on_both_engines!)]
async fn a_code_proves_its_own_session_and_no_other(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let (one, two) = (server.session(&person).await, server.session(&person).await);
    assert_eq!(server.state(&one).await, (true, false));
    let verified = server.verify(&one, &phone.code(&server, 0)).await;
    assert_eq!((verified.status, verified.outcome().as_str()), (StatusCode::OK, "ok"));
    assert_eq!(verified.json()["message"], "Verification successful!");
    assert_eq!(verified.json().get("access_token"), None);
    assert_eq!(server.state(&one).await, (false, false), "the token from before counts no more");
    assert_eq!(server.state(&verified.token()).await, (true, true));
    assert_eq!(server.state(&two).await, (true, false), "the other session is still pending");
    server.advance_seconds(12 * 3600 - 1);
    assert_eq!(server.state(&verified.token()).await, (true, true));
    server.advance_seconds(1);
    assert_eq!(
        server.state(&verified.token()).await,
        (true, false),
        "after twelve hours it is pending again"
    );
}

#[apply(on_both_engines!)]
async fn every_code_is_accepted_once_and_in_order(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let token = server.verify(&token, &phone.code(&server, 0)).await.token();
    for step in [0, -1] {
        let refused = server.verify(&token, &phone.code(&server, step)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.outcome(), "invalid_otp", "{step}");
    }
    let code = phone.code(&server, 1);
    let spaced = format!(" {} {}", &code[..3], &code[3..]);
    let token = server.verify(&token, &spaced).await.token();
    server.advance_seconds(2 * STEP);
    assert_eq!(server.verify(&token, &phone.code(&server, -1)).await.outcome(), "invalid_otp");
    assert_eq!(server.verify(&token, &phone.code(&server, 0)).await.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn a_code_of_an_earlier_or_later_step_says_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    for (steps, code) in
        [(-11, "invalid_otp"), (-10, "expired_otp"), (-2, "expired_otp"), (11, "invalid_otp")]
    {
        let refused = server.verify(&token, &phone.code(&server, steps)).await;
        assert_eq!(
            (refused.outcome().as_str(), refused.status),
            (code, StatusCode::UNPROCESSABLE_ENTITY),
            "{steps}"
        );
        assert_eq!(refused.json()["message"], rules::mfa::text(code, None));
    }
    server.advance_seconds(301);
    for steps in [2, 10] {
        let refused = server.verify(&token, &phone.code(&server, steps)).await;
        assert_eq!(
            (refused.outcome().as_str(), refused.status),
            ("time_skew", StatusCode::UNPROCESSABLE_ENTITY)
        );
    }
    assert_eq!(server.events_of("mfa_burned").await, 2);
}

#[apply(on_both_engines!)]
async fn a_code_seen_before_its_time_is_never_accepted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let early = phone.code(&server, 5);
    assert_eq!(server.verify(&token, &early).await.outcome(), "time_skew");
    server.advance_seconds(4 * STEP);
    assert_eq!(server.verify(&token, &early).await.outcome(), "invalid_otp");
    server.advance_seconds(STEP);
    assert_eq!(server.verify(&token, &early).await.outcome(), "invalid_otp");
    assert_eq!(server.verify(&token, &phone.code(&server, 1)).await.outcome(), "ok");
}

fn assert_locked(answer: &Answer, minutes: u32) {
    assert_eq!((answer.status, answer.outcome().as_str()), (StatusCode::TOO_MANY_REQUESTS, "rate_limited"));
    let message = format!("Too many attempts. Please wait {minutes} minutes and try again.");
    assert_eq!(answer.json()["message"], message);
    assert_eq!(answer.header("retry-after"), answer.json()["retry_after"].to_string());
}

#[apply(on_both_engines!)]
async fn five_wrong_codes_in_five_minutes_are_all(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let (one, two) = (server.session(&person).await, server.session(&person).await);
    let wrong = phone.wrong_codes(&server, 5);
    for code in &wrong[..4] {
        assert_eq!(server.verify(&one, code).await.outcome(), "invalid_otp");
    }
    assert_eq!(server.mails_of("failed_codes").await, 0);
    let one = server.verify(&one, &phone.code(&server, 0)).await.token();
    assert_eq!(server.verify(&two, &wrong[4]).await.outcome(), "invalid_otp", "a right code does not count");
    assert_eq!((server.mails_of("failed_codes").await, server.events_of("mfa_locked").await), (1, 1));
    for token in [&one, &two] {
        assert_locked(&server.verify(token, &phone.code(&server, 1)).await, 5);
    }
    let body = json!({"action": "disable_mfa", "totpCode": phone.code(&server, 1)});
    assert_locked(&server.mfa(&one, body).await, 5);
    assert_eq!(server.verify(&one, "12345").await.outcome(), "code_not_six_digits");
    server.advance_seconds(299);
    assert_locked(&server.verify(&one, &phone.code(&server, 0)).await, 1);
    server.advance_seconds(1);
    assert_eq!(server.verify(&one, &phone.code(&server, 0)).await.outcome(), "ok");
    assert_eq!(server.mails_of("failed_codes").await, 1);
    assert_eq!(server.events_of("mfa_fail").await, 5);
}

#[apply(on_both_engines!)]
async fn twenty_wrong_codes_in_a_day_are_all(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    for _ in 0..4 {
        for code in phone.wrong_codes(&server, 5) {
            assert_eq!(server.verify(&token, &code).await.outcome(), "invalid_otp");
        }
        server.advance_seconds(300);
    }
    assert_locked(&server.verify(&token, &phone.code(&server, 0)).await, 24 * 60 - 20);
    server.advance_seconds(24 * 3600 - 4 * 300);
    let token = server.session(&person).await;
    assert_eq!(server.verify(&token, &phone.code(&server, 0)).await.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn without_a_session_or_a_factor_there_is_nothing_to_verify(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    for token in ["", &"A".repeat(43)] {
        let refused = server.verify(token, "123456").await;
        assert_eq!((refused.status, refused.outcome().as_str()), (StatusCode::UNAUTHORIZED, "no_session"));
        assert_eq!(refused.json()["message"], "Session expired. Please sign in again.");
    }
    let token = server.session(&person).await;
    let refused = server.verify(&token, "123456").await;
    assert_eq!((refused.status, refused.outcome().as_str()), (StatusCode::CONFLICT, "not_enabled"));
    assert_eq!(server.events_of("mfa_fail").await, 0);
}

#[apply(on_both_engines!)]
async fn a_pending_session_ends_after_half_an_hour(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let pending = server.session(&person).await;
    server.advance_seconds(30 * 60);
    let refused = server.verify(&pending, &phone.code(&server, 0)).await;
    assert_eq!((refused.status, refused.outcome().as_str()), (StatusCode::UNAUTHORIZED, "no_session"));
}

#[apply(on_both_engines!)]
async fn a_program_gets_its_next_token_in_the_body(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    let request = server
        .client
        .post(format!("{}/api/auth/mfa-operations", server.base))
        .bearer_auth(&token)
        .header("x-request-id", "from the header")
        .json(&json!({"action": "verify_mfa", "totpCode": phone.code(&server, 0)}));
    let answer = Answer::read(request.send().await.unwrap()).await;
    assert_eq!(answer.outcome(), "ok");
    assert!(!answer.sets_cookie());
    let answer = answer.json();
    assert_eq!((&answer["token_type"], &answer["request_id"]), (&json!("bearer"), &json!("from the header")));
    assert_eq!(server.state(answer["access_token"].as_str().unwrap()).await, (true, true));
}

#[apply(on_both_engines!)]
async fn a_code_takes_the_place_of_the_password_where_it_is_asked_for_again(engine: Engine) {
    const PATH: &str = "/api/auth/reauthenticate";
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let token = server.verify(&token, &phone.code(&server, 0)).await.token();
    // Whether deleting the account still asks for confirmation.
    let is_asked = async || {
        let seen = server.get_with("/api/auth/session", &[("cookie", &format!("sid={token}"))]).await.json();
        let until = seen["session"]["reauthenticated_until"].as_str().map(str::to_owned);
        let now = deadwax_store::clock::rfc3339(server.app.clock.now());
        until.is_none_or(|until| until <= now)
    };
    server.advance_seconds(11 * 60);
    assert!(is_asked().await);
    let code = phone.code(&server, 0);
    for none in [json!({}), json!({"password": "wrong", "totpCode": code})] {
        let refused = server.send(PATH, &token, &none).await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["code"].clone()),
            (422, json!("password_required"))
        );
    }
    let wrong = phone.wrong_codes(&server, 1).remove(0);
    assert_eq!(server.send(PATH, &token, &json!({"totpCode": wrong})).await.status.as_u16(), 422);
    assert!(is_asked().await);
    assert_eq!(server.send(PATH, &token, &json!({"totpCode": code})).await.status, StatusCode::OK);
    assert!(!is_asked().await);
    assert_eq!(server.send(PATH, &token, &json!({"totpCode": code})).await.status.as_u16(), 422, "once");
    // Recovery codes share the count of five wrong codes.
    for wrong in phone.wrong_codes(&server, 3) {
        server.verify(&token, &wrong).await;
    }
    let next = phone.code(&server, 1);
    assert_eq!(server.send(PATH, &token, &json!({"totpCode": next})).await.status.as_u16(), 429);
    let plain = server.person("eve").await;
    let plain = server.session(&plain).await;
    assert_eq!(server.send(PATH, &plain, &json!({"totpCode": "123456"})).await.status.as_u16(), 409);
}
