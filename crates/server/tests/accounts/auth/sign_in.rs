use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::PASSWORD},
};

#[apply(on_both_engines!)]
async fn a_person_signs_in_with_address_or_name_in_any_case(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    for identifier in
        [max.email.clone(), max.email.to_uppercase(), format!("  {} ", max.email), "MAX_1".to_owned()]
    {
        let mut browser = server.browser();
        let answer = browser.sign_in(&identifier, PASSWORD).await;
        assert_eq!(answer.status, 200, "{identifier}: {answer:?}");
        let view = answer.json();
        assert_eq!(view["user"]["id"], max.id.to_string());
        assert_eq!((&view["mfaRequired"], &view["mfa_verified"]), (&json!(false), &json!(false)));
        assert_eq!(view["access_token"], Value::Null);
        let cookie = answer
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|line| line.to_str().unwrap())
            .find(|line| line.starts_with("sid="))
            .unwrap();
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
        assert_eq!(browser.session().await["user"]["email"], max.email);
    }
}

#[apply(on_both_engines!)]
async fn unknown_and_known_accounts_get_the_same_answer(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.person("Max_1").await;
    server
        .browser()
        .post("/api/auth/sign-up", json!({"email": "new@label.example", "password": "secret"}))
        .await;
    let too_long = "x".repeat(129);
    let mut bodies = Vec::new();
    for (identifier, password) in [
        ("nobody@label.example", "wrong password"),
        ("nobody_1", "wrong password"),
        ("max_1@label.example", "wrong password"),
        ("max_1", "wrong password"),
        ("max_1", too_long.as_str()),
        ("new@label.example", "wrong password"),
        ("a\u{0}b", "wrong password"),
    ] {
        let answer = server.browser().sign_in(identifier, password).await;
        assert_eq!(answer.status, 401, "{identifier}");
        let mut body = answer.json();
        body["request_id"] = Value::Null;
        bodies.push(body);
    }
    assert_eq!(bodies[0]["detail"], "Invalid username or password");
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]), "{bodies:?}");
}

#[apply(on_both_engines!)]
async fn what_is_no_sign_in_is_refused_and_never_breaks(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut browser = server.browser();
    let path = "/api/auth/sign-in";
    for (body, status) in [
        (json!({"identifier": "", "password": "x"}), 422),
        (json!({"identifier": "x", "password": ""}), 422),
        (json!({"identifier": "x"}), 422),
        (json!({"identifier": 5, "password": "x"}), 422),
        (json!({"identifier": {"a": {"b": [[[[[[]]]]]]}}, "password": "x"}), 422),
        (json!({"identifier": "x", "password": "x", "is_admin": true}), 422),
        (json!({"identifier": "x".repeat(20_000), "password": "x"}), 413),
        (json!([]), 422),
    ] {
        let answer = browser.post(path, body.clone()).await;
        assert_eq!(answer.status.as_u16(), status, "{body}: {answer:?}");
        answer.problem();
    }
    browser.headers = vec![("content-type".to_owned(), "text/plain".to_owned())];
    let answer = browser.send(Method::POST, path, None).await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (415, "unsupported_media_type".to_owned()));
    browser.headers.clear();
    assert_eq!(browser.get(path).await.status, 405);
}

