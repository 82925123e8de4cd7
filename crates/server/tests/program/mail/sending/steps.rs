//! Steps of an admin, and letters that cannot begin.

use std::{
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use deadwax::newsletter::sending::LetterSender;
use deadwax_store::{
    clock::{Clock, SECOND},
    objects::{self, Fingerprint, NewObject},
    storage::Storage,
};
use http::Method;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Label, SETTINGS};
use crate::{
    on_both_engines,
    support::{
        Engine, NOON, TestServer,
        bucket::faulty_bucket,
        log::logged,
        sink::{Sink, plain_text, sending_to},
    },
};

#[apply(on_both_engines!)]
async fn a_letter_goes_from_state_to_state_and_no_other_way(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example"]).await;
    for name in ["undo", "pause", "resume", "stop"] {
        assert_eq!(label.step(name).await["code"], "letter_state", "{name} of a draft");
    }
    assert!(label.step("send").await["fields"]["body"].is_string(), "its request names the version");
    assert_eq!(label.post("send", &json!(9), json!({})).await.0, 412);
    for at in ["yesterday", "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"] {
        assert_eq!(label.post("send", &json!(1), json!({"goes_out_at": at})).await.0, 422, "{at}");
    }
    label.send().await;
    assert_eq!(label.step("undo").await["state"], "draft");
    label.work(2).await;
    assert_eq!(label.report().await["state"], "draft", "nothing was sent");
    label.send().await;
    label.server.advance(Duration::from_hours(3));
    label.work(1).await;
    assert_eq!(label.report().await["state"], "missed");
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 1, "the admins have a mail");
    let unsent = "outbox WHERE sent_at IS NULL";
    label.server.wait_until("it is sent", async || label.server.count(unsent).await == 0).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    label.desk.patch(SETTINGS, json!({"letters_a_second": 1})).await;
    sender.step().await.unwrap();
    sender.all_done().await;
    assert_eq!(label.step("undo").await["code"], "letter_state");
    assert_eq!(label.step("pause").await["pause_text"], "An admin paused it.");
    label.work(2).await;
    assert_eq!(label.report().await["counts"]["waiting"], json!(1));
    assert_eq!(label.step("resume").await["state"], "sending");
    assert_eq!(label.step("stop").await["state"], "stopped");
    label.work(2).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["counts"]["sent"]), (&json!("stopped"), &json!(1)));
    assert_eq!(label.step("resume").await["code"], "letter_state");
    let unknown = format!("/api/admin/letters/{}/sending", Uuid::nil());
    assert_eq!(label.desk.get(&unknown).await.status, 404);
}

#[apply(on_both_engines!)]
async fn a_letter_without_readers_or_words_is_not_sent(engine: Engine) {
    let mut label = Label::with(engine, &[]).await;
    assert_eq!(
        label.post("send", &json!(1), json!({})).await.1["fields"]["letter"],
        "There is no confirmed subscriber to write to."
    );
    label.server.sql("UPDATE letters SET subject = '', parts = '[]'").await;
    let refused = label.post("send", &json!(1), json!({})).await;
    assert_eq!(refused.0, 422);
    let fields = &refused.1["fields"];
    assert!(fields["subject"].is_string() && fields["parts"].is_string(), "{}", refused.1);
}

#[apply(on_both_engines!)]
async fn a_letter_whose_release_is_gone_waits_for_an_admin(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example"]).await;
    label.send().await;
    let parts = format!("[{{\"kind\":\"release\",\"release_id\":\"{}\"}}]", Uuid::nil());
    label.server.sql(&format!("UPDATE letters SET parts = '{parts}'")).await;
    label.work(2).await;
    let report = label.report().await;
    assert_eq!((&report["state"], &report["began_at"]), (&json!("paused"), &Value::Null), "{report}");
    assert!(report["pause_text"].as_str().unwrap().contains("is gone"), "{report}");
    assert_eq!(label.server.count("letter_recipients").await, 0);
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 1, "the admins have a mail");
    assert_eq!(label.step("undo").await["state"], "draft");
    let version = label.report().await["version"].clone();
    assert_eq!(label.post("send", &version, json!({})).await.0, 422);
}

