//! Replies that refuse a letter or ask for patience.

use std::time::Duration;

use deadwax::newsletter::sending::LetterSender;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Label;
use crate::{on_both_engines, support::Engine};

#[apply(on_both_engines!)]
async fn an_address_that_does_not_exist_leaves_the_list(engine: Engine) {
    let mut label = Label::with(engine, &["550@fans.example", "max@fans.example"]).await;
    label.send().await;
    label.work(3).await;
    assert_eq!(label.mails(1).await[0].0, "max@fans.example");
    let report = label.report().await;
    assert_eq!((&report["counts"]["sent"], &report["counts"]["bounced"]), (&json!(1), &json!(1)));
    assert_eq!(report["refusals"], json!([{"code": "5.1.1", "count": 1}]));
    let gone = "newsletter_subscriptions WHERE email LIKE '550@%' AND NOT active AND inactive_reason = 'bounced' AND suppressed";
    assert_eq!(label.server.count(gone).await, 1);
    assert_eq!(label.server.count("suppressions WHERE reason = 'bounced'").await, 1);
}

#[apply(on_both_engines!)]
async fn a_server_that_asks_to_slow_down_gets_a_pause_and_half_the_pace(engine: Engine) {
    let mut label = Label::with(engine, &["452@fans.example"]).await;
    label.send().await;
    label.work(2).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["waiting"]), (&json!("sending"), &json!(1)));
    assert_eq!(label.server.count("letter_pace WHERE slowed = 1").await, 1);
    label
        .server
        .sql("UPDATE newsletter_subscriptions SET email = 'moritz@fans.example' WHERE email LIKE '452@%'")
        .await;
    label.work(1).await;
    label.sink.nothing_more();
    label.server.advance(Duration::from_mins(1));
    label.work(3).await;
    assert_eq!(label.mails(1).await[0].0, "moritz@fans.example");
    assert_eq!(label.report().await["state"], "sent");
}

/// Begins a letter to `fans` addresses that exist, and to some that do not, whose turn is a minute later.
async fn begun(engine: Engine, fans: u32, refused: u32, are_imported: bool) -> Label {
    let refused = (0..refused).map(|number| format!("550@x{number}.example"));
    let addresses: Vec<_> =
        (0..fans).map(|number| format!("fan{number}@fans.example")).chain(refused).collect();
    let addresses: Vec<_> = addresses.iter().map(String::as_str).collect();
    let mut label = Label::with(engine, &addresses).await;
    if are_imported {
        let import = label.server.id_literal(Uuid::now_v7());
        label.server.sql(&format!("UPDATE newsletter_subscriptions SET added_by = {import}")).await;
    }
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    sender.step().await.unwrap();
    sender.all_done().await;
    label
        .server
        .sql(
            "UPDATE letter_recipients SET next_try_at = next_try_at + 60000000 WHERE subscription_id IN \
            (SELECT id FROM newsletter_subscriptions WHERE email LIKE '550@%')",
        )
        .await;
    label
}

/// Sends a letter to 100 addresses that exist, and then to some that do not.
async fn with_refusals(engine: Engine, refused: u32, are_imported: bool) -> (Label, Value) {
    let mut label = begun(engine, 100, refused, are_imported).await;
    label.work(6).await;
    assert_eq!(label.report().await["counts"]["sent"], 100);
    // The archive's switch does not begin the count anew.
    let letter = format!("/api/admin/letters/{}", label.letter);
    assert_eq!(label.desk.patch(&letter, json!({"in_archive": false})).await.status, 200);
    label.server.advance(Duration::from_mins(1));
    label.work(6).await;
    let report = label.report().await;
    (label, report)
}

#[apply(on_both_engines!)]
async fn too_many_refusals_pause_a_letter_with_a_mail_to_the_admins(engine: Engine) {
    let (mut label, report) = with_refusals(engine, 20, false).await;
    assert_eq!(report["state"], "paused", "{report}");
    assert!(report["pause_text"].as_str().unwrap().starts_with("More than 5 %"), "{report}");
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 1);
    assert!(report["counts"]["waiting"].as_i64().unwrap() > 0, "{report}");
    let unsent = "outbox WHERE sent_at IS NULL";
    label.server.wait_until("the admins' mail is sent", async || label.server.count(unsent).await == 0).await;
    assert_eq!(label.step("resume").await["state"], "sending");
    label.work(6).await;
    assert_eq!(label.report().await["state"], "sent", "what was judged before is not judged again");
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 1);
}

