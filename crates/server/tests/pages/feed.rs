//! The Atom feed of releases (RFC 4287).

use macro_rules_attribute::apply;
use reqwest::StatusCode;
use roxmltree::{Document, Node};

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer},
};

const ATOM: &str = "http://www.w3.org/2005/Atom";

/// The text of a feed, after checking what RFC 4287 requires.
fn checked(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "application/atom+xml; charset=utf-8");
    let text = answer.text();
    let document = Document::parse(&text).unwrap();
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")));
    for holder in std::iter::once(feed).chain(entries(&document)) {
        for name in ["id", "title", "updated"] {
            assert_eq!(holder.children().filter(|node| node.has_tag_name((ATOM, name))).count(), 1, "{name}");
            assert!(!child(holder, name).is_empty(), "{name}");
        }
        assert!(child(holder, "id").starts_with("urn:uuid:"));
        assert!(child(holder, "updated").ends_with('Z'));
        assert!(holder.children().any(|node| node.has_tag_name((ATOM, "author"))));
        assert_eq!(links(holder, "alternate").len(), 1);
    }
    text
}

fn entries<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    document.root_element().children().filter(|node| node.has_tag_name((ATOM, "entry")))
}

fn child(node: Node<'_, '_>, name: &str) -> String {
    let found = node.children().find(|child| child.has_tag_name((ATOM, name)));
    found.and_then(|found| found.text()).unwrap_or_default().to_owned()
}

fn author(entry: Node<'_, '_>) -> String {
    child(entry.children().find(|child| child.has_tag_name((ATOM, "author"))).unwrap(), "name")
}

fn links(node: Node<'_, '_>, rel: &str) -> Vec<String> {
    node.children()
        .filter(|child| child.has_tag_name((ATOM, "link")) && child.attribute("rel") == Some(rel))
        .map(|link| link.attribute("href").unwrap().to_owned())
        .collect()
}

#[apply(on_both_engines!)]
async fn the_feed_is_an_atom_document_of_the_newest_releases(engine: Engine) {
    let server = TestServer::start(engine).await;
    let base = &server.base;
    let artist = server.artist("Ava", None).await;
    let old = server.release(Release { title: "Old", date: Some("2020-01-01"), ..Release::default() }).await;
    let new = server
        .release(Release {
            title: "New",
            date: Some("2026-01-01"),
            description: Some("Line one.\nLine two."),
            artist: Some(artist),
            spotify: Some("https://open.spotify.com/album/1?a=1&b=2"),
            ..Release::default()
        })
        .await;
    server.sql("UPDATE releases SET updated_at = updated_at + 60000000 WHERE title = 'Old'").await;
    server
        .sql(
            "UPDATE releases SET soundcloud_url = 'https://soundcloud.com/a/b', bandcamp_url = 'https://a.bandcamp.com/album/b',
            youtube_url = 'https://www.youtube.com/watch?v=1', apple_music_url = 'javascript:alert(1)' WHERE title = 'New'",
        )
        .await;
    server.wait_for_changes().await;
    let text = checked(&server.get("/feed.xml").await);
    let document = Document::parse(&text).unwrap();
    let feed = document.root_element();
    assert_eq!(child(feed, "title"), "404 COLLECTIVE: releases");
    assert_eq!(child(feed, "updated"), "2026-11-20T12:01:00Z", "the newest of its entries");
    assert_eq!(links(feed, "self"), [format!("{base}/feed.xml")]);
    let entries: Vec<_> = entries(&document).collect();
    assert_eq!(child(entries[0], "id"), format!("urn:uuid:{new}"));
    assert_eq!(child(entries[0], "title"), "New");
    assert_eq!(child(entries[0], "content"), "Line one.\nLine two.");
    assert_eq!(child(entries[0], "updated"), "2026-11-20T12:00:00Z");
    assert_eq!(author(entries[0]), "Ava");
    assert_eq!(links(entries[0], "alternate"), [format!("{base}/releases/{new}")]);
    let related = [
        "https://open.spotify.com/album/1?a=1&b=2",
        "https://soundcloud.com/a/b",
        "https://www.youtube.com/watch?v=1",
        "https://a.bandcamp.com/album/b",
    ];
    assert_eq!(links(entries[0], "related"), related);
    assert_eq!(child(entries[1], "id"), format!("urn:uuid:{old}"));
    assert_eq!(author(entries[1]), "404 COLLECTIVE");
    assert_eq!(links(entries[1], "alternate"), [format!("{base}/releases/{old}")]);
}

#[apply(on_both_engines!)]
async fn hostile_texts_stay_texts(engine: Engine) {
    let server = TestServer::start(engine).await;
    let hostile = "D'Angelo & <Sons> ]]> </title><!-- \"q\" &amp; </script>";
    let artist = server.artist(hostile, None).await;
    let release =
        Release { title: hostile, description: Some(hostile), artist: Some(artist), ..Release::default() };
    server.release(release).await;
    server.release(Release { title: "bell\u{7}\u{1b}[31m\u{fffe}", ..Release::default() }).await;
    let text = checked(&server.get("/feed.xml").await);
    let document = Document::parse(&text).unwrap();
    let titles: Vec<_> = entries(&document).map(|entry| child(entry, "title")).collect();
    assert!(titles.contains(&hostile.to_owned()), "{titles:?}");
    assert!(titles.contains(&"bell[31m".to_owned()), "{titles:?}");
    let entry = entries(&document).find(|entry| child(*entry, "title") == hostile).unwrap();
    assert_eq!(child(entry, "content"), hostile);
    assert_eq!(author(entry), hostile);
}

#[apply(on_both_engines!)]
async fn an_empty_label_has_an_empty_feed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let text = checked(&server.get("/feed.xml").await);
    assert_eq!(entries(&Document::parse(&text).unwrap()).count(), 0);
}

#[apply(on_both_engines!)]
async fn the_feed_follows_the_catalogue(engine: Engine) {
    let server = TestServer::start(engine).await;
    let id = server.release(Release { title: "Before", ..Release::default() }).await;
    let before = server.get("/feed.xml").await;
    assert!(checked(&before).contains("Before"));
    let etag = [("if-none-match", before.header("etag"))];
    assert_eq!(server.get_with("/feed.xml", &etag).await.status, StatusCode::NOT_MODIFIED);
    server.sql("UPDATE releases SET title = 'After', updated_at = updated_at + 1000000").await;
    server.wait_for_changes().await;
    let after = server.get_with("/feed.xml", &etag).await;
    let text = checked(&after);
    assert!(text.contains("After") && !text.contains("Before"));
    assert!(text.contains(&format!("urn:uuid:{id}")), "the id stays");
    assert!(text.contains("2026-11-20T12:00:01Z"));
}

#[apply(on_both_engines!)]
async fn the_feed_is_closed_with_the_releases(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.release(Release { title: "Hidden", ..Release::default() }).await;
    checked(&server.get("/feed.xml").await);
    let switch = |on: &str| {
        format!("UPDATE maintenance_settings SET is_maintenance_mode = {on} WHERE page_key = 'releases'")
    };
    server.sql(&switch("TRUE")).await;
    server.wait_for_changes().await;
    let closed = server.get("/feed.xml").await;
    assert_eq!(closed.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(closed.problem(), "maintenance");
    assert_eq!(closed.header("retry-after"), "600");
    assert!(!closed.text().contains("Hidden"));
    server.sql(&switch("FALSE")).await;
    server.wait_for_changes().await;
    assert!(checked(&server.get("/feed.xml").await).contains("Hidden"));
}
