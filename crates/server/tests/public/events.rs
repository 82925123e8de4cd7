use deadwax::{
    app::AppState,
    start::{self, Web},
};
use deadwax_http::slots::Slots;
use deadwax_store::{db::Db, live::Audience};
use futures_util::StreamExt as _;
use macro_rules_attribute::apply;
use reqwest::StatusCode;

use crate::{
    on_both_engines,
    support::{Engine, RECEIVE_TIMEOUT, Release, TestServer, settings, web_app},
};

/// Reads a stream until it has sent `count` events.
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
    tokio::time::timeout(RECEIVE_TIMEOUT, async { tokio::join!(reading, meanwhile) })
        .await
        .expect("the events come");
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

#[apply(on_both_engines!)]
async fn a_change_is_announced_within_a_second_without_its_data(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Secret Name", None).await;
    let received = events(&server, "/api/events", 2, async {
        server.sql("UPDATE artists SET bio = 'secret bio'").await;
    })
    .await;
    assert!(received[0].starts_with("retry: 1000\nid: "), "{received:?}");
    assert!(received[0].contains("event: hello\ndata: {\"last\":"));
    assert!(
        received[1].ends_with(&format!(
            "event: change\ndata: {{\"table\":\"artists\",\"op\":\"update\",\"key\":\"{artist}\"}}"
        )),
        "{received:?}"
    );
    assert!(!received.concat().to_lowercase().contains("secret"));
}

#[apply(on_both_engines!)]
async fn a_stream_that_comes_back_gets_exactly_what_it_missed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let before = server.app.live.last();
    for title in ["one", "two"] {
        server.release(Release { title, ..Release::default() }).await;
    }
    server.wait_for_changes().await;
    let position = |id| server.app.live.position(id);
    let received = events(&server, &format!("/api/events?after={}", position(before + 1)), 2, async {}).await;
    assert!(
        received[0].starts_with("retry: 1000\nevent: hello"),
        "a broken connection resumes before what it missed: {received:?}"
    );
    assert!(received[1].starts_with(&format!("id: {}\nevent: change", position(before + 2))), "{received:?}");
    let resumed = server
        .client
        .get(format!("{}/api/events?after=0", server.base))
        .header("last-event-id", position(before + 2).to_string());
    let mut stream = resumed.send().await.unwrap().bytes_stream();
    let hello = stream.next().await.unwrap().unwrap();
    assert_eq!(std::str::from_utf8(&hello).unwrap().matches("event:").count(), 1, "nothing was missed");
}

#[apply(on_both_engines!)]
async fn a_stream_away_too_long_must_refetch_everything(engine: Engine) {
    let server = TestServer::start(engine).await;
    for _ in 0..6 {
        server.sql("UPDATE maintenance_settings SET version = version + 1; UPDATE site_content SET version = version + 1").await;
    }
    server.sql("INSERT INTO artists (id, name) SELECT id, key FROM site_content").await;
    for _ in 0..20 {
        server.sql("UPDATE artists SET version = version + 1").await;
    }
    server.wait_for_changes().await;
    let first = server.app.live.position(1);
    let received = events(&server, &format!("/api/events?after={first}"), 2, async {}).await;
    let last = server.app.live.position(server.app.live.last_for(Audience::Visitors));
    assert_eq!(received[1], format!("id: {last}\nevent: resync\ndata: {{}}"));
    let future = events(&server, "/api/events?after=99999999", 2, async {}).await;
    assert!(future[1].contains("event: resync"), "a position of another database: {future:?}");
}

