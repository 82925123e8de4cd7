//! Documents as browsers and crawlers receive them; `pages/` tests their parts.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests state their contract in their names"
)]

mod feed;
mod heads;
mod imprint;
mod label;
mod letters;
mod mark;
mod painting;
mod release_pages;
mod sitemap;
mod structured_data;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::on_both_engines;

use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::support::{Answer, Engine, Release, TestServer, WebApp};

/// The header by which a browser asks for a page.
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

/// The answers embedded for the first view, by address.
fn first_view(page: &Answer) -> Value {
    let text = page.text();
    let data = text.split_once(r#"id="first-view">"#).unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

fn title(page: &Answer) -> String {
    let text = page.text();
    assert_eq!(text.matches("<title>").count(), 1);
    text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0.to_owned()
}

#[apply(on_both_engines!)]
async fn every_route_is_a_separate_document(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("D'Angelo & <Sons>", Some("Bio.")).await;
    let artist = format!("/artists/{artist}");
    let mut titles = std::collections::BTreeSet::new();
    let paths = [
        "/",
        "/releases",
        "/artists",
        &artist,
        "/store",
        "/terminal",
        "/contact",
        "/privacy-policy",
        "/profile",
        "/signup",
        "/auth/callback",
        "/auth/welcome",
        "/auth/signup-success",
        "/admin/login",
        "/admin",
        "/admin/demos",
    ];
    for path in paths {
        let page = server.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(page.text().contains("404 COLLECTIVE"), "{path}");
        titles.insert(title(&page));
    }
    assert_eq!(titles.len(), paths.len(), "{titles:?}");
    let page = server.get(&artist).await.text();
    assert!(!page.contains("<Sons>"), "names are escaped");
    assert!(page.contains(&format!(r#"<link rel="canonical" href="{}{artist}""#, server.base)));
    assert!(server.get("/admin").await.text().contains("noindex"));
    assert!(!server.get("/admin").await.text().contains("canonical"));
}

#[apply(on_both_engines!)]
async fn a_document_brings_the_data_of_its_first_view(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    server.release(Release { title: "</script><b>", artist: Some(artist), ..Release::default() }).await;
    for (path, urls) in [
        ("/", vec!["/api/label", "/api/maintenance", "/api/content", "/api/site-images/hero_background"]),
        ("/releases", vec!["/api/label", "/api/maintenance", "/api/releases?limit=50"]),
        ("/artists", vec!["/api/label", "/api/maintenance", "/api/artists?limit=50", "/api/content"]),
        (
            &format!("/artists/{artist}"),
            vec![
                "/api/label",
                "/api/maintenance",
                &format!("/api/artists/{artist}"),
                &format!("/api/releases?artist_id={artist}&limit=50"),
            ],
        ),
        ("/privacy-policy", vec!["/api/label", "/api/maintenance", "/api/content/privacy_policy"]),
    ] {
        let view = first_view(&server.get(path).await);
        let live = &server.app.live;
        assert_eq!(view["event_id"], live.position(live.last_for(deadwax_store::live::Audience::Visitors)));
        assert_eq!(view["label_name"], server.app.label_name());
        let queries = view["queries"].as_array().unwrap();
        assert_eq!(
            queries.iter().map(|query| query["url"].as_str().unwrap()).collect::<Vec<_>>(),
            urls,
            "{path}"
        );
        for query in queries {
            let answer = server.get(query["url"].as_str().unwrap()).await;
            // A missing row is embedded as null.
            let body = if answer.status == StatusCode::NOT_FOUND { Value::Null } else { answer.json() };
            assert_eq!(query["body"], body, "{path}");
        }
    }
}

#[apply(on_both_engines!)]
async fn an_unknown_artist_is_the_404_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    for id in [Uuid::now_v7().to_string(), "nobody".to_owned(), "1%20OR%201=1".to_owned()] {
        let page = server.get(&format!("/artists/{id}")).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        assert!(page.header("content-type").starts_with("text/html"));
        assert!(page.text().contains("noindex"));
    }
}

#[apply(on_both_engines!)]
async fn a_slash_too_many_leads_to_the_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let imprint = json!({"value": "Berlin"});
    assert_eq!(server.desk().await.edit("/api/admin/content/imprint", 1, imprint).await.status, 200);
    server.wait_for_changes().await;
    let artist = format!("/artists/{}", server.artist("A", None).await);
    for path in rules::url::ROUTES.into_iter().filter(|path| *path != "/").chain([artist.as_str()]) {
        let answer = server.get(&format!("{path}/")).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{path}");
        assert_eq!(answer.header("location"), path);
        assert!(answer.bytes.is_empty());
        assert_eq!(server.get(answer.header("location")).await.status, StatusCode::OK, "{path}");
    }
    let answer = server.get("/auth/callback/?code=1&next=//evil.example").await;
    assert_eq!(answer.header("location"), "/auth/callback?code=1&next=//evil.example");
    for path in [
        "//",
        "//evil.example/",
        "/%5Cevil.example/",
        "/%09/evil.example/",
        "//evil.example/releases/",
        "/releases//",
        "/nothing/",
        "/artists/nobody/",
        "/artists//evil.example/",
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.header("location"), "", "{path}");
    }
    let posted = server.client.post(format!("{}/releases/", server.base)).send().await.unwrap();
    assert_ne!(posted.status(), StatusCode::PERMANENT_REDIRECT);
}

/// Browsers get the page for any old link; requests for a missing file do not get 50 kB of app.
#[apply(on_both_engines!)]
async fn a_wrong_address_with_a_dot_is_a_page_for_browsers_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let browser = [BROWSER];
    for path in
        ["/index.html", "/shop.php", "/nothing/here.now", "/v1.0", "/artists/%E0%A4%A", "/artists/john.doe"]
    {
        let page = server.get_with(path, &browser).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
    }
    for path in ["/index.html", "/shop.php", "/nothing.js"] {
        let answer = server.get(path).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (StatusCode::NOT_FOUND, "not_found"),
            "{path}"
        );
    }
    for path in ["/assets/nothing.js", "/assets/nothing", "/media/nothing", "/media/no.jpg", "/api/nothing"] {
        let answer = server.get_with(path, &browser).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (StatusCode::NOT_FOUND, "not_found"),
            "{path}"
        );
    }
}

