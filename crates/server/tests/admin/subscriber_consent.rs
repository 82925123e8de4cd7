//! Consent in the Newsletter tab: asking earlier subscribers, vouching for them, the table, and erasure.

use std::time::Duration;

use deadwax::newsletter::confirmations;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

const SUMMARY: &str = "/api/admin/newsletter/settings";
const CONFIRMATIONS: &str = "/api/admin/newsletter/confirmations";
const VOUCH: &str = "/api/admin/newsletter/vouch";
const HOUR: Duration = Duration::from_hours(1);

impl TestServer {
    /// Subscribers of before, from `fan0@x.example` on.
    async fn insert_subscribers(&self, count: usize) {
        let row = |number| {
            let id = self.id_literal(uuid::Uuid::now_v7());
            format!("({id}, 'fan{number}@x.example', {number}, 1, 1)")
        };
        let rows: Vec<_> = (0..count).map(row).collect();
        self.sql(&format!(
            "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at) VALUES {}",
            rows.join(", ")
        ))
        .await;
    }
}

async fn ids(desk: &mut Browser, q: &str) -> Vec<Value> {
    let page = desk.get(&format!("/api/admin/newsletter?q={q}")).await.json();
    page["items"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
}

#[apply(on_both_engines!)]
async fn everybody_of_before_is_asked_once_as_many_a_day_as_set(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_subscribers(7).await;
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'fan6@x.example'").await;
    let mut desk = server.desk().await;
    let set = desk.patch(SUMMARY, json!({"confirmations_a_day": 4})).await.json();
    assert_eq!((&set["asks_to_confirm"], &set["confirmations_a_day"]), (&json!(true), &json!(4)));
    let before = desk.get(SUMMARY).await.json();
    assert_eq!(
        (&before["unconfirmed"], &before["not_asked"], &before["waiting"]),
        (&json!(6), &json!(6), &json!(0))
    );

    assert_eq!(desk.post(CONFIRMATIONS, json!({})).await.json(), json!({"changed": 6}));
    assert_eq!(desk.post_another(CONFIRMATIONS, json!({})).await.json(), json!({"changed": 0}));
    server.wait_until("the day's confirmations", async || server.count("outbox").await == 4).await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0, "the day is used up");
    let now = desk.get(SUMMARY).await.json();
    assert_eq!((&now["not_asked"], &now["waiting"]), (&json!(0), &json!(2)));
    assert_eq!(server.count("audit_log WHERE target = 'newsletter_confirmations:6'").await, 1);

    server.advance(HOUR * 24);
    // Perhaps beside the sending that the last call began.
    confirmations::send_due(&server.app).await.unwrap();
    server.wait_until("the next day's confirmations", async || server.count("outbox").await == 6).await;
    assert_eq!(desk.post_another(CONFIRMATIONS, json!({})).await.json(), json!({"changed": 0}), "once each");

    // A chosen one of the first day again, within the bounds of its mailbox.
    let chosen = ids(&mut desk, "fan5").await;
    assert_eq!(desk.post(CONFIRMATIONS, json!({"ids": chosen})).await.json(), json!({"changed": 1}));
    server.wait_until("the chosen one", async || server.count("outbox").await == 7).await;
}

#[apply(on_both_engines!)]
async fn a_new_subscriber_does_not_wait_behind_those_of_before(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_subscribers(6).await;
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 0").await;
    server
        .sql("UPDATE newsletter_subscriptions SET ask_at = 1, subscribed_at = 1000 WHERE email = 'fan0@x.example'")
        .await;
    server.desk().await.patch(SUMMARY, json!({"confirmations_a_day": 4})).await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 4);
    let asked = "newsletter_subscriptions WHERE email = 'fan0@x.example' AND asked_at IS NOT NULL";
    assert_eq!(server.count(asked).await, 1);
}

