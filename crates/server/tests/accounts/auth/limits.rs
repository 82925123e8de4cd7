use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Answer, Engine, TestServer,
        people::{PASSWORD, guess_all},
    },
};

const QUARTER: Duration = Duration::from_secs(900);

fn count(statuses: &[u16], wanted: u16) -> usize {
    statuses.iter().filter(|status| **status == wanted).count()
}

/// The status and code of a refused sign-in.
fn outcome(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.problem())
}

/// The number of guesses counted, and of those refused uncounted. A counted guess is compared, or on a busy machine gives up
/// waiting for a permit.
fn counted_and_refused(outcomes: &[(u16, String)]) -> (usize, usize) {
    let count =
        |status, code| outcomes.iter().filter(|outcome| **outcome == (status, String::from(code))).count();
    (count(401, "invalid_credentials") + count(503, "busy"), count(429, "rate_limited"))
}

#[apply(on_both_engines!)]
async fn a_hundred_guesses_from_one_place_are_ten(engine: Engine) {
    let server = TestServer::start_patient(engine).await;
    let max = server.person("Max_1").await;
    let place = server.browser();
    let outcomes = join_all((0..100).map(|number| {
        let (mut browser, email) = (place.copy(), max.email.clone());
        async move { outcome(&browser.sign_in(&email, &format!("wrong {number}")).await) }
    }))
    .await;
    assert_eq!(counted_and_refused(&outcomes), (10, 90), "{outcomes:?}");
    let right = place.copy().sign_in(&max.email, PASSWORD).await;
    assert_eq!((right.status.as_u16(), right.problem()), (429, "rate_limited".to_owned()));
    // The address may retry in half a minute, the account in a quarter of an hour: the answer names the longer wait.
    let wait = right.json()["retry_after"].as_u64().unwrap();
    assert!((800..=900).contains(&wait), "{wait}");
    assert_eq!(
        right.json()["detail"],
        "Too many login attempts. Please wait 15 minutes before trying again."
    );
    assert_eq!(right.header("retry-after"), right.json()["retry_after"].to_string());
}

#[apply(on_both_engines!)]
async fn a_refusal_names_the_wait_that_it_asks_for(engine: Engine) {
    let server = TestServer::start(engine).await;
    let place = server.browser();
    // Each name but the last has been tried once, so only the address is past its limit.
    for number in 0..10 {
        place.copy().sign_in(&format!("nobody_{number}"), "wrong").await;
    }
    let refused = place.copy().sign_in("nobody_10", "wrong").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "30"));
    assert_eq!(
        refused.json()["detail"],
        "Too many login attempts. Please wait 1 minute before trying again."
    );
}

#[apply(on_both_engines!)]
async fn a_hundred_guesses_from_a_hundred_places_are_thirty(engine: Engine) {
    let server = TestServer::start_patient(engine).await;
    let max = server.person("Max_1").await;
    let outcomes = join_all((0..100).map(|number| {
        let (mut browser, email) = (server.browser(), max.email.clone());
        async move { outcome(&browser.sign_in(&email, &format!("wrong {number}")).await) }
    }))
    .await;
    assert_eq!(counted_and_refused(&outcomes), (30, 70), "{outcomes:?}");
}

#[apply(on_both_engines!)]
async fn a_browser_that_signed_in_before_is_not_locked_out_by_strangers(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut home = server.browser();
    assert_eq!(home.sign_in(&max.email, PASSWORD).await.status, 200);
    home.post("/api/auth/sign-out", json!({})).await;
    guess_all((0..40).map(|_| (server.browser(), &*max.email))).await;
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 429);
    home.address = "10.9.9.9".to_owned();
    assert_eq!(home.sign_in(&max.email, PASSWORD).await.status, 200);
    // The cookie vouches for its own account only.
    let eve = server.person("Eve_1").await;
    let mut other = server.browser();
    other.cookies.insert("dev".to_owned(), home.cookies["dev"].clone());
    guess_all((0..40).map(|_| (server.browser(), &*eve.email))).await;
    assert_eq!(other.sign_in(&eve.email, PASSWORD).await.status, 429);
}

#[apply(on_both_engines!)]
async fn a_browser_that_signed_in_before_is_not_locked_out_by_strangers_at_its_address(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut home = server.browser();
    assert_eq!(home.sign_in(&max.email, PASSWORD).await.status, 200);
    let mut neighbour = server.browser();
    neighbour.address.clone_from(&home.address);
    for number in 0..12 {
        neighbour.sign_in(&format!("person{number}"), "winter2026").await;
    }
    assert_eq!(neighbour.sign_in(&max.email, PASSWORD).await.status, 429);
    assert_eq!(home.sign_in(&max.email, PASSWORD).await.status, 200);
    // A known browser has a separate bound.
    let mut tries = Vec::new();
    for number in 0..11 {
        tries.push(home.sign_in(&max.email, &format!("wrong {number}")).await.status.as_u16());
    }
    assert_eq!((tries[9], tries[10]), (401, 429), "{tries:?}");
}

