use macro_rules_attribute::apply;
use serde_json::json;
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn a_release_is_added_changed_and_removed_and_visitors_see_each_step(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Mira Holm", None).await;
    let added = desk
        .post("/api/admin/releases", json!({"title": "Locked Groove", "artist_id": artist, "catalog": "404-045", "release_date": "2026-07-18", "bandcamp_url": "https://mira.bandcamp.com/album/x"}))
        .await;
    assert_eq!(added.status, 201, "{added:?}");
    let release = added.json();
    assert_eq!(release["artist"], json!({"id": artist, "name": "Mira Holm"}));
    let id = release["id"].as_str().unwrap().to_owned();
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/releases").await.json()["items"][0]["catalog"], "404-045");

    let path = format!("/api/admin/releases/{id}");
    let changed =
        desk.edit(&path, 1, json!({"title": "Locked Groove II", "release_date": "2026-07-19"})).await;
    assert_eq!((changed.status.as_u16(), changed.json()["version"].as_i64()), (200, Some(2)), "{changed:?}");
    assert!(changed.json()["artist"].is_null());
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/releases").await.json()["items"][0]["date_label"], "2026.07.19");
    assert_eq!(desk.get("/api/admin/releases?q=groove").await.json()["total"], 1);

    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.edit(&path, 2, json!({"title": "x", "release_date": "2026-07-19"})).await.status, 404);
    assert_eq!(desk.get("/api/admin/releases").await.json()["total"], 0);
    assert_eq!(server.count("releases WHERE deleted_at IS NULL").await, 0);
}

#[apply(on_both_engines!)]
async fn an_artist_who_is_not_there_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for artist in [Uuid::now_v7().to_string(), "nobody".to_owned()] {
        let body = json!({"title": "x", "release_date": "2026-01-01", "artist_id": artist});
        let answer = desk.post("/api/admin/releases", body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.problem()),
            (422, "artist_unknown".to_owned()),
            "{answer:?}"
        );
    }
    assert_eq!(server.count("releases").await, 0);
}

#[apply(on_both_engines!)]
async fn a_release_has_its_own_address_and_keeps_its_former_ones(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let slugs = async || -> Vec<String> {
        let items = server.get("/api/releases").await.json()["items"].clone();
        items.as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap().to_owned()).collect()
    };
    let named = |title: &str, catalog: Option<&str>| json!({"title": title, "catalog": catalog, "release_date": "2026-01-01"});
    let path = |added: &serde_json::Value| format!("/api/admin/releases/{}", added["id"].as_str().unwrap());
    let first = desk.post("/api/admin/releases", named("A Signal", Some("DWX 001"))).await.json();
    assert_eq!(slugs().await, ["dwx-001"]);
    desk.post("/api/admin/releases", named("B Signal", Some("dwx-001"))).await;
    assert_eq!(slugs().await, ["dwx-001", "dwx-001-2"], "nobody else gets it");
    desk.edit(&path(&first), 1, named("A Signal", Some("DWX 002"))).await;
    desk.edit(&path(&first), 2, named("A Signal", None)).await;
    assert_eq!(slugs().await, ["a-signal", "dwx-001-2"]);
    desk.edit(&path(&first), 3, named("A Signal", Some("DWX 001"))).await;
    assert_eq!(slugs().await, ["dwx-001", "dwx-001-2"], "its own former one is given back");
    assert_eq!(server.count("slugs").await, 4, "all that were ever given are kept");
    assert_eq!(desk.delete(&path(&first)).await.status, 204);
    desk.post("/api/admin/releases", named("C", Some("DWX 002"))).await;
    assert_eq!(slugs().await, ["dwx-001-2", "dwx-002-2"], "also of one that is gone");
    // A number set by the editor is not a provisional one.
    let wrong = desk.post("/api/admin/releases", named("D", Some("404-005"))).await.json();
    desk.edit(&path(&wrong), 1, named("D", Some("404"))).await;
    assert_eq!(slugs().await, ["dwx-001-2", "dwx-002-2", "404"]);
    let second = desk.post("/api/admin/releases", named("E", Some("404"))).await.json();
    desk.edit(&path(&second), 1, named("E, renamed", Some("404"))).await;
    assert_eq!(slugs().await, ["dwx-001-2", "dwx-002-2", "404", "404-2"]);
}

#[apply(on_both_engines!)]
async fn rows_of_other_programs_get_their_addresses(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_releases(1_200, None).await;
    let before = server.get("/api/releases?limit=1").await.json()["items"][0].clone();
    assert_eq!(before["slug"], before["id"], "until then the id is one");
    assert_eq!(deadwax::catalogue::publication::give_missing_slugs(&server.app.db, 1).await.unwrap(), 1_200);
    assert_eq!(deadwax::catalogue::publication::give_missing_slugs(&server.app.db, 1).await.unwrap(), 0);
    server.wait_for_changes().await;
    let after = server.get("/api/releases?limit=1").await.json()["items"][0].clone();
    assert_eq!(after["slug"], rules::slug::slug(None, after["title"].as_str().unwrap()));
}
