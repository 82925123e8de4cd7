//! The general tags of a page's head: links, descriptions, and the preloaded picture.

use macro_rules_attribute::apply;
use reqwest::StatusCode;

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer},
};

const PAGES: [&str; 9] =
    ["/", "/releases", "/artists", "/store", "/contact", "/signup", "/profile", "/admin", "/nothing"];

/// The `<link>` of a page that contains `mark`.
fn link(page: &Answer, mark: &str) -> Option<String> {
    let text = page.text();
    let found = text.lines().filter(|line| line.contains("<link") && line.contains(mark)).collect::<Vec<_>>();
    assert!(found.len() < 2, "{found:?}");
    found.first().map(|line| line.trim().to_owned())
}

fn description(page: &Answer) -> String {
    let text = page.text();
    assert_eq!(text.matches(r#"name="description""#).count(), 1);
    let rest = text.split_once(r#"<meta name="description" content=""#).unwrap().1;
    rest.split_once('"').unwrap().0.to_owned()
}

#[apply(on_both_engines!)]
async fn every_page_links_the_feed_and_the_manifest(engine: Engine) {
    let server = TestServer::start(engine).await;
    for path in PAGES {
        let page = server.get(path).await;
        let feed = link(&page, r#"rel="alternate""#).unwrap();
        assert!(feed.contains(r#"type="application/atom+xml""#) && feed.contains(r#"href="/feed.xml""#));
        assert!(link(&page, r#"rel="manifest""#).unwrap().contains(r#"href="/site.webmanifest""#));
        assert!(link(&page, r#"rel="apple-touch-icon""#).is_some());
    }
    let answer = server.get("/site.webmanifest").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "application/manifest+json");
    let manifest = answer.json();
    assert_eq!(manifest["name"], "404 COLLECTIVE");
    let icons = manifest["icons"].as_array().unwrap();
    assert_eq!(icons.len(), 4);
    for icon in icons {
        let file = server.get(icon["src"].as_str().unwrap()).await;
        assert_eq!(file.status, StatusCode::OK);
        assert_eq!(file.header("content-type"), icon["type"].as_str().unwrap());
    }
}

#[apply(on_both_engines!)]
async fn every_page_describes_itself_in_a_sentence(engine: Engine) {
    let server = TestServer::start(engine).await;
    let quiet = server.artist("Quiet", None).await;
    let described = server.artist("Described", Some("Two  lines\n\nof \"bio\".")).await;
    let mut seen = std::collections::BTreeSet::new();
    for path in PAGES {
        let text = description(&server.get(path).await);
        assert!(text.ends_with('.') && !text.contains("..") && !text.contains('{'), "{path}: {text}");
        assert!(seen.insert(text), "{path}");
    }
    let quiet = description(&server.get(&format!("/artists/{quiet}")).await);
    assert_eq!(quiet, "Quiet on 404 COLLECTIVE: releases and links.");
    let described = description(&server.get(&format!("/artists/{described}")).await);
    assert_eq!(described, "Two lines of &#34;bio&#34;.");
}

#[apply(on_both_engines!)]
async fn the_canonical_address_has_no_query(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    for path in ["/", "/releases", &format!("/artists/{artist}")] {
        let page = server.get(&format!("{path}?utm_source=x&dialog=login")).await;
        let canonical = format!(r#"<link rel="canonical" href="{}{path}" />"#, server.base);
        assert_eq!(link(&page, r#"rel="canonical""#), Some(canonical));
        assert!(!page.text().contains("utm_source"));
    }
    // An id has one spelling, so a page has one address.
    let shouted = server.get(&format!("/artists/{}", artist.to_string().to_uppercase())).await;
    assert_eq!(shouted.status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(shouted.header("location"), format!("/artists/{artist}"));
}

#[apply(on_both_engines!)]
async fn the_first_picture_is_asked_for_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    let of_artist = format!("/artists/{artist}");
    server.release(Release { title: "A", ..Release::default() }).await;
    for path in ["/", "/releases", &of_artist] {
        assert_eq!(link(&server.get(path).await, r#"as="image""#), None, "{path}: there is no picture");
    }
    server
        .sql(
            "INSERT INTO objects (key, content_type, size_bytes, sha256, width, height, small_key, created_at)
             VALUES ('releases/1-a.jpg', 'image/jpeg', 1, 'x', 1200, 1200, 'releases/1-a-small.jpg', 0)",
        )
        .await;
    server.sql("UPDATE releases SET cover_image_url = '/media/releases/1-a.jpg' WHERE title = 'A'").await;
    server.sql("UPDATE artists SET image_url = 'https://pictures.example/a.jpg?w=1&h=2'").await;
    server.wait_for_changes().await;
    let sizes = "(width &#62;= 106rem) calc(25vw - 3rem), (width &#62;= 64rem) calc(33.3vw - 3rem), (width &#62;= 40rem) calc(50vw - 2rem), calc(100vw - 3rem)";
    assert_eq!(
        link(&server.get("/releases").await, r#"as="image""#).unwrap(),
        format!(
            r#"<link rel="preload" as="image" href="/media/releases/1-a-small.jpg" imagesrcset="/media/releases/1-a-small.jpg 640w, /media/releases/1-a.jpg 1200w" imagesizes="{sizes}" fetchpriority="high" />"#
        )
    );
    assert_eq!(
        link(&server.get(&of_artist).await, r#"as="image""#).unwrap(),
        r#"<link rel="preload" as="image" href="https://pictures.example/a.jpg?w=1&#38;h=2" fetchpriority="high" />"#
    );
    server
        .sql(
            "INSERT INTO objects (key, content_type, size_bytes, sha256, width, height, small_key, created_at)
             VALUES ('assets/1-h.avif', 'image/avif', 1, 'x', 1600, 1000, 'assets/1-h-small.jpg', 0)",
        )
        .await;
    server.hero("/media/assets/1-h.avif").await;
    let home = server.get("/").await;
    let hero = link(&home, r#"as="image""#).unwrap();
    assert!(
        hero.contains(
            r#"imagesrcset="/media/assets/1-h-small.jpg 640w, /media/assets/1-h.avif 1600w" imagesizes="max(100vw, min(103vh, 71rem))""#
        ),
        "{hero}"
    );
    let shared = format!(r#"property="og:image" content="{}/media/assets/1-h-small.jpg""#, server.base);
    assert!(home.text().contains(&shared), "a form that every reader of shared addresses can show");
}

#[apply(on_both_engines!)]
async fn the_admin_has_no_frame_of_the_website(engine: Engine) {
    let server = TestServer::start(engine).await;
    let frame = r#"class="h-14"#;
    for path in ["/", "/profile", "/nothing"] {
        assert!(server.get(path).await.text().contains(frame), "{path}");
    }
    for path in ["/admin", "/admin/demos", "/admin/login"] {
        let text = server.get(path).await.text();
        assert!(!text.contains(frame), "{path}");
        assert!(text.contains(r#"<div id="root">"#) && text.contains("<noscript>"), "{path}");
    }
}
