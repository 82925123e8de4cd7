//! The undo of an import of subscribers, and people who have acted since.

use std::time::Duration;

use deadwax::newsletter::returned::{Received, receive};
use deadwax_mail::returned::recipient_token;
use macro_rules_attribute::apply;
use serde_json::json;
use uuid::Uuid;

use super::{CONFIRMED, PATH, imported, send};
use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, change, people::Browser},
};

async fn undo(desk: &mut Browser, import: &serde_json::Value) -> Answer {
    desk.post_another(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await
}

#[apply(on_both_engines!)]
async fn an_undo_leaves_what_people_did_themselves(engine: Engine) {
    let server = TestServer::start(engine).await;
    for fan in ["ended", "came", "went", "asked"] {
        server.fan(&format!("{fan}@x.example"), "consent = 'confirmed'").await;
    }
    // Came back before without confirming, so that the address is suppressed still.
    server.fan_leaves("asked@x.example").await;
    server.subscribes("asked@x.example").await;
    assert!(server.fan_is("asked@x.example", "active AND suppressed").await);
    let mut desk = server.desk().await;
    let list = format!(
        "email,status,confirmed_at\n\
         a@x.example,,{CONFIRMED}\nb@x.example,,\nleaves@x.example,,{CONFIRMED}\njoins@x.example,,{CONFIRMED}\n\
         vouched@x.example,,\nended@x.example,unsubscribed,\ncame@x.example,cleaned,\nwent@x.example,cleaned,\n\
         asked@x.example,unsubscribed,\nstranger@x.example,unsubscribed,\nlater@x.example,unsubscribed,\n"
    );
    let import = imported(&server, &desk, ("fans.csv", list.as_bytes())).await;
    assert_eq!((&import["ended"], &import["suppressed"]), (&json!(4), &json!(5)), "{import}");

    server.advance(Duration::from_secs(3600));
    server.fan_leaves("leaves@x.example").await;
    server.fan_leaves("went@x.example").await;
    assert!(server.fan_is("went@x.example", "NOT active AND inactive_reason = 'left'").await);
    server.subscribes("joins@x.example").await;
    server.subscribes("came@x.example").await;
    let chosen = desk.get("/api/admin/newsletter?q=vouched").await.json()["items"][0]["id"].clone();
    let sentence = json!({"sentence": "They agreed on paper at the fair.", "ids": [chosen]});
    assert_eq!(desk.post("/api/admin/newsletter/vouch", sentence).await.json()["changed"], 1);
    // A confirmation mail is on its way to one of those that are deleted.
    let asked = desk.get("/api/admin/newsletter?q=b@x").await.json()["items"][0]["id"].clone();
    desk.post("/api/admin/newsletter/confirmations", json!({"ids": [asked]})).await;
    server.wait_until("it is asked", async || server.mails_to("b@x.example").len() == 1).await;

    let undone = undo(&mut desk, &import).await;
    assert_eq!(undone.status, 200, "{undone:?}");
    assert_eq!(undone.json(), json!({"deleted": 3, "restored": 2, "left": 4}));
    let target = format!("newsletter_import:{}", import["id"].as_str().unwrap());
    for (event, target) in [("delete", target.clone()), ("update", target + " 3 deleted, 2 restored")] {
        let noted = format!("audit_log WHERE event = 'sensitive_{event}' AND target = '{target}'");
        assert_eq!(server.count(&noted).await, 1, "{noted}");
    }
    for gone in ["a", "b", "vouched"] {
        let row = format!("newsletter_subscriptions WHERE email = '{gone}@x.example'");
        assert_eq!(server.count(&row).await, 0, "{gone}");
    }
    assert!(server.mails_to("b@x.example").is_empty(), "nothing about the address is left");
    assert_eq!(server.count("newsletter_letters WHERE subscription_id IS NULL").await, 0);
    assert!(
        server.fan_is("leaves@x.example", "NOT active AND inactive_reason = 'left' AND suppressed").await
    );
    assert!(server.fan_is("joins@x.example", "active AND consent = 'confirmed'").await);
    assert!(server.fan_is("came@x.example", "active AND consent = 'unconfirmed' AND suppressed").await);
    assert!(server.fan_is("went@x.example", "NOT active AND inactive_reason = 'left' AND suppressed").await);
    assert!(server.fan_is("ended@x.example", "active AND inactive_reason IS NULL AND NOT suppressed").await);
    assert!(server.fan_is("asked@x.example", "active AND consent = 'unconfirmed' AND suppressed").await);
    // Of themselves: asked, leaves, went.
    assert_eq!(server.count("suppressions").await, 3);
    assert_eq!(server.count("suppressions WHERE added_by IS NOT NULL").await, 0);

    let twice = undo(&mut desk, &import).await;
    assert_eq!((twice.status.as_u16(), twice.problem().as_str()), (409, "import_already_undone"));
    let listed = desk.get(PATH).await.json();
    assert!(listed["items"][0]["undone_at"].is_string() && listed["items"][0]["can_be_undone"] == false);
}

#[apply(on_both_engines!)]
async fn an_admin_who_is_dismissed_while_an_undo_waits_undoes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let import = imported(&server, &desk, ("a.csv", b"email\na@x.example\n")).await;
    let max = server.admin("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    let turn = deadwax::imports::take_turn(&server.app).await.unwrap();
    let waiting = tokio::spawn(async move { undo(&mut browser, &import).await });
    let let_in = async || server.count("session_tokens WHERE first_used_at IS NOT NULL").await == 2;
    server.wait_until("both admins are let in", let_in).await;
    server.sql("UPDATE admin_users SET active = FALSE").await;
    drop(turn);
    let refused = waiting.await.unwrap();
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(server.count("newsletter_subscriptions").await, 1);
    assert_eq!(server.count("audit_log WHERE event = 'sensitive_delete'").await, 0);
}

/// Undoes an import at one instance while its second of three batches is being written at another: before that batch is counted, or
/// just after it. Returns both answers, of the import first.
async fn undone_elsewhere(is_counted: bool) -> (TestServer, Answer, Answer) {
    let server = TestServer::start(Engine::Postgres).await;
    let other = TestServer::start_beside(&server).await;
    let boss = server.admin("boss_404").await;
    let (desk, mut elsewhere) = (server.signed_in(&boss).await, other.signed_in(&boss).await);
    let addresses: Vec<_> = (0..2500).map(|number| format!("fan{number}@x.example")).collect();
    let list = format!("email\n{}\n", addresses.join("\n"));
    let mut address = server.app.db.begin().await.unwrap();
    change(
        &mut address,
        "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at) \
         VALUES (gen_random_uuid(), 'fan1500@x.example', 1, 1, 1)",
    )
    .await;
    let waits = async |count: i64| {
        let writes = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' \
            AND query LIKE 'UPDATE subscriber_imports%'";
        server.wait_until("it waits", async || server.count(writes).await >= count).await;
    };
    let undoing = async {
        server.wait_for_locks(1).await;
        let import = elsewhere.get(PATH).await.json()["items"][0].clone();
        if !is_counted {
            let undone = undo(&mut elsewhere, &import).await;
            drop(address);
            return undone;
        }
        let mut row = server.app.db.begin().await.unwrap();
        change(&mut row, "SELECT id FROM subscriber_imports FOR UPDATE").await;
        drop(address);
        waits(1).await;
        let let_go = async {
            waits(2).await;
            drop(row);
        };
        tokio::join!(undo(&mut elsewhere, &import), let_go).0
    };
    let importing = send(&server, &desk, PATH, ("fans.csv", list.as_bytes()));
    let (imported, undone) = tokio::join!(importing, undoing);
    (server, imported, undone)
}

#[tokio::test]
async fn an_import_that_runs_at_another_instance_ends_with_its_undo() {
    let (server, imported, undone) = undone_elsewhere(false).await;
    assert_eq!(undone.json(), json!({"deleted": 1000, "restored": 0, "left": 0}));
    assert_eq!((imported.status.as_u16(), imported.problem().as_str()), (409, "import_already_undone"));
    assert_eq!(server.count("newsletter_subscriptions").await, 0);
}

#[tokio::test]
async fn an_undo_takes_back_what_another_instance_adds_until_then() {
    let (server, _, undone) = undone_elsewhere(true).await;
    assert_eq!(undone.json()["left"], 0, "{undone:?}");
    assert_eq!(server.count("newsletter_subscriptions").await, 0);
    assert_eq!(server.count("subscriber_imports WHERE undone_at IS NULL").await, 0);
}

#[apply(on_both_engines!)]
async fn imports_are_undone_from_the_newest_within_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let first = imported(&server, &desk, ("a.csv", b"email,status\na@x.example,\nb@x.example,left\n")).await;
    server.advance(Duration::from_secs(60));
    let second =
        imported(&server, &desk, ("b.csv", b"email,status\na@x.example,left\nb@x.example,left\n")).await;
    assert_eq!((&second["ended"], &second["suppressed"]), (&json!(1), &json!(1)));
    let refused = undo(&mut desk, &first).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (409, "subscribers_undo_newer_first"));
    assert_eq!(undo(&mut desk, &second).await.json(), json!({"deleted": 0, "restored": 1, "left": 0}));
    assert!(server.fan_is("a@x.example", "active AND NOT suppressed").await);
    assert_eq!(undo(&mut desk, &first).await.json(), json!({"deleted": 1, "restored": 0, "left": 0}));
    assert_eq!((server.count("newsletter_subscriptions").await, server.count("suppressions").await), (0, 0));

    let late = imported(&server, &desk, ("c.csv", b"email\na@x.example\n")).await;
    server.advance(Duration::from_hours(24));
    let refused = undo(&mut desk, &late).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (409, "import_undo_too_late"));
    deadwax::newsletter::imports::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("subscriber_imports").await, 3);
    server.advance(Duration::from_hours(24 * 30));
    deadwax::newsletter::imports::prune(&server.app.db, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("subscriber_imports").await, 0);
}

