//! Mail without a mail server: captured files, the pages that show them, and the outbox.

mod arrival;
mod ending;
mod helper;
mod returned;
mod sending;
mod smtp;

use deadwax_config::Settings;
use deadwax_mail::{Letter, Mail, Patience, letters};
use deadwax_store::clock::Clock;
use macro_rules_attribute::apply;
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, NOON, TestServer},
};

deadwax_store::statements! {
    DAMAGE = "UPDATE outbox SET sealed = x'00' || substr(sealed, 2) WHERE id = (SELECT MAX(id) FROM outbox)",
        postgres "UPDATE outbox SET sealed = set_byte(sealed, 0, get_byte(sealed, 0) # 1) \
            WHERE id = (SELECT id FROM outbox ORDER BY id DESC LIMIT 1)";
    ROWS = "SELECT kind, sealed IS NULL, tries, next_try_at, sent_at, dead_at, last_error \
        FROM outbox \
        ORDER BY created_at, id";
}

/// Kind, whether its text is erased, tries, next try, sent, dead, last error.
type Outbox = (String, bool, i64, i64, Option<i64>, Option<i64>, Option<String>);

async fn outbox(server: &TestServer) -> Vec<Outbox> {
    server.app.db.query(ROWS).all::<Outbox>().await.unwrap()
}

fn letter(subject: &str) -> Letter {
    Letter {
        subject: subject.to_owned(),
        text: format!("{subject} text\n"),
        html: format!("<p>{subject}</p>"),
        is_automatic: false,
    }
}

fn plain<'a>(to: &'a str, subject: &str) -> Mail<'a> {
    Mail {
        kind: "test",
        to,
        letter: letter(subject),
        reply_to: None,
        not_before: None,
        not_after: None,
        patience: Patience::Account,
    }
}

/// Enqueues and commits without starting a delivery, as a crash leaves it.
async fn enqueue(server: &TestServer, mail: &Mail<'_>) -> Uuid {
    let mut tx = server.app.db.begin().await.unwrap();
    let id = deadwax_mail::enqueue(&mut tx, &server.app.keys, server.app.clock.now(), mail).await.unwrap();
    tx.queued.mail = false;
    tx.commit().await.unwrap();
    id
}

async fn post(server: &TestServer, mail: &Mail<'_>) -> Uuid {
    let id = enqueue(server, mail).await;
    server.app.mail.send_due().await;
    id
}

fn advance(server: &TestServer, seconds: i64) {
    let Clock::Fixed(at) = &server.app.clock else { unreachable!() };
    at.fetch_add(seconds * 1_000_000, std::sync::atomic::Ordering::SeqCst);
}

fn files(server: &TestServer) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(server.data.path().join("mail")) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[apply(on_both_engines!)]
async fn captured_mail_is_a_file_before_the_answer(engine: Engine) {
    use std::os::unix::fs::PermissionsExt as _;
    let server = TestServer::start(engine).await;
    let label = server.app.label();
    let mail = Mail { letter: letters::confirm(&label, "TOKEN", "OTHER"), ..plain("max@example.org", "") };
    let id = post(&server, &mail).await;
    assert_eq!(files(&server), [format!("{}-{id}.eml", NOON / 1000)]);
    let path = server.data.path().join("mail").join(&files(&server)[0]);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let eml = std::fs::read_to_string(&path).unwrap();
    let host = server.base.strip_prefix("http://").unwrap();
    for line in [
        "From: \"404 COLLECTIVE\" <no-reply@localhost>".to_owned(),
        "To: max@example.org".to_owned(),
        "Subject: 404 COLLECTIVE: confirm your email address".to_owned(),
        "Date: Fri, 20 Nov 2026 12:00:00 +0000".to_owned(),
        format!("Message-ID: <{id}@localhost>"),
        "Auto-Submitted: auto-generated".to_owned(),
        "MIME-Version: 1.0".to_owned(),
        format!("http://{host}/auth/callback#type=signup&token=TOKEN"),
        format!("http://{host}/auth/callback#type=not_me&token=OTHER"),
    ] {
        assert!(eml.split("\r\n").any(|found| found == line), "{line}: {eml}");
    }
    assert!(eml.contains("Content-Type: multipart/alternative;"), "{eml}");
    assert_eq!(outbox(&server).await, [("test".to_owned(), true, 1, NOON, Some(NOON), None, None)]);

    server.app.mail.send_due().await;
    assert_eq!(files(&server).len(), 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), eml);
}

