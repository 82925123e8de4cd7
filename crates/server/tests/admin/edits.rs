use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn the_second_of_two_editors_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (mut one, mut other) =
        (server.desk().await, server.signed_in(&server.admin("other_404").await).await);
    let id = server.artist("Mira", None).await;
    let path = format!("/api/admin/artists/{id}");
    assert_eq!(one.edit(&path, 1, json!({"name": "Mira Holm"})).await.status, 200);
    let late = other.edit(&path, 1, json!({"name": "Mira H."})).await;
    assert_eq!((late.status.as_u16(), late.problem()), (412, "stale_version".to_owned()), "{late:?}");
    assert_eq!(one.get(&path).await.json()["name"], "Mira Holm");
    assert_eq!(other.edit(&path, 2, json!({"name": "Mira H."})).await.status, 200);
}

#[apply(on_both_engines!)]
async fn of_many_editors_at_once_one_wins(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let id = server.artist("Mira", None).await;
    let edits = (0..16).map(|number| {
        let (mut desk, path) = (desk.copy(), format!("/api/admin/artists/{id}"));
        async move { desk.edit(&path, 1, json!({"name": format!("Name {number}")})).await.status.as_u16() }
    });
    let mut statuses = join_all(edits).await;
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert!(statuses[1..].iter().all(|status| *status == 412), "{statuses:?}");
}

#[apply(on_both_engines!)]
async fn texts_are_stored_as_typed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let texts = desk.get("/api/admin/content").await.json();
    let keys: Vec<&str> =
        texts["items"].as_array().unwrap().iter().map(|text| text["key"].as_str().unwrap()).collect();
    assert!(keys.is_sorted() && keys.len() == rules::content::KEYS.len(), "{keys:?}");
    let text = "  <script>alert(1)</script> & \"quotes\"\r\n\u{1F39B}\u{FE0F} tabs\t ";
    let path = "/api/admin/content/hero_subtitle";
    let changed = desk.edit(path, 1, json!({"value": text})).await;
    assert_eq!((changed.status.as_u16(), changed.json()["value"].as_str()), (200, Some(text)), "{changed:?}");
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/content/hero_subtitle").await.json()["value"], text);
    assert!(!server.get("/").await.text().contains("<script>alert(1)"));

    assert_eq!(desk.edit(path, 2, json!({"value": "x".repeat(64 * 1024)})).await.status, 200);
    assert_eq!(
        desk.edit(path, 3, json!({"value": "\u{1}".repeat(64 * 1024)})).await.status,
        200,
        "six bytes each on the wire"
    );
    assert_eq!(desk.edit(path, 4, json!({"value": "x".repeat(64 * 1024 + 1)})).await.status, 422);
    assert_eq!(desk.edit(path, 4, json!({"value": "nul\u{0}"})).await.status, 422);
    assert_eq!(
        desk.edit("/api/admin/content/hero_title", 1, json!({"value": "x"})).await.status,
        404,
        "an unknown key"
    );
}

#[apply(on_both_engines!)]
async fn a_text_without_words_shows_the_built_in_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let before = server.get("/api/content/hero_subtitle").await.json();
    for (version, value) in [(1, "Other words"), (2, " \n ")] {
        let answer = desk.edit("/api/admin/content/hero_subtitle", version, json!({"value": value})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/content/hero_subtitle").await.json(), before);
}

#[apply(on_both_engines!)]
async fn a_page_is_switched_into_maintenance_and_out_of_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    server
        .sql("UPDATE maintenance_settings SET maintenance_message = 'Pressing.' WHERE page_key = 'store'")
        .await;
    for (switch, status) in [(true, 503), (true, 503), (false, 200)] {
        let answer = desk.patch("/api/admin/maintenance/store", json!({"is_maintenance_mode": switch})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["maintenance_message"], "Pressing.", "the message stays");
        server.wait_for_changes().await;
        assert_eq!(server.get("/store").await.status, status);
    }
    assert_eq!(
        server.count("audit_log WHERE event = 'sys_maintenance'").await,
        2,
        "the same twice changes nothing"
    );
}

#[apply(on_both_engines!)]
async fn pages_that_never_close_cannot_be_switched(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for page in ["contact", "admin", "HOME", "x"] {
        let answer =
            desk.patch(&format!("/api/admin/maintenance/{page}"), json!({"is_maintenance_mode": true})).await;
        assert_eq!(answer.status, 404, "{page}");
    }
    let empty = desk.patch("/api/admin/maintenance/home", json!({})).await;
    assert_eq!(empty.status, 422);
}
