//! The table formats an import accepts.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use super::{PATH, PREVIEW, imported, previewed, send, verdicts};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

#[apply(on_both_engines!)]
async fn columns_can_be_chosen(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let table = "Name,Was,Title\nwrong,2019-03-12,right\n";
    let columns = r#"[null,"release_date","title"]"#;
    let preview = previewed(&server, &desk, table, &[("columns", columns)]).await;
    assert_eq!(
        (&preview["rows"][0]["title"], &preview["rows"][0]["verdict"]),
        (&json!("right"), &json!("add"))
    );
    let none = previewed(&server, &desk, table, &[("columns", "[null,null,null]")]).await;
    assert_eq!(none["refusal"], "Please say which column is the title");
    for columns in [r#"["title"]"#, r#"["title","title",null]"#, r#"["price",null,null]"#, "no"] {
        let refused = send(&server, &desk, PREVIEW, table, &[("columns", columns)]).await;
        assert_eq!(
            (refused.status.as_u16(), refused.problem()),
            (422, "import_columns".to_owned()),
            "{columns}"
        );
    }
}

#[apply(on_both_engines!)]
async fn what_is_no_table_is_refused_in_words(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    for (bytes, code) in [
        (&b""[..], "import_empty"),
        (b"title\n", "import_empty"),
        (b"PK\x03\x04\x14\0\x06\0xl/workbook.xml", "import_not_text"),
        (b"title,date\nA,2020-01-01,\"open\nB,2020-01-02\n", "import_quote_open"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "import_not_text"),
    ] {
        let answer = server.send_file(&desk, (Method::POST, PREVIEW), ("a.csv", bytes), &[]).await;
        assert_eq!((answer.status.as_u16(), answer.problem()), (422, code.to_owned()), "{answer:?}");
    }
    let large = vec![b'x'; 16 * 1_048_576 + 1];
    let answer = server.send_file(&desk, (Method::POST, PREVIEW), ("a.csv", &large), &[]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.problem()),
        (413, "import_too_large".to_owned()),
        "{answer:?}"
    );
}

#[apply(on_both_engines!)]
async fn a_quotation_mark_that_takes_the_rows_below_along_is_named_with_its_line(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let table = "title,date,description\nA,2020-01-01,x\nB,2020-01-02,\"open\nC,2020-01-03,y\n";
    for path in [PREVIEW, PATH] {
        let answer = send(&server, &desk, path, table, &[]).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["detail"]),
            (422, &json!("A cell begins with a quotation mark and does not end with one (line 3)")),
            "{path}"
        );
    }
    assert_eq!(server.count("releases").await, 0);
}

/// The bounds are generous: a preview takes half a second and an import two, but this is a debug build on a busy machine.
#[apply(on_both_engines!)]
async fn ten_thousand_rows_are_a_matter_of_seconds(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut table = "Catalog#,Artist,Title,Released,Notes,Bandcamp\n".to_owned();
    for number in 0..10_000 {
        use std::fmt::Write as _;
        writeln!(
            table,
            "DW-{number:05},Artist {},\"Title {number}, the long one\",{}-03-12,{},https://label.bandcamp.com/album/{number}",
            number % 2_000,
            1990 + number % 30,
            "words ".repeat(60)
        )
        .unwrap();
    }
    let clock = std::time::Instant::now();
    let preview = previewed(&server, &desk, &table, &[]).await;
    let looked = clock.elapsed();
    assert_eq!(
        (&preview["counts"]["add"], &preview["counts"]["new_artists"]),
        (&json!(10_000), &json!(2_000))
    );
    let import = imported(&server, &desk, &table, &[]).await;
    let wrote = clock.elapsed() - looked;
    let undone = desk.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(undone.json()["undone"], 12_000, "{undone:?}");
    assert!(looked.as_secs() < 30 && wrote.as_secs() < 60, "preview {looked:?}, import {wrote:?}");
}

