//! Crawls everything a visitor or member can open, with drafts, scheduled, privately shared and deleted rows in the database,
//! and checks that nothing of those rows appears.

use std::{collections::BTreeSet, time::Duration};

use deadwax_paint::{Bounds, Painter};
use futures_util::StreamExt as _;
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{self, Engine, RECEIVE_TIMEOUT, TestServer, files::picture, people::Browser},
};

/// Part of every hidden text, and of no request.
const SECRET: &str = "qxhidden";

/// Paints all texts of the first view.
const TEXTS: &str = r#"
    export async function paint(address, firstView) {
        const texts = [];
        const walk = (value) => {
            if (typeof value === "string") texts.push(value.replace(/[&<>"']/g, " "));
            else if (value && typeof value === "object") Object.values(value).forEach(walk);
        };
        JSON.parse(firstView).queries.forEach((query) => walk(query.body));
        return `<main>${texts.join(" ")}</main>`;
    }"#;

/// Unlimited painting, whatever the load of the machine.
const PATIENT: Bounds = Bounds {
    memory: 48 << 20,
    page: Duration::from_secs(20),
    background: Duration::from_secs(20),
    patience: Duration::from_secs(20),
    queue: 8,
    idle: Duration::from_mins(1),
    failures: 3,
    burst: Duration::from_mins(5),
    earned_in: 1,
};

/// Words and addresses that must not appear anywhere.
#[derive(Default)]
struct Hidden {
    words: Vec<String>,
    pages: Vec<String>,
    files: Vec<String>,
}

impl Hidden {
    fn add(&mut self, row: &Value) {
        let id = row["id"].as_str().unwrap();
        self.words.push(id.to_owned());
        self.words.push(id.replace('-', ""));
    }

    fn add_file(&mut self, url: &Value) {
        let url = url.as_str().unwrap().to_owned();
        self.words.push(url.rsplit('/').next().unwrap().to_owned());
        self.files.push(url);
    }

    fn is_not_in(&self, text: &str, at: &str) {
        let text = text.to_lowercase();
        for word in &self.words {
            if let Some(place) = text.find(word.as_str()) {
                let around: String = text[place.saturating_sub(80)..].chars().take(200).collect();
                panic!("{at} holds {word}: {around}");
            }
        }
    }
}

async fn uploaded(server: &TestServer, desk: &Browser, path: &str) -> Value {
    let file = picture(ImageFormat::Png, 8, 8);
    let answer = server.send_file(desk, (Method::POST, path), ("qxhidden.png", &file), &[]).await;
    assert!(answer.status.is_success(), "{answer:?}");
    answer.json()
}

async fn made(desk: &mut Browser, list: &str, row: Value) -> Value {
    let answer = desk.post(&format!("/api/admin/{list}"), row).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

/// A label whose public part is one artist and two releases: one by her, and one by an artist in the trash.
async fn label(server: &TestServer, desk: &mut Browser) -> Hidden {
    let mut hidden = Hidden { words: vec![SECRET.to_owned()], ..Hidden::default() };
    let seen = made(desk, "artists", json!({"name": "Plain Artist"})).await;
    let portrait = uploaded(server, desk, "/api/admin/images?folder=artists").await;
    hidden.add_file(&portrait["url"]);
    let artist = json!({"name": "Leakword Qxhidden", "bio": "qxhidden bio", "image_url": portrait["url"]});
    let artist = made(desk, "artists", artist).await;
    for (title, artist) in [("Plain Release", &seen), ("Plain Orphan", &artist)] {
        made(
            desk,
            "releases",
            json!({"title": title, "release_date": "2026-07-18", "artist_id": artist["id"]}),
        )
        .await;
    }
    for kind in ["draft", "scheduled", "private", "deleted"] {
        let cover = uploaded(server, desk, "/api/admin/images?folder=releases").await;
        hidden.add_file(&cover["url"]);
        let row = json!({"title": format!("Leakword Qxhidden {kind}"), "release_date": "2026-07-18",
            "catalog": format!("QXHIDDEN {kind}"), "artist_id": seen["id"], "cover_image_url": cover["url"],
            "description": "A qxhidden text.\nCATALOG: QXHIDDEN", "spotify_url": "https://open.spotify.com/album/qxhidden"});
        let row = made(desk, "releases", row).await;
        hidden.add(&row);
        let (id, slug) = (row["id"].as_str().unwrap(), format!("qxhidden-{kind}"));
        for last in [id, &slug] {
            hidden.pages.push(format!("/releases/{last}"));
            hidden.pages.push(format!("/api/releases/{last}"));
            hidden.pages.push(format!("/api/oembed?url={}/releases/{last}", server.base));
        }
        let id = server.id_literal(id.parse().unwrap());
        let details = r#"tracks = '[{"title":"qxhidden track"}]', credits = '[{"role":"qxhidden","name":"qxhidden"}]', format = 'qxhidden'"#;
        let state = match kind {
            "scheduled" => "state = 'scheduled', goes_out_at = 9000000000000000",
            "deleted" => "deleted_at = 1795176000000000",
            _ => "state = 'draft'",
        };
        server.sql(&format!("UPDATE releases SET {details}, {state} WHERE id = {id}")).await;
        if kind == "private" {
            let bytes = if server.database_url().is_some() { r"'\x01'" } else { "x'01'" };
            server.sql(&format!("INSERT INTO private_links (release_id, token_hash, sealed, created_at, created_by) VALUES ({id}, {bytes}, {bytes}, 1, {id})")).await;
        }
    }
    // An artist created with a draft is not public either.
    let artist_of_draft = imported_draft(server, desk).await;
    hidden.add(&artist_of_draft);
    let medium = uploaded(server, desk, "/api/admin/media").await;
    let product = json!({"title": "Leakword Qxhidden", "price": 20, "stock_quantity": 1});
    let product = made(desk, "products", product).await;
    for (list, row) in [("artists", &artist), ("media", &medium), ("products", &product)] {
        hidden.add(row);
        let path = format!("/api/admin/{list}/{}", row["id"].as_str().unwrap());
        let answer = desk.delete(&path).await;
        assert!(answer.status.is_success(), "{answer:?}");
    }
    hidden.add_file(&medium["url"]);
    for path in ["/artists", "/api/artists"] {
        for artist in [&artist, &artist_of_draft] {
            hidden.pages.push(format!("{path}/{}", artist["id"].as_str().unwrap()));
        }
    }
    server.wait_for_changes().await;
    let drafts = desk.get("/api/admin/releases").await.text();
    assert!(drafts.to_lowercase().contains(SECRET), "admins read them: {drafts}");
    hidden
}

/// Imports a draft, and returns the artist created for it.
async fn imported_draft(server: &TestServer, desk: &mut Browser) -> Value {
    let table = "title,artist,date\nLeakword Qxhidden import,Leakword Qxhidden of a draft,2026-07-18\n";
    let fields = [("as_drafts", "true")];
    let call = (Method::POST, "/api/admin/imports");
    let answer = server.send_file(desk, call, ("t.csv", table.as_bytes()), &fields).await;
    assert!(answer.status.is_success(), "{answer:?}");
    let artists = desk.get("/api/admin/artists?q=of%20a%20draft").await.json();
    assert_eq!(artists["items"][0]["is_public"], false, "{artists}");
    artists["items"][0].clone()
}

/// Addresses of this website in a text.
fn named(text: &str, base: &str) -> Vec<String> {
    text.split(['"', '\'', '<', '>', ' ', '\n', '(', ')', '\\'])
        .map(|part| part.strip_prefix(base).unwrap_or(part))
        .filter(|part| part.starts_with('/') && !part.starts_with("//") && part.len() < 300)
        .filter(|part| !part.starts_with("/assets/") && !part.contains(['{', '}', '`', '$', '*']))
        .map(|part| part.replace("&amp;", "&"))
        .collect()
}

/// Requests everything reachable.
async fn crawl(server: &TestServer, browser: &mut Browser, hidden: &Hidden) -> BTreeSet<String> {
    let contract = server.get("/api/openapi.json").await.json();
    let mut ahead: Vec<String> = contract["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, item)| !item["get"].is_null() && !path.contains('{') && *path != "/api/events")
        .map(|(path, _)| path.clone())
        .collect();
    assert!(ahead.iter().any(|path| path == "/api/admin/releases"));
    let fixed = "/ /releases /artists /store /terminal /contact /privacy-policy /imprint /signup /profile /admin /404 /feed.xml /sitemap.xml \
        /robots.txt /site.webmanifest /releases?q=leakword /api/releases?q=leakword /api/releases?limit=100 /api/artists?limit=100";
    ahead.extend(fixed.split_whitespace().map(str::to_owned));
    let mut seen = BTreeSet::new();
    while let Some(path) = ahead.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        assert!(seen.len() < 400, "the website has no end: {seen:?}");
        let answer = browser.get(&path).await;
        assert!(!answer.status.is_server_error(), "{path}: {answer:?}");
        let text = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.bytes));
        hidden.is_not_in(&text, &path);
        let kind = answer.header("content-type");
        if ["html", "xml", "json"].iter().any(|known| kind.contains(known)) && path != "/api/openapi.json" {
            ahead.extend(named(&text, &server.base));
        }
    }
    seen
}

#[apply(on_both_engines!)]
async fn hidden_rows_appear_nowhere(engine: Engine) {
    crawls_without_finding_hidden_rows(engine, TEXTS).await;
}

/// Uses the web app's own painting code, which shows less of a first view and adds more around it.
#[apply(on_both_engines!)]
async fn hidden_rows_do_not_appear_in_the_apps_own_pages(engine: Engine) {
    crawls_without_finding_hidden_rows(engine, support::paint_source()).await;
}

async fn crawls_without_finding_hidden_rows(engine: Engine, source: &'static str) {
    let server = TestServer::start_prepared(
        engine,
        |settings| settings.paints = true,
        |_, app| app.painter = Painter::new(source, PATIENT),
    )
    .await;
    let mut desk = server.desk().await;
    let hidden = label(&server, &mut desk).await;
    let member = server.person("member").await;
    for mut browser in [server.browser(), server.signed_in(&member).await] {
        let seen = crawl(&server, &mut browser, &hidden).await;
        for known in ["/", "/releases", "/feed.xml", "/sitemap.xml", "/api/releases"] {
            assert!(seen.contains(known), "{known} was read");
        }
        assert!(seen.iter().any(|path| path.starts_with("/artists/")), "links are followed: {seen:?}");
        for path in hidden.pages.iter().chain(&hidden.files) {
            let answer = browser.get(path).await;
            assert_eq!(answer.status, 404, "{path}: {answer:?}");
            // A page contains its own address.
            let text = String::from_utf8_lossy(&answer.bytes).replace(path.as_str(), "");
            assert!(!text.to_lowercase().contains("leakword"), "{path}: {text}");
        }
        for question in [
            "releases",
            "artists",
            "latest",
            "release leakword",
            "artist leakword",
            "leakword",
            "how many releases",
            "releases of plain artist",
            "artist plain artist",
            "releases 2026",
            "first release",
            "what is new?",
            "store",
        ] {
            let answer = browser.post("/api/terminal", json!({"message": question})).await;
            assert_eq!(answer.status, 200, "{question}: {answer:?}");
            hidden.is_not_in(&answer.text(), question);
            server.advance(Duration::from_mins(1));
        }
    }
    assert_eq!(server.get("/api/releases").await.json()["items"].as_array().unwrap().len(), 2);
    let painted = server.get("/releases").await.text();
    assert!(painted.contains("data-painted") && painted.contains("Plain Release"), "{painted}");
}

#[apply(on_both_engines!)]
async fn streams_of_visitors_tell_nothing_of_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let hidden = label(&server, &mut desk).await;
    let member = server.person("member").await;
    let live = &server.app.live;
    let after = live.position(live.last_for(deadwax_store::live::Audience::Visitors));
    for table in ["artists", "releases", "store_products", "media_files"] {
        let hidden = if table == "releases" {
            "state <> 'out' OR deleted_at IS NOT NULL"
        } else {
            "deleted_at IS NOT NULL"
        };
        server.sql(&format!("UPDATE {table} SET created_at = created_at + 1 WHERE {hidden}")).await;
    }
    server.sql("DELETE FROM releases WHERE deleted_at IS NOT NULL").await;
    let marker = server.artist("Marker", None).await.to_string();
    for browser in [server.browser(), server.signed_in(&member).await] {
        let cookies: Vec<String> =
            browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = server.client.get(format!("{}/api/events?after={after}", server.base));
        let mut stream = request.header("cookie", cookies.join("; ")).send().await.unwrap().bytes_stream();
        let mut text = String::new();
        let reading = async {
            while !text.contains(&marker) {
                text += std::str::from_utf8(&stream.next().await.unwrap().unwrap()).unwrap();
            }
        };
        tokio::time::timeout(RECEIVE_TIMEOUT, reading).await.expect("the marker comes");
        hidden.is_not_in(&text, "the stream");
        assert_eq!(text.matches("event: change").count(), 1, "{text}");
    }
}
