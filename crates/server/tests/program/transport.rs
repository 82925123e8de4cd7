//! Slow and stubborn peers, and the answers to clients refused while they still send.

use std::time::Duration;

use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
};

use crate::support::{Answer, Engine, TestServer};

/// Reads one answer, and whether the connection stays open after it.
async fn read_answer(socket: &mut TcpStream) -> (String, bool) {
    let mut text = String::new();
    let mut bytes = [0; 64 * 1024];
    let reading = async {
        while !text.contains("\r\n\r\n") {
            match socket.read(&mut bytes).await.unwrap() {
                0 => break,
                read => text.push_str(&String::from_utf8_lossy(&bytes[..read])),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), reading).await.expect("an answer comes");
    let goes_on = !text.to_ascii_lowercase().contains("\r\nconnection: close\r\n");
    (text, goes_on)
}

#[tokio::test]
async fn a_request_that_tells_its_length_twice_is_refused_behind_others_too() {
    let server = TestServer::start(Engine::Sqlite).await;
    let host = server.address();
    let sign_in = json!({"identifier": "nobody", "password": "correct horse battery"}).to_string();
    let first = format!(
        "POST /api/auth/sign-in HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{sign_in}",
        sign_in.len()
    );
    let both = format!(
        "POST /api/contact HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
    );
    for apart in [false, true] {
        let mut socket = TcpStream::connect(host).await.unwrap();
        socket.set_nodelay(true).unwrap();
        socket.write_all(first.as_bytes()).await.unwrap();
        if apart {
            // Comparing the password takes much longer than accepting the next request.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        socket.write_all(both.as_bytes()).await.unwrap();
        let mut answers = String::new();
        tokio::time::timeout(Duration::from_secs(10), socket.read_to_string(&mut answers))
            .await
            .expect("the server closes")
            .unwrap();
        let statuses: Vec<_> = answers
            .match_indices("HTTP/1.1 ")
            .map(|(at, line)| answers[at + line.len()..].split(' ').next().unwrap())
            .collect();
        assert_eq!(statuses, ["401", "400"], "{apart}: {answers}");
        assert!(answers.contains("ambiguous_length"), "{answers}");
    }
}

#[tokio::test]
async fn one_address_has_so_many_answers_at_once_and_the_others_do_not_notice() {
    let server = TestServer::start_with(Engine::Sqlite, |settings| settings.trusted_proxies.clear()).await;
    let (mut held, mut refused) = (Vec::new(), 0);
    for _ in 0..8 {
        let socket = TcpStream::connect(server.address()).await.unwrap();
        let (client, connection) = h2::client::Builder::new()
            .initial_window_size(0)
            .handshake::<_, bytes::Bytes>(socket)
            .await
            .unwrap();
        tokio::spawn(connection);
        for _ in 0..32 {
            let request = http::Request::get(format!("{}/", server.base)).body(()).unwrap();
            let (answer, _) = client.clone().ready().await.unwrap().send_request(request, true).unwrap();
            let answer = answer.await.unwrap();
            if answer.status() == 429 {
                assert_eq!(answer.headers()["retry-after"], "5");
                assert_eq!(answer.headers()["content-type"], "application/problem+json; charset=utf-8");
                refused += 1;
            } else {
                assert_eq!(answer.status(), 200);
            }
            held.push(answer);
        }
    }
    assert_eq!((held.len(), refused), (256, 56));
    let other = TcpSocket::new_v4().unwrap();
    other.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = other.connect(server.address()).await.unwrap();
    let ask = format!("GET /livez HTTP/1.1\r\nhost: {}\r\n\r\n", server.address());
    other.write_all(ask.as_bytes()).await.unwrap();
    assert!(read_answer(&mut other).await.0.starts_with("HTTP/1.1 200"));
    // Dropped connections are free again.
    drop(held);
    server.wait_until("an answer", async || server.get("/livez").await.status == 200).await;
}

#[tokio::test]
async fn a_client_that_leaves_its_writes_has_no_room_for_more_until_they_end() {
    let server = TestServer::start_patient(Engine::Sqlite).await;
    // Not the address of the trusted proxy.
    let connect = async || {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let socket = socket.connect(server.address()).await.unwrap();
        let (client, connection) = h2::client::handshake(socket).await.unwrap();
        (client, tokio::spawn(connection))
    };
    let begin_write = async |client: &h2::client::SendRequest<bytes::Bytes>, waiting: &mut Vec<_>| {
        let request = http::Request::post(format!("{}/api/auth/link", server.base));
        let request = request.header("content-type", "application/json").body(()).unwrap();
        let mut client = client.clone().ready().await.unwrap();
        let (answer, mut sending) = client.send_request(request, false).unwrap();
        sending.send_data(r#"{"type": "signup", "token": "x"}"#.into(), true).unwrap();
        waiting.push(answer);
    };
    let read = async |client: &h2::client::SendRequest<bytes::Bytes>| {
        let request = http::Request::get(format!("{}/livez", server.base)).body(()).unwrap();
        let (answer, _) = client.clone().ready().await.unwrap().send_request(request, true).unwrap();
        answer.await.unwrap().status()
    };
    let before = server.app.background.len();
    // Every write waits for this one.
    let writing = server.app.db.begin().await.unwrap();
    for _ in 0..8 {
        let (client, connection) = connect().await;
        let mut waiting = Vec::new();
        for _ in 0..24 {
            begin_write(&client, &mut waiting).await;
        }
        // Behind them on the same connection: they have arrived as well.
        assert_eq!(read(&client).await, 200);
        connection.abort();
    }
    server.wait_until("they are left", async || server.app.background.len() == before + 8 * 24).await;
    let (client, _connection) = connect().await;
    let mut waiting = Vec::new();
    for _ in 0..8 {
        begin_write(&client, &mut waiting).await;
    }
    assert_eq!(read(&client).await, 429, "192 that were left and 8 that are waited for");
    drop(writing);
    server.wait_until("an answer", async || read(&client).await == 200).await;
}

/// Sends a whole request before reading the answer, as many clients do.
async fn stubborn(server: &TestServer, head: &str, body: &[u8]) -> (String, bool) {
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let head = format!("{head}\r\nhost: {}\r\ncontent-length: {}\r\n\r\n", server.address(), body.len());
    socket.write_all(head.as_bytes()).await.unwrap();
    for piece in body.chunks(100_000) {
        socket.write_all(piece).await.expect("the server takes what is sent");
    }
    read_answer(&mut socket).await
}

#[tokio::test]
async fn who_is_refused_while_sending_sees_why() {
    let server = TestServer::start(Engine::Sqlite).await;
    let form = "content-type: multipart/form-data; boundary=cut";
    let bytes = "content-type: application/offset+octet-stream\r\ntus-resumable: 1.0.0\r\nupload-offset: 0";
    let json = "content-type: application/json";
    let part = b"--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".to_vec();
    for size in [700_000, 8_000_000] {
        let mut body = part.clone();
        body.resize(size, b'a');
        for (line, fields, status) in [
            ("POST /api/profile/avatar", form, 401),
            ("POST /api/admin/media", form, 401),
            (
                "POST /api/profile/avatar",
                "origin: https://evil.example\r\ncontent-type: multipart/form-data",
                403,
            ),
            ("PATCH /api/demos/nothing", bytes, 404),
            ("POST /api/demos", bytes, 413),
            ("POST /api/contact", json, 413),
            ("POST /api/contact", "content-type: text/csv", 415),
            ("POST /api/releases", json, 405),
            ("POST /api/nothing", json, 404),
        ] {
            let fields = if status == 413 && line.ends_with("demos") {
                let said = "artist_name Tm92YQ==,email bm92YUBhcnRpc3QuZXhhbXBsZQ==,filename c2V0Lndhdg==";
                format!("{fields}\r\nupload-length: {}\r\nupload-metadata: {said}", 71 * 1024 * 1024)
            } else {
                fields.to_owned()
            };
            let (answer, goes_on) = stubborn(&server, &format!("{line} HTTP/1.1\r\n{fields}"), &body).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{line} {size}: {answer}");
            assert_eq!(goes_on, size < 1024 * 1024, "{line} {size}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_client_that_expects_100_continue_is_refused_at_once() {
    let server = TestServer::start(Engine::Sqlite).await;
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let head = format!(
        "POST /api/profile/avatar HTTP/1.1\r\nhost: {}\r\ncontent-type: multipart/form-data; boundary=cut\r\n\
         expect: 100-continue\r\ncontent-length: 50000000\r\n\r\n",
        server.address()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let (answer, _) = read_answer(&mut socket).await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}

#[tokio::test]
async fn no_refusal_tells_which_libraries_read_a_request() {
    let server = TestServer::start(Engine::Sqlite).await;
    let max = server.person("Max_404").await;
    let browser = server.signed_in(&max).await;
    let paths = [
        "/api/newsletter",
        "/api/contact",
        "/api/terminal",
        "/api/auth/mfa-operations",
        "/api/auth/mfa-recovery",
        "/api/auth/sign-in",
        "/api/auth/sign-up",
    ];
    for path in paths {
        for body in [
            "{",
            "[]",
            "null",
            "{}",
            "{\"x\":1}",
            "{\"message\":{}}",
            "{\"action\":\"y\"}",
            "\"\u{0}\"",
            "{\"a\":1,\"a\":2}",
        ] {
            let request = server
                .client
                .post(format!("{}{path}", server.base))
                .header("cookie", format!("sid={}", browser.cookies["sid"]))
                .header("content-type", "application/json")
                .body(body);
            let answer = Answer::read(request.send().await.unwrap()).await;
            assert!(answer.status.is_client_error(), "{path} {body}: {answer:?}");
            speaks_plainly(&answer);
            assert!(
                ["invalid_json", "invalid_body", "unknown_field"].contains(&&*answer.problem()),
                "{path} {body}: {answer:?}"
            );
        }
    }
    for path in [
        "/api/releases?x=1",
        "/api/releases?limit=x",
        "/api/events?after=x",
        "/api/artists?limit=%FF",
        "/media/%FF/%FF",
    ] {
        let answer = server.get(path).await;
        assert!(answer.status.is_client_error(), "{path}: {answer:?}");
        speaks_plainly(&answer);
    }
}

fn speaks_plainly(answer: &Answer) {
    let text = answer.text().to_ascii_lowercase();
    for word in [
        "deserialize",
        "expected",
        "serde",
        "line 1",
        "column",
        "target type",
        "failed to",
        "variant",
        "utf-8",
    ] {
        assert!(!text.contains(word), "{word}: {answer:?}");
    }
}

/// Starts a form with a picture on a new connection and never finishes it.
async fn begin_upload(server: &TestServer, browser: &crate::support::people::Browser) -> TcpStream {
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let request = format!(
        "POST /api/profile/avatar HTTP/1.1\r\nhost: {}\r\ncookie: sid={}\r\n\
         content-type: multipart/form-data; boundary=cut\r\ncontent-length: 1000000\r\n\r\n\
         --cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\nbytes",
        server.address(),
        browser.cookies["sid"],
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    socket
}

#[tokio::test]
async fn an_account_sends_two_files_at_once_and_the_third_waits() {
    let server = TestServer::start(Engine::Sqlite).await;
    let max = server.person("Max_404").await;
    let browser = server.signed_in(&max).await;
    let mut under_way = vec![begin_upload(&server, &browser).await, begin_upload(&server, &browser).await];
    let spooled = || std::fs::read_dir(server.data.path().join("spool")).unwrap().count();
    server.wait_until("both being read", async || spooled() == 2).await;
    let third = server.upload_avatar(&browser);
    let leaving = async {
        assert!(server.get("/livez").await.status == 200 && spooled() == 2, "nothing of the third is kept");
        under_way.pop();
    };
    tokio::join!(third, leaving);
    drop(under_way);
    server.wait_until("the files gone", async || spooled() == 0).await;
}

#[tokio::test]
async fn an_endless_form_of_empty_parts_is_refused_at_the_eleventh() {
    let server = TestServer::start(Engine::Sqlite).await;
    let max = server.person("Max_404").await;
    let browser = server.signed_in(&max).await;
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let request = format!(
        "POST /api/profile/avatar HTTP/1.1\r\nhost: {}\r\ncookie: sid={}\r\n\
         content-type: multipart/form-data; boundary=cut\r\ntransfer-encoding: chunked\r\n\r\n",
        server.address(),
        browser.cookies["sid"],
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let part = "--cut\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n";
    for _ in 0..12 {
        socket.write_all(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes()).await.unwrap();
    }
    let (answer, goes_on) = read_answer(&mut socket).await;
    assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
    assert!(answer.contains("An upload has at most 10 parts.") && !goes_on, "{answer}");
}
