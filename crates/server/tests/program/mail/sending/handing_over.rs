//! Hand-overs: lost connections, crashes, several instances, the pace, and other mail that goes first.

use std::time::Duration;

use deadwax::newsletter::sending::LetterSender;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{
    super::{enqueue, plain},
    Label, SETTINGS,
};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        sink::{Sink, message_id, sending_to},
    },
};

#[apply(on_both_engines!)]
async fn a_lost_connection_and_a_crash_hand_over_again_with_the_same_id(engine: Engine) {
    let mut label = Label::with(engine, &["max@fans.example"]).await;
    label.send().await;
    label.sink.mode("drop").await;
    label.work(2).await;
    let first = label.mails(1).await.remove(0).1;
    label.sink.mode("accept").await;
    // As a program leaves it that was killed while it handed the letter over.
    let waiting = "letter_recipients WHERE state = 'waiting' AND perhaps_twice AND sent_at IS NULL";
    assert_eq!(label.server.count(waiting).await, 1);
    label.server.sql("UPDATE letter_recipients SET state = 'handing', leased_until = 1").await;
    label.server.advance(Duration::from_mins(2));
    label.work(3).await;
    let again = label.mails(1).await.remove(0).1;
    assert_eq!(message_id(&first), message_id(&again));
    let report = label.report().await;
    assert_eq!(
        (&report["state"], &report["counts"]["sent"], &report["counts"]["perhaps_twice"]),
        (&json!("sent"), &json!(1), &json!(1))
    );
}

#[apply(on_both_engines!)]
async fn a_letter_that_was_taken_while_the_database_is_away_is_not_sent_twice(engine: Engine) {
    let mut label = Label::with(engine, &["max@fans.example"]).await;
    label.send().await;
    label.server.refuse("UPDATE", "letter_recipients", "NEW.state = 'sent'").await;
    let mut sender = LetterSender::new(label.server.app.clone());
    assert_eq!(sender.step().await.unwrap(), None);
    let (server, sink) = (&label.server, &mut label.sink);
    tokio::join!(sender.all_done(), async {
        sink.mail().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.refuse_no_more().await;
    });
    label.server.advance(Duration::from_mins(2));
    label.work(2).await;
    label.sink.nothing_more();
    let counts = label.report().await["counts"].clone();
    assert_eq!((&counts["sent"], &counts["perhaps_twice"]), (&json!(1), &json!(0)));
}

#[apply(on_both_engines!)]
async fn a_report_that_comes_during_the_hand_over_is_kept(engine: Engine) {
    for (state, code) in [("bounced", "5.2.2"), ("refused", "5.7.1"), ("left", "")] {
        let mut label = Label::with(engine, &["max@fans.example"]).await;
        label.send().await;
        label.server.refuse("UPDATE", "letter_recipients", "NEW.sent_at IS NOT NULL").await;
        let mut sender = LetterSender::new(label.server.app.clone());
        assert_eq!(sender.step().await.unwrap(), None);
        let (server, sink) = (&label.server, &mut label.sink);
        tokio::join!(sender.all_done(), async {
            sink.mail().await;
            let report = format!("UPDATE letter_recipients SET state = '{state}', code = '{code}'");
            server.sql(&report).await;
            server.refuse_no_more().await;
        });
        let kept =
            format!("letter_recipients WHERE state = '{state}' AND code = '{code}' AND sent_at IS NOT NULL");
        assert_eq!(label.server.count(&kept).await, 1, "{state}");
    }
}

/// A text that cannot be read, as while the database goes away: nothing was handed over.
#[apply(on_both_engines!)]
async fn a_letter_that_cannot_be_read_is_not_counted_as_perhaps_twice(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example"]).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    assert_eq!(sender.step().await.unwrap(), None);
    sender.all_done().await;
    label.server.advance(Duration::from_secs(1));
    label.server.sql("ALTER TABLE letters RENAME COLUMN html TO away").await;
    let mut after_a_restart = LetterSender::new(label.server.app.clone());
    after_a_restart.step().await.unwrap_err();
    label.server.sql("ALTER TABLE letters RENAME COLUMN away TO html").await;
    label.work(2).await;
    let counts = label.report().await["counts"].clone();
    assert_eq!((&counts["sent"], &counts["perhaps_twice"]), (&json!(2), &json!(0)));
}

#[apply(on_both_engines!)]
async fn a_letter_whose_answer_is_lost_twice_waits_for_an_admin(engine: Engine) {
    let mut label = Label::with(engine, &["max@fans.example"]).await;
    label.send().await;
    label.sink.mode("drop").await;
    label.work(2).await;
    assert_eq!(label.report().await["state"], "sending");
    label.server.advance(Duration::from_mins(1));
    label.work(2).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["waiting"]), (&json!("paused"), &json!(1)));
    assert!(report["pause_text"].as_str().unwrap().contains("may have this letter"), "{report}");
    label.server.advance(Duration::from_mins(1));
    label.work(2).await;
    assert_eq!(label.server.count("letter_recipients WHERE tries = 2").await, 1, "no third copy");
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 1);
}

#[apply(on_both_engines!)]
async fn a_server_that_is_away_costs_nothing_but_time(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example"]).await;
    label.send().await;
    label.sink = Sink::away();
    label.work(2).await;
    assert_eq!(
        label
            .server
            .count("letter_recipients WHERE state = 'waiting' AND tries = 0 AND NOT perhaps_twice")
            .await,
        2
    );
    assert_eq!(label.report().await["state"], "sending");
}

