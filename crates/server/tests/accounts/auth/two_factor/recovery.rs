//! Signing in without the authenticator: by mailed code or recovery code.

use http::StatusCode;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer},
};

fn assert_wrong(answer: &Answer) {
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({"valid": false})));
    assert!(!answer.sets_cookie());
}

#[apply(on_both_engines!)]
async fn a_mailed_code_opens_the_session_that_asked_for_it_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (verified, _) = server.with_factor(&person).await;
    let (one, two) = (server.session(&person).await, server.session(&person).await);
    let sent = server.send_recovery_code(&one).await;
    assert_eq!((sent.status, sent.json()), (StatusCode::OK, json!({"sent": true})));
    assert_eq!((server.mails_of("recovery_code").await, server.events_of("recovery_sent").await), (1, 1));
    let code = server.mailed_code();
    assert_wrong(&server.recover(&two, &code).await);
    let spaced = format!("{} {}", &code[..4], &code[4..]);
    let opened = server.recover(&one, &spaced).await;
    assert_eq!(opened.json(), json!({"valid": true}));
    assert_eq!(server.state(&opened.token()).await, (true, true));
    for ended in [&one, &two, &verified] {
        assert_eq!(server.state(ended).await, (false, false));
    }
    assert_wrong(&server.recover(&opened.token(), &code).await);
    assert_eq!((server.mails_of("recovery_used").await, server.events_of("recovery_used").await), (1, 1));
    assert_eq!(server.factors().await, 1, "two-factor stays on");
}

#[apply(on_both_engines!)]
async fn a_mailed_code_expires_and_a_new_one_voids_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    server.with_factor(&person).await;
    let token = server.session(&person).await;
    server.send_recovery_code(&token).await;
    let first = server.mailed_code();
    server.advance_seconds(60);
    server.send_recovery_code(&token).await;
    let second = server.mailed_code();
    assert_ne!(first, second);
    assert_wrong(&server.recover(&token, &first).await);
    server.advance_seconds(600);
    assert_wrong(&server.recover(&token, &second).await);
    server.send_recovery_code(&token).await;
    let third = server.mailed_code();
    server.advance_seconds(599);
    assert_eq!(server.recover(&token, &third).await.json()["valid"], true);
}

#[apply(on_both_engines!)]
async fn five_wrong_tries_void_a_mailed_code(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    server.send_recovery_code(&token).await;
    let code = server.mailed_code();
    let wrong = if code == "00000000" { "00000001" } else { "00000000" };
    for _ in 0..5 {
        assert_wrong(&server.recover(&token, wrong).await);
    }
    assert_wrong(&server.recover(&token, &code).await);
    assert_eq!(server.mails_of("failed_codes").await, 1);
    assert_eq!(server.verify(&token, &phone.code(&server, 0)).await.outcome(), "ok", "the app still works");
}

#[apply(on_both_engines!)]
async fn codes_are_mailed_one_a_minute_and_five_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    server.with_factor(&person).await;
    let (one, two) = (server.session(&person).await, server.session(&person).await);
    for sent in 0..5 {
        let token = if sent % 2 == 0 { &one } else { &two };
        assert_eq!(server.send_recovery_code(token).await.status, StatusCode::OK, "{sent}");
        let refused = server.send_recovery_code(&two).await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (StatusCode::TOO_MANY_REQUESTS, "rate_limited")
        );
        server.advance_seconds(61);
    }
    assert_eq!(server.send_recovery_code(&one).await.status, StatusCode::TOO_MANY_REQUESTS);
    server.advance_seconds(3600);
    let token = server.session(&person).await;
    let refused = server.send_recovery_code(&token).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.json()["retry_after"].as_u64().unwrap() > 3600);
    assert_eq!(server.mails_of("recovery_code").await, 5);
    server.advance_seconds(24 * 3600);
    let token = server.session(&person).await;
    assert_eq!(server.send_recovery_code(&token).await.status, StatusCode::OK);
}

