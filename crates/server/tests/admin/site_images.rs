use deadwax_store::deletions::DeletionPause;
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{
        Answer, Engine, TestServer,
        files::{jpeg_of, picture, video},
        people::Browser,
    },
};

const PATH: &str = "/api/admin/site-images/hero_background";
const AVIF: &[u8] = include_bytes!("../../assets/hero-default.avif");

async fn send(server: &TestServer, desk: &Browser, file: (&str, &[u8]), texts: &[(&str, &str)]) -> Answer {
    server.send_file(desk, (Method::PUT, PATH), file, texts).await
}

async fn stored(server: &TestServer, desk: &Browser, file: (&str, &[u8]), texts: &[(&str, &str)]) -> Value {
    let answer = send(server, desk, file, texts).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[apply(on_both_engines!)]
async fn another_background_takes_the_place_of_the_one_before(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let jpeg = picture(ImageFormat::Jpeg, 1280, 800);
    let texts = [("alt_text", " A <b>record</b> "), ("description", "Home")];
    let first = stored(&server, &desk, ("a.jpg", &jpeg), &texts).await;
    assert_eq!((&first["alt_text"], &first["description"]), (&json!("A record"), &json!("Home")));
    assert_eq!((&first["image_width"], &first["key"]), (&json!(1280), &json!("hero_background")));
    let url = first["image_url"].as_str().unwrap();
    assert!(url.starts_with("/media/assets/"), "{url}");
    assert_eq!(server.get(first["image_small_url"].as_str().unwrap()).await.status, 200);
    let second = stored(&server, &desk, ("a.AVIF", AVIF), &[]).await;
    assert_eq!((&second["id"], &second["alt_text"]), (&first["id"], &Value::Null));
    assert_eq!((&second["image_width"], &second["image_small_url"]), (&json!(1600), &Value::Null));
    let served = server.get(second["image_url"].as_str().unwrap()).await;
    assert!(served.bytes == AVIF && served.header("content-type") == "image/avif");
    assert_eq!(server.get(url).await.status, 404, "the one before is gone");
    server.wait_for_changes().await;
    let shown = server.get("/api/site-images/hero_background").await.json();
    assert_eq!(shown["image_url"], second["image_url"]);
    let listed = desk.get("/api/admin/site-images").await.json();
    assert_eq!((listed["items"].as_array().unwrap().len(), &listed["items"][0]), (1, &second));
    assert_eq!(desk.get("/api/admin/media").await.json()["total"], 1);
    let trash = desk.get("/api/admin/trash?kind=media").await.json();
    let before = &trash["items"][0];
    assert_eq!((&trash["total"], &before["name"]), (&json!(1), &json!("a.jpg")), "it waits in the trash");
    let path = format!("/api/admin/trash/media/{}", before["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    server.wait_until("one file is left", async || server.stored("assets").len() == 1).await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
}

#[apply(on_both_engines!)]
async fn without_a_background_the_default_one_comes_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 64, 64);
    let row = stored(&server, &desk, ("a.png", &png), &[]).await;
    let path = format!("/api/admin/site-images/{}", row["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.delete(&path).await.status, 404);
    assert_eq!(server.get(row["image_url"].as_str().unwrap()).await.status, 404);
    server.wait_for_changes().await;
    let shown = server.get("/api/site-images/hero_background").await.json();
    let url = shown["image_url"].as_str().unwrap();
    assert!(url.ends_with(".avif") && server.get(url).await.bytes == AVIF, "{shown}");
    assert_eq!(server.count("site_images WHERE deleted_at IS NULL").await, 1);
    assert_eq!(desk.get("/api/admin/media").await.json()["total"], 0);
    let trash = format!("/api/admin/trash/site_image/{}", row["id"].as_str().unwrap());
    assert_eq!(desk.delete(&trash).await.status, 204);
    assert_eq!(server.count("site_images").await, 1);
    assert_eq!(server.count("media_files").await, 0);
}

#[apply(on_both_engines!)]
async fn no_page_is_without_a_background_while_one_goes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 64, 64);
    for kind in ["site-images", "media"] {
        let row = stored(&server, &desk, ("a.png", &png), &[]).await;
        let id = match kind {
            "media" => desk.get("/api/admin/media").await.json()["items"][0]["id"].clone(),
            _ => row["id"].clone(),
        };
        let path = format!("/api/admin/{kind}/{}", id.as_str().unwrap());
        let is_done = std::sync::atomic::AtomicBool::new(false);
        let reading = async {
            let mut statuses = std::collections::BTreeSet::new();
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                statuses.insert(server.get("/api/site-images/hero_background").await.status.as_u16());
            }
            statuses
        };
        let deleting = async {
            let answer = desk.delete(&path).await;
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
            answer.status.as_u16()
        };
        let (statuses, deleted) = tokio::join!(reading, deleting);
        assert_eq!((statuses.into_iter().collect::<Vec<_>>(), deleted), (vec![200], 204), "{kind}");
        server.wait_for_changes().await;
    }
}

