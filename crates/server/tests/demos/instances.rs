use futures_util::future::join_all;

use super::sender::{Sender, plain, wav};
use crate::support::{Engine, TestServer};

/// Two servers that share a database and the stored files.
async fn two() -> (TestServer, TestServer) {
    let first = TestServer::start(Engine::Postgres).await;
    let second = TestServer::start_beside(&first).await;
    (first, second)
}

#[tokio::test]
async fn any_instance_takes_the_next_request() {
    let (first, second) = two().await;
    let (sender, bytes) = (Sender::of(&first), wav(900_000, 1));
    let other = sender.at_instance(&second);
    let path = sender.create(bytes.len()).await;
    for (number, piece) in bytes.chunks(100_000).enumerate() {
        let sender = if number % 2 == 0 { &other } else { &sender };
        assert_eq!(sender.offset(&path).await, number * 100_000);
        assert_eq!(sender.patch(&path, number * 100_000, piece.to_vec()).await.status, 204);
    }
    let [file] = <[String; 1]>::try_from(first.files("media/demos")).unwrap();
    assert_eq!(std::fs::read(first.data.path().join("media/demos").join(file)).unwrap(), bytes);
    for sender in [&sender, &other] {
        assert_eq!(sender.patch(&path, 800_000, bytes[800_000..].to_vec()).await.status, 204);
    }
    assert_eq!((first.count("demos").await, first.count("outbox").await), (1, 2));
    first.wait_for_sweep().await;
}

#[tokio::test]
async fn the_instance_that_began_last_writes() {
    let (first, second) = two().await;
    let (sender, bytes) = (Sender::of(&first), wav(300_000, 2));
    let other = sender.at_instance(&second);
    let path = sender.create(bytes.len()).await;
    let hanging = sender.begin_patch(&path, 0, &bytes[..100_000], bytes.len()).await;
    first.wait_until("it writes", async || !first.files("spool").is_empty()).await;
    assert_eq!(other.patch(&path, 0, bytes[..150_000].to_vec()).await.status, 204);
    drop(hanging);
    first.wait_until("the other one gave up", async || first.files("spool").is_empty()).await;
    assert_eq!(sender.offset(&path).await, 150_000);
    assert_eq!(first.count("upload_parts").await, 1);
    assert_eq!(sender.patch(&path, 150_000, bytes[150_000..].to_vec()).await.status, 204);
    first.wait_for_sweep().await;
    assert_eq!((first.count("demos").await, first.files("media/demos").len()), (1, 1));
}

#[tokio::test]
async fn many_requests_at_two_instances_make_one_demo() {
    let (first, second) = two().await;
    let (sender, bytes) = (Sender::of(&first), wav(200_000, 3));
    for round in 0..5 {
        let sender = Sender::of(&first);
        let path = sender.create(bytes.len()).await;
        let senders = [sender.clone(), sender.at_instance(&second)];
        let all = (0..6).map(|number| senders[number % 2].patch(&path, 0, bytes.clone()));
        for answer in join_all(all).await {
            assert!(matches!(answer.status.as_u16(), 204 | 409 | 429), "{answer:?}");
        }
        let offset = sender.offset(&path).await;
        if offset < bytes.len() {
            assert_eq!(sender.patch(&path, offset, bytes[offset..].to_vec()).await.status, 204);
        }
        assert_eq!(
            (first.count("demos").await, first.count("outbox WHERE kind = 'demo'").await),
            (round + 1, round + 1)
        );
    }
    drop(sender);
    first.wait_for_sweep().await;
    assert_eq!(first.files("media/demos").len(), 5);
}

#[tokio::test]
async fn a_bucket_keeps_parts_and_demos_as_a_folder_does() {
    let (folder, url) = crate::support::bucket::bucket().await;
    let storage =
        deadwax_store::storage::Storage::open(Some(&url), std::path::Path::new("/nowhere")).unwrap();
    let server = TestServer::start_with_storage(Engine::Sqlite, storage).await;
    let stored = |under: &str| -> Vec<std::path::PathBuf> {
        let Ok(entries) = std::fs::read_dir(folder.path().join("label").join(under)) else {
            return Vec::new();
        };
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    // One piece, two, and several.
    for (round, size) in [100_000, 5 * 1024 * 1024, 17_000_003].into_iter().enumerate() {
        let (sender, bytes) = (Sender::of(&server), wav(size, 4));
        let path = sender.create(size).await;
        let cut = size * 2 / 3;
        assert_eq!(sender.patch(&path, 0, bytes[..cut].to_vec()).await.status, 204);
        assert_eq!(stored("parts").len(), 1);
        assert_eq!(sender.patch(&path, cut, bytes[cut..].to_vec()).await.status, 204);
        let demos = stored("demos");
        assert_eq!(demos.len(), round + 1);
        assert!(demos.iter().any(|file| std::fs::read(file).unwrap() == bytes));
        server.wait_until("the part is gone", async || stored("parts").is_empty()).await;
    }
    assert_eq!(server.findings().await, [""; 0]);
    server.wait_for_sweep().await;
}

#[tokio::test]
async fn a_storage_out_of_reach_costs_the_request_and_nothing_else() {
    let (_folder, url) = crate::support::bucket::bucket().await;
    let good = deadwax_store::storage::Storage::open(Some(&url), std::path::Path::new("/nowhere")).unwrap();
    let bad = deadwax_store::storage::Storage::open(
        Some("s3://id:secret@label?endpoint=http://127.0.0.1:1&region=us-east-1"),
        std::path::Path::new("/nowhere"),
    )
    .unwrap();
    let server = TestServer::start_with_storage(Engine::Sqlite, bad).await;
    let (sender, bytes) = (Sender::of(&server), wav(1000, 5));
    let path = sender.announce(1000, &plain("set.wav")).await.header("location").to_owned();
    let answer = sender.patch(&path, 0, bytes[..500].to_vec()).await;
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (503, "unavailable"));
    assert_eq!(sender.offset(&path).await, 0);
    assert_eq!((server.files("spool"), server.count("upload_parts").await), (vec![], 0));
    drop(good);
}
