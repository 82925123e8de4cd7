//! Pages painted on the server: which ones, with which data, and the fallback when painting fails.

use std::time::{Duration, Instant};

use deadwax_paint::{Bounds, Painter};
use macro_rules_attribute::apply;
use reqwest::StatusCode;

use super::{first_view, title};
use crate::{
    on_both_engines,
    support::{self, Answer, Engine, Release, TestServer, log::logged},
};

/// Paints all texts of the first view, escaped as React does.
const TEXTS: &str = r#"
    const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
    export async function paint(address, firstView) {
        const texts = [];
        const walk = (value) => {
            if (typeof value === "string") texts.push(escape(value));
            else if (value && typeof value === "object") Object.values(value).forEach(walk);
        };
        JSON.parse(firstView).queries.forEach((query) => walk(query.body));
        return `<main data-at="${escape(address)}">${texts.join(" ")}</main>`;
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

async fn start(engine: Engine, source: &'static str, bounds: Bounds) -> TestServer {
    TestServer::start_prepared(
        engine,
        |settings| settings.paints = true,
        |_, app| app.painter = Painter::new(source, bounds),
    )
    .await
}

/// The painted content of a page.
fn painted(page: &Answer) -> Option<String> {
    let text = page.text();
    assert_eq!(text.matches("id=\"root\"").count(), 1);
    let (_, root) = text.split_once("<div id=\"root\" data-painted>")?;
    let (inside, _) = root.split_once("<script type=\"application/json\" id=\"first-view\">")?;
    Some(inside.to_owned())
}

async fn until_painted(server: &TestServer, path: &str) -> String {
    let started = Instant::now();
    loop {
        if let Some(inside) = painted(&server.get(path).await) {
            return inside;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{path} stays unpainted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[apply(on_both_engines!)]
async fn public_pages_are_painted_and_no_others(engine: Engine) {
    let server = start(engine, TEXTS, PATIENT).await;
    let artist = server.artist("Anna & Ben", Some("Plays <loud>.")).await;
    server.release(Release { title: "First Cut", artist: Some(artist), ..Release::default() }).await;
    let artist = format!("/artists/{artist}");
    for (path, address, texts) in [
        ("/", "/", vec![]),
        ("/releases", "/releases", vec!["First Cut", "Anna &#38; Ben"]),
        ("/releases?utm_source=x", "/releases", vec!["First Cut"]),
        ("/artists", "/artists", vec!["Plays &#60;loud&#62;."]),
        (&artist, &artist, vec!["First Cut", "Anna &#38; Ben"]),
        ("/store", "/store", vec![]),
        ("/terminal", "/terminal", vec![]),
        ("/contact", "/contact", vec![]),
        ("/privacy-policy", "/privacy-policy", vec!["privacy_policy"]),
        ("/signup", "/signup", vec![]),
        ("/nothing", "/404", vec![]),
        ("/artists/nobody", "/artists/404", vec![]),
        ("/artists/0193e7a0-0000-7000-8000-000000000001", "/artists/404", vec![]),
        ("/releases/nothing", "/releases/-", vec![]),
        ("/releases/%F0%9F%92%BF", "/releases/-", vec![]),
        ("/p/nothing", "/releases/-", vec![]),
        ("/demos/nothing", "/404", vec![]),
    ] {
        let page = server.get(path).await;
        let inside = painted(&page).unwrap_or_else(|| panic!("{path}"));
        assert!(inside.starts_with(&format!("<main data-at=\"{address}\">")), "{path}: {inside}");
        for text in texts {
            assert!(inside.contains(text), "{path}: {text}: {inside}");
        }
        assert_eq!(first_view(&page)["label_name"], "404 COLLECTIVE", "{path}");
    }
    for path in
        ["/profile", "/auth/callback", "/auth/welcome", "/auth/signup-success", "/admin", "/admin/login"]
    {
        let page = server.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(painted(&page), None, "{path}");
    }
    server.sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE").await;
    server.wait_for_changes().await;
    for path in ["/", "/releases", &artist, "/store", "/terminal"] {
        let page = server.get(path).await;
        assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert!(!painted(&page).unwrap().contains("First Cut"), "{path}");
    }
    for (path, address) in [("/releases/anything", "/releases/-"), (&artist, "/artists/404")] {
        let notice = painted(&server.get(path).await).unwrap();
        assert!(notice.starts_with(&format!("<main data-at=\"{address}\">")), "one for all: {notice}");
    }
}

#[apply(on_both_engines!)]
async fn a_list_goes_on_where_its_address_says(engine: Engine) {
    let server = start(engine, TEXTS, PATIENT).await;
    server.insert_releases(60, None).await;
    server.wait_for_changes().await;
    for (path, api) in [("/releases", "/api/releases?limit=50"), ("/artists", "/api/artists?limit=50")] {
        let cursor = server.get(api).await.json()["next_cursor"].as_str().map(ToOwned::to_owned);
        assert_eq!(cursor.is_some(), path == "/releases");
        let first = server.get(path).await.text();
        assert_eq!(first.contains("rel=\"next\""), cursor.is_some());
        let Some(cursor) = cursor else { continue };
        let next = format!("{path}?cursor={cursor}");
        assert!(first.contains(&format!("<link rel=\"next\" href=\"{}{next}\"", server.base)));
        let page = server.get(&format!("{next}&utm_source=x")).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(painted(&page).unwrap().contains(&format!("data-at=\"{next}\"")));
        assert!(page.text().contains(&format!("rel=\"canonical\" href=\"{}{next}\"", server.base)));
        assert!(!page.text().contains("rel=\"next\""));
        let view = first_view(&page);
        let list = &view["queries"][2];
        assert_eq!(list["url"], format!("{api}&cursor={cursor}"));
        assert_eq!(list["body"], server.get(list["url"].as_str().unwrap()).await.json());
        assert_eq!(list["body"]["items"].as_array().unwrap().len(), 10);
        assert_eq!(title(&page), "Releases — 404 COLLECTIVE");
    }
    for wrong in ["x", "", "../", "%00", "W1sxXSwiMCJd", &"A".repeat(5000)] {
        for path in ["/releases", "/artists"] {
            let page = server.get(&format!("{path}?cursor={wrong}")).await;
            assert_eq!(page.status, StatusCode::TEMPORARY_REDIRECT, "{wrong}");
            assert_eq!(page.header("location"), path, "{wrong}");
        }
    }
    let search = server.get("/releases?q=Sable+%26+co&cursor=x").await;
    assert_eq!(search.status, StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(search.header("location"), "/releases?q=Sable+%26+co", "it keeps what was looked for");
}

#[apply(on_both_engines!)]
async fn an_engine_that_fails_leaves_pages_as_they_were(engine: Engine) {
    let time = Duration::from_millis(100);
    let short = Bounds { page: time, background: time, ..PATIENT };
    for source in [
        "export async function paint() { throw new Error('on purpose'); }",
        "export async function paint() { for (;;); }",
        "export async function paint() { return 7; }",
        "throw new Error('cannot be loaded');",
    ] {
        let server = start(engine, source, short).await;
        server.release(Release { title: "First Cut", ..Release::default() }).await;
        for _ in 0..3 {
            for path in ["/", "/releases", "/store"] {
                let page = server.get(path).await;
                assert_eq!(page.status, StatusCode::OK, "{path}");
                assert_eq!(painted(&page), None, "{path}");
            }
        }
        assert!(server.get("/releases").await.text().contains("First Cut"), "the first view is there");
        assert_eq!(server.get("/nothing").await.status, StatusCode::NOT_FOUND);
    }
}

#[apply(on_both_engines!)]
async fn what_a_visitor_searches_for_is_not_in_the_log(engine: Engine) {
    let (log, _guard) = logged("info");
    let source = "export async function paint() { throw new Error('on purpose'); }";
    let server = start(engine, source, PATIENT).await;
    assert_eq!(painted(&server.get("/releases?q=canary").await), None);
    assert!(log.text().contains("not painted"), "{}", log.text());
    assert!(!log.text().contains("canary"), "{}", log.text());
}

#[apply(on_both_engines!)]
async fn a_search_that_finds_the_engine_busy_is_logged_without_its_words(engine: Engine) {
    let (log, _guard) = logged("info");
    let off = TestServer::start(engine).await;
    assert_eq!(painted(&off.get("/releases?q=canary").await), None);
    assert!(!log.text().contains("not painted"), "{}", log.text());
    let server = start(engine, TEXTS, Bounds { burst: Duration::ZERO, ..PATIENT }).await;
    assert_eq!(painted(&server.get("/releases?q=canary").await), None);
    let skipped: Vec<_> = log.lines().into_iter().filter(|line| line["message"] == "not painted").collect();
    assert_eq!(skipped.len(), 1, "{}", log.text());
    assert_eq!(skipped[0]["address"], "/releases");
    assert_eq!(skipped[0]["cause"], "the engine has too much to do");
}

#[apply(on_both_engines!)]
async fn a_page_that_was_late_is_painted_when_there_is_time(engine: Engine) {
    // The first page takes longer than a request waits, as on a busy machine.
    let source = "let count = 0; export async function paint(address) {
        if (count++ === 0) for (const end = Date.now() + 4000; Date.now() < end;);
        return '<p>' + address + '</p>';
    }";
    let bounds = Bounds { patience: Duration::from_millis(100), ..PATIENT };
    let server = start(engine, source, bounds).await;
    let started = Instant::now();
    assert_eq!(painted(&server.get("/releases").await), None);
    assert!(started.elapsed() < Duration::from_millis(3900), "nobody waits for it");
    let kept = server.get("/releases").await;
    assert_eq!(painted(&kept), None);
    assert!(until_painted(&server, "/releases").await.starts_with("<p>/releases</p>"));
    assert_ne!(server.get("/releases").await.header("etag"), kept.header("etag"));
}

#[apply(on_both_engines!)]
async fn a_page_that_takes_longer_than_anybody_waits_is_painted_for_the_next(engine: Engine) {
    let source = "export async function paint(address) {
        for (const end = Date.now() + 300; Date.now() < end;);
        return '<p>' + address + '</p>';
    }";
    let time = Duration::from_millis(100);
    let server = start(engine, source, Bounds { page: time, patience: time, ..PATIENT }).await;
    for path in ["/", "/releases"] {
        assert_eq!(painted(&server.get(path).await), None);
        assert!(until_painted(&server, path).await.starts_with(&format!("<p>{path}</p>")));
    }
}

#[apply(on_both_engines!)]
async fn a_storm_of_changes_is_not_painted_but_what_it_leaves_is(engine: Engine) {
    let slow = "export async function paint(address, firstView) {
        for (const end = Date.now() + 50; Date.now() < end;);
        return '<p>' + JSON.parse(firstView).queries[2].body.items.map((item) => item.title) + '</p>';
    }";
    // Four paintings, then one every two seconds, so that even a change on a busy machine needs fewer.
    let bounds = Bounds { burst: Duration::from_millis(200), earned_in: 40, ..PATIENT };
    let server = start(engine, slow, bounds).await;
    let mut unpainted = 0;
    for number in 0..20 {
        let title = format!("Cut {number}.");
        server.release(Release { title: &title, ..Release::default() }).await;
        let page = server.get("/releases").await;
        assert!(first_view(&page)["queries"][2]["body"].to_string().contains(&title), "{number}");
        unpainted += usize::from(painted(&page).is_none());
    }
    assert!(unpainted > 0);
    let inside = until_painted(&server, "/releases").await;
    assert!(inside.contains("Cut 0.") && inside.contains("Cut 19."), "{inside}");
}

#[tokio::test]
async fn nothing_is_painted_when_it_is_turned_off() {
    let server = TestServer::start_with(Engine::Sqlite, |settings| settings.paints = false).await;
    for path in ["/", "/releases", "/nothing"] {
        assert_eq!(painted(&server.get(path).await), None, "{path}");
    }
}

/// Uses the web app's own painting code.
#[apply(on_both_engines!)]
async fn the_apps_own_pages_carry_the_catalogue(engine: Engine) {
    let server = start(engine, support::paint_source(), PATIENT).await;
    let hostile = "</script></div><img src=x onerror=alert(1)>\"'&<!--";
    let artist = server.artist(hostile, Some(hostile)).await;
    server
        .release(Release {
            title: hostile,
            description: Some(hostile),
            artist: Some(artist),
            ..Release::default()
        })
        .await;
    server.release(Release { title: "First Cut", ..Release::default() }).await;
    let artist = format!("/artists/{artist}");
    for (path, text) in [
        ("/", "404 COLLECTIVE"),
        ("/releases", "First Cut"),
        ("/artists", "onerror"),
        (&artist, "onerror"),
        ("/store", "STORE"),
        ("/terminal", "TERMINAL"),
        ("/contact", "CONTACT"),
        ("/privacy-policy", "PRIVACY POLICY"),
        ("/signup", "SIGN"),
        ("/nothing", "Return to Home"),
        ("/artists/nobody", "ARTIST NOT FOUND"),
        ("/releases/nothing", "RETURN TO RELEASES"),
        ("/p/nothing", "RETURN TO RELEASES"),
        ("/demos/nothing", "Return to Home"),
    ] {
        let page = server.get(path).await;
        let inside = painted(&page).unwrap_or_else(|| panic!("{path}"));
        assert!(inside.to_uppercase().contains(&text.to_uppercase()), "{path}: {inside}");
        assert!(!page.text().contains("<img src=x"), "{path}");
        assert!(!page.text().contains("onerror=alert(1)>\""), "{path}");
        assert!(!inside.contains(" style=\""), "{path}: a policy that allows no inline style stops it");
        assert!(!inside.contains("<script"), "{path}");
    }
    let found = painted(&server.get("/releases?q=first+c").await).unwrap();
    assert_eq!(found.matches("<article").count(), 1, "{found}");
    assert!(found.contains("First Cut") && found.contains("value=\"first c\""), "{found}");
}

#[apply(on_both_engines!)]
async fn the_app_goes_on_where_a_lists_address_says(engine: Engine) {
    let server = start(engine, support::paint_source(), PATIENT).await;
    server.insert_releases(60, None).await;
    server.wait_for_changes().await;
    let first = server.get("/api/releases?limit=50").await.json();
    let next = format!("/releases?cursor={}", first["next_cursor"].as_str().unwrap());
    let inside = painted(&server.get("/releases").await).unwrap();
    assert!(inside.contains(&format!("href=\"{next}\"")), "a way on without scripts");
    let rest = server.get(&next).await;
    let inside = painted(&rest).unwrap();
    let titles = first_view(&rest)["queries"][2]["body"]["items"].clone();
    assert_eq!(titles.as_array().unwrap().len(), 10);
    for release in titles.as_array().unwrap() {
        assert!(inside.contains(release["title"].as_str().unwrap()), "{release}");
    }
    assert!(!inside.contains(first["items"][0]["title"].as_str().unwrap()));
}

#[apply(on_both_engines!)]
async fn the_home_pages_data_states_that_it_has_no_picture(engine: Engine) {
    let server = TestServer::start(engine).await;
    let view = first_view(&server.get("/").await);
    let hero = view["queries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|query| query["url"] == "/api/site-images/hero_background");
    assert_eq!(hero.map(|hero| &hero["body"]), Some(&serde_json::Value::Null), "{view}");
}
