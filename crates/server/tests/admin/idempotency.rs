//! Requests sent twice, by a double click or after a lost answer, create one row.

use std::time::Duration;

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::join;

use crate::{
    on_both_engines,
    support::{Answer, Engine, TestServer, files::picture, people::Browser},
};

const ARTISTS: &str = "/api/admin/artists";

fn artist() -> Value {
    json!({"name": "Rhythm & Sound"})
}

/// Sends the same request from two tabs at the same time.
async fn twice(desk: &Browser, path: &str, body: &Value) -> [Answer; 2] {
    let (mut one, mut other) = (desk.copy(), desk.copy());
    let (first, second) = join!(one.post(path, body.clone()), other.post(path, body.clone()));
    [first, second]
}

async fn keyed(desk: &mut Browser, key: &str, path: &str, body: Value) -> Answer {
    desk.headers = vec![("idempotency-key".to_owned(), key.to_owned())];
    let answer = desk.post(path, body).await;
    desk.headers.clear();
    answer
}

#[apply(on_both_engines!)]
async fn a_form_that_is_posted_twice_creates_one_thing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let demo = server.demo("Nova", "nova@artist.example", 1).await;
    let note = format!("/api/admin/desk/demos/{demo}/notes");
    for (path, rows, body, other) in [
        (ARTISTS, "artists", artist(), json!({"name": "Other"})),
        (
            "/api/admin/releases",
            "releases",
            json!({"title": "One", "release_date": "2026-07-18"}),
            json!({"title": "Two", "release_date": "2026-07-18"}),
        ),
        (
            "/api/admin/products",
            "store_products",
            json!({"title": "Vinyl", "price": 1, "stock_quantity": 1}),
            json!({"title": "Tape", "price": 1, "stock_quantity": 1}),
        ),
        (&note, "demo_notes", json!({"text": "Play it loud."}), json!({"text": "Or not."})),
    ] {
        let before = server.count(rows).await;
        let [first, second] = twice(&desk, path, &body).await;
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201), "{first:?} {second:?}");
        assert_eq!(first.json(), second.json());
        assert_eq!(first.header("content-type"), "application/json; charset=utf-8");
        assert_eq!(server.count(rows).await, before + 1, "{path}");
        let notes = server.count("audit_log WHERE event = 'sensitive_create'").await;
        assert_eq!(desk.post(path, body.clone()).await.json(), first.json(), "a moment later");
        assert_eq!(server.count("audit_log WHERE event = 'sensitive_create'").await, notes);

        assert_eq!(desk.post(path, other).await.status, 201);
        assert_eq!(server.count(rows).await, before + 2, "another one is another one");
        server.advance(Duration::from_secs(5));
        let third = desk.post(path, body).await;
        assert_eq!(
            (third.status.as_u16(), server.count(rows).await),
            (201, before + 3),
            "and so is a later one"
        );
        assert_ne!(third.json()["id"], first.json()["id"]);
    }
}

