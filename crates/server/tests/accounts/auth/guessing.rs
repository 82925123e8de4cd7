//! The keys that guesses are counted under, and that neither counts nor refusals help an attacker.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, PASSWORD, guess_all},
    },
};

const QUARTER: Duration = Duration::from_secs(900);
const HALF_MINUTE: Duration = Duration::from_secs(30);

async fn guess(browser: &mut Browser, identifier: &str) -> u16 {
    browser.sign_in(identifier, "wrong password").await.status.as_u16()
}

#[apply(on_both_engines!)]
async fn refusals_do_not_tell_that_a_name_and_an_address_belong_together(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    for [first, second] in [["Max_1", max.email.as_str()], ["nobody", "nobody@label.example"]] {
        let mut place = server.browser();
        for _ in 0..10 {
            assert_eq!(guess(&mut place, first).await, 401);
        }
        server.advance(HALF_MINUTE);
        assert_eq!(guess(&mut place, second).await, 401, "{second}");
        server.advance(HALF_MINUTE);
        assert_eq!(guess(&mut place, first).await, 429, "{first}");
    }
}

#[apply(on_both_engines!)]
async fn all_names_of_an_account_share_its_thirty_guesses(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let names = ["max_1", max.email.as_str()];
    let statuses = guess_all((0..40).map(|number| (server.browser(), names[number % 2]))).await;
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 10, "{statuses:?}");
}

#[apply(on_both_engines!)]
async fn known_browsers_share_thirty_separate_guesses(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browsers = Vec::new();
    for _ in 0..6 {
        let mut browser = server.browser();
        assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200);
        browsers.push(browser);
    }
    let statuses = guess_all((0..60).map(|number| (browsers[number % 6].copy(), &*max.email))).await;
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 30, "{statuses:?}");
    // These failures reach the owner's notice too, and an unknown browser still has the account's own thirty.
    server.wait_until("the notice", async || server.mails_to(&max.email).len() == 1).await;
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_new_password_makes_strangers_of_other_browsers(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let (mut here, mut elsewhere) = (server.browser(), server.browser());
    for browser in [&mut here, &mut elsewhere] {
        assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200);
    }
    server.advance(Duration::from_secs(1));
    let new = "another password";
    let body = json!({"password": new, "confirm_password": new});
    assert_eq!(here.put("/api/auth/password", body).await.status, 200);
    let statuses = guess_all((0..30).map(|_| (server.browser(), &*max.email))).await;
    assert_eq!(statuses, [401; 30]);
    assert_eq!(elsewhere.sign_in(&max.email, new).await.status, 429);
    assert_eq!(here.sign_in(&max.email, new).await.status, 200);
}

#[apply(on_both_engines!)]
async fn strangers_cannot_lock_the_owner_out_of_proving_who_they_are(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.browser();
    assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200);
    guess_all((0..40).map(|number| {
        let mut stranger = server.browser();
        if number < 10 {
            // Also from the owner's own address.
            stranger.address.clone_from(&browser.address);
        }
        (stranger, &*max.email)
    }))
    .await;
    let answer = browser.post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[apply(on_both_engines!)]
async fn a_session_has_ten_tries_to_prove_who_it_is(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let (mut thief, mut owner) = (server.signed_in(&max).await, server.signed_in(&max).await);
    for number in 0..12 {
        let answer = thief.post("/api/auth/reauthenticate", json!({"password": "wrong"})).await;
        assert_eq!(answer.status.as_u16(), if number < 10 { 401 } else { 429 });
    }
    let right = json!({"password": PASSWORD});
    assert_eq!(thief.post("/api/auth/reauthenticate", right.clone()).await.status, 429);
    assert_eq!(owner.post("/api/auth/reauthenticate", right.clone()).await.status, 200);
    server.wait_until("the notice", async || server.mails_to(&max.email).len() == 1).await;
    server.advance(QUARTER);
    assert_eq!(thief.post("/api/auth/reauthenticate", right).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_try_refused_for_lack_of_a_permit_is_not_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.browser();
    for path in ["/api/auth/sign-in", "/api/auth/reauthenticate"] {
        let body = if path.ends_with("sign-in") {
            json!({"identifier": max.email, "password": PASSWORD})
        } else {
            json!({"password": PASSWORD})
        };
        let crowd = Crowd::of(&server);
        // More than either counter allows.
        for _ in 0..12 {
            while browser.post(path, body.clone()).await.status != 503 {}
        }
        crowd.leave().await;
        assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200, "after {path}");
    }
    let answer = browser.post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// Requests that keep every hashing permit in use, so that the next one is refused.
struct Crowd {
    is_here: Arc<AtomicBool>,
    people: Vec<tokio::task::JoinHandle<()>>,
}

impl Crowd {
    fn of(server: &TestServer) -> Self {
        let is_here = Arc::new(AtomicBool::new(true));
        let people = (0..300).map(|_| {
            let (hasher, is_here) = (server.app.hasher.clone(), Arc::clone(&is_here));
            tokio::spawn(async move {
                while is_here.load(Ordering::Relaxed) {
                    // The result does not matter.
                    let _ = hasher.hash(&PASSWORD.into()).await;
                    tokio::task::yield_now().await;
                }
            })
        });
        Self { people: people.collect(), is_here }
    }

    async fn leave(self) {
        self.is_here.store(false, Ordering::Relaxed);
        for person in self.people {
            person.await.unwrap();
        }
    }
}

#[apply(on_both_engines!)]
async fn a_member_leaves_turns_of_hashing_to_others(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eve) = (server.person("Max_1").await, server.person("Eve_1").await);
    let member = server.signed_in(&max).await;
    let changes = join_all((0..40).map(|_| {
        let mut browser = member.copy();
        let body = json!({"password": "another one", "confirm_password": "another one"});
        async move { browser.put("/api/auth/password", body).await.status.as_u16() }
    }));
    let mut guest = server.browser();
    let (changes, guest) = tokio::join!(changes, guest.sign_in(&eve.email, PASSWORD));
    assert_eq!(guest.status, 200);
    assert_eq!(changes.iter().filter(|status| **status == 200).count(), 1, "{changes:?}");
    assert!(changes.contains(&429), "{changes:?}");

    // Confirming the password waits for the same permits, and a refusal there is not counted.
    let member = server.signed_in(&eve).await;
    let proofs = join_all((0..40).map(|_| {
        let mut browser = member.copy();
        async move {
            browser.post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await.status.as_u16()
        }
    }))
    .await;
    assert!(proofs.contains(&200) && proofs.contains(&429), "{proofs:?}");
    let mut browser = member.copy();
    assert_eq!(browser.post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await.status, 200);
}
