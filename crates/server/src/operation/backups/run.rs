//! A run: the label's rows and new files are written to the store, read back, and its rows restored and compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::Path,
};

use deadwax_store::{
    backup_runs::{Outcome, Settings},
    clock::rfc3339,
    deletions::DeletionPause,
    storage::Stored,
};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::{
    label::{Label, remove_all, require_room},
    proof, retention,
    store::{Digest, FileLine, Store, StoredBackup, key_name, rows_name, time_name},
};
use crate::operation::{
    backup::{self, BackupError, FORMAT, Manifest, ObjectLine, TableEntry, at},
    snapshot,
};

/// Backs the label up. `outcome` says how far it came, also after an error.
pub(super) fn back_up(
    label: &Label,
    store: &Store<'_>,
    scratch: &Path,
    keep: Settings,
    outcome: &mut Outcome,
) -> Result<(), BackupError> {
    let size = store.wait(snapshot::size(&label.resources.db))?;
    require_room("a backup", scratch, size.saturating_mul(2))?;
    outcome.is_sealed = store.seals.is_sealed();
    let rows = scratch.join("rows");
    backup::prepare(&rows)?;
    let pause = store.wait(DeletionPause::begin(&label.resources.db, &label.resources.clock))?;
    let now = label.resources.clock.now();
    let tables = store.wait(backup::write_rows(&label.resources.db, &rows))?;
    outcome.rows = tables.values().map(|entry| entry.rows).sum();
    let time = time_name(now);
    let mut written = Written { label, store, outcome, time: &time };
    let key_text = Zeroizing::new(fs::read(&label.key_path).map_err(at(&label.key_path))?);
    let key = store.seals.seal_key_file(&key_text).map_err(at(&label.key_path))?;
    if let Some(key) = &key {
        store.put_sealed(&key_name(&time), key)?;
    }
    for (table, entry) in &tables {
        let path = rows.join(backup::table_file(table));
        if written.put_rows(table, &path)?.sha256 != entry.sha256 {
            return Err(BackupError::Altered(path.display().to_string()));
        }
    }
    let known = store.list()?;
    let (files, damaged) = written.put_files(&rows, &known, &pause)?;
    store.wait(pause.end())?;
    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        schema: backup::newest_migration(),
        made_at: rfc3339(now),
        objects: outcome.files,
        bytes: outcome.total_bytes,
        tables,
        damaged,
        files: Some(files),
        key_sha256: key.map(|key| hex::encode(<Sha256 as sha2::Digest>::digest(key))),
        rows_only: false,
    };
    let name = store.put_manifest(&time, &manifest)?;
    remove_all(&rows)?;
    let backup = store.manifest(&name)?;
    outcome.backup_at = Some(now);
    outcome.warning = damaged_words(&backup);
    let folder = scratch.join("proof");
    proof::fetch_rows(store, &backup, &folder)?;
    outcome.written_at = Some(label.resources.clock.now());
    proof::prove_rows(store, &folder)?;
    outcome.proven_at = Some(label.resources.clock.now());
    let kept = retention::apply(store, keep, &time)?;
    outcome.warning = [outcome.warning.take(), kept].into_iter().flatten().reduce(|a, b| format!("{a} {b}"));
    Ok(())
}

fn damaged_words(backup: &StoredBackup) -> Option<String> {
    let damaged = &backup.manifest.damaged;
    let first = damaged.first()?;
    Some(match damaged.len() {
        1 => format!("The file {first} is damaged, so it is not in the backup: see `deadwax check`."),
        many => format!(
            "{many} files are damaged, {first} is one: they are not in the backup, see `deadwax check`."
        ),
    })
}

/// Counts the objects that a run writes.
struct Written<'a> {
    label: &'a Label,
    store: &'a Store<'a>,
    outcome: &'a mut Outcome,
    time: &'a str,
}

impl Written<'_> {
    fn put_rows(&mut self, table: &str, path: &Path) -> Result<Digest, BackupError> {
        let name = rows_name(self.time, table, self.store.seals.ending());
        let digest = self.store.put(&name, &mut File::open(path).map_err(at(path))?)?;
        self.outcome.total_bytes += digest.size_bytes;
        self.outcome.new_bytes += digest.size_bytes;
        Ok(digest)
    }

    /// Writes the files that the store lacks and reads them back, then the list of all of them. Returns the entry of the list, and the
    /// files that are damaged.
    fn put_files(
        &mut self,
        rows: &Path,
        known: &BTreeMap<String, Stored>,
        pause: &DeletionPause,
    ) -> Result<(TableEntry, Vec<String>), BackupError> {
        let path = rows.join("files.jsonl");
        let mut list = BufWriter::new(File::create(&path).map_err(at(&path))?);
        let (mut listed, mut damaged) = (BTreeSet::new(), Vec::new());
        for object in backup::listed(rows)? {
            let object = object?;
            self.store.wait(pause.renew())?;
            let name = self.store.seals.file_name(&object.sha256);
            if listed.contains(&name) {
                continue;
            }
            if !known.contains_key(&name) && !self.put_file(&name, &object)? {
                damaged.push(object.key);
                continue;
            }
            self.outcome.files += 1;
            self.outcome.total_bytes += object.size_bytes;
            let line = FileLine { sha256: object.sha256, size_bytes: object.size_bytes, name: name.clone() };
            let written = serde_json::to_writer(&mut list, &line).map_err(io::Error::from);
            written.and_then(|()| list.write_all(b"\n")).map_err(at(&path))?;
            listed.insert(name);
        }
        list.flush().map_err(at(&path))?;
        let sha256 = self.put_rows("files", &path)?.sha256;
        Ok((TableEntry { rows: listed.len() as u64, sha256 }, damaged))
    }

    /// Writes a file. False if it is damaged, and nothing of it is left.
    fn put_file(&mut self, name: &str, object: &ObjectLine) -> Result<bool, BackupError> {
        if !self.store.put_same(name, object, &self.label.resources.storage)? {
            return Ok(false);
        }
        self.store.fetch_same(name, &object.sha256, &mut io::sink())?;
        self.outcome.new_bytes += object.size_bytes;
        Ok(true)
    }
}
