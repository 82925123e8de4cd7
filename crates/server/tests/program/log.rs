//! Request logs: they name the statements that ran, and contain no user input.

use deadwax::{
    audit::{self, Entry},
    requests::caller::Caller,
};
use deadwax_http::observe;
use deadwax_store::db::{EngineTx, Tx};
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use tracing::Instrument as _;

use crate::{
    on_both_engines,
    support::{Engine, NOON, TestServer, log::logged},
};

deadwax_store::statements! {
    INSERT = "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at) \
        VALUES ($1, $2, $3, $3, $3)";
}

#[apply(on_both_engines!)]
async fn a_statement_is_logged_with_the_request_that_ran_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    let mut desk = server.desk().await;
    let (log, _guard) = logged("info,deadwax_store::db=debug");
    let found = server.get(&format!("/api/artists/{artist}")).await;
    let [query] = log.queries("::artists::FIND").try_into().unwrap();
    assert_eq!(query["level"], "DEBUG");
    assert_eq!((query["engine"].as_str(), query["rows"].as_u64()), (Some(server.app.db.engine()), Some(1)));
    assert!(query["micros"].is_u64(), "{query}");
    let span = &query["span"];
    assert_eq!((span["method"].as_str(), span["route"].as_str()), (Some("GET"), Some("/api/artists/{id}")));
    assert_eq!(span["request_id"], found.header("x-request-id"));

    // A write continues without its client, and its statements are still logged with the request id.
    let changed = desk.edit(&format!("/api/admin/artists/{artist}"), 1, json!({"name": "B"})).await;
    assert_eq!(changed.status, 200);
    for statement in ["BEGIN", "::artist_edits::UPDATE", "COMMIT"] {
        let lines = log.queries(statement);
        let of_the_edit = lines.iter().filter(|line| line["span"]["route"] == "/api/admin/artists/{id}");
        assert!(of_the_edit.count() > 0, "{statement}: {lines:?}");
    }
    let [update] = log.queries("::artist_edits::UPDATE").try_into().unwrap();
    assert_eq!((update["rows"].as_u64(), &update["failed"]), (Some(1), &Value::Null));
}

#[apply(on_both_engines!)]
async fn a_statement_of_background_work_is_logged_with_the_job(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (log, _guard) = logged("info,deadwax_store::db=debug");
    server.app.deletions.remove_due().instrument(observe::job("deletions")).await.unwrap();
    let lines = log.queries("::deletions::DUE");
    assert!(lines.iter().any(|line| line["span"]["job"] == "deletions"), "{lines:?}");
}

#[apply(on_both_engines!)]
async fn what_people_type_is_in_no_line(engine: Engine) {
    let typed = ["quartz-mailbox", "Quartz_Name", "quartz-pass-word-1", "Quartz Person", "quartz-search"];
    let [mailbox, username, password, full_name, searched] = typed;
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (log, _guard) = logged("deadwax=trace,sqlx=trace");
    let email = format!("{mailbox}@label.example");
    let mut browser = server.browser();
    let form =
        json!({"email": email, "password": password, "data": {"username": username, "full_name": full_name}});
    assert_eq!(browser.post("/api/auth/sign-up", form).await.status, 200);
    for identifier in [email.as_str(), username] {
        assert_eq!(browser.sign_in(identifier, "quartz-pass-word-2").await.status, 401);
    }
    let subscription = json!({"subscriber_email": email, "client_ip": null});
    assert!(browser.post("/api/newsletter", subscription).await.status.is_success());
    assert_eq!(desk.get(&format!("/api/admin/newsletter?q={searched}")).await.status, 200);
    assert_eq!(desk.get(&format!("/api/admin/artists?q={searched}")).await.status, 200);
    // Driver errors that quote a value stay out of the log.
    let again =
        server.app.db.write(INSERT).bind(uuid::Uuid::now_v7()).bind(&email).bind(0_i64).execute().await;
    assert!(again.is_err());
    let [failed] = log.queries("::log::INSERT").try_into().unwrap();
    assert_eq!((failed["failed"].as_bool(), &failed["rows"]), (Some(true), &Value::Null));

    let text = log.text();
    for statement in
        ["::sign_up::INSERT", "::sign_in::BY_EMAIL", "::sign_in::BY_USERNAME", "::newsletter::SUBSCRIBE"]
    {
        assert!(!log.queries(statement).is_empty(), "{statement}");
    }
    let text = text.to_lowercase();
    assert!(!text.contains("quartz"), "{}", text.lines().find(|line| line.contains("quartz")).unwrap());
}

