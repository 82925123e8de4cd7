//! Setting up and disabling the second factor, and new recovery codes.

use http::StatusCode;
use macro_rules_attribute::apply;
use serde_json::json;

use super::person::{Phone, strings};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

const ELEVEN_MINUTES: i64 = 11 * 60;
const STEP: i64 = 30;

#[apply(on_both_engines!)]
async fn a_set_up_is_shown_once_and_ends_with_its_first_code(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada+tape").await;
    let (token, other) = (server.session(&person).await, server.session(&person).await);

    let generated = server.mfa(&token, json!({"action": "generate_secret", "request_id": "one"})).await;
    assert_eq!((generated.status, generated.outcome().as_str()), (StatusCode::OK, "ok"));
    assert_eq!(generated.header("cache-control"), "no-store");
    let answer = generated.json();
    assert_eq!(answer["request_id"], "one");
    let phone = Phone::new(answer["secret"].as_str().unwrap());
    assert_eq!(phone.secret.len(), 32);
    assert_eq!(answer["manualEntryKey"].as_str().unwrap().replace(' ', ""), phone.secret);
    let address = answer["qrCodeUrl"].as_str().unwrap();
    assert!(address.starts_with("otpauth://totp/"), "{address}");
    assert!(address.contains(":ada%2Btape%40label.example?secret="), "{address}");
    assert_eq!(server.factors().await, 0, "a pending secret is no factor");

    let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": phone.code(&server, 0)});
    let enabled = server.mfa(&token, body).await;
    assert_eq!(enabled.outcome(), "ok");
    let codes = strings(&enabled.json()["recovery_codes"]);
    assert_eq!(codes.len(), 10);
    assert!(codes.iter().all(|code| code.len() == 11 && code.as_bytes()[5] == b'-'), "{codes:?}");
    assert_eq!(server.state(&token).await, (false, false), "the old token counts no more");
    assert_eq!(server.state(&other).await, (false, false), "the other session ended");
    assert_eq!(server.state(&enabled.token()).await, (true, true));
    assert_eq!(server.mirrored(&person).await, None, "nobody becomes an admin by it");
    assert_eq!(server.mails_of("two_factor_changed").await, 1);
    assert_eq!(server.events_of("mfa_enabled").await, 1);
    assert_eq!(server.count("recovery_codes WHERE kind = 'offline' AND used_at IS NULL").await, 10);

    let again = server.mfa(&enabled.token(), json!({"action": "generate_secret"})).await;
    assert_eq!((again.status, again.outcome().as_str()), (StatusCode::CONFLICT, "already_enabled"));
    assert!(again.json().get("secret").is_none());
    let used = server.verify(&server.session(&person).await, &phone.code(&server, 0)).await;
    assert_eq!(used.outcome(), "invalid_otp", "the code of the set-up is used up");
}

/// An admin's event stream ends with the commit that retires the token, so the page may read its session before it has received
/// the next token.
#[apply(on_both_engines!)]
async fn a_page_that_asks_before_its_next_token_arrives_must_ask_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.admin("ada").await;
    let old = server.session(&person).await;
    let generated = server.mfa(&old, json!({"action": "generate_secret"})).await;
    let phone = Phone::new(generated.json()["secret"].as_str().unwrap());
    let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": phone.code(&server, 0)});
    let next = server.mfa(&old, body).await.token();

    let cookie = format!("sid={old}");
    let with_old = [("cookie", cookie.as_str())];
    let between = server.get_with("/api/auth/session", &with_old).await.json();
    assert_eq!((&between["user"], &between["token_retired"]), (&json!(null), &json!(true)));
    assert_eq!(server.get_with("/api/events", &with_old).await.status, StatusCode::NO_CONTENT);
    assert_eq!(server.get_with("/api/auth/user", &with_old).await.status, StatusCode::UNAUTHORIZED);
    let after = server.get_with("/api/auth/session", &[("cookie", &format!("sid={next}"))]).await.json();
    assert_eq!((&after["is_admin"], &after["token_retired"]), (&json!(true), &json!(false)));

    server.advance_seconds(31);
    let lost = server.get_with("/api/auth/session", &with_old).await.json();
    assert_eq!((&lost["user"], &lost["token_retired"]), (&json!(null), &json!(false)));
}

