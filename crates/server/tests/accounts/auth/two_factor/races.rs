//! Concurrent requests: single-use codes work once, and guessing in parallel gains nothing.

use futures_util::future::join_all;
use http::StatusCode;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::person::Phone;
use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer},
};

const ROUNDS: usize = 5;
const PARALLEL: usize = 64;

async fn all_at_once(server: &TestServer, path: &str, token: &str, body: &Value) -> Vec<Answer> {
    let answers = join_all((0..PARALLEL).map(|_| server.send(path, token, body))).await;
    for answer in &answers {
        assert!(!answer.status.is_server_error(), "{answer:?}");
    }
    answers
}

fn count(answers: &[Answer], is_one: impl Fn(&Answer) -> bool) -> usize {
    answers.iter().filter(|answer| is_one(answer)).count()
}

#[apply(on_both_engines!)]
async fn a_code_sent_64_times_proves_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..ROUNDS {
        let person = server.person(&format!("ada{round}")).await;
        let (_, phone) = server.with_factor(&person).await;
        let token = server.session(&person).await;
        let body = json!({"action": "verify_mfa", "totpCode": phone.code(&server, 0)});
        let answers = all_at_once(&server, "/api/auth/mfa-operations", &token, &body).await;
        assert_eq!(count(&answers, |answer| answer.status == StatusCode::OK), 1, "{answers:?}");
        assert_eq!(count(&answers, Answer::sets_cookie), 1);
    }
}

#[apply(on_both_engines!)]
async fn a_recovery_code_sent_64_times_opens_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..ROUNDS {
        let person = server.person(&format!("ada{round}")).await;
        let (_, phone) = server.with_factor(&person).await;
        let token = server.session(&person).await;
        server.send_recovery_code(&token).await;
        let codes = [server.mailed_code(), phone.recovery_codes[0].clone()];
        let mut token = token;
        for code in codes {
            let body = json!({"action": "verify_recovery_code", "recoveryCode": code});
            let answers = all_at_once(&server, "/api/auth/mfa-recovery", &token, &body).await;
            let valid: Vec<_> = answers
                .iter()
                .filter(|answer| answer.status == StatusCode::OK && answer.json()["valid"] == true)
                .collect();
            assert_eq!(valid.len(), 1, "{answers:?}");
            token = valid[0].token();
            server.advance_seconds(300);
        }
    }
}

#[apply(on_both_engines!)]
async fn a_set_up_sent_64_times_ends_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..ROUNDS {
        let person = server.person(&format!("ada{round}")).await;
        let token = server.session(&person).await;
        let generated = server.mfa(&token, json!({"action": "generate_secret"})).await.json();
        let phone = Phone::new(generated["secret"].as_str().unwrap());
        let body =
            json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": phone.code(&server, 0)});
        let answers = all_at_once(&server, "/api/auth/mfa-operations", &token, &body).await;
        assert_eq!(count(&answers, |answer| answer.status == StatusCode::OK), 1, "{answers:?}");
        let codes = server.count("recovery_codes WHERE kind = 'offline' AND used_at IS NULL").await;
        assert_eq!(codes, i64::try_from(10 * (round + 1)).unwrap());
    }
    assert_eq!(server.mails_of("two_factor_changed").await, i64::try_from(ROUNDS).unwrap());
}

#[apply(on_both_engines!)]
async fn of_a_hundred_guesses_at_once_five_are_looked_at(engine: Engine) {
    let server = TestServer::start_patient(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let mut sessions = Vec::new();
    for _ in 0..9 {
        sessions.push(server.session(&person).await);
    }
    let codes = phone.wrong_codes(&server, 100);
    let guesses = codes.iter().zip(sessions.iter().cycle());
    let answers = join_all(guesses.map(|(code, session)| server.verify(session, code))).await;
    let outcomes: Vec<_> = answers.iter().map(Answer::outcome).collect();
    assert_eq!(outcomes.iter().filter(|outcome| *outcome == "invalid_otp").count(), 5, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|outcome| *outcome == "rate_limited").count(), 95, "{outcomes:?}");
    assert_eq!((server.events_of("mfa_fail").await, server.mails_of("failed_codes").await), (5, 1));
    assert_eq!(server.verify(&sessions[0], &phone.code(&server, 0)).await.outcome(), "rate_limited");
}
