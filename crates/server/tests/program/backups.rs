//! Backups to a store, their proofs, and what is restored from them, on either engine.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use deadwax::{
    jobs::{self, Resources},
    operation::{
        backup::{self, BackupError, Openings},
        backups::{
            job::{BackupsJob, Target},
            label::Label,
            restore::{self, Restored},
            seal::{self, Seals},
            store::Store,
        },
    },
};
use deadwax_store::{
    backup_runs::{self, Kind, Run},
    clock::{DAY, SECOND},
    crypto::Keys,
    spool::Spool,
    storage::Storage,
};
use macro_rules_attribute::apply;
use tempfile::TempDir;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::backup::{Place, label};
use crate::{
    on_both_engines,
    support::{Engine, TestServer, bucket::bucket, change, findings},
};

mod damaged;
mod mended;

/// A label with a store of backups.
struct Backed {
    server: TestServer,
    folder: TempDir,
    url: String,
    identity: Option<String>,
}

impl Backed {
    /// Backups in a folder, encrypted to an owner or not.
    async fn in_folder(engine: Engine, is_sealed: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = folder.path().display().to_string();
        Self::new(label(engine).await, folder, url, is_sealed)
    }

    async fn in_bucket(engine: Engine) -> Self {
        let (folder, url) = bucket().await;
        Self::new(label(engine).await, folder, url, true)
    }

    fn new(server: TestServer, folder: TempDir, url: String, is_sealed: bool) -> Self {
        let identity = is_sealed.then(|| seal::new_pair().0.to_string());
        Self { server, folder, url, identity }
    }

    fn label(&self) -> Label {
        let app = &self.server.app;
        let resources = Resources {
            db: app.db.clone(),
            storage: app.storage.clone(),
            spool: app.spool.clone(),
            clock: app.clock.clone(),
        };
        let data_dir = self.server.data.path().to_owned();
        Label { resources, key_path: data_dir.join("key"), data_dir }
    }

    fn owner(&self) -> Option<age::x25519::Recipient> {
        let identities = seal::read_identities(self.identity.as_ref()?).unwrap();
        Some(identities[0].to_public())
    }

    async fn run(&self, kind: Kind) -> Run {
        // Backups are named by their instant.
        self.server.advance(Duration::from_secs(1));
        if kind == Kind::Proof {
            // A backup that is due would go first.
            self.put_off(Kind::Backup).await;
        }
        self.job().run_now(kind, &CancellationToken::new()).await.unwrap().unwrap()
    }

    fn job(&self) -> BackupsJob {
        let target = Target { url: self.url.clone().into(), owner: self.owner(), ping: None };
        BackupsJob::new(self.label(), self.server.app.keys.clone(), target)
    }

