//! Mail through a real mail server that also refuses, stalls, hangs up and disappears.

use deadwax_mail::{Mail, Patience};
use macro_rules_attribute::apply;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use super::{NOON, advance, enqueue, outbox, plain, post};
use crate::{
    on_both_engines,
    support::{
        Engine, RECEIVE_TIMEOUT, TestServer,
        sink::{Sink, message_id, sending_to},
    },
};

async fn wait_until(server: &TestServer, what: &str, is_so: impl Fn(&[super::Outbox]) -> bool) {
    let waited = tokio::time::timeout(RECEIVE_TIMEOUT, async {
        while !is_so(&outbox(server).await) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let in_time = waited.await.is_ok();
    assert!(in_time, "{what}: {:?}", outbox(server).await);
}

async fn all_sent(server: &TestServer) {
    wait_until(server, "all sent", |rows| rows.iter().all(|row| row.4.is_some())).await;
}

#[apply(on_both_engines!)]
async fn mail_is_delivered_and_forgotten(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    let mail = Mail { reply_to: Some("visitor@example.org"), ..plain("max@example.org", "hello") };
    let id = post(&server, &mail).await;
    let (to, data) = sink.mail().await;
    assert_eq!(to, "max@example.org");
    for line in [
        "From: \"The Label\" <mail@label.example>",
        "To: max@example.org",
        "Reply-To: visitor@example.org",
        "Subject: hello",
        "hello text",
        "<p>hello</p>",
    ] {
        assert!(data.split("\r\n").any(|found| found == line), "{line}: {data}");
    }
    assert_eq!(message_id(&data), format!("<{id}@localhost>"));
    all_sent(&server).await;
    assert_eq!(outbox(&server).await, [("test".to_owned(), true, 1, NOON, Some(NOON), None, None)]);
    assert!(!server.data.path().join("mail").exists(), "nothing is captured");
    for number in 0..20 {
        enqueue(&server, &plain(&format!("fan{number}@example.org"), "many")).await;
    }
    server.app.mail.send_due().await;
    let mut fans = Vec::new();
    for _ in 0..20 {
        fans.push(sink.mail().await.0);
    }
    all_sent(&server).await;
    fans.sort();
    fans.dedup();
    assert_eq!(fans.len(), 20);
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_rejected_mail_is_dead_and_the_others_go_at_once(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    for to in ["550@example.org", "max@example.org", "nobody", "moritz@example.org"] {
        enqueue(&server, &plain(to, "hello")).await;
    }
    let started = std::time::Instant::now();
    server.app.mail.send_due().await;
    let mut delivered = [sink.mail().await.0, sink.mail().await.0];
    // The rejected letter caused no pause, as an unreachable server would.
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    delivered.sort();
    assert_eq!(delivered, ["max@example.org", "moritz@example.org"]);
    wait_until(&server, "settled", |rows| rows.iter().all(|row| row.4.is_some() || row.5.is_some())).await;
    let rows = outbox(&server).await;
    let dead: Vec<_> =
        rows.iter().filter(|row| row.5 == Some(NOON)).map(|row| (row.1, row.6.as_deref())).collect();
    assert_eq!(dead, [(true, Some("550")), (true, Some("unreadable"))]);
}

#[apply(on_both_engines!)]
async fn a_mail_that_is_refused_for_now_goes_later_and_once(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    sink.mode("452").await;
    post(&server, &plain("max@example.org", "confidential")).await;
    wait_until(&server, "one refusal", |rows| rows[0].2 == 1).await;
    let rows = outbox(&server).await;
    assert_eq!(rows, [("test".to_owned(), false, 1, NOON + 5_000_000, None, None, Some("452".to_owned()))]);
    advance(&server, 5);
    server.app.mail.send_due().await;
    wait_until(&server, "two refusals", |rows| rows[0].2 == 2).await;
    assert_eq!(outbox(&server).await[0].3, NOON + 15_000_000);
    if engine == Engine::Sqlite {
        // Pending letters are encrypted in the database.
        for entry in std::fs::read_dir(server.data.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_str().unwrap().starts_with("deadwax.db") {
                let bytes = std::fs::read(&path).unwrap();
                for secret in ["max@example.org", "confidential"] {
                    assert!(!bytes.windows(secret.len()).any(|found| found == secret.as_bytes()), "{secret}");
                }
            }
        }
    }
    sink.mode("accept").await;
    advance(&server, 10);
    server.app.mail.send_due().await;
    assert_eq!(sink.mail().await.0, "max@example.org");
    all_sent(&server).await;
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_server_that_comes_back_gets_what_waited(engine: Engine) {
    let mut sink = Sink::away();
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    for number in 0..6 {
        enqueue(&server, &plain(&format!("fan{number}@example.org"), "hello")).await;
    }
    server.app.mail.send_due().await;
    wait_until(&server, "refused", |rows| rows.iter().any(|row| row.6.as_deref() == Some("no connection")))
        .await;
    sink.restart().await;
    let mut fans = Vec::new();
    for _ in 0..6 {
        fans.push(sink.mail().await.0);
    }
    all_sent(&server).await;
    fans.sort();
    fans.dedup();
    assert_eq!(fans.len(), 6);
    assert!(outbox(&server).await.iter().all(|row| row.2 == 1), "being away costs no tries");
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn what_no_server_was_given_can_be_taken_back(engine: Engine) {
    let sink = Sink::away();
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    let take_back = async |id| {
        let mut tx = server.app.db.begin().await.unwrap();
        let is_taken_back = deadwax_mail::cancel(&mut tx, id).await.unwrap();
        tx.commit().await.unwrap();
        is_taken_back
    };
    let first = enqueue(&server, &plain("max@example.org", "hello")).await;
    server.app.mail.send_due().await;
    wait_until(&server, "tried", |rows| rows[0].6.as_deref() == Some("no connection")).await;
    assert!(take_back(first).await);

    let second = enqueue(&server, &plain("max@example.org", "hello")).await;
    // Another program died while it had this one.
    let id = server.id_literal(second);
    server.sql(&format!("UPDATE outbox SET leased_until = 0 WHERE id = {id}")).await;
    assert!(!take_back(second).await, "it may have arrived");
    server.app.mail.send_due().await;
    wait_until(&server, "tried", |rows| rows[0].6.as_deref() == Some("no connection")).await;
    assert_eq!(outbox(&server).await[0].2, 1);
    assert!(!take_back(second).await, "it may still have arrived");
}

#[apply(on_both_engines!)]
async fn a_server_that_closes_gets_what_waited(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    sink.mode("421").await;
    post(&server, &plain("max@example.org", "hello")).await;
    wait_until(&server, "refused", |rows| rows[0].6.as_deref() == Some("421")).await;
    sink.mode("accept").await;
    assert_eq!(sink.mail().await.0, "max@example.org");
    all_sent(&server).await;
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_recipient_that_the_server_does_not_relay_to_counts_as_a_refusal(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    post(&server, &plain("454@example.org", "hello")).await;
    wait_until(&server, "one refusal", |rows| rows[0].2 == 1).await;
    assert_eq!(outbox(&server).await[0].6.as_deref(), Some("454"));
    post(&server, &plain("max@example.org", "hello")).await;
    assert_eq!(sink.mail().await.0, "max@example.org");
}

#[apply(on_both_engines!)]
async fn a_code_is_never_delivered_after_its_end(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    sink.mode("452").await;
    let code = Mail { not_after: Some(NOON + 600_000_000), ..plain("max@example.org", "code") };
    post(&server, &code).await;
    wait_until(&server, "one refusal", |rows| rows[0].2 == 1).await;
    sink.mode("accept").await;
    advance(&server, 600);
    post(&server, &plain("max@example.org", "later")).await;
    let (_, data) = sink.mail().await;
    assert!(data.contains("Subject: later"), "{data}");
    wait_until(&server, "settled", |rows| rows[0].5.is_some() && rows[1].4.is_some()).await;
    let rows = outbox(&server).await;
    assert_eq!((rows[0].1, rows[0].6.as_deref()), (true, Some("expired")));
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_mail_whose_reply_was_lost_is_repeated_under_the_same_message_id(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    sink.mode("drop").await;
    post(&server, &plain("max@example.org", "hello")).await;
    let (_, first) = sink.mail().await;
    wait_until(&server, "one failure", |rows| rows[0].2 == 1).await;
    sink.mode("accept").await;
    advance(&server, 5);
    server.app.mail.send_due().await;
    let (_, second) = sink.mail().await;
    assert_eq!(message_id(&first), message_id(&second));
    all_sent(&server).await;
    sink.nothing_more();
}

#[apply(on_both_engines!)]
async fn a_message_outlives_its_rejection(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    let message = Mail { patience: Patience::Message, ..plain("label@label.example", "demo") };
    sink.mode("550").await;
    post(&server, &message).await;
    wait_until(&server, "one rejection", |rows| rows[0].2 == 1).await;
    let row = outbox(&server).await.remove(0);
    assert_eq!((row.1, row.3, row.5), (false, NOON + 3_600_000_000, None));
    sink.mode("accept").await;
    advance(&server, 3600);
    server.app.mail.send_due().await;
    sink.mail().await;
    all_sent(&server).await;
}

#[apply(on_both_engines!)]
async fn a_message_that_was_given_up_is_sent_by_the_next_start(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    let message = Mail { patience: Patience::Message, ..plain("label@label.example", "message") };
    sink.mode("550").await;
    enqueue(&server, &message).await;
    advance(&server, 7 * 24 * 3600);
    server.app.mail.send_due().await;
    wait_until(&server, "given up", |rows| rows[0].5.is_some()).await;
    sink.mode("accept").await;
    let stop = CancellationToken::new();
    let started = tokio::spawn(deadwax_mail::deliver(server.app.mail.clone(), stop.clone()));
    sink.mail().await;
    all_sent(&server).await;
    stop.cancel();
    started.await.unwrap();
}

#[apply(on_both_engines!)]
async fn a_stalled_letter_delays_no_other(engine: Engine) {
    let mut sink = Sink::start().await;
    let server = TestServer::start_with(engine, sending_to(sink.port)).await;
    post(&server, &plain("stall@example.org", "stalls")).await;
    for number in 0..8 {
        enqueue(&server, &plain(&format!("fan{number}@example.org"), "hello")).await;
    }
    server.app.mail.send_due().await;
    for _ in 0..8 {
        sink.mail().await;
    }
    assert_eq!(outbox(&server).await[0].2, 0, "the stalled one is still under way");
    wait_until(&server, "given back", |rows| rows[0].2 == 1).await;
    assert_eq!(outbox(&server).await[0].6.as_deref(), Some("no answer in time"));
}

#[tokio::test]
async fn two_instances_deliver_each_mail_once() {
    let mut sink = Sink::start().await;
    let one = TestServer::start_with(Engine::Postgres, sending_to(sink.port)).await;
    let other = TestServer::start_beside_with(&one, sending_to(sink.port)).await;
    for number in 0..40 {
        enqueue(&one, &plain(&format!("fan{number}@example.org"), "hello")).await;
    }
    tokio::join!(one.app.mail.send_due(), other.app.mail.send_due());
    let mut fans = Vec::new();
    for _ in 0..40 {
        fans.push(sink.mail().await.0);
    }
    all_sent(&one).await;
    fans.sort();
    fans.dedup();
    assert_eq!(fans.len(), 40);
    sink.nothing_more();
}

#[tokio::test]
async fn nothing_is_sent_unencrypted_to_a_server_that_must_encrypt() {
    let mut sink = Sink::start().await;
    let port = sink.port;
    let server = TestServer::start_with(Engine::Sqlite, |settings| {
        sending_to(port)(settings);
        settings.smtp_url = Some(format!("smtp://localhost:{port}?tls=required").into());
    })
    .await;
    post(&server, &plain("max@example.org", "hello")).await;
    wait_until(&server, "refused", |rows| rows[0].6.as_deref() == Some("cannot be asked as set up")).await;
    sink.nothing_more();
}
