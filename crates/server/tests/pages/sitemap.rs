//! Crawlers' documents: the sitemap, whole and in parts, and robots.txt.

use macro_rules_attribute::apply;
use reqwest::StatusCode;
use roxmltree::Document;

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer},
};

/// Every `loc` with its `lastmod`, after checking that the document is well-formed and has this root.
fn places(answer: &Answer, root: &str) -> Vec<(String, Option<String>)> {
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "application/xml; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-cache");
    let text = answer.text();
    let document = Document::parse(&text).unwrap();
    assert_eq!(document.root_element().tag_name().name(), root);
    assert_eq!(
        document.root_element().tag_name().namespace(),
        Some("http://www.sitemaps.org/schemas/sitemap/0.9")
    );
    let child = |node: roxmltree::Node<'_, '_>, name: &str| {
        let found = node.children().find(|child| child.tag_name().name() == name);
        found.and_then(|child| child.text().map(str::to_owned))
    };
    let places = document.root_element().children().filter(roxmltree::Node::is_element);
    places.map(|place| (child(place, "loc").unwrap(), child(place, "lastmod"))).collect()
}

#[apply(on_both_engines!)]
async fn the_sitemap_names_every_public_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let first = server.artist("First", None).await;
    let second = server.artist("D'Angelo & <Sons>", None).await;
    let release = server.release(Release { title: "R", artist: Some(second), ..Release::default() }).await;
    server.sql("UPDATE releases SET updated_at = updated_at + 3600000000").await;
    server.wait_for_changes().await;
    let places = places(&server.get("/sitemap.xml").await, "urlset");
    let paths: Vec<_> = places.iter().map(|(link, _)| link.strip_prefix(&server.base).unwrap()).collect();
    let single = [format!("/artists/{first}"), format!("/artists/{second}"), format!("/releases/{release}")];
    assert_eq!(
        paths,
        ["/", "/releases", "/artists", "/store", "/terminal", "/contact", "/privacy-policy", "/signup"]
            .into_iter()
            .chain(single.iter().map(String::as_str))
            .collect::<Vec<_>>()
    );
    assert_eq!(places[8].1.as_deref(), Some("2026-11-20T12:00:00Z"));
    assert_eq!(places[9].1.as_deref(), Some("2026-11-20T13:00:00Z"), "a release changes its artist's page");
    assert_eq!(places[10].1.as_deref(), Some("2026-11-20T13:00:00Z"));
    assert_eq!(places[0].1, None);
    for path in paths {
        let page = server.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(!page.text().contains("noindex"), "{path}");
    }
}

#[apply(on_both_engines!)]
async fn the_sitemap_follows_the_catalogue(engine: Engine) {
    let server = TestServer::start(engine).await;
    let before = server.get("/sitemap.xml").await;
    let etag = before.header("etag");
    let known = server.get_with("/sitemap.xml?from=cache", &[("if-none-match", etag)]).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    let artist = server.artist("New", None).await;
    let link = format!("{}/artists/{artist}", server.base);
    assert!(server.get("/sitemap.xml").await.text().contains(&link));
    server.sql("UPDATE artists SET updated_at = 0").await;
    server.wait_for_changes().await;
    let places = places(&server.get("/sitemap.xml").await, "urlset");
    assert_eq!(places.last(), Some(&(link.clone(), None)), "an unknown instant is left out");
    server.sql("DELETE FROM artists").await;
    server.wait_for_changes().await;
    assert!(!server.get("/sitemap.xml").await.text().contains(&link));
}

#[apply(on_both_engines!)]
async fn many_artists_are_cut_into_parts(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_artists(2_000).await;
    let whole = server.get("/sitemap.xml").await;
    assert_eq!(places(&whole, "urlset").len(), 2_008);
    assert!(whole.bytes.len() < 512 * 1024);
    server.artist("One more", None).await;
    let parts = places(&server.get("/sitemap.xml").await, "sitemapindex");
    let links: Vec<_> = parts.iter().map(|(link, _)| link.strip_prefix(&server.base).unwrap()).collect();
    assert_eq!(links, ["/sitemaps/1.xml", "/sitemaps/2.xml"]);
    let mut all = std::collections::BTreeSet::new();
    for link in links {
        all.extend(places(&server.get(link).await, "urlset").into_iter().map(|(link, _)| link));
    }
    assert_eq!(all.len(), 2_009);
    for path in
        ["0.xml", "3.xml", "01.xml", "+1.xml", "-1.xml", "1", "65536.xml", "x.xml", ".xml", "1.xml.xml"]
    {
        let answer = server.get(&format!("/sitemaps/{path}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.problem(), "not_found", "{path}");
    }
}

#[apply(on_both_engines!)]
async fn many_releases_have_their_own_parts(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Only", None).await;
    server.insert_releases(2_001, None).await;
    let parts = places(&server.get("/sitemap.xml").await, "sitemapindex");
    assert_eq!(parts.len(), 3);
    let mut all = std::collections::BTreeSet::new();
    for (link, _) in parts {
        let path = link.strip_prefix(&server.base).unwrap().to_owned();
        all.extend(places(&server.get(&path).await, "urlset").into_iter().map(|(link, _)| link));
    }
    assert_eq!(all.len(), 8 + 1 + 2_001);
    assert_eq!(server.get("/sitemaps/4.xml").await.status, StatusCode::NOT_FOUND);
}

#[apply(on_both_engines!)]
async fn crawlers_learn_where_to_go(engine: Engine) {
    let server = TestServer::start(engine).await;
    let robots = server.get("/robots.txt").await;
    assert_eq!(robots.status, StatusCode::OK);
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    let text = robots.text();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[..2], ["User-agent: *", "Allow: /"]);
    for path in ["/admin", "/api", "/auth", "/profile"] {
        assert!(lines.contains(&format!("Disallow: {path}").as_str()), "{path}");
    }
    assert_eq!(lines.last(), Some(&format!("Sitemap: {}/sitemap.xml", server.base).as_str()));
    let posted = server.client.post(format!("{}/robots.txt", server.base)).send().await.unwrap();
    assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
}
