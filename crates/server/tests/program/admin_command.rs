use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use deadwax::cli::admin::{AdminCommand, Desk};
use deadwax_config::AdminMfa;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, PASSWORD, token_in},
    },
};

fn desk(server: &TestServer) -> Desk {
    Desk {
        db: server.app.db.clone(),
        clock: server.app.clock.clone(),
        origin: server.app.origin.clone(),
        label: (*server.app.known_label.last()).clone(),
        key_path: server.data.path().join("key"),
        captures_mail: true,
    }
}

async fn run(server: &TestServer, command: AdminCommand) -> Result<String, String> {
    desk(server).run(command, None).await.map_err(|error| format!("{error:#}"))
}

fn create(email: &str) -> AdminCommand {
    AdminCommand::Create { email: email.to_owned(), password_stdin: false }
}

fn grant(email: &str) -> AdminCommand {
    AdminCommand::Grant { email: email.to_owned(), keep_password: false }
}

fn revoke(email: &str) -> AdminCommand {
    AdminCommand::Revoke { email: email.to_owned() }
}

#[apply(on_both_engines!)]
async fn an_account_is_made_with_admin_rights_and_a_password_shown_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    assert_eq!(
        run(&server, AdminCommand::List).await.unwrap(),
        "nobody is an admin; make one with: deadwax admin create EMAIL"
    );
    let said = run(&server, create("Admin@Deadwax.example")).await.unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "email: admin@deadwax.example");
    let password = lines[1].strip_prefix("password: ").unwrap();
    assert_eq!(lines.len(), 2);
    let mut browser = server.browser();
    assert_eq!(browser.sign_in("admin@deadwax.example", password).await.status, 200);
    let session = browser.session().await;
    assert_eq!((&session["is_admin"], &session["profile"]["username"]), (&json!(true), &json!("user1")));
    assert_eq!(
        run(&server, AdminCommand::List).await.unwrap(),
        "email                  active  two-factor  since\nadmin@deadwax.example  yes     no          2026-11-20"
    );
    assert_eq!(
        server
            .count("audit_log WHERE event = 'authz_change' AND outcome = 'admin_granted' AND role = 'system'")
            .await,
        1
    );
}

#[apply(on_both_engines!)]
async fn a_password_of_the_admins_own_has_twelve_characters(engine: Engine) {
    let server = TestServer::start(engine).await;
    let email = "boss@label.example";
    let long = "x".repeat(129);
    for (password, said) in [
        ("elevenchars", "Minimum 12 characters required"),
        ("", "Minimum 12"),
        (long.as_str(), "at most 128"),
    ] {
        let refused = desk(&server).run(create(email), Some(password.into())).await.unwrap_err();
        assert!(format!("{refused:#}").contains(said), "{refused:#}");
    }
    assert_eq!(server.count("users").await, 0);
    let said = desk(&server).run(create(email), Some("twelve chars".into())).await.unwrap();
    assert_eq!(said, "boss@label.example is an admin");
    assert_eq!(server.browser().sign_in(email, "twelve chars").await.status, 200);
}

#[apply(on_both_engines!)]
async fn an_address_with_an_account_is_not_made_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let refused = run(&server, create(&max.email)).await.unwrap_err();
    assert!(refused.contains("deadwax admin grant max_404@label.example"), "{refused}");
    assert_eq!(server.count("admin_users").await, 0);
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 200);
    assert!(run(&server, create("nobody")).await.unwrap_err().contains("valid email address"));
    // An unconfirmed sign-up with the label's address does not block it.
    let form = json!({"email": "boss@label.example", "password": "123456"});
    assert_eq!(server.browser().post("/api/auth/sign-up", form).await.status, 200);
    let token = token_in(server.mails_to("boss@label.example").last().unwrap(), "signup");
    run(&server, create("boss@label.example")).await.unwrap();
    assert_eq!(server.browser().post("/api/auth/confirm", json!({"token": token})).await.status, 422);
}

