//! Release search: titles, artists and catalogue numbers of public releases only.

use deadwax_paint::{Bounds, Painter};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

async fn found_by(server: &TestServer, q: &str) -> Vec<String> {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("q", q).finish();
    let answer = server.get(&format!("/api/releases?{query}")).await;
    assert_eq!(answer.status, 200, "{q}: {answer:?}");
    titles(&answer.json())
}

fn titles(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

async fn made(desk: &mut Browser, list: &str, row: Value) -> Value {
    let answer = desk.post_another(&format!("/api/admin/{list}"), row).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

async fn changed(desk: &mut Browser, list: &str, seen: &Value, row: Value) {
    let path = format!("/api/admin/{list}/{}", seen["id"].as_str().unwrap());
    desk.headers = vec![("if-match".to_owned(), format!("\"{}\"", seen["version"]))];
    let answer = desk.put(&path, row).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[apply(on_both_engines!)]
async fn title_artist_and_number_are_found_whatever_their_case_and_accents(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = made(&mut desk, "artists", json!({"name": "Żółć & Ørsted"})).await;
    let id = &artist["id"];
    for (title, date, catalog, artist_id) in [
        ("Über Äther", "2024-03-01", "DW-404.1", id),
        ("50% Off_beat", "2023-03-01", "dw-405", &Value::Null),
        ("!!!", "2022-03-01", "É-1", &Value::Null),
    ] {
        let row = json!({"title": title, "release_date": date, "catalog": catalog, "artist_id": artist_id});
        made(&mut desk, "releases", row).await;
    }
    let (first, second, third) = (vec!["Über Äther"], vec!["50% Off_beat"], vec!["!!!"]);
    for (q, found) in [
        ("uber", &first),
        ("ÜBER äth", &first),
        ("zolc", &first),
        ("orsted", &first),
        ("dw-404", &first),
        ("404.1", &first),
        ("  Dw-405 ", &second),
        ("off_beat", &second),
        ("!!!", &third),
        ("É-1", &third),
    ] {
        assert_eq!(&found_by(&server, q).await, found, "{q}");
    }
    assert_eq!(found_by(&server, "dw-40").await, ["Über Äther", "50% Off_beat"], "in the order of the list");
    assert_eq!(found_by(&server, " ").await.len(), 3, "nothing is searched for");
    for none in ["%", "_", "\\", "zzz", "uber zolc", "dw_404", "a\0b"] {
        assert_eq!(found_by(&server, none).await, Vec::<String>::new(), "{none:?}");
    }
    let of_artist = format!("/api/releases?q=dw-40&artist_id={}", id.as_str().unwrap());
    assert_eq!(titles(&server.get(&of_artist).await.json()), first);
    let long = server.get(&format!("/api/releases?q={}", "a".repeat(201))).await;
    assert_eq!(long.status, 422);
    assert_eq!(long.json()["fields"]["q"], "The search must have at most 200 characters.");
}

#[apply(on_both_engines!)]
async fn what_is_found_follows_every_change(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = made(&mut desk, "artists", json!({"name": "Before"})).await;
    let row = |title: &str, publish: &str| json!({"title": title, "release_date": "2024-01-01", "artist_id": artist["id"], "publish": publish});
    let release = made(&mut desk, "releases", row("Signal", "now")).await;
    made(&mut desk, "releases", row("Signal draft", "not_yet")).await;
    assert_eq!(found_by(&server, "signal").await, ["Signal"]);
    changed(&mut desk, "artists", &artist, json!({"name": "Afterwards"})).await;
    assert_eq!(found_by(&server, "before").await, Vec::<String>::new());
    assert_eq!(found_by(&server, "afterwards").await, ["Signal"]);
    changed(&mut desk, "releases", &release, row("Carrier", "now")).await;
    assert_eq!(found_by(&server, "carrier").await, ["Carrier"]);
    assert_eq!(found_by(&server, "signal").await, Vec::<String>::new());

    let artist_path = format!("/api/admin/artists/{}", artist["id"].as_str().unwrap());
    assert!(desk.delete(&artist_path).await.status.is_success());
    assert_eq!(
        found_by(&server, "afterwards").await,
        Vec::<String>::new(),
        "an artist in the trash has no name"
    );
    let restore = format!("/api/admin/trash/artist/{}/restore", artist["id"].as_str().unwrap());
    assert!(desk.post(&restore, json!({})).await.status.is_success());
    assert_eq!(found_by(&server, "afterwards").await, ["Carrier"]);

    let path = format!("/api/admin/releases/{}", release["id"].as_str().unwrap());
    assert!(desk.delete(&path).await.status.is_success());
    assert_eq!(found_by(&server, "carrier").await, Vec::<String>::new());
    let restore = format!("/api/admin/trash/release/{}/restore", release["id"].as_str().unwrap());
    assert!(desk.post(&restore, json!({})).await.status.is_success());
    assert_eq!(found_by(&server, "carrier").await, ["Carrier"]);
}

#[apply(on_both_engines!)]
async fn pages_of_what_is_found_join_and_none_is_kept(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for number in 0..9 {
        let date = format!("2024-01-0{}", number / 3 + 1);
        let title = if number == 5 { "Other".to_owned() } else { format!("Same {}", number % 2) };
        made(&mut desk, "releases", json!({"title": title, "release_date": date})).await;
    }
    server.sql("UPDATE releases SET release_date = NULL WHERE release_date = '2024-01-03'").await;
    server.wait_for_changes().await;
    let all = server.get("/api/releases?q=same").await.json();
    let (mut joined, mut path) = (Vec::new(), "/api/releases?q=same&limit=3".to_owned());
    loop {
        let page = server.get(&path).await.json();
        joined.extend(page["items"].as_array().unwrap().clone());
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/releases?q=same&limit=3&cursor={cursor}");
    }
    assert_eq!(joined.len(), 8);
    assert_eq!(Value::from(joined), all["items"]);
    assert!(server.app.responses.get("/api/releases?q=same").is_none(), "as many as visitors think of");
    let first = server.get("/api/releases?q=same").await;
    let etag = first.header("etag").to_owned();
    assert_eq!(server.get_with("/api/releases?q=same", &[("if-none-match", &etag)]).await.status, 304);
}

/// Paints its address and the number of its answers.
const ADDRESS: &str = r#"
    export async function paint(address, firstView) {
        return `<main>painted ${encodeURI(address)} ${JSON.parse(firstView).queries.map((query) => encodeURI(query.url)).join(" ")}</main>`;
    }"#;

#[apply(on_both_engines!)]
async fn the_page_of_a_search_is_painted_when_there_is_time_and_never_indexed_or_kept(engine: Engine) {
    let server = TestServer::start_prepared(
        engine,
        |settings| settings.paints = true,
        |_, app| {
            let bounds = Bounds {
                patience: std::time::Duration::from_secs(20),
                page: std::time::Duration::from_secs(20),
                ..Bounds::default()
            };
            app.painter = Painter::new(ADDRESS, bounds);
        },
    )
    .await;
    let mut desk = server.desk().await;
    made(&mut desk, "releases", json!({"title": "Äther <b>", "release_date": "2024-01-01"})).await;
    server.wait_for_changes().await;
    let page = server.get("/releases?q=%C3%A4ther+%3Cb%3E").await.text();
    assert!(page.contains("painted /releases?q="), "{page}");
    assert!(page.contains("/api/releases?limit=50&q=%C3%A4ther%20%3Cb%3E"), "{page}");
    assert!(page.contains(r#"<meta name="robots" content="noindex" />"#), "{page}");
    assert!(!page.contains("rel=\"canonical\""), "{page}");
    assert!(server.app.responses.get("/releases?q=%C3%A4ther+%3Cb%3E").is_none());
    let quoted = server.get("/releases?q=%22404%22").await.text();
    assert!(quoted.contains("/api/releases?limit=50&q=%22404%22"), "{quoted}");
    for plain in ["/releases?q=", "/releases?q=+", &format!("/releases?q={}", "a".repeat(201))] {
        let page = server.get(plain).await.text();
        assert!(page.contains("rel=\"canonical\""), "{plain} searches for nothing: {page}");
    }
}
