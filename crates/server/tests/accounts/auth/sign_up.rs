mod lapsed;

use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, PASSWORD, token_in},
    },
};

async fn sign_up(
    browser: &mut Browser,
    email: &str,
    password: &str,
    username: Option<&str>,
) -> crate::support::Answer {
    let mut body = json!({"email": email, "password": password, "redirect_to": "https://evil.example/"});
    if let Some(username) = username {
        body["data"] = json!({"username": username, "full_name": "Max Muster"});
    }
    browser.post("/api/auth/sign-up", body).await
}

async fn confirm(browser: &mut Browser, mail: &str) -> crate::support::Answer {
    browser.post("/api/auth/confirm", json!({"token": token_in(mail, "signup")})).await
}

/// Sign-ups that still hold what was typed.
const STILL_TYPED: &str =
    "signup_attempts WHERE password_hash <> '' OR username IS NOT NULL OR full_name IS NOT NULL";

#[apply(on_both_engines!)]
async fn a_visitor_signs_up_confirms_and_is_signed_in_in_the_same_browser(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    let answer = sign_up(&mut browser, " Max@Example.org ", "secret", Some("Max_1")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json(), json!({"confirmation_required": true}));
    assert!(browser.cookies.contains_key("su") && !browser.cookies.contains_key("sid"));
    let mails = server.mails_to("max@example.org");
    assert_eq!(mails.len(), 1);
    assert!(!mails[0].contains("evil.example"));

    let answer = confirm(&mut browser, &mails[0]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let body = answer.json();
    assert_eq!(body["status"], "confirmed");
    assert_eq!(body["username"], "Max_1");
    assert_eq!(body["session"]["user"]["email"], "max@example.org");
    let session = browser.session().await;
    assert_eq!(session["user"]["user_metadata"], json!({"username": "Max_1", "full_name": "Max Muster"}));
    assert_eq!(session["profile"]["username"], "Max_1");
    assert_eq!((&session["is_admin"], &session["auth_stage"]), (&json!(false), &json!("unauthenticated")));
    assert_eq!((&session["mfaRequired"], &session["admin"]), (&json!(false), &Value::Null));
    assert!(!browser.cookies.contains_key("su"));
    assert!(browser.cookies.contains_key("dev"), "it is signed in, so it is known to the account");

    let again = confirm(&mut server.browser(), &mails[0]).await;
    assert_eq!(again.json()["status"], "already_confirmed");
    assert_eq!(again.json()["session"], Value::Null);
}

#[apply(on_both_engines!)]
async fn another_browser_confirms_and_signs_in_by_password(engine: Engine) {
    let server = TestServer::start(engine).await;
    sign_up(&mut server.browser(), "max@example.org", "secret", Some("Max_1")).await;
    let mut phone = server.browser();
    let answer = confirm(&mut phone, &server.mails()[0]).await;
    assert_eq!((&answer.json()["status"], &answer.json()["session"]), (&json!("confirmed"), &Value::Null));
    assert!(phone.cookies.is_empty());
    assert_eq!(phone.sign_in("max_1", "secret").await.status, 200);
}

#[apply(on_both_engines!)]
async fn an_unconfirmed_account_cannot_sign_in(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    sign_up(&mut browser, "max@example.org", "secret", Some("Max_1")).await;
    let right = browser.sign_in("max@example.org", "secret").await;
    assert_eq!((right.status.as_u16(), right.problem()), (403, "email_not_confirmed".to_owned()));
    assert_eq!(right.json()["detail"], "Email not confirmed");
    let wrong = browser.sign_in("max@example.org", "secreT").await;
    assert_eq!((wrong.status.as_u16(), wrong.problem()), (401, "invalid_credentials".to_owned()));
    assert!(!browser.cookies.contains_key("sid"));
}

#[apply(on_both_engines!)]
async fn what_the_owner_confirms_is_what_the_owner_typed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (mut stranger, mut owner) = (server.browser(), server.browser());
    sign_up(&mut stranger, "max@example.org", "strangers", Some("Stranger")).await;
    sign_up(&mut owner, "max@example.org", "owners password", Some("Owner")).await;
    let mails = server.mails_to("max@example.org");
    assert_eq!(mails.len(), 2);
    let answer = confirm(&mut owner, &mails[1]).await;
    assert_eq!(answer.json()["username"], "Owner");
    assert_eq!(confirm(&mut server.browser(), &mails[0]).await.problem(), "otp_expired");
    assert_eq!(server.browser().sign_in("max@example.org", "strangers").await.status, 401);
    assert_eq!(server.browser().sign_in("owner", "owners password").await.status, 200);
    assert_eq!(server.count(STILL_TYPED).await, 0);
    // The name the attacker asked for is available again.
    assert_eq!(
        sign_up(&mut server.browser(), "new@example.org", "secret", Some("stranger")).await.status,
        200
    );

    // An attacker's link opened by the owner does not sign anyone in.
    let (mut stranger, mut owner) = (server.browser(), server.browser());
    sign_up(&mut stranger, "eve@example.org", "strangers", None).await;
    let answer = confirm(&mut owner, &server.mails_to("eve@example.org")[0]).await;
    assert_eq!(answer.json()["session"], Value::Null);
    assert_eq!(stranger.session().await["user"], Value::Null);
}

