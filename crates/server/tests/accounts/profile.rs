mod avatar;

use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn people_see_only_their_own_profile(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, other) = (server.person("Max_404").await, server.person("Other_1").await);
    let mut browser = server.signed_in(&max).await;
    let profile = browser.profile().await;
    assert_eq!(
        profile,
        json!({
            "id": max.id, "username": "Max_404", "email": max.email, "avatar_url": null,
            "created_at": "2026-11-20T12:00:00Z", "member_since": "November 2026", "full_name": "Full Name",
            "mfa_enabled": false, "can_replace_authenticator": false, "recovery_codes_left": 0, "pending_email": null,
        })
    );
    assert_eq!(server.browser().get("/api/profile").await.status, 401);
    for address in [format!("/api/profile/{}", other.id), format!("/api/profiles/{}", other.id)] {
        assert_eq!(browser.get(&address).await.status, 404, "{address}");
    }
    assert_eq!(browser.get(&format!("/api/profile?id={}", other.id)).await.json()["id"], max.id.to_string());
}

#[apply(on_both_engines!)]
async fn a_new_name_keeps_its_spelling_and_counts_in_any(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eva) = (server.person("Max_404").await, server.person("Eva-1").await);
    let mut browser = server.signed_in(&max).await;
    let exactly_twenty = "ABCDEFGHIJ_abcdef-20";
    for name in ["mAX_404", exactly_twenty, "New_Name"] {
        let answer = browser.rename(name).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["username"].as_str()),
            (200, Some(name)),
            "{answer:?}"
        );
        let session = browser.session().await;
        assert_eq!(session["user"]["user_metadata"]["username"], name);
        assert_eq!(session["profile"]["username"], name);
    }
    let mut eva = server.signed_in(&eva).await;
    let taken = eva.rename("NEW_name").await;
    assert_eq!((taken.status.as_u16(), taken.problem()), (409, "username_taken".to_owned()));
    assert_eq!(taken.json()["detail"], "This username is already in use. Please choose another.");
    assert_eq!(eva.profile().await["username"], "Eva-1");
    assert_eq!(eva.rename("Max_404").await.status, 200, "a name that was given up is free");
    let mut place = server.browser();
    assert_eq!(place.sign_in("nEW_nAME", crate::support::people::PASSWORD).await.status, 200);
}

#[apply(on_both_engines!)]
async fn changes_of_name_and_questions_after_names_are_counted_together(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, eva) = (server.person("Max_404").await, server.person("Eva-1").await);
    let mut browser = server.signed_in(&max).await;
    let check = json!({"username": "Free_1"});
    for _ in 0..10 {
        assert_eq!(browser.post("/api/profile/username-check", check.clone()).await.status, 200);
    }
    for number in 0..20 {
        let status = browser.rename(if number % 2 == 0 { "Eva-1" } else { "x" }).await.status;
        assert_eq!(status, if number % 2 == 0 { 409 } else { 422 });
    }
    let refused = browser.rename("Free_1").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (429, "rate_limited".to_owned()));
    assert_eq!(refused.header("retry-after"), "300");
    assert_eq!(browser.post("/api/profile/username-check", check).await.status, 429);
    assert_eq!(browser.profile().await["username"], "Max_404");
    assert_eq!(server.signed_in(&eva).await.rename("Eva_2").await.status, 200, "others are not counted");
    server.advance(Duration::from_secs(300));
    assert_eq!(browser.rename("Free_1").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_name_that_breaks_a_rule_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    for (name, code) in [
        ("ab", "username_too_short"),
        ("ABCDEFGHIJ_abcdef-201", "username_too_long"),
        ("m\u{430}x", "username_characters"),
        ("max 404", "username_characters"),
        ("Admin", "username_inappropriate"),
        ("label_admin", "username_inappropriate"),
    ] {
        let answer = browser.rename(name).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, code), "{name}");
        assert_eq!(answer.json()["fields"]["username"], answer.json()["detail"]);
    }
    assert_eq!(browser.profile().await["username"], "Max_404");
}

#[apply(on_both_engines!)]
async fn nothing_but_the_name_can_be_changed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, other) = (server.person("Max_404").await, server.person("Other_1").await);
    let mut browser = server.signed_in(&max).await;
    let before = browser.profile().await;
    for extra in [
        json!({"id": other.id}),
        json!({"is_admin": true}),
        json!({"active": true}),
        json!({"email": "evil@label.example"}),
        json!({"avatar_url": "https://evil.example/x.jpg"}),
    ] {
        let mut body = extra.clone();
        body["username"] = json!("Somebody");
        let answer = browser.patch("/api/profile", body).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (422, "unknown_field".to_owned()), "{extra}");
    }
    assert_eq!(browser.patch("/api/profile", json!({})).await.problem(), "invalid_body");
    assert_eq!(browser.profile().await, before);
    assert_eq!(server.signed_in(&other).await.profile().await["username"], "Other_1");
    assert_eq!(server.count("admin_users").await, 0);
    let noted = server.audited(max.id).await;
    assert_eq!(noted.iter().filter(|(event, _)| event == "malicious_extraneous").count(), 5, "{noted:?}");
}

