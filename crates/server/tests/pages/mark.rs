//! The label's mark, wherever it is shown.

use deadwax::newsletter::letters::freeze;
use image::{GenericImageView as _, ImageFormat, Rgba, RgbaImage};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    first_view, on_both_engines,
    support::{Answer, Engine, Release, TestServer, people::Browser},
};

const PATH: &str = "/api/admin/site-images/label_mark";
const SVG: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60" onload="alert(1)"><script>alert(2)</script>
    <path fill="#fff" d="M20 20h160v20H20z"/></svg>"##;

async fn send(server: &TestServer, desk: &Browser, file: (&str, &[u8])) -> Answer {
    server.send_file(desk, (Method::PUT, PATH), file, &[]).await
}

fn png() -> Vec<u8> {
    let picture = RgbaImage::from_fn(90, 300, |_, y| Rgba([255, 255, 255, if y < 270 { 255 } else { 0 }]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn drawn(answer: &Answer, size: (u32, u32)) {
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "image/png"));
    let picture = image::load_from_memory_with_format(&answer.bytes, ImageFormat::Png).unwrap();
    assert_eq!(picture.dimensions(), size);
    let picture = picture.into_rgb8();
    assert_eq!(picture.get_pixel(0, 0).0, [0x0b; 3], "the ground");
    assert_eq!(picture.get_pixel(size.0 / 2, size.1 / 2).0, [255; 3], "the mark");
}

#[apply(on_both_engines!)]
async fn a_mark_is_shown_everywhere_and_taken_away_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let preset = server.get("/icon-192.png").await;
    assert_eq!(server.get("/card.png").await.status, 404);
    assert!(!server.get("/contact").await.text().contains("og:image"));

    for (name, file, size) in [("a.svg", SVG, (512, 64)), ("a.png", &png(), (90, 270))] {
        let stored = send(&server, &desk, (name, file)).await;
        assert_eq!(stored.status, 200, "{stored:?}");
        server.wait_for_changes().await;
        let label = server.get("/api/label").await.json();
        let mark = &label["mark"];
        assert_eq!(
            (&mark["width"], &mark["height"], &mark["has_name"]),
            (&json!(size.0), &json!(size.1), &json!(false))
        );
        let url = mark["url"].as_str().unwrap();
        let served = server.get(url).await;
        assert_eq!(served.status, 200);
        assert_eq!(served.header("x-content-type-options"), "nosniff");
        assert!(served.header("content-security-policy").ends_with("sandbox"));
        if name == "a.svg" {
            assert_eq!(served.header("content-type"), "image/svg+xml");
            assert!(
                !served.text().contains("alert") && !served.text().contains("onload"),
                "{}",
                served.text()
            );
        } else {
            assert_eq!(served.header("content-type"), "image/png");
            assert!(served.bytes != file);
        }

        let page = server.get("/contact").await;
        assert!(page.text().contains("/card.png?v="), "{}", page.text());
        let queries = first_view(&page)["queries"].clone();
        let seeded = queries.as_array().unwrap().iter().find(|query| query["url"] == "/api/label").unwrap();
        assert_eq!(&seeded["body"]["mark"], mark);
        drawn(&server.get("/card.png?v=1").await, (1200, 630));
        drawn(&server.get("/apple-touch-icon.png").await, (180, 180));
        drawn(&server.get("/icon-192.png").await, (192, 192));
        drawn(&server.get("/icon-512.png").await, (512, 512));
        drawn(&server.get("/icon-maskable.png").await, (512, 512));
        let ico = server.get("/favicon.ico").await;
        assert_eq!((ico.header("content-type"), &ico.bytes[..4]), ("image/x-icon", &[0, 0, 1, 0][..]));
        assert_eq!(
            image::load_from_memory_with_format(&ico.bytes[22..], ImageFormat::Png).unwrap().dimensions(),
            (32, 32)
        );
        let svg = server.get("/favicon.svg").await;
        assert!(svg.header("content-security-policy").ends_with("sandbox"));
        assert!(svg.text().contains("<image ") && svg.text().contains(";base64,"));
    }
    let mail = server.get("/mark.png").await;
    assert_eq!((mail.status.as_u16(), mail.header("cross-origin-resource-policy")), (200, "cross-origin"));
    let icons = server.get("/site.webmanifest").await.json()["icons"].clone();
    assert!(icons.as_array().unwrap().iter().any(|icon| icon["purpose"] == "maskable"), "{icons}");

    let saved = desk.edit("/api/admin/content/label_header", 1, json!({"value": "mark and name"})).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/label").await.json()["mark"]["has_name"], true);

    let images = desk.get("/api/admin/site-images").await.json();
    let mark = images["items"].as_array().unwrap().iter().find(|image| image["key"] == "label_mark").unwrap();
    let id = mark["id"].as_str().unwrap();
    let history = desk.get(&format!("/api/admin/versions/site_image/{id}")).await.json();
    assert_eq!(history["items"].as_array().unwrap().len(), 2);
    assert_eq!(desk.delete(&format!("/api/admin/site-images/{id}")).await.status, 204);
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/label").await.json()["mark"], Value::Null);
    assert!(server.get("/icon-192.png").await.bytes == preset.bytes, "the preset");
    let path = format!("/api/admin/trash/site_image/{id}/restore");
    assert_eq!(desk.post(&path, json!({})).await.status, 204);
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/label").await.json()["mark"]["height"], 270);
}

