//! Every saved version is kept and can be restored.

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer, files::picture, people::Browser},
};

async fn history(desk: &mut Browser, kind: &str, key: &str) -> Vec<Value> {
    let answer = desk.get(&format!("/api/admin/versions/{kind}/{key}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["items"].as_array().unwrap().clone()
}

async fn restore(desk: &mut Browser, kind: &str, key: &str, version: i64, onto: i64) -> Answer {
    desk.headers = vec![("if-match".to_owned(), format!("\"{onto}\""))];
    let path = format!("/api/admin/versions/{kind}/{key}/{version}/restore");
    let answer = desk.send(Method::POST, &path, None).await;
    desk.headers.clear();
    answer
}

#[apply(on_both_engines!)]
async fn every_save_is_a_version_that_can_be_saved_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (kind, list, name, first, second) in [
        (
            "artist",
            "artists",
            "name",
            json!({"name": "Alva", "bio": "One", "website": "https://a.example", "featured": true}),
            json!({"name": "Alva II"}),
        ),
        (
            "release",
            "releases",
            "title",
            json!({"title": "Quartz", "release_date": "2026-07-18", "catalog": "404-001"}),
            json!({"title": "Quartz II", "release_date": "2026-07-19"}),
        ),
        (
            "product",
            "products",
            "title",
            json!({"title": "Shirt", "price": 20.5, "stock_quantity": 3, "category": "Merch"}),
            json!({"title": "Shirt II", "price": 1, "stock_quantity": 0, "active": false}),
        ),
    ] {
        let created = desk.post(&format!("/api/admin/{list}"), first.clone()).await.json();
        let id = created["id"].as_str().unwrap();
        let path = format!("/api/admin/{list}/{id}");
        server.advance(std::time::Duration::from_secs(60));
        assert_eq!(desk.edit(&path, 1, second.clone()).await.status, 200);
        let versions = history(&mut desk, kind, id).await;
        let listed: Vec<_> = versions
            .iter()
            .map(|saved| (&saved["version"], &saved["saved_by"], &saved["fields"][name]))
            .collect();
        let by = json!("boss_404");
        assert_eq!(listed, [(&json!(2), &by, &second[name]), (&json!(1), &by, &first[name])], "{kind}");

        let stale = restore(&mut desk, kind, id, 1, 1).await;
        assert_eq!((stale.status.as_u16(), stale.problem().as_str()), (412, "stale_version"), "{kind}");
        let restored = restore(&mut desk, kind, id, 1, 2).await;
        assert_eq!(
            (restored.status.as_u16(), restored.json()),
            (200, json!({"version": 3, "missing": []})),
            "{restored:?}"
        );
        let mut now = desk.get(&path).await.json();
        let mut before = created.clone();
        for row in [&mut now, &mut before] {
            row["version"] = json!(0);
            row["updated_at"] = json!(null);
            // The address follows the catalogue number, and is restored with it.
        }
        assert_eq!(now, before, "{kind}");
        assert_eq!(history(&mut desk, kind, id).await.len(), 3);
        assert_eq!(restore(&mut desk, kind, id, 9, 3).await.status, 404);
        // Purging a row purges its history.
        assert_eq!(desk.delete(&path).await.status, 204);
        assert_eq!(desk.delete(&format!("/api/admin/trash/{kind}/{id}")).await.status, 204);
        assert_eq!(history(&mut desk, kind, id).await.len(), 0);
    }
}

#[apply(on_both_engines!)]
async fn what_was_there_before_versions_were_kept_is_the_first_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let id = server.artist("Alva", Some("Old")).await;
    server.advance(std::time::Duration::from_secs(60));
    assert_eq!(
        desk.edit(&format!("/api/admin/artists/{id}"), 1, json!({"name": "Alva II"})).await.status,
        200
    );
    let versions = history(&mut desk, "artist", &id.to_string()).await;
    assert_eq!(versions.len(), 2);
    assert_eq!((&versions[1]["version"], &versions[1]["saved_by"]), (&json!(1), &Value::Null));
    assert_eq!(
        (&versions[1]["fields"]["bio"], &versions[1]["saved_at"]),
        (&json!("Old"), &json!("2026-11-20T12:00:00Z"))
    );

    let key = "hero_subtitle";
    let texts = desk.get("/api/admin/content").await.json();
    let text = texts["items"].as_array().unwrap().iter().find(|text| text["key"] == key).unwrap().clone();
    assert_eq!(desk.edit(&format!("/api/admin/content/{key}"), 1, json!({"value": "New"})).await.status, 200);
    assert_eq!(restore(&mut desk, "text", key, 1, 2).await.json(), json!({"version": 3, "missing": []}));
    let versions = history(&mut desk, "text", key).await;
    assert_eq!((versions.len(), &versions[0]["fields"]["value"]), (3, &text["value"]));
}

