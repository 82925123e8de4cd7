//! Consent to the newsletter: the confirmation mail and its bounds, leaving and coming back.

use std::time::Duration;

use deadwax::newsletter::confirmations;
use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer},
};

const DAY: Duration = Duration::from_hours(24);
const MAX: &str = "max@example.org";
const OF_MAX: &str = "newsletter_subscriptions WHERE email = 'max@example.org' AND ";

/// The path of the confirmation link in a mail.
fn link_in(mail: &str) -> String {
    let (_, rest) = mail.split_once("/newsletter/confirm/").unwrap_or_else(|| panic!("no link in {mail}"));
    let token: String =
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    format!("/newsletter/confirm/{token}")
}

fn step(answer: &Answer) -> String {
    let text = answer.text();
    let (_, rest) = text.split_once("{\"url\":\"/newsletter/step\",\"body\":\"").expect("a page with a step");
    rest.split('"').next().unwrap().to_owned()
}

impl TestServer {
    async fn joins(&self, email: &str) {
        let answer = self.browser().post("/api/newsletter", json!({"subscriber_email": email})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["message"], "You have been added to the encrypted channel.");
    }

    /// As a mail program posts: no cookie, no origin of ours.
    async fn posts(&self, path: &str, kind: Option<&str>, body: &'static str) -> Answer {
        let mut request =
            self.client.post(format!("{}{path}", self.base)).header("origin", "https://mail.example");
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        Answer::read(request.body(body).send().await.unwrap()).await
    }

    async fn way_out(&self, email: &str) -> String {
        let sql = "SELECT leave_token FROM newsletter_subscriptions WHERE email = $1";
        let token: String = match &self.app.db {
            deadwax_store::db::Db::Sqlite { read, .. } => {
                sqlx::query_scalar(sql).bind(email).fetch_one(read).await.unwrap()
            }
            deadwax_store::db::Db::Postgres { pool, .. } => {
                sqlx::query_scalar(sql).bind(email).fetch_one(pool).await.unwrap()
            }
        };
        assert_eq!(token.len(), 32);
        format!("/newsletter/leave/{token}")
    }

    async fn max_is(&self, state: &str) -> bool {
        self.count(&format!("{OF_MAX}{state}")).await == 1
    }
}

#[apply(on_both_engines!)]
async fn a_new_address_is_asked_once_and_confirms_by_a_press(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.joins(MAX).await;
    let [mail] = server.mails_to(MAX).try_into().unwrap();
    assert!(mail.contains("Auto-Submitted: auto-generated"), "{mail}");
    let link = link_in(&mail);
    assert!(server.max_is("active AND consent = 'unconfirmed' AND confirmed_at IS NULL").await);

    for _ in 0..2 {
        let page = server.get(&link).await;
        assert_eq!((page.status.as_u16(), step(&page).as_str()), (200, "confirm"));
        assert_eq!((page.header("cache-control"), page.header("x-robots-tag")), ("no-store", "noindex"));
    }
    assert!(server.max_is("consent = 'unconfirmed' AND version = 1").await, "looking changes nothing");

    server.advance(Duration::from_secs(60));
    for kind in [Some("application/x-www-form-urlencoded"), None] {
        let done = server.posts(&link, kind, "").await;
        assert_eq!((done.status.as_u16(), step(&done).as_str()), (200, "confirmed"));
        assert!(server.max_is("active AND consent = 'confirmed' AND version = 2").await);
    }
    assert_eq!(step(&server.get(&link).await), "confirmed");
    // Known now: subscribing again asks nothing.
    server.advance(DAY * 3);
    server.joins(MAX).await;
    assert_eq!(server.mails().len(), 1);

    let mut desk = server.desk().await;
    let table = desk.get("/api/admin/newsletter/export.csv").await.text();
    let mut reader = csv::Reader::from_reader(table.trim_start_matches('\u{feff}').as_bytes());
    let row = reader.records().next().unwrap().unwrap();
    assert_eq!((&row[0], &row[1], &row[3]), (MAX, "true", "confirmed"));
    let proof: Value = serde_json::from_str(&row[6]).unwrap();
    let form = &proof["subscribed"];
    assert_eq!((&form["form"], &form["page"]), (&json!("newsletter"), &json!("/")));
    assert_eq!(
        (&form["words"][0], &form["words"][2]),
        (&json!("JOIN THE TRANSMISSION"), &json!("SUBSCRIBE"))
    );
    assert_eq!(
        (&form["at"], &proof["confirmed"]["at"]),
        (&json!("2026-11-20T12:00:00Z"), &json!("2026-11-20T12:01:00Z"))
    );
    assert_eq!(proof["confirmed"]["words"][0], "CONFIRM YOUR ADDRESS");
    assert!(!row[6].contains("127.0.0"), "{}", &row[6]);
}

