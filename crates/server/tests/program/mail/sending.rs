//! Letters to the subscribers through a real mail server that also refuses, hangs up and disappears.

use std::time::Duration;

use deadwax::newsletter::sending::LetterSender;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{enqueue, plain};
use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::Browser,
        sink::{Sink, headers, message_id, plain_text, sending_to},
    },
};

const SETTINGS: &str = "/api/admin/newsletter/settings";

/// A label with subscribers, who agreed, and a letter to them.
struct Label {
    server: TestServer,
    sink: Sink,
    letter: Uuid,
    desk: Browser,
}

impl Label {
    async fn with(engine: Engine, subscribers: &[&str]) -> Self {
        let sink = Sink::start().await;
        let server = TestServer::start_with(engine, sending_to(sink.port)).await;
        Self::of(server, sink, subscribers).await
    }

    async fn of(server: TestServer, sink: Sink, subscribers: &[&str]) -> Self {
        for (number, email) in subscribers.iter().enumerate() {
            let id = server.id_literal(Uuid::now_v7());
            server
                .sql(&format!(
                    "INSERT INTO newsletter_subscriptions (id, email, consent, leave_token, subscribed_at, created_at, updated_at) \
                     VALUES ({id}, '{email}', 'confirmed', '{number:032}', 1, 1, 1)"
                ))
                .await;
        }
        let letter = Uuid::now_v7();
        server
            .sql(&format!(
                "INSERT INTO letters (id, subject, parts, created_at, updated_at) \
                 VALUES ({}, 'A new record', '[{{\"kind\":\"heading\",\"text\":\"Out now\"}}]', 1, 1)",
                server.id_literal(letter)
            ))
            .await;
        let mut desk = server.desk().await;
        desk.patch(SETTINGS, json!({"letters_a_second": 50})).await;
        Self { server, sink, letter, desk }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/admin/letters/{}/{rest}", self.letter)
    }

    async fn post(&mut self, rest: &str, version: &Value, body: Value) -> (u16, Value) {
        let request = self.desk.request(reqwest::Method::POST, &self.path(rest));
        let answer = request.header("if-match", format!("\"{version}\"")).json(&body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// Schedules the letter, and lets the minute of UNDO pass.
    async fn send(&mut self) -> Value {
        let version = self.report().await["version"].clone();
        let (status, sending) = self.post("send", &version, json!({})).await;
        assert_eq!(status, 200, "{sending}");
        self.server.advance(Duration::from_mins(1));
        sending
    }

    async fn step(&mut self, name: &str) -> Value {
        let path = self.path("sending");
        self.desk.post_another(&path, json!({"step": name})).await.json()
    }

    /// Hands over until `looks` looks found nothing to do, a second of the clock between them.
    async fn work(&self, looks: usize) {
        let mut sender = LetterSender::new(self.server.app.clone());
        let (mut idle, mut handed_over) = (0, 0);
        while idle < looks {
            if sender.step().await.unwrap().is_none() {
                handed_over += 1;
            } else if handed_over > 0 {
                sender.all_done().await;
                handed_over = 0;
            } else {
                self.server.advance(Duration::from_secs(1));
                idle += 1;
            }
        }
        sender.all_done().await;
    }

    async fn report(&mut self) -> Value {
        let path = self.path("sending");
        self.desk.get(&path).await.json()
    }

    async fn mails(&mut self, count: usize) -> Vec<(String, String)> {
        let mut mails = Vec::new();
        for _ in 0..count {
            mails.push(self.sink.mail().await);
        }
        mails.sort();
        mails
    }
}

fn header<'a>(headers: &'a [String], name: &str) -> &'a str {
    let found = headers.iter().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    found.unwrap_or_else(|| panic!("{name}: {headers:?}"))
}