#[apply(on_both_engines!)]
async fn a_picture_deleted_from_the_library_is_no_change_of_the_next_editor(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=artists");
    let image = server.send_file(&desk, upload, ("a.png", &png), &[]).await.json();
    let form = json!({"name": "Alva", "image_url": image["url"]});
    let artist = desk.post("/api/admin/artists", form).await.json();
    let id = artist["id"].as_str().unwrap();
    let media = desk.get("/api/admin/media").await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    server.advance(std::time::Duration::from_secs(60));
    assert_eq!(desk.delete(&format!("/api/admin/media/{media}")).await.status, 204);
    server.advance(std::time::Duration::from_secs(60));
    let mut other = server.signed_in(&server.admin("other_404").await).await;
    let edited = other.edit(&format!("/api/admin/artists/{id}"), 2, json!({"name": "Alva II"})).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let versions = history(&mut desk, "artist", id).await;
    let listed: Vec<_> = versions
        .iter()
        .map(|saved| json!([saved["version"], saved["saved_by"], saved["fields"]["image_url"]]))
        .collect();
    assert_eq!(
        listed,
        [json!([3, "other_404", null]), json!([2, null, null]), json!([1, "boss_404", image["url"]])]
    );
    assert_eq!(
        (&versions[1]["fields"]["name"], &versions[1]["saved_at"]),
        (&json!("Alva"), &json!("2026-11-20T12:01:00Z"))
    );
}

#[apply(on_both_engines!)]
async fn an_artist_deleted_for_good_is_no_change_of_the_next_editor(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Alva", None).await;
    let body = json!({"title": "Quartz", "release_date": "2026-07-18", "artist_id": artist});
    let release = desk.post("/api/admin/releases", body).await.json();
    let id = release["id"].as_str().unwrap();
    let path = format!("/api/admin/releases/{id}");
    let for_good = format!("/api/admin/trash/artist/{artist}");
    assert_eq!(desk.delete(&for_good).await.status, 404, "it is not in the trash");
    assert_eq!(desk.get(&path).await.json()["artist_id"], json!(artist));
    assert_eq!(desk.delete(&format!("/api/admin/artists/{artist}")).await.status, 204);
    server.advance(std::time::Duration::from_secs(60));
    assert_eq!(desk.delete(&for_good).await.status, 204);
    server.advance(std::time::Duration::from_secs(60));
    let mut other = server.signed_in(&server.admin("other_404").await).await;
    let edit = json!({"title": "Quartz II", "release_date": "2026-07-18"});
    assert_eq!(other.edit(&path, 1, edit.clone()).await.status, 412);
    let edited = other.edit(&path, 2, edit).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let versions = history(&mut desk, "release", id).await;
    let listed: Vec<_> = versions
        .iter()
        .map(|saved| json!([saved["version"], saved["saved_by"], saved["fields"]["artist_id"]]))
        .collect();
    assert_eq!(
        listed,
        [json!([3, "other_404", null]), json!([2, null, null]), json!([1, "boss_404", artist])]
    );
    assert_eq!(versions[1]["saved_at"], "2026-11-20T12:01:00Z");
}

