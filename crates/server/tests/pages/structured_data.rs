//! JSON-LD that describes a page's subject to search engines.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer},
};

/// A page's JSON-LD, if it has any.
pub fn of(page: &Answer) -> Option<Value> {
    let text = page.text();
    let (_, rest) = text.split_once(r#"<script type="application/ld+json">"#)?;
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["@context"], "https://schema.org");
    Some(data)
}

#[apply(on_both_engines!)]
async fn the_home_page_names_the_label(engine: Engine) {
    let server = TestServer::start(engine).await;
    let base = &server.base;
    assert_eq!(
        of(&server.get("/").await),
        Some(json!({
            "@context": "https://schema.org",
            "@type": "Organization",
            "@id": format!("{base}/#label"),
            "name": "404 COLLECTIVE",
            "url": format!("{base}/"),
            "logo": format!("{base}/icon-512.png"),
        }))
    );
    assert_eq!(server.get("/icon-512.png").await.header("content-type"), "image/png");
}

#[apply(on_both_engines!)]
async fn the_catalogue_is_a_list_of_albums(engine: Engine) {
    let server = TestServer::start(engine).await;
    let base = &server.base;
    let artist = server.artist("D'Angelo & <Sons>", None).await;
    let dated = server
        .release(Release {
            title: "First",
            date: Some("2026-10-02"),
            artist: Some(artist),
            spotify: Some("https://open.spotify.com/album/1DFixLWuPkv3KT3TnV35m3?si=1"),
            ..Release::default()
        })
        .await;
    server
        .sql("UPDATE releases SET catalog = '404-001', cover_image_url = '/media/releases/1-a.jpg' WHERE title = 'First'")
        .await;
    let bare = server.release(Release { title: "Second", ..Release::default() }).await;
    let data = of(&server.get("/releases").await).unwrap();
    assert_eq!(data["@type"], "ItemList");
    assert_eq!(
        data["itemListElement"],
        json!([
            {"@type": "ListItem", "position": 1, "item": {
                "@type": "MusicAlbum",
                "@id": format!("urn:uuid:{dated}"),
                "name": "First",
                "url": format!("{base}/releases/{dated}"),
                "byArtist": {
                    "@type": "MusicGroup",
                    "@id": format!("{base}/artists/{artist}"),
                    "name": "D'Angelo & <Sons>",
                    "url": format!("{base}/artists/{artist}"),
                },
                "datePublished": "2026-10-02",
                "image": format!("{base}/media/releases/1-a.jpg"),
                "albumRelease": {
                    "@type": "MusicRelease",
                    "catalogNumber": "404-001",
                    "recordLabel": {
                        "@type": "Organization",
                        "@id": format!("{base}/#label"),
                        "name": "404 COLLECTIVE",
                        "url": format!("{base}/"),
                    },
                },
                "sameAs": ["https://open.spotify.com/album/1DFixLWuPkv3KT3TnV35m3?si=1"],
            }},
            {"@type": "ListItem", "position": 2, "item": {
                "@type": "MusicAlbum", "@id": format!("urn:uuid:{bare}"), "name": "Second",
                "url": format!("{base}/releases/{bare}"),
            }},
        ])
    );
}

#[apply(on_both_engines!)]
async fn an_artist_is_a_group_with_albums(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Ava", Some("Builds rooms.")).await;
    let description = Some("Slow.\nCATALOG: 404-009");
    server
        .release(Release { title: "Marked", description, artist: Some(artist), ..Release::default() })
        .await;
    server.release(Release { title: "Plain", artist: Some(artist), ..Release::default() }).await;
    server.release(Release { title: "Another's", ..Release::default() }).await;
    server
        .sql(
            r#"UPDATE artists SET image_url = 'https://pictures.example/ava.jpg', spotify_url = 'https://open.spotify.com/artist/1',
               youtube_url = 'javascript:alert(1)', social_links = '{"website": "https://ava.example", "twitter": "data:x"}'"#,
        )
        .await;
    server.wait_for_changes().await;
    let page = server.get(&format!("/artists/{artist}")).await;
    let data = of(&page).unwrap();
    assert_eq!(data["@type"], "MusicGroup");
    assert_eq!(data["name"], "Ava");
    assert_eq!(data["description"], "Builds rooms.");
    assert_eq!(data["image"], "https://pictures.example/ava.jpg");
    assert_eq!(data["sameAs"], json!(["https://ava.example", "https://open.spotify.com/artist/1"]));
    let albums = data["album"].as_array().unwrap();
    let names: Vec<_> = albums.iter().map(|album| album["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Marked", "Plain"]);
    assert_eq!(albums[0]["albumRelease"]["catalogNumber"], "404-009");
    assert!(albums[1].get("albumRelease").is_none());
    let list = of(&server.get("/artists").await).unwrap();
    assert_eq!(list["itemListElement"][0]["item"]["name"], "Ava");
    assert_eq!(list["itemListElement"][0]["item"]["url"], data["url"]);
}

#[apply(on_both_engines!)]
async fn nothing_is_said_of_what_is_not_there(engine: Engine) {
    let server = TestServer::start(engine).await;
    for path in ["/releases", "/artists", "/contact", "/privacy-policy", "/admin", "/nothing"] {
        assert_eq!(of(&server.get(path).await), None, "{path}");
    }
    let artist = server.artist("Alone", None).await;
    let data = of(&server.get(&format!("/artists/{artist}")).await).unwrap();
    let mut members: Vec<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, ["@context", "@id", "@type", "name", "url"]);
}

#[apply(on_both_engines!)]
async fn no_name_can_leave_the_script(engine: Engine) {
    let server = TestServer::start(engine).await;
    let name = "</script><script>alert(1)</script><!--";
    let artist = server.artist(name, Some(name)).await;
    server.release(Release { title: name, artist: Some(artist), ..Release::default() }).await;
    let clean = server.get("/contact").await.text();
    for path in ["/releases", "/artists", &format!("/artists/{artist}")] {
        let page = server.get(path).await;
        let text = page.text();
        assert_eq!(text.matches("</script>").count(), clean.matches("</script>").count() + 1, "{path}");
        assert_eq!(text.matches("<!--").count(), clean.matches("<!--").count(), "{path}");
        assert!(!text.contains("<script>alert"), "{path}");
        assert!(of(&page).unwrap().to_string().contains("</script>"), "the name itself stays whole");
    }
}

#[apply(on_both_engines!)]
async fn an_edit_is_said_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Before", None).await;
    server.release(Release { title: "T", artist: Some(artist), ..Release::default() }).await;
    let artist = format!("/artists/{artist}");
    for path in ["/releases", "/artists", &artist] {
        assert!(of(&server.get(path).await).unwrap().to_string().contains("Before"), "{path}");
    }
    server.sql("UPDATE artists SET name = 'After'").await;
    server.wait_for_changes().await;
    for path in ["/releases", "/artists", &artist] {
        let data = of(&server.get(path).await).unwrap().to_string();
        assert!(data.contains("After") && !data.contains("Before"), "{path}");
    }
}