#[apply(on_both_engines!)]
async fn a_key_names_a_request_as_long_as_it_is_repeated(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let first = keyed(&mut desk, "\"one\"", ARTISTS, artist()).await;
    server.advance(Duration::from_secs(599));
    let again = keyed(&mut desk, "\"one\"", ARTISTS, artist()).await;
    assert_eq!((again.status.as_u16(), again.json()), (201, first.json()));
    assert_eq!(server.count("artists").await, 1);
    let other = keyed(&mut desk, "\"one\"", ARTISTS, json!({"name": "Other"})).await;
    assert_eq!((other.status.as_u16(), &other.json()["code"]), (422, &json!("idempotency_key_reused")));

    for key in ["\"two\"", "three"] {
        assert_eq!(keyed(&mut desk, key, ARTISTS, artist()).await.status, 201);
    }
    assert_eq!(server.count("artists").await, 3, "two keys are two requests, whatever they say");
    // A key counts per account and per operation.
    let mut jon = server.signed_in(&server.admin("jon_404").await).await;
    assert_eq!(keyed(&mut jon, "\"one\"", ARTISTS, json!({"name": "Other"})).await.status, 201);
    let product = json!({"title": "Vinyl", "price": 1, "stock_quantity": 1});
    assert_eq!(keyed(&mut desk, "\"one\"", "/api/admin/products", product).await.status, 201);
    for none in ["", "\"\"", &"x".repeat(129)] {
        let refused = keyed(&mut desk, none, ARTISTS, artist()).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["code"]),
            (400, &json!("invalid_idempotency_key"))
        );
    }
    assert_eq!(server.count("artists").await, 4);

    server.advance(Duration::from_secs(600));
    assert_eq!(keyed(&mut desk, "\"one\"", ARTISTS, artist()).await.status, 201);
    assert_eq!(server.count("artists").await, 5);
    let (app, kept) = (&server.app, server.count("idempotency_keys").await);
    deadwax::requests::idempotency::prune(&app.db, app.clock.now()).await.unwrap();
    assert!(kept > 1 && server.count("idempotency_keys").await == 1, "{kept}");
}

#[apply(on_both_engines!)]
async fn what_failed_may_be_tried_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    server.sql("ALTER TABLE audit_log RENAME TO away").await;
    assert_eq!(keyed(&mut desk, "\"one\"", ARTISTS, artist()).await.status, 500);
    server.sql("ALTER TABLE away RENAME TO audit_log").await;
    assert_eq!((server.count("artists").await, server.count("idempotency_keys").await), (0, 0));
    assert_eq!(keyed(&mut desk, "\"one\"", ARTISTS, artist()).await.status, 201);
    assert_eq!(server.count("artists").await, 1);
}

#[apply(on_both_engines!)]
async fn a_file_that_is_sent_again_with_its_key_is_taken_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let picture = picture(ImageFormat::Png, 8, 8);
    let table = b"title,release_date\nSignal,2019-03-12\n";
    let list = b"email\nmira@x.example\n";
    let (uploads, covers) = ("file_path LIKE 'uploads/%'", "file_path LIKE 'releases/%'");
    for (path, rows, status, bytes) in [
        ("/api/admin/media", format!("media_files WHERE {uploads}"), 201, &picture[..]),
        ("/api/admin/images?folder=releases", format!("media_files WHERE {covers}"), 200, &picture[..]),
        ("/api/admin/imports", "releases".to_owned(), 201, &table[..]),
        ("/api/admin/newsletter/imports", "subscriber_imports".to_owned(), 201, &list[..]),
    ] {
        let (name, other) = ("one.png", "other.png");
        desk.headers = vec![("idempotency-key".to_owned(), "\"one\"".to_owned())];
        let mut seen = Vec::new();
        for _ in 0..2 {
            let answer = server.send_file(&desk, (Method::POST, path), (name, bytes), &[]).await;
            assert_eq!(answer.status, status, "{answer:?}");
            seen.push(answer.json());
        }
        assert_eq!(seen[0], seen[1]);
        assert_eq!(server.count(&rows).await, 1, "{path}");
        let reused = server.send_file(&desk, (Method::POST, path), (other, bytes), &[]).await;
        assert_eq!((reused.status.as_u16(), reused.problem().as_str()), (422, "idempotency_key_reused"));
        desk.headers.clear();
        let third = server.send_file(&desk, (Method::POST, path), (name, bytes), &[]).await;
        if rows == "subscriber_imports" {
            assert_eq!(third.problem(), "subscribers_nothing", "every address is known by now");
            continue;
        }
        assert_eq!(
            (third.status.as_u16(), server.count(&rows).await),
            (status, 2),
            "without a key it is another"
        );
    }
    server.app.deletions.remove_due().await.unwrap();
    for folder in ["uploads", "releases"] {
        assert_eq!(server.stored(folder).len(), 4, "two pictures, and the small versions beside them");
    }
}
