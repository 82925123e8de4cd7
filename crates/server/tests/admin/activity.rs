//! The audit log as admins read it.

use deadwax_store::clock::{Clock, DAY, SECOND};
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, TestServer, files::picture, people::Browser},
};

#[apply(on_both_engines!)]
async fn the_log_is_listed_searched_and_narrowed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = desk.post("/api/admin/artists", json!({"name": "Alva"})).await.json();
    server.advance(std::time::Duration::from_secs(1));
    let target = format!("artist:{}", artist["id"].as_str().unwrap());
    desk.delete(&format!("/api/admin/artists/{}", artist["id"].as_str().unwrap())).await;
    let log = desk.get("/api/admin/activity").await.json();
    let newest = &log["items"][0];
    assert_eq!(
        (&newest["kind"], &newest["person"], &newest["target"]),
        (&json!("sensitive_delete"), &json!("boss_404"), &json!(target))
    );
    let kinds = async |desk: &mut Browser, query: &str| -> Vec<String> {
        let page = desk.get(&format!("/api/admin/activity?{query}")).await.json();
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(kinds(&mut desk, &format!("q={target}")).await, ["sensitive_delete", "sensitive_create"]);
    assert_eq!(kinds(&mut desk, "kind=sensitive_create").await, ["sensitive_create"]);
    assert_eq!(kinds(&mut desk, "person=BOSS_404&kind=sensitive_delete").await, ["sensitive_delete"]);
    assert_eq!(kinds(&mut desk, "person=boss").await, [""; 0]);
    assert_eq!(kinds(&mut desk, "kind=data_").await, [""; 0]);
    let first = desk.get("/api/admin/activity?limit=1").await.json();
    let next = format!("/api/admin/activity?limit=1&cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!(desk.get(&next).await.json()["items"][0]["kind"], "sensitive_create");
    assert_eq!(newest["name"], "Alva", "in the trash it still has a name");
    assert_eq!(kinds(&mut desk, "q=%C3%A1lv").await, ["sensitive_delete", "sensitive_create"]);
    assert_eq!(kinds(&mut desk, "q=alvb").await, [""; 0]);
    for email in ["boss_404@label.example", "Boss_404@LABEL", "boss_404%40l"] {
        let found = kinds(&mut desk, &format!("q={email}")).await;
        assert_eq!(found[..2], ["sensitive_delete", "sensitive_create"], "{email}");
    }
    // A domain alone is not searched: the label's own would match every entry.
    assert_eq!(kinds(&mut desk, "q=label.example").await, [""; 0]);
    let filters = desk.get("/api/admin/activity/filters").await.json();
    assert_eq!(filters["people"], json!(["boss_404"]));
    assert!(filters["kinds"].as_array().unwrap().contains(&json!("sensitive_delete")), "{filters}");
}

#[apply(on_both_engines!)]
async fn an_import_is_found_by_the_name_of_its_file(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let sent = (Method::POST, "/api/admin/imports");
    let table = ("table.csv", b"title,date\nSignal,2019-03-12\n".as_slice());
    let import = server.send_file(&desk, sent, table, &[]).await;
    assert_eq!(import.status, 201, "{import:?}");
    server.sql("UPDATE imports SET file_name = 'Übersicht.csv'").await;
    for typed in ["%C3%9Cbersicht", "BERSICHT.csv"] {
        let found = desk.get(&format!("/api/admin/activity?q={typed}")).await.json();
        let names: Vec<_> = found["items"].as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
        assert_eq!(names, ["Übersicht.csv"], "{typed}");
    }
}

#[apply(on_both_engines!)]
async fn objects_of_the_log_have_names_while_they_are_there(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
    let artist = id(&desk.post("/api/admin/artists", json!({"name": "Alva"})).await.json());
    let product = json!({"title": "Tee", "price": 20, "stock_quantity": 3});
    let product = id(&desk.post("/api/admin/products", product).await.json());
    let release = json!({"title": "Ölfeld", "artist_id": artist, "release_date": "2026-01-01"});
    let release = id(&desk.post("/api/admin/releases", release).await.json());
    let png = picture(ImageFormat::Png, 8, 8);
    let sent = (Method::POST, "/api/admin/media");
    let medium = id(&server.send_file(&desk, sent, ("flyer.png", &png), &[]).await.json());
    server.sql("INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('demos/1_00000000_x.zip', 'application/zip', 1, '', 1)").await;
    let demo = Uuid::now_v7();
    let literal = server.id_literal(demo);
    server.sql(&format!("INSERT INTO demos (id, file_key, artist_name, email, original_name, submitted_at) VALUES ({literal}, 'demos/1_00000000_x.zip', 'Nova', 'a@b.example', 'x.zip', 1)")).await;
    deadwax::editing::search_keys::give_missing(&server.app.db).await.unwrap();
    let note = json!({"text": "play it again"});
    assert_eq!(desk.post(&format!("/api/admin/desk/demos/{demo}/notes"), note).await.status, 201);
    let score = json!({"score": 4});
    assert_eq!(
        desk.send(Method::PUT, &format!("/api/admin/desk/demos/{demo}/score"), Some(score)).await.status,
        200
    );
    let log = desk.get("/api/admin/activity?person=boss_404").await.json();
    let name = |log: &Value, target: &str| {
        let items = log["items"].as_array().unwrap();
        let entry = items.iter().find(|entry| entry["target"].as_str().unwrap_or("").starts_with(target));
        entry.unwrap_or_else(|| panic!("{target}: {log}"))["name"].clone()
    };
    for (target, expected) in [
        (format!("artist:{artist}"), "Alva"),
        (format!("product:{product}"), "Tee"),
        (format!("release:{release}"), "Ölfeld"),
        (format!("media:{medium}"), "flyer.png"),
        (format!("demo_score:{demo}"), "Nova"),
        ("demo_note:".to_owned(), "Nova"),
    ] {
        assert_eq!(name(&log, &target), expected, "{target}");
    }
    let found = desk.get("/api/admin/activity?q=olfeld").await.json();
    assert_eq!(found["items"].as_array().unwrap().len(), 1, "{found}");
    let found = desk.get("/api/admin/activity?q=nova").await.json();
    assert_eq!((name(&found, "demo_score:"), name(&found, "demo_note:")), (json!("Nova"), json!("Nova")));
    server.sql(&format!("DELETE FROM demos WHERE id = {literal}")).await;
    let log = desk.get("/api/admin/activity?person=boss_404").await.json();
    assert_eq!(name(&log, "demo_score:"), Value::Null, "what is gone has no name");
}

/// The database's clock decides which entry is kept.
#[apply(on_both_engines!)]
async fn an_entry_at_the_edge_of_its_days_does_not_keep_older_ones(engine: Engine) {
    let server = TestServer::start(engine).await;
    let now = Clock::System.now();
    let edge = now - 180 * DAY;
    for (id, at) in [(1, edge - DAY), (2, edge + 60 * SECOND)] {
        let id = server.id_literal(Uuid::from_u128(id));
        server
            .sql(&format!(
                "INSERT INTO audit_log (id, at, event, role, outcome) VALUES ({id}, {at}, 'sensitive_create', 'admin', 'ok')"
            ))
            .await;
    }
    deadwax::audit::prune(&server.app.db, now + 120 * SECOND).await.unwrap();
    assert_eq!(server.count(&format!("audit_log WHERE at < {edge} + 100 * {SECOND}")).await, 1);
}
