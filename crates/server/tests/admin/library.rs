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

const PATH: &str = "/api/admin/media";

async fn upload(server: &TestServer, desk: &Browser, name: &str, bytes: &[u8]) -> Answer {
    server.send_file(desk, (Method::POST, PATH), (name, bytes), &[]).await
}

async fn uploaded(server: &TestServer, desk: &Browser, name: &str, bytes: &[u8]) -> Value {
    let answer = upload(server, desk, name, bytes).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

#[apply(on_both_engines!)]
async fn files_are_listed_newest_first_and_searched(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    for name in ["flyer.png", "Öffnung.png", "a_b.png"] {
        server.advance(std::time::Duration::from_secs(1));
        uploaded(&server, &desk, name, &png).await;
    }
    let names = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap();
        items.iter().map(|row| row["original_name"].as_str().unwrap().to_owned()).collect()
    };
    let page = desk.get(PATH).await.json();
    assert_eq!((names(&page).join(" "), &page["total"]), ("a_b.png Öffnung.png flyer.png".into(), &json!(3)));
    assert_eq!(names(&desk.get("/api/admin/media?q=offnung").await.json()), ["Öffnung.png"]);
    let first = desk.get("/api/admin/media?limit=2").await.json();
    let next = format!("/api/admin/media?limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
    let last = desk.get(&next).await.json();
    assert_eq!((names(&last), &last["next_cursor"]), (vec!["flyer.png".to_owned()], &Value::Null));
}

#[apply(on_both_engines!)]
async fn an_upload_keeps_what_is_said_of_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    let said = async |alt_text: &str| {
        server.send_file(&desk, (Method::POST, PATH), ("a.png", &png), &[("alt_text", alt_text)]).await
    };
    let kept = said(" A <b>flyer</b> ").await;
    assert_eq!((kept.status.as_u16(), &kept.json()["alt_text"]), (201, &json!("A flyer")), "{kept:?}");
    assert_eq!(said("").await.json()["alt_text"], Value::Null);
    let refused = said(&"x".repeat(501)).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, "invalid_text"));
    assert_eq!(desk.get(PATH).await.json()["total"], 2);
}

#[apply(on_both_engines!)]
async fn a_name_is_judged_before_it_is_cut(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    let refused = upload(&server, &desk, &format!("setup.exe{}.png", "x".repeat(300)), &png).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, "suspicious_name"));
    let row = uploaded(&server, &desk, &format!("{}.png", "x".repeat(300)), &png).await;
    assert_eq!(row["original_name"], format!("{}.png", "x".repeat(251)));
}

#[apply(on_both_engines!)]
async fn pictures_are_opened_and_videos_are_stored_as_they_come(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let webm = [&b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm"[..], &[0; 100]].concat();
    for (name, bytes, kind) in [
        ("Set 1.mp4", video(200_000), "video/mp4"),
        ("a.WEBM", webm, "video/webm"),
        ("a.ogg", b"OggS\0\x02and so on".to_vec(), "video/ogg"),
        ("a.ogv", b"OggS\0\x02and so on".to_vec(), "video/ogg"),
    ] {
        let row = uploaded(&server, &desk, name, &bytes).await;
        assert_eq!((&row["file_type"], &row["small_url"]), (&json!("video"), &Value::Null));
        assert_eq!((&row["original_name"], &row["file_size"]), (&json!(name), &json!(bytes.len())));
        assert_eq!(row["mime_type"], kind);
        let url = row["url"].as_str().unwrap();
        assert!(url.starts_with("/media/uploads/") && url.len() > 60 && !url.contains("Set"), "{url}");
        let served = server.get(url).await;
        assert_eq!((served.bytes == bytes, served.header("content-type")), (true, kind));
        let part = server.get_with(url, &[("range", "bytes=0-3")]).await;
        assert_eq!((part.status.as_u16(), part.bytes.len()), (206, 4));
    }
    let row =
        uploaded(&server, &desk, "../../C:\\a\u{202e}gnp.png", &picture(ImageFormat::Png, 700, 70)).await;
    assert_eq!((&row["file_type"], &row["width"]), (&json!("image"), &json!(700)));
    assert_eq!(row["original_name"], "agnp.png");
    assert_eq!(server.get(row["small_url"].as_str().unwrap()).await.status, 200);
}

async fn refused(answer: Answer, status: u16, code: &str, text: &str) {
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (status, code), "{answer:?}");
    assert_eq!(answer.json()["detail"], text);
}

const TYPE: &str =
    "File type or extension not allowed. Upload images (JPEG, PNG, GIF, WebP) or videos (MP4, WebM, OGG)";