/// The position a stream with these cookies starts from, and whether it recognises `after`.
async fn standing(server: &TestServer, cookies: &str, after: Option<u64>) -> (u64, bool) {
    let path = after.map_or_else(|| "/api/events".to_owned(), |after| format!("/api/events?after={after}"));
    let request = server.client.get(format!("{}{path}", server.base)).header("cookie", cookies);
    let mut stream = request.send().await.unwrap().bytes_stream();
    let first = stream.next().await.unwrap().unwrap();
    let first = std::str::from_utf8(&first).unwrap();
    let (_, last) = first.split_once("{\"last\":").unwrap();
    let last = last.split('}').next().unwrap().parse().unwrap();
    let mut is_foreign = first.contains("resync");
    if after.is_some() && !is_foreign {
        let next = tokio::time::timeout(std::time::Duration::from_millis(200), stream.next()).await;
        is_foreign =
            next.is_ok_and(|next| String::from_utf8_lossy(&next.unwrap().unwrap()).contains("resync"));
    }
    (last, !is_foreign)
}

#[apply(on_both_engines!)]
async fn visitors_cannot_tell_whether_something_happened_that_only_admins_see(engine: Engine) {
    let server = TestServer::start(engine).await;
    let member = server.person("member").await;
    let mut desk = server.desk().await;
    server.artist("Public", None).await;
    server.wait_for_changes().await;
    let cookies = |browser: &crate::support::people::Browser| {
        let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.join("; ")
    };
    let member = cookies(&server.signed_in(&member).await);
    desk.post("/api/admin/artists", serde_json::json!({"name": "Told to both"})).await;
    let admin = cookies(&desk);
    let page = async || {
        let text = server.get("/releases").await.text();
        let (_, rest) = text.split_once("\"event_id\":").expect("the position of the page");
        rest.split(',').next().unwrap().parse::<u64>().unwrap()
    };
    let before = standing(&server, "", None).await.0;
    let (page_before, admin_before) = (page().await, standing(&server, &admin, None).await.0);
    assert_eq!(page_before, before);

    server
        .sql(
            "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at)
              SELECT id, 'hidden@example.org', 0, 0, 0 FROM artists WHERE name = 'Public'",
        )
        .await;
    server.wait_for_changes().await;
    for visitor in ["", &member] {
        assert_eq!(standing(&server, visitor, None).await.0, before);
        // Trying positions reveals nothing: every position ahead is recognised alike.
        assert_eq!(standing(&server, visitor, Some(before)).await, (before, true));
        for ahead in [1, 2, 1_000] {
            assert_eq!(standing(&server, visitor, Some(before + ahead)).await, (before, false));
        }
    }
    assert_eq!(page().await, before);
    let (admin_after, _) = standing(&server, &admin, None).await;
    assert_ne!(admin_after, admin_before);
    assert_eq!(standing(&server, &admin, Some(admin_after)).await, (admin_after, true));
}

#[apply(on_both_engines!)]
async fn the_distance_of_positions_does_not_tell_how_much_happened_between(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut last = standing(&server, "", None).await.0;
    for round in 0..4 {
        server.artist(&format!("Public {round}"), None).await;
        server.wait_for_changes().await;
        let (before, seen) = (last, standing(&server, "", Some(last)).await);
        last = seen.0;
        assert!(seen.1 && last.abs_diff(before) > 1_000, "{before} {last}");
    }
}

#[apply(on_both_engines!)]
async fn positions_keep_their_meaning_when_old_changes_are_dropped(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Public", None).await;
    server.wait_for_changes().await;
    let public = server.app.live.last_for(Audience::Visitors);
    let subscribe = async |who: &str| {
        server
            .sql(&format!(
                "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at)
                 SELECT id, '{who}@example.org', 0, 0, 0 FROM artists WHERE name = 'Public'"
            ))
            .await;
        server.sql("DELETE FROM newsletter_subscriptions").await;
    };
    subscribe("one").await;
    server.wait_for_changes().await;
    server.app.live.prune(i64::MAX).await.unwrap();
    subscribe("two").await;
    server.wait_for_changes().await;
    let position = server.app.live.position(public);
    assert_eq!(standing(&server, "", Some(position)).await, (position, true));
    // Another instance, or this one after a restart, knows the same position.
    let other = resting_instance(&server).await;
    assert_eq!(other.live.last_for(Audience::Visitors), public);
    // An admin may have missed pruned events, and learns so.
    let admin = async |after| other.live.missed(after, Audience::Admins).await.unwrap();
    assert!(admin(public).await.changes.is_none());
    let last = server.app.live.last();
    let missed = admin(last - 1).await;
    assert!(missed.changes.as_ref().is_some_and(|changes| changes.len() == 1), "{missed:?}");
}