#[apply(on_both_engines!)]
async fn an_admins_record_mirrors_the_factor(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.admin("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    assert_eq!(server.mirrored(&person).await, Some(true));
    let body = json!({"action": "disable_mfa", "totpCode": phone.code(&server, 0)});
    assert_eq!(server.mfa(&token, body).await.outcome(), "ok");
    assert_eq!(server.mirrored(&person).await, Some(false));

    server.with_factor(&person).await;
    let mut tx = server.app.db.begin().await.unwrap();
    assert!(deadwax::two_factor::remove(&mut tx, person.id.into(), server.app.clock.now()).await.unwrap());
    assert!(!deadwax::two_factor::remove(&mut tx, person.id.into(), server.app.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!((server.mirrored(&person).await, server.factors().await), (Some(false), 0));
    assert_eq!(server.recovery_rows().await, 0);
}

#[apply(on_both_engines!)]
async fn only_the_newest_secret_of_the_last_ten_minutes_can_be_enabled(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let token = server.session(&person).await;
    let generate = async || {
        let answer = server.mfa(&token, json!({"action": "generate_secret"})).await.json();
        Phone::new(answer["secret"].as_str().unwrap())
    };
    let enable = async |phone: &Phone| {
        let code = phone.code(&server, 0);
        server.mfa(&token, json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code})).await
    };
    let first = generate().await;
    let second = generate().await;
    assert_ne!(first.secret, second.secret);
    let own = Phone::new("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP");
    for phone in [&first, &own, &Phone { secret: String::new(), ..own.clone() }] {
        let code = own.code(&server, 0);
        let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code});
        let refused = server.mfa(&token, body).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.outcome(), "secret_not_pending");
    }
    server.advance_seconds(ELEVEN_MINUTES);
    server.refresh_proofs(&person).await;
    assert_eq!(enable(&second).await.outcome(), "secret_not_pending");
    assert_eq!((server.factors().await, server.events_of("mfa_enabled").await), (0, 0));
    assert_eq!(enable(&generate().await).await.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn a_wrong_first_code_is_counted_and_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let token = server.session(&person).await;
    let answer = server.mfa(&token, json!({"action": "generate_secret"})).await.json();
    let phone = Phone::new(answer["secret"].as_str().unwrap());
    let enable = async |code: &str| {
        let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code});
        server.mfa(&token, body).await
    };
    let short = enable("12345").await;
    assert_eq!(
        (short.status, short.outcome().as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "code_not_six_digits")
    );
    assert_eq!(short.json()["message"], "Please enter a 6-digit code");
    for code in phone.wrong_codes(&server, 5) {
        assert_eq!(enable(&code).await.outcome(), "invalid_otp");
    }
    let locked = enable(&phone.code(&server, 0)).await;
    assert_eq!((locked.status, locked.outcome().as_str()), (StatusCode::TOO_MANY_REQUESTS, "rate_limited"));
    assert_eq!(server.factors().await, 0);
    assert_eq!(server.mails_of("failed_codes").await, 0, "there is no factor to be guessed");
    assert_eq!(server.state(&token).await, (true, false), "the session goes on");
}

