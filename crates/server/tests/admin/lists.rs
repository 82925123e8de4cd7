//! The dashboard's lists in every order and page by page, and bulk moves of their rows.

mod narrowed;

use std::{collections::BTreeSet, time::Duration};

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

/// The values of `field` in a list read in pages of `limit`.
async fn read(desk: &mut Browser, address: &str, field: &str, limit: usize) -> Vec<String> {
    let (mut shown, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let after = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let answer = desk.get(&format!("{address}limit={limit}{after}")).await;
        assert_eq!(answer.status, 200, "{address}: {answer:?}");
        let page = answer.json();
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= limit);
        shown.extend(items.iter().map(|row| row[field].as_str().unwrap_or("-").to_owned()));
        assert!(page["total"].as_u64().unwrap() >= items.len() as u64);
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return shown,
        }
    }
}

/// Checks the order of a list in pages of one and two rows, and in one page.
async fn is_in_order(desk: &mut Browser, list: &str, field: &str, cases: &[(&str, &[&str])]) {
    for (sort, expected) in cases {
        for limit in [1, 2, 100] {
            let shown = read(desk, &format!("{list}?sort={sort}&"), field, limit).await;
            assert_eq!(&shown, expected, "{list} {sort}, by {limit}");
        }
    }
}

/// Checks how many rows each search finds, and that it shows them.
async fn finds(desk: &mut Browser, list: &str, cases: &[(&str, usize)]) {
    for (q, found) in cases {
        let address = reqwest::Url::parse_with_params("http://x.example", [("q", q)]).unwrap();
        let page = desk.get(&format!("{list}?{}", address.query().unwrap())).await.json();
        let shown = page["items"].as_array().unwrap().len();
        assert_eq!((&page["total"], shown), (&json!(found), *found), "{list} {q}: {page}");
    }
}

async fn states(desk: &mut Browser, list: &str, field: &str, cases: &[(&str, &[&str])]) {
    for (state, expected) in cases {
        let shown = read(desk, &format!("{list}?state={state}&"), field, 2).await;
        assert_eq!(&shown, expected, "{list} {state}");
        let page = desk.get(&format!("{list}?state={state}")).await.json();
        assert_eq!(page["total"], expected.len(), "{list} {state}");
    }
}

async fn added(server: &TestServer, desk: &mut Browser, list: &str, body: Value) -> Value {
    server.advance(Duration::from_secs(1));
    let answer = desk.post_another(list, body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

#[apply(on_both_engines!)]
async fn releases_come_in_every_order(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let list = "/api/admin/releases";
    let [zoe, arzte] = [server.artist("Zoe", None).await, server.artist("Ärzte", None).await];
    for (title, catalog, artist, date, publish) in [
        ("Échos", Some("dw-002"), Some(zoe), "2026-03-01", "now"),
        ("beta", None, None, "2026-01-01", "not_yet"),
        ("Alva", Some("DW-001"), Some(arzte), "2026-02-01", "now"),
        ("beta", Some("DW-003"), Some(zoe), "2026-01-01", "on_date"),
    ] {
        let body = json!({"title": title, "catalog": catalog, "artist_id": artist, "release_date": date, "publish": publish,
            "goes_out_at": (publish == "on_date").then_some("2027-01-01T00:00:00Z")});
        added(&server, &mut desk, list, body).await;
    }
    server.advance(Duration::from_secs(1));
    let first = desk.get(&format!("{list}?sort=created")).await.json()["items"][0].clone();
    let path = format!("{list}/{}", first["id"].as_str().unwrap());
    let body = json!({"title": "Échos", "catalog": "dw-002", "artist_id": zoe, "release_date": "2026-03-01"});
    assert_eq!(desk.edit(&path, 1, body).await.status, 200);

    is_in_order(
        &mut desk,
        list,
        "catalog",
        &[
            ("-created", &["DW-003", "DW-001", "-", "dw-002"]),
            ("created", &["dw-002", "-", "DW-001", "DW-003"]),
            ("catalog", &["DW-001", "dw-002", "DW-003", "-"]),
            ("-catalog", &["-", "DW-003", "dw-002", "DW-001"]),
            ("title", &["DW-001", "-", "DW-003", "dw-002"]),
            ("-title", &["dw-002", "DW-003", "-", "DW-001"]),
            ("artist", &["DW-001", "-", "dw-002", "DW-003"]),
            ("date", &["-", "DW-003", "DW-001", "dw-002"]),
            ("-date", &["dw-002", "DW-001", "DW-003", "-"]),
            ("-changed", &["dw-002", "DW-003", "DW-001", "-"]),
        ],
    )
    .await;
    states(
        &mut desk,
        list,
        "title",
        &[("draft", &["beta"]), ("scheduled", &["beta"]), ("out", &["Alva", "Échos"])],
    )
    .await;
    let both = desk.get(&format!("{list}?state=out&q=alv&sort=title")).await.json();
    assert_eq!((&both["total"], &both["items"][0]["title"]), (&json!(1), &json!("Alva")));
}

#[apply(on_both_engines!)]
async fn the_longest_titles_are_paged_like_others(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    // One character that decomposes into eighteen, and the widest that do not decompose.
    let titles = ["\u{fdfa}".repeat(200), "\u{20000}".repeat(200), "\u{fdfa}".repeat(199)];
    for title in &titles {
        added(
            &server,
            &mut desk,
            "/api/admin/releases",
            json!({"title": title, "release_date": "2026-07-18"}),
        )
        .await;
    }
    for sort in ["title", "-title"] {
        let shown = read(&mut desk, &format!("/api/admin/releases?sort={sort}&"), "title", 1).await;
        let shown: BTreeSet<&str> = shown.iter().map(String::as_str).collect();
        assert_eq!(shown, titles.iter().map(String::as_str).collect(), "{sort}");
    }
    let mut cursor = String::new();
    for page in 1..=3 {
        let answer = server.get(&format!("/api/releases?limit=1{cursor}")).await;
        assert_eq!(answer.status, 200, "page {page}: {answer:?}");
        let next = answer.json()["next_cursor"].as_str().map(str::to_owned);
        assert_eq!(next.is_some(), page < 3);
        cursor = next.map(|next| format!("&cursor={next}")).unwrap_or_default();
    }
}

#[apply(on_both_engines!)]
async fn a_place_is_one_of_its_order_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for name in ["a", "b", "c"] {
        added(&server, &mut desk, "/api/admin/artists", json!({"name": name})).await;
    }
    let page = desk.get("/api/admin/artists?limit=1&sort=name").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let same = desk.get(&format!("/api/admin/artists?limit=1&sort=name&cursor={cursor}")).await;
    assert_eq!(same.json()["items"][0]["name"], "b");
    for other in ["", "&sort=-name", "&sort=created", "&sort=-changed"] {
        let answer = desk.get(&format!("/api/admin/artists?limit=1&cursor={cursor}{other}")).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (422, "invalid_cursor".to_owned()), "{other}");
    }
    for list in ["artists", "releases", "products", "media", "demos", "newsletter"] {
        for query in ["sort=", "state=", "sort=name&sort=name", "order=name"] {
            let answer = desk.get(&format!("/api/admin/{list}?{query}")).await;
            assert_eq!(
                (answer.status.as_u16(), answer.problem()),
                (422, "invalid_query".to_owned()),
                "{list} {query}"
            );
        }
        let path = format!("/api/admin/{list}?sort=-created&state=active");
        assert_eq!(server.get(&path).await.status, 401, "{list}");
    }
    for address in ["artist-choices?sort=name", "trash?kind=artist&sort=name"] {
        assert_eq!(desk.get(&format!("/api/admin/{address}")).await.status, 422, "{address}");
    }
}

