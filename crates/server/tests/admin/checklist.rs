use macro_rules_attribute::apply;
use rules::{login_lock, rate_limit};
use url::Url;

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

const PATH: &str = "/api/admin/security/checklist";

async fn entry(desk: &mut Browser, id: &str) -> (String, String) {
    let answer = desk.get(PATH).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let list = answer.json();
    let entry = list["items"].as_array().unwrap().iter().find(|item| item["id"] == id).unwrap();
    let text = |field: &str| entry[field].as_str().unwrap().to_owned();
    (text("status"), text("details"))
}

#[apply(on_both_engines!)]
async fn the_eight_entries_stand_in_their_order(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let list = desk.get(PATH).await.json();
    let items = list["items"].as_array().unwrap();
    let found: Vec<(&str, &str)> =
        items.iter().map(|item| (item["id"].as_str().unwrap(), item["status"].as_str().unwrap())).collect();
    assert_eq!(
        found,
        [
            ("server_side_authorisation", "pass"),
            ("admin_two_factor", "warning"),
            ("password_hashing", "pass"),
            ("upload_validation", "pass"),
            ("input_sanitising", "pass"),
            ("sessions_and_transport", "warning"),
            ("security_headers", "pass"),
            ("login_limits", "info"),
        ],
        "{list}"
    );
    for item in items {
        for field in ["name", "description", "details"] {
            assert!(item[field].as_str().is_some_and(|text| text.len() > 10), "{field}: {item}");
        }
        assert_eq!(item.as_object().unwrap().len(), 5);
    }
    // Checks that every operation of the back office was called.
    let document = serde_json::to_value(deadwax::routes::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let operations: usize = paths
        .filter(|(path, _)| path.starts_with("/api/admin/"))
        .map(|(_, item)| item.as_object().map_or(0, serde_json::Map::len))
        .sum();
    let (_, details) = entry(&mut desk, "server_side_authorisation").await;
    assert!(details.starts_with(&format!("{operations} of {operations} operations refused")), "{details}");
    assert_eq!(server.count("audit_log WHERE event LIKE 'data_%'").await, 0, "asking changes nothing");
}

#[apply(on_both_engines!)]
async fn admins_without_a_second_factor_are_warned_of(engine: Engine) {
    let server = TestServer::start(engine).await;
    let boss = server.admin("boss_404").await;
    let other = server.admin("other_404").await;
    let mut desk = server.signed_in(&boss).await;
    let bytes = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
    let protect = |id| {
        let id = server.id_literal(id);
        let sql = format!("INSERT INTO two_factor (user_id, secret, enabled_at) VALUES ({id}, {bytes}, 1)");
        let server = &server;
        async move { server.sql(&sql).await }
    };
    // Members and former admins do not count.
    protect(server.person("member_1").await.id).await;
    let former = server.admin("former_404").await;
    server
        .sql(&format!(
            "UPDATE admin_users SET active = FALSE WHERE user_id = {}",
            server.id_literal(former.id)
        ))
        .await;
    let (status, details) = entry(&mut desk, "admin_two_factor").await;
    assert_eq!(
        (status.as_str(), details.as_str()),
        ("warning", "0 of 2 active admins with the second factor on.")
    );
    protect(other.id).await;
    let (status, details) = entry(&mut desk, "admin_two_factor").await;
    assert_eq!(
        (status.as_str(), details.as_str()),
        ("warning", "1 of 2 active admins with the second factor on.")
    );
    protect(boss.id).await;
    server.sql("UPDATE sessions SET mfa_verified_at = 1, mfa_verified_until = 9000000000000000").await;
    let (status, _) = entry(&mut desk, "admin_two_factor").await;
    assert_eq!(status, "pass");
}

#[apply(on_both_engines!)]
async fn weaker_hashes_are_counted_and_foreign_ones_fail(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (status, details) = entry(&mut desk, "password_hashing").await;
    assert_eq!(status, "pass");
    for number in ["19456 KiB", "6 characters at sign-up", "8 on a change", "12 for an admin"] {
        assert!(details.contains(number), "{details}");
    }
    let weak = server.person("weak_one").await;
    let id = server.id_literal(weak.id);
    let change = async |from: &str, to: &str| {
        let sql = format!(
            "UPDATE users SET password_hash = replace(password_hash, '{from}', '{to}') WHERE id = {id}"
        );
        server.sql(&sql).await;
    };
    change("m=19456", "m=8192").await;
    let (status, details) = entry(&mut desk, "password_hashing").await;
    assert!(status == "warning" && details.contains("1 stored one made with less effort"), "{details}");
    change("m=8192", "m=65536").await;
    assert_eq!(entry(&mut desk, "password_hashing").await.0, "pass", "more effort is none less");
    change("$argon2id$", "$argon2i$").await;
    assert_eq!(entry(&mut desk, "password_hashing").await.0, "fail");
}

#[apply(on_both_engines!)]
async fn a_row_that_the_rules_would_refuse_is_found(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    server.artist("Mira <3", None).await;
    let found = async |desk: &mut Browser| {
        let (status, details) = entry(desk, "input_sanitising").await;
        (status, details.split(" (").nth(1).unwrap_or_default().to_owned())
    };
    let broken = |rows: &str, broken: u32| {
        (
            if broken == 0 { "pass" } else { "warning" }.to_owned(),
            format!("{rows}) {broken} hold what the rules take out or refuse today."),
        )
    };
    assert_eq!(found(&mut desk).await, broken("1 row", 1), "a bracket is no part of a name");
    server.sql("UPDATE artists SET name = 'Mira'").await;
    assert_eq!(found(&mut desk).await, broken("1 row", 0));
    server.sql("UPDATE artists SET spotify_url = 'javascript:alert(1)'").await;
    assert_eq!(found(&mut desk).await, broken("1 row", 1));
}

#[apply(on_both_engines!)]
async fn https_is_asked_for(engine: Engine) {
    let mut found: Vec<(String, String)> = Vec::new();
    for url in [None, Some("https://label.example")] {
        // The public address; the test itself talks to the listener behind it.
        let server = TestServer::start_prepared(
            engine,
            |_| {},
            |_, app| {
                if let Some(url) = url {
                    let url = Url::parse(url).unwrap();
                    app.origin = deadwax_config::Origin::parse(url.as_str()).unwrap();
                }
            },
        )
        .await;
        let mut desk = server.desk().await;
        if url.is_some() {
            let token = desk.cookies.remove("sid").unwrap();
            desk.cookies.insert("__Host-sid".to_owned(), token);
            desk.headers = vec![("host".to_owned(), "label.example".to_owned())];
        }
        found.push(entry(&mut desk, "sessions_and_transport").await);
        let (status, details) = entry(&mut desk, "security_headers").await;
        assert_eq!((status.as_str(), details.contains("is sent.")), ("pass", url.is_some()), "{details}");
    }
    let [(plain, plain_text), (https, https_text)] = &found[..] else { unreachable!() };
    assert!(plain == "warning" && plain_text.contains("HttpOnly, SameSite=Lax."), "{plain_text}");
    assert!(https == "pass" && https_text.contains("HttpOnly, SameSite=Lax, Secure."), "{https_text}");
}

#[apply(on_both_engines!)]
async fn a_full_library_is_reported(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    assert_eq!(entry(&mut desk, "upload_validation").await.0, "pass");
    server.sql("INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('uploads/a.png', 'image/png', 1, '', 1)").await;
    let (id, limit) = (server.id_literal(uuid::Uuid::now_v7()), 50_i64 * 1024 * 1024 * 1024);
    server.sql(&format!("INSERT INTO media_files (id, filename, original_name, file_path, file_type, file_size, mime_type, sort_key, created_at) VALUES ({id}, 'a.png', 'a.png', 'uploads/a.png', 'image', {}, 'image/png', 'a', 1)", limit / 100 * 89)).await;
    assert_eq!(entry(&mut desk, "upload_validation").await.0, "pass");
    server.sql(&format!("UPDATE media_files SET file_size = {}", limit / 100 * 91)).await;
    let (status, details) = entry(&mut desk, "upload_validation").await;
    assert!(status == "warning" && details.contains("1 of 5000 files and 45.5 GB of 50 GB"), "{details}");
}

#[apply(on_both_engines!)]
async fn failed_sign_ins_are_counted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (_, details) = entry(&mut desk, "login_limits").await;
    assert!(
        details.starts_with("Client-side login rate limiting of 5 attempts per 15 minutes."),
        "{details}"
    );
    assert_eq!(login_lock::MAX_FAILURES, 5);
    let pair = rate_limit::SIGN_IN_PAIR;
    assert!(details.contains(&format!("{} per {} minutes", pair.max, pair.span_ms / 60_000)), "{details}");
    assert!(details.contains("0 wrong passwords, 0 of them the last before a limit."), "{details}");
    let mut guest = server.browser();
    for _ in 0..3 {
        assert_eq!(guest.sign_in("boss_404", "wrong password").await.status, 401);
    }
    let (status, details) = entry(&mut desk, "login_limits").await;
    let said = "In the last 24 hours: 3 wrong passwords, 0 of them the last before a limit.";
    assert!(status == "info" && details.contains(said), "{details}");
    for _ in 3..12 {
        guest.sign_in("boss_404", "wrong password").await;
    }
    let (_, details) = entry(&mut desk, "login_limits").await;
    assert!(details.contains("10 wrong passwords, 1 of them the last before a limit."), "{details}");
    // A flood of refusals in a single entry counts too.
    server
        .sql(
            "INSERT INTO audit_log (id, at, event, role, outcome, repeats) \
             SELECT (SELECT id FROM users LIMIT 1), at, event, role, outcome, 6000 \
             FROM audit_log WHERE event = 'authn_login_fail' LIMIT 1",
        )
        .await;
    let (_, details) = entry(&mut desk, "login_limits").await;
    assert!(details.contains("In the last 24 hours"), "{details}");
    server.advance(std::time::Duration::from_hours(25));
    let mut desk = server.signed_in(&server.admin("later_404").await).await;
    let (_, details) = entry(&mut desk, "login_limits").await;
    assert!(details.contains("0 wrong passwords"), "{details}");
}
