use deadwax::newsletter::subscribers;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, NOON, TestServer},
};

impl TestServer {
    async fn subscribed(&self, email: &str) {
        self.advance(std::time::Duration::from_secs(1));
        let answer = self.browser().post("/api/newsletter", json!({"subscriber_email": email})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

#[apply(on_both_engines!)]
async fn subscriptions_are_listed_newest_first_and_searched(engine: Engine) {
    let server = TestServer::start(engine).await;
    for email in ["a_b@x.example", "Mira@Label.example", "axb@x.example"] {
        server.subscribed(email).await;
    }
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'mira@label.example'").await;
    let mut desk = server.desk().await;
    let page = desk.get("/api/admin/newsletter").await.json();
    let emails: Vec<&str> =
        page["items"].as_array().unwrap().iter().map(|row| row["email"].as_str().unwrap()).collect();
    assert_eq!(emails, ["axb@x.example", "mira@label.example", "a_b@x.example"]);
    assert_eq!((page["total"].as_i64(), page["active_count"].as_i64()), (Some(3), Some(2)));
    assert_eq!(page["items"][1]["active"], false);
    let found = desk.get("/api/admin/newsletter?q=A_B").await.json();
    assert_eq!(
        (found["total"].as_i64(), found["active_count"].as_i64()),
        (Some(1), Some(2)),
        "a sign is not a wildcard"
    );
    let first = desk.get("/api/admin/newsletter?limit=2").await.json();
    let next = format!("/api/admin/newsletter?limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!(desk.get(&next).await.json()["items"][0]["email"], "a_b@x.example");
}

#[apply(on_both_engines!)]
async fn the_export_has_the_active_addresses_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    for email in ["=cmd@x.example", "zoe@x.example", "gone@x.example"] {
        server.subscribed(email).await;
    }
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'gone@x.example'").await;
    let mut desk = server.desk().await;
    let file = desk.get("/api/admin/newsletter/export").await;
    assert_eq!(file.text(), "=cmd@x.example\nzoe@x.example\n");
    assert_eq!(file.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        file.header("content-disposition"),
        "attachment; filename=\"newsletter-emails-2026-11-20.txt\""
    );
    assert_eq!(server.count("audit_log WHERE event = 'sensitive_read' AND target = 'newsletter:2'").await, 1);
}

#[apply(on_both_engines!)]
async fn a_removed_subscriber_is_erased(engine: Engine) {
    let server = TestServer::start(engine).await;
    for email in ["stays@x.example", "goes@x.example", "writes@x.example"] {
        server.subscribed(email).await;
    }
    let mut desk = server.desk().await;
    let page = desk.get("/api/admin/newsletter?q=goes").await.json();
    let id = page["items"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/admin/newsletter/{id}");
    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.delete(&path).await.status, 404, "a second click changes nothing");
    let target = format!("target = 'newsletter:{id}' AND role = 'admin' AND outcome = 'ok'");
    assert_eq!(server.count(&format!("audit_log WHERE event = 'sensitive_delete' AND {target}")).await, 1);

    let remove = async |email: &str| {
        let email = rules::email::Email::parse(email).unwrap();
        subscribers::remove_address(&server.app.db, NOON, &email).await.unwrap().is_some()
    };
    assert!(remove("Writes@X.example").await);
    assert!(!remove("writes@x.example").await);
    assert_eq!(server.count("audit_log WHERE event = 'sensitive_delete' AND role = 'system'").await, 1);
    assert_eq!(server.count("audit_log WHERE target LIKE '%@%'").await, 0);
    assert_eq!(desk.get("/api/admin/newsletter/export").await.text(), "stays@x.example\n");
    assert_eq!(server.count("newsletter_subscriptions").await, 1);
}