#[apply(on_both_engines!)]
async fn a_stranger_who_caused_a_mail_is_voided_by_one_click(engine: Engine) {
    let server = TestServer::start(engine).await;
    sign_up(&mut server.browser(), "max@example.org", "strangers", Some("Max_1")).await;
    let mail = &server.mails()[0];
    let mut owner = server.browser();
    let token = token_in(mail, "not_me");
    let answer = owner.post("/api/auth/not-me", json!({"token": token})).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"voided": true})));
    for nothing in [token, "A".repeat(43), "garbage".to_owned()] {
        let other = owner.post("/api/auth/not-me", json!({"token": nothing})).await;
        assert_eq!((other.status.as_u16(), other.json()), (200, json!({"voided": false})));
    }
    assert_eq!(confirm(&mut owner, mail).await.problem(), "otp_expired");
    assert_eq!(owner.sign_in("max@example.org", "strangers").await.status, 401);
    assert_eq!(sign_up(&mut owner, "other@example.org", "secret", Some("max_1")).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_voided_sign_up_keeps_nothing_that_was_typed(engine: Engine) {
    let server = TestServer::start(engine).await;
    for name in ["Stranger", "Owner"] {
        sign_up(&mut server.browser(), "max@example.org", "a password", Some(name)).await;
    }
    assert_eq!(server.count(STILL_TYPED).await, 2);
    let mails = server.mails_to("max@example.org");
    let mut owner = server.browser();
    let answer = owner.post("/api/auth/not-me", json!({"token": token_in(&mails[0], "not_me")})).await;
    assert_eq!(answer.json(), json!({"voided": true}));
    assert_eq!(server.count(STILL_TYPED).await, 1, "the owner's waits for its link");
    assert_eq!(confirm(&mut owner, &mails[1]).await.json()["username"], "Owner");
}

#[apply(on_both_engines!)]
async fn an_objection_after_the_confirmation_voids_nothing_and_says_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    sign_up(&mut server.browser(), "max@example.org", "strangers", Some("Max_1")).await;
    let mail = &server.mails()[0];
    let mut owner = server.browser();
    assert_eq!(confirm(&mut owner, mail).await.status, 200);
    let answer = owner.post("/api/auth/not-me", json!({"token": token_in(mail, "not_me")})).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"voided": false})));
    assert_eq!(owner.sign_in("max@example.org", "strangers").await.status, 200);
}

#[apply(on_both_engines!)]
async fn addresses_are_answered_alike_until_they_are_confirmed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let new = sign_up(&mut server.browser(), "max@example.org", "secret", None).await;
    let again = sign_up(&mut server.browser(), "max@example.org", "secret", None).await;
    assert_eq!((new.status, new.bytes), (again.status, again.bytes));
}

#[apply(on_both_engines!)]
async fn a_confirmed_address_is_named_and_its_owner_mailed_once_a_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    for _ in 0..3 {
        let answer = sign_up(&mut server.browser(), &max.email, "secret", None).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (409, "user_already_registered".to_owned()));
        assert_eq!(
            answer.json()["detail"],
            "An account with this email already exists. Try logging in instead."
        );
    }
    assert_eq!(server.mails_to(&max.email).len(), 1);
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 200);
}