#[apply(on_both_engines!)]
async fn rights_are_granted_to_accounts_that_are_there(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut before = server.signed_in(&max).await;
    let nobody = run(&server, grant("nobody@label.example")).await.unwrap_err();
    assert_eq!(
        nobody,
        "nobody@label.example has no account; make one with: deadwax admin create nobody@label.example"
    );
    server
        .browser()
        .post("/api/auth/sign-up", json!({"email": "new@label.example", "password": "123456"}))
        .await;
    assert!(run(&server, grant("new@label.example")).await.unwrap_err().contains("not confirmed yet"));
    assert_eq!(before.session().await["is_admin"], false);

    let said = run(&server, grant(&max.email)).await.unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "max_404@label.example is an admin, and signs in again",
            "the account was made on 2026-11-20 at 12:00, confirmed on 2026-11-20 at 12:00, last used on 2026-11-20 at 12:00 (UTC)",
            "its password counts no more; a link to a new one is mailed to it, and counts for an hour",
        ]
    );
    assert_eq!(before.get("/api/auth/user").await.status, 401, "a planted session gets no rights");
    // A planted password does not help either: only the mailbox gives access.
    let mut browser = server.browser();
    assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 401);
    server.app.mail.send_due().await;
    let mail = server.mails_to(&max.email).pop().unwrap();
    assert!(mail.contains("you are an admin now"), "{mail}");
    let token = token_in(&mail, "recovery");
    assert!(lines[3].ends_with(&format!("{}/profile#type=recovery&token={token}", server.base)), "{said}");
    assert_eq!(browser.post("/api/auth/reset", json!({"token": token})).await.status, 200);
    assert_eq!(browser.session().await["is_admin"], true);
    assert_eq!(run(&server, grant(&max.email)).await.unwrap(), "max_404@label.example is an admin already");
    assert_eq!(browser.session().await["is_admin"], true);
}

#[apply(on_both_engines!)]
async fn a_password_that_is_known_to_be_the_persons_own_may_stay(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut before = server.signed_in(&max).await;
    let keep = AdminCommand::Grant { email: max.email.clone(), keep_password: true };
    let said = run(&server, keep).await.unwrap();
    assert_eq!(said.lines().count(), 2, "{said}");
    assert_eq!(before.get("/api/auth/user").await.status, 401);
    let mut browser = server.browser();
    assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200);
    assert_eq!(browser.session().await["is_admin"], true);
    assert_eq!(server.count("outbox").await, 0);
}

#[apply(on_both_engines!)]
async fn no_link_of_before_leads_to_the_rights(engine: Engine) {
    let server = TestServer::start(engine).await;
    for keep_password in [false, true] {
        // An attacker's account moves to the label's address, confirmed by its owner.
        let stranger = server.person(&format!("Stranger_{keep_password}")).await;
        let mut browser = server.signed_in(&stranger).await;
        let boss = format!("booking-{keep_password}@corp.example");
        let back = format!("back-{keep_password}@corp.example");
        let ask = async |browser: &mut Browser, email: &str| {
            let asked = browser.post("/api/auth/email-change", json!({"email": email})).await;
            assert_eq!(asked.status, 200, "{asked:?}");
            token_in(server.mails_to(email).last().unwrap(), "email_change")
        };
        let body = json!({"token": ask(&mut browser, &boss).await});
        assert_eq!(browser.post("/api/auth/email-change/confirm", body).await.status, 200);
        let undo = token_in(server.mails_to(&stranger.email).last().unwrap(), "email_change_undo");
        let forgot = json!({"email": boss});
        assert_eq!(server.browser().post("/api/auth/forgot", forgot).await.status, 200);
        let reset = token_in(server.mails_to(&boss).last().unwrap(), "recovery");
        let change = ask(&mut browser, &back).await;
        let cancel = token_in(server.mails_to(&boss).last().unwrap(), "email_change_cancel");

        run(&server, AdminCommand::Grant { email: boss.clone(), keep_password }).await.unwrap();
        assert_eq!(browser.get("/api/auth/user").await.status, 401);
        for (path, token) in [
            ("/api/auth/email-change/cancel", undo),
            ("/api/auth/email-change/cancel", cancel),
            ("/api/auth/email-change/confirm", change),
            ("/api/auth/reset", reset),
        ] {
            let late = server.browser().post(path, json!({"token": token})).await;
            assert_eq!(late.status, 422, "{path}, keep_password {keep_password}");
        }
        assert_eq!(server.count(&format!("users WHERE email = '{boss}'")).await, 1);
    }
}

