//! Answers to demos: templates, the delayed letter, what withdraws it, and that none is sent twice.

use std::time::Duration;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, people::Browser, sink::quoted},
};

pub const NOVA: &str = "nova@artist.example";
pub const HELD: Duration = Duration::from_secs(30);

/// A label with one demo by Nova, and an admin.
pub struct Desk {
    pub server: TestServer,
    pub admin: Browser,
    pub demo: String,
    /// Letters to Nova at the start: the confirmation.
    pub mails_before: usize,
}

impl Desk {
    pub async fn open(engine: Engine) -> Self {
        let server = TestServer::start(engine).await;
        server.sent_demo("Nova & Söhne", NOVA, "set.wav").await;
        let (admin, demo) = (server.desk().await, server.only_demo().await);
        let mails_before = server.mails_to(NOVA).len();
        Self { server, admin, demo, mails_before }
    }

    pub fn path(&self) -> String {
        format!("/api/admin/desk/demos/{}/answers", self.demo)
    }

    /// Sends an answer; a `received` one is repeated explicitly.
    pub async fn answer(&self, kind: &str) -> Answer {
        let again = kind == "received";
        let body = json!({"kind": kind, "subject": format!("{kind}!"), "text": "Dear Nova", "again": again});
        self.admin.copy().post(&self.path(), body).await
    }

    pub async fn undo(&self, answer: &Value) -> Answer {
        let path = format!("/api/admin/desk/answers/{}", answer["id"].as_str().unwrap());
        self.admin.copy().send(Method::DELETE, &path, None).await
    }

    /// The state of the demo, when it changed, and when the demo was first heard.
    pub async fn standing(&self) -> (String, Option<i64>, Option<i64>) {
        self.server.app.db.query(STANDING).one::<(String, Option<i64>, Option<i64>)>().await.unwrap()
    }

    /// Sets the state of the demo.
    pub async fn set_state(&self, state: &str) -> Value {
        let path = format!("/api/admin/desk/demos/{}/state", self.demo);
        let set = self.admin.copy().send(Method::PUT, &path, Some(json!({ "state": state }))).await;
        assert_eq!(set.status, 200, "{set:?}");
        set.json()
    }

    /// Passes the half minute of delay and delivers what is due.
    pub async fn pass_delay(&self) {
        self.server.advance(HELD);
        self.server.app.mail.send_due().await;
    }

    /// Letters to Nova apart from the confirmation.
    pub fn letters(&self) -> usize {
        self.server.mails_to(NOVA).len() - self.mails_before
    }
}

deadwax_store::statements! {
    STANDING = "SELECT state, state_at, heard_at FROM demos";
    SENT = "SELECT sent_at, failed_at FROM demo_answers WHERE kind <> 'received'";
}