#[apply(on_both_engines!)]
async fn names_are_checked_kept_as_typed_and_unique_without_case(engine: Engine) {
    let server = TestServer::start(engine).await;
    sign_up(&mut server.browser(), "a@example.org", "secret", Some("Alice")).await;
    let taken = sign_up(&mut server.browser(), "b@example.org", "secret", Some("aLICE")).await;
    assert_eq!((taken.status.as_u16(), taken.problem()), (409, "username_taken".to_owned()));
    assert_eq!(taken.json()["detail"], "This username is already in use. Please choose another.");
    assert!(server.mails_to("b@example.org").is_empty());
    for bad in ["Admin", "label_admin", "ab", "abcdefghijklmnopqrstu", "аlice", "a b c"] {
        let answer = sign_up(&mut server.browser(), "b@example.org", "secret", Some(bad)).await;
        assert_eq!(answer.status, 422, "{bad}: {answer:?}");
        assert!(answer.json()["fields"]["username"].is_string(), "{bad}");
    }
    let twenty = "abcdefghijklmnopqrst";
    assert_eq!(sign_up(&mut server.browser(), "b@example.org", "secret", Some(twenty)).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_default_name_never_stops_a_sign_up(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (email, name) in [
        ("info@one.example", "info"),
        ("info@two.example", "info1"),
        ("john.doe@one.example", "john_doe"),
        ("ab@one.example", "ab_"),
    ] {
        let mut browser = server.browser();
        assert_eq!(sign_up(&mut browser, email, "secret", None).await.status, 200);
        let answer = confirm(&mut browser, &server.mails_to(email)[0]).await;
        let given = answer.json()["username"].as_str().unwrap().to_owned();
        assert!(given.starts_with(&name[..2]), "{email}: {given} is not like {name}");
    }
    let mut browser = server.browser();
    assert_eq!(sign_up(&mut browser, "admin@one.example", "secret", None).await.status, 200);
    let answer = confirm(&mut browser, &server.mails_to("admin@one.example")[0]).await;
    assert!(answer.json()["username"].as_str().unwrap().starts_with("user"));
}

#[apply(on_both_engines!)]
async fn default_names_do_not_run_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (id, numbers) = match engine {
        Engine::Sqlite => (
            "randomblob(16)",
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)",
        ),
        Engine::Postgres => ("gen_random_uuid()", "WITH n(i) AS (SELECT generate_series(0, 1001))"),
    };
    for base in ["info", "user"] {
        server
            .sql(&format!(
                "{numbers} INSERT INTO users (id, email, password_changed_at, created_at, updated_at) \
                 SELECT {id}, '{base}@taken' || i || '.example', 0, 0, 0 FROM n"
            ))
            .await;
        server
            .sql(&format!(
                "INSERT INTO profiles (id, username, username_key, created_at, updated_at) \
                 SELECT id, '{base}' || number, '{base}' || number, 0, 0 FROM (SELECT id, \
                     REPLACE(REPLACE(REPLACE(email, '{base}@taken', ''), '.example', ''), '1001', '') AS number \
                     FROM users WHERE email LIKE '{base}@taken%') u"
            ))
            .await;
    }
    for (email, base) in [("info@new.example", "info"), ("admin@new.example", "user")] {
        let mut browser = server.browser();
        assert_eq!(sign_up(&mut browser, email, "secret", None).await.status, 200);
        let answer = confirm(&mut browser, &server.mails_to(email)[0]).await;
        let name = answer.json()["username"].as_str().unwrap().to_owned();
        let number: u32 = name.strip_prefix(base).unwrap().parse().unwrap();
        assert!(number >= 1_000, "{name}");
    }
}

#[apply(on_both_engines!)]
async fn one_address_signed_up_from_32_places_is_one_account(engine: Engine) {
    let server = TestServer::start(engine).await;
    let answers = join_all((0..32).map(|number| {
        let mut browser = server.browser();
        async move {
            sign_up(&mut browser, "max@example.org", "secret", Some(&format!("Name_{}", number % 4)))
                .await
                .status
                .as_u16()
        }
    }))
    .await;
    assert!(answers.iter().all(|status| matches!(status, 200 | 409 | 429 | 503)), "{answers:?}");
    let mails = server.mails_to("max@example.org");
    assert!((1..=5).contains(&mails.len()), "{}", mails.len());
    let answer = confirm(&mut server.browser(), mails.last().unwrap()).await;
    assert_eq!(answer.json()["status"], "confirmed");
}

