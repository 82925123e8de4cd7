//! Retries of an attempt whose answer was lost.

use http::StatusCode;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

fn attempt(id: &str, code: &str) -> Value {
    json!({"action": "verify_mfa", "totpCode": code, "request_id": id})
}

#[apply(on_both_engines!)]
async fn a_right_code_whose_answer_got_lost_is_answered_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    let code = phone.code(&server, 0);
    assert_eq!(server.mfa(&token, attempt("a", &code)).await.outcome(), "ok");
    assert!(!server.state(&token).await.0, "the token counts for nothing else");
    for _ in 0..6 {
        server.advance_seconds(1);
        let again = server.mfa(&token, attempt("a", &code)).await;
        assert_eq!(again.outcome(), "ok");
        assert_eq!(again.json()["request_id"], "a");
        assert_eq!(server.state(&again.token()).await, (true, true));
    }
    for (id, code) in [("b", code.as_str()), ("b", &phone.code(&server, 1))] {
        let refused = server.mfa(&token, attempt(id, code)).await;
        assert_eq!((refused.status, refused.outcome().as_str()), (StatusCode::UNAUTHORIZED, "no_session"));
    }
    let body = json!({"action": "disable_mfa", "totpCode": phone.code(&server, 1), "request_id": "a"});
    assert_eq!(server.mfa(&token, body).await.outcome(), "not_authenticated");
    server.advance_seconds(114);
    let late = server.mfa(&token, attempt("a", &code)).await;
    assert_eq!((late.status, late.sets_cookie()), (StatusCode::UNAUTHORIZED, false));
    assert_eq!(server.events_of("mfa_verified").await, 1);
    assert_eq!(server.events_of("mfa_fail").await, 0);
}

#[apply(on_both_engines!)]
async fn a_wrong_code_sent_again_is_counted_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let wrong = phone.wrong_codes(&server, 6);
    for _ in 0..10 {
        let answer = server.mfa(&token, attempt("w", &wrong[0])).await;
        assert_eq!(
            (answer.status, answer.outcome().as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid_otp")
        );
    }
    let early = phone.code(&server, 3);
    for _ in 0..3 {
        assert_eq!(server.mfa(&token, attempt("s", &early)).await.outcome(), "time_skew");
    }
    assert_eq!(server.events_of("mfa_fail").await, 2);
    for (id, code) in wrong.iter().enumerate().skip(1).take(3) {
        assert_eq!(server.mfa(&token, attempt(&id.to_string(), code)).await.outcome(), "invalid_otp");
    }
    assert_eq!(server.mfa(&token, attempt("new", &wrong[5])).await.outcome(), "rate_limited");
    assert_eq!(server.mfa(&token, attempt("w", &wrong[0])).await.outcome(), "invalid_otp", "as before");
}

#[apply(on_both_engines!)]
async fn an_id_with_another_code_is_a_conflict(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let wrong = phone.wrong_codes(&server, 1).remove(0);
    server.mfa(&token, attempt("a", &wrong)).await;
    let refused = server.mfa(&token, attempt("a", &phone.code(&server, 0))).await;
    assert_eq!((refused.status, refused.outcome().as_str()), (StatusCode::CONFLICT, "request_id_conflict"));
    assert_eq!(server.events_of("mfa_fail").await, 1);
    let other = server.session(&person).await;
    assert_eq!(
        server.mfa(&other, attempt("a", &phone.code(&server, -1))).await.outcome(),
        "ok",
        "another session's id"
    );
    server.advance_seconds(120);
    assert_eq!(
        server.mfa(&token, attempt("a", &phone.code(&server, 0))).await.outcome(),
        "ok",
        "two minutes later"
    );
}

fn recovery(id: &str, code: &str) -> Value {
    json!({"action": "verify_recovery_code", "recoveryCode": code, "request_id": id})
}

#[apply(on_both_engines!)]
async fn a_recovery_code_whose_answer_got_lost_is_answered_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let first = server.session(&person).await;
    server.send_recovery_code(&first).await;
    let mut token = first;
    for code in [server.mailed_code(), phone.recovery_codes[0].clone()] {
        let old = token.clone();
        for _ in 0..3 {
            let opened = server.recovery(&old, recovery(&code, &code)).await;
            assert_eq!((opened.status, opened.json()), (StatusCode::OK, json!({"valid": true})));
            token = opened.token();
            assert_eq!(server.state(&token).await, (true, true));
            server.advance_seconds(1);
        }
        assert!(!server.state(&old).await.0, "the token counts for nothing else");
        for refused in [
            server.recovery(&old, recovery("b", &code)).await,
            server.recover(&old, &phone.recovery_codes[1]).await,
            server.send_recovery_code(&old).await,
        ] {
            let said = (refused.status, refused.problem());
            assert_eq!(said, (StatusCode::UNAUTHORIZED, "not_authenticated".to_owned()));
        }
    }
    assert_eq!((server.events_of("recovery_used").await, server.mails_of("recovery_used").await), (2, 2));
    assert_eq!(server.events_of("mfa_fail").await, 0);
}

#[apply(on_both_engines!)]
async fn a_wrong_recovery_code_sent_again_is_counted_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    server.send_recovery_code(&token).await;
    let code = server.mailed_code();
    let wrong = if code == "00000000" { "00000001" } else { "00000000" };
    for wrong in ["00000-00000", wrong] {
        for _ in 0..6 {
            let refused = server.recovery(&token, recovery(wrong, wrong)).await;
            assert_eq!((refused.status, refused.json()), (StatusCode::OK, json!({"valid": false})));
        }
    }
    assert_eq!(server.events_of("mfa_fail").await, 2);
    let other = server.recovery(&token, recovery(wrong, &phone.recovery_codes[0])).await;
    assert_eq!((other.status, other.problem().as_str()), (StatusCode::CONFLICT, "request_id_conflict"));
    let refused = server.recovery(&token, recovery("", &code)).await;
    let said = (refused.status, refused.problem());
    assert_eq!(said, (StatusCode::UNPROCESSABLE_ENTITY, "invalid_request_id".to_owned()));
    let opened = server.recovery(&token, recovery("c", &code)).await;
    assert_eq!(opened.json(), json!({"valid": true}));
}