#[apply(on_both_engines!)]
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
    let received = events(&two, "/api/events", 2, async {
        one.artist("Seen everywhere", None).await;
    })
    .await;
    assert!(received[1].contains("\"table\":\"artists\""));
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

#[tokio::test]
async fn streams_of_one_instance_are_bounded() {
    let server =
        TestServer::start_prepared(Engine::Sqlite, |_| {}, |_, app| app.streams = Slots::new(0)).await;
    let refused = server.get("/api/events").await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::SERVICE_UNAVAILABLE, "busy".to_owned()));
    assert_eq!(refused.header("retry-after"), "30");
}

/// A second instance on the database of `server`, caught up and no longer following by itself.
async fn resting_instance(server: &TestServer) -> AppState {
    let db = match &server.app.db {
        Db::Sqlite { .. } => Db::open(None, server.data.path()).await.unwrap(),
        Db::Postgres { .. } => Db::open(server.database_url().as_deref(), server.data.path()).await.unwrap(),
    };
    let settings = settings(&server.base, server.data.path());
    let origin = settings.check().unwrap();
    let (storage, clock) = (server.app.storage.clone(), server.app.clock.clone());
    let web = Web::new(&settings, web_app());
    let app =
        start::assemble(&settings, origin, db, storage, clock, server.app.stop.clone(), web).await.unwrap();
    AppState::new(app)
}

/// Sends a request to an instance without a listener.
async fn ask(app: &AppState, path: &str) -> axum::response::Response {
    use tower::ServiceExt as _;
    let peer = axum::extract::ConnectInfo(std::net::SocketAddr::from(([127, 0, 0, 1], 1)));
    let request = http::Request::get(path).extension(peer).body(axum::body::Body::empty()).unwrap();
    deadwax::routes::router(app.clone()).oneshot(request).await.unwrap()
}

async fn settings_shown(app: &AppState) -> serde_json::Value {
    let response = ask(app, "/api/maintenance/releases").await;
    let bytes = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
    serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()["is_maintenance_mode"].clone()
}

#[apply(on_both_engines!)]
async fn a_change_not_applied_yet_is_neither_announced_nor_lost(engine: Engine) {
    let server = TestServer::start(engine).await;
    let resting = resting_instance(&server).await;
    let before = resting.live.last();
    let position = |id| server.app.live.position(id);
    assert_eq!(settings_shown(&resting).await, false);
    let mut desk = server.desk().await;
    let path = "/api/admin/maintenance/releases";
    let switched = desk.patch(path, serde_json::json!({"is_maintenance_mode": true})).await;
    assert_eq!(switched.status, StatusCode::OK);
    assert!(server.app.live.last() > before, "the instance that answered has applied it");

    // The row is stored but the cache is old: announcing the change now would make browsers read the old answer.
    assert_eq!(settings_shown(&resting).await, false);
    let response = ask(&resting, &format!("/api/events?after={}", position(before))).await;
    let mut stream = response.into_body().into_data_stream();
    let hello = stream.next().await.unwrap().unwrap();
    assert!(hello.starts_with(b"retry: 1000\nevent: hello"), "{hello:?}");
    assert!(futures_util::FutureExt::now_or_never(stream.next()).is_none(), "nothing was missed so far");

    resting.live.catch_up().await.unwrap();
    let mut received = String::new();
    while !received.contains("maintenance_settings") {
        let next = tokio::time::timeout(RECEIVE_TIMEOUT, stream.next()).await;
        received +=
            std::str::from_utf8(&next.expect("an event when it is applied").unwrap().unwrap()).unwrap();
    }
    assert_eq!(settings_shown(&resting).await, true);

    // A browser coming from the other instance is ahead of this one.
    server.sql("UPDATE maintenance_settings SET version = version + 1").await;
    server.wait_for_changes().await;
    assert!(resting.live.last() < server.app.live.last());
    let ahead = position(server.app.live.last());
    let response = ask(&resting, &format!("/api/events?after={ahead}")).await;
    let hello = response.into_body().into_data_stream().next().await.unwrap().unwrap();
    assert!(hello.ends_with(format!("{{\"last\":{ahead}}}\n\n").as_bytes()), "{hello:?}");
}