#[apply(on_both_engines!)]
async fn for_a_day_after_a_reset_by_mail_none_is_mailed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let early = server.session(&person).await;
    server.send_recovery_code(&early).await;
    let code = server.mailed_code();
    server.reset_by_mail(&person).await;
    let refused = server.send_recovery_code(&early).await;
    assert_eq!((refused.status, refused.problem().as_str()), (StatusCode::FORBIDDEN, "recovery_hold"));
    assert!(!refused.text().contains("was reset"), "opening the link resets nothing: {refused:?}");
    assert_wrong(&server.recover(&early, &code).await);
    assert_eq!(server.mails_of("recovery_code").await, 1);
    assert_eq!(server.recover(&early, &phone.recovery_codes[0]).await.json()["valid"], true, "paper works");
    server.advance_seconds(24 * 3600);
    let late = server.session(&person).await;
    assert_eq!(server.send_recovery_code(&late).await.status, StatusCode::OK);
}

#[apply(on_both_engines!)]
async fn a_code_from_paper_is_good_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    let code = phone.recovery_codes[3].to_lowercase().replace('-', " ");
    let opened = server.recover(&token, &code).await;
    assert_eq!(opened.json(), json!({"valid": true}));
    assert_eq!(server.state(&opened.token()).await, (true, true));
    assert_eq!(server.count("recovery_codes WHERE kind = 'offline' AND used_at IS NULL").await, 9);
    let again = server.session(&person).await;
    assert_wrong(&server.recover(&again, &phone.recovery_codes[3]).await);
    let other = server.person("bob").await;
    server.with_factor(&other).await;
    let foreign = server.session(&other).await;
    assert_wrong(&server.recover(&foreign, &phone.recovery_codes[4]).await);
}

#[apply(on_both_engines!)]
async fn codes_from_paper_are_guessed_no_faster_than_the_apps(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    for _ in 0..5 {
        assert_wrong(&server.recover(&token, "00000-00000").await);
    }
    let refused = server.recover(&token, &phone.recovery_codes[0]).await;
    assert_eq!((refused.status, refused.problem().as_str()), (StatusCode::TOO_MANY_REQUESTS, "rate_limited"));
    assert_eq!(server.verify(&token, &phone.code(&server, 0)).await.outcome(), "rate_limited");
    assert_eq!(server.mails_of("failed_codes").await, 1);
    server.advance_seconds(300);
    assert_eq!(server.recover(&token, &phone.recovery_codes[0]).await.json()["valid"], true);
}

#[apply(on_both_engines!)]
async fn what_is_no_code_is_refused_and_not_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    server.with_factor(&person).await;
    let token = server.session(&person).await;
    for typed in ["", "1234567", "123456789", "abcde-fghu!"] {
        let refused = server.recover(&token, typed).await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (StatusCode::UNPROCESSABLE_ENTITY, "code_not_eight_digits")
        );
        assert_eq!(refused.json()["fields"]["recoveryCode"], "Please enter the 8-digit recovery code");
    }
    for (body, code) in [
        (json!({}), "invalid_body"),
        (json!({"action": "send_recovery_code", "skipEmailVerification": true}), "unknown_field"),
        (json!({"action": "send_recovery_code", "email": "eve@example.org"}), "unknown_field"),
        (json!({"action": "verify_recovery_code"}), "invalid_body"),
    ] {
        assert_eq!(server.recovery(&token, body).await.problem(), code);
    }
    assert_eq!(server.mails_of("recovery_code").await, 0);
}

#[apply(on_both_engines!)]
async fn recovery_needs_a_session_and_a_factor(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let token = server.session(&person).await;
    let bodies: [Value; 2] = [
        json!({"action": "send_recovery_code"}),
        json!({"action": "verify_recovery_code", "recoveryCode": "12345678"}),
    ];
    for body in bodies {
        let nobody = server.recovery("", body.clone()).await;
        assert_eq!(
            (nobody.status, nobody.problem().as_str()),
            (StatusCode::UNAUTHORIZED, "not_authenticated")
        );
        let without = server.recovery(&token, body).await;
        assert_eq!((without.status, without.problem().as_str()), (StatusCode::CONFLICT, "not_enabled"));
    }
    assert_eq!(server.mails_of("recovery_code").await, 0);
}
