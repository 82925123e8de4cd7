//! What the desk knows of the letters that a sender has had: whether the present decision was told, and that the demo was confirmed.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::answers::Desk;
use crate::{on_both_engines, support::Engine};

impl Desk {
    async fn answered_at(&self) -> Value {
        let alone = self.admin.copy().get(&format!("/api/admin/desk/demos/{}", self.demo)).await.json();
        let page = self.admin.copy().get("/api/admin/desk/demos").await.json();
        assert_eq!(page["items"][0]["answered_at"], alone["answered_at"]);
        alone["answered_at"].clone()
    }

    /// How many demos a list has that is asked for so.
    async fn total(&self, query: &str) -> Value {
        let page = self.admin.copy().get(&format!("/api/admin/desk/demos?{query}")).await.json();
        assert_eq!(page["items"].as_array().map(Vec::len).map(Value::from), Some(page["total"].clone()));
        page["total"].clone()
    }
}

#[apply(on_both_engines!)]
async fn a_decision_is_answered_by_its_own_letter_alone(engine: Engine) {
    let desk = Desk::open(engine).await;
    assert_eq!(desk.server.count("demo_answers WHERE sent_at IS NULL").await, 0);
    desk.stands("declined").await;
    let again = json!({"kind": "received", "subject": "Here", "text": "It is.", "again": true});
    assert_eq!(desk.admin.copy().post(&desk.path(), again).await.status, 201);
    desk.hold_ends().await;
    assert_eq!((desk.letters(), desk.answered_at().await), (1, Value::Null), "nobody has told them no");
    desk.answer("declined").await;
    assert_eq!(desk.answered_at().await, Value::Null, "it waits");
    desk.hold_ends().await;
    assert_eq!(desk.answered_at().await, "2026-11-20T12:01:00Z");
    desk.stands("accepted").await;
    assert_eq!(desk.answered_at().await, Value::Null, "what was told is not so any more");
    desk.stands("declined").await;
    assert_eq!(desk.answered_at().await, "2026-11-20T12:01:00Z");
}

#[apply(on_both_engines!)]
async fn what_was_decided_and_not_told_is_found(engine: Engine) {
    let desk = Desk::open(engine).await;
    assert_eq!((desk.total("answered=no").await, desk.total("answered=yes").await), (json!(0), json!(0)));
    desk.stands("heard").await;
    assert_eq!(desk.total("answered=no").await, 0, "nothing was decided");
    for state in ["shortlisted", "accepted", "declined"] {
        desk.stands(state).await;
        assert_eq!(desk.total("answered=no").await, 1, "{state}");
        assert_eq!(desk.total(&format!("answered=no&state={state}&sort=artist")).await, 1, "{state}");
    }
    desk.answer("declined").await;
    assert_eq!(desk.total("answered=no").await, 1, "while it waits");
    desk.hold_ends().await;
    assert_eq!((desk.total("answered=no").await, desk.total("answered=yes").await), (json!(0), json!(1)));
    let refused = desk.admin.copy().get("/api/admin/desk/demos?answered=maybe").await;
    assert_eq!(refused.status, 422, "{refused:?}");
}