#[apply(on_both_engines!)]
async fn a_read_after_a_write_shows_its_effect(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = json(desk.post("/api/admin/artists", serde_json::json!({"name": "0"})).await);
    let id = artist["id"].as_str().unwrap().to_owned();
    let mut version = artist["version"].as_i64().unwrap();
    // Constant reads, so that answers are built while rows change.
    let reading = tokio_util::sync::CancellationToken::new();
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (client, base, reading) = (server.client.clone(), server.base.clone(), reading.clone());
            tokio::spawn(reading.run_until_cancelled_owned(async move {
                loop {
                    for path in ["/api/artists", "/api/maintenance"] {
                        client.get(format!("{base}{path}")).send().await.unwrap().bytes().await.unwrap();
                    }
                }
            }))
        })
        .collect();
    for round in 1..=40 {
        let on = round % 2 == 1;
        let path = "/api/admin/maintenance/releases";
        let answer = desk.patch(path, serde_json::json!({"is_maintenance_mode": on})).await;
        assert_eq!(answer.status, StatusCode::OK);
        let shown = server.get("/api/maintenance").await.json();
        let releases = shown["items"].as_array().unwrap().iter().find(|row| row["page_key"] == "releases");
        assert_eq!(releases.unwrap()["is_maintenance_mode"], on, "round {round}");

        let name = round.to_string();
        let body = serde_json::json!({"name": name});
        let answer = desk.edit(&format!("/api/admin/artists/{id}"), version, body).await;
        version = json(answer)["version"].as_i64().unwrap();
        let shown = server.get("/api/artists").await.json();
        assert_eq!(shown["items"][0]["name"], name.as_str(), "round {round}");
    }
    reading.cancel();
    for reader in readers {
        reader.await.unwrap();
    }
}

fn json(answer: crate::support::Answer) -> serde_json::Value {
    assert!(answer.status.is_success(), "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn a_write_to_one_instance_shows_on_the_other_once_announced() {
    let one = TestServer::start(Engine::Postgres).await;
    let two = TestServer::start_beside(&one).await;
    let mut desk = one.desk().await;
    two.wait_for_changes().await;
    let mut stream = two.client.get(format!("{}/api/events", two.base)).send().await.unwrap().bytes_stream();
    for round in 1..=20 {
        let on = round % 2 == 1;
        two.get("/api/maintenance/store").await;
        let path = "/api/admin/maintenance/store";
        desk.patch(path, serde_json::json!({"is_maintenance_mode": on})).await;
        let mut received = String::new();
        while !received.contains("maintenance_settings") {
            let next = tokio::time::timeout(RECEIVE_TIMEOUT, stream.next()).await;
            received += std::str::from_utf8(&next.expect("the other tells it").unwrap().unwrap()).unwrap();
        }
        let shown = two.get("/api/maintenance/store").await.json();
        assert_eq!(shown["is_maintenance_mode"], on, "round {round}");
    }
}

#[apply(on_both_engines!)]
async fn an_unknown_position_is_reported_as_missed_or_refused(engine: Engine) {
    let server = TestServer::start(engine).await;
    let received = events(&server, "/api/events?after=9223372036854775807", 2, async {}).await;
    assert!(received[1].contains("event: resync"), "{received:?}");
    let refused = server.get("/api/events?after=-1").await;
    assert_eq!(refused.status, 422, "{refused:?}");
    let wrong = server.get("/api/events?after=x").await;
    assert_eq!(
        (refused.problem(), refused.json()["fields"].clone()),
        (wrong.problem(), wrong.json()["fields"].clone())
    );
}