#[apply(on_both_engines!)]
async fn a_letter_that_cannot_be_read_holds_no_other_up(engine: Engine) {
    let (log, _guard) = logged("warn");
    let mut label = Label::with(engine, &["a@fans.example"]).await;
    label
        .server
        .sql(&format!(
            "INSERT INTO letters (id, subject, parts, state, goes_out_at, created_at, updated_at) \
             VALUES ({}, 'Damaged', '{{', 'scheduled', {}, 1, 1)",
            label.server.id_literal(Uuid::now_v7()),
            label.server.app.clock.now()
        ))
        .await;
    label.send().await;
    label.work(2).await;
    assert_eq!(label.mails(1).await[0].0, "a@fans.example");
    assert_eq!(label.report().await["state"], "sent");
    assert_eq!(label.server.count("letters WHERE subject = 'Damaged' AND state = 'scheduled'").await, 1);
    assert!(log.text().contains("error occurred while decoding column"), "{}", log.text());
    // Its time passes although the program runs.
    label.server.advance(Duration::from_hours(2));
    label.work(2).await;
    assert_eq!(label.server.count("letters WHERE subject = 'Damaged' AND state = 'missed'").await, 1);
    let (_, mail) = label.mails(1).await.remove(0);
    let text = plain_text(&mail).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the program was not running, or its log says why"), "{text}");
}

/// A bucket that hangs for 15 seconds at each try to read a picture.
#[apply(on_both_engines!)]
async fn a_letter_that_cannot_begin_is_not_tried_before_each_recipient_of_another(engine: Engine) {
    let (tries, clock) = (Arc::new(AtomicUsize::new(0)), Arc::new(OnceLock::new()));
    let fault = {
        let (tries, clock) = (Arc::clone(&tries), Arc::clone(&clock));
        move |method: &Method, path: &str| {
            let is_read = path.contains("sleeve") && matches!(*method, Method::GET | Method::HEAD);
            let Some(Clock::Fixed(now)) = clock.get().filter(|_| is_read) else { return None };
            now.fetch_add(15 * SECOND, Ordering::SeqCst);
            tries.fetch_add(1, Ordering::SeqCst);
            Some((403, "AccessDenied"))
        }
    };
    let (_folder, url) = faulty_bucket(fault).await;
    let sink = Sink::start().await;
    let server = TestServer::start_prepared(engine, sending_to(sink.port), |_, app| {
        app.storage = Storage::open(Some(&url), Path::new("/nowhere")).unwrap();
        clock.set(app.clock.clone()).unwrap();
    })
    .await;
    let mut tx = server.app.db.begin().await.unwrap();
    let sleeve = NewObject::new("uploads/sleeve.jpg", Fingerprint::of(b"sleeve"));
    objects::insert(&mut tx, &sleeve, NOON).await.unwrap();
    tx.commit().await.unwrap();
    let fans = ["a@fans.example", "b@fans.example", "c@fans.example", "d@fans.example"];
    let mut label = Label::of(server, sink, &fans).await;
    label.send().await;
    let parts = r#"[{"kind":"picture","picture":"/media/uploads/sleeve.jpg","alt":"The sleeve"}]"#;
    let (id, due) = (label.server.id_literal(Uuid::now_v7()), label.server.app.clock.now());
    let insert = format!(
        "INSERT INTO letters (id, subject, parts, state, goes_out_at, created_at, updated_at) \
         VALUES ({id}, 'Waits', '{parts}', 'scheduled', {due}, 1, 1)"
    );
    label.server.sql(&insert).await;
    let mut sender = LetterSender::new(label.server.app.clone());
    for _ in fans {
        assert_eq!(sender.step().await.unwrap(), None);
        sender.all_done().await;
        label.server.advance(Duration::from_secs(1));
    }
    label.mails(fans.len()).await;
    assert_eq!(tries.load(Ordering::SeqCst), 1);
}

/// PostgreSQL ends the statements of a request after 5 seconds; a list of hundreds of thousands takes longer.
#[tokio::test]
async fn choosing_the_recipients_may_take_longer_than_a_request() {
    let mut label = Label::with(Engine::Postgres, &["a@fans.example", "b@fans.example"]).await;
    label
        .server
        .sql(
            "CREATE FUNCTION needs_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                 IF current_setting('statement_timeout') <> '0' THEN RAISE 'it would be ended'; END IF; RETURN NULL; END $$; \
             CREATE TRIGGER needs_time BEFORE INSERT ON letter_recipients EXECUTE FUNCTION needs_time()",
        )
        .await;
    label.send().await;
    label.work(2).await;
    assert_eq!(label.report().await["counts"]["sent"], json!(2));
}