#[apply(on_both_engines!)]
async fn refusals_that_come_back_by_mail_are_judged_too(engine: Engine) {
    for (code, count, state) in [("5.1.1", 6, "paused"), ("5.1.1", 5, "sent"), ("4.2.2", 6, "sent")] {
        let mut label = begun(engine, 106, 0, false).await;
        label
            .server
            .sql(
                "UPDATE letter_recipients SET next_try_at = next_try_at + 60000000 WHERE id IN \
                (SELECT id FROM letter_recipients WHERE state = 'waiting' LIMIT 6)",
            )
            .await;
        label.work(6).await;
        let now = label.server.app.clock.now();
        label
            .server
            .sql(&format!(
                "UPDATE letter_recipients SET state = 'bounced', code = '{code}', ended_at = {now} \
                 WHERE id IN (SELECT id FROM letter_recipients WHERE state = 'sent' LIMIT {count})"
            ))
            .await;
        label.server.advance(Duration::from_mins(1));
        label.work(6).await;
        assert_eq!(label.report().await["state"], state, "{count} {code}");
    }
}

#[apply(on_both_engines!)]
async fn refusals_that_came_back_together_are_not_held_against_the_latest(engine: Engine) {
    let mut label = begun(engine, 300, 1, false).await;
    label.work(10).await;
    assert_eq!(label.report().await["counts"]["sent"], 300);
    let now = label.server.app.clock.now();
    label
        .server
        .sql(&format!(
            "UPDATE letter_recipients SET state = 'bounced', code = '5.1.1', ended_at = {now} \
             WHERE id IN (SELECT id FROM letter_recipients WHERE state = 'sent' LIMIT 14)"
        ))
        .await;
    label.server.advance(Duration::from_mins(1));
    label.work(6).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["bounced"]), (&json!("sent"), &json!(15)), "{report}");
}

#[apply(on_both_engines!)]
async fn refusals_are_judged_among_those_who_were_handed_over(engine: Engine) {
    let mut label = begun(engine, 100, 6, false).await;
    label.server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email LIKE 'fan%'").await;
    label.work(6).await;
    // Its first look hands one over already, which may be any.
    let counts = label.report().await["counts"].take();
    assert_eq!(counts["skipped"].as_i64().unwrap() + counts["sent"].as_i64().unwrap(), 100, "{counts}");
    label.server.advance(Duration::from_mins(1));
    label.work(6).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["bounced"]), (&json!("sent"), &json!(6)), "{report}");
}

#[apply(on_both_engines!)]
async fn the_first_letter_to_an_imported_list_may_be_refused_twice_as_often(engine: Engine) {
    let (label, report) = with_refusals(engine, 10, true).await;
    assert_eq!((&report["state"], &report["counts"]["bounced"]), (&json!("sent"), &json!(10)), "{report}");
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 0);
}

#[apply(on_both_engines!)]
async fn a_mailbox_that_is_tried_late_has_its_48_hours(engine: Engine) {
    let mut label = Label::with(engine, &["452@fans.example"]).await;
    label.send().await;
    label.work(2).await;
    // As if it waited three days for its turn.
    label.server.sql("UPDATE letter_recipients SET tries = 0").await;
    label.server.advance(Duration::from_hours(72));
    label.work(2).await;
    let waiting = "letter_recipients WHERE state = 'waiting' AND tries = 1";
    assert_eq!(label.server.count(waiting).await, 1);
    label.server.sql("UPDATE letter_recipients SET tries = 48").await;
    label.server.advance(Duration::from_hours(1));
    label.work(2).await;
    assert_eq!(label.report().await["counts"]["refused"], 1, "given up after 48 more tries");
}
