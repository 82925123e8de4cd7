//! The audit log's entries about refused requests and about the program itself.

use std::{process::Command, time::Duration};

use deadwax::start;
use macro_rules_attribute::apply;
use reqwest::Method;
use secrecy::SecretString;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{
    on_both_engines,
    support::{Database, Engine, TestServer, open, people::Browser, settings, web_app},
};

deadwax_store::statements! {
    NOTED = "SELECT event, role, outcome, target, repeats FROM audit_log \
        WHERE event IN ('authz_fail', 'malicious_csrf', 'excess_rate_limit_exceeded') ORDER BY event, role, at, id";
    REFUSE_ROWS = "CREATE TRIGGER full_disk BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'full'); END",
        postgres "CREATE RULE full_disk AS ON INSERT TO audit_log DO ALSO SELECT 1 / 0";
    SYSTEM = "SELECT event, outcome FROM audit_log WHERE event LIKE 'sys_%' ORDER BY at, id";
}

type Noted = (String, String, String, Option<String>, i64);

async fn noted(server: &TestServer, rows: i64) -> Vec<Noted> {
    let refusals = "audit_log WHERE event IN ('authz_fail', 'malicious_csrf', 'excess_rate_limit_exceeded')";
    server.wait_until("the rows", async || server.count(refusals).await >= rows).await;
    server.app.db.query(NOTED).all::<Noted>().await.unwrap()
}

fn row(event: &str, role: &str, outcome: &str, target: &str, repeats: i64) -> Noted {
    (event.to_owned(), role.to_owned(), outcome.to_owned(), Some(target.to_owned()), repeats)
}

async fn foreign(browser: &mut Browser) {
    browser.headers = vec![("sec-fetch-site".to_owned(), "cross-site".to_owned())];
    let refused = browser.send(Method::PUT, "/api/admin/artists/7", Some(json!({}))).await;
    assert_eq!(refused.problem(), "csrf");
    browser.headers.clear();
}

#[apply(on_both_engines!)]
async fn refused_requests_are_in_the_audit_log_once_a_minute(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let (mut member, mut visitor) = (server.signed_in(&max).await, server.browser());
    for _ in 0..3 {
        assert_eq!(member.get("/api/admin/artists/7").await.status, 403);
        assert_eq!(visitor.get("/api/admin/demos").await.status, 401);
        foreign(&mut visitor).await;
    }
    for _ in 0..32 {
        visitor.post("/api/auth/confirm", json!({"token": "x"})).await;
    }
    let first = [
        row("authz_fail", "member", "forbidden", "GET /api/admin/artists/{id}", 0),
        row("authz_fail", "visitor", "not_authenticated", "GET /api/admin/demos", 0),
        row("excess_rate_limit_exceeded", "visitor", "rate_limited", "POST /api/auth/confirm", 0),
        row("malicious_csrf", "visitor", "csrf", "PUT /api/admin/artists/{id}", 0),
    ];
    assert_eq!(noted(&server, 4).await, first);
    assert_eq!(server.audited(max.id).await.last().unwrap().0, "authz_fail");
    server.advance(Duration::from_secs(60));
    member.get("/api/admin/demos").await;
    foreign(&mut visitor).await;
    let second = noted(&server, 6).await;
    assert_eq!(second[1], row("authz_fail", "member", "forbidden", "GET /api/admin/demos", 2));
    assert_eq!(second[5], row("malicious_csrf", "visitor", "csrf", "PUT /api/admin/artists/{id}", 2));
}

#[apply(on_both_engines!)]
async fn what_goes_on_after_an_answer_is_waited_for_at_the_end(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    assert_eq!(server.browser().get("/api/admin/demos").await.status, 401);
    for _ in 0..5 {
        assert_eq!(server.browser().sign_in(&max.email, "wrong password").await.status, 401);
    }
    server.app.background.close();
    server.app.background.wait().await;
    let entries = server.count("outbox WHERE kind = 'failed_sign_ins'").await;
    assert_eq!((entries, server.count("audit_log WHERE event = 'authz_fail'").await), (1, 1));
}

#[apply(on_both_engines!)]
async fn strangers_use_up_no_room_of_people_who_are_signed_in(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut member = server.signed_in(&max).await;
    for _ in 0..80 {
        assert_eq!(server.browser().get("/api/admin/demos").await.status, 401);
    }
    assert_eq!(noted(&server, 60).await.len(), 60);
    assert_eq!(member.get("/api/admin/demos").await.status, 403);
    let all = noted(&server, 61).await;
    assert_eq!(all[0], row("authz_fail", "member", "forbidden", "GET /api/admin/demos", 0));
}

#[apply(on_both_engines!)]
async fn the_second_factor_is_noted_where_it_opens_the_back_office(engine: Engine) {
    let server = TestServer::start(engine).await;
    let boss = server.admin("Boss_1").await;
    server.add_unknown_factor(&boss).await;
    let mut pending = server.signed_in(&boss).await;
    assert_eq!(pending.get("/api/admin/demos").await.problem(), "mfa_required");
    let entries = noted(&server, 1).await;
    assert_eq!(entries, [row("authz_fail", "admin", "mfa_required", "GET /api/admin/demos", 0)]);
}

#[apply(on_both_engines!)]
async fn the_program_notes_its_own_life(engine: Engine) {
    let databases = match engine {
        Engine::Sqlite => [None, None],
        Engine::Postgres => [Some(Database::create_bare().await), Some(Database::create_bare().await)],
    };
    let places = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let folder = places[0].path().join("backup");
    let run = |place: usize, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadwax"));
        command.args(arguments).env_clear().env("DEADWAX_DATA_DIR", places[place].path());
        if let Some(database) = &databases[place] {
            command.env("DATABASE_URL", database.url());
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let entries = async |place: usize| {
        let db = open(databases[place].as_ref(), places[place].path()).await;
        let entries = db.query(SYSTEM).all::<(String, String)>().await.unwrap();
        db.close().await;
        entries.into_iter().map(|(event, outcome)| format!("{event} {outcome}")).collect::<Vec<_>>()
    };
    run(0, &["migrate"]);
    run(0, &["migrate"]);
    assert_eq!(entries(0).await, ["sys_migrate ok"], "the second time there was nothing to do");
    let mut own = settings("http://127.0.0.1:1", places[0].path());
    own.listen = "127.0.0.1:0".parse().unwrap();
    own.database_url = databases[0].as_ref().map(|database| SecretString::from(database.url()));
    let stop = CancellationToken::new();
    stop.cancel();
    start::run(&own, own.check().unwrap(), stop, web_app()).await.unwrap();
    run(0, &["backup", folder.to_str().unwrap()]);
    let lived = ["sys_migrate ok", "sys_startup ok", "sys_shutdown ok", "sys_backup ok"];
    assert_eq!(entries(0).await, lived);
    run(1, &["restore", folder.to_str().unwrap()]);
    assert_eq!(entries(1).await, ["sys_migrate ok", "sys_startup ok", "sys_shutdown ok", "sys_restore ok"]);

    // A backup succeeds even if the log's row cannot be written, as on a full disk.
    let db = open(databases[0].as_ref(), places[0].path()).await;
    let refusing = db.write(REFUSE_ROWS).execute().await;
    refusing.unwrap();
    db.close().await;
    let again = places[0].path().join("again");
    let log = run(0, &["backup", again.to_str().unwrap()]);
    assert!(log.contains("writing to the audit log"), "{log}");
    assert!(again.join("manifest.json").is_file());
    assert_eq!(entries(0).await, lived);
}
