//! A change that waits: asked for again, sent again, called off.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{NEW, ask, confirm, link_to};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

#[apply(on_both_engines!)]
async fn asking_twice_for_an_address_leaves_its_first_link_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.signed_in(&server.person("Max_404").await).await;
    ask(&mut browser, NEW).await;
    let token = link_to(&server, NEW);
    assert_eq!(ask(&mut browser, NEW).await.status, 200);
    assert_eq!(server.mails_to(NEW).len(), 1, "no second letter so soon");
    assert_eq!(confirm(&mut browser, &token).await.json()["email"], NEW);
}

#[apply(on_both_engines!)]
async fn an_address_whose_link_was_voided_a_moment_ago_is_refused_and_not_promised_a_letter(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.signed_in(&server.person("Max_404").await).await;
    ask(&mut browser, "first@label.example").await;
    ask(&mut browser, NEW).await;
    let refused = ask(&mut browser, "first@label.example").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (429, "rate_limited".to_owned()));
    assert_eq!(refused.json()["retry_after"], 300);
    assert_eq!(browser.profile().await["pending_email"], NEW, "what was asked for before still waits");

    browser.delete("/api/auth/email-change").await;
    assert_eq!(ask(&mut browser, NEW).await.status, 429);
    assert_eq!(browser.profile().await["pending_email"], Value::Null);
    server.advance(Duration::from_secs(301));
    assert_eq!(ask(&mut browser, NEW).await.status, 200);
    assert_eq!(server.mails_to(NEW).len(), 2);
    assert_eq!(confirm(&mut browser, &link_to(&server, NEW)).await.json()["email"], NEW);
}

#[apply(on_both_engines!)]
async fn a_waiting_change_is_sent_again_after_five_minutes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    let again = async |browser: &mut Browser| browser.post("/api/auth/email-change/resend", json!({})).await;
    let nothing = again(&mut browser).await;
    assert_eq!((nothing.status.as_u16(), nothing.problem()), (409, "no_email_change".to_owned()));
    ask(&mut browser, NEW).await;
    let first = link_to(&server, NEW);
    let soon = again(&mut browser).await;
    assert_eq!((soon.status.as_u16(), soon.json()["retry_after"].as_u64()), (429, Some(300)));
    server.advance(Duration::from_mins(11));
    assert_eq!(again(&mut browser).await.status, 200, "no password is asked for");
    assert_eq!(server.mails_to(NEW).len(), 2);
    let second = link_to(&server, NEW);
    assert_eq!(confirm(&mut browser, &first).await.problem(), "otp_expired");
    server.advance(Duration::from_mins(25));
    assert_eq!(confirm(&mut browser, &second).await.json()["email"], NEW, "it counts anew for half an hour");
    assert_eq!(server.browser().post("/api/auth/email-change/resend", json!({})).await.status, 401);
}

#[apply(on_both_engines!)]
async fn a_waiting_change_is_called_off_without_a_password(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    ask(&mut browser, NEW).await;
    let token = link_to(&server, NEW);
    server.advance(Duration::from_mins(11));
    for _ in 0..2 {
        assert_eq!(browser.delete("/api/auth/email-change").await.status, 204);
    }
    assert_eq!(browser.profile().await["pending_email"], Value::Null);
    assert_eq!(confirm(&mut browser, &token).await.problem(), "otp_expired");
    let noted = server.audited(max.id).await;
    assert_eq!(noted.iter().filter(|(_, outcome)| outcome == "cancelled").count(), 1);
    assert_eq!(server.browser().delete("/api/auth/email-change").await.status, 401);
}
