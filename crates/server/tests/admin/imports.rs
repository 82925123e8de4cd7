use deadwax_store::db::{Begun, Tx};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer, people::Browser},
};

const PATH: &str = "/api/admin/imports";
const PREVIEW: &str = "/api/admin/imports/preview";

async fn send(
    server: &TestServer,
    desk: &Browser,
    path: &str,
    table: &str,
    texts: &[(&str, &str)],
) -> Answer {
    server.send_file(desk, (Method::POST, path), ("catalogue.csv", table.as_bytes()), texts).await
}

async fn previewed(server: &TestServer, desk: &Browser, table: &str, texts: &[(&str, &str)]) -> Value {
    let answer = send(server, desk, PREVIEW, table, texts).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn imported(server: &TestServer, desk: &Browser, table: &str, texts: &[(&str, &str)]) -> Value {
    let answer = send(server, desk, PATH, table, texts).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

fn verdicts(preview: &Value) -> Vec<&str> {
    preview["rows"].as_array().unwrap().iter().map(|row| row["verdict"].as_str().unwrap()).collect()
}

const FOREIGN: &str = "Catalog#,Artist,Title,Label,Released,release_id\n\
    404-001,Mira Holm,Signal,404,2019-03-12,77\n\
    404-002,kesto  vann,\"Dead, Air\",404,12 Mar 2020,78\n\
    ,,Nobody's,404,2021-01-02,79\n";

#[apply(on_both_engines!)]
async fn a_foreign_table_is_looked_at_imported_and_undone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let kesto = server.artist("Kesto Vann", None).await;
    let preview = previewed(&server, &desk, FOREIGN, &[]).await;
    let fields: Vec<&Value> =
        preview["columns"].as_array().unwrap().iter().map(|column| &column["field"]).collect();
    assert_eq!(json!(fields), json!(["catalog", "artist", "title", null, "release_date", null]));
    assert_eq!(verdicts(&preview), ["add", "add", "add"]);
    assert_eq!((&preview["counts"]["new_artists"], &preview["refusal"]), (&json!(1), &json!(null)));
    assert_eq!(preview["rows"][0]["artist_is_new"], true);
    assert_eq!(preview["rows"][1]["release_date"], "2020-03-12");
    assert_eq!(server.count("releases").await, 0, "a preview writes nothing");

    let import = imported(&server, &desk, FOREIGN, &[]).await;
    assert_eq!(
        (&import["added"], &import["artists"], &import["can_be_undone"]),
        (&json!(3), &json!(1), &json!(true))
    );
    server.caught_up().await;
    let shown = server.get("/api/releases").await.json();
    assert_eq!(shown["items"][0]["title"], "Nobody's");
    assert_eq!(shown["items"][1]["slug"], "404-002", "{shown}");
    assert_eq!(shown["items"][1]["artist"], json!({"id": kesto, "name": "Kesto Vann"}));
    let again = previewed(&server, &desk, FOREIGN, &[]).await;
    assert_eq!(
        (&again["rows"][0]["repeats_number"], &again["counts"]["new_artists"]),
        (&json!(true), &json!(0))
    );

    assert_eq!(desk.get(PATH).await.json()["items"][0], import);
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    let undone = desk.post(&undo, json!({})).await;
    assert_eq!((undone.status.as_u16(), undone.json()), (200, json!({"undone": 4, "left": []})));
    assert_eq!((server.count("releases").await, server.count("artists").await), (0, 1));
    assert_eq!(server.count("slugs").await, 3, "an address that was public is nobody else's");
    assert_eq!(server.count("versions").await, 0, "what is gone has no history");
    let twice = desk.post(&undo, json!({})).await;
    assert_eq!((twice.status.as_u16(), twice.problem()), (409, "import_already_undone".to_owned()));
}

#[apply(on_both_engines!)]
async fn an_own_export_changes_what_is_there(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Mira Holm", None).await;
    for title in ["=1+1", "Signal", "Old"] {
        let body = json!({"title": title, "artist_id": artist, "release_date": "2019-03-12", "description": "As\nit was"});
        assert_eq!(desk.post("/api/admin/releases", body).await.status, 201);
    }
    server.sql("UPDATE releases SET release_date = NULL WHERE title = 'Old'").await;
    let table = desk.get("/api/admin/exports/releases.csv").await.text();
    let preview = previewed(&server, &desk, &table, &[]).await;
    assert_eq!(verdicts(&preview), ["unchanged", "unchanged", "unchanged"], "{preview}");
    let nothing = send(&server, &desk, PATH, &table, &[]).await;
    assert_eq!((nothing.status.as_u16(), nothing.problem()), (422, "import_nothing".to_owned()));

    let edited = table
        .replace("Signal", "Signal II")
        .replace("As\nit was", "Anew")
        .replace("Mira Holm", "Somebody Else");
    let import =
        imported(&server, &desk, &edited.replace(",Old,", ",,"), &[("leave_out_refused", "true")]).await;
    assert_eq!((&import["added"], &import["changed"]), (&json!(0), &json!(2)));
    let list = desk.get("/api/admin/releases?q=signal").await.json();
    let row = &list["items"][0];
    assert_eq!(
        (&row["title"], &row["description"], &row["version"]),
        (&json!("Signal II"), &json!("Anew"), &json!(2))
    );
    assert_eq!(row["artist"]["name"], "Somebody Else");

    // One that is edited since is left.
    let path = format!("/api/admin/releases/{}", row["id"].as_str().unwrap());
    assert_eq!(desk.edit(&path, 2, json!({"title": "Mine", "release_date": "2019-03-12"})).await.status, 200);
    let undone =
        desk.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await.json();
    assert_eq!(undone["undone"], 2, "the other release and the artist: {undone}");
    assert_eq!((&undone["left"][0]["name"], undone["left"].as_array().unwrap().len()), (&json!("Mine"), 1));
    let list = desk.get("/api/admin/releases?q=11").await.json();
    assert_eq!(
        (&list["items"][0]["title"], &list["items"][0]["description"]),
        (&json!("=1+1"), &json!("As\nit was"))
    );
    assert_eq!(list["items"][0]["artist"]["name"], "Mira Holm");
}

#[apply(on_both_engines!)]
async fn broken_rows_stop_all_of_it_unless_they_are_left_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let table = "Title;Date;Spotify\nGood;2020-01-01;\n;2020-01-01;\nToo;2020-02-30;not an address\n\"Shifted\";2020-01-01;;x\n";
    let preview = previewed(&server, &desk, table, &[]).await;
    assert_eq!(verdicts(&preview), ["add", "refused", "refused", "refused"]);
    assert_eq!(preview["rows"][1]["problems"], json!({"title": "Title is required"}));
    assert_eq!(preview["rows"][2]["problems"]["release_date"], "Please enter a valid release date");
    assert_eq!((&preview["rows"][2]["line"], &preview["counts"]["refused"]), (&json!(4), &json!(3)));
    let refused = send(&server, &desk, PATH, table, &[]).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (422, "import_refused".to_owned()));
    assert_eq!((server.count("releases").await, server.count("imports").await), (0, 0));
    imported(&server, &desk, table, &[("leave_out_refused", "true")]).await;
    assert_eq!(server.count("releases").await, 1);
}