#[apply(on_both_engines!)]
async fn a_new_subscriber_does_not_wait_for_the_next_day_of_those_of_before(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_subscribers(203).await;
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 0").await;
    server.desk().await.patch(SUMMARY, json!({"confirmations_a_day": 200})).await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 200);
    let imported = "proof = '{\"imported\":{\"file\":\"a.csv\"}}'";
    server
        .sql(&format!("UPDATE newsletter_subscriptions SET {imported} WHERE email = 'fan1@x.example'"))
        .await;
    let mut visitor = server.browser();
    // Two of before use the form too; one presses twice.
    for email in ["new@x.example", "fan0@x.example", "fan1@x.example", "fan1@x.example"] {
        let answer = visitor.post("/api/newsletter", json!({"subscriber_email": email})).await;
        assert_eq!(answer.status, 200);
    }
    let asked = "newsletter_subscriptions WHERE asked_at IS NOT NULL";
    assert_eq!(server.count(asked).await, 200, "the hour is used up");
    server.advance(HOUR);
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 3);
    let of_form = format!("{asked} AND subscribed_at > 1000000");
    assert_eq!(server.count(&of_form).await, 3);
    let proof = "proof LIKE '{\"imported\":{\"file\":\"a.csv\"},\"subscribed\":{%' AND proof NOT LIKE '%\"subscribed\":%\"subscribed\":%'";
    assert_eq!(server.count(&format!("{of_form} AND {proof}")).await, 1);
}

#[apply(on_both_engines!)]
async fn two_hundred_an_hour_and_other_mail_goes_between(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_subscribers(203).await;
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 0").await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 200);
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0);
    // Half a second apart: only the first is due at once.
    assert_eq!(
        server.count("outbox WHERE next_try_at <= (SELECT MIN(next_try_at) FROM outbox) + 99500000").await,
        200
    );
    server.advance(HOUR);
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 3);
    assert_eq!(
        server.count("newsletter_subscriptions WHERE asked_at IS NOT NULL AND ask_at IS NULL").await,
        203
    );
}

#[apply(on_both_engines!)]
async fn without_a_mail_server_confirmations_wait(engine: Engine) {
    let server = TestServer::start_with(engine, |settings| {
        settings.public_url = Some("https://label.example".parse().unwrap())
    })
    .await;
    server.insert_subscribers(2).await;
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 0").await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0);
    server.advance(HOUR * 24 * 365);
    confirmations::prune(&server.app, server.app.clock.now()).await.unwrap();
    let waiting = "newsletter_subscriptions WHERE ask_at IS NOT NULL AND asked_at IS NULL";
    assert_eq!((server.count(waiting).await, server.count("outbox").await), (2, 0));
}

#[apply(on_both_engines!)]
async fn two_instances_ask_each_once(engine: Engine) {
    if engine != Engine::Postgres {
        return;
    }
    let server = TestServer::start(engine).await;
    let other = TestServer::start_beside(&server).await;
    server.insert_subscribers(30).await;
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 0").await;
    let (one, two) = tokio::join!(confirmations::send_due(&server.app), confirmations::send_due(&other.app));
    assert_eq!(one.unwrap() + two.unwrap(), 30);
    assert_eq!((server.count("newsletter_letters").await, server.count("outbox").await), (30, 30));
}

#[apply(on_both_engines!)]
async fn an_admin_vouches_with_a_sentence_that_is_kept(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_subscribers(4).await;
    server.sql("UPDATE newsletter_subscriptions SET suppressed = TRUE WHERE email = 'fan3@x.example'").await;
    let mut desk = server.desk().await;
    for (sentence, code) in [("", "sentence_too_short"), ("yes", "sentence_too_short")] {
        let refused = desk.post(VOUCH, json!({"sentence": sentence})).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains(code), "{refused:?}");
    }
    let too_many = vec!["00000000-0000-7000-8000-000000000000"; 401];
    assert_eq!(
        desk.post(VOUCH, json!({"sentence": "On paper, in 2019.", "ids": too_many})).await.status,
        422
    );
    assert_eq!(server.count("newsletter_subscriptions WHERE consent <> 'unconfirmed'").await, 0);

    let chosen = ids(&mut desk, "fan1").await;
    let body = json!({"sentence": " They \"signed\" on paper,\n at the fair. ", "ids": chosen});
    assert_eq!(desk.post(VOUCH, body).await.json(), json!({"changed": 1}));
    let audit = "audit_log WHERE event = 'consent_vouch' AND target = ";
    assert_eq!(
        server.count(&format!("{audit}'newsletter:1 They \"signed\" on paper, at the fair.'")).await,
        1
    );
    assert_eq!(desk.post(VOUCH, json!({"sentence": "In the old shop."})).await.json(), json!({"changed": 2}));
    assert_eq!(
        desk.post_another(VOUCH, json!({"sentence": "In the old shop."})).await.json(),
        json!({"changed": 0}),
        "the suppressed one needs its own confirmation"
    );

    let page = desk.get("/api/admin/newsletter?state=vouched&sort=email").await.json();
    let emails: Vec<_> = page["items"].as_array().unwrap().iter().map(|row| row["email"].clone()).collect();
    assert_eq!(emails, ["fan0@x.example", "fan1@x.example", "fan2@x.example"]);
    assert_eq!(page["items"][0]["consent"], "vouched");
    assert_eq!(desk.get("/api/admin/newsletter?state=unconfirmed").await.json()["total"], 1);

    let file = desk.get("/api/admin/newsletter/export.csv").await;
    assert_eq!(
        file.header("content-disposition"),
        "attachment; filename=\"newsletter-consent-2026-11-20.csv\""
    );
    assert_eq!(server.count("audit_log WHERE target = 'newsletter_consent:4'").await, 1);
    let table = file.text();
    let mut reader = csv::Reader::from_reader(table.trim_start_matches('\u{feff}').as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    let proof: Value = serde_json::from_str(&rows[1][6]).unwrap();
    assert_eq!(proof["vouched"]["sentence"], "They \"signed\" on paper, at the fair.");
    assert_eq!((&rows[3][3], &rows[3][6]), ("unconfirmed", "{}"));
}

