//! Files in the trash that site images show, and site images in it.

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use super::{DAY, restore, trash, uploaded};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, change, files::picture},
};

#[apply(on_both_engines!)]
async fn a_file_comes_back_with_its_places(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = uploaded(&server, &desk, "/api/admin/media", "a.png").await;
    let url = row["url"].as_str().unwrap();
    let mut artists = Vec::new();
    for name in ["Alva", "Brecht"] {
        let artist = desk.post("/api/admin/artists", json!({"name": name, "image_url": url})).await.json();
        artists.push(format!("/api/admin/artists/{}", artist["id"].as_str().unwrap()));
    }
    server.hero(url).await;
    let id = row["id"].as_str().unwrap();
    assert_eq!(desk.delete(&format!("/api/admin/media/{id}")).await.status, 204);
    assert_eq!(
        (server.get(url).await.status, desk.get(url).await.status),
        (404.try_into().unwrap(), 200.try_into().unwrap())
    );
    assert_eq!(trash(&mut desk, "media").await["total"], 0, "it went with a site image");
    assert_eq!(trash(&mut desk, "site_image").await["total"], 1);
    server.wait_for_changes().await;
    let hero = server.get("/api/site-images/hero_background").await.json();
    assert!(hero["image_url"].as_str().unwrap().ends_with(".avif"), "{hero}");
    // One artist gets another picture in between.
    let other = json!({"name": "Brecht", "image_url": "https://elsewhere.example/b.jpg"});
    assert_eq!(desk.edit(&artists[1], 2, other).await.status, 200);
    assert_eq!(restore(&mut desk, "media", id).await, 204);
    assert_eq!(desk.get(&artists[0]).await.json()["image_url"], url);
    assert_eq!(desk.get(&artists[1]).await.json()["image_url"], "https://elsewhere.example/b.jpg");
    server.wait_for_changes().await;
    let hero = server.get("/api/site-images/hero_background").await.json();
    assert_eq!((&hero["image_url"], server.get(url).await.status.as_u16()), (&json!(url), 200));
    assert_eq!(server.count("site_images").await, 1, "the default one is gone again");
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_file_comes_back_without_the_place_that_another_took(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = uploaded(&server, &desk, "/api/admin/media", "a.png").await;
    let (id, url) = (row["id"].as_str().unwrap(), row["url"].as_str().unwrap());
    server.hero(url).await;
    assert_eq!(desk.delete(&format!("/api/admin/media/{id}")).await.status, 204);
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let png = picture(ImageFormat::Png, 64, 64);
    let second = server.send_file(&desk, hero, ("b.png", &png), &[("alt_text", "Two")]).await.json();
    assert_eq!(restore(&mut desk, "media", id).await, 204);
    assert_eq!(server.get(url).await.status, 200);
    let shown = desk.get("/api/admin/site-images").await.json();
    assert_eq!(shown["items"][0]["image_url"], second["image_url"]);
    let former = trash(&mut desk, "site_image").await;
    assert_eq!(former["total"], 1, "it can be put back");
    assert_eq!(restore(&mut desk, "site_image", former["items"][0]["id"].as_str().unwrap()).await, 204);
    assert_eq!(desk.get("/api/admin/site-images").await.json()["items"][0]["image_url"], url);
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    assert_eq!(server.findings().await, [""; 0]);
}

#[apply(on_both_engines!)]
async fn a_site_image_comes_back_in_its_place(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let png = picture(ImageFormat::Png, 64, 64);
    let first = server.send_file(&desk, hero.clone(), ("a.png", &png), &[("alt_text", "One")]).await.json();
    let id = first["id"].as_str().unwrap();
    assert_eq!(desk.delete(&format!("/api/admin/site-images/{id}")).await.status, 204);
    let second = server.send_file(&desk, hero, ("b.png", &png), &[("alt_text", "Two")]).await.json();
    assert_ne!(first["id"], second["id"]);
    assert_eq!(restore(&mut desk, "site_image", id).await, 204);
    let shown = desk.get("/api/admin/site-images").await.json();
    assert_eq!(shown["items"], json!([first]));
    assert_eq!(server.get(first["image_url"].as_str().unwrap()).await.status, 200);
    assert_eq!(server.get(second["image_url"].as_str().unwrap()).await.status, 404);
    assert_eq!(trash(&mut desk, "site_image").await["items"][0]["id"], second["id"]);
    assert_eq!(trash(&mut desk, "media").await["total"], 0);
    assert_eq!(server.findings().await, [""; 0]);
}

/// A file that went to the trash later than a background that showed it is listed there, and outlives it.
#[apply(on_both_engines!)]
async fn a_file_deleted_after_its_site_image_has_its_own_days(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = uploaded(&server, &desk, "/api/admin/media", "a.png").await;
    let (id, url) = (row["id"].as_str().unwrap(), row["url"].as_str().unwrap());
    let artist = desk.post("/api/admin/artists", json!({"name": "Alva", "image_url": url})).await.json();
    let artist = format!("/api/admin/artists/{}", artist["id"].as_str().unwrap());
    server.hero(url).await;
    let hero = desk.get("/api/admin/site-images").await.json()["items"][0]["id"].clone();
    let hero = hero.as_str().unwrap();
    assert_eq!(desk.delete(&format!("/api/admin/site-images/{hero}")).await.status, 204);
    assert_eq!(desk.get(&artist).await.json()["image_url"], url, "the artist shows it");
    server.advance(DAY);
    assert_eq!(desk.delete(&format!("/api/admin/media/{id}")).await.status, 204);
    assert_eq!(trash(&mut desk, "media").await["items"][0]["id"], id);
    assert_eq!(desk.delete(&format!("/api/admin/trash/site_image/{hero}")).await.status, 204);
    assert_eq!(restore(&mut desk, "media", id).await, 204);
    assert_eq!(desk.get(&artist).await.json()["image_url"], url);
    assert_eq!(server.get(url).await.status, 200);
    assert_eq!(server.findings().await, [""; 0]);
}

/// The file of a site image that is deleted while another admin saves it elsewhere.
#[tokio::test]
async fn a_file_that_something_is_about_to_show_stays() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let row = uploaded(&server, &desk, "/api/admin/media", "a.png").await;
    server.hero(row["url"].as_str().unwrap()).await;
    desk.post("/api/admin/artists", json!({"name": "Alva"})).await;
    let hero = desk.get("/api/admin/site-images").await.json()["items"][0]["id"].clone();
    let mut saving = server.app.db.begin().await.unwrap();
    change(&mut saving, "SELECT id FROM media_files FOR SHARE").await;
    change(
        &mut saving,
        "UPDATE artists SET image_url = (SELECT image_url FROM site_images WHERE deleted_at IS NULL)",
    )
    .await;
    let path = format!("/api/admin/site-images/{}", hero.as_str().unwrap());
    let (deleted, ()) = tokio::join!(desk.delete(&path), async {
        server.wait_for_locks(1).await;
        saving.commit().await.unwrap();
    });
    assert_eq!(deleted.status, 204);
    assert_eq!(server.count("media_files WHERE deleted_at IS NOT NULL").await, 0);
}

