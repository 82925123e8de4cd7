//! Undoing imports, and the rows it leaves.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use super::{FOREIGN, PATH, imported, release};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, people::Browser},
};

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

    // An import records who saved which fields, like an edit.
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

    // The import's version can be restored like any other.
    desk.headers = vec![("if-match".to_owned(), "\"3\"".to_owned())];
    let restored =
        desk.send(Method::POST, &format!("/api/admin/versions/release/{id}/2/restore"), None).await;
    desk.headers.clear();
    assert_eq!(restored.status, 200, "{restored:?}");
    let row = desk.get(&format!("/api/admin/releases/{id}")).await.json();
    assert_eq!((&row["title"], &row["tracks"][0]["duration_seconds"]), (&json!("Signal II"), &json!(120)));
}

#[apply(on_both_engines!)]
async fn a_cover_that_was_thrown_away_since_is_not_put_back(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let file = crate::support::files::picture(image::ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
    let body = json!({"title": "Signal", "release_date": "2019-03-12", "cover_image_url": cover["url"]});
    let row = desk.post("/api/admin/releases", body).await.json();
    let id = row["id"].as_str().unwrap();
    let table =
        format!("id,title,date,cover_image_url\n{id},Signal,2019-03-12,https://elsewhere.example/a.jpg\n");
    let import = imported(&server, &desk, &table, &[]).await;
    let media = desk.get("/api/admin/media").await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.delete(&format!("/api/admin/media/{media}")).await.status, 204);
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    assert_eq!(desk.post(&undo, json!({})).await.json(), json!({"undone": 1, "left": []}));
    let row = desk.get(&format!("/api/admin/releases/{id}")).await.json();
    assert_eq!(row["cover_image_url"], Value::Null, "{row}");
    assert_eq!(versions(&mut desk, "release", id).await[0]["fields"]["cover_image_url"], Value::Null);
}

#[apply(on_both_engines!)]
async fn the_corrected_table_gets_the_addresses_of_an_import_that_is_undone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let import = imported(&server, &desk, FOREIGN, &[]).await;
    // A release edited since the import is kept, with its address.
    let list = desk.get("/api/admin/releases?q=404-001").await.json();
    let left = format!("/api/admin/releases/{}", list["items"][0]["id"].as_str().unwrap());
    let form = json!({"title": "Mine", "catalog": "404-001", "release_date": "2019-03-12"});
    assert_eq!(desk.edit(&left, 1, form).await.status, 200);
    desk.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await;
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/releases/404-002").await.status, 404);
    imported(&server, &desk, &FOREIGN.replace("Dead, Air", "Dead Air"), &[]).await;
    server.wait_for_changes().await;
    let slug = async |slug: &str| server.get(&format!("/api/releases/{slug}")).await.json()["title"].clone();
    assert_eq!(slug("404-001").await, "Mine");
    assert_eq!(slug("404-001-2").await, "Signal");
    assert_eq!(slug("404-002").await, "Dead Air");
    assert_eq!(slug("nobodys").await, "Nobody's");
}

#[apply(on_both_engines!)]
async fn the_address_that_an_import_gave_a_changed_release_is_free_again(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({"title": "Signal", "catalog": "404-001", "release_date": "2019-03-12"});
    let signal = desk.post("/api/admin/releases", body).await.json();
    let id = signal["id"].as_str().unwrap();
    server.advance(std::time::Duration::from_secs(1));
    let wrong = format!("id,title,catalog,date\n{id},Signal,404-002,2019-03-12\n");
    let import = imported(&server, &desk, &wrong, &[]).await;
    let undo = format!("{PATH}/{}/undo", import["id"].as_str().unwrap());
    assert_eq!(desk.post(&undo, json!({})).await.json(), json!({"undone": 1, "left": []}));
    let corrected =
        format!("id,title,catalog,date\n{id},Signal,404-003,2019-03-12\n,Dead Air,404-002,2019-03-12\n");
    imported(&server, &desk, &corrected, &[]).await;
    server.wait_for_changes().await;
    let slug = async |slug: &str| server.get(&format!("/api/releases/{slug}")).await.json()["title"].clone();
    assert_eq!(slug("404-002").await, "Dead Air");
    assert_eq!(slug("404-003").await, "Signal");
    assert_eq!(server.count("slugs WHERE slug = '404-001'").await, 1, "its own from before the import");
}

#[apply(on_both_engines!)]
async fn an_address_that_was_public_before_an_import_stays_reserved(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({"title": "Old", "catalog": "404-002", "release_date": "2019-03-12"});
    let old = desk.post("/api/admin/releases", body).await.json();
    let path = format!("/api/admin/releases/{}", old["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.delete(&path.replace("releases", "trash/release")).await.status, 204);
    let import = imported(&server, &desk, FOREIGN, &[]).await;
    desk.post(&format!("{PATH}/{}/undo", import["id"].as_str().unwrap()), json!({})).await;
    imported(&server, &desk, FOREIGN, &[]).await;
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/releases/404-002").await.status, 404, "it was another release's");
    assert_eq!(server.get("/api/releases/404-002-2").await.status, 200);
}
