//! Failures that runs put right by themselves: damaged files of the store, runs that were killed, another place, a disk without room.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use deadwax::operation::backup;
use deadwax_store::{
    backup_runs::{self, Kind, Run},
    objects::{self, Fingerprint, NewObject},
    storage::Storage,
};
use http::Method;
use macro_rules_attribute::apply;
use tempfile::TempDir;

use super::{Backed, Place, SECOND, label};
use crate::{
    on_both_engines,
    support::{Engine, NOON, TestServer, bucket::faulty_bucket},
};

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// A proof names the first damaged file, and asks for a backup that writes all of them again.
#[apply(on_both_engines!)]
async fn damaged_files_are_written_again_by_the_next_run(engine: Engine) {
    for is_sealed in [true, false] {
        let backed = Backed::in_folder(engine, is_sealed).await;
        backed.back_up().await;
        let files = backed.objects("files");
        assert_eq!(files.len(), 2);
        files.iter().for_each(|path| flip(path));
        let words = backed.disproof().await;
        assert!(words.ends_with(", and 1 more are damaged"), "{words}");
        assert_eq!(backed.objects("doubts").len(), 2);
        let backup = backed.due().await.into_iter().find(|run| run.kind == Kind::Backup).unwrap();
        assert!(backup.next_try_at <= backed.server.app.clock.now(), "{backup:?}");
        backed.back_up().await;
        assert_eq!(backed.objects("files"), files);
        assert_eq!(backed.objects("doubts"), Vec::<PathBuf>::new());
        assert_eq!(backed.run(Kind::Proof).await.failure, None);
        assert_eq!(backed.restore(&Place::new(engine).await, "").await.unwrap().report.objects, 2);
    }
}

/// As a bad sector: one file cannot be read until it is written anew, all others can.
#[apply(on_both_engines!)]
async fn a_file_that_cannot_be_read_is_written_again_too(engine: Engine) {
    let unread = Arc::new(Mutex::new(String::new()));
    let fault = {
        let unread = Arc::clone(&unread);
        move |method: &Method, path: &str| {
            let mut unread = unread.lock().unwrap();
            if *method == Method::PUT && path == *unread {
                unread.clear();
            }
            (path == *unread).then_some((403, "AccessDenied"))
        }
    };
    let (folder, url) = faulty_bucket(fault).await;
    let backed = Backed::new(label(engine).await, folder, url, true);
    backed.back_up().await;
    let files = backed.objects("files");
    let path = files[0].strip_prefix(backed.folder.path()).unwrap().display().to_string();
    *unread.lock().unwrap() = format!("/{path}");
    let words = backed.disproof().await;
    assert!(words.contains(path.trim_start_matches("label/")), "{words}");
    assert!(words.contains("cannot be read"), "{words}");
    assert_eq!(backed.objects("doubts").len(), 1);
    let backup = backed.due().await.into_iter().find(|run| run.kind == Kind::Backup).unwrap();
    assert!(backup.next_try_at <= backed.server.app.clock.now(), "{backup:?}");
    backed.back_up().await;
    assert_eq!(*unread.lock().unwrap(), "", "it was written anew");
    assert_eq!(backed.objects("files"), files);
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
}

/// A demo: a run outlives it, and does not name its artist.
const UNREAD: &str = "demos/1764000000000_0badcafe_Unread_Sound.wav";