#[apply(on_both_engines!)]
async fn an_answer_waits_half_a_minute_and_leaves_once(engine: Engine) {
    let desk = Desk::open(engine).await;
    let server = &desk.server;
    let mut admin = desk.admin.copy();
    // A preview does not wait for a write in progress.
    let writing = desk.server.app.db.begin().await.unwrap();
    let preview = admin.post(&format!("{}/preview", desk.path()), json!({"kind": "declined"})).await;
    assert_eq!(preview.status, 200, "{preview:?}");
    drop(writing);
    let preview = preview.json();
    assert_eq!((&preview["to"], &preview["was_sent_at"]), (&json!(NOVA), &Value::Null));
    assert_eq!(preview["subject"], "404 COLLECTIVE: about your demo");
    assert!(
        preview["text"].as_str().unwrap().starts_with("Nova & Söhne,\n\nwe have heard set.wav,"),
        "{preview}"
    );

    let body =
        json!({"kind": "declined", "subject": preview["subject"], "text": "Nova,\n\nno <b>{artist}</b>."});
    let answer = admin.post(&desk.path(), body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let answer = answer.json();
    assert_eq!(
        (&answer["created_at"], &answer["undo_until"]),
        (&json!("2026-11-20T12:00:00Z"), &json!("2026-11-20T12:00:30Z"))
    );
    assert_eq!((&answer["sent_at"], &answer["failed_at"]), (&Value::Null, &Value::Null));
    assert_eq!(desk.standing().await.0, "declined");
    server.advance(HELD - Duration::from_micros(1));
    server.app.mail.send_due().await;
    assert_eq!(desk.letters(), 0, "not before its time");
    server.advance(Duration::from_micros(1));
    for _ in 0..3 {
        server.app.mail.send_due().await;
    }
    assert_eq!(desk.letters(), 1);
    let mail = &server.mails_to(NOVA)[desk.mails_before];
    for line in [
        "Subject: 404 COLLECTIVE: about your demo",
        "Reply-To: no-reply@localhost",
        "no <b>{artist}</b>.",
        "no &#60;b&#62;{artist}",
    ] {
        assert!(mail.contains(line), "{line}: {mail}");
    }
    let (sent_at, failed_at) = server.app.db.query(SENT).one::<(Option<i64>, Option<i64>)>().await.unwrap();
    assert_eq!((sent_at, failed_at), (Some(server.app.clock.now()), None));
    let late = desk.undo(&answer).await;
    assert_eq!((late.status.as_u16(), late.problem().as_str()), (409, "answer_left"));
    assert_eq!((desk.standing().await.0.as_str(), desk.letters()), ("declined", 1));
    let preview = admin.post(&format!("{}/preview", desk.path()), json!({"kind": "declined"})).await.json();
    assert_eq!(preview["was_sent_at"], "2026-11-20T12:00:30Z");
    assert_eq!(server.count("audit_log WHERE event IN ('demo_answered', 'demo_declined')").await, 2);
    assert_eq!(server.count("audit_log WHERE target LIKE '%Nova%' OR outcome LIKE '%Nova%'").await, 0);
}

#[apply(on_both_engines!)]
async fn what_is_taken_back_was_never_said(engine: Engine) {
    let desk = Desk::open(engine).await;
    let before = desk.standing().await;
    assert_eq!(before, ("new".to_owned(), None, None));
    let answer = desk.answer("accepted").await.json();
    assert_eq!(desk.standing().await.0, "accepted");
    desk.server.advance(HELD - Duration::from_micros(1));
    assert_eq!(desk.undo(&answer).await.status, 204);
    assert_eq!(desk.standing().await, before, "also that nobody had heard it");
    assert_eq!(desk.undo(&answer).await.status, 404);
    desk.server.advance(HELD);
    desk.server.app.mail.send_due().await;
    assert_eq!((desk.letters(), desk.server.count("demo_answers WHERE kind <> 'received'").await), (0, 0));
    assert_eq!(desk.server.count("demo_letters").await, 2, "the label's and the confirmation");

    // A state set since then stays, even if it is the same one.
    let answer = desk.answer("shortlisted").await.json();
    desk.set_state("heard").await;
    desk.server.advance(Duration::from_secs(1));
    desk.set_state("accepted").await;
    assert_eq!(desk.undo(&answer).await.status, 404, "it went with the decision");
    assert_eq!(desk.standing().await.0, "accepted");
    // Undoing an answer that changed nothing restores nothing.
    let answer = desk.answer("accepted").await.json();
    assert_eq!(desk.undo(&answer).await.status, 204);
    assert_eq!(desk.standing().await.0, "accepted");
    let answer = desk.answer("received").await.json();
    assert_eq!(desk.standing().await.0, "accepted");
    assert_eq!(desk.undo(&answer).await.status, 204);
    assert_eq!(desk.server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_second_answer_of_a_kind_is_asked_for(engine: Engine) {
    let desk = Desk::open(engine).await;
    // Two admins at once.
    let both = futures_util::future::join(desk.answer("declined"), desk.answer("declined")).await;
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    let refused = desk.answer("declined").await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (409, "already_answered"));
    desk.pass_delay().await;
    assert_eq!(desk.answer("accepted").await.status, 201);
    desk.pass_delay().await;
    let again = json!({"kind": "declined", "subject": "No", "text": "After all", "again": true});
    assert_eq!(desk.admin.copy().post(&desk.path(), again).await.status, 201);
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 3);
}

#[apply(on_both_engines!)]
async fn another_answer_of_a_kind_that_is_sent_again_is_one(engine: Engine) {
    let desk = Desk::open(engine).await;
    assert_eq!(desk.answer("declined").await.status, 201);
    desk.pass_delay().await;
    let body = json!({"kind": "declined", "subject": "No", "text": "After all", "again": true});
    let mut admin = desk.admin.copy();
    admin.headers = vec![("idempotency-key".to_owned(), "\"answer-1\"".to_owned())];
    let first = admin.post(&desk.path(), body.clone()).await;
    let second = admin.post(&desk.path(), body).await;
    assert_eq!([first.status.as_u16(), second.status.as_u16()], [201, 201]);
    assert_eq!(first.json(), second.json());
    desk.pass_delay().await;
    assert_eq!(desk.letters(), 2);
}

#[apply(on_both_engines!)]
async fn an_answer_to_a_demo_in_the_trash_can_be_taken_back_and_leaves_otherwise(engine: Engine) {
    for is_undone in [true, false] {
        let desk = Desk::open(engine).await;
        let answer = desk.answer("declined").await.json();
        let demo = format!("/api/admin/demos/{}", desk.demo);
        assert_eq!(desk.admin.copy().send(Method::DELETE, &demo, None).await.status, 204);
        if is_undone {
            assert_eq!(desk.undo(&answer).await.status, 204);
        }
        desk.pass_delay().await;
        assert_eq!(desk.letters(), usize::from(!is_undone));
    }
}

#[apply(on_both_engines!)]
async fn a_demo_is_answered_once_a_letter_has_left(engine: Engine) {
    let desk = Desk::open(engine).await;
    let answered_at = async || {
        let alone = desk.admin.copy().get(&format!("/api/admin/desk/demos/{}", desk.demo)).await.json();
        let page = desk.admin.copy().get("/api/admin/desk/demos").await.json();
        assert_eq!(page["items"][0]["answered_at"], alone["answered_at"]);
        alone["answered_at"].clone()
    };
    assert_eq!(answered_at().await, Value::Null);
    // Neither a delayed letter, nor a withdrawn one, nor the automatic confirmation counts.
    let answer = desk.answer("declined").await.json();
    assert_eq!(answered_at().await, Value::Null);
    desk.undo(&answer).await;
    desk.server.advance(HELD);
    desk.server.app.mail.send_due().await;
    assert_eq!((answered_at().await, desk.letters()), (Value::Null, 0));
    desk.answer("shortlisted").await;
    desk.server.advance(HELD - Duration::from_micros(1));
    desk.server.app.mail.send_due().await;
    assert_eq!(answered_at().await, Value::Null);
    desk.server.advance(Duration::from_micros(1));
    desk.server.app.mail.send_due().await;
    assert_eq!((answered_at().await, desk.letters()), (json!("2026-11-20T12:01:00Z"), 1));
    // The letter about the previous state does not count for the next one, whose letter is still delayed.
    desk.answer("accepted").await;
    assert_eq!(answered_at().await, Value::Null);
    desk.server.advance(HELD);
    desk.server.app.mail.send_due().await;
    assert_eq!(answered_at().await, "2026-11-20T12:01:30Z");
}

#[apply(on_both_engines!)]
async fn what_is_refused_is_not_sent(engine: Engine) {
    let desk = Desk::open(engine).await;
    let mut admin = desk.admin.copy();
    for (body, field) in [
        (json!({"kind": "declined", "subject": "", "text": "x"}), "subject"),
        (json!({"kind": "declined", "subject": "a\nBcc: b@c.example", "text": "x"}), "subject"),
        (json!({"kind": "declined", "subject": "x".repeat(121), "text": "x"}), "subject"),
        (json!({"kind": "declined", "subject": "x", "text": " "}), "text"),
        (json!({"kind": "declined", "subject": "x", "text": "x".repeat(10_001)}), "text"),
        (json!({"kind": "maybe", "subject": "x", "text": "x"}), "kind"),
        (json!({"kind": "declined", "subject": "x", "text": "x", "to": "y@z.example"}), "body"),
    ] {
        let refused = admin.post(&desk.path(), body).await;
        assert_eq!(refused.status, 422, "{refused:?}");
        assert!(refused.json()["fields"][field].is_string(), "{field}: {refused:?}");
    }
    let nobody = "/api/admin/desk/demos/00000000-0000-7000-8000-000000000000/answers";
    let body = json!({"kind": "declined", "subject": "x", "text": "x"});
    assert_eq!(admin.post(nobody, body).await.status, 404);
    assert_eq!(admin.post(&format!("{nobody}/preview"), json!({"kind": "declined"})).await.status, 404);
    assert_eq!(
        (desk.standing().await.0.as_str(), desk.server.count("demo_answers WHERE kind <> 'received'").await),
        ("new", 0)
    );
    assert_eq!(desk.server.count("outbox").await, 2);
}

#[apply(on_both_engines!)]
async fn templates_are_edited_on_the_version_that_was_seen(engine: Engine) {
    let desk = Desk::open(engine).await;
    let mut admin = desk.admin.copy();
    let list = admin.get("/api/admin/desk/templates").await.json();
    let kinds: Vec<&str> =
        list["items"].as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["received", "shortlisted", "declined", "accepted"]);
    let path = "/api/admin/desk/templates/declined";
    let body = json!({"subject": " {artist}: {file} ", "text": "{label}\r\nsays no"});
    assert_eq!(admin.send(Method::PUT, path, Some(body.clone())).await.status, 428);
    admin.headers = vec![("if-match".to_owned(), "\"1\"".to_owned())];
    for unknown in ["{name}", "{ARTIST}", "{}", "{{file} {x}"] {
        let refused = admin.send(Method::PUT, path, Some(json!({"subject": "x", "text": unknown}))).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["fields"]["text"]),
            (422, &json!("In braces there can be {artist}, {file} and {label} alone"))
        );
    }
    let of_settings = "events WHERE table_name = 'demos' AND row_key = 'settings'";
    let events = desk.server.count(of_settings).await;
    let changed = admin.send(Method::PUT, path, Some(body.clone())).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(desk.server.count(of_settings).await, events + 1, "open desks hear of it");
    assert_eq!(
        (&changed.json()["subject"], &changed.json()["version"]),
        (&json!("{artist}: {file}"), &json!(2))
    );
    assert_eq!(admin.send(Method::PUT, path, Some(body.clone())).await.status, 412);
    assert_eq!(admin.send(Method::PUT, "/api/admin/desk/templates/other", Some(body)).await.status, 404);
    admin.headers.clear();
    let preview = admin.post(&format!("{}/preview", desk.path()), json!({"kind": "declined"})).await.json();
    assert_eq!(
        (&preview["subject"], &preview["text"]),
        (&json!("Nova & Söhne: set.wav"), &json!("404 COLLECTIVE\nsays no"))
    );
    assert_eq!(desk.server.count("audit_log WHERE target = 'letter_template:declined'").await, 1);
}

