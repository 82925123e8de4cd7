//! The lists of the dashboard in every order, searched by what they show, narrowed to their states.

use std::{collections::BTreeSet, time::Duration};

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Engine, TestServer, files::picture, people::Browser},
};

/// What a list shows under `field`, read in pages of `limit`.
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

/// In this order, in pages of one and of two rows, and all at once.
async fn is_in_order(desk: &mut Browser, list: &str, field: &str, cases: &[(&str, &[&str])]) {
    for (sort, expected) in cases {
        for limit in [1, 2, 100] {
            let shown = read(desk, &format!("{list}?sort={sort}&"), field, limit).await;
            assert_eq!(&shown, expected, "{list} {sort}, by {limit}");
        }
    }
}

/// How many rows are found by each text, and how many are shown.
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
    server.pass(Duration::from_secs(1));
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
    server.pass(Duration::from_secs(1));
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
    // One character that decomposes into eighteen, and the widest ones that stay as they are.
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
        for query in ["sort=nothing", "sort=", "state=nothing", "state=", "sort=name&sort=name", "order=name"]
        {
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
        // Many of one name: the id alone tells their places apart.
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
async fn artists_and_products_are_found_and_narrowed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (name, featured) in [
        ("🔥 Kesto", true),
        ("50% Off", false),
        ("O'Neill \"Live\"", false),
        ("a_b", false),
        ("Ärzte\\", false),
    ] {
        added(&server, &mut desk, "/api/admin/artists", json!({"name": name, "featured": featured})).await;
    }
    finds(
        &mut desk,
        "/api/admin/artists",
        &[
            ("", 5),
            ("🔥", 1),
            ("%", 1),
            ("_", 1),
            ("\\", 1),
            ("'", 1),
            ("\"", 1),
            ("o'neill", 1),
            ("KESTO", 1),
            ("arzte", 1),
            ("Ä", 5 - 3),
            ("\u{0}", 5),
            ("'; DROP TABLE artists; --", 0),
        ],
    )
    .await;
    states(&mut desk, "/api/admin/artists", "name", &[("featured", &["🔥 Kesto"])]).await;
    is_in_order(
        &mut desk,
        "/api/admin/artists",
        "name",
        &[
            ("name", &["50% Off", "a_b", "Ärzte\\", "🔥 Kesto", "O'Neill \"Live\""]),
            ("-name", &["O'Neill \"Live\"", "🔥 Kesto", "Ärzte\\", "a_b", "50% Off"]),
        ],
    )
    .await;

    let list = "/api/admin/products";
    for (title, category, price, stock, active) in [
        ("Slipmat", "Merch", 12.5, 40, true),
        ("Test Pressing", "Vinyl 12\"", 100.0, 0, true),
        ("Tee 🔥", "Ärmel", 9.99, 7, false),
    ] {
        let body = json!({"title": title, "category": category, "price": price, "stock_quantity": stock, "active": active});
        added(&server, &mut desk, list, body).await;
    }
    finds(&mut desk, list, &[("vinyl", 1), ("12\"", 1), ("Ärmel", 1), ("tee", 1), ("🔥", 1), ("", 3)]).await;
    states(
        &mut desk,
        list,
        "title",
        &[("active", &["Test Pressing", "Slipmat"]), ("inactive", &["Tee 🔥"]), ("featured", &[])],
    )
    .await;
    is_in_order(
        &mut desk,
        list,
        "title",
        &[
            ("-created", &["Tee 🔥", "Test Pressing", "Slipmat"]),
            ("price", &["Tee 🔥", "Slipmat", "Test Pressing"]),
            ("-price", &["Test Pressing", "Slipmat", "Tee 🔥"]),
            ("stock", &["Test Pressing", "Tee 🔥", "Slipmat"]),
            ("-stock", &["Slipmat", "Tee 🔥", "Test Pressing"]),
            ("title", &["Slipmat", "Tee 🔥", "Test Pressing"]),
        ],
    )
    .await;
}

