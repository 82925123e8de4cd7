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

const GONE: [&str; 9] = [
    "users",
    "profiles",
    "sessions",
    "session_tokens",
    "admin_users",
    "two_factor",
    "one_time_tokens",
    "recovery_codes",
    "objects",
];

#[apply(on_both_engines!)]
async fn nothing_of_an_account_is_left_but_its_id_in_the_log(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    let mut elsewhere = server.signed_in(&max).await;
    server.upload_avatar(&browser).await;
    let picture = browser.profile().await["avatar_url"].as_str().unwrap().to_owned();
    browser.post("/api/auth/email-change", json!({"email": "new@label.example"})).await;
    server.add_unknown_factor(&max).await;
    server.verify_sessions(&max).await;
    browser.cookies.insert("dev".to_owned(), "x".to_owned());

    let answer = browser.delete("/api/auth/account").await;
    assert_eq!((answer.status.as_u16(), answer.bytes.len()), (204, 0), "{answer:?}");
    assert!(browser.cookies.is_empty());
    assert_eq!(server.get(&picture).await.status, 404, "at once");
    for table in GONE {
        assert_eq!(server.count(table).await, 0, "{table}");
    }
    assert_eq!(elsewhere.get("/api/auth/user").await.status, 401);
    assert_eq!(server.browser().sign_in(&max.email, PASSWORD).await.status, 401);
    assert_eq!(server.browser().sign_in(&max.username, PASSWORD).await.status, 401);
    server.wait_until("the file is gone", async || server.avatar_files().is_empty()).await;
    let noted = server.audited(max.id).await;
    assert!(noted.contains(&("user_deleted".to_owned(), "ok".to_owned())), "{noted:?}");
    assert_eq!(server.count("audit_log WHERE target LIKE '%@%' OR outcome LIKE '%@%'").await, 0);
    assert_eq!(browser.delete("/api/auth/account").await.status, 401);
}

#[apply(on_both_engines!)]
async fn the_same_address_can_sign_up_anew(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    assert_eq!(server.signed_in(&max).await.delete("/api/auth/account").await.status, 204);
    let mut browser = server.browser();
    let form = json!({"email": max.email, "password": "another password", "data": {"username": "Max_404"}});
    let answer = browser.post("/api/auth/sign-up", form).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let token = token_in(server.mails_to(&max.email).last().unwrap(), "signup");
    assert_eq!(browser.post("/api/auth/confirm", json!({"token": token})).await.status, 200);
    let profile = browser.profile().await;
    assert_eq!((&profile["username"], &profile["email"]), (&json!("Max_404"), &json!(max.email)));
    assert_ne!(profile["id"], max.id.to_string());
}

#[apply(on_both_engines!)]
async fn the_last_admin_stays(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (boss, member) = (server.admin("Boss_404").await, server.person("Max_404").await);
    let retired = server.admin("Retired_1").await;
    server
        .sql(&format!(
            "UPDATE admin_users SET active = FALSE WHERE user_id = {}",
            server.id_literal(retired.id)
        ))
        .await;
    let mut browser = server.signed_in(&boss).await;
    let answer = browser.delete("/api/auth/account").await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (409, "last_admin".to_owned()));
    assert_eq!(browser.get("/api/auth/user").await.status, 200);
    for other in [&member, &retired] {
        assert_eq!(server.signed_in(other).await.delete("/api/auth/account").await.status, 204);
    }
    server.admin("Boss_405").await;
    assert_eq!(browser.delete("/api/auth/account").await.status, 204);
}

#[apply(on_both_engines!)]
async fn of_two_last_admins_who_go_at_once_one_stays(engine: Engine) {
    let server = TestServer::start(engine).await;
    for round in 0..10 {
        server.sql("DELETE FROM users").await;
        let mut browsers = Vec::new();
        for name in ["Max", "Eva"] {
            let admin = server.admin(&format!("{name}_{round}")).await;
            browsers.push(server.signed_in(&admin).await);
        }
        let answers = join_all(
            browsers
                .iter_mut()
                .map(async |browser| browser.delete("/api/auth/account").await.status.as_u16()),
        )
        .await;
        let mut sorted = answers.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [204, 409]);
        assert_eq!(server.count("admin_users WHERE active").await, 1);
    }
}

#[apply(on_both_engines!)]
async fn a_deletion_that_fails_deletes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let max = server.person("Max_404").await;
    let mut browser = server.signed_in(&max).await;
    server.upload_avatar(&browser).await;
    let fault = match engine {
        Engine::Sqlite => {
            "CREATE TRIGGER fault BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'fault'); END"
        }
        Engine::Postgres => {
            "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'fault'; END $$; \
             CREATE TRIGGER fault BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION fault()"
        }
    };
    server.sql(fault).await;
    let before = browser.profile().await;
    let answer = browser.delete("/api/auth/account").await;
    assert_eq!((answer.status.as_u16(), answer.problem()), (500, "internal".to_owned()));
    assert_eq!(browser.profile().await, before);
    assert_eq!(server.get(before["avatar_url"].as_str().unwrap()).await.status, 200);
    assert_eq!((server.count("deletions").await, server.avatar_files().len()), (0, 1));
}