#[tokio::test]
async fn captured_mail_is_not_said_to_be_sent() {
    let server = TestServer::start(Engine::Sqlite).await;
    let (log, _guard) = logged("deadwax=info,deadwax_mail=info");
    let form = json!({"email": "ada@label.example", "password": "quartz-pass-word-1", "data": {"username": "ada-roe"}});
    assert_eq!(server.browser().post("/api/auth/sign-up", form).await.status, 200);
    let text = log.text();
    assert!(text.contains("\"captured\"") && !text.contains("\"sent\""), "{text}");
}

#[tokio::test]
async fn a_report_of_blocked_content_is_one_short_line() {
    let server = TestServer::start(Engine::Sqlite).await;
    let (log, _guard) = logged("deadwax=warn");
    let blocked = format!("scheme://{}", "a".repeat(14_000));
    let report = json!({"csp-report": {"violated-directive": "img-src", "blocked-uri": blocked}});
    let request = server.client.post(format!("{}/api/csp-report", server.base));
    let request = request.header("content-type", "application/csp-report").body(report.to_string());
    assert_eq!(request.send().await.unwrap().status(), 204);
    let text = log.text();
    assert!(text.contains("img-src"), "{text}");
    assert!(text.lines().all(|line| line.len() < 1000));
}

/// An undone event in the log would mislead its reader.
#[apply(on_both_engines!)]
async fn an_event_is_in_the_log_once_it_stands_and_never_before(engine: Engine) {
    let server = TestServer::start(engine).await;
    let caller = Caller::command_line();
    let entry = |outcome| Entry::visitor("authn_login_fail", None, outcome, &caller);
    let (log, _guard) = logged("info");
    let outcomes = || {
        let lines = log.lines();
        let audit = lines.iter().filter(|line| line["message"] == "audit");
        audit.map(|line| line["outcome"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let db = &server.app.db;
    let mut tx = db.begin().await.unwrap();
    audit::record(&mut tx, NOON, &entry("undone")).await.unwrap();
    drop(tx);
    assert_eq!(outcomes(), [""; 0]);

    // The commit fails: a deferred reference is missing, or the transaction has ended.
    let mut tx = db.begin().await.unwrap();
    audit::record(&mut tx, NOON, &entry("refused")).await.unwrap();
    end_early(&mut tx).await;
    assert!(tx.commit().await.is_err());
    assert_eq!(outcomes(), [""; 0]);

    let mut tx = db.begin().await.unwrap();
    audit::record(&mut tx, NOON, &entry("first")).await.unwrap();
    audit::record(&mut tx, NOON, &entry("second")).await.unwrap();
    assert_eq!(outcomes(), [""; 0]);
    tx.commit().await.unwrap();
    assert_eq!(outcomes(), ["first", "second"]);
    assert_eq!(server.count("audit_log").await, 2);
}

/// Ends the transaction on the connection itself, so that its commit is refused.
async fn end_early(tx: &mut Tx) {
    match &mut tx.inner {
        EngineTx::Sqlite(tx) => sqlx::raw_sql("ROLLBACK").execute(&mut **tx).await.map(drop).unwrap(),
        EngineTx::Postgres(tx) => {
            let sql = "SELECT pg_terminate_backend(pg_backend_pid())";
            assert!(sqlx::raw_sql(sql).execute(&mut **tx).await.is_err());
        }
    }
}