    /// The job as it is after a start, when it has queued what is missing; `until` sees what is due.
    async fn start_job(&self, until: impl Fn(&[Run]) -> bool) {
        let stop = CancellationToken::new();
        let working = tokio::spawn(jobs::run(self.job(), stop.clone()));
        let queued = async {
            while !until(&self.due().await) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let in_time = tokio::time::timeout(Duration::from_secs(10), queued).await;
        stop.cancel();
        working.await.unwrap();
        assert!(in_time.is_ok(), "{:?}", self.due().await);
    }

    async fn due(&self) -> Vec<Run> {
        backup_runs::due(&self.server.app.db).await.unwrap()
    }

    async fn put_off(&self, kind: Kind) {
        let now = self.server.app.clock.now();
        let mut tx = self.server.app.db.begin().await.unwrap();
        backup_runs::ask(&mut tx, kind, now + DAY, now).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn back_up(&self) -> Run {
        let run = self.run(Kind::Backup).await;
        assert_eq!((run.failure.as_deref(), run.warning.as_deref()), (None, None));
        run
    }

    /// The words of a proof that fails.
    async fn disproof(&self) -> String {
        let run = self.run(Kind::Proof).await;
        assert_eq!(run.proven_at, None);
        run.failure.unwrap()
    }

    /// Restores into a place, with the owner's key where there is one.
    async fn restore(&self, place: &Place, time: &str) -> Result<Restored, BackupError> {
        let keys = Keys::load(&place.data.path().join("key")).unwrap();
        let identities = self.identity.as_deref().map(|text| seal::read_identities(text).unwrap());
        let seals = Seals::of_reader(keys, identities.unwrap_or_default());
        let storage = Storage::open_at("BACKUP_URL", &self.url).unwrap();
        let (db, files, runtime) = (place.db().await, place.storage(), Handle::current());
        let data_dir = place.data.path().to_owned();
        let resources = Resources {
            db: db.clone(),
            storage: files.clone(),
            spool: Spool::open(&data_dir).unwrap(),
            clock: self.server.app.clock.clone(),
        };
        let label = Label { resources, key_path: data_dir.join("key"), data_dir: data_dir.clone() };
        let time = time.to_owned();
        let restored = tokio::task::spawn_blocking(move || {
            let mut store = Store::new(storage, seals, runtime, data_dir, &|| false);
            restore::restore(&mut store, (&db, &files), &label, &time, Openings::Keep)
        });
        restored.await.unwrap()
    }

    /// The objects of the store whose names begin with `prefix`, as files.
    fn objects(&self, prefix: &str) -> Vec<PathBuf> {
        let root = if self.folder.path().join("label").is_dir() {
            self.folder.path().join("label")
        } else {
            self.folder.path().to_owned()
        };
        let mut found = Vec::new();
        walk(&root.join(prefix), &mut found);
        found.sort();
        found
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// The hashes of all tables of a label.
async fn tables(db: &deadwax_store::db::Db, storage: &Storage) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let clock = deadwax_store::clock::Clock::System;
    backup::backup(db, storage, &clock, folder.path()).await.unwrap();
    let manifest = fs::read(folder.path().join("manifest.json")).unwrap();
    serde_json::from_slice::<serde_json::Value>(&manifest).unwrap()["tables"].clone()
}

/// As while instances are replaced one after the other, and the older one makes the backup.
#[apply(on_both_engines!)]
async fn rows_of_a_newer_schema_are_said_to_be_of_that(engine: Engine) {
    let backed = Backed::in_folder(engine, false).await;
    let newer = "UPDATE _sqlx_migrations SET version = 9999 \
        WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
    backed.server.sql(newer).await;
    backed.run(Kind::Backup).await;
    let refused = backed.restore(&Place::new(engine).await, "").await.unwrap_err();
    assert!(matches!(refused, BackupError::Newer(_)), "{refused}");
}

/// The machine is lost with its key file: the store and the owner's key on paper bring everything back, onto either engine.
#[apply(on_both_engines!)]
async fn a_lost_label_comes_back_from_the_store_and_the_owners_key(engine: Engine) {
    let backed = Backed::in_bucket(engine).await;
    let run = backed.back_up().await;
    assert!(run.written_at.is_some() && run.proven_at.is_some() && run.is_sealed);
    assert_eq!(run.file_count, 2);
    assert!(run.row_count > 20, "{run:?}");
    let (db, storage) = (&backed.server.app.db, &backed.server.app.storage);
    let before = tables(db, storage).await;
    for target in [Engine::Sqlite, Engine::Postgres] {
        for place in [Place::new(target).await, Place::new(target).await.with_bucket().await] {
            let restored = backed.restore(&place, "").await.unwrap();
            assert!(restored.has_brought_key && restored.is_authentic);
            assert_eq!((restored.report.rows, restored.report.objects), (run.row_count.cast_unsigned(), 2));
            let key = fs::read(place.data.path().join("key")).unwrap();
            assert_eq!(key, fs::read(backed.server.data.path().join("key")).unwrap());
            assert_eq!(tables(&place.db().await, &place.storage()).await, before);
            assert_eq!(findings(&place.db().await, &place.storage()).await, [""; 0]);
            assert!(!place.data.path().join("backup-scratch").exists());
        }
    }
}

#[apply(on_both_engines!)]
async fn the_next_run_writes_the_rows_and_the_files_that_are_new(engine: Engine) {
    let backed = Backed::in_folder(engine, true).await;
    let first = backed.back_up().await;
    let files = backed.objects("files");
    let second = backed.back_up().await;
    assert_eq!(backed.objects("files"), files);
    assert!(second.new_bytes < first.new_bytes, "{second:?}");
    assert_eq!(second.file_count, first.file_count);
    assert_eq!(backed.objects("manifests").len(), 2);
    // `--at` chooses the first one.
    let time = deadwax_store::clock::rfc3339(first.backup_at.unwrap().0);
    let place = Place::new(engine).await;
    let restored = backed.restore(&place, time.trim_end_matches('Z')).await.unwrap();
    assert!(restored.time < time_of(&backed.objects("manifests")[1]));
    let unknown = backed.restore(&Place::new(engine).await, "1999").await.unwrap_err();
    assert_eq!(unknown.to_string(), "there is no backup of 1999");
}

fn time_of(manifest: &Path) -> String {
    let name = manifest.file_name().unwrap().to_str().unwrap();
    name.split_once(".json").unwrap().0.to_owned()
}

#[apply(on_both_engines!)]
async fn plain_backups_are_restored_without_a_key_and_say_so(engine: Engine) {
    let backed = Backed::in_folder(engine, false).await;
    let run = backed.back_up().await;
    assert!(!run.is_sealed);
    let rows = backed.objects("rows").into_iter().find(|path| path.ends_with("artists.jsonl")).unwrap();
    assert!(fs::read_to_string(rows).unwrap().contains("Ärzte im Exil"));
    let place = Place::new(engine).await;
    let restored = backed.restore(&place, "").await.unwrap();
    assert!(!restored.has_brought_key && !restored.is_authentic);
    assert!(!place.data.path().join("key").exists());
}

#[apply(on_both_engines!)]
async fn nothing_sealed_can_be_read_in_the_store(engine: Engine) {
    let mut backed = Backed::in_folder(engine, true).await;
    backed.back_up().await;
    let owner = backed.identity.take();
    let words = backed.restore(&Place::new(engine).await, "").await.unwrap_err().to_string();
    assert!(words.ends_with("as --identity FILE"), "{words}");
    backed.identity = owner;
    let objects = backed.objects("");
    assert!(objects.len() > 20);
    for path in &objects {
        assert!(path.extension().is_some_and(|extension| extension == "age"), "{}", path.display());
        let bytes = fs::read(path).unwrap();
        assert!(bytes.starts_with(b"age-encryption.org/v1\n"), "{}", path.display());
    }
    let key = fs::read(backed.server.data.path().join("key")).unwrap();
    let all: Vec<u8> = objects.iter().flat_map(|path| fs::read(path).unwrap()).collect();
    for secret in [&key[..20], b"mira_404", "Ärzte".as_bytes()] {
        assert!(!all.windows(secret.len()).any(|bytes| bytes == secret));
    }
}

#[apply(on_both_engines!)]
async fn a_label_with_another_recipient_seals_everything_anew(engine: Engine) {
    let mut backed = Backed::in_folder(engine, true).await;
    backed.back_up().await;
    let files = backed.objects("files").len();
    backed.identity = Some(seal::new_pair().0.to_string());
    backed.back_up().await;
    assert_eq!(backed.objects("files").len(), 2 * files);
    // The program proves both, and the new owner opens the new one.
    assert_eq!(backed.run(Kind::Proof).await.failure, None);
    backed.restore(&Place::new(engine).await, "").await.unwrap();
}

/// Of two instances one does the run; the other finds nothing to do.
#[apply(on_both_engines!)]
async fn a_run_is_done_by_one_instance(engine: Engine) {
    let backed = Backed::in_folder(engine, false).await;
    let (db, now) = (&backed.server.app.db, backed.server.app.clock.now());
    let mut tx = db.begin().await.unwrap();
    for kind in [Kind::Backup, Kind::Proof] {
        backup_runs::ask(&mut tx, kind, now, now).await.unwrap();
        backup_runs::ask(&mut tx, kind, now, now).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(backup_runs::due(db).await.unwrap().len(), 2);
    let leased = backup_runs::lease(db, now, now + 1).await.unwrap().unwrap();
    assert_eq!(leased.key.1, Kind::Backup);
    assert!(backup_runs::lease(db, now, now + 1).await.unwrap().is_none());
    // It is a command, beside which a server starts: the run stays its own.
    backed.start_job(|due| due.len() == 2).await;
    assert!(backup_runs::lease(db, now, now + 1).await.unwrap().is_none());
    // It died: its lease runs out.
    let again = backup_runs::lease(db, now + 1, now + 2).await.unwrap().unwrap();
    assert_eq!((again.key, again.tries), (leased.key, 2));
}

/// Reading all rows may take minutes.
#[tokio::test]
async fn a_run_that_reads_rows_ends_with_the_program() {
    let backed = Backed::in_folder(Engine::Postgres, false).await;
    let (server, stop) = (&backed.server, CancellationToken::new());
    let mut other = server.app.db.begin().await.unwrap();
    change(&mut other, "LOCK TABLE artists").await;
    let (job, stopped) = (backed.job(), stop.clone());
    let run = tokio::spawn(async move { job.run_now(Kind::Backup, &stopped).await });
    server.wait_for_locks(1).await;
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(5), run).await.unwrap().unwrap();
    assert!(ended.unwrap().is_none());
    assert_eq!(backed.due().await[0].leased_until, None);
}

#[apply(on_both_engines!)]
async fn a_place_that_is_away_fails_in_words_and_is_tried_again(engine: Engine) {
    let mut backed = Backed::in_folder(engine, false).await;
    backed.url = backed.folder.path().join("unmounted").display().to_string();
    let run = backed.run(Kind::Backup).await;
    let words = run.failure.unwrap();
    assert!(words.starts_with("BACKUP_URL: there is no folder"), "{words}");
    let next = backup_runs::due(&backed.server.app.db).await.unwrap().remove(0);
    assert_eq!(next.next_try_at - backed.server.app.clock.now(), 15 * 60 * 1_000_000);
    assert!(!Path::new(&backed.url).exists());
}

/// The commands of `docs/operations.md` for backups and for a lost machine, on one.
#[test]
fn the_documented_commands_bring_a_lost_label_back() {
    let page = include_str!("../../../../docs/operations.md");
    let commands = |heading: &str| {
        let (_, section) = page.split_once(heading).unwrap();
        let block = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
        let lines = block.lines().map(|line| line.split(" && ").next().unwrap().to_owned());
        lines.filter(|line| line.starts_with("deadwax ")).collect::<Vec<_>>()
    };
    let (machine, store) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let program = Path::new(env!("CARGO_BIN_EXE_deadwax")).parent().unwrap().display().to_string();
    let run = |line: &str, owner: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", line]).current_dir(machine.path()).env_clear();
        command.env("PATH", format!("{program}:/usr/bin:/bin")).env("DEADWAX_LOG", "warn");
        command.env("DEADWAX_DATA_DIR", machine.path().join("data")).env("BACKUP_URL", store.path());
        let output = command.env("BACKUP_RECIPIENT", owner).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{line}: {said}");
        said
    };
    run("deadwax sample", "");
    let backing_up = commands("\n### Backups\n");
    assert_eq!(backing_up.len(), 3);
    run(&backing_up[0], "");
    let key = fs::read_to_string(machine.path().join("owner.key")).unwrap();
    let owner = key.lines().next().unwrap().strip_prefix("# public key: ").unwrap();
    let backed_up = run(&format!("DEADWAX_LOG=info {}", backing_up[1]), owner);
    assert!(backed_up.starts_with("backed up and proved"));
    assert!(backed_up.contains(r#""job":"backups""#), "{backed_up}");
    assert!(run(&backing_up[2], owner).contains(", encrypted"));
    let before = fs::read(machine.path().join("data/key")).unwrap();
    fs::remove_dir_all(machine.path().join("data")).unwrap();
    let restoring = commands("\n### When the machine is lost\n");
    assert_eq!(restoring.len(), 2);
    assert!(run(&restoring[0], "").contains("the key file came with it"));
    assert_eq!(run(&restoring[1], "").trim(), "nothing to report");
    assert_eq!(fs::read(machine.path().join("data/key")).unwrap(), before);
    assert!(run("deadwax export releases", "").lines().count() > 40);
}