#[apply(on_both_engines!)]
async fn one_place_cannot_try_many_accounts(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    let mut refused = 0;
    for number in 0..50 {
        refused += usize::from(place.sign_in(&format!("person{number}"), "winter2026").await.status == 429);
    }
    assert_eq!(refused, 40);
    server.advance(Duration::from_secs(30));
    assert_eq!(place.sign_in("person99", "winter2026").await.status, 401);
    assert_eq!(place.sign_in("person99", "winter2026").await.status, 429);
}

#[apply(on_both_engines!)]
async fn unknown_people_are_counted_like_known_ones(engine: Engine) {
    let server = TestServer::start(engine).await;
    let statuses = guess_all((0..40).map(|_| (server.browser(), "nobody@label.example"))).await;
    assert_eq!((count(&statuses, 401), count(&statuses, 429)), (30, 10));
}

#[apply(on_both_engines!)]
async fn right_passwords_are_not_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut place = server.browser();
    for _ in 0..15 {
        assert_eq!(place.sign_in(&max.email, PASSWORD).await.status, 200);
        place.cookies.clear();
    }
}

#[apply(on_both_engines!)]
async fn no_lock_is_for_ever(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut place = server.browser();
    for number in 0..11 {
        place.sign_in(&max.email, &format!("wrong {number}")).await;
    }
    assert_eq!(place.sign_in(&max.email, PASSWORD).await.status, 429);
    server.advance(QUARTER);
    assert_eq!(place.sign_in(&max.email, PASSWORD).await.status, 200);
}

#[apply(on_both_engines!)]
async fn the_fifth_failure_is_mailed_to_the_owner(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    // The letter is queued after the answer, so known and unknown addresses take equally long.
    let background = &server.app.background;
    for failures in 1..=5 {
        server.browser().sign_in(&max.email, &format!("wrong {failures}")).await;
        background.close();
        background.wait().await;
        background.reopen();
        assert_eq!(server.count("outbox").await, i64::from(failures == 5), "{failures}");
    }
    server.wait_until("the letter", async || server.mails_to(&max.email).len() == 1).await;
}

#[apply(on_both_engines!)]
async fn signing_up_six_times_in_an_hour_is_too_often(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    for number in 0..6 {
        let body = json!({"email": format!("max{number}@example.org"), "password": "secret"});
        let answer = place.post("/api/auth/sign-up", body).await;
        assert_eq!(answer.status.as_u16(), if number < 5 { 200 } else { 429 });
        if number == 5 {
            assert_eq!(answer.json()["detail"], "Too many requests. Try again in 60 minutes.");
            assert_eq!(answer.header("retry-after"), "3600");
        }
    }
    // Forged headers, or another address of the same IPv6 network, do not count as another place.
    place.headers = vec![
        ("x-real-ip".to_owned(), "9.9.9.9".to_owned()),
        ("forwarded".to_owned(), "for=9.9.9.9".to_owned()),
    ];
    assert_eq!(
        place.post("/api/auth/sign-up", json!({"email": "x@example.org", "password": "secret"})).await.status,
        429
    );
}

#[apply(on_both_engines!)]
async fn links_cannot_be_guessed_without_end(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    for number in 0..31 {
        let token = format!("{number:043}");
        let answer = place.post("/api/auth/confirm", json!({"token": token})).await;
        assert_eq!(answer.status.as_u16(), if number < 30 { 422 } else { 429 });
    }
}

#[apply(on_both_engines!)]
async fn many_addresses_of_one_ipv6_network_are_not_many_people(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut place = server.browser();
    let mut accepted = async |networks: &[String]| {
        let mut accepted = 0;
        for network in networks {
            place.address = format!("{network}::1");
            for number in 0..5 {
                let email = format!("{number}-{}@example.org", network.replace(':', "-"));
                let answer =
                    place.post("/api/auth/sign-up", json!({"email": email, "password": "secret"})).await;
                accepted += usize::from(answer.status == 200);
            }
        }
        accepted
    };
    // Ten from one /56, twenty from one /48; another network has its own count.
    let within_56: Vec<String> = (0..6).map(|number| format!("2001:db8:1:{number}")).collect();
    assert_eq!(accepted(&within_56).await, 10);
    let within_48: Vec<String> = (1..6).map(|number| format!("2001:db8:1:{number}00")).collect();
    assert_eq!(accepted(&within_48).await, 10);
    assert_eq!(accepted(&["2001:db8:2:1".to_owned()]).await, 5);
}