#[apply(on_both_engines!)]
async fn a_version_without_a_date_leaves_the_present_one(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let id = server.release(Release { title: "Signal", date: None, ..Release::default() }).await.to_string();
    let undated = desk.get(&format!("/api/admin/releases/{id}")).await.json();
    assert_eq!(undated["release_date"], Value::Null, "{undated}");
    let form = json!({"title": "Signal II", "release_date": "2026-07-19"});
    assert_eq!(desk.edit(&format!("/api/admin/releases/{id}"), 1, form).await.status, 200);
    let restored = restore(&mut desk, "release", &id, 1, 2).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    let now = desk.get(&format!("/api/admin/releases/{id}")).await.json();
    assert_eq!((&now["title"], &now["release_date"]), (&json!("Signal"), &json!("2026-07-19")));

    let sql = "UPDATE versions SET fields = REPLACE(fields, '\"2026-07-19\"', 'null')";
    server.sql(sql).await;
    let refused = restore(&mut desk, "release", &id, 1, 3).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, "release_date_required"));
}

#[apply(on_both_engines!)]
async fn what_is_gone_stays_out_and_is_named(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("a.png", &png), &[]).await.json();
    let artist = server.artist("Alva", None).await;
    let body = json!({"title": "Quartz", "release_date": "2026-07-18", "artist_id": artist, "cover_image_url": cover["url"]});
    let release = desk.post("/api/admin/releases", body).await.json();
    let id = release["id"].as_str().unwrap();
    let path = format!("/api/admin/releases/{id}");
    let bare = json!({"title": "Quartz II", "release_date": "2026-07-18"});
    assert_eq!(desk.edit(&path, 1, bare).await.status, 200);
    desk.delete(&format!("/api/admin/artists/{artist}")).await;
    let names: Vec<_> = history(&mut desk, "release", id)
        .await
        .into_iter()
        .map(|mut one| one["artist_name"].take())
        .collect();
    assert_eq!(names, [Value::Null, json!("Alva")], "people read names, of the trash too");
    let media = desk.get("/api/admin/media").await.json();
    desk.delete(&format!("/api/admin/media/{}", media["items"][0]["id"].as_str().unwrap())).await;
    let restored = restore(&mut desk, "release", id, 1, 2).await;
    let missing = json!(["cover_image_url", "artist_id"]);
    assert_eq!((restored.status.as_u16(), &restored.json()["missing"]), (200, &missing), "{restored:?}");
    let now = desk.get(&path).await.json();
    assert_eq!((&now["title"], &now["cover_image_url"]), (&json!("Quartz"), &Value::Null));
}

#[apply(on_both_engines!)]
async fn a_version_keeps_an_artist_who_is_in_the_trash(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Alva", None).await;
    let body = json!({"title": "Quartz", "release_date": "2026-07-18", "artist_id": artist});
    let release = desk.post("/api/admin/releases", body).await.json();
    let id = release["id"].as_str().unwrap();
    let path = format!("/api/admin/releases/{id}");
    assert_eq!(desk.delete(&format!("/api/admin/artists/{artist}")).await.status, 204);
    for (version, title) in [(1, "Quartz II"), (2, "Quartz III")] {
        let edit = json!({"title": title, "release_date": "2026-07-18"});
        let edited = desk.edit(&path, version, edit).await;
        assert_eq!((edited.status.as_u16(), &edited.json()["artist_id"]), (200, &Value::Null));
    }
    let back = desk.post(&format!("/api/admin/trash/artist/{artist}/restore"), json!({})).await;
    assert!(back.status.is_success(), "{back:?}");
    let artists: Vec<_> = history(&mut desk, "release", id)
        .await
        .into_iter()
        .map(|mut one| one["fields"]["artist_id"].take())
        .collect();
    assert_eq!(artists, [json!(artist), json!(artist), json!(artist)]);
    let restored = restore(&mut desk, "release", id, 2, 3).await;
    assert_eq!(restored.json(), json!({"version": 4, "missing": []}));
    assert_eq!(desk.get(&path).await.json()["artist_id"], json!(artist));
}

