//! The proof of a backup: its rows are restored into a scratch SQLite database and compared, and files are read back. Nothing but the
//! store is contacted.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::Path,
};

use deadwax_store::{
    backup_runs::Outcome,
    clock::{DAY, Micros},
    db::Db,
    storage::Stored,
};

use super::{
    label::Label,
    names::{manifests, time_of},
    retention,
    store::{FileLine, Store, StoredBackup, damaged},
};
use crate::operation::{
    backup::{self, BackupError, at, create, create_folder, remove_all, require_room, table_file},
    check,
};

/// How long a file counts as new: it is read back in each proof.
const NEW: Micros = 7 * DAY;
/// One in so many of the older files is read back in each proof, another one each week.
const PARTS: u64 = 10;

/// Proves the newest backup, and sweeps the store. `outcome` says how far it came, also after an error.
pub(super) fn prove(
    label: &Label,
    store: &Store<'_>,
    scratch: &Path,
    outcome: &mut Outcome,
) -> Result<(), BackupError> {
    let objects = store.list()?;
    let newest =
        manifests(&objects).pop().ok_or_else(|| BackupError::NotThere(" to prove yet".to_owned()))?;
    let backup = store.manifest(&newest)?;
    let manifest = &backup.manifest;
    outcome.backup_at = time_of(&backup.time);
    outcome.is_sealed = backup.is_sealed;
    outcome.rows = manifest.tables.values().map(|entry| entry.rows).sum();
    (outcome.files, outcome.total_bytes) = (manifest.objects, manifest.bytes);
    let folder = scratch.join("proof");
    fetch_rows(store, &backup, &folder)?;
    prove_rows(store, &folder)?;
    let files = store.files(&backup)?;
    let week = label.resources.clock.now() / NEW;
    outcome.files_read = read_back(store, &objects, &files, week)?;
    outcome.warning = retention::sweep(store)?;
    outcome.proven_at = Some(label.resources.clock.now());
    Ok(())
}

/// Fetches the rows of a backup into a new folder of the form that `deadwax restore` reads, and compares them with the manifest.
pub(super) fn fetch_rows(store: &Store<'_>, backup: &StoredBackup, folder: &Path) -> Result<(), BackupError> {
    if backup.is_authentic == Some(false) {
        return Err(BackupError::Foreign(backup.time.clone()));
    }
    store.check_key(backup)?;
    backup::prepare(folder)?;
    for (table, entry) in &backup.manifest.tables {
        let name = backup.rows_name(table);
        // Names come from the manifest, which is not trusted where no key file vouches for it.
        if !table.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
            return Err(damaged(&name, "is no table"));
        }
        let path = folder.join(table_file(table));
        let mut file = create(&path)?;
        store.fetch_same(&name, &entry.sha256, &mut file)?;
        file.flush().map_err(at(&path))?;
    }
    let path = folder.join("manifest.json");
    let file = create(&path)?;
    serde_json::to_writer(file, &backup.manifest).map_err(|error| at(&path)(error.into()))
}

/// Restores the rows of a folder into a scratch database beside it and compares them.
pub(super) fn prove_rows(store: &Store<'_>, folder: &Path) -> Result<(), BackupError> {
    let rows: u64 = std::fs::read_dir(folder.join("tables"))
        .and_then(|files| files.map(|file| Ok(file?.metadata()?.len())).sum::<io::Result<u64>>())
        .map_err(at(folder))?;
    require_room("a proof", folder, rows.saturating_mul(2))?;
    let data = folder.join("data");
    create_folder(&data)?;
    store.wait(async {
        let db = Db::open(None, &data).await?;
        let compared = store.unless_stopped(compare(&db, folder)).await;
        db.close().await;
        compared
    })?;
    remove_all(folder)
}

async fn compare(db: &Db, folder: &Path) -> Result<(), BackupError> {
    let manifest = backup::check(db, folder).await?;
    backup::load_as_they_are(db, folder, &manifest).await?;
    let differing = backup::compare(db, folder, &manifest).await?;
    if !differing.is_empty() {
        let tables = differing.join(", ");
        return Err(BackupError::Unproven(format!(
            "the restored rows of {tables} differ from those backed up"
        )));
    }
    db.migrate().await?;
    match check::database(db).await?.into_iter().next() {
        Some(finding) => Err(BackupError::Unproven(format!("in the restored database: {finding}"))),
        None => Ok(()),
    }
}

/// Looks for every file of a backup, and reads back those of the last week and a tenth of the others; returns how many. Names the first
/// damaged one, and notes all of them for the next run.
fn read_back(
    store: &Store<'_>,
    objects: &BTreeMap<String, Stored>,
    files: &[FileLine],
    week: Micros,
) -> Result<u64, BackupError> {
    let newest = objects.values().map(|object| object.written_at).max().unwrap_or(0);
    let (mut read, mut first, mut others) = (0, None, 0);
    for file in files {
        let object = objects.get(&file.name);
        let checked = match object {
            None => Err(damaged(&file.name, "is missing")),
            Some(object) if object.written_at >= newest - NEW || is_in_turn(&file.sha256, week) => {
                read += 1;
                store.fetch_same(&file.name, &file.sha256, &mut io::sink()).map(drop)
            }
            Some(object) if object.size_bytes < file.size_bytes => {
                Err(damaged(&file.name, "is shorter than what was written"))
            }
            Some(_) => Ok(()),
        };
        match checked {
            Ok(()) => {}
            Err(BackupError::Object { object: name, why }) => {
                if object.is_some()
                    && let Err(error) = store.doubt(&file.name)
                {
                    tracing::warn!(cause = %error, file = name, "noting a damaged file for the next backup");
                }
                others += usize::from(first.is_some());
                first.get_or_insert((name, why));
            }
            Err(error) => return Err(error),
        }
    }
    match first {
        None => Ok(read),
        Some((object, why)) if others == 0 => Err(BackupError::Object { object, why }),
        Some((object, why)) => {
            let why = format!("{why}, and {others} more are damaged");
            Err(BackupError::Object { object, why })
        }
    }
}

/// Whether an older file is read back in a week: each comes once in ten weeks.
fn is_in_turn(sha256: &str, week: Micros) -> bool {
    let number = u64::from_str_radix(sha256.get(..8).unwrap_or_default(), 16).unwrap_or(0);
    number % PARTS == week.rem_euclid(PARTS.cast_signed()).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_back_once_in_ten_weeks() {
        for number in 0..100_u32 {
            let sha256 = format!("{:08x}ff", number.wrapping_mul(2_654_435_761));
            let turns = (3000..3010).filter(|week| is_in_turn(&sha256, *week)).count();
            assert_eq!(turns, 1, "{sha256}");
        }
    }
}
