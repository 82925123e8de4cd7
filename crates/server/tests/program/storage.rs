//! An unusable bucket: the first start fails with one line that names the cause; later the running program reports it.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadwax::files::hero;
use deadwax_store::storage::Storage;
use http::Method;
use macro_rules_attribute::apply;
use tokio::sync::Notify;

use super::program::{deadwax, line};
use crate::{
    on_both_engines,
    support::{
        Engine, NOON, RECEIVE_TIMEOUT, TestServer,
        bucket::{bucket, faulty_bucket},
    },
};

/// The exit code and output of the program with a bucket at `url`.
async fn started(command: &'static str, url: String) -> (Option<i32>, String) {
    let run = move || {
        let data = tempfile::tempdir().unwrap();
        let output = deadwax(data.path(), &[command], &[("STORAGE_URL", &url)]);
        (output.status.code(), line(&output))
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[tokio::test]
async fn a_bucket_that_cannot_be_used_stops_the_first_start() {
    for (method, status, code, said) in [
        (None, 404, "NoSuchBucket", "there is no bucket label at http://127.0.0.1:"),
        (None, 404, "", "there is no bucket label at http://127.0.0.1:"),
        (None, 301, "PermanentRedirect", "is in another region"),
        (None, 400, "AuthorizationHeaderMalformed", "is in another region; write &region=eu-central-1"),
        (Some(Method::PUT), 403, "AccessDenied", "the key may not write into the bucket label"),
        (Some(Method::GET), 403, "AccessDenied", "the key may not read from the bucket label"),
        (Some(Method::POST), 403, "AccessDenied", "the key may not remove from the bucket label"),
        (Some(Method::HEAD), 403, "", "the key may not list the bucket label"),
        (Some(Method::PUT), 200, "", "does not know conditional writes"),
        (Some(Method::PUT), 501, "NotImplemented", "does not know conditional writes"),
    ] {
        let fault = {
            let method = method.clone();
            move |asked: &Method, _: &str| {
                method.as_ref().is_none_or(|method| method == asked).then_some((status, code))
            }
        };
        let (_folder, url) = faulty_bucket(fault).await;
        let (ended, text) = started(if code == "NoSuchBucket" { "sample" } else { "serve" }, url).await;
        assert_eq!(ended, Some(78), "{method:?} {status} {code}: {text}");
        assert!(text.starts_with("deadwax: STORAGE_URL: "), "{text}");
        assert!(text.contains(said) && text.lines().count() == 1, "{method:?} {status} {code}: {text}");
    }
    let (_folder, url) = bucket().await;
    let (ended, text) = started("serve", url.replace(":secret@", ":hunter2@")).await;
    assert_eq!(ended, Some(78), "{text}");
    assert!(text.contains("does not accept this key and secret"), "{text}");
    let nowhere = "s3://id:hunter2@label?endpoint=http://127.0.0.1:1&region=us-east-1".to_owned();
    let (ended, text) = started("serve", nowhere).await;
    assert_eq!(ended, Some(1), "{text}");
    assert!(text.contains("the bucket label at http://127.0.0.1:1 does not answer: "), "{text}");
    assert!(text.lines().count() == 1 && !text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn a_probe_that_is_given_up_leaves_nothing() {
    let is_read = Arc::new(Notify::new());
    let fault = {
        let is_read = Arc::clone(&is_read);
        move |method: &Method, _: &str| {
            if *method == Method::GET {
                is_read.notify_one();
            }
            None
        }
    };
    let (folder, url) = faulty_bucket(fault).await;
    let storage = Storage::open(Some(&url), Path::new("/")).unwrap();
    tokio::select! {
        biased;
        () = is_read.notified() => {}
        probed = storage.probe() => panic!("{probed:?}"),
    }
    let left = || std::fs::read_dir(folder.path().join("label")).unwrap().count();
    let wait = async {
        while left() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(tokio::time::timeout(RECEIVE_TIMEOUT, wait).await.is_ok(), "{} files are left", left());
}

#[apply(on_both_engines!)]
async fn a_bucket_lost_later_is_reported(engine: Engine) {
    let is_gone = Arc::new(AtomicBool::new(false));
    let fault = {
        let is_gone = Arc::clone(&is_gone);
        move |_: &Method, _: &str| is_gone.load(Ordering::SeqCst).then_some((404, "NoSuchBucket"))
    };
    let (folder, url) = faulty_bucket(fault).await;
    let server =
        TestServer::start_with_storage(engine, Storage::open(Some(&url), Path::new("/")).unwrap()).await;
    server.app.storage.probe().await.unwrap();
    let left = std::fs::read_dir(folder.path().join("label")).unwrap().count();
    assert_eq!(left, 0, "nothing is left of a probe");
    hero::install(&server.app.db, &server.app.storage, NOON).await.unwrap();
    assert_eq!(server.findings().await, [""; 0]);

    is_gone.store(true, Ordering::SeqCst);
    assert_eq!(server.get("/readyz").await.status, 503);
    let said = "STORAGE_URL: there is no bucket label at http://127.0.0.1:";
    let findings = server.findings().await;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].starts_with(&format!("files cannot be stored: {said}")), "{findings:?}");
    let items = server.desk().await.get("/api/admin/security/checklist").await.json();
    let entry =
        items["items"].as_array().unwrap().iter().find(|item| item["id"] == "upload_validation").unwrap();
    assert_eq!(entry["status"], "fail", "{entry}");
    let details = entry["details"].as_str().unwrap();
    assert!(details.contains(&format!("Files cannot be stored: {said}")), "{details}");
}
