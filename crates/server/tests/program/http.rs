//! Common to all addresses: hosts, headers, methods, size limits, and the texts of refusals.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use macro_rules_attribute::apply;
use reqwest::{Method, StatusCode};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{
    on_both_engines,
    support::{Answer, Engine, NOON, RECEIVE_TIMEOUT, TestServer},
};

async fn raw(server: &TestServer, request: &[u8]) -> String {
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    socket.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    tokio::time::timeout(RECEIVE_TIMEOUT, socket.read_to_end(&mut answer))
        .await
        .expect("the server closes")
        .ok();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn only_the_configured_host_is_answered() {
    let server = TestServer::start(Engine::Sqlite).await;
    let port = server.address().port();
    for host in [format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}"), format!("[::1]:{port}")] {
        assert_eq!(
            server.get_with("/api/releases", &[("host", &host)]).await.status,
            StatusCode::OK,
            "{host}"
        );
    }
    for host in ["evil.example", "127.0.0.1", "localhost:1", "evil.example:80"] {
        for path in ["/api/releases", "/", "/nothing"] {
            let answer = server.get_with(path, &[("host", host), ("x-forwarded-host", "localhost")]).await;
            assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
            assert_eq!(answer.problem(), "misdirected");
        }
        assert_eq!(server.get_with("/livez", &[("host", host)]).await.status, StatusCode::OK);
        assert_eq!(server.get_with("/readyz", &[("host", host)]).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn every_spelling_of_the_configured_host_is_answered() {
    let public = |settings: &mut deadwax_config::Settings| {
        settings.public_url = Some("https://müller.example:443/".parse().unwrap());
    };
    let server = TestServer::start_with(Engine::Sqlite, public).await;
    let line = |request: &str| request.lines().next().unwrap_or_default().to_owned();
    for host in
        ["xn--mller-kva.example", "xn--mller-kva.example:443", "XN--Mller-Kva.Example.", "müller.example"]
    {
        let asked = format!("GET /api/releases HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(line(&raw(&server, asked.as_bytes()).await), "HTTP/1.1 200 OK", "{host}");
        // The website's own origin is accepted, however a proxy spells the host.
        let body = r#"{"email":"a@b.example"}"#;
        let sent = format!(
            "POST /api/newsletter HTTP/1.1\r\nHost: {host}\r\nOrigin: https://xn--mller-kva.example\r\nContent-Type: application/json\r\n\
            Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let answer = line(&raw(&server, sent.as_bytes()).await);
        assert!(!answer.contains(" 403 ") && !answer.contains(" 421 "), "{host}: {answer}");
    }
    for target in
        ["http://xn--mller-kva.example:443/api/releases", "https://XN--MLLER-KVA.example./api/releases"]
    {
        let asked =
            format!("GET {target} HTTP/1.1\r\nHost: xn--mller-kva.example:443\r\nConnection: close\r\n\r\n");
        assert_eq!(line(&raw(&server, asked.as_bytes()).await), "HTTP/1.1 200 OK", "{target}");
    }
    for host in [
        "xn--mller-kva.example:80",
        "xn--mller-kva.example:8443",
        "muller.example",
        "user@xn--mller-kva.example",
        "localhost",
    ] {
        let asked = format!("GET /api/releases HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert!(line(&raw(&server, asked.as_bytes()).await).contains(" 421 "), "{host}");
    }
}

#[tokio::test]
async fn every_answer_carries_its_kinds_headers() {
    let server = TestServer::start(Engine::Sqlite).await;
    let mut seen = std::collections::BTreeMap::new();
    for path in [
        "/",
        "/api/releases",
        "/api/nothing",
        "/nothing",
        "/nothing.js",
        "/livez",
        "/media/artists/a.jpg",
        "/api/artists/x",
        "/api/events?after=x",
        "/robots.txt",
    ] {
        for _ in 0..2 {
            let answer = server.get(path).await;
            for (name, value) in [
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"),
                ("x-frame-options", "DENY"),
                ("cross-origin-opener-policy", "same-origin"),
            ] {
                assert_eq!(answer.header(name), value, "{path} {name}");
            }
            assert!(answer.headers.get("server").is_none());
            assert!(answer.headers.get("access-control-allow-origin").is_none());
            assert!(answer.headers.get("strict-transport-security").is_none(), "plain http");
            assert!(!answer.header("x-request-id").is_empty(), "{path}");
            assert!(answer.header("permissions-policy").contains("camera=()"));
            seen.insert(
                path,
                (
                    answer.header("content-security-policy").to_owned(),
                    answer.header("cache-control").to_owned(),
                ),
            );
        }
    }
    // Inline code is allowed by its hash; nothing else is.
    let document = server.get("/").await.text();
    let styles: String = document
        .split("<style>")
        .skip(1)
        .map(|rest| {
            format!(
                " 'sha256-{}'",
                BASE64_STANDARD.encode(Sha256::digest(rest.split("</style>").next().unwrap()))
            )
        })
        .collect();
    let page = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob: https:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'none'; frame-src https://open.spotify.com https://w.soundcloud.com; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'; report-uri /api/csp-report";
    let page = page.replace("style-src 'self'", &format!("style-src 'self'{styles}"));
    assert_eq!(seen["/"], (page.to_owned(), "no-cache".to_owned()));
    assert_eq!(seen["/nothing"].0, page);
    let api = "default-src 'none'; frame-ancestors 'none'";
    assert_eq!(seen["/api/releases"], (api.to_owned(), "no-cache".to_owned()));
    for path in ["/api/nothing", "/nothing.js", "/livez", "/api/artists/x", "/media/artists/a.jpg"] {
        assert_eq!(seen[path], (api.to_owned(), "no-store".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn wrong_addresses_are_answered_in_their_kind() {
    let server = TestServer::start(Engine::Sqlite).await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/me.js",
        "/profile/x.css",
        "/.git/config",
        "/.env",
        "/assets/nothing.js",
        "/server/paint.js",
        "/assets/index.js.map",
        "/media/demos/1_aaaaaaaa_x.wav",
        "/media/assets/..%2f..%2fkey",
        "/media/nothing",
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.problem(), "not_found", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    for path in ["/nothing", "/releases/extra", "/artists/not-an-id", "//releases", "/admin/nothing"] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
    }
}

#[tokio::test]
async fn other_methods_are_refused() {
    let server = TestServer::start(Engine::Sqlite).await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::TRACE] {
        let request = server.client.request(method.clone(), format!("{}/api/releases", server.base));
        let answer = Answer::read(request.send().await.unwrap()).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert_eq!(answer.problem(), "method_not_allowed");
    }
    for path in ["/", "/nothing", "/api/nothing", "/api/auth/sign-out"] {
        let request = server.client.request(Method::TRACE, format!("{}{path}", server.base));
        let answer = Answer::read(request.send().await.unwrap()).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert!(answer.headers.contains_key("allow"), "{path}");
    }
    let head = server.client.head(format!("{}/api/releases", server.base));
    for _ in 0..2 {
        let answer = Answer::read(head.try_clone().unwrap().send().await.unwrap()).await;
        assert_eq!((answer.status, answer.bytes.len()), (StatusCode::OK, 0));
    }
}

#[tokio::test]
async fn a_preflight_gets_no_permission() {
    let server = TestServer::start(Engine::Sqlite).await;
    for path in ["/api/releases", "/", "/nothing"] {
        let request = server.client.request(Method::OPTIONS, format!("{}{path}", server.base));
        let answer =
            Answer::read(request.header("origin", "https://evil.example").send().await.unwrap()).await;
        assert_eq!((answer.status, answer.bytes.len()), (StatusCode::NO_CONTENT, 0), "{path}");
        assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
    }
}

#[tokio::test]
async fn an_absolute_target_must_name_this_website_too() {
    let server = TestServer::start(Engine::Sqlite).await;
    let host = server.address();
    let request =
        format!("GET http://evil.example/api/releases HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    assert!(raw(&server, request.as_bytes()).await.starts_with("HTTP/1.1 421"));
    let request =
        format!("GET http://{host}/api/releases HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    assert!(raw(&server, request.as_bytes()).await.starts_with("HTTP/1.1 200"));
    let own = host.to_string();
    for hosts in [[own.as_str(), "evil.example"], ["evil.example", &own]] {
        let request = format!(
            "GET /api/releases HTTP/1.1\r\nhost: {}\r\nhost: {}\r\nconnection: close\r\n\r\n",
            hosts[0], hosts[1]
        );
        assert!(raw(&server, request.as_bytes()).await.starts_with("HTTP/1.1 4"), "{hosts:?}");
    }
}

#[tokio::test]
async fn a_write_from_another_website_is_refused() {
    let server = TestServer::start(Engine::Sqlite).await;
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let request = server.client.post(format!("{}/api/releases", server.base)).header(name, value);
        let answer = Answer::read(request.send().await.unwrap()).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (StatusCode::FORBIDDEN, "csrf"),
            "{name}: {value}"
        );
    }
}

#[tokio::test]
async fn finished_answers_are_compressed_revalidated_and_equal() {
    let server = TestServer::start(Engine::Sqlite).await;
    let plain = server.get_with("/api/content", &[("accept-encoding", "identity")]).await;
    let etag = plain.header("etag").to_owned();
    assert!(etag.starts_with("W/\""));
    assert_eq!(plain.header("vary"), "accept-encoding");
    for encoding in ["br", "gzip"] {
        let response = reqwest::Client::builder()
            .no_brotli()
            .no_gzip()
            .build()
            .unwrap()
            .get(format!("{}/api/content", server.base))
            .header("accept-encoding", encoding);
        let packed = Answer::read(response.send().await.unwrap()).await;
        assert_eq!(packed.header("content-encoding"), encoding);
        assert!(packed.bytes.len() < plain.bytes.len());
    }
    let again = server.get_with("/api/content", &[("if-none-match", &etag)]).await;
    assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("etag"), etag);
    server.sql("UPDATE site_content SET value = 'new' WHERE key = 'hero_subtitle'").await;
    server.wait_for_changes().await;
    assert_eq!(server.get_with("/api/content", &[("if-none-match", &etag)]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn headers_that_are_too_large_or_ambiguous_are_refused() {
    let server = TestServer::start(Engine::Sqlite).await;
    let host = server.address();
    let huge = format!("GET /api/releases HTTP/1.1\r\nhost: {host}\r\nx: {}\r\n\r\n", "a".repeat(100_000));
    assert!(raw(&server, huge.as_bytes()).await.starts_with("HTTP/1.1 431"));
    let both = format!(
        "POST /api/csp-report HTTP/1.1\r\nhost: {host}\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    );
    let twice = format!(
        "POST /api/csp-report HTTP/1.1\r\nhost: {host}\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabc"
    );
    for request in [both, twice] {
        let answer = raw(&server, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400") || answer.is_empty(), "{answer}");
    }
}

#[tokio::test]
async fn a_report_is_taken_as_browsers_send_it() {
    let server = TestServer::start(Engine::Sqlite).await;
    for report in [
        json!({"violated-directive": "img-src", "effective-directive": "img-src", "blocked-uri": "https://x.example/a"}),
        json!({"violated-directive": "img-src", "blocked-uri": "inline"}),
        json!({}),
    ] {
        let request = server.client.post(format!("{}/api/csp-report", server.base));
        let body = json!({"csp-report": report}).to_string();
        let answer =
            request.header("content-type", "application/csp-report").body(body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{report}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_so_that_a_browser_sees_it() {
    let server = TestServer::start(Engine::Sqlite).await;
    let request = server
        .client
        .post(format!("{}/api/csp-report", server.base))
        .header("content-type", "application/csp-report")
        .body(vec![b'a'; 200_000]);
    let answer = Answer::read(request.send().await.unwrap()).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large")
    );
}

#[tokio::test]
async fn browsers_reports_are_noted_and_bounded_by_address() {
    let server = TestServer::start(Engine::Sqlite).await;
    let report = async |body: &str, kind: &str| {
        let request = server
            .client
            .post(format!("{}/api/csp-report", server.base))
            .header("content-type", kind)
            .header("sec-fetch-site", "cross-site")
            .body(body.to_owned());
        Answer::read(request.send().await.unwrap()).await
    };
    let good =
        r#"{"csp-report":{"effective-directive":"img-src","blocked-uri":"http://evil.example/x?secret"}}"#;
    assert_eq!(report(good, "text/plain").await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(report(good, "application/csp-report").await.status, StatusCode::NO_CONTENT);
    assert_eq!(report("{", "application/csp-report").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let deep = good.replacen('{', &format!("{{\"x\":{}{},", "[".repeat(100), "]".repeat(100)), 1);
    assert_eq!(report(&deep, "application/csp-report").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    for _ in 3..10 {
        assert_eq!(report(good, "application/csp-report").await.status, StatusCode::NO_CONTENT);
    }
    let refused = report(good, "application/csp-report").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.json()["detail"], "Too many requests. Try again in 1 minutes.");
    assert_eq!(refused.header("retry-after"), refused.json()["retry_after"].to_string());
}

#[tokio::test]
async fn readiness_says_what_does_not_answer() {
    let server = TestServer::start(Engine::Sqlite).await;
    let media = server.data.path().join("media");
    let kept = || tokio::time::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(server.get("/readyz").await.status, StatusCode::OK);
    assert_eq!(std::fs::read_dir(&media).unwrap().count(), 0, "nothing is left of it");
    let unavailable = async || {
        let answer = server.get("/readyz").await;
        (answer.status, answer.problem())
    };
    std::fs::remove_dir_all(&media).unwrap();
    kept().await;
    assert_eq!(unavailable().await, (StatusCode::SERVICE_UNAVAILABLE, "unavailable".to_owned()));
    assert!(!media.exists(), "a folder that is not there is not made in the place of a disk");
    // A folder that even root cannot write to.
    std::os::unix::fs::symlink("/proc", &media).unwrap();
    kept().await;
    assert_eq!(unavailable().await, (StatusCode::SERVICE_UNAVAILABLE, "unavailable".to_owned()));
    std::fs::remove_file(&media).unwrap();
    std::fs::create_dir(&media).unwrap();
    kept().await;
    assert_eq!(server.get("/readyz").await.status, StatusCode::OK);
    assert_eq!(server.get("/livez").await.status, StatusCode::OK);
}

#[apply(on_both_engines!)]
async fn readiness_says_since_when_the_oldest_letter_waits(engine: Engine) {
    let server = TestServer::start(engine).await;
    let since = NOON - 30_000_000;
    let letter = server.id_literal(uuid::Uuid::from_u128(7));
    server.sql(&format!("INSERT INTO outbox (id, kind, patience, created_at, next_try_at) VALUES ({letter}, 'x', 'message', {since}, {NOON} + 3600000000)")).await;
    let answer = server.get("/readyz").await;
    assert_eq!(
        answer.text(),
        "ok\nqueue_age_seconds 0\n",
        "on its way: whether there is one is nobody's business"
    );
    server.advance(std::time::Duration::from_secs(60));
    // The result is cached for a second.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let answer = server.get("/readyz").await;
    assert_eq!((answer.status, answer.text().as_str()), (StatusCode::OK, "ok\nqueue_age_seconds 90\n"));
}
