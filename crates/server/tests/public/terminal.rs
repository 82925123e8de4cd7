//! The terminal: its own answers, its refusals, and a language model that streams, stalls, lies and dies.

mod answers;
mod bounds;
mod messages;
mod model;
mod questions;
mod stub;

use serde_json::json;
use uuid::Uuid;

use crate::support::{Answer, Release, TestServer, people::Browser};

async fn ask(browser: &mut Browser, message: &str) -> Answer {
    browser.post("/api/terminal", json!({"message": message})).await
}

/// The terminal's answer to a new visitor.
async fn answer(server: &TestServer, message: &str) -> String {
    let answer = ask(&mut server.browser(), message).await;
    assert_eq!(answer.status, 200, "{message}: {answer:?}");
    assert!(answer.header("content-type").starts_with("application/json"), "{answer:?}");
    let json = answer.json();
    assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
    json["response"].as_str().unwrap().to_owned()
}

/// Status, code and message of a refusal, after checking its shape.
fn refusal(answer: &Answer) -> (u16, String, String) {
    let json = answer.json();
    assert!(answer.header("content-type").starts_with("application/json"), "{answer:?}");
    assert_eq!(json.as_object().unwrap().len(), 3, "{json}");
    assert!(json["response"].is_null(), "{json}");
    let text = |name: &str| json[name].as_str().unwrap().to_owned();
    (answer.status.as_u16(), text("code"), text("message"))
}

/// The ids of a small label's artists.
struct Label {
    nullpoint: Uuid,
    exile: Uuid,
    sable: Uuid,
}

/// Creates a small label.
async fn label(server: &TestServer) -> Label {
    let nullpoint = server.artist("Nullpoint", Some("Long-form techno for the hour after closing.")).await;
    let exile = server.artist("Ärzte im Exil", None).await;
    let sable = server.artist("Sable", Some("Two rooms, one cable.")).await;
    for (title, date, description, spotify, soundcloud, artist) in [
        (
            "First Transmission",
            Some("2019-03-01"),
            Some("The night the power failed.\nCATALOG: 404-001"),
            Some("https://open.spotify.com/album/0000000000000000000001"),
            None,
            Some(nullpoint),
        ),
        (
            "Low Sun",
            Some("2023-05-19"),
            Some("One exposure.\nCATALOG: 404-027"),
            None,
            Some("https://soundcloud.com/label/low-sun"),
            Some(sable),
        ),
        ("Barcode Hymn", Some("2027-01-15"), Some("In unison.\nCATALOG: 404-051"), None, None, Some(exile)),
        ("Untitled Plate", None, None, None, None, None),
    ] {
        server.release(Release { title, date, description, spotify, soundcloud, artist }).await;
    }
    Label { nullpoint, exile, sable }
}
