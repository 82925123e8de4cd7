//! The desk shows whether the current decision was sent, and that the demo was confirmed.

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

    /// The number of demos listed for this query.
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
    desk.set_state("declined").await;
    assert_eq!(desk.answer("received").await.status, 201);
    desk.pass_delay().await;
    assert_eq!((desk.letters(), desk.answered_at().await), (1, Value::Null), "no letter said no");
    desk.answer("declined").await;
    assert_eq!(desk.answered_at().await, Value::Null, "it waits");
    desk.pass_delay().await;
    assert_eq!(desk.answered_at().await, "2026-11-20T12:01:00Z");
    desk.set_state("accepted").await;
    assert_eq!(desk.answered_at().await, Value::Null, "what the letter said does not hold any more");
    desk.set_state("declined").await;
    assert_eq!(desk.answered_at().await, "2026-11-20T12:01:00Z");
}

#[apply(on_both_engines!)]
async fn decisions_not_yet_sent_are_found(engine: Engine) {
    let desk = Desk::open(engine).await;
    assert_eq!((desk.total("answered=no").await, desk.total("answered=yes").await), (json!(0), json!(0)));
    desk.set_state("heard").await;
    assert_eq!(desk.total("answered=no").await, 0, "nothing was decided");
    for state in ["shortlisted", "accepted", "declined"] {
        desk.set_state(state).await;
        assert_eq!(desk.total("answered=no").await, 1, "{state}");
        assert_eq!(desk.total(&format!("answered=no&state={state}&sort=artist")).await, 1, "{state}");
    }
    desk.answer("declined").await;
    assert_eq!(desk.total("answered=no").await, 1, "while it waits");
    desk.pass_delay().await;
    assert_eq!((desk.total("answered=no").await, desk.total("answered=yes").await), (json!(0), json!(1)));
    let refused = desk.admin.copy().get("/api/admin/desk/demos?answered=maybe").await;
    assert_eq!(refused.status, 422, "{refused:?}");
}

#[apply(on_both_engines!)]
async fn the_letter_that_confirms_a_demo_is_one_of_its_letters(engine: Engine) {
    let desk = Desk::open(engine).await;
    let mut admin = desk.admin.copy();
    let detail = admin.get(&format!("/api/admin/desk/demos/{}", desk.demo)).await.json();
    let [letter] = <[Value; 1]>::try_from(detail["answers"].as_array().unwrap().clone()).unwrap();
    assert_eq!(
        (&letter["kind"], &letter["subject"], &letter["person"]),
        (&json!("received"), &json!("404 COLLECTIVE: your demo has arrived"), &Value::Null)
    );
    assert!(letter["text"].as_str().unwrap().starts_with("Nova & Söhne,\n\nwe have set.wav."), "{letter}");
    let at = json!("2026-11-20T12:00:00Z");
    assert_eq!((&letter["created_at"], &letter["sent_at"], &letter["undo_until"]), (&at, &at, &Value::Null));
    assert_eq!(detail["answered_at"], Value::Null, "that it is here is no answer");
    let late = desk.undo(&letter).await;
    assert_eq!((late.status.as_u16(), late.problem().as_str()), (409, "answer_left"));

    let preview = admin.post(&format!("{}/preview", desk.path()), json!({"kind": "received"})).await.json();
    assert_eq!(preview["was_sent_at"], at);
    let second = json!({"kind": "received", "subject": "Here", "text": "It is."});
    let second = admin.post(&desk.path(), second).await;
    assert_eq!((second.status.as_u16(), second.problem().as_str()), (409, "already_answered"));
    assert_eq!(desk.letters(), 0);
}

#[apply(on_both_engines!)]
async fn a_letter_that_was_given_up_is_written_again_without_a_question(engine: Engine) {
    let desk = Desk::open(engine).await;
    assert_eq!(desk.answer("declined").await.status, 201);
    desk.server.sql("UPDATE outbox SET dead_at = created_at, sealed = NULL WHERE kind = 'demo_answer'").await;
    assert_eq!(desk.server.count("demo_answers WHERE failed_at IS NOT NULL").await, 1);
    let preview = format!("{}/preview", desk.path());
    let preview = desk.admin.copy().post(&preview, json!({"kind": "declined"})).await.json();
    assert_eq!(preview["was_sent_at"], Value::Null);
    assert_eq!(desk.answer("declined").await.status, 201);
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 1);
}