#[apply(on_both_engines!)]
async fn each_subscriber_who_agreed_gets_a_letter_and_a_way_out(engine: Engine) {
    let mut label =
        Label::with(engine, &["a@fans.example", "b@fans.example", "c@fans.example", "d@fans.example"]).await;
    let server = &label.server;
    server
        .sql("UPDATE newsletter_subscriptions SET consent = 'unconfirmed' WHERE email = 'c@fans.example'")
        .await;
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'd@fans.example'").await;
    let scheduled = label.send().await;
    assert_eq!((&scheduled["state"], &scheduled["counts"]["recipients"]), (&json!("scheduled"), &json!(2)));
    label.work(3).await;
    let mails = label.mails(2).await;
    label.sink.nothing_more();
    assert_eq!(
        mails.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(),
        ["a@fans.example", "b@fans.example"]
    );
    let base = label.server.base.clone();
    for (number, (to, mail)) in mails.iter().enumerate() {
        let leave = format!("{base}/newsletter/leave/{number:032}?letter={}", label.letter);
        let headers = headers(mail);
        assert_eq!(header(&headers, "To"), to);
        assert_eq!(header(&headers, "Subject"), "A new record");
        assert_eq!(header(&headers, "Reply-To"), "label@label.example");
        assert_eq!(header(&headers, "List-Id"), "<newsletter.localhost>");
        assert_eq!(header(&headers, "List-Unsubscribe"), format!("<{leave}>"));
        assert_eq!(header(&headers, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        assert_eq!(header(&headers, "List-Archive"), format!("<{base}/letters>"));
        assert_eq!(header(&headers, "Precedence"), "bulk");
        assert!(header(&headers, "Feedback-ID").ends_with(":newsletter:localhost"));
        let text = plain_text(mail);
        assert!(text.contains(&leave) && text.contains(to.as_str()), "{text}");
        assert!(text.contains("Out now") || text.contains("OUT NOW"), "{text}");
    }
    assert_eq!(header(&headers(&mails[0].1), "Date"), header(&headers(&mails[1].1), "Date"));
    let report = label.report().await;
    assert_eq!(report["state"], "sent");
    assert_eq!(
        report["counts"],
        json!({"recipients": 2, "waiting": 0, "sent": 2, "refused": 0, "bounced": 0, "left": 0, "skipped": 0, "perhaps_twice": 0})
    );
    assert_eq!((&report["is_captured"], &report["seconds_left"]), (&json!(false), &json!(0)));
}

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
async fn too_many_refusals_pause_a_letter_and_the_admins_are_told(engine: Engine) {
    let addresses: Vec<_> = (0..110)
        .map(|number| {
            if number % 10 == 0 {
                format!("550@x{number}.example")
            } else {
                format!("fan{number}@fans.example")
            }
        })
        .collect();
    let addresses: Vec<_> = addresses.iter().map(String::as_str).collect();
    let mut label = Label::with(engine, &addresses).await;
    label.send().await;
    // The addresses that do not exist come last.
    LetterSender::new(label.server.app.clone()).step().await.unwrap();
    label
        .server
        .sql(
            "UPDATE letter_recipients SET next_try_at = next_try_at + 1 WHERE subscription_id IN \
            (SELECT id FROM newsletter_subscriptions WHERE email LIKE '550@%')",
        )
        .await;
    label.work(6).await;
    let report = label.report().await;
    assert_eq!(report["state"], "paused", "{report}");
    assert!(report["pause_text"].as_str().unwrap().starts_with("More than 5 %"), "{report}");
    assert_eq!(label.server.count("outbox WHERE kind = 'letter_paused'").await, 1);
    assert_eq!(label.step("resume").await["state"], "sending");
}

#[apply(on_both_engines!)]
async fn leaving_takes_an_address_out_of_a_letter_that_is_being_sent(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example", "c@fans.example"]).await;
    label.desk.patch(SETTINGS, json!({"letters_a_second": 1})).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    assert_eq!(sender.step().await.unwrap(), None);
    sender.all_done().await;
    let first = label.mails(1).await.remove(0).0;
    let mut visitor = label.server.browser();
    for number in 0..3 {
        let path = format!("/newsletter/leave/{number:032}?letter={}", label.letter);
        let before = label.report().await;
        assert_eq!(visitor.get(&path).await.status, 200);
        assert_eq!(label.report().await, before, "looking changes nothing");
        if number < 2 {
            let request = visitor.request(reqwest::Method::POST, &path).body("List-Unsubscribe=One-Click");
            let answer =
                request.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
            assert_eq!(answer.status(), 200);
        }
    }
    label.work(4).await;
    let report = label.report().await;
    assert_eq!(report["state"], "sent");
    let had_it = usize::from(first.starts_with('c'));
    assert_eq!(report["counts"]["left"], json!(2));
    assert_eq!(report["counts"]["sent"], json!(2 - had_it), "{first}: {report}");
    // A person who comes back within a minute is where they were.
    if !first.starts_with('c') {
        let number = if first.starts_with('a') { 0 } else { 1 };
        let path = format!("/newsletter/leave/{number:032}");
        let request = visitor.request(reqwest::Method::POST, &path).body("come_back=1");
        request.header("content-type", "application/x-www-form-urlencoded").send().await.unwrap();
        assert_eq!(label.report().await["counts"]["left"], json!(1));
    }
}

#[apply(on_both_engines!)]
async fn other_mail_goes_first(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example"]).await;
    label.send().await;
    let mut sender = LetterSender::new(label.server.app.clone());
    enqueue(&label.server, &plain("max@example.org", "reset")).await;
    assert!(sender.step().await.unwrap().is_some(), "the outbox first");
    label.server.sql("UPDATE outbox SET tries = 1").await;
    label.server.advance(Duration::from_secs(1));
    assert_eq!(sender.step().await.unwrap(), None, "a mail in back-off holds nothing");
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
    label.work(3).await;
    assert_eq!(label.report().await["state"], "sent");
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

#[apply(on_both_engines!)]
async fn a_letter_goes_from_state_to_state_and_no_other_way(engine: Engine) {
    let mut label = Label::with(engine, &["a@fans.example", "b@fans.example"]).await;
    for name in ["undo", "pause", "resume", "stop"] {
        assert_eq!(label.step(name).await["code"], "letter_state", "{name} of a draft");
    }
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
    label.sink.nothing_more();
    assert_eq!(label.step("undo").await["state"], "draft");
    let version = label.report().await["version"].clone();
    assert_eq!(label.post("send", &version, json!({})).await.0, 422);
}

#[apply(on_both_engines!)]
async fn letters_come_back_to_an_address_that_names_their_recipient(engine: Engine) {
    let mut sink = Sink::start().await;
    let port = sink.port;
    let settings = move |settings: &mut deadwax_config::Settings| {
        sending_to(port)(settings);
        settings.bounce_address = Some("bounces@label.example".to_owned());
    };
    let server = TestServer::start_with(engine, settings).await;
    let mut label = Label::of(server, Sink::away(), &["max@fans.example"]).await;
    label.send().await;
    label.work(3).await;
    let (_, mail) = sink.mail().await;
    let id = message_id(&mail).trim_matches(['<', '>']).split('@').next().unwrap().replace('-', "");
    assert_eq!(sink.last_sender(), format!("bounces+{id}@label.example"));
    let leave = format!("<mailto:bounces+leave-{:032}@label.example?subject=unsubscribe>", 0);
    assert!(header(&headers(&mail), "List-Unsubscribe").ends_with(&format!(", {leave}")), "{mail}");
}

#[apply(on_both_engines!)]
async fn an_erased_person_leaves_no_captured_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut label = Label::of(server, Sink::away(), &["a@fans.example", "b@fans.example"]).await;
    label.send().await;
    label.work(3).await;
    assert_eq!(label.report().await["is_captured"], json!(true));
    assert_eq!(label.server.mails().len(), 2);
    let list = label.desk.get("/api/admin/newsletter?q=a@fans").await.json();
    let id = list["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(label.desk.delete(&format!("/api/admin/newsletter/{id}")).await.status, 204);
    assert_eq!(label.server.mails_to("a@fans.example"), Vec::<String>::new());
    assert_eq!(label.server.mails_to("b@fans.example").len(), 1);
    assert_eq!(label.server.count("letter_recipients WHERE subscription_id IS NULL").await, 1);
    assert_eq!(label.report().await["counts"]["sent"], json!(2), "it still counts");
}

#[apply(on_both_engines!)]
async fn a_letter_that_cannot_be_read_holds_no_other_up(engine: Engine) {
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
}
