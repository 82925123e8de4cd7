//! A thief changes all that a session may change; the links mailed to the owner give the account back.

use std::time::Duration;

use macro_rules_attribute::apply;
use rules::mfa::STEP_SECONDS;
use serde_json::json;

use super::person::Phone;
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, PASSWORD, Person, token_in},
    },
};

const THIEFS: &str = "password of a thief";
const OWNERS: &str = "another password of the owner";
const TAKEN: &str = "thief@elsewhere.example";
const HOUR: Duration = Duration::from_hours(1);

async fn set_password(browser: &mut Browser, password: &str) -> u16 {
    let body = json!({"password": password, "confirm_password": password});
    browser.put("/api/auth/password", body).await.status.as_u16()
}

async fn ask_to_move(browser: &mut Browser) {
    assert_eq!(browser.post("/api/auth/email-change", json!({"email": TAKEN})).await.status, 200);
}

/// Moves the account to the thief's mailbox.
async fn move_away(server: &TestServer, thief: &mut Browser) {
    ask_to_move(thief).await;
    let token = token_in(server.mails_to(TAKEN).last().unwrap(), "email_change");
    assert_eq!(thief.post("/api/auth/email-change/confirm", json!({"token": token})).await.status, 200);
}

/// Sets up a second factor in a browser.
async fn set_factor_up(server: &TestServer, browser: &mut Browser) -> Phone {
    let path = "/api/auth/mfa-operations";
    let generated = browser.post(path, json!({"action": "generate_secret"})).await;
    let phone = Phone::new(generated.json()["secret"].as_str().unwrap());
    let code = phone.code(server, 0);
    let body = json!({"action": "enable_mfa", "mfaSecret": phone.secret, "totpCode": code});
    assert_eq!(browser.post(path, body).await.status, 200);
    server.advance_seconds(15 * STEP_SECONDS as i64);
    phone
}

/// Confirms the newest link of this kind in the owner's mailbox.
async fn take_back(server: &TestServer, max: &Person, kind: &str) -> u16 {
    let letters = server.mails_to(&max.email);
    let letter = letters.iter().rev().find(|letter| letter.contains(&format!("#type={kind}&")));
    let body = json!({"token": token_in(letter.expect("a letter with the link"), kind)});
    server.browser().post("/api/auth/email-change/cancel", body).await.status.as_u16()
}

/// Opens the password reset link in the newest letter.
async fn open_reset(server: &TestServer, max: &Person) -> Browser {
    let token = token_in(server.mails_to(&max.email).last().unwrap(), "recovery");
    let mut owner = server.browser();
    assert_eq!(owner.post("/api/auth/reset", json!({"token": token})).await.status, 200);
    owner
}

/// Resets the password by mail, without any code, and checks that only the owner can sign in.
async fn expect_the_owners_alone(server: &TestServer, max: &Person, thief: &mut Browser) {
    assert_eq!(thief.get("/api/auth/user").await.status, 401, "the thief's session ends");
    for password in [THIEFS, PASSWORD] {
        assert_eq!(server.browser().sign_in(&max.email, password).await.status, 401, "{password}");
    }
    let mut owner = open_reset(server, max).await;
    assert_eq!(owner.session().await["mfaRequired"], false);
    assert_eq!(set_password(&mut owner, OWNERS).await, 200);
    assert_eq!(owner.profile().await["email"], json!(max.email));
    assert_eq!(server.browser().sign_in(&max.email, OWNERS).await.status, 200);
    assert_eq!((server.factors().await, server.recovery_rows().await), (0, 0));
}

#[apply(on_both_engines!)]
async fn whatever_a_thief_sets_around_a_move_is_gone_with_its_undo(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (number, order) in [
        "password move factor",
        "password factor move",
        "factor password move",
        "move password factor",
        "move",
    ]
    .into_iter()
    .enumerate()
    {
        let max = server.person(&format!("Max_{number}")).await;
        let mut thief = server.signed_in(&max).await;
        // The session that moved the account verifies the factor within ten minutes, as its set-up requires.
        for step in order.split(' ') {
            match step {
                "password" => assert_eq!(set_password(&mut thief, THIEFS).await, 200),
                "factor" => drop(set_factor_up(&server, &mut thief).await),
                _ => move_away(&server, &mut thief).await,
            }
        }
        server.advance(71 * HOUR);
        assert_eq!(take_back(&server, &max, "email_change_undo").await, 200, "{order}");
        expect_the_owners_alone(&server, &max, &mut thief).await;
    }
}

#[apply(on_both_engines!)]
async fn cancelling_a_move_also_locks_out_the_thief(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut thief = server.signed_in(&max).await;
    assert_eq!(set_password(&mut thief, THIEFS).await, 200);
    set_factor_up(&server, &mut thief).await;
    ask_to_move(&mut thief).await;
    assert_eq!(take_back(&server, &max, "email_change_cancel").await, 200);
    let token = token_in(server.mails_to(TAKEN).last().unwrap(), "email_change");
    let moved = server.browser().post("/api/auth/email-change/confirm", json!({"token": token})).await;
    assert_eq!(moved.problem(), "otp_expired");
    expect_the_owners_alone(&server, &max, &mut thief).await;
}

