//! Searching and filtering lists.

use std::time::Duration;

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use super::{added, finds, is_in_order, read, states};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, files::picture, people::Browser},
};

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
    finds(
        &mut desk,
        list,
        &[
            ("vinyl", 1),
            ("12\"", 1),
            ("Ärmel", 1),
            ("ÄRMEL", 1),
            ("armel", 1),
            ("tee", 1),
            ("🔥", 1),
            ("", 3),
        ],
    )
    .await;
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
            ("w-1", 0),
            ("", 3),
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
        server.advance(Duration::from_secs(1));
        let bytes = picture(ImageFormat::Png, 8, 8);
        let file = server.send_file(&desk, (Method::POST, path), (name, &bytes), &[]).await;
        assert!(file.status.is_success(), "{file:?}");
        urls.push(file.json()["url"].as_str().unwrap().to_owned());
    }
    server
        .sql("UPDATE media_files SET alt_text = 'Käse 100%', search_key = '' WHERE original_name = 'flyer.png'")
        .await;
    assert_eq!(deadwax::editing::search_keys::give_missing(&server.app.db).await.unwrap(), 1);
    finds(
        &mut desk,
        list,
        &[
            ("Käse", 1),
            ("KÄSE", 1),
            ("kase", 1),
            ("käse", 1),
            ("100%", 1),
            ("%", 1),
            ("🔥", 1),
            ("portrat", 1),
            (".png", 3),
        ],
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
    // Absolute and relative addresses of the file are both found.
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
    // An artist created with a draft is not public either.
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
    finds(&mut desk, list, &[("zte", 0)]).await;
    let give_missing = async || deadwax::editing::search_keys::give_missing(&server.app.db).await.unwrap();
    assert_eq!((give_missing().await, give_missing().await), (6, 0), "as a start does: two keys each");
    finds(
        &mut desk,
        list,
        &[
            ("Ärzte", 1),
            ("ÄRZTE", 1),
            ("arzte", 1),
            ("STÜCKE", 1),
            ("stucke 🔥", 1),
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
            ("artist", &["Alva", "Ärzte", "beta"]),
            ("-artist", &["beta", "Ärzte", "Alva"]),
        ],
    )
    .await;

    let list = "/api/admin/newsletter";
    for email in ["zoe@x.example", "a_b@x.example", "axb@x.example"] {
        server.advance(Duration::from_secs(1));
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