#[apply(on_both_engines!)]
async fn a_page_that_cannot_be_made_is_the_app_for_browsers_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.sql("ALTER TABLE maintenance_settings RENAME TO away").await;
    let leave = format!("{}/newsletter/leave/{}", server.base, "A".repeat(43));
    let pressed = server.client.post(leave).header(BROWSER.0, BROWSER.1).send().await.unwrap();
    let failed = json!([{"url": "/newsletter/step", "body": "failed"}]);
    let pages = [
        (server.get_with("/releases", &[BROWSER]).await, json!([])),
        (server.get_with("/nothing", &[BROWSER]).await, json!([])),
        (Answer::read(pressed).await, failed),
    ];
    for (page, queries) in pages {
        assert_eq!(page.status, StatusCode::INTERNAL_SERVER_ERROR, "{page:?}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(title(&page), "Not available — 404 COLLECTIVE");
        assert!(page.text().contains("noindex"));
        assert_eq!(first_view(&page)["queries"], queries);
    }
    server.sql("ALTER TABLE limits RENAME TO gone").await;
    for (path, headers, code) in [
        ("/releases", &[][..], "internal"),
        ("/api/maintenance", &[BROWSER], "internal"),
        ("/readyz", &[BROWSER], "unavailable"),
    ] {
        assert_eq!(server.get_with(path, headers).await.problem(), code, "{path}");
    }
}

#[apply(on_both_engines!)]
async fn a_page_in_maintenance_says_nothing_of_itself(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Hidden Person", Some("A hidden life.")).await;
    server.release(Release { title: "Hidden Record", artist: Some(artist), ..Release::default() }).await;
    let artist = format!("/artists/{artist}");
    server.sql("UPDATE artists SET image_url = 'https://pictures.example/hidden.jpg'").await;
    server.sql("UPDATE releases SET cover_image_url = 'https://pictures.example/hidden.jpg'").await;
    server.wait_for_changes().await;
    let paths = ["/", "/releases", "/artists", &artist];
    for path in paths {
        assert!(server.get(path).await.text().contains("application/ld+json"), "{path}");
    }
    server.sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE").await;
    server.wait_for_changes().await;
    for path in paths {
        let page = server.get(path).await;
        assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert_eq!(page.header("retry-after"), "600");
        let text = page.text();
        assert!(!text.contains("application/ld+json"), "{path}");
        assert!(!text.to_lowercase().contains("hidden ") && !text.contains("hidden.jpg"), "{path}");
        assert!(!text.contains(r#"as="image""#), "{path}");
        assert!(text.contains("noindex"), "{path}");
    }
}

#[apply(on_both_engines!)]
async fn an_artist_of_thousands_of_releases_has_a_bounded_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Prolific", None).await;
    server.insert_releases(3_000, Some(artist)).await;
    let page = server.get(&format!("/artists/{artist}")).await;
    assert!(page.bytes.len() < 200_000, "{}", page.bytes.len());
    let released = &first_view(&page)["queries"][3]["body"];
    assert_eq!(released["items"].as_array().unwrap().len(), 50);
    assert!(released["next_cursor"].is_string());
    let data = structured_data::of(&page).unwrap();
    assert_eq!(data["album"].as_array().unwrap().len(), 50);
    let feed = server.get("/feed.xml").await;
    assert_eq!(feed.text().matches("<entry>").count(), 50);
    assert!(feed.bytes.len() < 100_000);
}

#[tokio::test]
async fn the_tag_of_a_file_is_that_of_its_bytes() {
    let server = TestServer::start(Engine::Sqlite).await;
    let is_sent = |path: &str| {
        !path.starts_with("server/")
            && path != "index.html"
            && ![".br", ".gz"].iter().any(|end| path.ends_with(end))
    };
    let sent: Vec<_> = WebApp::iter().filter(|path| is_sent(path)).collect();
    assert!(sent.len() > 10);
    for path in sent {
        let file = server.get_with(&format!("/{path}"), &[("accept-encoding", "identity")]).await;
        assert_eq!(file.status, StatusCode::OK, "{path}");
        let hash = hex::encode(Sha256::digest(&file.bytes));
        assert_eq!(file.header("etag"), format!("W/\"{}\"", &hash[..24]), "{path}");
    }
    let inside = server.get("/server/paint.js").await;
    assert_eq!(inside.status, StatusCode::NOT_FOUND, "what the server runs is sent to nobody");
}
