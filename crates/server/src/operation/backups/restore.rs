//! `deadwax restore` from a store of backups, and `deadwax backups`, which lists it.

use std::{fs::File, path::Path};

use deadwax_store::{crypto::Keys, db::Db, new_file, storage::Storage};
use zeroize::Zeroizing;

use super::{
    label::Label,
    names::{key_name, manifests},
    proof,
    store::{Store, StoredBackup, damaged},
};
use crate::operation::backup::{self, BackupError, Openings, Report, at};

/// A backup of a list, or why its manifest cannot be read.
pub type Listed = (String, Result<StoredBackup, BackupError>);

/// All backups of a store, oldest first.
pub fn list(store: &Store<'_>) -> Result<Vec<Listed>, BackupError> {
    let names = manifests(&store.list()?);
    Ok(names.into_iter().map(|name| (name.clone(), store.manifest(&name))).collect())
}

/// A restored label.
#[derive(Debug)]
pub struct Restored {
    /// The name of the backup.
    pub time: String,
    pub report: Report,
    /// Whether the key file came with it.
    pub has_brought_key: bool,
    /// Whether a key file vouched for the backup.
    pub is_authentic: bool,
}

/// Restores the newest backup whose time begins with `time` into an empty database and storage; any, if `time` is empty. Brings the key
/// file along if it is missing here and the owner's key opens it.
pub fn restore(
    store: &mut Store<'_>,
    into: (&Db, &Storage),
    label: &Label,
    time: &str,
    openings: Openings,
) -> Result<Restored, BackupError> {
    let (db, storage) = into;
    let wanted = time.replace(':', "");
    let names = manifests(&store.list()?);
    let is_wanted = |name: &&String| name.trim_start_matches("manifests/").starts_with(&wanted);
    let not_there =
        || BackupError::NotThere(if time.is_empty() { String::new() } else { format!(" of {time}") });
    let name = names.iter().rev().find(is_wanted).ok_or_else(not_there)?;
    let mut stored = store.manifest(name)?;
    let mut brought = None;
    if let Some((keys, text)) = brought_keys(store, &stored, &label.key_path)? {
        store.seals.keys = Some(keys);
        stored = store.manifest(name)?;
        brought = Some(text);
    }
    let scratch = label.scratch()?;
    let folder = scratch.path().join("rows");
    proof::fetch_rows(store, &stored, &folder)?;
    let manifest = store.wait(backup::check(db, &folder))?;
    let objects = copy_in(store, storage, &stored, &folder, scratch.path())?;
    if let Some(text) = &brought {
        new_file::write(&label.key_path, text).map_err(at(&label.key_path))?;
    }
    let report = store.wait(backup::finish(db, &folder, &manifest, openings))?;
    Ok(Restored {
        time: stored.time,
        report: Report { objects, damaged: stored.manifest.damaged, ..report },
        has_brought_key: brought.is_some(),
        is_authentic: stored.is_authentic == Some(true),
    })
}

/// Stores every file of a backup, except those that it lacks.
fn copy_in(
    store: &Store<'_>,
    storage: &Storage,
    stored: &StoredBackup,
    folder: &Path,
    scratch: &Path,
) -> Result<u64, BackupError> {
    let files = store.files(stored)?;
    let names: std::collections::HashMap<_, _> =
        files.iter().map(|file| (file.sha256.as_str(), file.name.as_str())).collect();
    let (path, mut count) = (scratch.join("file"), 0);
    for object in backup::listed(folder)? {
        let object = object?;
        if stored.manifest.damaged.contains(&object.key) {
            continue;
        }
        let missing = || damaged(&object.key, "is not in the list of files");
        let name = names.get(object.sha256.as_str()).ok_or_else(missing)?;
        let mut file = File::create(&path).map_err(at(&path))?;
        store.fetch_same(name, &object.sha256, &mut file)?;
        file.sync_all().map_err(at(&path))?;
        store.wait(backup::place(storage, &object, &path))?;
        std::fs::remove_file(&path).map_err(at(&path))?;
        count += 1;
    }
    Ok(count)
}

/// The keys of a key file, and its text.
type Brought = (Keys, Zeroizing<Vec<u8>>);

/// The key file that came with a backup, if the owner's key opens it.
fn brought_keys(
    store: &Store<'_>,
    backup: &StoredBackup,
    path: &Path,
) -> Result<Option<Brought>, BackupError> {
    if store.seals.keys.is_some() || backup.manifest.key_sha256.is_none() {
        return Ok(None);
    }
    let (name, mut text) = (key_name(&backup.time), Zeroizing::new(Vec::new()));
    store.fetch(&name, &mut *text)?;
    let keys = Keys::parse(path, &text).map_err(|_| damaged(&name, "is no key file"))?;
    Ok(Some((keys, text)))
}
