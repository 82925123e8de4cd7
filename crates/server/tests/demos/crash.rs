//! `kill -9` of the program in the middle of uploads.

use std::{path::Path, process::Command, time::Duration};

use super::sender::{Sender, wav};
use crate::support::serving::serve;

async fn wait_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..1000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{what} did not come about within 20 seconds");
}

fn files(data: &Path, folder: &str) -> usize {
    std::fs::read_dir(data.join(folder)).map_or(0, |entries| entries.count())
}

#[tokio::test]
async fn a_killed_server_leaves_nothing_behind_and_its_uploads_go_on() {
    let data = tempfile::tempdir().unwrap();
    let bytes = wav(3_000_000, 1);
    let (server, base) = serve(data.path()).await;
    let sender = Sender::at(&base, "10.1.1.1");
    let path = sender.create(bytes.len()).await;
    assert_eq!(sender.patch(&path, 0, bytes[..1_000_000].to_vec()).await.status, 204);
    let _hanging = sender.begin_patch(&path, 1_000_000, &bytes[1_000_000..2_500_000], 2_000_000).await;
    let other = Sender::at(&base, "10.1.1.2");
    let forgotten = other.create(bytes.len()).await;
    let _other = other.begin_patch(&forgotten, 0, &bytes[..500_000], bytes.len()).await;
    wait_until("two files are on their way", async || files(data.path(), "spool") == 2).await;
    drop(server);
    assert_eq!(files(data.path(), "spool"), 2, "nobody was left to clean up");

    let (server, base) = serve(data.path()).await;
    assert_eq!((files(data.path(), "spool"), files(data.path(), "media/demos")), (0, 0));
    let sender = Sender::at(&base, "10.1.1.1");
    assert_eq!(sender.offset(&path).await, 1_000_000);
    assert_eq!(Sender::at(&base, "10.1.1.2").offset(&forgotten).await, 0);
    assert_eq!(sender.patch(&path, 1_000_000, bytes[1_000_000..].to_vec()).await.status, 204);
    assert_eq!(Sender::at(&base, "10.1.1.2").end(&forgotten).await.status, 204);
    wait_until("the parts are gone", async || files(data.path(), "media/parts") == 0).await;
    let demo = std::fs::read_dir(data.path().join("media/demos")).unwrap().next().unwrap().unwrap();
    assert_eq!(std::fs::read(demo.path()).unwrap(), bytes);
    assert_eq!(files(data.path(), "mail"), 2, "two letters");
    // The analysis reads the file from here.
    wait_until("the spool is empty", async || files(data.path(), "spool") == 0).await;
    drop(server);
    let check = Command::new(env!("CARGO_BIN_EXE_deadwax"))
        .arg("check")
        .env_clear()
        .env("DEADWAX_DATA_DIR", data.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&check.stdout), "nothing to report\n");
}