#[apply(on_both_engines!)]
async fn a_mailbox_is_asked_once_a_day_and_three_times(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (days, mails) in [(0, 1), (0, 1), (1, 2), (1, 3), (1, 3), (85, 3), (5, 4)] {
        server.advance(DAY * days);
        server.joins(MAX).await;
        // A tag does not make another mailbox.
        server.joins("max+tag@example.org").await;
        assert_eq!(server.mails().len(), mails, "after another {days} days");
    }
    // Each mail of one subscription holds the same link, so the first one still works.
    let links: Vec<String> = server.mails_to(MAX).iter().map(|mail| link_in(mail)).collect();
    assert!(links.iter().all(|link| *link == links[0]), "{links:?}");
}

#[apply(on_both_engines!)]
async fn an_address_that_has_had_three_mails_and_begins_anew_is_asked_later(engine: Engine) {
    let server = TestServer::start(engine).await;
    for _ in 0..3 {
        server.joins(MAX).await;
        server.advance(DAY);
    }
    let links: Vec<String> = server.mails_to(MAX).iter().map(|mail| link_in(mail)).collect();
    assert_eq!(links.len(), 3);
    // An admin's further mail comes too late for the working link, and does not keep the address longer.
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 1").await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0);
    assert!(server.max_is("asked_at IS NOT NULL AND ask_at IS NULL").await);

    server.posts(&links[0], None, "").await;
    server.posts(&server.way_out(MAX).await, None, "").await;
    server.joins(MAX).await;
    assert!(server.max_is("active AND consent = 'unconfirmed' AND asked_at IS NULL").await);
    server.advance(DAY * 88);
    confirmations::prune(&server.app, server.app.clock.now()).await.unwrap();
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0);
    server.advance(DAY);
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 1);
    assert!(!links.contains(&link_in(server.mails_to(MAX).last().unwrap())));
    let unsent = "newsletter_letters WHERE sent_at IS NULL";
    server.wait_until("it is sent", async || server.count(unsent).await == 0).await;
    server.advance(DAY * 30 + Duration::from_secs(1));
    confirmations::prune(&server.app, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("newsletter_subscriptions").await, 0);
}

#[apply(on_both_engines!)]
async fn an_address_whose_mails_fail_is_asked_three_times_and_then_forgotten(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.joins(MAX).await;
    // The label's number of a day is used up by those of before, for whom the form's visitors do not wait.
    server.joins("fan@example.org").await;
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'fan@example.org'").await;
    server.desk().await.patch("/api/admin/newsletter/settings", json!({"confirmations_a_day": 1})).await;
    for mails in 1..=3 {
        server.wait_until("the mail", async || server.mails_to(MAX).len() == mails).await;
        let now = server.app.clock.now();
        server.sql(&format!("UPDATE outbox SET sent_at = NULL, dead_at = {now}, last_error = '550'")).await;
        assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0, "once a day");
        server.advance(DAY);
        let now = server.app.clock.now();
        server
            .sql(&format!(
                "UPDATE newsletter_subscriptions SET asked_at = {now} WHERE email = 'fan@example.org'"
            ))
            .await;
        assert_eq!(confirmations::send_due(&server.app).await.unwrap(), u32::from(mails < 3));
    }
    assert!(server.max_is("asked_at IS NOT NULL AND ask_at IS NULL").await);
    server.advance(DAY * 30);
    confirmations::prune(&server.app, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count(&format!("newsletter_subscriptions WHERE email = '{MAX}'")).await, 0);
}