#[apply(on_both_engines!)]
async fn a_year_alone_is_asked_about_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let table = "Title\tYear\nOne\t1999\nTwo\t2001-05-06\nThree\t2003\n";
    let preview = previewed(&server, &desk, table, &[]).await;
    assert_eq!(verdicts(&preview), ["asks_for_day", "add", "asks_for_day"]);
    let refused = send(&server, &desk, PATH, table, &[]).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (422, "import_days_missing".to_owned()));
    let left_out = previewed(&server, &desk, table, &[("year_alone", "leave_out")]).await;
    assert_eq!(verdicts(&left_out), ["left_out", "add", "left_out"]);
    imported(&server, &desk, table, &[("year_alone", "last_day"), ("as_drafts", "true")]).await;
    assert_eq!(server.count("releases WHERE release_date = '1999-12-31' AND state = 'draft'").await, 1);
    assert_eq!(server.count("releases WHERE state = 'draft'").await, 3);
}

#[apply(on_both_engines!)]
async fn an_artist_is_as_public_as_their_releases(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    imported(&server, &desk, "title,artist,date\nThree,Ada Roe,2019-03-12\n", &[]).await;
    let table = "title,artist,date\nOne,Mira Holm,2019-03-12\nTwo,Kesto Vann,2019-03-12\n";
    imported(&server, &desk, table, &[("as_drafts", "true")]).await;
    let public = async || {
        let artists = server.get("/api/artists").await.json();
        let names =
            artists["items"].as_array().unwrap().iter().map(|artist| artist["name"].as_str().unwrap());
        names.collect::<Vec<_>>().join(", ")
    };
    let told =
        async |of: &str| server.count(&format!("events WHERE table_name = '{of}' AND op = 'insert'")).await;
    assert_eq!(public().await, "Ada Roe");
    assert_eq!((told("artists").await, told("unpublished_artists").await), (1, 3));

    // Given out, taken back, and given another artist: what has been public once stays it.
    for (title, of, publish, expected) in [
        ("One", "One", "now", "Ada Roe, Mira Holm"),
        ("One", "One", "not_yet", "Ada Roe, Mira Holm"),
        ("Three", "Two", "now", "Ada Roe, Kesto Vann, Mira Holm"),
    ] {
        let releases = desk.get("/api/admin/releases").await.json();
        let named = |title: &str| {
            let found =
                releases["items"].as_array().unwrap().iter().find(|release| release["title"] == title);
            found.unwrap().clone()
        };
        let (release, artist_id) = (named(title), named(of)["artist"]["id"].clone());
        let form =
            json!({"title": title, "artist_id": artist_id, "release_date": "2019-03-12", "publish": publish});
        let path = format!("/api/admin/releases/{}", release["id"].as_str().unwrap());
        let saved = desk.edit(&path, release["version"].as_i64().unwrap(), form).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        assert_eq!(public().await, expected, "{title} {publish}");
    }
    assert_eq!(told("artists").await, 3);
}

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
async fn rows_name_releases_that_can_be_changed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    let (there, gone) = (server.release(release("There")).await, server.release(release("Gone")).await);
    server.sql("UPDATE releases SET deleted_at = 1 WHERE title = 'Gone'").await;
    let new = uuid::Uuid::now_v7();
    let table = format!(
        "id,title,release_date\n{there},There II,2019-01-01\n{there},Again,2019-01-01\n{gone},Gone II,2019-01-01\n77,No,2019-01-01\n{new},New,2019-01-01\n"
    );
    let preview = previewed(&server, &desk, &table, &[]).await;
    assert_eq!(verdicts(&preview), ["change", "refused", "refused", "refused", "add"]);
    let why: Vec<&Value> =
        preview["rows"].as_array().unwrap().iter().map(|row| &row["problems"]["id"]).collect();
    assert_eq!(why[1], "Another row of this file has the same id");
    assert_eq!(why[2], "This release is in the trash");
    assert_eq!(why[3], "This is no id of a release");
    imported(&server, &desk, &table, &[("leave_out_refused", "true")]).await;
    assert_eq!(
        server.count(&format!("releases WHERE id = {}", server.id_literal(new))).await,
        1,
        "keeps its id"
    );
}

