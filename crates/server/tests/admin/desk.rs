//! The demo desk, by direct calls.

mod draft;
mod marks;
mod promise;
mod states;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, TestServer, people::Browser};

const DAY: i64 = 24 * 3_600 * 1_000_000;

impl TestServer {
    /// Inserts a demo sent `days` days ago.
    pub async fn demo(&self, artist: &str, email: &str, days: i64) -> Uuid {
        let id = Uuid::now_v7();
        let (literal, at) = (self.id_literal(id), self.app.clock.now() - days * DAY);
        let key = format!("demos/{}_x.wav", id.simple());
        self.sql(&format!(
            "INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('{key}', 'audio/wav', 7, '', {at})"
        ))
        .await;
        self.sql(&format!(
            "INSERT INTO demos (id, file_key, artist_name, email, original_name, submitted_at) \
             VALUES ({literal}, '{key}', '{artist}', '{email}', '{artist}.wav', {at})"
        ))
        .await;
        deadwax::editing::search_keys::give_missing(&self.app.db).await.unwrap();
        self.wait_for_changes().await;
        id
    }
}

/// The address of a demo's `what` at the desk.
fn of(demo: Uuid, what: &str) -> String {
    format!("/api/admin/desk/demos/{demo}/{what}")
}

async fn put(desk: &mut Browser, path: &str, body: Value) -> Answer {
    desk.send(Method::PUT, path, Some(body)).await
}

/// Sets the state of a demo.
async fn set_state(desk: &mut Browser, demo: Uuid, state: &str) -> Value {
    let answer = put(desk, &of(demo, "state"), json!({ "state": state })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// The artists of a list, in its order.
async fn artists(desk: &mut Browser, query: &str) -> Vec<String> {
    let answer = desk.get(&format!("/api/admin/desk/demos{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    let page = answer.json();
    let names: Vec<String> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|demo| demo["artist_name"].as_str().unwrap().to_owned())
        .collect();
    if page["next_cursor"].is_null() && !query.contains("cursor") {
        assert_eq!(page["total"], names.len(), "{query}");
    }
    names
}