#[apply(on_both_engines!)]
async fn the_card_of_a_release_without_a_cover_is_not_called_its_artwork(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    assert_eq!(send(&server, &desk, ("a.svg", SVG)).await.status, 200);
    let release = server.release(Release { title: "Bare", ..Release::default() }).await;
    server.wait_for_changes().await;
    let page = server.get(&format!("/releases/{release}")).await.text();
    assert!(page.contains("/card.png?v=") && !page.contains("og:image:alt"), "{page}");
}

#[apply(on_both_engines!)]
async fn a_letter_keeps_the_mark_with_which_it_went_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    assert_eq!(send(&server, &desk, ("a.svg", SVG)).await.status, 200);
    server.wait_for_changes().await;
    let of_then = server.get("/mark.png").await.bytes;
    let letter = desk.post("/api/admin/letters", json!({})).await.json();
    let path = format!("/api/admin/letters/{}", letter["id"].as_str().unwrap());
    let draft =
        json!({"subject": "News", "preheader": "", "parts": [{"kind": "heading", "text": "Out now"}]});
    assert_eq!(desk.edit(&path, 1, draft).await.status, 200);
    let id = serde_json::from_value(letter["id"].clone()).unwrap();
    let prepared = freeze::prepare(&server.app, id).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    let html = prepared.freeze(&mut tx, &server.app).await.unwrap().html;
    tx.commit().await.unwrap();

    assert_eq!(send(&server, &desk, ("b.png", &png())).await.status, 200);
    server.wait_for_changes().await;
    let (_, rest) = html.split_once(&format!("<img src=\"{}/media/letters/", server.base)).unwrap();
    let (key, _) = rest.split_once('"').unwrap();
    let kept = server.get(&format!("/media/letters/{key}")).await;
    assert_eq!(kept.header("content-type"), "image/png");
    assert!(kept.bytes == of_then && server.get("/mark.png").await.bytes != of_then);
    assert_eq!(server.findings().await, Vec::<String>::new());
}

#[apply(on_both_engines!)]
async fn what_is_no_mark_is_refused_and_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let long = [
        br#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"#,
        &b"l1 1".repeat(2_600_000)[..],
        br#""/></svg>"#,
    ]
    .concat();
    let entities = br#"<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>"#;
    let text = br#"<svg xmlns="http://www.w3.org/2000/svg"><text>404</text></svg>"#;
    for (name, file, status, code) in [
        ("a.svg", &long[..], 413, "file_too_large"),
        ("a.svg", entities, 422, "mark_entities"),
        ("a.svg", text, 422, "mark_text"),
        ("a.svg", b"<html></html>", 422, "mark_broken"),
        ("a.png", b"\x89PNG\r\n\x1a\n", 422, "mark_broken"),
        ("a.png", SVG, 422, "invalid_file_type"),
        ("a.jpg", b"\xff\xd8\xff\xe0", 422, "invalid_file_type"),
        ("a.svg", b"", 422, "invalid_file_type"),
    ] {
        let refused = send(&server, &desk, (name, file)).await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["code"].as_str()),
            (status, Some(code)),
            "{refused:?}"
        );
    }
    assert_eq!(server.get("/api/label").await.json()["mark"], Value::Null);
    assert_eq!(server.count("media_files").await, 0);
}