#[apply(on_both_engines!)]
async fn a_letter_that_began_without_a_mail_server_does_not_go_on_with_one(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example"]).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    assert_eq!(sender.step().await.unwrap(), None);
    sender.all_done().await;
    label.mails(1).await;
    // As a program leaves it that wrote the first one into a file.
    label.server.sql("UPDATE letters SET captured = TRUE").await;
    for _ in 0..2 {
        label.work(2).await;
        let report = label.report().await;
        assert_eq!((&report["state"], &report["counts"]["waiting"]), (&json!("paused"), &json!(1)));
        assert!(report["pause_text"].as_str().unwrap().contains("SMTP_URL"), "{report}");
        let unsent = "outbox WHERE sent_at IS NULL";
        label.server.wait_until("the admins know", async || label.server.count(unsent).await == 0).await;
        label.step("resume").await;
    }
    label.server.sql("UPDATE letters SET captured = FALSE").await;
    label.work(2).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["sent"]), (&json!("sent"), &json!(2)));
}

#[apply(on_both_engines!)]
async fn a_server_that_counts_the_mails_of_a_connection_is_not_asked_for_too_many(engine: Engine) {
    let addresses: Vec<_> = (0..65).map(|number| format!("fan{number}@fans.example")).collect();
    let addresses: Vec<_> = addresses.iter().map(String::as_str).collect();
    let mut label = Label::with(engine, &addresses).await;
    label.sink.mode("few").await;
    label.send().await;
    // One after the other, so that one connection would do.
    let mut sender = LetterSender::new(label.server.app.clone());
    for _ in 0..65 {
        while sender.step().await.unwrap().is_some() {
            label.server.advance(Duration::from_secs(1));
        }
        sender.all_done().await;
    }
    let refused = "letter_recipients WHERE code IS NOT NULL OR state <> 'sent'";
    assert_eq!(label.server.count(refused).await, 0);
    assert_eq!(label.server.count("letter_pace WHERE slowed > 0").await, 0);
}

#[apply(on_both_engines!)]
async fn other_mail_goes_first(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example"]).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    enqueue(&label.server, &plain("max@example.org", "reset")).await;
    assert!(sender.step().await.unwrap().is_some(), "the outbox first");
    label.server.sql("UPDATE outbox SET tries = 1").await;
    label.server.advance(Duration::from_secs(1));
    assert_eq!(sender.step().await.unwrap(), None, "a mail in back-off holds nothing");
    label.server.sql("UPDATE outbox SET tries = 0, last_error = '421'").await;
    label.server.advance(Duration::from_secs(1));
    assert_eq!(sender.step().await.unwrap(), None, "nor one that a server closes at each time");
    sender.all_done().await;
}

#[apply(on_both_engines!)]
async fn two_instances_send_each_letter_once(engine: Engine) {
    if engine != Engine::Postgres {
        return;
    }
    let addresses: Vec<_> = (0..40).map(|number| format!("fan{number}@fans.example")).collect();
    let addresses: Vec<_> = addresses.iter().map(String::as_str).collect();
    let mut label = Label::with(engine, &addresses).await;
    let port = label.sink.port;
    let other = TestServer::start_beside_with(&label.server, sending_to(port)).await;
    label.send().await;
    other.advance(Duration::from_mins(1));
    let mut senders = [LetterSender::new(label.server.app.clone()), LetterSender::new(other.app.clone())];
    for _ in 0..200 {
        for sender in &mut senders {
            if sender.step().await.unwrap().is_some() {
                sender.all_done().await;
            }
        }
        label.server.advance(Duration::from_millis(100));
        other.advance(Duration::from_millis(100));
    }
    let mails = label.mails(40).await;
    label.sink.nothing_more();
    let mut to: Vec<_> = mails.into_iter().map(|(to, _)| to).collect();
    to.dedup();
    assert_eq!(to.len(), 40);
    assert_eq!(label.report().await["counts"]["perhaps_twice"], json!(0));
}

#[apply(on_both_engines!)]
async fn the_bound_of_an_hour_holds(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example", "c@fans.example"]).await;
    let set = label.desk.patch(SETTINGS, json!({"letters_an_hour": 2})).await.json();
    assert_eq!((&set["letters_an_hour"], &set["letters_a_day"]), (&json!(2), &Value::Null));
    label.send().await;
    label.work(4).await;
    assert_eq!(label.report().await["counts"]["sent"], json!(2));
    label.server.advance(Duration::from_hours(1));
    label.desk.patch(SETTINGS, json!({"letters_an_hour": 1})).await;
    label.work(3).await;
    assert_eq!(label.report().await["state"], "sent", "also while the bound is reached");
    assert_eq!(
        label.desk.patch(SETTINGS, json!({"letters_an_hour": 0})).await.json()["letters_an_hour"],
        Value::Null
    );
    for (field, value) in [
        ("letters_a_second", json!(51)),
        ("letters_a_day", json!(-1)),
        ("postal_address", json!("x".repeat(301))),
    ] {
        let refused = label.desk.patch(SETTINGS, json!({field: value})).await;
        assert_eq!(refused.status, 422, "{field}");
        assert!(refused.json()["fields"][field].is_string(), "{}", refused.text());
    }
}
