//! Changing a decision withdraws the delayed letter of the previous one.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::json;

use super::answers::{Desk, HELD, NOVA};
use crate::{on_both_engines, support::Engine};

deadwax_store::statements! {
    HOLD_LETTERS = "SELECT id FROM outbox WHERE sent_at IS NULL", postgres + " FOR UPDATE";
}

#[apply(on_both_engines!)]
async fn a_waiting_letter_is_withdrawn_with_its_decision(engine: Engine) {
    let desk = Desk::open(engine).await;
    // As the desk does it: the state first, then its letter.
    assert_eq!(desk.set_state("declined").await["taken_back"], json!([]));
    let declined = desk.answer("declined").await;
    assert_eq!((declined.status.as_u16(), &declined.json()["taken_back"]), (201, &json!([])));
    assert_eq!(desk.set_state("accepted").await["taken_back"], json!(["declined"]));
    assert_eq!(desk.undo(&declined.json()).await.status, 404, "it is taken back already");
    assert_eq!(desk.answer("accepted").await.status, 201);
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 1);
    let mail = &desk.server.mails_to(NOVA)[desk.mails_before];
    assert!(mail.contains("Subject: accepted!"), "{mail}");
    assert_eq!(desk.standing().await.0, "accepted");
    assert_eq!(desk.server.count("audit_log WHERE event = 'demo_answer_undone'").await, 1);
    assert_eq!(desk.server.count("demo_answers WHERE kind = 'declined'").await, 0);
    assert_eq!(desk.server.count("demo_letters").await, 3, "the label's, the confirmation and the answer");
    assert_eq!(desk.server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn an_answer_takes_back_one_of_another_decision_and_says_so(engine: Engine) {
    let desk = Desk::open(engine).await;
    desk.answer("received").await;
    desk.answer("shortlisted").await;
    let declined = desk.answer("declined").await.json();
    assert_eq!(declined["taken_back"], json!(["shortlisted"]), "what says nothing of a decision stays");
    let accepted = desk.answer("accepted").await.json();
    assert_eq!(accepted["taken_back"], json!(["declined"]));
    // Undoing an answer restores the state without withdrawing another letter.
    assert_eq!(desk.undo(&accepted).await.status, 204);
    assert_eq!(desk.standing().await.0, "declined");
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 1);
    assert!(desk.server.mails_to(NOVA)[desk.mails_before].contains("Subject: received!"));
}

#[apply(on_both_engines!)]
async fn a_letter_that_waits_for_its_server_is_withdrawn_with_its_decision(engine: Engine) {
    let desk = Desk::open(engine).await;
    let declined = desk.answer("declined").await.json();
    // Nothing is delivered while this is held.
    let away = desk.server.app.mail.forgetting().await;
    desk.server.advance(HELD * 2);
    let late = desk.undo(&declined).await;
    assert_eq!((late.status.as_u16(), late.problem().as_str()), (409, "answer_left"));
    assert_eq!(desk.set_state("accepted").await["taken_back"], json!(["declined"]));
    drop(away);
    assert_eq!(desk.answer("accepted").await.status, 201);
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 1);
    assert!(desk.server.mails_to(NOVA)[desk.mails_before].contains("Subject: accepted!"));
    assert_eq!(desk.server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_letter_that_has_left_is_not_taken_back(engine: Engine) {
    let desk = Desk::open(engine).await;
    desk.answer("declined").await;
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 1);
    assert_eq!(desk.set_state("accepted").await["taken_back"], json!([]));
    assert_eq!(desk.answer("accepted").await.json()["taken_back"], json!([]));
    desk.pass_delay().await;
    assert_eq!((desk.letters(), desk.server.count("demo_answers WHERE kind <> 'received'").await), (2, 2));
}

#[apply(on_both_engines!)]
async fn demos_that_are_declined_together_lose_the_letters_that_say_otherwise(engine: Engine) {
    let desk = Desk::open(engine).await;
    desk.answer("accepted").await;
    let body = json!({"ids": [desk.demo]});
    let declined = desk.admin.copy().post("/api/admin/desk/decline", body).await;
    assert_eq!(declined.json(), json!({"changed": 1, "ids": [desk.demo], "left": 0, "taken_back": 1}));
    desk.pass_delay().await;
    assert_eq!((desk.letters(), desk.standing().await.0.as_str()), (0, "declined"));
}

#[apply(on_both_engines!)]
async fn a_demo_is_as_heard_as_before_once_its_answer_is_taken_back(engine: Engine) {
    for is_heard in [true, false] {
        let desk = Desk::open(engine).await;
        if is_heard {
            desk.set_state("declined").await;
        } else {
            let body = json!({"ids": [desk.demo]});
            assert_eq!(desk.admin.copy().post("/api/admin/desk/decline", body).await.json()["changed"], 1);
        }
        desk.server.advance(Duration::from_secs(1));
        assert_eq!(desk.undo(&desk.answer("accepted").await.json()).await.status, 204);
        assert_eq!(desk.standing().await.0, "declined");
        let unheard = desk.server.count("demos WHERE declined_unheard").await;
        assert_eq!(unheard, i64::from(!is_heard));
    }
}

#[apply(on_both_engines!)]
async fn a_step_that_is_refused_takes_no_letter_back(engine: Engine) {
    let desk = Desk::open(engine).await;
    desk.answer("declined").await;
    let path = format!("/api/admin/desk/demos/{}/state", desk.demo);
    let body = json!({"state": "accepted", "from": "new"});
    let refused = desk.admin.copy().send(reqwest::Method::PUT, &path, Some(body)).await;
    assert_eq!(refused.status, 412);
    desk.pass_delay().await;
    assert_eq!((desk.letters(), desk.standing().await.0.as_str()), (1, "declined"));
}

#[apply(on_both_engines!)]
async fn a_letter_does_not_override_a_decision_that_was_not_seen(engine: Engine) {
    let desk = Desk::open(engine).await;
    let answer = async |kind: &str, from: &str| {
        let body = json!({"kind": kind, "subject": kind, "text": "Dear Nova", "from": from, "again": kind == "received"});
        desk.admin.copy().post(&desk.path(), body).await.status.as_u16()
    };
    assert_eq!(answer("accepted", "new").await, 201);
    assert_eq!(answer("declined", "heard").await, 412);
    assert_eq!(answer("declined", "nowhere").await, 422);
    assert_eq!(answer("accepted", "heard").await, 409, "they agree: whether to send another is the question");
    assert_eq!(answer("received", "heard").await, 201, "it decides nothing");
    desk.pass_delay().await;
    assert_eq!((desk.letters(), desk.standing().await.0.as_str()), (2, "accepted"));
    assert_eq!(answer("declined", "accepted").await, 201);
}

#[apply(on_both_engines!)]
async fn a_step_that_is_refused_locks_no_letter(engine: Engine) {
    if !matches!(engine, Engine::Postgres) {
        // SQLite has one writer, and locks no rows.
        return;
    }
    let desk = Desk::open(engine).await;
    desk.answer("declined").await;
    let mut holder = desk.server.app.db.begin().await.unwrap();
    assert_eq!(holder.query(HOLD_LETTERS).values::<uuid::Uuid>().await.unwrap().len(), 1);
    let path = format!("/api/admin/desk/demos/{}/state", desk.demo);
    let body = json!({"state": "accepted", "from": "new"});
    let refused = desk.admin.copy().send(reqwest::Method::PUT, &path, Some(body)).await;
    assert_eq!(refused.status, 412);
}