#[apply(on_both_engines!)]
async fn an_undo_does_not_restore_an_address_that_is_gone(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.fan("gone@x.example", "consent = 'confirmed'").await;
    let (letter, row) = (server.id_literal(Uuid::now_v7()), Uuid::now_v7());
    server
        .sql(&format!(
            "INSERT INTO letters (id, subject, state, created_at, updated_at) VALUES ({letter}, 'A record', 'sent', 1, 1)"
        ))
        .await;
    server
        .sql(&format!(
            "INSERT INTO letter_recipients (id, letter_id, subscription_id, state, next_try_at, sent_at, ended_at) \
             SELECT {}, {letter}, id, 'sent', 1, 1, 1 FROM newsletter_subscriptions",
            server.id_literal(row)
        ))
        .await;
    let mut desk = server.desk().await;
    let import = imported(&server, &desk, ("fans.csv", b"email,status\ngone@x.example,unsubscribed\n")).await;
    assert_eq!(import["ended"], json!(1), "{import}");

    server.advance(Duration::from_secs(60));
    let report = format!(
        "To: bounces+{}@label.example\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; gone@x.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n",
        recipient_token(&server.app.keys, row)
    );
    let app = &server.app;
    let received =
        receive(&app.db, &app.keys, "bounces@label.example", report.as_bytes(), app.clock.now()).await;
    assert_eq!(received.unwrap(), Received::Gone);
    assert_eq!(undo(&mut desk, &import).await.json(), json!({"deleted": 0, "restored": 0, "left": 1}));
    assert!(
        server.fan_is("gone@x.example", "NOT active AND inactive_reason = 'bounced' AND suppressed").await
    );
}