#[apply(on_both_engines!)]
async fn a_program_gets_its_token_in_the_body(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut program = server.browser();
    let body = json!({"identifier": max.email, "password": PASSWORD, "token_in_body": true});
    let answer = program.post("/api/auth/sign-in", body).await;
    assert!(!program.cookies.contains_key("sid"));
    let token = answer.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(answer.json()["token_type"], "bearer");
    program.headers = vec![("authorization".to_owned(), format!("Bearer {token}"))];
    assert_eq!(program.get("/api/auth/user").await.json()["email"], max.email);
    let renewed = program.post("/api/auth/refresh", json!({})).await;
    let next = renewed.json()["access_token"].as_str().unwrap().to_owned();
    assert_ne!(next, token);
    program.headers = vec![("authorization".to_owned(), format!("bearer {next}"))];
    assert_eq!(program.get("/api/auth/user").await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_session_that_was_planted_is_not_used(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let planted = browser.cookies["sid"].clone();
    assert_eq!(browser.sign_in(&max.email, PASSWORD).await.status, 200);
    assert_ne!(browser.cookies["sid"], planted);
    for invented in ["", "x", &"A".repeat(43), &"A".repeat(5000)] {
        browser.cookies.insert("sid".to_owned(), invented.to_owned());
        assert_eq!(browser.get("/api/auth/user").await.problem(), "not_authenticated");
        assert_eq!(browser.session().await["user"], Value::Null);
    }
}

#[apply(on_both_engines!)]
async fn writes_from_other_websites_are_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let encrypted = server.base.replace("http:", "https:");
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", ""),
        ("origin", &encrypted),
        ("origin", &format!("{}.evil.example", server.base)),
    ] {
        browser.headers = vec![(name.to_owned(), value.to_owned())];
        for path in ["/api/auth/sign-out", "/api/auth/refresh", "/api/auth/sign-in", "/api/auth/sign-up"] {
            let answer = browser.post(path, json!({})).await;
            assert_eq!(
                (answer.status.as_u16(), answer.problem()),
                (403, "csrf".to_owned()),
                "{name}: {value} {path}"
            );
        }
    }
    let own = server.base.as_str();
    for headers in [
        &[("sec-fetch-site", ""), ("origin", "")][..],
        &[("sec-fetch-site", "")],
        &[("sec-fetch-site", ""), ("origin", own)],
        &[("sec-fetch-site", "Same-Origin")],
        &[("sec-fetch-site", "same-origin, cross-site")],
        &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-origin")],
        &[("origin", own), ("origin", "https://evil.example")],
        &[("origin", own), ("origin", "")],
    ] {
        browser.headers =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let answer = browser.post("/api/auth/sign-out", json!({})).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (403, "csrf".to_owned()), "{headers:?}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        browser.headers = vec![("content-type".to_owned(), kind.to_owned())];
        for path in ["/api/auth/sign-out", "/api/auth/refresh", "/api/auth/sign-in", "/api/auth/sign-up"] {
            let answer = browser.send(Method::POST, path, None).await;
            assert_eq!(
                (answer.status.as_u16(), answer.problem()),
                (415, "unsupported_media_type".to_owned()),
                "{kind} {path}"
            );
        }
    }
    browser.headers = vec![
        ("sec-fetch-site".to_owned(), "same-origin".to_owned()),
        ("origin".to_owned(), server.base.clone()),
    ];
    assert_eq!(browser.post("/api/auth/refresh", json!({})).await.status, 200);
    // Older browsers send only Origin; other programs send neither header.
    browser.headers = vec![("origin".to_owned(), server.base.clone())];
    assert_eq!(browser.post("/api/auth/refresh", json!({})).await.status, 200);
    browser.headers.clear();
    assert_eq!(browser.post("/api/auth/refresh", json!({})).await.status, 200);
}

#[apply(on_both_engines!)]
async fn reauthentication_asks_for_the_password(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_1").await;
    let mut browser = server.signed_in(&max).await;
    let first = browser.session().await["session"]["reauthenticated_until"].clone();
    server.advance(std::time::Duration::from_secs(660));
    let wrong = browser.post("/api/auth/reauthenticate", json!({"password": "wrong"})).await;
    assert_eq!(wrong.json()["detail"], "This is not the password of your account.");
    assert_eq!((wrong.status.as_u16(), wrong.problem()), (401, "invalid_credentials".to_owned()));
    let right = browser.post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await;
    assert_eq!(right.status, 200);
    assert_ne!(right.json()["session"]["reauthenticated_until"], first);
    assert_eq!(
        server.browser().post("/api/auth/reauthenticate", json!({"password": PASSWORD})).await.status,
        401
    );
}

#[apply(on_both_engines!)]
async fn no_answer_hands_out_an_address(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.person("Max_1").await;
    for path in [
        "/rest/v1/rpc/get_user_email_by_username",
        "/api/rpc/get_user_email_by_username",
        "/api/get_user_email_by_username",
        "/api/auth/get_user_email_by_username",
    ] {
        let answer = server.browser().post(path, json!({"username_input": "Max_1"})).await;
        assert!(matches!(answer.status.as_u16(), 404 | 405), "{path}: {answer:?}");
        assert!(!answer.text().contains("max_1@"));
    }
}