#[apply(on_both_engines!)]
async fn the_name_is_judged_before_the_type_and_the_type_before_the_size(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let png = picture(ImageFormat::Png, 8, 8);
    for name in ["setup.exe", "label.com-flyer.png", "a.BAT.png", "a.jar", "x.cmd", "x.scr.gif", "x.PiF.png"]
    {
        let answer = upload(&server, &desk, name, &png).await;
        refused(answer, 422, "suspicious_name", "File contains suspicious content").await;
    }
    for (name, bytes) in [
        ("a.svg", &b"<svg onload=alert(1)>"[..]),
        ("a.png", b"<svg onload=alert(1)>"),
        ("a.mp4", b"<!doctype html><script>alert(1)</script>"),
        ("a.html", b"<!doctype html>"),
        ("a.xml", b"<?xml version='1.0'?>"),
        ("a.mp4", &png),
        ("a.png", &video(100)),
        ("a.mp4", b"\0\0\0\x18ftypM4A \0\0\0\0"),
        ("a.webm", b"\x1a\x45\xdf\xa3\x42\x82\x88matroska"),
        ("a.png", b"MZ\x90\0"),
        ("a.zip", b"PK\x03\x04"),
        ("a.mp4", b""),
    ] {
        refused(upload(&server, &desk, name, bytes).await, 422, "invalid_file_type", TYPE).await;
    }
    let mut text = video(52_428_801);
    text[..20].copy_from_slice(b"<!doctype html>     ");
    refused(upload(&server, &desk, "a.mp4", &text).await, 422, "invalid_file_type", TYPE).await;
    server.assert_nothing_stored().await;
}

#[apply(on_both_engines!)]
async fn fifty_megabytes_are_enough(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    for (name, bytes) in [("a.mp4", video(52_428_801)), ("a.jpg", jpeg_of(52_428_801))] {
        let answer = upload(&server, &desk, name, &bytes).await;
        refused(answer, 413, "file_too_large", "Please upload files smaller than 50MB").await;
    }
    server.assert_nothing_stored().await;
    uploaded(&server, &desk, "a.mp4", &video(52_428_800)).await;
    uploaded(&server, &desk, "a.jpg", &jpeg_of(52_428_800)).await;
}

#[apply(on_both_engines!)]
async fn a_file_goes_with_its_row_and_with_its_uses(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = uploaded(&server, &desk, "a.png", &picture(ImageFormat::Png, 8, 8)).await;
    let url = row["url"].as_str().unwrap();
    let artist = json!({"name": "Rhythm & Sound", "image_url": url});
    let artist = desk.post("/api/admin/artists", artist).await.json();
    let artist_path = format!("/api/admin/artists/{}", artist["id"].as_str().unwrap());
    let full = format!("{}{url}", server.base);
    let product = json!({"title": "Shirt", "price": 20, "stock_quantity": 1, "image_url": full});
    let product = desk.post("/api/admin/products", product).await.json();
    let product_path = format!("/api/admin/products/{}", product["id"].as_str().unwrap());
    server.hero(url).await;
    let path = format!("{PATH}/{}", row["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(server.get(url).await.status, 404);
    assert_eq!(server.get(row["small_url"].as_str().unwrap()).await.status, 404);
    assert_eq!(desk.delete(&path).await.status, 404);
    let now = desk.get(&artist_path).await.json();
    assert_eq!((&now["image_url"], &now["version"]), (&Value::Null, &json!(2)));
    assert_eq!(desk.get(&product_path).await.json()["image_url"], Value::Null);
    server.wait_for_changes().await;
    let hero = server.get("/api/site-images/hero_background").await.json();
    assert!(hero["image_url"].as_str().unwrap().ends_with(".avif"), "{hero}");
    assert_eq!(server.count("audit_log WHERE event = 'upload_delete'").await, 1);
    // The file is in the trash with the site image that used it, and is purged with it.
    let trash = desk.get("/api/admin/trash?kind=site_image").await.json();
    let path = format!("/api/admin/trash/site_image/{}", trash["items"][0]["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    server.wait_until("the files are gone", async || server.stored("uploads").is_empty()).await;
    server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
}

#[apply(on_both_engines!)]
async fn only_rows_of_the_library_can_be_removed_here(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let row = uploaded(&server, &desk, "a.png", &picture(ImageFormat::Png, 8, 8)).await;
    let artist = server.artist("Somebody", None).await.to_string();
    for id in
        [artist.as_str(), row["filename"].as_str().unwrap(), "x", "00000000-0000-7000-8000-000000000000"]
    {
        assert_eq!(desk.delete(&format!("{PATH}/{id}")).await.status, 404, "{id}");
    }
    assert_eq!(server.get(row["url"].as_str().unwrap()).await.status, 200);
}

#[apply(on_both_engines!)]
async fn a_name_is_cleaned_and_refuses_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let (png, gif) = (picture(ImageFormat::Png, 8, 8), picture(ImageFormat::Gif, 8, 8));
    // Browsers escape three characters of a file name in a form and send the rest unchanged.
    for (sent, bytes, stored) in [
        (".png", &png, "file.png"),
        (".gif", &png, "file.png"),
        ("", &gif, "file.gif"),
        ("\u{202e}.gif", &gif, "file.gif"),
        ("12%22 sleeve.png", &png, "12\" sleeve.png"),
        ("a%0D%0Ab.png", &png, "ab.png"),
        ("a\u{1}b\u{7f}.png", &png, "ab.png"),
        ("<b>flyer</b>.png", &png, "b.png"),
        ("<b>flyer.png", &png, "bflyer.png"),
    ] {
        let answer = upload(&server, &desk, sent, bytes).await;
        assert_eq!(answer.status, 201, "{sent:?}: {answer:?}");
        assert_eq!(answer.json()["original_name"], stored, "{sent:?}");
    }
    for place in ["/api/admin/images?folder=artists", "/api/admin/images?folder=releases"] {
        let answer = server.send_file(&desk, (Method::POST, place), (".gif", &gif), &[]).await;
        assert_eq!(answer.status, 200, "{place}: {answer:?}");
    }
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let answer = server.send_file(&desk, hero, (".png", &png), &[]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}