#[apply(on_both_engines!)]
async fn rows_that_come_and_go_neither_repeat_nor_skip_others(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let list = "/api/admin/artists";
    for number in 0..20 {
        // Many rows share a name, so that only the id orders them.
        added(&server, &mut desk, list, json!({"name": format!("n{}", number % 3)})).await;
    }
    for sort in ["name", "-name", "created", "-created", "-changed"] {
        let (mut seen, mut cursor, mut pages) = (BTreeSet::new(), None::<String>, 0);
        loop {
            let after = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let page = desk.get(&format!("{list}?sort={sort}&limit=3{after}")).await.json();
            for row in page["items"].as_array().unwrap() {
                assert!(seen.insert(row["id"].as_str().unwrap().to_owned()), "{sort}: twice");
            }
            pages += 1;
            if pages == 3 {
                let last =
                    page["items"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
                assert_eq!(desk.delete(&format!("{list}/{last}")).await.status, 204);
                added(&server, &mut desk, list, json!({"name": "n1"})).await;
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        assert!(seen.len() >= 20, "{sort}: {}", seen.len());
    }
}

#[apply(on_both_engines!)]
async fn several_rows_are_moved_to_the_trash_and_back_at_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        ids.push(added(&server, &mut desk, "/api/admin/artists", json!({"name": name})).await["id"].clone());
    }
    let body = |ids: &[Value]| json!({"kind": "artist", "ids": ids});
    let moved = desk.post("/api/admin/trash", body(&ids[..2])).await;
    assert_eq!((moved.status.as_u16(), &moved.json()["ids"]), (200, &json!(ids[..2])));
    assert_eq!(read(&mut desk, "/api/admin/artists?", "name", 2).await, ["c"]);

    let back = "/api/admin/trash/restore";
    let restored = desk.post(back, body(&ids)).await;
    assert_eq!(
        (restored.status.as_u16(), &restored.json()["ids"]),
        (200, &json!(ids[..2])),
        "what is not there is left out"
    );
    assert_eq!(read(&mut desk, "/api/admin/artists?sort=name&", "name", 2).await, ["a", "b", "c"]);
    assert_eq!(desk.post(back, body(&ids)).await.json()["ids"], json!([]), "a second click changes nothing");
    assert_eq!(server.count("audit_log WHERE event = 'data_restore' AND target LIKE 'artist:%'").await, 2);

    let many: Vec<Value> = (0..101).map(|_| json!(Uuid::now_v7())).collect();
    for ids in [&[][..], &many] {
        let answer = desk.post(back, body(ids)).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (422, "invalid_body".to_owned()));
    }
    assert_eq!(desk.post(back, json!({"kind": "nothing", "ids": ids})).await.status, 422);
    assert_eq!(server.browser().post(back, body(&ids)).await.status, 401);
}
