//! A release's page: its API answer, document and oEmbed, and the redirects of its addresses.

use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer},
};

/// Gives the release with this title a slug and keeps its former ones.
async fn give_slug(server: &TestServer, title: &str, slug: &str) {
    server
        .sql(&format!("INSERT INTO slugs SELECT '{slug}', id, 0 FROM releases WHERE title = '{title}'"))
        .await;
    server.sql(&format!("UPDATE releases SET slug = '{slug}' WHERE title = '{title}'")).await;
    server.wait_for_changes().await;
}

/// A release with every field set.
async fn signal(server: &TestServer) {
    let artist = server.artist("Kesto Vann", None).await;
    let spotify = Some("https://open.spotify.com/album/1DFixLWuPkv3KT3TnV35m3");
    server
        .release(Release {
            title: "Signal",
            date: Some("2024-05-01"),
            description: Some("Slow & low."),
            spotify,
            artist: Some(artist),
            ..Release::default()
        })
        .await;
    server
        .sql(
            r#"UPDATE releases SET catalog = '404-001', format = '12"', bandcamp_url = 'https://x.bandcamp.com/album/s',
            youtube_url = 'javascript:alert(1)', cover_image_url = 'https://pictures.example/s.jpg',
            tracks = '[{"position":"A1","title":"One","duration_seconds":372},{"title":"Two","artist":"Ava"},
                {"title":"Three","artist":"KESTO  Vann"}]',
            credits = '[{"role":"Mastering","name":"Ada"}]' WHERE title = 'Signal'"#,
        )
        .await;
    give_slug(server, "Signal", "404-001").await;
}

#[apply(on_both_engines!)]
async fn a_release_is_shown_whole_with_its_neighbours(engine: Engine) {
    let server = TestServer::start(engine).await;
    signal(&server).await;
    let artist = server.get("/api/artists").await.json()["items"][0]["id"].as_str().unwrap().parse().unwrap();
    for (title, date, artist) in [
        ("Newest", "2025-01-01", Some(artist)),
        ("Same day", "2024-05-01", None),
        ("Oldest", "2020-01-01", Some(artist)),
    ] {
        server.release(Release { title, date: Some(date), artist, ..Release::default() }).await;
        give_slug(&server, title, &title.to_lowercase().replace(' ', "-")).await;
    }
    let detail = server.get("/api/releases/404-001").await.json();
    assert_eq!(detail["title"], "Signal");
    assert_eq!(detail["slug"], "404-001");
    assert_eq!(detail["format"], "12\"");
    assert_eq!(
        detail["tracks"],
        json!([
            {"position": "A1", "title": "One", "artist": null, "duration_seconds": 372, "duration_label": "6:12"},
            {"position": null, "title": "Two", "artist": "Ava", "duration_seconds": null, "duration_label": null},
            {"position": null, "title": "Three", "artist": null, "duration_seconds": null, "duration_label": null},
        ]),
        "the release's own artist is not repeated"
    );
    assert_eq!(detail["credits"], json!([{"role": "Mastering", "name": "Ada"}]));
    assert_eq!(detail["bandcamp_url"], "https://x.bandcamp.com/album/s");
    assert_eq!(detail["youtube_url"], Value::Null, "what no rule would have let in");
    assert_eq!(detail["newer"], json!({"slug": "same-day", "title": "Same day"}));
    assert_eq!(detail["older"], json!({"slug": "oldest", "title": "Oldest"}));
    let more: Vec<_> =
        detail["more_of_artist"].as_array().unwrap().iter().map(|r| r["title"].clone()).collect();
    assert_eq!(more, ["Newest", "Oldest"]);
    assert_eq!(server.get("/api/releases/newest").await.json()["newer"], Value::Null);
    assert_eq!(server.get("/api/releases/oldest").await.json()["older"], Value::Null);
}

