//! Importing releases from tables: preview, import, and matching with existing rows.

mod at_once;
mod corpus;
mod rows;
mod tables;
mod undone;

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
    server.wait_for_changes().await;
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
    assert_eq!(server.count("slugs").await, 0, "the corrected table gets its addresses");
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

    // Undoing skips a release edited since the import.
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
async fn an_own_export_makes_no_second_artist_of_one_in_the_trash(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Mira Holm", None).await;
    let body = json!({"title": "Signal", "artist_id": artist, "release_date": "2019-03-12"});
    assert_eq!(desk.post("/api/admin/releases", body).await.status, 201);
    let table = desk.get("/api/admin/exports/releases.csv").await.text();
    assert_eq!(desk.delete(&format!("/api/admin/artists/{artist}")).await.status, 204);
    assert_eq!(verdicts(&previewed(&server, &desk, &table, &[]).await), ["unchanged"]);
    let import = imported(&server, &desk, &table.replace("Signal", "Signal II"), &[]).await;
    assert_eq!((&import["changed"], &import["artists"]), (&json!(1), &json!(0)));

    let restored = desk.post(&format!("/api/admin/trash/artist/{artist}/restore"), json!({})).await;
    assert!(restored.status.is_success(), "{restored:?}");
    let list = desk.get("/api/admin/releases").await.json();
    let row = &list["items"][0];
    assert_eq!((&row["title"], &row["artist"]["id"]), (&json!("Signal II"), &json!(artist)));
    assert_eq!(server.count("artists").await, 1);
}

#[apply(on_both_engines!)]
async fn an_own_export_cut_to_some_columns_changes_nothing_else(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({"title": "Signal", "release_date": "2019-03-12", "description": "One.\n\n- Two."});
    let id = desk.post("/api/admin/releases", body).await.json()["id"].as_str().unwrap().to_owned();
    let table = format!("id,title,description\n{id},Signal,\"One.\n'\n'- Two.\"\n");
    let exported = desk.get("/api/admin/exports/releases.csv").await.text();
    assert!(exported.contains("\"One.\n'\n'- Two.\""), "{exported}");
    assert_eq!(verdicts(&previewed(&server, &desk, &table, &[]).await), ["unchanged"]);
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
    let events =
        async |of: &str| server.count(&format!("events WHERE table_name = '{of}' AND op = 'insert'")).await;
    assert_eq!(public().await, "Ada Roe");
    assert_eq!((events("artists").await, events("unpublished_artists").await), (1, 3));

    // Published, withdrawn, and given another artist: an artist who was public stays public.
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
    assert_eq!(events("artists").await, 3);
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

fn release(title: &str) -> Release<'_> {
    Release { title, date: Some("2019-01-01"), ..Default::default() }
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
    // The last two rows claim numbers of releases that keep theirs.
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
    // Two of them at the same instant.
    for (number, seconds) in [(1, 1), (2, 0), (3, 1), (4, 1)] {
        server.advance(std::time::Duration::from_secs(seconds));
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
