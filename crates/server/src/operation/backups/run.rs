//! A run: the label's rows and new files are written to the store, read back, and its rows restored and compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::Path,
};

use deadwax_store::{
    backup_runs::{Outcome, Settings},
    clock::{Micros, rfc3339},
    deletions::DeletionPause,
    storage::Stored,
};
use jiff::tz::TimeZone;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::{
    label::Label,
    names::{doubt_name, key_name, rows_name, time_name},
    proof, retention,
    store::{Digest, FileLine, Store, StoredBackup},
};
use crate::operation::{
    backup::{self, BackupError, FORMAT, Manifest, ObjectLine, TableEntry, at, remove_all, require_room},
    snapshot,
};

/// Backs the label up, and removes what is not kept by the settings and the label's zone. `outcome` says how far it came, also after an error.
pub(super) fn back_up(
    label: &Label,
    store: &Store<'_>,
    scratch: &Path,
    keep: (Settings, &TimeZone),
    outcome: &mut Outcome,
) -> Result<(), BackupError> {
    let size = store.wait(snapshot::size(&label.resources.db))?;
    require_room("a backup", scratch, size.saturating_mul(2))?;
    outcome.is_sealed = store.seals.is_sealed();
    let rows = scratch.join("rows");
    backup::prepare(&rows)?;
    let pause = store.wait(DeletionPause::begin(&label.resources.db, &label.resources.clock))?;
    let now = label.resources.clock.now();
    let time = time_name(now);
    let mut written = Written { label, store, outcome, time: &time, names: Vec::new(), doubted: None };
    let manifest = written.all(&rows, &pause, now).inspect_err(|_| written.forget());
    let doubted = written.doubted;
    let ended = store.wait(pause.end());
    let manifest = manifest?;
    ended?;
    let name = store.put_manifest(&time, &manifest)?;
    remove_all(&rows)?;
    let backup = store.manifest(&name)?;
    outcome.backup_at = Some(now);
    outcome.warning = joined([damaged_words(&backup), doubted]);
    let folder = scratch.join("proof");
    proof::fetch_rows(store, &backup, &folder)?;
    outcome.written_at = Some(label.resources.clock.now());
    proof::prove_rows(store, &folder)?;
    outcome.proven_at = Some(label.resources.clock.now());
    let kept = retention::apply(store, keep, &time)?;
    outcome.warning = joined([outcome.warning.take(), kept]);
    Ok(())
}

fn joined(warnings: [Option<String>; 2]) -> Option<String> {
    warnings.into_iter().flatten().reduce(|a, b| format!("{a} {b}"))
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
    /// The objects of this backup alone.
    names: Vec<String>,
    /// A warning about a doubt that the store does not let end.
    doubted: Option<String>,
}

impl Written<'_> {
    /// Writes everything but the manifest, and returns it.
    fn all(&mut self, rows: &Path, pause: &DeletionPause, now: Micros) -> Result<Manifest, BackupError> {
        let (label, store) = (self.label, self.store);
        let (schema, tables) =
            store.wait(store.unless_stopped(backup::write_rows(&label.resources.db, rows)))?;
        self.outcome.rows = tables.values().map(|entry| entry.rows).sum();
        let key_text = Zeroizing::new(fs::read(&label.key_path).map_err(at(&label.key_path))?);
        let key = store.seals.seal_key_file(&key_text).map_err(at(&label.key_path))?;
        if let Some(key) = &key {
            let name = key_name(self.time);
            self.names.push(name.clone());
            store.put_sealed(&name, key)?;
        }
        for (table, entry) in &tables {
            let path = rows.join(backup::table_file(table));
            if self.put_rows(table, &path)?.sha256 != entry.sha256 {
                return Err(BackupError::Altered(path.display().to_string()));
            }
        }
        let known = store.list()?;
        let (files, damaged) = self.put_files(rows, &known, pause)?;
        Ok(Manifest {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            schema,
            made_at: rfc3339(now),
            objects: self.outcome.files,
            bytes: self.outcome.total_bytes,
            tables,
            damaged,
            files: Some(files),
            key_sha256: key.map(|key| hex::encode(<Sha256 as sha2::Digest>::digest(key))),
            rows_only: false,
        })
    }

    /// Removes what a backup without a manifest leaves, so that runs that fail do not fill the store. Files stay for the next one.
    fn forget(&self) {
        let removed = self.names.iter().try_for_each(|name| self.store.remove(name));
        if let Err(error) = removed {
            tracing::warn!(cause = %error, "removing the rows of an unfinished backup");
        }
    }

    fn put_rows(&mut self, table: &str, path: &Path) -> Result<Digest, BackupError> {
        let name = rows_name(self.time, table, self.store.seals.ending());
        self.names.push(name.clone());
        let digest = self.store.put(&name, &mut File::open(path).map_err(at(path))?)?;
        self.outcome.total_bytes += digest.size_bytes;
        self.outcome.new_bytes += digest.size_bytes;
        Ok(digest)
    }

    /// Writes the files that the store lacks or that are damaged there, and reads them back, then the list of all of them. Returns the entry of the list, and the
    /// files that are damaged.
    fn put_files(
        &mut self,
        rows: &Path,
        known: &BTreeMap<String, Stored>,
        pause: &DeletionPause,
    ) -> Result<(TableEntry, Vec<String>), BackupError> {
        let path = rows.join("files.jsonl");
        let mut list = BufWriter::new(File::create(&path).map_err(at(&path))?);
        let trusted = self.store.trusted(known)?;
        let (mut listed, mut damaged) = (BTreeSet::new(), Vec::new());
        for object in backup::listed(rows)? {
            let object = object?;
            self.store.wait(pause.renew())?;
            let name = self.store.seals.file_name(&object.sha256);
            if listed.contains(&name) {
                continue;
            }
            let is_known = known.contains_key(&name);
            let is_kept = is_known && (trusted.contains(&name) || self.is_whole(&name, &object)?);
            if !is_kept && !self.put_file(&name, &object, is_known)? {
                damaged.push(object.key);
                continue;
            }
            if let Err(error) = self.store.trust(&name, known) {
                let note = doubt_name(&name);
                self.doubted.get_or_insert(format!(
                    "The store does not let {note} be removed, a note of damage that is mended ({error}). \
                     Remove it by hand: until then that file is read each time."
                ));
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

    /// Whether a file that an unfinished run wrote, or a proof doubts, is what it should be.
    fn is_whole(&self, name: &str, object: &ObjectLine) -> Result<bool, BackupError> {
        match self.store.fetch_same(name, &object.sha256, &mut io::sink()) {
            Ok(_) => Ok(true),
            Err(BackupError::Object { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes a file, in place of a damaged object where there is one. False if the label's own file is damaged.
    fn put_file(&mut self, name: &str, object: &ObjectLine, is_there: bool) -> Result<bool, BackupError> {
        if !self.store.put_same(name, object, &self.label.resources.storage, is_there)? {
            return Ok(false);
        }
        self.store.fetch_same(name, &object.sha256, &mut io::sink())?;
        self.outcome.new_bytes += object.size_bytes;
        Ok(true)
    }
}