#[apply(on_both_engines!)]
async fn of_many_who_want_a_name_at_once_one_gets_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut people = Vec::new();
    for number in 0..64 {
        let person = server.person(&format!("person_{number}")).await;
        people.push(server.signed_in(&person).await);
    }
    for round in 0..5 {
        let name = format!("Wanted_{round}");
        let answers = join_all(people.iter_mut().enumerate().map(|(place, browser)| {
            let typed = if place % 2 == 0 { name.clone() } else { name.to_uppercase() };
            async move { browser.rename(&typed).await }
        }))
        .await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert!(answers.iter().all(|answer| matches!(answer.status.as_u16(), 200 | 409)), "{answers:?}");
        assert_eq!(won, 1);
        assert_eq!(server.count(&format!("profiles WHERE username_key = 'wanted_{round}'")).await, 1);
    }
}

#[apply(on_both_engines!)]
async fn whether_a_name_is_free_can_be_asked_thirty_times(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, _) = (server.person("Max_404").await, server.person("Other_1").await);
    let mut browser = server.signed_in(&max).await;
    let path = "/api/profile/username-check";
    for (name, available) in [("oTHER_1", false), ("Free_One", true), ("MAX_404", true)] {
        let answer = browser.post(path, json!({"username": name})).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"available": available})), "{name}");
    }
    let broken = browser.post(path, json!({"username": "root"})).await;
    assert_eq!((broken.status.as_u16(), broken.problem()), (422, "username_inappropriate".to_owned()));
    for _ in 0..26 {
        assert_eq!(browser.post(path, json!({"username": "Free_One"})).await.status, 200);
    }
    let late = browser.post(path, json!({"username": "Free_One"})).await;
    assert_eq!((late.status.as_u16(), late.problem()), (429, "rate_limited".to_owned()));
    server.advance(Duration::from_mins(5));
    assert_eq!(browser.post(path, json!({"username": "Free_One"})).await.status, 200);
    assert_eq!(server.browser().post(path, json!({"username": "Free_One"})).await.status, 401);
}

#[apply(on_both_engines!)]
async fn a_missing_profile_is_made_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (max, _) = (server.person("Max_404").await, server.person("Somebody").await);
    let browser = server.signed_in(&max).await;
    server.sql("DELETE FROM profiles WHERE username = 'Max_404'").await;
    server.sql("UPDATE profiles SET username_key = 'max_404'").await;
    let missing = browser.copy().get("/api/profile").await;
    assert_eq!((missing.status.as_u16(), missing.problem()), (404, "profile_missing".to_owned()));
    assert_eq!(missing.json()["detail"], "Profile not properly loaded. Please refresh the page.");
    assert_eq!(browser.copy().rename("New_Name").await.problem(), "profile_missing");
    let answers = join_all((0..8).map(|_| {
        let mut browser = browser.copy();
        async move { browser.post("/api/profile", json!({})).await }
    }))
    .await;
    for answer in answers {
        assert_eq!((answer.status.as_u16(), answer.json()["username"].as_str()), (200, Some("max_4041")));
    }
    assert_eq!(browser.copy().profile().await["id"], max.id.to_string());
}

#[apply(on_both_engines!)]
async fn a_pending_second_factor_closes_the_profile(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    server.add_unknown_factor(&max).await;
    for answer in [
        browser.get("/api/profile").await,
        browser.post("/api/profile", json!({})).await,
        browser.rename("New_Name").await,
        browser.post("/api/profile/username-check", json!({"username": "New_Name"})).await,
        browser.delete("/api/profile/avatar").await,
        browser.get("/api/auth/sessions").await,
        browser.delete(&format!("/api/auth/sessions/{}", max.id)).await,
        browser
            .put("/api/auth/password", json!({"password": "12345678", "confirm_password": "12345678"}))
            .await,
        browser.post("/api/auth/email-change", json!({"email": "new@label.example"})).await,
        browser.delete("/api/auth/account").await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.problem()), (403, "mfa_required".to_owned()));
    }
    assert!(server.mails().is_empty());
    server.verify_sessions(&max).await;
    assert_eq!(browser.profile().await["mfa_enabled"], true);
    assert_eq!(browser.profile().await["username"], "Max_404");
}
