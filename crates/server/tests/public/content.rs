use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::Value;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

fn value(page: &Value, key: &str) -> String {
    let item = page["items"].as_array().unwrap().iter().find(|item| item["key"] == key).unwrap();
    item["value"].as_str().unwrap().to_owned()
}

#[apply(on_both_engines!)]
async fn every_text_but_the_policy_is_listed_with_its_default(engine: Engine) {
    let server = TestServer::start(engine).await;
    let page = server.get("/api/content").await.json();
    let keys: Vec<&str> =
        page["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect();
    let expected: Vec<&str> = rules::content::KEYS
        .into_iter()
        .filter(|key| *key != "privacy_policy" && !rules::content::default_text(key).unwrap().is_empty())
        .collect();
    assert_eq!(keys, expected);
    for key in keys {
        assert_eq!(value(&page, key), rules::content::default_text(key).unwrap());
    }
}

#[apply(on_both_engines!)]
async fn a_stored_text_wins_and_a_blank_one_counts_as_none(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.sql("UPDATE site_content SET value = 'Rhythm & <Sound>' WHERE key = 'hero_subtitle'").await;
    server.sql("UPDATE site_content SET value = '  ' WHERE key = 'hero_main_title'").await;
    server.sql("DELETE FROM site_content WHERE key = 'manifesto_p1'").await;
    server.wait_for_changes().await;
    let page = server.get("/api/content").await.json();
    assert_eq!(value(&page, "hero_subtitle"), "Rhythm & <Sound>");
    assert_eq!(value(&page, "hero_main_title"), rules::content::default_text("hero_main_title").unwrap());
    assert_eq!(value(&page, "manifesto_p1"), rules::content::default_text("manifesto_p1").unwrap());
}

#[apply(on_both_engines!)]
async fn the_policy_has_its_own_address(engine: Engine) {
    let server = TestServer::start(engine).await;
    let policy = server.get("/api/content/privacy_policy").await;
    assert_eq!(policy.status, StatusCode::OK);
    assert_eq!(policy.json()["value"], rules::content::default_text("privacy_policy").unwrap());
}

#[apply(on_both_engines!)]
async fn an_unknown_key_is_not_found(engine: Engine) {
    let server = TestServer::start(engine).await;
    for path in [
        "/api/content/nothing",
        "/api/content/%00",
        "/api/site-images/nothing",
        "/api/site-images/%00",
        "/api/maintenance/contact",
        "/api/maintenance/%00",
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.problem(), "not_found");
    }
}

#[apply(on_both_engines!)]
async fn installing_twice_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.sql("UPDATE site_content SET value = 'mine' WHERE key = 'hero_subtitle'").await;
    server.sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE WHERE page_key = 'store'").await;
    deadwax::start::migrate(&server.app.db, &server.app.clock, None).await.unwrap();
    server.wait_for_changes().await;
    assert_eq!(value(&server.get("/api/content").await.json(), "hero_subtitle"), "mine");
    assert_eq!(server.get("/api/maintenance/store").await.json()["is_maintenance_mode"], true);
}

#[apply(on_both_engines!)]
async fn a_default_background_without_a_row_leaves_no_file(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.sql("ALTER TABLE site_images RENAME COLUMN alt_text TO away").await;
    let (app, now) = (&server.app, server.app.clock.now());
    deadwax::files::hero::install(&app.db, &app.storage, now).await.unwrap_err();
    assert_eq!(server.count("deletions WHERE key LIKE 'assets/%'").await, 2);
}

#[apply(on_both_engines!)]
async fn a_site_image_is_found_by_its_key(engine: Engine) {
    let server = TestServer::start(engine).await;
    assert_eq!(server.get("/api/site-images").await.json()["items"], serde_json::json!([]));
    deadwax::files::hero::install(&server.app.db, &server.app.storage, server.app.clock.now()).await.unwrap();
    server.wait_for_changes().await;
    let image = server.get("/api/site-images/hero_background").await.json();
    assert_eq!(image["is_default"], true, "{image}");
    for field in ["image_url", "image_small_url"] {
        let picture = server.get(image[field].as_str().unwrap()).await;
        assert_eq!(picture.status, StatusCode::OK, "{field}");
        assert!(picture.header("content-type").starts_with("image/"));
    }
    assert_eq!(server.get("/api/site-images").await.json()["items"], serde_json::json!([image]));
}