#[apply(on_both_engines!)]
async fn format_tracks_and_credits_come_back_as_they_were(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({
        "title": "Signal", "release_date": "2019-03-12", "format": "=12\" \u{1f39b}, 180 g",
        "tracks": [
            {"title": "=1+1", "artist": "+Mira \"M\" Holm", "duration_seconds": 372},
            {"title": "A / B 6:12"},
            {"title": "@\u{1f39b}, \\o/ \"cut\"", "duration_seconds": 3603},
            {"title": "- 6:12", "artist": "X / Y 1:00"},
        ],
        "credits": [{"role": "-Mix: live", "name": "=SUM(A1) \\"}, {"role": "Artwork", "name": "B: C \u{1f39b}"}],
    });
    let added = desk.post("/api/admin/releases", body).await;
    assert_eq!(added.status, 201, "{added:?}");
    let added = added.json();
    let table = desk.get("/api/admin/exports/releases.csv").await.text();
    let preview = previewed(&server, &desk, &table, &[]).await;
    assert_eq!(verdicts(&preview), ["unchanged"], "{preview}");

    // Into an empty catalogue, with the line breaks of a spreadsheet.
    let other = TestServer::start(engine).await;
    let mut there = other.desk().await;
    imported(&other, &there, &table.replace("\r\n", "\n").replace('\n', "\r\n"), &[]).await;
    let path = format!("/api/admin/releases/{}", added["id"].as_str().unwrap());
    let row = there.get(&path).await.json();
    for field in ["title", "format", "tracks", "credits"] {
        assert_eq!(row[field], added[field], "{field}");
    }

    // An added column updates the row, foreign headers are recognised, and undo restores the previous values.
    let changed = "id,Tracklist,Credits\n".to_owned()
        + &format!("{},\"New one 1:00\nOther\",Mastering: Ana Vo\n", added["id"].as_str().unwrap());
    let import = imported(&other, &there, &changed, &[]).await;
    let row = there.get(&path).await.json();
    assert_eq!(
        (&row["tracks"][0]["title"], &row["tracks"][1]["title"]),
        (&json!("New one"), &json!("Other"))
    );
    assert_eq!((&row["credits"][0]["name"], &row["format"]), (&json!("Ana Vo"), &added["format"]));
    there.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await;
    let row = there.get(&path).await.json();
    for field in ["title", "format", "tracks", "credits"] {
        assert_eq!(row[field], added[field], "{field}");
    }

    let broken = "title,date,tracks,credits\nSignal,2019-01-01,\"A\nB < C\",Ana Vo\n";
    let preview = previewed(&server, &desk, broken, &[]).await;
    assert_eq!(
        preview["rows"][0]["problems"],
        json!({
            "credits": "Write each credit on a separate line, as Role: Name; at most 200",
            "tracks[1].title": "Invalid characters",
        })
    );
}

/// The sample label's export imports into an empty label, including releases without a date, artist or cover.
#[apply(on_both_engines!)]
async fn the_sample_catalogue_comes_back_as_it_was(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    deadwax::sample::load::load(&server.app.db, &server.app.storage, &server.app.clock).await.unwrap();
    let table = desk.get("/api/admin/exports/releases.csv").await.text();
    let other = TestServer::start(engine).await;
    let mut there = other.desk().await;
    imported(&other, &there, &table, &[]).await;
    let rows = async |desk: &mut Browser| {
        let page = desk.get("/api/admin/releases?limit=100&sort=title").await.json();
        let mut rows = page["items"].clone();
        for row in rows.as_array_mut().unwrap() {
            row["artist"] = row["artist"]["name"].take();
            for made_anew in ["artist_id", "created_at", "updated_at", "image_small_url", "image_sizes"] {
                row[made_anew] = json!(null);
            }
        }
        rows
    };
    let (before, after) = (rows(&mut desk).await, rows(&mut there).await);
    assert!(before.as_array().unwrap().iter().any(|row| row["release_date"].is_null()));
    assert_eq!(before, after);
    assert_eq!(there.get("/api/admin/exports/releases.csv").await.text(), table);
}
