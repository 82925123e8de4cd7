use macro_rules_attribute::apply;
use reqwest::StatusCode;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn all_five_pages_are_open_at_first(engine: Engine) {
    let server = TestServer::start(engine).await;
    let settings = server.get("/api/maintenance").await.json();
    let keys: Vec<&str> = settings["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|setting| setting["page_key"].as_str().unwrap())
        .collect();
    assert_eq!(keys, ["artists", "home", "releases", "store", "terminal"]);
    assert!(
        settings["items"].as_array().unwrap().iter().all(|setting| setting["is_maintenance_mode"] == false)
    );
}

#[apply(on_both_engines!)]
async fn a_page_in_maintenance_answers_503_without_its_data(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.release(crate::support::Release { title: "Hidden Title", ..Default::default() }).await;
    assert!(server.get("/releases").await.text().contains("Hidden Title"));
    server.sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE, maintenance_message = 'Back at nine' WHERE page_key = 'releases'").await;
    server.wait_for_changes().await;
    let page = server.get("/releases").await;
    assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(page.header("retry-after"), "600");
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(!page.text().contains("Hidden Title"));
    assert!(page.text().contains("Back at nine"), "the notice and its message are in the first view");
    assert_eq!(server.get("/api/releases").await.status, StatusCode::OK, "other pages use the data too");
    server
        .sql("UPDATE maintenance_settings SET is_maintenance_mode = FALSE WHERE page_key = 'releases'")
        .await;
    server.wait_for_changes().await;
    assert_eq!(server.get("/releases").await.status, StatusCode::OK);
}

#[apply(on_both_engines!)]
async fn artists_covers_the_details_and_pages_without_a_key_stay_open(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("A", None).await;
    server.sql("UPDATE maintenance_settings SET is_maintenance_mode = TRUE").await;
    server.wait_for_changes().await;
    for path in ["/", "/releases", "/artists", &format!("/artists/{artist}"), "/store", "/terminal"] {
        assert_eq!(server.get(path).await.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
    }
    for path in
        ["/contact", "/privacy-policy", "/signup", "/profile", "/admin/login", "/admin", "/auth/callback"]
    {
        assert_eq!(server.get(path).await.status, StatusCode::OK, "{path}");
    }
}