fn release(title: &str) -> crate::support::Release<'_> {
    crate::support::Release { title, date: Some("2019-01-01"), ..Default::default() }
}

#[apply(on_both_engines!)]
async fn what_is_no_table_is_refused_in_words(engine: Engine) {
    let server = TestServer::start(engine).await;
    let desk = server.desk().await;
    for (bytes, code) in [
        (&b""[..], "import_empty"),
        (b"title\n", "import_empty"),
        (b"title\nM\xfcller\n", "import_not_text"),
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
async fn a_day_later_it_stays(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let import = imported(&server, &desk, FOREIGN, &[]).await;
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    server.sql("UPDATE imports SET created_at = created_at - 86400000000").await;
    assert_eq!(desk.get(PATH).await.json()["items"][0]["can_be_undone"], false);
    let late = desk.post(&undo, json!({})).await;
    assert_eq!((late.status.as_u16(), late.problem()), (409, "import_undo_too_late".to_owned()), "{late:?}");
    let unknown = format!("{PATH}/{}/undo", uuid::Uuid::now_v7());
    assert_eq!(desk.post(&unknown, json!({})).await.status, 404);
}

#[apply(on_both_engines!)]
async fn releases_exchange_their_numbers(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut ids = Vec::new();
    for (title, catalog) in [("One", "404-001"), ("Two", "404-002"), ("Three", "404-003")] {
        let body = json!({"title": title, "catalog": catalog, "release_date": "2019-03-12"});
        let added = desk.post("/api/admin/releases", body).await.json();
        ids.push(added["id"].as_str().unwrap().to_owned());
    }
    let [one, two, three] = &ids[..] else { unreachable!() };
    // The last two want numbers of releases that keep theirs.
    let table = format!(
        "id,title,catalog,date\n{one},Two,404 002,2019-03-12\n{two},One,404-001,2019-03-12\n{three},3,404-003,2019-03-12\n\
         ,Four,404-003,2019-03-12\n,Five,404-001,2019-03-12\n"
    );
    let preview = previewed(&server, &desk, &table, &[]).await;
    assert_eq!(verdicts(&preview), ["change", "change", "change", "add", "add"]);
    let repeats: Vec<_> =
        preview["rows"].as_array().unwrap().iter().map(|row| row["repeats_number"] == true).collect();
    assert_eq!(repeats, [false, false, false, true, true]);

    let import = imported(&server, &desk, &table, &[]).await;
    let now = async |desk: &mut Browser, id: &str| {
        let row = desk.get(&format!("/api/admin/releases/{id}")).await.json();
        ["title", "catalog", "slug"].map(|field| row[field].as_str().unwrap().to_owned())
    };
    assert_eq!(now(&mut desk, one).await, ["Two", "404 002", "404-002-2"]);
    assert_eq!(now(&mut desk, two).await, ["One", "404-001", "404-001-3"], "-2 is the new one's");
    desk.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(now(&mut desk, one).await, ["One", "404-001", "404-001"], "its own address again");
    assert_eq!(now(&mut desk, two).await, ["Two", "404-002", "404-002"]);
}

#[apply(on_both_engines!)]
async fn imports_are_listed_page_by_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut made = Vec::new();
    // Two of them in one instant.
    for (number, seconds) in [(1, 1), (2, 0), (3, 1), (4, 1)] {
        server.pass(std::time::Duration::from_secs(seconds));
        let table = format!("title,release_date\nTitle {number},2019-03-12\n");
        made.push(imported(&server, &desk, &table, &[]).await["id"].clone());
    }
    made.reverse();
    let ids = |page: &Value| -> Vec<Value> {
        page["items"].as_array().unwrap().iter().map(|import| import["id"].clone()).collect()
    };
    let whole = desk.get(PATH).await.json();
    assert_eq!((ids(&whole), &whole["next_cursor"]), (made.clone(), &Value::Null));
    let first = desk.get(&format!("{PATH}?limit=3")).await.json();
    assert_eq!(ids(&first), made[..3]);
    let cursor = first["next_cursor"].as_str().unwrap();
    let last = desk.get(&format!("{PATH}?limit=3&cursor={cursor}")).await.json();
    assert_eq!((ids(&last), &last["next_cursor"]), (made[3..].to_vec(), &Value::Null));
    for (query, code) in
        [("limit=0", "invalid_limit"), ("limit=101", "invalid_limit"), ("cursor=x", "invalid_cursor")]
    {
        let refused = desk.get(&format!("{PATH}?{query}")).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (422, code.to_owned()), "{query}");
    }
}