#[apply(on_both_engines!)]
async fn a_visitor_of_the_form_who_is_asked_again_waits_for_the_daily_number(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.desk().await.patch("/api/admin/newsletter/settings", json!({"confirmations_a_day": 1})).await;
    server.joins(MAX).await;
    server.advance(DAY);
    server.joins("fan@example.org").await;
    server.sql("UPDATE newsletter_subscriptions SET ask_at = 1 WHERE email = 'max@example.org'").await;
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0, "the number is used up");
    server.advance(DAY);
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 1);
}

#[apply(on_both_engines!)]
async fn unconfirmed_addresses_are_erased_and_those_never_asked_are_kept(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.joins(MAX).await;
    let link = link_in(&server.mails()[0]);
    server.joins("zoe@example.org").await;
    server.posts(&link_in(&server.mails_to("zoe@example.org")[0]), None, "").await;
    let id = server.id_literal(uuid::Uuid::now_v7());
    server
        .sql(&format!(
            "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at) \
             VALUES ({id}, 'old@example.org', 1, 1, 1)"
        ))
        .await;
    server.advance(DAY * 30);
    let expired = server.posts(&link, None, "").await;
    assert_eq!((expired.status, step(&expired).as_str()), (StatusCode::NOT_FOUND, "expired"));
    confirmations::prune(&server.app, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count("newsletter_subscriptions").await, 3, "not before the 30 days are over");
    server.advance(Duration::from_secs(1));
    confirmations::prune(&server.app, server.app.clock.now()).await.unwrap();
    assert_eq!(server.count(&format!("{OF_MAX}active")).await, 0);
    assert_eq!(server.count("suppressions").await, 0, "the address is forgotten");
    assert_eq!(
        (server.count("newsletter_subscriptions").await, server.count("newsletter_letters").await),
        (2, 1)
    );
    assert!(server.mails_to(MAX).is_empty(), "captured mail goes with the address");
    assert_eq!(server.get(&link).await.status, 404);
}

#[apply(on_both_engines!)]
async fn a_link_that_nobody_was_given_says_so_and_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.joins(MAX).await;
    for token in ["x", "%00", &"A".repeat(43), "%ff", "a%2fb"] {
        for answer in [
            server.get(&format!("/newsletter/confirm/{token}")).await,
            server.posts(&format!("/newsletter/confirm/{token}"), None, "").await,
        ] {
            assert_eq!((answer.status.as_u16(), step(&answer).as_str()), (404, "expired"), "{token}");
            assert!(answer.text().contains("This link is no longer good"));
        }
        let way_out = format!("/newsletter/leave/{token}");
        assert_eq!(step(&server.get(&way_out).await), "leave");
        assert_eq!(step(&server.posts(&way_out, None, "").await), "left");
        assert_eq!(step(&server.posts(&way_out, None, "come_back=yes").await), "late");
    }
    assert!(server.max_is("active AND consent = 'unconfirmed' AND version = 1").await);
    assert_eq!(server.count("suppressions").await, 0);
}

#[apply(on_both_engines!)]
async fn a_mail_program_leaves_by_one_post(engine: Engine) {
    let server = TestServer::start(engine).await;
    let multipart =
        "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
    for (kind, body) in [
        ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
        ("multipart/form-data; boundary=x", multipart),
    ] {
        server.joins(MAX).await;
        let way_out = server.way_out(MAX).await;
        assert_eq!(step(&server.get(&way_out).await), "leave");
        assert!(server.max_is("active").await, "a GET changes nothing");
        let unknown =
            server.posts("/newsletter/leave/00000000000000000000000000000000", Some(kind), body).await;
        assert!(server.max_is("active").await);
        for _ in 0..3 {
            let gone = server.posts(&way_out, Some(kind), body).await;
            assert_eq!((gone.status.as_u16(), gone.bytes.len()), (200, 0));
            assert!(gone.headers.get("set-cookie").is_none() && gone.headers.get("location").is_none());
            let names = |answer: &Answer| answer.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(names(&gone), names(&unknown));
        }
        assert!(server.max_is("NOT active AND inactive_reason = 'left' AND suppressed").await);
        assert_eq!(server.count("suppressions WHERE reason = 'left'").await, 1);
    }
    // As often as mail programs like.
    let many = futures_util::future::join_all((0..100).map(|_| {
        server.posts(
            "/newsletter/leave/x",
            Some("application/x-www-form-urlencoded"),
            "List-Unsubscribe=One-Click",
        )
    }));
    assert!(many.await.iter().all(|answer| answer.status == 200));
}

