//! Replacing a lost authenticator, which only a session opened by a recovery code may do.

use http::StatusCode;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::person::{Phone, strings};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{PASSWORD, Person},
    },
};

async fn generate(server: &TestServer, token: &str) -> (String, Option<Phone>) {
    let answer = server.mfa(token, json!({"action": "generate_secret"})).await;
    let phone = answer.json()["secret"].as_str().map(Phone::new);
    (answer.outcome(), phone)
}

async fn enable(server: &TestServer, token: &str, phone: &Phone, code: &str) -> crate::support::Answer {
    server.mfa(token, json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code})).await
}

/// The token of a session opened with the first recovery code that has confirmed the password since.
async fn recovered(server: &TestServer, person: &Person, phone: &Phone) -> String {
    let token = server.session(person).await;
    let opened = server.recover(&token, &phone.recovery_codes[0]).await.token();
    server.advance_seconds(1);
    let again = server.send("/api/auth/reauthenticate", &opened, &json!({"password": PASSWORD})).await;
    assert_eq!(again.status, StatusCode::OK, "{again:?}");
    opened
}

async fn profile(server: &TestServer, token: &str) -> Value {
    server.get_with("/api/profile", &[("cookie", &format!("sid={token}"))]).await.json()
}

#[apply(on_both_engines!)]
async fn a_recovery_code_and_the_password_replace_the_authenticator_in_one_step(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.admin("ada").await;
    let (_, lost) = server.with_factor(&person).await;
    let token = server.session(&person).await;
    let opened = server.recover(&token, &lost.recovery_codes[0]).await.token();
    assert_eq!(generate(&server, &opened).await.0, "reauthentication_needed", "the code alone is not enough");

    let opened = {
        server.advance_seconds(1);
        let again = server.send("/api/auth/reauthenticate", &opened, &json!({"password": PASSWORD})).await;
        assert_eq!(again.status, StatusCode::OK);
        opened
    };
    let (outcome, phone) = generate(&server, &opened).await;
    assert_eq!(outcome, "ok");
    let phone = phone.unwrap();
    let wrong = phone.wrong_codes(&server, 1).remove(0);
    assert_eq!(enable(&server, &opened, &phone, &wrong).await.outcome(), "invalid_otp");
    let other = server.session(&person).await;
    let done = enable(&server, &opened, &phone, &phone.code(&server, 0)).await;
    assert_eq!(done.outcome(), "ok");
    let codes = strings(&done.json()["recovery_codes"]);
    assert_eq!(codes.len(), 10);
    assert_eq!(server.state(&done.token()).await, (true, true));
    assert_eq!(server.state(&other).await, (false, false), "every other session ends");
    assert_eq!((server.factors().await, server.mirrored(&person).await), (1, Some(true)));
    assert!(
        server.mails_to(&person.email).iter().any(|mail| mail.contains("YOUR AUTHENTICATOR WAS REPLACED"))
    );
    assert!(server.audited(person.id).await.contains(&("mfa_enabled".to_owned(), "replaced".to_owned())));

    server.advance_seconds(60);
    let next = server.session(&person).await;
    assert_eq!(server.verify(&next, &lost.code(&server, 0)).await.outcome(), "invalid_otp");
    assert_eq!(server.recover(&next, &lost.recovery_codes[1]).await.json(), json!({"valid": false}));
    assert_eq!(server.verify(&next, &phone.code(&server, 0)).await.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn what_opened_the_session_otherwise_replaces_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (verified, phone) = server.with_factor(&person).await;
    server.refresh_proofs(&person).await;
    assert_eq!(generate(&server, &verified).await.0, "already_enabled", "the authenticator is at hand");

    let mailed = server.session(&person).await;
    server.send_recovery_code(&mailed).await;
    let opened = server.recover(&mailed, &server.mailed_code()).await.token();
    server.advance_seconds(1);
    server.refresh_proofs(&person).await;
    assert_eq!(generate(&server, &opened).await.0, "already_enabled", "the mailbox alone replaces nothing");

    // An authenticator used since then is not lost.
    let opened = recovered(&server, &person, &phone).await;
    let found = server.verify(&opened, &phone.code(&server, 0)).await.token();
    server.advance_seconds(1);
    server.refresh_proofs(&person).await;
    assert_eq!(generate(&server, &found).await.0, "already_enabled");
    assert_eq!(server.factors().await, 1);
}

#[apply(on_both_engines!)]
async fn a_step_used_up_before_is_free_for_the_new_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, old) = server.with_factor(&person).await;
    // The old authenticator was just used: its step is spent, yet the new one's code of the same step is accepted.
    let before = server.session(&person).await;
    assert_eq!(server.verify(&before, &old.code(&server, 0)).await.outcome(), "ok");
    let opened = recovered(&server, &person, &old).await;
    let new = generate(&server, &opened).await.1.unwrap();
    let done = enable(&server, &opened, &new, &new.code(&server, 0)).await;
    assert_eq!(done.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn a_replacement_not_finished_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, old) = server.with_factor(&person).await;
    let opened = recovered(&server, &person, &old).await;
    let new = generate(&server, &opened).await.1.unwrap();
    // Disabling needs a code of the new authenticator.
    let disable = |code: String| json!({"action": "disable_mfa", "totpCode": code});
    assert_eq!(server.mfa(&opened, disable(new.code(&server, 0))).await.outcome(), "invalid_otp");
    let elsewhere = server.session(&person).await;
    assert_eq!(server.verify(&elsewhere, &old.code(&server, 0)).await.outcome(), "ok");
    server.advance_seconds(601);
    server.refresh_proofs(&person).await;
    let late = enable(&server, &opened, &new, &new.code(&server, 0)).await;
    assert_eq!(late.outcome(), "secret_not_pending", "a set-up lasts ten minutes");
}

#[apply(on_both_engines!)]
async fn a_profile_says_whether_its_session_may_replace_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (verified, phone) = server.with_factor(&person).await;
    assert_eq!(profile(&server, &verified).await["can_replace_authenticator"], false);
    let opened = recovered(&server, &person, &phone).await;
    assert_eq!(profile(&server, &opened).await["can_replace_authenticator"], true);
    let found = server.verify(&opened, &phone.code(&server, 0)).await.token();
    assert_eq!(profile(&server, &found).await["can_replace_authenticator"], false);
}