#[apply(on_both_engines!)]
async fn the_versions_of_a_background_go_with_its_file(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let png = picture(ImageFormat::Png, 64, 64);
    let image = server.send_file(&desk, hero, ("a.png", &png), &[]).await.json();
    assert_eq!(
        desk.delete(&format!("/api/admin/site-images/{}", image["id"].as_str().unwrap())).await.status,
        204
    );
    let media = desk.get("/api/admin/media").await.json();
    assert_eq!(media["total"], 0);
    assert!(server.count("versions WHERE kind = 'site_image'").await > 0);
    server.sql("UPDATE media_files SET deleted_at = 1 WHERE deleted_at IS NOT NULL").await;
    deadwax::trash::moves::sweep(&server.app.db, &server.app.origin, server.app.clock.now()).await;
    assert_eq!(server.count("site_images WHERE deleted_at IS NOT NULL").await, 0);
    assert_eq!(server.count("versions WHERE kind = 'site_image'").await, 0);
}

#[apply(on_both_engines!)]
async fn a_background_comes_back_with_its_file(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let png = picture(ImageFormat::Png, 64, 64);
    let first = server.send_file(&desk, hero.clone(), ("a.png", &png), &[("alt_text", "One")]).await.json();
    let second = server.send_file(&desk, hero, ("b.png", &png), &[("alt_text", "Two")]).await.json();
    let id = first["id"].as_str().unwrap();
    let restored = restore(&mut desk, "site_image", id, 1, 2).await;
    assert_eq!(
        (restored.status.as_u16(), restored.json()),
        (200, json!({"version": 3, "missing": []})),
        "{restored:?}"
    );
    let shown = desk.get("/api/admin/site-images").await.json();
    let shown = &shown["items"][0];
    assert_eq!((&shown["image_url"], &shown["alt_text"]), (&first["image_url"], &json!("One")));
    assert_eq!(server.get(first["image_url"].as_str().unwrap()).await.status, 200);
    assert_eq!(server.get(second["image_url"].as_str().unwrap()).await.status, 404);
    // A version whose file was purged leaves the current picture in place.
    let trash = desk.get("/api/admin/trash?kind=media").await.json();
    let path = format!("/api/admin/trash/media/{}", trash["items"][0]["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    let restored = restore(&mut desk, "site_image", id, 2, 3).await;
    assert_eq!(restored.json(), json!({"version": 4, "missing": ["image_url"]}));
    let shown = desk.get("/api/admin/site-images").await.json();
    assert_eq!(
        (&shown["items"][0]["image_url"], &shown["items"][0]["alt_text"]),
        (&first["image_url"], &json!("Two"))
    );
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn the_newest_hundred_are_kept_and_read_in_parts(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = desk.post("/api/admin/artists", json!({"name": "Alva"})).await.json();
    let id = artist["id"].as_str().unwrap();
    for version in 1..103 {
        let answer = desk
            .edit(&format!("/api/admin/artists/{id}"), version, json!({"name": format!("Alva {version}")}))
            .await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    assert_eq!(server.count("versions").await, 100);
    let path = format!("/api/admin/versions/artist/{id}?limit=60");
    let first = desk.get(&path).await.json();
    let next = desk.get(&format!("{path}&cursor={}", first["next_cursor"].as_str().unwrap())).await.json();
    assert_eq!((&first["items"][0]["version"], &next["items"][39]["version"]), (&json!(103), &json!(4)));
    assert_eq!(next["next_cursor"], Value::Null);
    assert_eq!(desk.get(&format!("{path}&cursor=x")).await.status, 422);
    assert_eq!(desk.get("/api/admin/versions/person/x").await.status, 404);
}