#[apply(on_both_engines!)]
async fn a_code_seen_early_in_a_set_up_is_never_accepted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let token = server.session(&person).await;
    let answer = server.mfa(&token, json!({"action": "generate_secret"})).await.json();
    let phone = Phone::new(answer["secret"].as_str().unwrap());
    let early = phone.code(&server, 2);
    for (code, outcome) in [(early.clone(), "time_skew"), (phone.code(&server, 0), "ok")] {
        let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code});
        assert_eq!(server.mfa(&token, body).await.outcome(), outcome);
    }
    server.advance_seconds(2 * STEP);
    let other = server.session(&person).await;
    assert_eq!(server.verify(&other, &early).await.outcome(), "invalid_otp");
    server.advance_seconds(STEP);
    assert_eq!(server.verify(&other, &phone.code(&server, 0)).await.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn changes_ask_for_a_fresh_proof(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let fresh = server.session(&person).await;
    server.advance_seconds(ELEVEN_MINUTES);
    for body in [
        json!({"action": "generate_secret"}),
        json!({"action": "enable_mfa", "mfaSecret": "AAAA", "totpCode": "000000"}),
    ] {
        let refused = server.mfa(&fresh, body).await;
        assert_eq!(
            (refused.status, refused.outcome().as_str()),
            (StatusCode::FORBIDDEN, "reauthentication_needed")
        );
    }
    let (token, phone) = server.with_factor(&person).await;
    server.advance_seconds(ELEVEN_MINUTES);
    let body = json!({"action": "disable_mfa", "totpCode": phone.code(&server, 0)});
    let refused = server.mfa(&token, body.clone()).await;
    assert_eq!(
        (refused.status, refused.outcome().as_str()),
        (StatusCode::FORBIDDEN, "reauthentication_needed")
    );
    assert_eq!(server.factors().await, 1);
    server.refresh_proofs(&person).await;
    assert_eq!(server.mfa(&token, body).await.outcome(), "ok");
}

#[apply(on_both_engines!)]
async fn taking_it_off_needs_a_code_that_was_not_used(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let code = phone.code(&server, 0);
    let token = server.verify(&token, &code).await.token();
    let disable =
        async |code: &str| server.mfa(&token, json!({"action": "disable_mfa", "totpCode": code})).await;
    assert_eq!(disable(&code).await.outcome(), "invalid_otp");
    assert_eq!(disable("12 34").await.json()["message"], "Please enter a 6-digit code");
    assert_eq!((server.factors().await, server.recovery_rows().await), (1, 10));
    let other = server.session(&person).await;
    let disabled = disable(&phone.code(&server, 1)).await;
    assert_eq!(disabled.outcome(), "ok");
    assert_eq!((server.factors().await, server.recovery_rows().await), (0, 0));
    assert!(!server.state(&token).await.0);
    assert!(!server.state(&other).await.0);
    assert_eq!(server.state(&disabled.token()).await, (true, false));
    assert_eq!((server.mails_of("two_factor_changed").await, server.events_of("mfa_disabled").await), (2, 1));
    let again = server.mfa(&disabled.token(), json!({"action": "disable_mfa", "totpCode": code})).await;
    assert_eq!((again.status, again.outcome().as_str()), (StatusCode::CONFLICT, "not_enabled"));
}

#[apply(on_both_engines!)]
async fn new_codes_for_paper_void_the_old_ones(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (token, phone) = server.with_factor(&person).await;
    let code = phone.code(&server, 0);
    let made = server.mfa(&token, json!({"action": "regenerate_recovery_codes", "totpCode": code})).await;
    assert_eq!(made.outcome(), "ok");
    let codes = strings(&made.json()["recovery_codes"]);
    assert_eq!((codes.len(), server.recovery_rows().await), (10, 10));
    assert!(!made.sets_cookie());
    assert_eq!(server.mails_of("recovery_codes_replaced").await, 1);
    let used = server.mfa(&token, json!({"action": "regenerate_recovery_codes", "totpCode": code})).await;
    assert_eq!(used.outcome(), "invalid_otp");
    assert_eq!(server.recover(&token, &phone.recovery_codes[0]).await.json()["valid"], false);
    assert_eq!(server.recover(&token, &codes[0]).await.json()["valid"], true);
}

#[apply(on_both_engines!)]
async fn visitors_and_half_signed_in_members_change_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let (_, phone) = server.with_factor(&person).await;
    let pending = server.session(&person).await;
    let code = phone.code(&server, 0);
    for body in [
        json!({"action": "generate_secret"}),
        json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code}),
        json!({"action": "disable_mfa", "totpCode": code}),
        json!({"action": "regenerate_recovery_codes", "totpCode": code}),
    ] {
        let nobody = server.mfa("", body.clone()).await;
        assert_eq!(
            (nobody.status, nobody.outcome().as_str()),
            (StatusCode::UNAUTHORIZED, "not_authenticated")
        );
        assert_eq!(nobody.json()["message"], "Not authenticated");
        let half = server.mfa(&pending, body).await;
        assert_eq!((half.status, half.outcome().as_str()), (StatusCode::FORBIDDEN, "mfa_required"));
    }
    assert_eq!((server.factors().await, server.recovery_rows().await), (1, 10));
}

#[apply(on_both_engines!)]
async fn unknown_and_malformed_operations_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let person = server.person("ada").await;
    let token = server.session(&person).await;
    for (body, code) in [
        (json!({}), "invalid_body"),
        (json!({"action": "become_admin"}), "invalid_body"),
        (json!({"action": "generate_secret", "user_id": "x"}), "unknown_field"),
        (json!({"action": "verify_mfa", "totpCode": "000000", "skip": true}), "unknown_field"),
        (json!({"action": "verify_mfa"}), "invalid_body"),
        (json!({"action": "verify_mfa", "totpCode": 123_456}), "invalid_body"),
    ] {
        let refused = server.mfa(&token, body).await;
        assert_eq!((refused.status, refused.problem().as_str()), (StatusCode::UNPROCESSABLE_ENTITY, code));
    }
    let nobody = server.mfa("", json!({})).await;
    assert_eq!((nobody.status, nobody.problem().as_str()), (StatusCode::UNAUTHORIZED, "not_authenticated"));
    for id in ["", "ä", "a\nb", &"x".repeat(129)] {
        let refused = server.mfa(&token, json!({"action": "generate_secret", "request_id": id})).await;
        assert_eq!(refused.outcome(), "invalid_request_id", "{id}");
    }
}
