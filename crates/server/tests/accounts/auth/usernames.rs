//! Username ownership.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer, change, people::token_in},
};

#[apply(on_both_engines!)]
async fn an_unconfirmed_sign_up_keeps_no_name_from_a_member(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sign_up = |email: &str, username: &str| json!({"email": email, "password": "secret", "data": {"username": username}});
    let squatter = "dj_real@label.example";
    let path = "/api/auth/sign-up";
    assert_eq!(server.browser().post(path, sign_up(squatter, "DJ_Real")).await.status, 200);
    // The first of two sign-ups gets the name.
    let second = server.browser().post(path, sign_up("other@label.example", "dj_real")).await;
    assert_eq!(second.problem(), "username_taken");

    let (max, eve) = (server.person("Max_1").await, server.person("Eve_1").await);
    let (mut max, mut eve) = (server.signed_in(&max).await, server.signed_in(&eve).await);
    let check = "/api/profile/username-check";
    let name = json!({"username": "dj_REAL"});
    assert_eq!(max.post(check, name.clone()).await.json()["available"], true);
    assert_eq!(max.rename("dj_REAL").await.status, 200);
    assert_eq!(eve.post(check, name).await.json()["available"], false);
    assert_eq!(eve.rename("DJ_real").await.problem(), "username_taken");

    let token = token_in(&server.mails_to(squatter)[0], "signup");
    let confirmed = server.browser().post("/api/auth/confirm", json!({"token": token})).await;
    assert_eq!((confirmed.status.as_u16(), confirmed.json()["username"].clone()), (200, json!("dj_real1")));
    assert_eq!(max.profile().await["username"], "dj_REAL");
}

#[apply(on_both_engines!)]
async fn a_name_that_a_stranger_typed_is_not_the_owners(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (path, email) = ("/api/auth/sign-up", "owner@label.example");
    let by_stranger = json!({"email": email, "password": "strangers", "data": {"username": "laughing_404"}});
    assert_eq!(server.browser().post(path, by_stranger).await.status, 200);
    server.advance(std::time::Duration::from_mins(10));
    let by_owner = json!({"email": email, "password": "secret"});
    assert_eq!(server.browser().post(path, by_owner).await.status, 200);
    let token = token_in(server.mails_to(email).last().unwrap(), "signup");
    let confirmed = server.browser().post("/api/auth/confirm", json!({"token": token})).await;
    assert_eq!((confirmed.status.as_u16(), confirmed.json()["username"].clone()), (200, json!("owner")));
}

#[apply(on_both_engines!)]
async fn an_owner_whose_name_is_taken_by_then_does_not_get_a_strangers(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (path, email) = ("/api/auth/sign-up", "owner@label.example");
    for username in ["laughing_404", "max_1"] {
        let body = json!({"email": email, "password": "secret", "data": {"username": username}});
        assert_eq!(server.browser().post(path, body).await.status, 200);
        server.advance(std::time::Duration::from_mins(10));
    }
    server.person("Max_1").await;
    let token = token_in(server.mails_to(email).last().unwrap(), "signup");
    let confirmed = server.browser().post("/api/auth/confirm", json!({"token": token})).await;
    assert_eq!((confirmed.status.as_u16(), confirmed.json()["username"].clone()), (200, json!("owner")));
}

#[tokio::test]
async fn a_name_given_to_another_account_at_the_same_time_stops_no_confirmation() {
    let server = TestServer::start(Engine::Postgres).await;
    server.person("Max_1").await;
    let email = "owner@label.example";
    let body = json!({"email": email, "password": "secret"});
    assert_eq!(server.browser().post("/api/auth/sign-up", body).await.status, 200);
    server
        .sql("UPDATE profiles SET username = 'other', username_key = 'other' WHERE username = 'owner'")
        .await;
    let mut giving = server.app.db.begin().await.unwrap();
    let give = "UPDATE profiles SET username = 'owner', username_key = 'owner' WHERE username = 'Max_1'";
    change(&mut giving, give).await;
    let given = async {
        server.wait_for_locks(1).await;
        giving.commit().await.unwrap();
    };
    let token = token_in(&server.mails_to(email)[0], "signup");
    let mut browser = server.browser();
    let confirming = browser.post("/api/auth/confirm", json!({"token": token}));
    let (confirmed, ()) = tokio::join!(confirming, given);
    assert_eq!((confirmed.status.as_u16(), confirmed.json()["username"].clone()), (200, json!("owner1")));
}

#[apply(on_both_engines!)]
async fn blanks_around_a_name_are_cut(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    assert_eq!(browser.rename("  Max_2 ").await.json()["username"], "Max_2");
    assert_eq!(browser.rename("Max 3").await.status, 422);
    let body = json!({"email": "new@label.example", "password": "secret", "data": {"username": "\tMax_2 "}});
    let taken = server.browser().post("/api/auth/sign-up", body).await;
    assert_eq!(taken.problem(), "username_taken");
}