#[apply(on_both_engines!)]
async fn a_name_is_put_into_a_letter_as_it_is_and_is_nothing_but_words(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (artist, file) = ("<img src=x onerror=alert(1)> {label}{file}", "{artist} \u{202e}& {label}.wav");
    server.sent_demo(artist, NOVA, file).await;
    let (mut admin, demo) = (server.desk().await, server.only_demo().await);
    let path = format!("/api/admin/desk/demos/{demo}/answers");
    admin.headers = vec![("if-match".to_owned(), "\"1\"".to_owned())];
    let template = json!({"subject": "{artist}", "text": "{file} of {artist}"});
    let changed = admin.send(Method::PUT, "/api/admin/desk/templates/shortlisted", Some(template)).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    admin.headers.clear();
    let filled = admin.post(&format!("{path}/preview"), json!({"kind": "shortlisted"})).await.json();
    assert_eq!(
        (&filled["subject"], &filled["text"]),
        (&json!(artist), &json!(format!("{{artist}} & {{label}}.wav of {artist}")))
    );
    let mails_before = server.mails_to(NOVA).len();
    let body = json!({"kind": "shortlisted", "subject": filled["subject"], "text": filled["text"]});
    assert_eq!(admin.post(&path, body).await.status, 201);
    server.advance(HELD);
    server.app.mail.send_due().await;
    let mail = quoted(&server.mails_to(NOVA)[mails_before]);
    let (_, html) = mail.split_once("text/html").unwrap();
    assert!(!html.contains("<img"), "{html}");
    assert!(html.contains("&#60;img src=x onerror=alert(1)&#62; {label}{file}"), "{html}");
}