#[apply(on_both_engines!)]
async fn a_press_for_a_long_list_keeps_its_first_rows_when_it_fails_and_another_goes_on(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_subscribers(1001).await;
    let mut desk = server.desk().await;
    desk.patch(SUMMARY, json!({"confirmations_a_day": 1})).await;
    for (path, body, done, target) in [
        (CONFIRMATIONS, json!({}), "ask_at IS NOT NULL OR asked_at IS NOT NULL", "newsletter_confirmations:"),
        (VOUCH, json!({"sentence": "In the old shop."}), "consent = 'vouched'", "newsletter:"),
    ] {
        let done = format!("newsletter_subscriptions WHERE {done}");
        server.refuse("UPDATE", "newsletter_subscriptions", "NEW.email = 'fan1000@x.example'").await;
        assert_eq!(desk.post(path, body.clone()).await.status, 500, "{path}");
        assert_eq!(server.count(&done).await, 1000, "{path}");
        server.refuse_no_more().await;
        assert_eq!(desk.post_another(path, body).await.json(), json!({"changed": 1}), "{path}");
        assert_eq!(server.count(&done).await, 1001, "{path}");
        for rows in [1000, 1] {
            let entry =
                format!("audit_log WHERE target LIKE '{target}{rows} %' OR target = '{target}{rows}'");
            assert_eq!(server.count(&entry).await, 1, "{entry}");
        }
    }
}

#[apply(on_both_engines!)]
async fn the_longest_sentence_may_stand_for_the_most_subscribers(engine: Engine) {
    let server = TestServer::start(engine).await;
    let body = json!({"sentence": "ж".repeat(500), "ids": vec![uuid::Uuid::now_v7(); 400]});
    let answer = server.desk().await.post(VOUCH, body).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"changed": 0})));
}

#[apply(on_both_engines!)]
async fn settings_out_of_bounds_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for number in [json!(0), json!(4801), json!(-1)] {
        let refused = desk.patch(SUMMARY, json!({"confirmations_a_day": number})).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains("invalid_confirmations_a_day"), "{refused:?}");
    }
    assert_eq!(server.count("newsletter_settings").await, 0);
    assert_eq!(desk.get(SUMMARY).await.json()["settings"]["confirmations_a_day"], 500);
}

#[apply(on_both_engines!)]
async fn an_erased_address_leaves_no_trace_but_its_suppression(engine: Engine) {
    let server = TestServer::start(engine).await;
    for email in ["goes@x.example", "stays@x.example"] {
        assert_eq!(
            server.browser().post("/api/newsletter", json!({"subscriber_email": email})).await.status,
            200
        );
    }
    assert_eq!(server.mails().len(), 2);
    let mut desk = server.desk().await;
    let id = ids(&mut desk, "goes").await[0].as_str().unwrap().to_owned();
    assert_eq!(desk.delete(&format!("/api/admin/newsletter/{id}")).await.status, 204);
    assert!(server.mails_to("goes@x.example").is_empty());
    assert_eq!((server.mails().len(), server.count("outbox").await), (1, 1));
    assert_eq!(server.count("newsletter_letters").await, 1);
    assert_eq!(server.count("suppressions WHERE reason = 'erased'").await, 1);
    assert_eq!(server.findings().await, Vec::<String>::new());
    server.sql("DELETE FROM installation WHERE name = 'suppression_key'").await;
    assert_eq!(
        server.findings().await,
        ["suppressions: their key is missing, so that they match no address"]
    );
}