#[apply(on_both_engines!)]
async fn mail_of_an_undone_cause_is_never_sent(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut tx = server.app.db.begin().await.unwrap();
    deadwax_mail::enqueue(&mut tx, &server.app.keys, NOON, &plain("max@example.org", "undone"))
        .await
        .unwrap();
    drop(tx);
    server.app.mail.send_due().await;
    assert_eq!((files(&server), outbox(&server).await), (Vec::new(), Vec::new()));
}

#[apply(on_both_engines!)]
async fn captured_mail_is_shown_on_this_machine(engine: Engine) {
    let server = TestServer::start(engine).await;
    let viewer = server.app.mail.viewer().unwrap();
    let empty = server.get(&viewer).await;
    assert_eq!(empty.status, 200);
    assert!(empty.text().contains("Nothing yet."), "{empty:?}");
    let label = server.app.label();
    let letter = Letter { subject: "<b>Grüße</b>".to_owned(), ..letters::reset(&label, "A-_") };
    post(&server, &Mail { letter, ..plain("max@example.org", "") }).await;
    advance(&server, 1);
    post(&server, &plain("moritz@example.org", "second")).await;

    let list = server.get(&viewer).await.text();
    assert!(!list.contains("<b>"), "{list}");
    let (first, second) = (list.find("Grüße").unwrap(), list.find("second").unwrap());
    assert!(second < first, "newest first");
    assert!(list.contains("2026-11-20 12:00:00") && list.contains("max@example.org"), "{list}");
    let name = &files(&server)[0];
    assert!(list.contains(&format!("href=\"{viewer}/{name}\"")), "{list}");

    let shown = server.get(&format!("{viewer}/{name}")).await;
    assert_eq!(shown.status, 200);
    assert!(shown.header("content-type").starts_with("text/html"));
    assert!(shown.header("content-security-policy").contains("style-src 'self'"));
    assert_eq!(shown.header("cache-control"), "no-store");
    let page = shown.text();
    let link = format!("{}/profile#type=recovery&#38;token=A-_", server.base);
    assert_eq!(page.matches(&format!("href=\"{link}\"")).count(), 3, "{page}");
    assert!(page.contains("&#60;!doctype html&#62;"), "the HTML form is shown as source: {page}");
    for forbidden in ["<script", " style=\"", "<style", "<b>"] {
        assert!(!page.contains(forbidden), "{forbidden}: {page}");
    }
    let style = server.get(&format!("{viewer}/mail.css")).await;
    assert_eq!((style.status.as_u16(), style.header("content-type")), (200, "text/css; charset=utf-8"));

    for path in ["/", "/x", "/..%2f..%2fdeadwax.db", "/1-00000000-0000-0000-0000-000000000000.eml"] {
        assert_eq!(server.get(&format!("{viewer}{path}")).await.status, 404, "{path}");
    }
    let other = deadwax_store::crypto::Token::random();
    let guessed = format!("/dev/mail/{}", other.expose());
    for path in ["/dev/mail", "/dev/mail/", "/dev/mail.css", "/dev/mail/x", &guessed] {
        for path in [path, &format!("{path}/{name}"), &format!("{path}/mail.css")] {
            let answer = server.get(path).await;
            assert_eq!((answer.status.as_u16(), answer.text().contains("aptured")), (404, false), "{path}");
        }
    }
    for header in
        ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"]
    {
        for path in [&viewer, &format!("{viewer}/{name}"), &format!("{viewer}/mail.css")] {
            let answer = server.get_with(path, &[(header, "127.0.0.1")]).await;
            assert_eq!(answer.status, 404, "a proxy has passed it on: {header}");
        }
    }
}

#[tokio::test]
async fn captured_mail_is_not_shown_on_a_public_website_or_with_a_mail_server() {
    let public = |settings: &mut Settings| {
        settings.public_url = Some("https://label.example".parse().unwrap());
    };
    let with_server = |settings: &mut Settings| {
        settings.smtp_url = Some("smtp://127.0.0.1:1".into());
        settings.mail_from = Some("mail@label.example".to_owned());
        settings.contact_to = Some("label@label.example".to_owned());
    };
    let server = TestServer::start_with(Engine::Sqlite, public).await;
    post(&server, &plain("max@example.org", "private")).await;
    let viewer = server.app.mail.viewer().unwrap();
    let name = format!("{viewer}/{}", files(&server)[0]);
    for path in ["/dev/mail", &viewer, &name, &format!("{viewer}/mail.css")] {
        let answer = server.get_with(path, &[("host", "label.example")]).await;
        assert_eq!(answer.status, 404, "{path}");
    }
    assert_eq!(server.get(&viewer).await.status, 421);

    let server = TestServer::start_with(Engine::Sqlite, with_server).await;
    assert_eq!(server.app.mail.viewer(), None);
    assert_eq!(server.get("/dev/mail").await.status, 404);
}

