//! The archive of letters: pages, reads, feed and sitemap.

use deadwax::newsletter::letters::freeze;
use deadwax_store::ids::LetterId;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

/// A letter that went out; its id.
async fn sent(server: &TestServer, desk: &mut Browser, subject: &str) -> String {
    let letter = desk.post_another("/api/admin/letters", json!({})).await.json();
    let id = letter["id"].as_str().unwrap().to_owned();
    let parts = json!([
        {"kind": "heading", "text": "Out now"},
        {"kind": "text", "text": "Hear **it** <b>, [here](https://a.example)"},
    ]);
    let draft = json!({"subject": subject, "preheader": "", "parts": parts});
    assert_eq!(desk.edit(&format!("/api/admin/letters/{id}"), 1, draft).await.status, 200);
    let prepared = freeze::prepare(&server.app, LetterId(id.parse().unwrap())).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    prepared.freeze(&mut tx, &server.app).await.unwrap();
    tx.commit().await.unwrap();
    let row = server.id_literal(id.parse().unwrap());
    let now = server.app.clock.now();
    server.sql(&format!("UPDATE letters SET state = 'sending', began_at = {now} WHERE id = {row}")).await;
    server.wait_for_changes().await;
    id
}

async fn slugs(server: &TestServer) -> Vec<Value> {
    let page = server.get("/api/letters").await.json();
    page["items"].as_array().unwrap().iter().map(|letter| letter["slug"].clone()).collect()
}

#[apply(on_both_engines!)]
async fn a_letter_is_public_from_the_start_of_its_sending(engine: Engine) {
    let server = TestServer::start(engine).await;
    let page = server.get("/letters").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("noindex"), "an empty archive");
    assert!(!server.get("/sitemap.xml").await.text().contains("/letters"));
    let mut desk = server.desk().await;
    desk.post("/api/admin/letters", json!({})).await;
    assert_eq!(slugs(&server).await, Vec::<Value>::new(), "drafts are nobody's business");

    let id = sent(&server, &mut desk, "News & <more>").await;
    assert_eq!(slugs(&server).await, ["news-more"]);
    let letter = server.get("/api/letters/news-more").await.json();
    assert_eq!((&letter["subject"], &letter["is_stopped"]), (&json!("News & <more>"), &json!(false)));
    assert_eq!(letter["parts"][1]["paragraphs"][0][1], json!({"text": "it", "bold": true, "link": null}));
    for misspelt in ["/letters/news-more/", "/letters/NEWS-More", "/Letters/News-More/"] {
        let answer = server.get(&format!("{misspelt}?from=x")).await;
        assert_eq!(answer.status, 308, "{misspelt}");
        assert_eq!(answer.header("location"), "/letters/news-more?from=x");
    }
    let page = server.get("/letters/news-more").await;
    assert_eq!(page.status, 200);
    let page = page.text();
    assert!(page.contains("<title>News &#38; &#60;more&#62; — 404 COLLECTIVE</title>"), "{page}");
    assert!(page.contains("href=\"/letters.xml\""), "{page}");
    let list = server.get("/letters").await.text();
    assert!(list.contains("news-more") && !list.contains("noindex"));
    let feed = server.get("/letters.xml").await;
    assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8");
    let document = feed.text();
    let document = roxmltree::Document::parse(&document).unwrap();
    let entries =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry")));
    assert_eq!(entries.count(), 1);
    assert!(server.get("/sitemap.xml").await.text().contains("/letters/news-more</loc>"));

    server.sql("UPDATE letters SET state = 'stopped' WHERE state = 'sending'").await;
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/letters/news-more").await.json()["is_stopped"], true);

    // Taken out of the archive and put back.
    let switch = format!("/api/admin/letters/{id}");
    assert_eq!(desk.patch(&switch, json!({"in_archive": false})).await.status, 200);
    for path in ["/letters/news-more", "/api/letters/news-more"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
    assert_eq!(slugs(&server).await, Vec::<Value>::new());
    assert!(!server.get("/letters.xml").await.text().contains("entry"));
    assert_eq!(desk.patch(&switch, json!({"in_archive": true})).await.status, 200);
    assert_eq!(server.get("/letters/news-more").await.status, 200);
}

#[apply(on_both_engines!)]
async fn the_feed_is_as_new_as_the_letter_that_changed_last(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for subject in ["First", "Second"] {
        sent(&server, &mut desk, subject).await;
    }
    server.sql("UPDATE letters SET updated_at = updated_at + 500000 WHERE subject = 'Second'").await;
    server.wait_for_changes().await;
    let feed = server.get("/letters.xml").await.text();
    let (head, entries) = feed.split_once("<entry>").unwrap();
    assert!(head.contains("<updated>2026-11-20T12:00:00.5Z</updated>"), "{head}");
    assert!(entries.contains("<updated>2026-11-20T12:00:00Z</updated>"), "{entries}");
}

#[apply(on_both_engines!)]
async fn a_letter_that_is_not_there_has_no_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    for path in ["/letters/none", "/letters/-", "/api/letters/none", "/api/letters/%ff"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
}

#[apply(on_both_engines!)]
async fn a_letter_has_the_date_of_the_labels_clock(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    sent(&server, &mut desk, "News").await;
    let zone = "/api/admin/content/label_time_zone";
    for (version, value, day) in [(1, "Pacific/Kiritimati", "2026.11.21"), (2, "", "2026.11.20")] {
        for path in ["/api/letters", "/api/letters/news", "/letters", "/letters/news"] {
            assert_eq!(server.get(path).await.status, 200, "cached");
        }
        assert_eq!(desk.edit(zone, version, json!({"value": value})).await.status, 200);
        server.wait_for_changes().await;
        assert_eq!(server.get("/api/letters").await.json()["items"][0]["date_label"], day);
        assert_eq!(server.get("/api/letters/news").await.json()["date_label"], day);
        for path in ["/letters", "/letters/news"] {
            assert!(server.get(path).await.text().contains(day), "{path}");
        }
    }
}