/// Far above what it takes (a preview half a second, an import two), with a program built for tests and beside other work.
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

    // Into an empty catalogue, and with the line breaks that a spreadsheet writes.
    let other = TestServer::start(engine).await;
    let mut there = other.desk().await;
    imported(&other, &there, &table.replace("\r\n", "\n").replace('\n', "\r\n"), &[]).await;
    let path = format!("/api/admin/releases/{}", added["id"].as_str().unwrap());
    let row = there.get(&path).await.json();
    for field in ["title", "format", "tracks", "credits"] {
        assert_eq!(row[field], added[field], "{field}");
    }

    // A column more changes that one, a foreign header is known, and an undo brings back what was there.
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
            "credits": "Write each credit on a line of its own, as Role: Name; at most 200",
            "tracks[1].title": "Invalid characters",
        })
    );
}

async fn versions(desk: &mut Browser, kind: &str, id: &str) -> Vec<Value> {
    let history = desk.get(&format!("/api/admin/versions/{kind}/{id}")).await;
    assert_eq!(history.status, 200, "{history:?}");
    history.json()["items"].as_array().unwrap().clone()
}

#[apply(on_both_engines!)]
async fn an_import_and_its_undo_are_versions_like_edits(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({"title": "Signal", "release_date": "2019-03-12", "tracks": [{"title": "A", "duration_seconds": 60}]});
    let by_hand = desk.post("/api/admin/releases", body).await.json();
    let old = server.release(release("Old")).await;
    let id = by_hand["id"].as_str().unwrap();
    let table = format!(
        "id,title,artist,date,tracks\n{id},Signal II,Mira Holm,2019-03-12,A 2:00\n{old},Old II,,2019-01-01,\n,New,Mira Holm,2020-01-01,B\n"
    );
    let import = imported(&server, &desk, &table, &[]).await;

    // What an edit keeps, an import keeps: who saved which fields.
    let kept = versions(&mut desk, "release", id).await;
    let titles = |kept: &[Value]| {
        kept.iter()
            .map(|version| (version["version"].clone(), version["fields"]["title"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(titles(&kept), [(json!(2), json!("Signal II")), (json!(1), json!("Signal"))]);
    assert_eq!(kept[0]["saved_by"], kept[1]["saved_by"]);
    assert_eq!(kept[0]["fields"]["tracks"][0]["duration_label"], "2:00");
    let fields = |version: &Value| {
        let mut fields: Vec<_> = version["fields"].as_object().unwrap().keys().cloned().collect();
        fields.sort();
        fields
    };
    assert_eq!(fields(&kept[0]), fields(&kept[1]));
    let of_old = versions(&mut desk, "release", &old.to_string()).await;
    assert_eq!(titles(&of_old), [(json!(2), json!("Old II")), (json!(1), json!("Old"))]);
    assert_eq!(of_old[1]["saved_by"], Value::Null, "it was there before versions were kept");
    let list = desk.get("/api/admin/releases?q=new").await.json();
    let new = list["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(titles(&versions(&mut desk, "release", &new).await), [(json!(1), json!("New"))]);
    let artist = list["items"][0]["artist_id"].as_str().unwrap().to_owned();
    let of_artist = versions(&mut desk, "artist", &artist).await;
    assert_eq!((of_artist.len(), &of_artist[0]["fields"]["name"]), (1, &json!("Mira Holm")));

    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    assert_eq!(desk.post(&undo, json!({})).await.json(), json!({"undone": 4, "left": []}));
    let kept = versions(&mut desk, "release", id).await;
    assert_eq!(titles(&kept)[0], (json!(3), json!("Signal")));
    assert_eq!(kept[0]["fields"], kept[2]["fields"]);
    assert_eq!(versions(&mut desk, "release", &new).await.len(), 0);
    assert_eq!(versions(&mut desk, "artist", &artist).await.len(), 0);

    // The import's state can be had again, as any version.
    desk.headers = vec![("if-match".to_owned(), "\"3\"".to_owned())];
    let restored =
        desk.send(Method::POST, &format!("/api/admin/versions/release/{id}/2/restore"), None).await;
    desk.headers.clear();
    assert_eq!(restored.status, 200, "{restored:?}");
    let row = desk.get(&format!("/api/admin/releases/{id}")).await.json();
    assert_eq!((&row["title"], &row["tracks"][0]["duration_seconds"]), (&json!("Signal II"), &json!(120)));
}

#[apply(on_both_engines!)]
async fn an_address_stays_reserved_when_its_import_is_undone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let import = imported(&server, &desk, FOREIGN, &[]).await;
    server.caught_up().await;
    assert_eq!(server.get("/api/releases/404-002").await.status, 200);
    desk.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await;
    server.caught_up().await;
    assert_eq!(server.get("/api/releases/404-002").await.status, 404);
    imported(&server, &desk, FOREIGN, &[]).await;
    server.caught_up().await;
    assert_eq!(server.get("/api/releases/404-002").await.status, 404, "it was another release's");
    assert_eq!(server.get("/api/releases/404-002-2").await.status, 200);
}

#[tokio::test]
async fn two_imports_at_once_do_not_take_the_same_addresses_or_artists() {
    use deadwax::imports::{self, plan::Choices, write::NewImport};

    let server = TestServer::start(Engine::Postgres).await;
    let now = server.app.clock.now();
    let import = async |mut tx: deadwax_store::db::Tx| {
        let choices = Choices::default();
        let prepared = imports::prepare(FOREIGN.as_bytes().to_vec(), &choices).await.unwrap();
        let new =
            NewImport { id: uuid::Uuid::now_v7(), file_name: "a.csv".to_owned(), by: None, as_drafts: false };
        imports::run(&mut tx, prepared, choices, &new, now).await.map(|_| tx)
    };
    let first = import(server.app.db.begin().await.unwrap()).await.unwrap();
    let other = import(server.app.db.begin().await.unwrap());
    let commit = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        first.commit().await.unwrap();
    };
    let (other, ()) = tokio::join!(other, commit);
    other.unwrap().commit().await.unwrap();
    assert_eq!((server.count("releases").await, server.count("slugs").await), (6, 6));
    assert_eq!(server.count("artists").await, 2, "the second finds those of the first");
    assert_eq!(server.count("slugs WHERE slug IN ('404-001', '404-001-2')").await, 2);
}

#[tokio::test]
async fn an_import_and_a_save_of_the_same_release_do_not_wait_for_each_other() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    desk.session().await;
    server.release(Release { title: "Signal", date: Some("2026-01-01"), ..Release::default() }).await;
    let table = desk.get("/api/admin/exports/releases.csv").await.text().replace("Signal", "Signal 2");
    assert_eq!(verdicts(&previewed(&server, &desk, &table, &[]).await), ["change"]);
    let mut saving = server.app.db.begin().await.unwrap();
    change(&mut saving, "UPDATE releases SET version = version + 1").await;
    let importing = send(&server, &desk, PATH, &table, &[]);
    let save = async {
        let waits = "pg_locks WHERE NOT granted AND pid IN \
            (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
        server.until("the import waits", async || server.count(waits).await > 0).await;
        saving.commit().await
    };
    let (imported, saved) = tokio::join!(importing, save);
    saved.unwrap();
    assert_eq!(imported.status, 412, "{imported:?}");
}

/// On PostgreSQL alone: SQLite has one writer.
async fn change(tx: &mut Tx, sql: &'static str) {
    let Begun::Postgres(tx) = &mut tx.begun else { unreachable!() };
    sqlx::Executor::execute(&mut **tx, sql).await.unwrap();
}

#[tokio::test]
async fn a_release_that_is_deleted_while_its_artist_is_renamed_does_not_wait_for_it() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    desk.session().await;
    let artist = server.artist("Mira Holm", None).await;
    let release =
        server.release(Release { title: "Signal", artist: Some(artist), ..Release::default() }).await;
    let mut holding = server.app.db.begin().await.unwrap();
    change(&mut holding, "UPDATE artists SET bio = 'x'").await;
    let waiting = async |count| {
        let waits = "pg_locks WHERE NOT granted AND pid IN \
            (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
        server.until("they wait", async || server.count(waits).await >= count).await;
    };
    let mut other = desk.copy();
    let path = format!("/api/admin/artists/{artist}");
    let renaming = desk.edit(&path, 1, json!({"name": "Mira H."}));
    let deleting = async {
        waiting(1).await;
        let path = format!("/api/admin/releases/{release}");
        let deleting = other.delete(&path);
        let held = async {
            waiting(2).await;
            holding.commit().await
        };
        let (deleted, held) = tokio::join!(deleting, held);
        held.unwrap();
        deleted
    };
    let (renamed, deleted) = tokio::join!(renaming, deleting);
    assert_eq!((renamed.status.as_u16(), deleted.status.as_u16()), (200, 204), "{renamed:?} {deleted:?}");
}