#[apply(on_both_engines!)]
async fn a_factor_that_a_thief_sets_up_is_undone_from_its_notice(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut thief = server.signed_in(&max).await;
    set_factor_up(&server, &mut thief).await;
    assert_eq!(set_password(&mut thief, THIEFS).await, 200);
    server.advance(71 * HOUR);
    assert_eq!(take_back(&server, &max, "two_factor_undo").await, 200);
    assert_eq!(take_back(&server, &max, "two_factor_undo").await, 422, "once");
    expect_the_owners_alone(&server, &max, &mut thief).await;

    // An admin's notice carries no such link: access to the mailbox must not open the back office.
    let eva = server.admin("Eva_1").await;
    let mut admin = server.signed_in(&eva).await;
    set_factor_up(&server, &mut admin).await;
    let notice = server.mails_to(&eva.email).pop().unwrap();
    assert!(notice.contains("/contact") && !notice.contains("two_factor_undo"), "{notice}");
}

#[apply(on_both_engines!)]
async fn an_admins_old_mailbox_does_not_open_the_back_office(engine: Engine) {
    let server = TestServer::start(engine).await;
    for kind in ["email_change_undo", "email_change_cancel"] {
        let eva = server.admin(&format!("Eva_{}", kind.len())).await;
        let mut admin = server.signed_in(&eva).await;
        let phone = set_factor_up(&server, &mut admin).await;
        match kind {
            "email_change_undo" => move_away(&server, &mut admin).await,
            _ => ask_to_move(&mut admin).await,
        }
        assert_eq!(take_back(&server, &eva, kind).await, 200, "{kind}");
        let mut reader = open_reset(&server, &eva).await;
        assert_eq!(reader.session().await["mfaRequired"], true, "{kind}");
        assert_eq!(set_password(&mut reader, THIEFS).await, 403, "{kind}");
        assert_eq!(reader.get("/api/admin/demos").await.status, 403, "{kind}");
        let verify = json!({"action": "verify_mfa", "totpCode": phone.code(&server, 0)});
        assert_eq!(reader.post("/api/auth/mfa-operations", verify).await.status, 200, "{kind}");
        assert_eq!(set_password(&mut reader, OWNERS).await, 200, "{kind}");
        server.sql("DELETE FROM users WHERE email = 'thief@elsewhere.example'").await;
    }
}

#[apply(on_both_engines!)]
async fn a_factor_from_before_stays_and_its_mailed_codes_wait_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut thief = server.signed_in(&max).await;
    let mut phone = set_factor_up(&server, &mut thief).await;
    server.advance(80 * HOUR);
    server.refresh_proofs(&max).await;
    // A thief who saw one code over the owner's shoulder replaces the recovery codes.
    let path = "/api/auth/mfa-operations";
    let verify = json!({"action": "verify_mfa", "totpCode": phone.code(&server, 0)});
    assert_eq!(thief.post(path, verify).await.status, 200);
    server.advance_seconds(STEP_SECONDS as i64);
    let regenerate = json!({"action": "regenerate_recovery_codes", "totpCode": phone.code(&server, 0)});
    let codes = thief.post(path, regenerate).await.json()["recovery_codes"].clone();
    phone.recovery_codes = super::person::strings(&codes);
    move_away(&server, &mut thief).await;
    assert_eq!(take_back(&server, &max, "email_change_undo").await, 200);

    assert_eq!((server.factors().await, server.recovery_rows().await), (1, 0));
    let mut owner = open_reset(&server, &max).await;
    assert_eq!(owner.session().await["mfaRequired"], true);
    assert_eq!(set_password(&mut owner, OWNERS).await, 403);
    let mail = json!({"action": "send_recovery_code"});
    let held = owner.post("/api/auth/mfa-recovery", mail).await;
    assert_eq!(held.problem(), "recovery_hold", "the mailbox alone does not open a factor from before");
    server.advance_seconds(2 * STEP_SECONDS as i64);
    let verify = json!({"action": "verify_mfa", "totpCode": phone.code(&server, 0)});
    assert_eq!(owner.post(path, verify).await.status, 200);
    assert_eq!(set_password(&mut owner, OWNERS).await, 200);
}

#[apply(on_both_engines!)]
async fn browsers_known_before_are_strangers_and_other_links_are_void(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut thief = server.browser();
    assert_eq!(thief.sign_in(&max.email, PASSWORD).await.status, 200);
    let known = thief.cookies["dev"].clone();
    server.advance_seconds(1);
    move_away(&server, &mut thief).await;
    server.browser().post("/api/auth/forgot", json!({"email": TAKEN})).await;
    let stolen = token_in(server.mails_to(TAKEN).last().unwrap(), "recovery");
    assert_eq!(take_back(&server, &max, "email_change_undo").await, 200);
    let opened = server.browser().post("/api/auth/reset", json!({"token": stolen})).await;
    assert_eq!(opened.problem(), "otp_expired");
    // A known browser has its own allowance of resets; this browser is no longer known.
    let mut again = server.browser();
    again.cookies.insert("dev".to_owned(), known);
    for _ in 0..6 {
        again.post("/api/auth/forgot", json!({"email": max.email})).await;
        server.advance(Duration::from_secs(301));
    }
    let resets =
        server.mails_to(&max.email).iter().filter(|mail| mail.contains("SET A NEW PASSWORD")).count();
    // One of the day's five was sent to the thief's mailbox.
    assert_eq!(resets, 4);
    let noted = server.audited(max.id).await;
    assert!(noted.contains(&("authn_password_change".to_owned(), "taken_back".to_owned())), "{noted:?}");
}