#[tokio::test]
async fn captured_mail_is_not_shown_to_another_machine() {
    use tower::ServiceExt as _;
    let server = TestServer::start(Engine::Sqlite).await;
    let viewer = server.app.mail.viewer().unwrap();
    for (peer, status) in [
        ("127.0.0.1", 200),
        ("::1", 200),
        ("::ffff:127.0.0.1", 200),
        ("192.0.2.7", 404),
        ("2001:db8::7", 404),
    ] {
        let peer = std::net::SocketAddr::new(peer.parse().unwrap(), 1);
        let request = http::Request::get(&viewer)
            .extension(axum::extract::ConnectInfo(peer))
            .body(axum::body::Body::empty())
            .unwrap();
        let answer = deadwax::routes::router(server.app.clone()).oneshot(request).await.unwrap();
        assert_eq!(answer.status(), status, "{peer}");
    }
}

#[tokio::test]
async fn a_label_may_be_called_anything() {
    for (name, from) in [
        (
            "L\"abel\", <x@y.example>",
            "From: =?utf-8?b?TCJhYmVsIiwgPHhAeS5leGFtcGxlPg==?= <no-reply@localhost>",
        ),
        ("evil\r\nBcc: x@y.example", "From: =?utf-8?b?ZXZpbCBCY2M6IHhAeS5leGFtcGxl?= <no-reply@localhost>"),
        ("Ärzte", "From: =?utf-8?b?w4RyenRl?= <no-reply@localhost>"),
    ] {
        let server =
            TestServer::start_with(Engine::Sqlite, |settings| name.clone_into(&mut settings.label_name))
                .await;
        let label = server.app.label();
        post(&server, &Mail { letter: letters::token_reuse(&label), ..plain("max@example.org", "") }).await;
        let eml = std::fs::read_to_string(server.data.path().join("mail").join(&files(&server)[0])).unwrap();
        let (head, _) = eml.split_once("\r\n\r\n").unwrap();
        assert!(head.split("\r\n").any(|line| line == from), "{head}");
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    }
}

#[apply(on_both_engines!)]
async fn an_unreadable_row_is_dead_and_delays_no_other(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut tx = server.app.db.begin().await.unwrap();
    for to in ["nobody", "max@example.org\r\nBcc: x@y.example", "damaged@example.org"] {
        deadwax_mail::enqueue(&mut tx, &server.app.keys, NOON, &plain(to, "poison")).await.unwrap();
    }
    tx.query(DAMAGE).execute().await.unwrap();
    tx.commit().await.unwrap();
    let good = post(&server, &plain("max@example.org", "good")).await;
    assert_eq!(files(&server), [format!("{}-{good}.eml", NOON / 1000)]);
    let rows = outbox(&server).await;
    assert_eq!(rows.iter().filter(|row| row.5 == Some(NOON) && row.1).count(), 3, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.6.as_deref() == Some("unreadable")).count(), 3, "{rows:?}");
}

#[apply(on_both_engines!)]
async fn what_is_left_of_old_mail_goes_but_a_visitors_message_stays(engine: Engine) {
    let server = TestServer::start(engine).await;
    let day = 24 * 3600;
    post(&server, &plain("max@example.org", "sent")).await;
    advance(&server, -8 * day);
    enqueue(&server, &plain("max@example.org", "never sent")).await;
    enqueue(&server, &Mail { patience: Patience::Message, ..plain("max@example.org", "message") }).await;
    advance(&server, 8 * day);
    assert_eq!(server.findings().await.len(), 1, "a message has waited for a week");
    server
        .sql(&format!("UPDATE outbox SET dead_at = {NOON}, last_error = '550' WHERE patience = 'message'"))
        .await;
    server.app.mail.send_due().await;
    assert_eq!(files(&server).len(), 1, "what is too old is not delivered");
    let findings = server.findings().await;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(
        findings[0].ends_with(": what a visitor wrote on 2026-11-12T12:00:00Z could not be delivered (550)"),
        "{findings:?}"
    );
    deadwax_mail::prune(&server.app.db, NOON + 30 * day * 1_000_000).await.unwrap();
    assert_eq!(outbox(&server).await.len(), 3);
    deadwax_mail::prune(&server.app.db, NOON + 30 * day * 1_000_000 + 1).await.unwrap();
    let left = outbox(&server).await;
    assert_eq!(left.len(), 1);
    assert!(!left[0].1, "what the visitor wrote is kept");
}