#[apply(on_both_engines!)]
async fn one_link_confirms_exactly_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..5 {
        let email = format!("max{round}@example.org");
        sign_up(&mut server.browser(), &email, "secret", None).await;
        let token = token_in(&server.mails_to(&email)[0], "signup");
        let answers = join_all((0..64).map(|_| {
            let (mut browser, token) = (server.browser(), token.clone());
            async move { browser.post("/api/auth/confirm", json!({"token": token})).await }
        }))
        .await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        let first = answers.iter().filter(|answer| answer.json()["status"] == "confirmed").count();
        assert_eq!(first, 1);
    }
}

#[apply(on_both_engines!)]
async fn two_links_of_one_address_do_not_wait_for_each_other(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..12 {
        let email = format!("max{round}@example.org");
        for _ in 0..2 {
            assert_eq!(sign_up(&mut server.browser(), &email, "secret", None).await.status, 200);
            server.advance(std::time::Duration::from_secs(301));
        }
        let mails = server.mails_to(&email);
        let (mut one, mut other) = (server.browser(), server.browser());
        let [one, other] =
            <[_; 2]>::from(tokio::join!(confirm(&mut one, &mails[0]), confirm(&mut other, &mails[1])));
        let mut statuses = [one.status.as_u16(), other.status.as_u16()];
        statuses.sort_unstable();
        assert!(statuses == [200, 200] || statuses == [200, 422], "{statuses:?}");
    }
}

#[apply(on_both_engines!)]
async fn resending_sends_one_mail_in_five_minutes_and_says_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    sign_up(&mut browser, "max@example.org", "secret", None).await;
    for _ in 0..10 {
        let mut place = server.browser();
        let known =
            place.post("/api/auth/resend", json!({"email": "max@example.org", "type": "signup"})).await;
        let unknown = place.post("/api/auth/resend", json!({"email": "nobody@example.org"})).await;
        assert_eq!(known.header("set-cookie"), "", "this browser has not signed up");
        assert_eq!((known.status.as_u16(), known.bytes), (200, unknown.bytes));
    }
    let mails = server.mails_to("max@example.org");
    assert_eq!((mails.len(), server.mails().len()), (2, 2));
    // The cookie lasts as long as the new link.
    let cookie = format!("su={};", browser.cookies["su"]);
    for email in ["max@example.org", "nobody@example.org"] {
        let answer = browser.post("/api/auth/resend", json!({"email": email})).await;
        let set = answer.header("set-cookie");
        assert!(set.starts_with(&cookie) && set.contains("Max-Age=86400"), "{email}: {set}");
    }
    // The resent link belongs to the same sign-up, and so to its browser.
    assert_ne!(confirm(&mut browser, &mails[1]).await.json()["session"], Value::Null);
    assert_eq!(confirm(&mut browser, &mails[0]).await.json()["status"], "already_confirmed");
    for bad in ["", "nobody", "mıke@example.org"] {
        let answer = browser.post("/api/auth/resend", json!({"email": bad})).await;
        assert_eq!(answer.status, 422, "{bad}");
    }
}

#[apply(on_both_engines!)]
async fn a_browser_gets_its_own_sign_up_again_even_if_a_stranger_signed_up_since(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (mut owner, mut stranger) = (server.browser(), server.browser());
    sign_up(&mut owner, "max@example.org", "owners password", None).await;
    sign_up(&mut stranger, "max@example.org", "strangers", None).await;
    server.advance(Duration::from_secs(301));
    owner.post("/api/auth/resend", json!({"email": "max@example.org"})).await;
    let mails = server.mails_to("max@example.org");
    assert_eq!(mails.len(), 3);
    assert_eq!(confirm(&mut owner, &mails[2]).await.json()["status"], "confirmed");
    assert_eq!(server.browser().sign_in("max@example.org", "owners password").await.status, 200);
    assert_eq!(server.browser().sign_in("max@example.org", "strangers").await.status, 401);
}