#[apply(on_both_engines!)]
async fn admins_hear_of_an_answer_and_of_its_delivery(engine: Engine) {
    let desk = Desk::open(engine).await;
    let events = async || desk.server.count("events WHERE table_name = 'demos' AND op = 'update'").await;
    let before = events().await;
    let answer = desk.answer("received").await.json();
    let written = events().await;
    assert!(written > before);
    assert_eq!(desk.undo(&answer).await.status, 204);
    let undone = events().await;
    assert!(undone > written);
    desk.answer("received").await;
    let again = events().await;
    desk.server.advance(HELD);
    desk.server.app.mail.send_due().await;
    assert!(events().await > again);
}

/// Two instances whose clocks differ: one delivers the letter at the moment the other withdraws it.
#[tokio::test]
async fn a_letter_is_either_delivered_or_undone() {
    let desk = Desk::open(Engine::Postgres).await;
    let other = TestServer::start_beside(&desk.server).await;
    other.advance(HELD + Duration::from_secs(1));
    let (mut left, mut undone) = (0, 0);
    for round in 0..12 {
        let body = json!({"kind": "declined", "subject": format!("{round}"), "text": "x", "again": true});
        let answer = desk.admin.copy().post(&desk.path(), body).await.json();
        let path = format!("/api/admin/desk/answers/{}", answer["id"].as_str().unwrap());
        let mut admin = desk.admin.copy();
        let deliver = async {
            if round % 2 == 0 {
                tokio::task::yield_now().await;
            }
            other.app.mail.send_due().await;
        };
        let (taken, ()) = futures_util::future::join(admin.send(Method::DELETE, &path, None), deliver).await;
        match taken.status.as_u16() {
            204 => undone += 1,
            409 => left += 1,
            _ => panic!("{taken:?}"),
        }
    }
    other.app.mail.send_due().await;
    desk.server.advance(HELD * 2);
    desk.server.app.mail.send_due().await;
    let letters = other.mails_to(NOVA).len() + desk.letters();
    assert_eq!((letters, left + undone), (left, 12));
    assert_eq!(
        desk.server.count("demo_answers WHERE kind <> 'received' AND sent_at IS NOT NULL").await,
        i64::try_from(left).unwrap()
    );
    assert_eq!(
        desk.server.count("demo_answers WHERE kind <> 'received'").await,
        i64::try_from(left).unwrap()
    );
}

/// The instance that took the answer stops while the letter is delayed, and two others deliver.
#[tokio::test]
async fn of_several_instances_one_delivers_also_what_another_has_taken() {
    let desk = Desk::open(Engine::Postgres).await;
    let (one, two) =
        (TestServer::start_beside(&desk.server).await, TestServer::start_beside(&desk.server).await);
    assert_eq!(desk.answer("accepted").await.status, 201);
    let mails_before = desk.letters();
    for server in [&one, &two] {
        server.advance(HELD);
    }
    futures_util::future::join(one.app.mail.send_due(), two.app.mail.send_due()).await;
    assert_eq!(
        (mails_before, one.mails_to(NOVA).len() + two.mails_to(NOVA).len(), desk.letters()),
        (0, 1, 0)
    );
    assert_eq!(one.count("demo_answers WHERE kind <> 'received' AND sent_at IS NOT NULL").await, 1);
}
