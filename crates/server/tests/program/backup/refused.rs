//! Corrupt backups, and targets that are not empty.

use std::{fs, os::unix::fs::symlink, path::Path};

use bytes::Bytes;
use deadwax::operation::backup::{self, BackupError};
use deadwax_store::{
    objects::{self, Fingerprint, NewObject},
    storage::Storage,
};
use macro_rules_attribute::apply;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};

use super::{Place, backed_up, label, manifest};
use crate::{
    on_both_engines,
    support::{Engine, NOON, run_sql},
};

#[apply(on_both_engines!)]
async fn a_damaged_file_is_named_and_the_rest_is_kept(engine: Engine) {
    let server = label(engine).await;
    let key = "uploads/changed.png";
    server.app.storage.put_new(key, Bytes::from_static(b"bytes")).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    let object = NewObject::new(key, Fingerprint::of(b"other"));
    objects::insert(&mut tx, &object, NOON).await.unwrap();
    tx.commit().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let report = backed_up(&server, folder.path()).await;
    assert_eq!(report.damaged, [key]);
    let restored = Place::new(Engine::Sqlite).await.restore(folder.path()).await.unwrap();
    assert_eq!((restored.objects, restored.damaged), (2, vec![key.to_owned()]));
}

#[apply(on_both_engines!)]
async fn nothing_is_restored_over_something(engine: Engine) {
    let server = label(engine).await;
    let folder = tempfile::tempdir().unwrap();
    backed_up(&server, folder.path()).await;
    let again = backup::backup(&server.app.db, &server.app.storage, &server.app.clock, folder.path()).await;
    assert!(matches!(again, Err(BackupError::FolderNotEmpty(_))), "{again:?}");

    let place = Place::new(engine).await;
    place.restore(folder.path()).await.unwrap();
    let twice = place.restore(folder.path()).await;
    assert!(matches!(twice, Err(BackupError::DatabaseNotEmpty(_))), "{twice:?}");
    run_sql(&place.db().await, "UPDATE artists SET name = 'still here'").await;

    let other = Place::new(engine).await;
    let hero = manifest(folder.path())["objects"].as_u64().unwrap();
    assert_eq!(hero, 2);
    let keys: Vec<Value> = fs::read_to_string(folder.path().join("tables/objects.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let storage = Storage::open(None, other.data.path()).unwrap();
    storage.put_new(keys[0]["key"].as_str().unwrap(), Bytes::from_static(b"somebody else's")).await.unwrap();
    let refused = other.restore(folder.path()).await;
    assert!(matches!(refused, Err(BackupError::OtherObject(_))), "{refused:?}");
}

#[apply(on_both_engines!)]
async fn an_altered_backup_is_refused_before_anything_is_written(engine: Engine) {
    let server = label(engine).await;
    let folder = tempfile::tempdir().unwrap();
    backed_up(&server, folder.path()).await;
    let users = folder.path().join("tables/users.jsonl");
    let text = fs::read_to_string(&users).unwrap();
    fs::write(&users, text.replace("mira", "eve1")).unwrap();
    let place = Place::new(engine).await;
    let refused = place.restore(folder.path()).await;
    assert!(
        matches!(&refused, Err(BackupError::Altered(file)) if file == "tables/users.jsonl"),
        "{refused:?}"
    );
    fs::write(&users, &text).unwrap();

    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    let unfinished = place.restore(folder.path()).await;
    assert!(matches!(unfinished, Err(BackupError::NoBackup(..))), "{unfinished:?}");
    assert!(!place.data.path().join("media/assets").exists());
}

fn make_pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// A link or pipe in place of a file may be endless, and a longer file is not the one backed up.
#[apply(on_both_engines!)]
async fn a_restore_reads_regular_files_of_their_size_alone(engine: Engine) {
    let server = label(engine).await;
    let folder = tempfile::tempdir().unwrap();
    backed_up(&server, folder.path()).await;
    let lines = fs::read_to_string(folder.path().join("tables/objects.jsonl")).unwrap();
    let object: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let object = format!("objects/{}", object["key"].as_str().unwrap());
    let kept = folder.path().join("kept");
    let longer = |path: &Path| {
        fs::copy(&kept, path).unwrap();
        fs::File::options().write(true).open(path).unwrap().set_len(1 << 40).unwrap();
    };
    let forms: [&dyn Fn(&Path); 5] = [
        &|path| symlink("/dev/zero", path).unwrap(),
        &|path| symlink(&kept, path).unwrap(),
        &make_pipe,
        &|path| fs::create_dir(path).unwrap(),
        &longer,
    ];
    let place = Place::new(engine).await;
    for name in [object.as_str(), "tables/users.jsonl"] {
        let path = folder.path().join(name);
        fs::rename(&path, &kept).unwrap();
        // A longer table would be read to its end, which this one has.
        for (at, form) in forms.iter().enumerate().filter(|(at, _)| name == object || *at < 4) {
            form(&path);
            let refused = place.restore(folder.path()).await;
            assert!(
                matches!(&refused, Err(BackupError::Altered(file)) if file == name),
                "{name} {at}: {refused:?}"
            );
            if path.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) }.unwrap();
        }
        fs::rename(&kept, &path).unwrap();
    }
    assert!(fs::read_dir(place.data.path().join("spool")).unwrap().next().is_none());
    place.restore(folder.path()).await.unwrap();

    let manifest = folder.path().join("manifest.json");
    fs::remove_file(&manifest).unwrap();
    make_pipe(&manifest);
    let refused = Place::new(engine).await.restore(folder.path()).await;
    assert!(matches!(refused, Err(BackupError::NoBackup(..))), "{refused:?}");
}

/// Table names become part of a path.
#[apply(on_both_engines!)]
async fn tables_that_the_schema_does_not_know_are_not_opened(engine: Engine) {
    let server = label(engine).await;
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("backup");
    backed_up(&server, &folder).await;
    let written = manifest(&folder);
    make_pipe(&outside.path().join("elsewhere.jsonl"));
    make_pipe(&folder.join("tables/sqlite_schema.jsonl"));
    for name in ["../../elsewhere", "sqlite_schema", "", "users\0"] {
        let mut altered = written.clone();
        altered["tables"][name] = json!({ "rows": 0, "sha256": "" });
        fs::write(folder.join("manifest.json"), altered.to_string()).unwrap();
        let refused = Place::new(engine).await.restore(&folder).await;
        assert!(matches!(&refused, Err(BackupError::Altered(_))), "{name}: {refused:?}");
    }
}