#[apply(on_both_engines!)]
async fn the_default_one_is_not_stored_for_a_row_of_another_kind(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = stored(&server, &desk, ("a.png", &picture(ImageFormat::Png, 64, 64)), &[]).await;
    let file = desk.get("/api/admin/media").await.json()["items"][0]["id"].clone();
    server.wait_for_changes().await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
    // Pausing the deletions keeps what each request leaves behind.
    let pause = DeletionPause::begin(&server.app.db, &server.app.clock).await.unwrap();
    for (kind, id) in [("media", &row["id"]), ("site-images", &file), ("products", &row["id"])] {
        let path = format!("/api/admin/{kind}/{}", id.as_str().unwrap());
        assert_eq!(desk.delete(&path).await.status, 404);
        assert_eq!(server.count("deletions").await, 0, "{kind}");
    }
    pause.end().await.unwrap();
}

#[apply(on_both_engines!)]
async fn what_is_no_background_is_refused_and_stored_nowhere(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let png = picture(ImageFormat::Png, 64, 64);
    for (name, bytes) in [
        ("a.svg", &b"<svg onload=alert(1)>"[..]),
        ("a.avif", b"<svg onload=alert(1)>"),
        ("a.avif", b"\0\0\0\x20ftypavif\0\0\0\0<script>alert(1)</script>"),
        ("a.avif", &png),
        ("a.png", AVIF),
        ("a.mp4", &video(100)),
        ("a.png", &png[..40]),
    ] {
        let answer = send(&server, &desk, (name, bytes), &[]).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "invalid_file_type"), "{name}");
        assert_eq!(answer.json()["detail"], "Please select an image file (JPG, PNG, etc.)");
    }
    let answer = send(&server, &desk, ("a.jpg", &jpeg_of(10_485_761)), &[]).await;
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (413, "file_too_large"));
    assert_eq!(answer.json()["detail"], "Please select an image smaller than 10MB");
    let long = "x".repeat(501);
    for (field, text) in [("alt_text", long.as_str()), ("description", &long), ("alt_text", "two\nlines")] {
        let answer = send(&server, &desk, ("a.png", &png), &[(field, text)]).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "invalid_text"));
        assert!(answer.json()["fields"][field].is_string());
    }
    for key in ["logo", "HERO_BACKGROUND"] {
        let path = format!("/api/admin/site-images/{key}");
        let answer = server.send_file(&desk, (Method::PUT, &path), ("a.png", &png), &[]).await;
        assert_eq!(answer.status, 404, "{key}");
    }
    assert_eq!(server.count("site_images").await, 0);
    server.assert_nothing_stored().await;
    let at_the_limit = jpeg_of(10_485_760);
    stored(&server, &desk, ("a.jpg", &at_the_limit), &[("alt_text", &long[..500])]).await;
}
