//! The list of a member's sessions.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, PASSWORD},
    },
};

async fn listed(browser: &mut Browser) -> Vec<Value> {
    let answer = browser.get("/api/auth/sessions").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["next_cursor"], Value::Null);
    answer.json()["items"].as_array().unwrap().clone()
}

#[apply(on_both_engines!)]
async fn people_see_where_they_are_signed_in(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    server.signed_in(&server.person("Other_1").await).await;
    let mut phone = server.browser();
    assert_eq!(phone.sign_in(&max.email, PASSWORD).await.status, 200);
    server.advance(Duration::from_mins(10));
    let mut desk = server.browser();
    desk.address = "2001:db8:1:2:3::4".to_owned();
    assert_eq!(desk.sign_in("max_404", PASSWORD).await.status, 200);
    let items = listed(&mut desk).await;
    assert_eq!(items.len(), 2);
    let (newer, older) = (&items[0], &items[1]);
    assert_eq!((&newer["current"], &older["current"]), (&Value::Bool(true), &Value::Bool(false)));
    assert_eq!(newer["network"], "2001:db8:1:2::");
    assert_eq!(newer["user_agent"], "Chrome on Linux");
    assert!(older["user_agent"].as_str().unwrap().contains(" on "), "{older}");
    assert_eq!(older["created_at"], "2026-11-20T12:00:00Z");
    assert_eq!((&newer["mfa_verified"], &older["mfa_verified"]), (&Value::Bool(false), &Value::Bool(false)));
    server.add_unknown_factor(&max).await;
    server.verify_sessions(&max).await;
    assert!(listed(&mut desk).await.iter().all(|item| item["mfa_verified"] == true));
    // The current session comes first, even if another one was used later; use is recorded every five minutes.
    server.advance(Duration::from_mins(10));
    assert_eq!(phone.session().await["user"]["email"], max.email);
    server.advance(Duration::from_mins(2));
    assert_eq!(desk.session().await["user"]["email"], max.email);
    let current: Vec<_> = listed(&mut phone).await.iter().map(|item| item["current"].clone()).collect();
    assert_eq!(current, [true, false]);
    assert_eq!(server.browser().get("/api/auth/sessions").await.status, 401);
}

#[apply(on_both_engines!)]
async fn a_sign_in_ends_the_session_that_its_browser_had(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eva) = (server.person("Max_404").await, server.person("Eva_1").await);
    let (mut here, mut there) = (server.signed_in(&max).await, server.signed_in(&max).await);
    assert_eq!(here.sign_in(&max.email, "not it").await.status, 401);
    assert_eq!(listed(&mut there).await.len(), 2, "a refused one ends nothing");
    // Signs in as another member, then back.
    assert_eq!(here.sign_in(&eva.email, PASSWORD).await.status, 200);
    assert_eq!(listed(&mut there).await.len(), 1);
    assert_eq!(here.sign_in(&max.email, PASSWORD).await.status, 200);
    assert_eq!(listed(&mut there).await.len(), 2);
    assert!(server.audited(eva.id).await.contains(&("session_expired".to_owned(), "replaced".to_owned())));
    // A sign-in that asks for its token in the body leaves the cookie session alone.
    let body = json!({ "identifier": max.email, "password": PASSWORD, "token_in_body": true });
    assert_eq!(here.post("/api/auth/sign-in", body).await.status, 200);
    assert_eq!(here.session().await["user"]["email"], max.email);
    assert_eq!(listed(&mut there).await.len(), 3);
}

#[apply(on_both_engines!)]
async fn a_sign_out_that_was_sent_before_its_next_token_arrived_ends_the_session(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let body = json!({"password": PASSWORD, "confirm_password": PASSWORD});
    for (seconds, then) in [(0, 401), (31, 200)] {
        let mut here = server.signed_in(&max).await;
        let mut late = server.browser();
        late.cookies = here.cookies.clone();
        assert_eq!(here.put("/api/auth/password", body.clone()).await.status, 200);
        server.advance_seconds(seconds);
        assert_eq!(late.post("/api/auth/sign-out", json!({})).await.status, 200);
        assert_eq!(here.get("/api/auth/user").await.status, then, "{seconds}");
    }
}

#[apply(on_both_engines!)]
async fn any_session_of_ones_own_can_be_ended(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eva) = (server.person("Max_404").await, server.person("Eva_1").await);
    let (mut here, mut there) = (server.signed_in(&max).await, server.signed_in(&max).await);
    let mut stranger = server.signed_in(&eva).await;
    let id = |items: &[Value], current: bool| {
        let item = items.iter().find(|item| item["current"] == current).unwrap();
        format!("/api/auth/sessions/{}", item["id"].as_str().unwrap())
    };
    let items = listed(&mut here).await;
    let (mine, other) = (id(&items, true), id(&items, false));
    for path in [other.as_str(), "/api/auth/sessions/nothing", &format!("/api/auth/sessions/{}", max.id)] {
        assert_eq!(stranger.delete(path).await.status, 404, "{path}");
    }
    assert_eq!(there.get("/api/auth/user").await.status, 200);
    let ended = here.delete(&other).await;
    assert_eq!((ended.status.as_u16(), ended.bytes.len()), (204, 0));
    assert_eq!(there.get("/api/auth/user").await.status, 401);
    assert_eq!(here.delete(&other).await.status, 404);
    assert_eq!(here.delete(&mine).await.status, 204);
    assert!(here.cookies.is_empty(), "the browser forgets its token");
    let noted = server.audited(max.id).await;
    assert_eq!(
        noted.iter().filter(|(event, outcome)| event == "session_expired" && outcome == "ended").count(),
        2
    );
}

#[apply(on_both_engines!)]
async fn sessions_that_have_ended_by_themselves_are_not_shown(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    server.signed_in(&max).await;
    server.advance(Duration::from_hours(15 * 24));
    let mut browser = server.signed_in(&max).await;
    assert_eq!(listed(&mut browser).await.len(), 1);
}