async fn comes_back(server: &TestServer, email: &str) {
    let link = format!("{}/newsletter/leave/{}", server.base, server.leave_token(email).await);
    server.client.post(link).body("come_back=yes").send().await.unwrap();
}

#[apply(on_both_engines!)]
async fn a_person_whom_an_import_has_ended_has_nothing_to_come_back_to(engine: Engine) {
    let server = TestServer::start(engine).await;
    let fans = ["soon@x.example", "late@x.example"];
    for fan in fans {
        server.fan(fan, "consent = 'confirmed'").await;
    }
    let desk = server.desk().await;
    let list = b"email,status\nsoon@x.example,unsubscribed\nlate@x.example,unsubscribed\n";
    imported(&server, &desk, ("fans.csv", list)).await;
    for (fan, seconds) in fans.into_iter().zip([10, 3600]) {
        server.advance(Duration::from_secs(seconds));
        server.fan_leaves(fan).await;
        comes_back(&server, fan).await;
        assert!(server.fan_is(fan, "NOT active AND inactive_reason = 'left' AND suppressed").await, "{fan}");
    }
    assert_eq!(server.count("suppressions").await, 2);
}

#[apply(on_both_engines!)]
async fn coming_back_does_not_lift_the_suppression_of_an_import(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.fan("max@x.example", "consent = 'confirmed'").await;
    let desk = server.desk().await;
    imported(&server, &desk, ("fans.csv", b"email,status\nmax@x.example,unsubscribed\n")).await;
    server.advance(Duration::from_secs(3600));
    server.subscribes("max@x.example").await;
    server.fan_leaves("max@x.example").await;
    assert!(server.fan_is("max@x.example", "NOT active").await);
    comes_back(&server, "max@x.example").await;
    assert!(server.fan_is("max@x.example", "active AND suppressed").await);
    assert_eq!(server.count("suppressions").await, 1);
}