#[apply(on_both_engines!)]
async fn releases_are_found_by_what_they_show(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("🎛 Vänn", None).await;
    for (title, catalog, artist) in
        [("100% \"Raw\"", "DW_Ä1", Some(artist)), ("🔥", "DWX1", None), ("it's", "", None)]
    {
        let body =
            json!({"title": title, "catalog": catalog, "artist_id": artist, "release_date": "2026-01-01"});
        added(&server, &mut desk, "/api/admin/releases", body).await;
    }
    finds(
        &mut desk,
        "/api/admin/releases",
        &[
            ("%", 1),
            ("\"raw\"", 1),
            ("🔥", 1),
            ("🎛", 1),
            ("vann", 1),
            ("DW_", 1),
            ("dw_", 1),
            ("DW_Ä1", 1),
            ("dw", 2),
            ("it's", 1),
            ("Unknown Artist", 2),
            ("nothing", 0),
        ],
    )
    .await;
}

#[apply(on_both_engines!)]
async fn files_are_narrowed_to_what_shows_them(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let list = "/api/admin/media";
    let mut urls = Vec::new();
    for (path, name) in [
        (list, "flyer.png"),
        ("/api/admin/images?folder=releases", "cover.png"),
        ("/api/admin/images?folder=artists", "Porträt 🔥.png"),
    ] {
        server.pass(Duration::from_secs(1));
        let bytes = picture(ImageFormat::Png, 8, 8);
        let file = server.send_file(&desk, (Method::POST, path), (name, &bytes), &[]).await;
        assert!(file.status.is_success(), "{file:?}");
        urls.push(file.json()["url"].as_str().unwrap().to_owned());
    }
    server.sql("UPDATE media_files SET alt_text = 'Käse 100%' WHERE original_name = 'flyer.png'").await;
    finds(
        &mut desk,
        list,
        &[("Käse", 1), ("käse", 1), ("100%", 1), ("%", 1), ("🔥", 1), ("portrat", 1), (".png", 3)],
    )
    .await;
    states(
        &mut desk,
        list,
        "original_name",
        &[
            ("used", &[]),
            ("unused", &["Porträt 🔥.png", "cover.png", "flyer.png"]),
            ("not_public", &["Porträt 🔥.png", "cover.png"]),
        ],
    )
    .await;
    // By either of its addresses.
    let origin = server.app.origin.to_string();
    let release = json!({"title": "x", "release_date": "2026-01-01", "publish": "not_yet", "cover_image_url": format!("{origin}{}", urls[1])});
    let release = added(&server, &mut desk, "/api/admin/releases", release).await;
    added(&server, &mut desk, "/api/admin/artists", json!({"name": "x", "image_url": urls[2]})).await;
    states(
        &mut desk,
        list,
        "original_name",
        &[
            ("used", &["Porträt 🔥.png", "cover.png"]),
            ("unused", &["flyer.png"]),
            ("not_public", &["cover.png"]),
        ],
    )
    .await;
    for row in desk.get(list).await.json()["items"].as_array().unwrap() {
        let is_listed = async |desk: &mut Browser, state: &str| {
            let page = desk.get(&format!("{list}?state={state}")).await.json();
            page["items"].as_array().unwrap().iter().any(|other| other["id"] == row["id"])
        };
        let (used, hidden) = (is_listed(&mut desk, "used").await, is_listed(&mut desk, "not_public").await);
        assert_eq!(used, !row["uses"].as_array().unwrap().is_empty(), "{row}");
        assert_eq!(hidden, !row["is_public"].as_bool().unwrap(), "{row}");
    }
    // Whoever came in with a draft is no more public than it.
    server.sql("UPDATE artists SET is_public = FALSE").await;
    states(&mut desk, list, "original_name", &[("not_public", &["Porträt 🔥.png", "cover.png"])]).await;
    for row in desk.get(list).await.json()["items"].as_array().unwrap() {
        assert_eq!(row["is_public"], row["original_name"] == "flyer.png", "{row}");
    }
    let path = format!("/api/admin/releases/{}", release["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    states(&mut desk, list, "original_name", &[("used", &["Porträt 🔥.png"])]).await;
    is_in_order(
        &mut desk,
        list,
        "original_name",
        &[
            ("name", &["cover.png", "flyer.png", "Porträt 🔥.png"]),
            ("-name", &["Porträt 🔥.png", "flyer.png", "cover.png"]),
            ("created", &["flyer.png", "cover.png", "Porträt 🔥.png"]),
        ],
    )
    .await;
    let smallest = read(&mut desk, &format!("{list}?sort=size&"), "original_name", 1).await;
    let mut largest = read(&mut desk, &format!("{list}?sort=-size&"), "original_name", 1).await;
    largest.reverse();
    assert_eq!(smallest, largest);
}

#[apply(on_both_engines!)]
async fn demos_and_subscriptions_are_found_sorted_and_narrowed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (number, (artist, email, name, kind, size, message)) in [
        ("Ärzte", "zoe@x.example", "mix (final).mp3", "audio/mpeg", 300, "Zwei Stücke 🔥"),
        ("beta", "a_b@x.example", "Album.zip", "application/zip", 900, "100%"),
        ("Alva", "mira@x.example", "take.wav", "audio/wav", 600, ""),
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("demos/179500000000{number}_0badcafe_X.bin");
        let id = Uuid::from_u128(number as u128 + 1);
        let id = if engine == Engine::Sqlite { format!("X'{}'", id.simple()) } else { format!("'{id}'") };
        server.sql(&format!("INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('{key}', '{kind}', {size}, '', 1)")).await;
        server.sql(&format!("INSERT INTO demos (id, file_key, artist_name, email, message, original_name, submitted_at) VALUES ({id}, '{key}', '{artist}', '{email}', '{message}', '{name}', {number})")).await;
    }
    let list = "/api/admin/demos";
    finds(
        &mut desk,
        list,
        &[
            ("Ärzte", 1),
            ("ALVA", 1),
            ("A_B@", 1),
            ("_", 3),
            ("(FINAL)", 1),
            ("🔥", 1),
            ("%", 1),
            ("0badcafe", 3),
            ("demos/", 0),
            ("zip", 1),
        ],
    )
    .await;
    states(&mut desk, list, "artist_name", &[("sound", &["Alva", "Ärzte"]), ("archive", &["beta"])]).await;
    is_in_order(
        &mut desk,
        list,
        "artist_name",
        &[
            ("-submitted", &["Alva", "beta", "Ärzte"]),
            ("submitted", &["Ärzte", "beta", "Alva"]),
            ("file", &["beta", "Ärzte", "Alva"]),
            ("-file", &["Alva", "Ärzte", "beta"]),
            ("size", &["Ärzte", "Alva", "beta"]),
            ("-size", &["beta", "Alva", "Ärzte"]),
            ("artist", &["Alva", "beta", "Ärzte"]),
            ("-artist", &["Ärzte", "beta", "Alva"]),
        ],
    )
    .await;

    let list = "/api/admin/newsletter";
    for email in ["zoe@x.example", "a_b@x.example", "axb@x.example"] {
        server.pass(Duration::from_secs(1));
        let answer = server.browser().post("/api/newsletter", json!({"subscriber_email": email})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    server.sql("UPDATE newsletter_subscriptions SET active = FALSE WHERE email = 'axb@x.example'").await;
    finds(&mut desk, list, &[("A_B", 1), ("%", 0), ("x.example", 3), ("🔥", 0), ("'", 0)]).await;
    states(
        &mut desk,
        list,
        "email",
        &[("active", &["a_b@x.example", "zoe@x.example"]), ("inactive", &["axb@x.example"])],
    )
    .await;
    is_in_order(
        &mut desk,
        list,
        "email",
        &[
            ("-subscribed", &["axb@x.example", "a_b@x.example", "zoe@x.example"]),
            ("subscribed", &["zoe@x.example", "a_b@x.example", "axb@x.example"]),
            ("email", &["a_b@x.example", "axb@x.example", "zoe@x.example"]),
            ("-email", &["zoe@x.example", "axb@x.example", "a_b@x.example"]),
        ],
    )
    .await;
    let narrowed = desk.get(&format!("{list}?state=inactive")).await.json();
    assert_eq!((&narrowed["total"], &narrowed["active_count"]), (&json!(1), &json!(2)));
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