#[apply(on_both_engines!)]
async fn the_page_says_what_it_is_about_in_its_head_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    signal(&server).await;
    let page = server.get("/releases/404-001").await;
    assert_eq!(page.status, StatusCode::OK);
    let (text, base) = (page.text(), &server.base);
    let head = text.split_once("</head>").unwrap().0;
    for line in [
        "<title>Signal by Kesto Vann — 404 COLLECTIVE</title>".to_owned(),
        format!(r#"<link rel="canonical" href="{base}/releases/404-001""#),
        r#"<meta property="og:type" content="music.album""#.to_owned(),
        r#"<meta property="music:release_date" content="2024-05-01""#.to_owned(),
        format!(r#"<meta property="music:musician" content="{base}/artists/"#),
        r#"<meta property="og:image" content="https://pictures.example/s.jpg""#.to_owned(),
        r#"type="application/json+oembed""#.to_owned(),
    ] {
        assert!(head.contains(&line), "{line}\n{head}");
    }
    // A letter that led here changes nothing.
    let from = server.get("/releases/404-001?from=autumn").await.text();
    assert_eq!(from.split_once("</head>").unwrap().0, head);
    let data = head.split_once(r#"<script type="application/ld+json">"#).unwrap().1;
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["@context"], "https://schema.org");
    let (album, way) = (&data["@graph"][0], &data["@graph"][1]);
    assert_eq!(album["@type"], "MusicAlbum");
    assert_eq!(album["url"], format!("{base}/releases/404-001"));
    assert_eq!(album["numTracks"], 3);
    assert_eq!(
        album["track"],
        json!([
            {"@type": "MusicRecording", "position": "A1", "name": "One", "duration": "PT6M12S"},
            {"@type": "MusicRecording", "position": 2, "name": "Two", "byArtist": {"@type": "MusicGroup", "name": "Ava"}},
            {"@type": "MusicRecording", "position": 3, "name": "Three"},
        ])
    );
    assert_eq!(way["@type"], "BreadcrumbList");
    assert_eq!(
        way["itemListElement"][2],
        json!({"@type": "ListItem", "position": 3, "name": "Signal", "item": format!("{base}/releases/404-001")})
    );
    let view = text.split_once(r#"id="first-view">"#).unwrap().1.split_once("</script>").unwrap().0;
    let view: Value = serde_json::from_str(view).unwrap();
    assert_eq!(view["queries"][2]["url"], "/api/releases/404-001");
    assert_eq!(view["queries"][2]["body"], server.get("/api/releases/404-001").await.json());
    server.release(Release { title: "Bare", ..Release::default() }).await;
    give_slug(&server, "Bare", "bare").await;
    let bare = server.get("/releases/bare").await.text();
    for invented in ["music:release_date", "music:musician", "numTracks", "\"track\"", "og:image"] {
        assert!(!bare.contains(invented), "{invented}");
    }
}

#[apply(on_both_engines!)]
async fn former_addresses_lead_to_the_present_one_for_good(engine: Engine) {
    let server = TestServer::start(engine).await;
    let id = server.release(Release { title: "Moved", ..Release::default() }).await;
    assert_eq!(server.get(&format!("/releases/{id}")).await.status, StatusCode::OK, "before it has a slug");
    for slug in ["first", "second", "third", "present"] {
        give_slug(&server, "Moved", slug).await;
    }
    for former in ["first", "second", "third", &id.to_string()] {
        let answer = server.get(&format!("/releases/{former}?from=x")).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{former}");
        assert_eq!(answer.header("location"), "/releases/present?from=x");
        let answer = server.get(&format!("/api/releases/{former}")).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{former}");
        assert_eq!(answer.header("location"), "/api/releases/present");
    }
    assert_eq!(server.get("/releases/present").await.status, StatusCode::OK);
    let answer = server.get("/releases/present/").await;
    assert_eq!(answer.header("location"), "/releases/present");
    for hidden in ["state = 'draft'", "deleted_at = 1"] {
        server.sql(&format!("UPDATE releases SET {hidden}")).await;
        server.wait_for_changes().await;
        for path in ["first", "present", &id.to_string()] {
            for kind in ["/releases", "/api/releases"] {
                let answer = server.get(&format!("{kind}/{path}")).await;
                assert_eq!(answer.status, StatusCode::NOT_FOUND, "{kind}/{path}, {hidden}");
                assert!(!answer.text().contains("Moved"));
            }
        }
        server.sql("UPDATE releases SET state = 'out', deleted_at = NULL").await;
        server.wait_for_changes().await;
        assert_eq!(server.get("/releases/present").await.status, StatusCode::OK, "back again");
    }
}

#[apply(on_both_engines!)]
async fn unknown_hostile_and_endless_slugs_are_the_404_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let long = "a".repeat(10_000);
    for slug in [
        "nothing",
        "404%2f001",
        "404%5C001",
        "%252e%252e",
        "..%00",
        "%F0%9F%92%BF",
        "%E2%80%8F404-001",
        "404-001%20",
        "%c0%ae%c0%ae",
        "%",
        "A",
        "-",
        "a--b",
        "1%20OR%201=1",
        "%ff",
        "%00",
        "..%2fadmin",
        "%27%3b--",
        "%E2%80%AE",
        &long,
    ] {
        let page = server.get(&format!("/releases/{slug}")).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{slug}");
        assert!(page.header("content-type").starts_with("text/html"), "{slug}");
        assert!(page.text().contains("noindex"));
        let answer = server.get(&format!("/api/releases/{slug}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{slug}");
        assert_eq!(answer.problem(), "not_found");
    }
}

#[apply(on_both_engines!)]
async fn addresses_match_whatever_the_case_of_their_letters(engine: Engine) {
    let server = TestServer::start(engine).await;
    signal(&server).await;
    give_slug(&server, "Signal", "ren-4").await;
    let artist = server.get("/api/artists").await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    let capitals = artist.to_uppercase();
    for (asked, page) in [
        ("/releases/REN-4".to_owned(), "/releases/ren-4".to_owned()),
        ("/releases/Ren-4?utm_source=x".to_owned(), "/releases/ren-4?utm_source=x".to_owned()),
        ("/Releases/REN-4/".to_owned(), "/releases/ren-4".to_owned()),
        ("/api/releases/REN-4".to_owned(), "/api/releases/ren-4".to_owned()),
        (format!("/artists/{capitals}"), format!("/artists/{artist}")),
        (format!("/ARTISTS/{capitals}/"), format!("/artists/{artist}")),
        (format!("/api/artists/{capitals}"), format!("/api/artists/{artist}")),
        ("/Contact".to_owned(), "/contact".to_owned()),
    ] {
        let answer = server.get(&asked).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{asked}");
        assert_eq!(answer.header("location"), page, "{asked}");
        assert_eq!(server.get(&page).await.status, StatusCode::OK, "{page}");
    }
    for path in ["/releases/REN-5", "/api/releases/REN-5", "/artists/NOBODY", "/P/NOTHING"] {
        assert_eq!(server.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[apply(on_both_engines!)]
async fn the_page_is_closed_with_the_releases(engine: Engine) {
    let server = TestServer::start(engine).await;
    signal(&server).await;
    assert_eq!(server.get("/releases/404-001").await.status, StatusCode::OK);
    server
        .sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE WHERE page_key = 'releases'")
        .await;
    server.wait_for_changes().await;
    let page = server.get("/releases/404-001").await;
    assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!page.text().contains("Signal"));
    let oembed = server.get(&format!("/api/oembed?url={}/releases/404-001", server.base)).await;
    assert_eq!(oembed.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[apply(on_both_engines!)]
async fn oembed_describes_how_to_show_a_release(engine: Engine) {
    let server = TestServer::start(engine).await;
    signal(&server).await;
    let base = &server.base;
    let page = server.get("/releases/404-001").await.text();
    let discovered = page.split_once("json+oembed").unwrap().1.split_once("href=\"").unwrap().1;
    let discovered = discovered.split_once('"').unwrap().0.replace("&#38;", "&").replace("&amp;", "&");
    let answer = server.get(discovered.strip_prefix(base).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK);
    let embed = answer.json();
    assert_eq!(embed["version"], "1.0");
    assert_eq!(embed["type"], "link");
    assert_eq!(embed["title"], "Signal by Kesto Vann");
    assert_eq!(embed["author_name"], "Kesto Vann");
    assert_eq!(embed["provider_name"], "404 COLLECTIVE");
    assert_eq!(embed["provider_url"], format!("{base}/"));
    assert!(embed.get("thumbnail_url").is_none(), "its measures are not known");
    give_slug(&server, "Signal", "renamed").await;
    for (query, status) in [
        (format!("url={base}/releases/404-001&maxwidth=10&maxheight=10&theme=dark"), StatusCode::OK),
        (format!("url={base}/releases/renamed/"), StatusCode::OK),
        (format!("url={base}/releases/renamed&format=xml"), StatusCode::NOT_IMPLEMENTED),
        (format!("url={base}/releases/renamed&format=JSON"), StatusCode::OK),
        (format!("url={base}/releases/nothing"), StatusCode::NOT_FOUND),
        (format!("url={base}/artists/1"), StatusCode::NOT_FOUND),
        ("url=https://evil.example/releases/renamed".to_owned(), StatusCode::NOT_FOUND),
        ("url=//x".to_owned(), StatusCode::NOT_FOUND),
        ("url=".to_owned(), StatusCode::NOT_FOUND),
        ("format=json".to_owned(), StatusCode::UNPROCESSABLE_ENTITY),
        (format!("url={base}/releases/renamed&maxwidth=wide&maxheight=-1&maxheight=2"), StatusCode::OK),
        (format!("url={base}/releases/renamed&url=https://evil.example&format="), StatusCode::OK),
        (format!("url={base}/Releases/RENAMED/?utm_source=x%23tracks"), StatusCode::OK),
        (format!("url={}/releases/renamed", base.replace("http:", "https:")), StatusCode::OK),
    ] {
        assert_eq!(server.get(&format!("/api/oembed?{query}")).await.status, status, "{query}");
    }
}

#[apply(on_both_engines!)]
async fn a_thumbnail_fits_what_was_asked_for(engine: Engine) {
    let server = TestServer::start(engine).await;
    signal(&server).await;
    server
        .sql(
            r#"INSERT INTO objects (key, content_type, size_bytes, sha256, width, height, small_key, sizes, created_at) VALUES
            ('releases/1-s.jpg', 'image/jpeg', 3400000, '', 3000, 1500, 'releases/1-s-small.jpg',
             '{"base":"/media/releases/1-s-jpg-1","widths":[320,640,960,1280],"fallback":"jpg","moving":false}', 0)"#,
        )
        .await;
    for (name, bytes) in [
        ("1-s-small", 90_000),
        ("1-s-jpg-1-320", 30_000),
        ("1-s-jpg-1-960", 300_000),
        ("1-s-jpg-1-1280", 600_000),
    ] {
        server
            .sql(&format!(
                "INSERT INTO objects (key, content_type, size_bytes, sha256, created_at)
                VALUES ('releases/{name}.jpg', 'image/jpeg', {bytes}, '', 0)"
            ))
            .await;
    }
    server.sql("UPDATE releases SET cover_image_url = '/media/releases/1-s.jpg'").await;
    server.wait_for_changes().await;
    for (query, width, height, name) in [
        ("", 1280, 640, "1-s-jpg-1-1280.jpg"),
        ("&maxwidth=1279", 960, 480, "1-s-jpg-1-960.jpg"),
        ("&maxwidth=5000&maxheight=200", 320, 160, "1-s-jpg-1-320.jpg"),
    ] {
        let embed =
            server.get(&format!("/api/oembed?url={}/releases/404-001{query}", server.base)).await.json();
        assert_eq!(embed["thumbnail_width"], width, "{query}");
        assert_eq!(embed["thumbnail_height"], height, "{query}");
        assert_eq!(embed["thumbnail_url"], format!("{}/media/releases/{name}", server.base), "{query}");
    }
    let page = server.get("/releases/404-001").await.text();
    for line in [
        format!(r#"<meta property="og:image" content="{}/media/releases/1-s-jpg-1-1280.jpg""#, server.base),
        r#"<meta property="og:image:width" content="1280""#.to_owned(),
        r#"<meta property="og:image:height" content="640""#.to_owned(),
    ] {
        assert!(page.contains(&line), "{line}");
    }
    server.sql("UPDATE objects SET size_bytes = 600001 WHERE key = 'releases/1-s-jpg-1-1280.jpg'").await;
    server.sql("UPDATE releases SET title = 'Signal'").await;
    server.wait_for_changes().await;
    let embed = server.get(&format!("/api/oembed?url={}/releases/404-001", server.base)).await.json();
    assert_eq!(embed["thumbnail_width"], 960, "more than 600 KB are left alone");
    let picture = format!(r#"content="{}/media/releases/1-s-jpg-1-960.jpg""#, server.base);
    for path in ["/releases/404-001", "/releases"] {
        assert!(server.get(path).await.text().contains(&picture), "{path}");
    }
    let embed =
        server.get(&format!("/api/oembed?url={}/releases/404-001&maxwidth=100", server.base)).await.json();
    for name in ["thumbnail_url", "thumbnail_width", "thumbnail_height"] {
        assert!(embed.get(name).is_none(), "{name}");
    }
}
