use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{PASSWORD, token_in},
    },
};

const NEW: &str = "wholly new words";

#[apply(on_both_engines!)]
async fn a_new_password_ends_everything_the_old_one_opened(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    let mut elsewhere = server.signed_in(&max).await;
    let mut stranger = server.signed_in(&server.person("Other_1").await).await;
    let mut before = browser.copy();
    server.browser().post("/api/auth/forgot", json!({"email": max.email})).await;
    assert_eq!(
        browser.post("/api/auth/email-change", json!({"email": "new@label.example"})).await.status,
        200
    );
    let reset = token_in(&server.mails_to(&max.email)[0], "recovery");
    let change = token_in(&server.mails_to("new@label.example")[0], "email_change");

    let answer = browser.put("/api/auth/password", json!({"password": NEW, "confirm_password": NEW})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["user"]["email"], max.email);
    assert_ne!(browser.cookies["sid"], before.cookies["sid"]);
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
    assert_eq!(before.get("/api/auth/user").await.status, 401);
    assert_eq!(elsewhere.get("/api/auth/user").await.status, 401);
    assert_eq!(stranger.get("/api/auth/user").await.status, 200);
    for (path, token) in [("/api/auth/reset", &reset), ("/api/auth/email-change/confirm", &change)] {
        assert_eq!(server.browser().post(path, json!({"token": token})).await.status, 422, "{path}");
    }
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 401);
    assert_eq!(server.browser().sign_in(&max.email, NEW).await.status, 200);
    let notices = server.mails_to(&max.email);
    assert!(notices.last().unwrap().to_lowercase().contains("password"), "{notices:?}");
    assert!(!server.mails().concat().contains(NEW));
    let noted = server.audited(max.id).await;
    assert!(noted.contains(&("authn_password_change".to_owned(), "ok".to_owned())), "{noted:?}");
}

#[apply(on_both_engines!)]
async fn a_sign_in_under_way_does_not_outlive_the_password_it_was_begun_with(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut owner = server.signed_in(&max).await;
    server.advance(Duration::from_secs(1));
    // All hashing permits are taken, so these requests have read the account by the time the password changes.
    let change = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        owner.put("/api/auth/password", json!({"password": NEW, "confirm_password": NEW})).await
    };
    let mut thieves: Vec<_> = (0..4).map(|_| server.browser()).collect();
    let sign_ins = join_all(thieves.iter_mut().map(|thief| thief.sign_in(&max.email, PASSWORD)));
    let late = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        let mut thieves: Vec<_> = (0..4).map(|_| server.browser()).collect();
        join_all(thieves.iter_mut().map(|thief| thief.sign_in(&max.email, PASSWORD))).await;
    };
    let (changed, ..) = tokio::join!(change, sign_ins, late);
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(server.count("sessions").await, 1, "only the owner's");
    assert_eq!(owner.get("/api/auth/user").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_password_that_breaks_a_rule_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    let mut elsewhere = server.signed_in(&max).await;
    let long = "x".repeat(129);
    for (password, confirm, code, field) in [
        ("short", "other", "passwords_do_not_match", "confirm_password"),
        ("1234567", "1234567", "password_too_short", "password"),
        (&long, &long, "password_too_long", "password"),
    ] {
        let body = json!({"password": password, "confirm_password": confirm});
        let answer = browser.put("/api/auth/password", body).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, code));
        assert_eq!(answer.json()["fields"][field], answer.json()["detail"]);
    }
    for body in
        [json!({"password": NEW}), json!({"password": NEW, "confirm_password": NEW, "user_id": max.id})]
    {
        assert_eq!(browser.put("/api/auth/password", body).await.status, 422);
    }
    assert_eq!(elsewhere.get("/api/auth/user").await.status, 200);
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 200);
    assert!(server.mails().is_empty());
    let body = json!({"password": "12345678", "confirm_password": "12345678"});
    assert_eq!(browser.put("/api/auth/password", body).await.status, 200, "eight are enough");
}

#[apply(on_both_engines!)]
async fn after_ten_minutes_the_password_is_asked_for_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let admin = server.admin("Boss_404").await;
    let mut browser = server.signed_in(&admin).await;
    server.advance(Duration::from_mins(11));
    let body = json!({"password": NEW, "confirm_password": NEW});
    for answer in [
        browser.put("/api/auth/password", body.clone()).await,
        browser.post("/api/auth/email-change", json!({"email": "new@label.example"})).await,
        browser.delete("/api/auth/account").await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.problem()), (403, "reauthentication_needed".to_owned()));
    }
    assert!(server.mails().is_empty());
    assert_eq!(browser.get("/api/profile").await.status, 200, "reading needs no password");
    assert_eq!(browser.rename("Other_Name").await.status, 200, "nor does another name");
    assert_eq!(browser.post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await.status, 200);
    assert_eq!(browser.put("/api/auth/password", body).await.status, 200);
    assert_eq!(
        server
            .browser()
            .put("/api/auth/password", json!({"password": NEW, "confirm_password": NEW}))
            .await
            .status,
        401
    );
}
