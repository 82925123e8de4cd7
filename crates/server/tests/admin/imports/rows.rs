//! Rows that cannot be imported.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use super::{imported, previewed, verdicts};
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn a_cover_that_was_thrown_away_is_refused_as_in_a_form(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let file = crate::support::files::picture(image::ImageFormat::Png, 8, 8);
    let upload = (Method::POST, "/api/admin/images?folder=releases");
    let cover = server.send_file(&desk, upload, ("cover.png", &file), &[]).await.json();
    let url = cover["url"].as_str().unwrap();
    let body = json!({"title": "Signal", "release_date": "2019-03-12", "cover_image_url": url});
    let row = desk.post("/api/admin/releases", body).await.json();
    let id = row["id"].as_str().unwrap();
    let media = desk.get("/api/admin/media").await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.delete(&format!("/api/admin/media/{media}")).await.status, 204);
    for cover in [url.to_owned(), format!("http://label.example{url}")] {
        let table = format!("id,title,date,cover_image_url\n{id},Signal,2019-03-12,{cover}\n");
        let row = &previewed(&server, &desk, &table, &[]).await["rows"][0];
        assert_eq!(row["verdict"], "refused", "{row}");
        assert!(row["problems"]["cover_image_url"].is_string(), "{row}");
    }
    // Existing values are kept.
    let table = format!("id,title,date\n{id},Signal II,2019-03-12\n");
    assert_eq!(imported(&server, &desk, &table, &[]).await["changed"], 1);
}

#[apply(on_both_engines!)]
async fn a_scheduled_row_says_when(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let table = "title,date,state,goes_out_at\n\
        A,2030-01-01,scheduled,2030-01-01T10:00:00Z\n\
        B,2030-01-01,scheduled,\n\
        C,2030-01-01,scheduled,2030-01-01T10:00:00\n\
        D,2030-01-01,scheduled,soon\n\
        E,2030-01-01,draft,soon\n";
    let preview = previewed(&server, &desk, table, &[]).await;
    assert_eq!(verdicts(&preview), ["add", "refused", "refused", "refused", "add"], "{preview}");
    let said = "Say when it goes out, with its zone: 2030-01-31T20:00:00Z";
    assert_eq!(preview["rows"][1]["problems"]["goes_out_at"], said);
    imported(&server, &desk, table, &[("leave_out_refused", "true")]).await;
    let rows = desk.get("/api/admin/releases?sort=title").await.json();
    let states: Vec<_> = rows["items"].as_array().unwrap().iter().map(|row| &row["state"]).collect();
    assert_eq!(states, ["scheduled", "draft"]);
}

#[apply(on_both_engines!)]
async fn another_time_for_a_scheduled_release_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let body = json!({"title": "Signal", "release_date": "2030-01-01", "publish": "on_date", "goes_out_at": "2030-01-01T10:00:00Z"});
    let row = desk.post("/api/admin/releases", body).await.json();
    assert_eq!(row["state"], "scheduled", "{row}");
    let export = desk.get("/api/admin/exports/releases.csv").await.text();
    assert!(export.contains("2030-01-01T10:00:00Z"), "{export}");
    let preview = async |time: &str| {
        let table = export.replace("2030-01-01T10:00:00Z", time);
        previewed(&server, &desk, &table, &[]).await["rows"][0].clone()
    };
    for same in ["2030-01-01T10:00:00Z", "2030-01-01T11:00+01:00", ""] {
        assert_eq!(preview(same).await["verdict"], "unchanged", "{same}");
    }
    for other in ["2030-01-01T12:00:00Z", "2030-01-01T10:00:00", "soon"] {
        let row = preview(other).await;
        assert_eq!(row["verdict"], "refused", "{row}");
        let said = "An import does not change when a release goes out. Change it in the release";
        assert_eq!(row["problems"]["goes_out_at"], said);
    }
}
