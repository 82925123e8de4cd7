use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::StatusCode;

use crate::support::{Engine, Release, TestServer};

crate::on_both_engines! {
    a_change_is_told_within_a_second_without_its_data
    a_stream_that_comes_back_gets_exactly_what_it_missed
    a_stream_that_was_away_too_long_is_told_to_refetch_everything
    a_query_that_is_no_position_is_refused
}

/// The events of a stream until `count` of them have come.
async fn events(
    server: &TestServer,
    path: &str,
    count: usize,
    meanwhile: impl Future<Output = ()>,
) -> Vec<String> {
    let response = server.client.get(format!("{}{path}", server.base)).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["cache-control"], "no-store");
    let mut stream = response.bytes_stream();
    let mut text = String::new();
    let reading = async {
        while text.matches("\n\n").count() < count {
            text += std::str::from_utf8(&stream.next().await.unwrap().unwrap()).unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(5), async { tokio::join!(reading, meanwhile) })
        .await
        .expect("the events come");
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

async fn a_change_is_told_within_a_second_without_its_data(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Secret Name", None).await;
    let told = events(&server, "/api/events", 2, async {
        server.sql("UPDATE artists SET bio = 'secret bio'").await;
    })
    .await;
    assert!(told[0].starts_with("retry: 1000\nid: "), "{told:?}");
    assert!(told[0].contains("event: hello\ndata: {\"last\":"));
    assert!(
        told[1].ends_with(&format!(
            "event: change\ndata: {{\"table\":\"artists\",\"op\":\"update\",\"key\":\"{artist}\"}}"
        )),
        "{told:?}"
    );
    assert!(!told.concat().to_lowercase().contains("secret"));
}

async fn a_stream_that_comes_back_gets_exactly_what_it_missed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let before = server.app.live.last();
    for title in ["one", "two"] {
        server.release(Release { title, ..Release::default() }).await;
    }
    let told = events(&server, &format!("/api/events?after={}", before + 1), 2, async {}).await;
    assert!(
        told[0].starts_with("retry: 1000\nevent: hello"),
        "a broken connection resumes before what it missed: {told:?}"
    );
    assert!(told[1].starts_with(&format!("id: {}\nevent: change", before + 2)), "{told:?}");
    let resumed = server
        .client
        .get(format!("{}/api/events?after=0", server.base))
        .header("last-event-id", (before + 2).to_string());
    let mut stream = resumed.send().await.unwrap().bytes_stream();
    let hello = stream.next().await.unwrap().unwrap();
    assert_eq!(std::str::from_utf8(&hello).unwrap().matches("event:").count(), 1, "nothing was missed");
}

async fn a_stream_that_was_away_too_long_is_told_to_refetch_everything(engine: Engine) {
    let server = TestServer::start(engine).await;
    for _ in 0..6 {
        server.sql("UPDATE maintenance_settings SET version = version + 1; UPDATE site_content SET version = version + 1").await;
    }
    server.sql("INSERT INTO artists (id, name) SELECT id, key FROM site_content").await;
    for _ in 0..20 {
        server.sql("UPDATE artists SET version = version + 1").await;
    }
    server.caught_up().await;
    let told = events(&server, "/api/events?after=1", 2, async {}).await;
    let last = server.app.live.last();
    assert_eq!(told[1], format!("id: {last}\nevent: resync\ndata: {{}}"));
    let future = events(&server, "/api/events?after=99999999", 2, async {}).await;
    assert!(future[1].contains("event: resync"), "a position of another database: {future:?}");
}

async fn a_query_that_is_no_position_is_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    for query in ["after=x", "after=99999999999999999999", "table=users"] {
        assert_eq!(
            server.get(&format!("/api/events?{query}")).await.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{query}"
        );
    }
}

#[tokio::test]
async fn two_instances_on_one_database_show_each_others_changes() {
    let one = TestServer::start(Engine::Postgres).await;
    let two = TestServer::start_beside(&one).await;
    assert_eq!(two.get("/api/artists").await.json()["items"], serde_json::json!([]));
    let told = events(&two, "/api/events", 2, async {
        one.artist("Seen everywhere", None).await;
    })
    .await;
    assert!(told[1].contains("\"table\":\"artists\""));
    assert_eq!(two.get("/api/artists").await.json()["items"][0]["name"], "Seen everywhere");
}

#[tokio::test]
async fn streams_of_one_address_are_bounded() {
    let server = TestServer::start(Engine::Sqlite).await;
    let open = async || server.client.get(format!("{}/api/events", server.base)).send().await.unwrap();
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(open().await);
    }
    let refused = crate::support::Answer::read(open().await).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.problem(), "rate_limited");
    assert_eq!(refused.header("retry-after"), "30");
    drop(streams);
    let mut answer = open().await;
    for _ in 0..200 {
        if answer.status() == StatusCode::OK {
            return;
        }
        tokio::task::yield_now().await;
        answer = open().await;
    }
    panic!("closing streams frees their places");
}
