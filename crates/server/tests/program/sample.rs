use deadwax::sample::{
    catalogue,
    load::{Outcome, load},
};
use macro_rules_attribute::apply;
use reqwest::StatusCode;
use serde_json::Value;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

async fn load_into(server: &TestServer) -> Outcome {
    load(&server.app.db, &server.app.storage, &server.app.clock).await.unwrap()
}

async fn items(server: &TestServer, path: &str) -> Vec<Value> {
    let answer = server.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}");
    answer.json()["items"].as_array().unwrap().clone()
}

fn files(server: &TestServer) -> usize {
    ["artists", "releases"]
        .iter()
        .map(|folder| {
            std::fs::read_dir(server.data.path().join("media").join(folder)).map_or(0, Iterator::count)
        })
        .sum()
}

#[apply(on_both_engines!)]
async fn a_running_server_shows_the_whole_sample_and_a_second_load_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    assert!(items(&server, "/api/releases").await.is_empty());
    let (artist_count, release_count) = (catalogue().artists.len(), catalogue().releases.len());
    let outcome = load_into(&server).await;
    assert_eq!(outcome, Outcome::Loaded { artists: artist_count, releases: release_count });
    server.wait_for_changes().await;

    let releases = items(&server, "/api/releases?limit=100").await;
    assert_eq!(releases.len(), release_count);
    let newest = &releases[0];
    assert_eq!(newest["title"], "Dead Air Protocol");
    assert_eq!(newest["date_label"], "2026.10.02");
    assert_eq!(newest["catalog_label"], "404-046");
    assert_eq!(newest["artist"]["name"], "Kesto Vann");
    assert!(newest["embed_url"].as_str().unwrap().starts_with("https://open.spotify.com/embed/album/"));
    assert_eq!(releases.last().unwrap()["date_label"], "No Date");
    let nobodys = releases.iter().find(|release| release["title"] == "Untitled (Run-out)").unwrap();
    assert!(nobodys["artist"].is_null() && nobodys["artist_id"].is_null());

    let artists = items(&server, "/api/artists?limit=100").await;
    assert_eq!(artists.len(), artist_count);
    let names: Vec<&str> = artists.iter().map(|artist| artist["name"].as_str().unwrap()).collect();
    let place = |name| names.iter().position(|known| *known == name).unwrap();
    assert!(place("alva") < place("Kesto Vann") && place("Ärzte im Exil") < place("Kesto Vann"), "{names:?}");
    let labels: Vec<&str> =
        artists.iter().map(|artist| artist["release_count_label"].as_str().unwrap()).collect();
    assert!(labels.contains(&"0 RELEASES") && labels.contains(&"1 RELEASE"), "{labels:?}");
    let kesto = &artists[place("Kesto Vann")];
    assert_eq!(kesto["social_links"]["website"], "https://kestovann.example/");
    assert!(artists[place("Lacuna")]["social_links"]["twitter"].is_null());

    for picture in [("cover_image_url", newest), ("image_small_url", newest), ("image_url", kesto)] {
        let address = picture.1[picture.0].as_str().unwrap();
        let (kind, width) =
            if picture.0 == "image_small_url" { ("image/webp", 640) } else { ("image/png", 1000) };
        let answer = server.get(address).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, kind), "{address}");
        assert_eq!(image::load_from_memory(&answer.bytes).unwrap().width(), width);
    }
    assert_eq!((&newest["image_width"], &newest["image_height"]), (&1000.into(), &1000.into()));

    // Every size is among the sample's files: none is left to be made.
    assert_eq!(deadwax_store::picture_sizes::waiting(&server.app.db).await.unwrap(), 0);

    // Loading again changes nothing.
    let (before, stored) = (server.get("/api/releases").await.bytes, files(&server));
    let again = load_into(&server).await;
    let (artists, releases) = (i64::try_from(artist_count).unwrap(), i64::try_from(release_count).unwrap());
    assert_eq!(again, Outcome::AlreadyThere { artists, releases });
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/releases").await.bytes, before);
    assert_eq!(files(&server), stored);
}

#[apply(on_both_engines!)]
async fn a_label_with_its_own_artist_is_left_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let id = match engine {
        Engine::Sqlite => "x'01975a00000070008000000000000001'",
        Engine::Postgres => "'01975a00-0000-7000-8000-000000000001'",
    };
    server.sql(&format!("INSERT INTO artists (id, name, sort_key) VALUES ({id}, 'Ours', 'ours')")).await;
    let outcome = load_into(&server).await;
    assert_eq!(outcome, Outcome::AlreadyThere { artists: 1, releases: 0 });
    assert_eq!(outcome.to_string(), "nothing loaded: there are already 1 artists and 0 releases");
    server.wait_for_changes().await;
    assert_eq!(items(&server, "/api/artists").await.len(), 1);
    assert!(items(&server, "/api/releases").await.is_empty());
    assert_eq!(files(&server), 0);
}

#[apply(on_both_engines!)]
async fn two_loaders_at_once_load_once(engine: Engine) {
    let server = TestServer::start(engine).await;
    let (one, other) = tokio::join!(load_into(&server), load_into(&server));
    let loaded = |outcome: Outcome| usize::from(matches!(outcome, Outcome::Loaded { .. }));
    assert_eq!(loaded(one) + loaded(other), 1, "{one:?} {other:?}");
    server.wait_for_changes().await;
    assert_eq!(items(&server, "/api/releases?limit=100").await.len(), catalogue().releases.len());
    let label = catalogue();
    let pictures = label.artists.iter().filter(|artist| artist.image_url.is_some()).count()
        + label.releases.iter().filter(|one| one.release.cover_image_url.is_some()).count();
    assert_eq!(files(&server), pictures * 2, "the loser's files are gone");
}