#[apply(on_both_engines!)]
async fn links_are_printed_only_where_mail_stays_on_the_machine(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let desk = Desk { captures_mail: false, ..desk(&server) };
    let said = desk.run(grant(&max.email), None).await.unwrap();
    assert!(said.contains("last used not lately"), "{said}");
    assert!(!said.contains("token="), "{said}");
    assert_eq!(server.count("outbox WHERE kind = 'admin_granted'").await, 1);
}

#[apply(on_both_engines!)]
async fn where_admins_need_a_second_factor_they_set_it_up_first(engine: Engine) {
    let server = TestServer::start_with(engine, |settings| settings.admin_mfa = AdminMfa::Required).await;
    let (boss, max) = (server.admin("Boss_404").await, server.person("Max_404").await);
    let mut browser = server.signed_in(&boss).await;
    let session = browser.session().await;
    assert_eq!(
        (&session["is_admin"], &session["mfa_setup_required"], &session["mfaRequired"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert_eq!(session["auth_stage"], "mfa_pending");
    for path in ["/api/admin/newsletter/export", "/api/admin/demos", "/api/admin/security/checklist"] {
        let refused = browser.get(path).await;
        assert_eq!(
            (refused.status.as_u16(), refused.problem()),
            (403, "mfa_setup_required".to_owned()),
            "{path}"
        );
    }
    // Requests needed for the set-up are allowed.
    assert_eq!(browser.profile().await["mfa_enabled"], false);
    let set_up = browser.post("/api/auth/mfa-operations", json!({"action": "generate_secret"})).await;
    assert_eq!(set_up.status, 200, "{set_up:?}");
    server.sql("DELETE FROM two_factor").await;
    server.add_unknown_factor(&boss).await;
    let session = browser.session().await;
    assert_eq!(
        (&session["mfa_setup_required"], &session["mfaRequired"], &session["auth_stage"]),
        (&json!(false), &json!(true), &json!("mfa_pending"))
    );
    assert_eq!(browser.get("/api/admin/newsletter").await.problem(), "mfa_required");
    server.verify_sessions(&boss).await;
    assert_eq!(browser.get("/api/admin/newsletter").await.status, 200);
    // Members without rights need no second factor.
    let mut member = server.signed_in(&max).await;
    assert_eq!(member.session().await["mfa_setup_required"], false);
    assert_eq!(member.get("/api/admin/newsletter").await.problem(), "forbidden");
}

#[apply(on_both_engines!)]
async fn rights_end_at_the_next_request(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (boss, other) = (server.admin("Boss_404").await, server.admin("Boss_405").await);
    let mut browser = server.signed_in(&boss).await;
    assert_eq!(browser.session().await["auth_stage"], "authenticated");
    assert_eq!(
        run(&server, revoke(&boss.email)).await.unwrap(),
        "boss_404@label.example is no admin any more"
    );
    let session = browser.session().await;
    assert_eq!(
        (&session["is_admin"], &session["admin"], &session["auth_stage"]),
        (&json!(false), &json!(null), &json!("unauthenticated"))
    );
    assert_eq!(browser.profile().await["username"], "Boss_404", "the account stays");
    assert_eq!(run(&server, revoke(&boss.email)).await.unwrap_err(), "boss_404@label.example is no admin");
    assert!(run(&server, revoke("nobody@label.example")).await.is_err());
    assert!(run(&server, revoke(&other.email)).await.unwrap().contains("nobody is"));
    assert_eq!(server.count("admin_users WHERE active").await, 0);
    let listed = run(&server, AdminCommand::List).await.unwrap();
    assert_eq!(listed.lines().filter(|line| line.contains("  no      no")).count(), 2, "{listed}");
    run(&server, grant(&boss.email)).await.unwrap();
    assert_eq!(server.count("admin_users WHERE active").await, 1);
}

#[apply(on_both_engines!)]
async fn a_lost_second_factor_is_taken_off(engine: Engine) {
    let server = TestServer::start(engine).await;
    let boss = server.admin("Boss_404").await;
    let reset = AdminCommand::ResetTwoFactor { email: boss.email.clone() };
    assert!(run(&server, reset.clone()).await.unwrap_err().contains("no second factor"));
    let mut browser = server.signed_in(&boss).await;
    server.add_unknown_factor(&boss).await;
    assert_eq!(browser.session().await["mfaRequired"], true);
    run(&server, reset).await.unwrap();
    assert_eq!(browser.get("/api/auth/user").await.status, 401);
    let mut again = server.browser();
    assert_eq!(again.sign_in(&boss.email, PASSWORD).await.json()["mfaRequired"], false);
    assert_eq!(server.count("admin_users WHERE mfa_enabled").await, 0);
    server.app.mail.send_due().await;
    assert_eq!(server.mails_to(&boss.email).len(), 1, "the person gets a mail");
}

#[apply(on_both_engines!)]
async fn no_call_of_the_website_makes_an_admin(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    let form =
        json!({"email": "first@label.example", "password": "123456", "data": {"username": "First_One"}});
    browser.post("/api/auth/sign-up", form).await;
    let token = token_in(server.mails_to("first@label.example").last().unwrap(), "signup");
    browser.post("/api/auth/confirm", json!({"token": token})).await;
    let session = browser.session().await;
    assert_eq!(
        (&session["user"]["email"], &session["is_admin"]),
        (&json!("first@label.example"), &json!(false))
    );
    let cheating = json!({"email": "x@label.example", "password": "123456", "is_admin": true});
    assert_eq!(browser.post("/api/auth/sign-up", cheating).await.status, 422);
    assert_eq!(server.count("admin_users").await, 0);
}

fn deadwax(data: &std::path::Path, arguments: &[&str], typed: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_deadwax"))
        .args(arguments)
        .env_clear()
        .env("DEADWAX_DATA_DIR", data)
        .env("DEADWAX_LOG", "warn")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    program.wait_with_output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String) {
    let text = if output.status.success() { &output.stdout } else { &output.stderr };
    (output.status.code(), String::from_utf8_lossy(text).trim_end().to_owned())
}

#[test]
fn the_program_says_what_it_did_and_ends_with_a_code() {
    let data = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], typed: &str| said(&deadwax(data.path(), arguments, typed));
    let (code, made) = run(&["admin", "create", "admin@deadwax.example"], "");
    assert_eq!(code, Some(0), "{made}");
    assert!(made.starts_with("email: admin@deadwax.example\npassword: "), "{made}");
    let (code, again) = run(&["admin", "create", "admin@deadwax.example"], "");
    assert_eq!((code, again.lines().count()), (Some(1), 1), "{again}");
    let typed = ["admin", "create", "boss@label.example", "--password-stdin"];
    assert_eq!(run(&typed, "short\n").0, Some(1));
    assert_eq!(run(&typed, "twelve chars\r\n"), (Some(0), "boss@label.example is an admin".to_owned()));
    assert_eq!(run(&["admin", "revoke", "boss@label.example"], "").0, Some(0));
    assert_eq!(run(&["admin", "list"], "").1.lines().count(), 3);
    assert_eq!(run(&["admin"], "").0, Some(2));
    let (code, help) = run(&["admin", "--help"], "");
    assert_eq!(code, Some(0));
    for command in ["create", "grant", "revoke", "reset-two-factor", "list"] {
        assert!(help.contains(command), "{help}");
    }
    // A running server holds the lock.
    let lock = std::fs::File::open(data.path().join("lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(run(&["admin", "grant", "boss@label.example"], "").0, Some(0));
    let password = made.rsplit_once("password: ").unwrap().1;
    let mut stored = Vec::new();
    for entry in std::fs::read_dir(data.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            stored.extend(std::fs::read(path).unwrap());
        }
    }
    assert!(!stored.windows(password.len()).any(|window| window == password.as_bytes()));
}

#[apply(on_both_engines!)]
async fn a_grant_says_when_the_account_was_used_also_after_a_sign_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    server.advance(std::time::Duration::from_secs(3_600));
    let mut browser = server.browser();
    assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200);
    browser.post("/api/auth/sign-out", json!({})).await;
    server.advance(std::time::Duration::from_secs(3_600));
    let said = run(&server, grant(&max.email)).await.unwrap();
    assert!(said.contains("last used on 2026-11-20 at 13:00 (UTC)"), "{said}");
}