/// A label of two files, of which the bucket refuses to give one.
async fn label_with_a_refused_file(engine: Engine, refusal: (u16, &'static str)) -> (TempDir, TestServer) {
    let fault = move |method: &Method, path: &str| {
        (path.contains("Unread") && matches!(*method, Method::GET | Method::HEAD)).then_some(refusal)
    };
    let (media, media_url) = faulty_bucket(fault).await;
    let storage = Storage::open(Some(&media_url), Path::new("/nowhere")).unwrap();
    let server = TestServer::start_with_storage(engine, storage).await;
    for key in [UNREAD, "uploads/whole.png"] {
        server.app.storage.put_new(key, Bytes::from_static(key.as_bytes())).await.unwrap();
        let mut tx = server.app.db.begin().await.unwrap();
        let fingerprint = Fingerprint::of(key.as_bytes());
        let object = NewObject::new(key, fingerprint);
        objects::insert(&mut tx, &object, NOON).await.unwrap();
        tx.commit().await.unwrap();
    }
    (media, server)
}

/// A file of the label that cannot be read is named, and the rest is backed up.
#[apply(on_both_engines!)]
async fn an_unreadable_file_of_the_label_is_a_warning(engine: Engine) {
    let (_media, server) = label_with_a_refused_file(engine, (403, "AccessDenied")).await;
    let copy = tempfile::tempdir().unwrap();
    let app = &server.app;
    let report = backup::backup(&app.db, &app.storage, &app.clock, copy.path()).await.unwrap();
    assert_eq!(report.damaged, [UNREAD]);
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().display().to_string();
    let backed = Backed::new(server, folder, url, true);
    let run = backed.run(Kind::Backup).await;
    assert_eq!((run.failure, run.file_count), (None, 1));
    let words = run.warning.unwrap();
    assert!(words.contains("demos/1764000000000_0badcafe is damaged") && !words.contains("Sound"), "{words}");
}

/// A busy bucket gives the file later, so no backup goes without it.
#[apply(on_both_engines!)]
async fn a_file_that_a_busy_bucket_refuses_is_not_left_out(engine: Engine) {
    let (_media, server) = label_with_a_refused_file(engine, (503, "SlowDown")).await;
    let copy = tempfile::tempdir().unwrap();
    let app = &server.app;
    // The operator who makes a copy reads the name, and may try again.
    let report = backup::backup(&app.db, &app.storage, &app.clock, copy.path()).await.unwrap();
    assert_eq!(report.damaged, [UNREAD]);
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().display().to_string();
    let backed = Backed::new(server, folder, url, true);
    let run = backed.run(Kind::Backup).await;
    let words = run.failure.unwrap();
    assert!(words.contains("503") && words.contains("0badcafe") && !words.contains("Sound"), "{words}");
    assert_eq!(backed.objects("manifests"), Vec::<PathBuf>::new());
    let next = backed.due().await.remove(0);
    assert_eq!(next.next_try_at - backed.server.app.clock.now(), 15 * 60 * SECOND);
}

/// A store that is busy has no damage: no file is doubted, and none is read back for want of a manifest.
#[apply(on_both_engines!)]
async fn a_busy_store_is_asked_again_later(engine: Engine) {
    let busy = Arc::new(Mutex::new(None));
    let fault = {
        let busy = Arc::clone(&busy);
        move |method: &Method, path: &str| {
            let is_busy = busy.lock().unwrap().is_some_and(|folder| path.starts_with(folder));
            (is_busy && matches!(*method, Method::GET | Method::HEAD)).then_some((503, "SlowDown"))
        }
    };
    let (folder, url) = faulty_bucket(fault).await;
    let backed = Backed::new(label(engine).await, folder, url, true);
    backed.back_up().await;
    *busy.lock().unwrap() = Some("/label/files/");
    let words = backed.disproof().await;
    assert!(words.contains("503") && !words.contains("damaged"), "{words}");
    assert_eq!(backed.objects("doubts"), Vec::<PathBuf>::new());
    let backup = backed.due().await.into_iter().find(|run| run.kind == Kind::Backup).unwrap();
    assert!(backup.next_try_at > backed.server.app.clock.now(), "{backup:?}");
    *busy.lock().unwrap() = Some("/label/manifests/");
    let run = backed.run(Kind::Backup).await;
    assert!(run.failure.is_some_and(|words| words.contains("503")));
    assert_eq!(backed.server.count("limits WHERE key LIKE 'backup:%'").await, 0, "files are deleted again");
    *busy.lock().unwrap() = None;
    backed.back_up().await;
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
}

/// The key of the bucket may not remove, so the doubt about a file that is whole stays.
#[apply(on_both_engines!)]
async fn a_doubt_that_the_store_keeps_is_a_warning(engine: Engine) {
    let removes_nothing =
        |method: &Method, _: &str| (method == Method::POST).then_some((403, "AccessDenied"));
    let (folder, url) = faulty_bucket(removes_nothing).await;
    let backed = Backed::new(label(engine).await, folder, url, true);
    backed.back_up().await;
    let file = backed.objects("files").remove(0);
    flip(&file);
    backed.disproof().await;
    flip(&file);
    for _ in 0..2 {
        let run = backed.run(Kind::Backup).await;
        assert_eq!((run.failure, run.file_count), (None, 2));
        let words = run.warning.unwrap();
        assert!(words.contains("does not let doubts/files/"), "{words}");
    }
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
}

/// A run that ended before its manifest, or after a file was read back damaged, vouches for none of its files.
#[apply(on_both_engines!)]
async fn files_of_an_unfinished_run_are_read_again(engine: Engine) {
    let backed = Backed::in_folder(engine, true).await;
    backed.back_up().await;
    for manifest in backed.objects("manifests") {
        fs::remove_file(manifest).unwrap();
    }
    let files = backed.objects("files");
    flip(&files[0]);
    let run = backed.back_up().await;
    assert!(run.new_bytes > 0 && run.file_count == 2, "{run:?}");
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
}

/// Where the label's own file is lost too, the backup says so and keeps what the store has.
#[apply(on_both_engines!)]
async fn a_damaged_file_without_a_source_is_a_warning(engine: Engine) {
    let backed = Backed::in_folder(engine, true).await;
    backed.back_up().await;
    let files = backed.objects("files");
    files.iter().for_each(|path| flip(path));
    backed.disproof().await;
    let mut media = Vec::new();
    super::walk(&backed.server.data.path().join("media"), &mut media);
    fs::remove_file(&media[0]).unwrap();
    let run = backed.run(Kind::Backup).await;
    assert_eq!((run.failure, run.file_count), (None, 1));
    assert!(run.warning.unwrap().contains("is damaged"));
    assert_eq!(backed.objects("files"), files);
}

/// The program was killed amid three runs: the fourth is not begun but fails in words, and a later one is begun again.
#[apply(on_both_engines!)]
async fn a_run_that_ends_the_program_is_not_begun_for_ever(engine: Engine) {
    let backed = Backed::in_folder(engine, false).await;
    let (db, now) = (&backed.server.app.db, backed.server.app.clock.now());
    let mut tx = db.begin().await.unwrap();
    backup_runs::ask(&mut tx, Kind::Backup, now, now).await.unwrap();
    tx.commit().await.unwrap();
    for kill in 0..3 {
        let leased = backup_runs::lease(db, now + kill, now + kill + 1).await.unwrap().unwrap();
        assert_eq!(leased.tries, kill + 1);
    }
    let run = backed.run(Kind::Backup).await;
    assert_eq!(run.failure.as_deref(), Some("the program was ended amid it 3 times"));
    assert_eq!(backed.objects("rows").len(), 0);
    let next = backed.due().await.remove(0);
    assert_eq!(next.next_try_at - backed.server.app.clock.now(), 15 * 60 * SECOND);
    backed.back_up().await;
}

#[apply(on_both_engines!)]
async fn another_place_is_backed_up_to_at_once(engine: Engine) {
    let mut backed = Backed::in_folder(engine, false).await;
    backed.back_up().await;
    let is_queued = |runs: &[Run]| runs.len() == 2;
    backed.start_job(is_queued).await;
    let soon = backed.server.app.clock.now() + 10 * SECOND;
    assert!(backed.due().await.iter().all(|run| run.next_try_at > soon));
    let other = tempfile::tempdir().unwrap();
    backed.url = other.path().display().to_string();
    backed.start_job(|runs| runs.iter().any(|run| run.kind == Kind::Backup && run.next_try_at == soon)).await;
    backed.back_up().await;
    // The former place is known again.
    backed.url = backed.folder.path().display().to_string();
    backed.start_job(is_queued).await;
    assert!(backed.due().await.iter().all(|run| run.next_try_at > soon));
}

/// A disk of so many KiB.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// Only root can; the error says why not.
    fn mount(kib: u32) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "none"]).arg(folder.path());
        let output = mount.output().map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(Self(folder))
        } else {
            Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(self.0.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

#[apply(on_both_engines!)]
async fn a_full_disk_is_reported_and_harms_no_former_backup(engine: Engine) {
    let disk = match SmallDisk::mount(8 * 1024) {
        Ok(disk) => disk,
        Err(why) => {
            // The macros' output is shown of failed tests only.
            let words = format!("\nthe test of a full disk is left out: {why}\n");
            std::io::stderr().write_all(words.as_bytes()).unwrap();
            return;
        }
    };
    let mut backed = Backed::in_folder(engine, true).await;
    backed.url = disk.0.path().display().to_string();
    backed.back_up().await;
    let ballast = disk.0.path().join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write_all(&[7; 4096]).is_ok() {}
    drop(file);
    // Room for some of the tables.
    fs::File::options()
        .write(true)
        .open(&ballast)
        .unwrap()
        .set_len(ballast.metadata().unwrap().len() - 65_536)
        .unwrap();
    let run = backed.run(Kind::Backup).await;
    let words = run.failure.unwrap();
    assert!(
        words.starts_with(&format!("{}/rows/", backed.url)) && words.ends_with(": the disk is full"),
        "{words}"
    );
    let rows = fs::read_dir(disk.0.path().join("rows")).unwrap();
    let left = rows.filter(|time| fs::read_dir(time.as_ref().unwrap().path()).unwrap().count() > 0).count();
    assert_eq!(left, 1, "only the former backup has rows");
    backed.restore(&Place::new(engine).await, "").await.unwrap();
    fs::remove_file(&ballast).unwrap();
    backed.back_up().await;
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
}