/// Two admins restore a mark each: the second one is shown, the first is in the trash again.
#[apply(on_both_engines!)]
async fn two_marks_restored_at_once_follow_each_other(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mark = (Method::PUT, "/api/admin/site-images/label_mark");
    let png = picture(ImageFormat::Png, 64, 64);
    for turn in 0..5 {
        let mut marks = Vec::new();
        for name in ["a.png", "b.png"] {
            let row = server.send_file(&desk, mark.clone(), (name, &png), &[("alt_text", name)]).await.json();
            let id = row["id"].as_str().unwrap().to_owned();
            assert_eq!(desk.delete(&format!("/api/admin/site-images/{id}")).await.status, 204);
            marks.push(id);
        }
        let (mut one, mut other) = (desk.clone(), desk.clone());
        let restored = tokio::join!(
            restore(&mut one, "site_image", &marks[0]),
            restore(&mut other, "site_image", &marks[1])
        );
        assert_eq!(restored, (204, 204), "turn {turn}");
        let shown = desk.get("/api/admin/site-images").await.json();
        let shown = shown["items"].as_array().unwrap().iter().filter(|row| row["key"] == "label_mark");
        let shown: Vec<_> = shown.map(|row| row["id"].as_str().unwrap().to_owned()).collect();
        assert!(shown.len() == 1 && marks.contains(&shown[0]), "{shown:?}");
        assert_eq!(desk.delete(&format!("/api/admin/site-images/{}", shown[0])).await.status, 204);
    }
}

#[apply(on_both_engines!)]
async fn a_background_deleted_twice_at_once_blocks_neither_request(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let png = picture(ImageFormat::Png, 64, 64);
    for turn in 0..5 {
        let kept =
            server.send_file(&desk, hero.clone(), ("a.png", &png), &[("alt_text", "One")]).await.json();
        let path = format!("/api/admin/site-images/{}", kept["id"].as_str().unwrap());
        let (mut one, mut other) = (desk.clone(), desk.clone());
        let (one, other) = tokio::join!(one.delete(&path), other.delete(&path));
        let mut answers = [one.status.as_u16(), other.status.as_u16()];
        answers.sort_unstable();
        assert_eq!(answers, [204, 404], "turn {turn}");
    }
    // A request that timed out waiting for the writing connection leaves no stray files.
    assert_eq!(server.findings().await, [""; 0]);
}