#[apply(on_both_engines!)]
async fn coming_back_within_a_minute_restores_everything(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.joins(MAX).await;
    let (link, way_out) = (link_in(&server.mails()[0]), server.way_out(MAX).await);
    server.posts(&link, None, "").await;
    let left = server.posts(&way_out, Some("application/x-www-form-urlencoded"), "").await;
    assert_eq!((left.status.as_u16(), step(&left).as_str()), (200, "left"));
    assert!(left.text().contains("YOU ARE OFF THE LIST."));
    assert_eq!(step(&server.get(&link).await), "expired", "the old link opens nothing for one who left");
    server.advance(Duration::from_secs(59));
    for _ in 0..2 {
        let back = server.posts(&way_out, Some("application/x-www-form-urlencoded"), "come_back=yes").await;
        assert_eq!(step(&back), "back", "twice is fine");
    }
    assert!(
        server
            .max_is("active AND consent = 'confirmed' AND inactive_reason IS NULL AND NOT suppressed")
            .await
    );
    assert_eq!(
        (server.count("suppressions").await, step(&server.get(&link).await)),
        (0, "confirmed".to_owned())
    );

    server.posts(&way_out, None, "").await;
    server.advance(Duration::from_secs(60));
    assert_eq!(step(&server.posts(&way_out, None, "come_back=yes").await), "late");
    assert!(server.max_is("NOT active").await);

    // Subscribing again needs the person's own press, and that alone lifts the suppression.
    server.joins(MAX).await;
    assert!(
        server.max_is("active AND consent = 'unconfirmed' AND suppressed AND confirmed_at IS NULL").await
    );
    assert_eq!(step(&server.get(&link).await), "expired", "the link of the earlier subscription is used up");
    assert_eq!((server.mails().len(), server.count("suppressions").await), (1, 1));
    server.posts(&way_out, None, "").await;
    server.posts(&way_out, None, "come_back=yes").await;
    assert!(server.max_is("active AND suppressed").await, "as it was: suppressed");
    assert_eq!(server.count("suppressions").await, 1);
    // The day of the first mail is not over, so the next one waits for it.
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 0);
    server.advance(DAY);
    assert_eq!(confirmations::send_due(&server.app).await.unwrap(), 1);
    let anew = link_in(&server.mails()[1]);
    assert_ne!(anew, link);
    assert_eq!(step(&server.posts(&anew, None, "").await), "confirmed");
    assert!(server.max_is("active AND consent = 'confirmed' AND NOT suppressed").await);
    assert_eq!(server.count("suppressions").await, 0);
}

#[apply(on_both_engines!)]
async fn a_label_that_does_not_ask_vouches_by_the_form(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let set = desk.patch("/api/admin/newsletter/settings", json!({"asks_to_confirm": false})).await;
    let preset = json!({"asks_to_confirm": false, "confirmations_a_day": 500, "letters_a_second": 2,
        "letters_an_hour": null, "letters_a_day": null, "postal_address": ""});
    assert_eq!(set.json(), preset);
    server.joins(MAX).await;
    assert!(server.max_is("consent = 'vouched' AND proof LIKE '%JOIN THE TRANSMISSION%'").await);
    assert_eq!(server.mails().len(), 0);
    server.posts(&server.way_out(MAX).await, None, "").await;
    server.joins(MAX).await;
    assert!(server.max_is("active AND consent = 'unconfirmed' AND suppressed").await);
    server.posts(&link_in(&server.mails()[0]), None, "").await;
    assert!(server.max_is("consent = 'confirmed'").await);
}
