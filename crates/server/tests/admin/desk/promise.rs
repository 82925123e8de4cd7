//! The desk's figures and settings, and the waiting time promised to senders.

use std::time::Duration;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use super::{DAY, set_state};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

const PROMISE: &str = "/api/demos/promise";

impl TestServer {
    /// Inserts a demo that waited `waited` days and was heard `ago` days ago.
    async fn heard(&self, waited: i64, ago: i64) {
        let demo = self.demo("X", "x@artist.example", waited + ago).await;
        let (id, at) = (self.id_literal(demo), self.app.clock.now() - ago * DAY);
        self.sql(&format!(
            "UPDATE demos SET state = 'heard', state_at = {at}, heard_at = {at} WHERE id = {id}"
        ))
        .await;
        self.wait_for_changes().await;
    }
}

#[apply(on_both_engines!)]
async fn a_promise_is_made_from_what_was_heard_lately(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let promised = async || {
        let answer = server.get(PROMISE).await;
        assert_eq!(answer.status, 200);
        answer.json()
    };
    assert_eq!(promised().await, json!({"days": null}));
    // One heard long ago, and one never heard.
    server.heard(80, 100).await;
    server.demo("Waits", "x@artist.example", 200).await;
    for waited in 1..=9 {
        server.heard(waited, 10).await;
    }
    assert_eq!(promised().await, json!({"days": null}), "nine are too few");
    server.heard(40, 10).await;
    assert_eq!(promised().await, json!({"days": 9}), "nine of ten");
    assert_eq!(desk.get("/api/admin/desk").await.json()["promise_days"], 9);
    let newest = server.demo("Y", "y@artist.example", 0).await;
    set_state(&mut desk, newest, "heard").await;
    assert_eq!(promised().await, json!({"days": 9}), "ten of eleven");
    desk.send(Method::DELETE, &format!("/api/admin/demos/{newest}"), None).await;
    let again = server.get(PROMISE).await;
    let tag = again.header("etag").to_owned();
    assert_eq!(server.get_with(PROMISE, &[("if-none-match", &tag)]).await.status, 304);
    // Only time passes.
    server.advance(Duration::from_hours(24 * 81));
    assert_eq!(promised().await, json!({"days": null}), "what was heard then is long ago now");
}

#[apply(on_both_engines!)]
async fn the_desk_tells_what_waits_and_for_how_long(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let empty = desk.get("/api/admin/desk").await.json();
    assert_eq!(
        empty["counts"],
        json!({"new": 0, "heard": 0, "shortlisted": 0, "accepted": 0, "declined": 0})
    );
    assert_eq!(empty["waiting"], json!({"median_days": null, "oldest_days": null, "overdue": 0}));
    assert_eq!(empty["settings"], json!({"overdue_days": 30, "hides_decision": true}));
    assert_eq!((&empty["tags"], &empty["promise_days"]), (&json!([]), &Value::Null));

    for days in [1, 8, 9, 31, 40] {
        server.demo("Waits", "x@artist.example", days).await;
    }
    let heard = server.demo("Heard", "x@artist.example", 400).await;
    set_state(&mut desk, heard, "shortlisted").await;
    let gone = server.demo("Gone", "x@artist.example", 500).await;
    desk.send(Method::DELETE, &format!("/api/admin/demos/{gone}"), None).await;
    let summary = desk.get("/api/admin/desk").await.json();
    assert_eq!(
        summary["counts"],
        json!({"new": 5, "heard": 0, "shortlisted": 1, "accepted": 0, "declined": 0})
    );
    assert_eq!(summary["waiting"], json!({"median_days": 9, "oldest_days": 40, "overdue": 2}));

    let set = desk.send(Method::PATCH, "/api/admin/desk/settings", Some(json!({"overdue_days": 8}))).await;
    assert_eq!((set.status.as_u16(), set.json()), (200, json!({"overdue_days": 8, "hides_decision": true})));
    assert_eq!(desk.get("/api/admin/desk").await.json()["waiting"]["overdue"], 3, "longer than eight days");
    let set =
        desk.send(Method::PATCH, "/api/admin/desk/settings", Some(json!({"hides_decision": false}))).await;
    assert_eq!(set.json(), json!({"overdue_days": 8, "hides_decision": false}));
    let noted = server.count("audit_log WHERE target = 'desk_settings'").await;
    desk.send(Method::PATCH, "/api/admin/desk/settings", Some(json!({"overdue_days": 8}))).await;
    assert_eq!((noted, server.count("audit_log WHERE target = 'desk_settings'").await), (2, 2));
    assert_eq!(server.count("desk_settings").await, 1);
}

#[apply(on_both_engines!)]
async fn demos_that_are_declined_together_unheard_are_no_promise(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let promised = async || server.get(PROMISE).await.json()["days"].clone();
    for _ in 0..9 {
        server.heard(4, 10).await;
    }
    let (unheard, heard) =
        (server.demo("U", "u@artist.example", 1).await, server.demo("H", "h@artist.example", 1).await);
    let ids = json!({"ids": [unheard]});
    assert_eq!(desk.post("/api/admin/desk/decline", ids.clone()).await.json()["changed"], 1);
    assert_eq!(promised().await, Value::Null, "nine were heard");
    set_state(&mut desk, heard, "heard").await;
    assert_eq!(desk.post("/api/admin/desk/decline", json!({"ids": [heard]})).await.json()["changed"], 1);
    assert_eq!(promised().await, 4, "ten were heard, before it was declined too");

    // Judging a demo marks it as heard at that moment; a later decline does not move it.
    server.advance(Duration::from_hours(24 * 13));
    set_state(&mut desk, unheard, "shortlisted").await;
    assert_eq!(server.count("demos WHERE heard_at - submitted_at > 1123200000000").await, 1);
    assert_eq!(desk.post("/api/admin/desk/decline", ids).await.json()["changed"], 1);
    assert_eq!(server.count("demos WHERE declined_unheard").await, 0);
}
