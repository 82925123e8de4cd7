//! Upgrades of a label in use: all steps or none, and the snapshot that leads back.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use deadwax_store::{
    clock::{Clock, DAY, rfc3339},
    db::{Db, MIGRATIONS_POSTGRES, MIGRATIONS_SQLITE},
};
use macro_rules_attribute::apply;

use super::{
    numbers::containing,
    program::{deadwax, line},
};
use crate::{
    on_both_engines,
    support::{Database, Engine, RECEIVE_TIMEOUT, run_sql, serving::serve},
};

/// Before releases had states: the steps after it rewrite rows and change the tables that hold them.
const OLD: i64 = 8;
/// The first with numbers of visits.
const WITH_NUMBERS: i64 = 39;
const ROWS: &str = "INSERT INTO artists (id, name, sort_key) VALUES ('00000000-0000-0000-0000-000000000001', 'Mira', 'mira'); \
    INSERT INTO releases (id, title, artist_id) \
        VALUES ('00000000-0000-0000-0000-000000000002', 'Dead Air', '00000000-0000-0000-0000-000000000001')";

/// A label as an earlier program has left it.
struct OldLabel {
    data: tempfile::TempDir,
    database: Option<Database>,
}

impl OldLabel {
    /// With a release, made by a program whose newest step was [`OLD`].
    async fn make(engine: Engine) -> Self {
        let label = Self::empty(engine, OLD).await;
        let rows = match engine {
            Engine::Sqlite => {
                ROWS.replace("'00000000-0000-0000-0000-0000000000", "x'000000000000000000000000000000")
            }
            Engine::Postgres => ROWS.to_owned(),
        };
        label.write(&rows).await;
        label
    }

    async fn empty(engine: Engine, step: i64) -> Self {
        let data = tempfile::tempdir().unwrap();
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create_bare().await),
        };
        let label = Self { data, database };
        let db = label.open().await;
        match &db {
            Db::Sqlite { write, .. } => MIGRATIONS_SQLITE.run_to(step, write).await.unwrap(),
            Db::Postgres { pool, .. } => MIGRATIONS_POSTGRES.run_to(step, pool).await.unwrap(),
        }
        db.close().await;
        label
    }

    async fn write(&self, sql: &str) {
        let db = self.open().await;
        run_sql(&db, sql).await;
        db.close().await;
    }

    async fn open(&self) -> Db {
        Db::open(self.url().as_deref(), self.data.path()).await.unwrap()
    }

    fn url(&self) -> Option<String> {
        self.database.as_ref().map(Database::url)
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        let url = self.url();
        let settings: Vec<(&str, &str)> = url.iter().map(|url| ("DATABASE_URL", url.as_str())).collect();
        deadwax(self.data.path(), arguments, &settings)
    }

    /// Oldest first.
    fn snapshots(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.data.path().join("before-upgrade")) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }
}

async fn schema(db: &Db) -> i64 {
    number(db, "SELECT MAX(version) FROM _sqlx_migrations").await
}

async fn number(db: &Db, sql: &'static str) -> i64 {
    match db {
        Db::Sqlite { write, .. } => sqlx::query_scalar(sql).fetch_one(write).await.unwrap(),
        Db::Postgres { pool, .. } => sqlx::query_scalar(sql).fetch_one(pool).await.unwrap(),
    }
}

async fn title(db: &Db) -> String {
    let title = "SELECT title FROM releases";
    match db {
        Db::Sqlite { write, .. } => sqlx::query_scalar(title).fetch_one(write).await.unwrap(),
        Db::Postgres { pool, .. } => sqlx::query_scalar(title).fetch_one(pool).await.unwrap(),
    }
}

fn id(engine: Engine, number: u32) -> String {
    match engine {
        Engine::Sqlite => format!("x'0000000000000000000000000000000{number}'"),
        Engine::Postgres => format!("'00000000-0000-0000-0000-00000000000{number}'"),
    }
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

#[apply(on_both_engines!)]
async fn an_upgrade_of_a_label_in_use_writes_a_snapshot_that_leads_back(engine: Engine) {
    let label = OldLabel::make(engine).await;
    let output = label.run(&["migrate"]);
    assert!(output.status.success(), "{}", line(&output));
    let upgraded = label.open().await;
    assert!(schema(&upgraded).await > OLD);
    assert_eq!(title(&upgraded).await, "Dead Air");
    let closed = "SELECT COUNT(*) FROM first_steps WHERE closed_at > 1700000000000000";
    assert_eq!(number(&upgraded, closed).await, 1, "a label with a release needs no first steps");

    let [snapshot] = &label.snapshots()[..] else { panic!("{:?}", label.snapshots()) };
    let newest = schema(&upgraded).await;
    assert!(name(snapshot).starts_with(&format!("{OLD}-{newest}-2")), "{}", name(snapshot));
    // A label on SQLite goes back by this file, one on PostgreSQL by these rows.
    if label.database.is_none() {
        let old = Db::open(None, snapshot).await.unwrap();
        assert_eq!((schema(&old).await, title(&old).await.as_str()), (OLD, "Dead Air"));
    } else {
        let elsewhere = Database::create_bare().await;
        let arguments = ["restore", snapshot.to_str().unwrap()];
        let output = deadwax(label.data.path(), &arguments, &[("DATABASE_URL", &elsewhere.url())]);
        assert!(output.status.success(), "{}", line(&output));
        let restored = Db::open(Some(&elsewhere.url()), Path::new("/")).await.unwrap();
        assert_eq!(title(&restored).await, "Dead Air");
    }
    // Nothing is pending any more.
    assert!(label.run(&["migrate"]).status.success());
    assert_eq!(label.snapshots().len(), 1);
}

#[apply(on_both_engines!)]
async fn a_snapshot_knows_no_visitor(engine: Engine) {
    let label = OldLabel::empty(engine, WITH_NUMBERS).await;
    let bytes = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
    label
        .write(&format!(
            "INSERT INTO releases (id, title) VALUES ({}, 'Dead Air'); \
             INSERT INTO limits (key, state, expires_at) VALUES ('sign-in:203.0.113.77', '1', 1); \
             INSERT INTO uploads (id_hash, artist_name, email, original_name, extension, length, created_at, expires_at) \
                 VALUES ({bytes}, 'Max', '203.0.113.77@x.example', 'x.zip', 'zip', 9, 1, 1); \
             INSERT INTO number_days (day, sealed_key) VALUES ('203.0.113.77', {bytes}); \
             INSERT INTO number_sketches (day, subject, registers) VALUES ('2026-11-20', '203.0.113.77', {bytes})",
            id(engine, 2)
        ))
        .await;
    let output = label.run(&["migrate"]);
    assert!(output.status.success(), "{}", line(&output));
    let [snapshot] = &label.snapshots()[..] else { panic!("{:?}", label.snapshots()) };
    assert_eq!(containing(snapshot, &["203.0.113.77"]), [""; 0]);
    if engine == Engine::Sqlite {
        let files: Vec<_> =
            std::fs::read_dir(snapshot).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, ["deadwax.db"]);
        let old = Db::open(None, snapshot).await.unwrap();
        assert_eq!(
            number(&old, "SELECT COUNT(*) FROM release_search").await,
            1,
            "visitors find it on the way back"
        );
    }
    let left = "SELECT (SELECT COUNT(*) FROM limits) + (SELECT COUNT(*) FROM uploads) + (SELECT COUNT(*) FROM number_days) \
        + (SELECT COUNT(*) FROM number_sketches)";
    assert_eq!(number(&label.open().await, left).await, 4, "the day goes on after the upgrade");
}

#[apply(on_both_engines!)]
async fn earlier_subscribers_are_unconfirmed_and_each_gets_a_link_to_leave(engine: Engine) {
    let label = OldLabel::make(engine).await;
    let db = label.open().await;
    for number in 1..=3 {
        let id = id(engine, number);
        run_sql(
            &db,
            &format!(
                "INSERT INTO newsletter_subscriptions (id, email, active, subscribed_at, created_at, updated_at) \
                 VALUES ({id}, 'fan{number}@x.example', {}, 1, 1, 1)",
                number < 3
            ),
        )
        .await;
    }
    db.close().await;
    let output = label.run(&["migrate"]);
    assert!(output.status.success(), "{}", line(&output));
    let db = label.open().await;
    let found = "SELECT COUNT(DISTINCT leave_token), SUM(CASE WHEN active THEN 1 ELSE 0 END) FROM newsletter_subscriptions \
        WHERE consent = 'unconfirmed' AND proof = '{}' AND LENGTH(leave_token) = 32 AND inactive_reason IS NULL AND NOT suppressed";
    let counted: (i64, i64) = match &db {
        Db::Sqlite { write, .. } => sqlx::query_as(found).fetch_one(write).await.unwrap(),
        Db::Postgres { pool, .. } => sqlx::query_as(found).fetch_one(pool).await.unwrap(),
    };
    assert_eq!(counted, (3, 2));
}

/// With a sign-up that is confirmed, one that is voided and one that waits.
async fn with_sign_ups(engine: Engine) -> OldLabel {
    let label = OldLabel::make(engine).await;
    let db = label.open().await;
    let bytes = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
    for (user, confirmed_at) in [(1, "1"), (2, "NULL")] {
        run_sql(
            &db,
            &format!(
                "INSERT INTO users (id, email, password_hash, confirmed_at, password_changed_at, created_at, updated_at) \
                 VALUES ({}, 'fan{user}@x.example', 'hash', {confirmed_at}, 1, 1, 1)",
                id(engine, user)
            ),
        )
        .await;
    }
    for (attempt, user, voided_at) in [(1, 1, "NULL"), (2, 2, "1"), (3, 2, "NULL")] {
        run_sql(
            &db,
            &format!(
                "INSERT INTO signup_attempts (id, user_id, password_hash, username, full_name, browser_hash, \
                     created_at, voided_at) \
                 VALUES ({}, {}, 'hash', 'Max_{attempt}', 'Max', {bytes}, 1, {voided_at})",
                id(engine, attempt),
                id(engine, user)
            ),
        )
        .await;
    }
    db.close().await;
    label
}

async fn what_was_typed_waits_alone(db: &Db) {
    let typed = "SELECT COUNT(*) FROM signup_attempts WHERE password_hash = 'hash' AND username = 'Max_3' AND full_name = 'Max'";
    let empty = "SELECT COUNT(*) FROM signup_attempts WHERE password_hash = '' AND username IS NULL AND full_name IS NULL";
    assert_eq!((number(db, typed).await, number(db, empty).await), (1, 2));
}

#[apply(on_both_engines!)]
async fn earlier_sign_ups_keep_what_was_typed_only_while_they_wait(engine: Engine) {
    let label = with_sign_ups(engine).await;
    let output = label.run(&["migrate"]);
    assert!(output.status.success(), "{}", line(&output));
    what_was_typed_waits_alone(&label.open().await).await;
}

#[apply(on_both_engines!)]
async fn a_restore_does_with_earlier_rows_what_an_upgrade_does(engine: Engine) {
    let earlier = with_sign_ups(Engine::Postgres).await;
    assert!(earlier.run(&["migrate"]).status.success());
    let snapshot = &earlier.snapshots()[0];
    let empty = async || {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create_bare().await),
        };
        OldLabel { data: tempfile::tempdir().unwrap(), database }
    };
    let later = empty().await;
    assert!(later.open().await.migrate().await.unwrap());
    let output = later.run(&["restore", snapshot.to_str().unwrap()]);
    assert!(
        line(&output).contains("the database is not empty (_sqlx_migrations has rows)"),
        "{}",
        line(&output)
    );
    let label = empty().await;
    let output = label.run(&["restore", snapshot.to_str().unwrap()]);
    assert!(output.status.success(), "{}", line(&output));
    let db = label.open().await;
    assert_eq!(
        (schema(&db).await, title(&db).await.as_str()),
        (schema(&earlier.open().await).await, "Dead Air")
    );
    what_was_typed_waits_alone(&db).await;
    assert_eq!(number(&db, "SELECT COUNT(*) FROM first_steps WHERE closed_at IS NOT NULL").await, 1);
}

#[apply(on_both_engines!)]
async fn a_step_that_fails_leaves_the_schema_as_it_was(engine: Engine) {
    let label = OldLabel::make(engine).await;
    // The last steps but one find a column of theirs taken.
    let db = label.open().await;
    run_sql(&db, "ALTER TABLE uploads ADD COLUMN held_until BIGINT").await;
    for command in ["migrate", "serve"] {
        let output = label.run(&[command]);
        assert_eq!(output.status.code(), Some(78), "{command}: {}", line(&output));
        let said = line(&output);
        assert!(said.contains("failed and changed nothing; start the version before again"), "{said}");
    }
    assert_eq!((schema(&db).await, title(&db).await.as_str()), (OLD, "Dead Air"));
}

#[apply(on_both_engines!)]
async fn another_schema_is_no_damage_and_a_newer_one_is_left_alone(engine: Engine) {
    let label = OldLabel::empty(engine, OLD).await;
    let refused = |arguments: &[&str], code: i32, said: &str| {
        let output = label.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert!(line(&output).contains(said), "{arguments:?}: {}", line(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    };
    refused(&["check"], 1, "the database has an older schema than this program");
    assert_eq!(
        (schema(&label.open().await).await, label.snapshots().len()),
        (OLD, 0),
        "a check changes nothing"
    );
    assert!(label.run(&["migrate"]).status.success());
    let checked = label.run(&["check"]);
    assert!(checked.status.success(), "{checked:?}");
    label
        .write(
            "UPDATE _sqlx_migrations SET version = 9999 \
             WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)",
        )
        .await;
    // As beside the newer program that serves it.
    let lock = std::fs::File::create(label.data.path().join("lock")).unwrap();
    lock.lock().unwrap();
    for arguments in [&["check"][..], &["admin", "create", "boss@label.example"], &["export", "artists"]] {
        refused(arguments, 78, "the database has a newer schema than this program (9999)");
    }
}

#[tokio::test]
async fn the_newest_two_snapshots_are_kept() {
    let label = OldLabel::make(Engine::Sqlite).await;
    let folder = label.data.path().join("before-upgrade");
    for older in ["1-2-2026-01-01T000000Z", "2-8-2026-02-01T000000Z"] {
        std::fs::create_dir_all(folder.join(older)).unwrap();
    }
    assert!(label.run(&["migrate"]).status.success());
    let kept = label.snapshots();
    let names: Vec<_> = kept.iter().map(|path| name(path)).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"2-8-2026-02-01T000000Z"), "{names:?}");
}

#[tokio::test]
async fn a_snapshot_of_long_ago_is_removed() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("before-upgrade");
    let days_ago = |days: i64| {
        let time = rfc3339(Clock::System.now() - days * DAY).replace(':', "");
        folder.join(format!("2-8-{time}"))
    };
    let (old, recent, own) = (days_ago(31), days_ago(29), folder.join("my-own-copy"));
    for path in [&old, &recent, &own] {
        std::fs::create_dir_all(path).unwrap();
    }
    let (_serving, _) = serve(data.path()).await;
    let removed = async {
        while old.exists() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(RECEIVE_TIMEOUT, removed).await.unwrap();
    assert!(recent.exists() && own.exists());
}

/// A clock that was set back since, and folders of the operator's own.
#[tokio::test]
async fn the_snapshot_just_written_and_foreign_folders_are_kept() {
    let label = OldLabel::make(Engine::Sqlite).await;
    let folder = label.data.path().join("before-upgrade");
    for other in ["1-2-2999-01-01T000000Z", "2-8-2999-02-01T000000Z", "my-own-copy"] {
        std::fs::create_dir_all(folder.join(other)).unwrap();
    }
    assert!(label.run(&["migrate"]).status.success());
    let kept = label.snapshots();
    let names: Vec<_> = kept.iter().map(|path| name(path)).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().any(|name| name.starts_with(&format!("{OLD}-"))), "{names:?}");
    assert!(names.contains(&"2-8-2999-02-01T000000Z") && names.contains(&"my-own-copy"), "{names:?}");
}

/// Something passing was in the way: a service manager is to try again, so the exit code is not that of a setting.
#[tokio::test]
async fn an_upgrade_that_meets_a_deadlock_or_loses_its_connection_may_be_tried_again() {
    let label = OldLabel::make(Engine::Postgres).await;
    let db = label.open().await;
    for (way, code, said) in [
        (
            "RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'",
            1,
            "another program was using the tables",
        ),
        (
            "RAISE EXCEPTION 'the system shuts down' USING ERRCODE = '57P01'",
            1,
            "(the system shuts down), and nothing was changed",
        ),
        (
            "PERFORM pg_terminate_backend(pg_backend_pid())",
            1,
            "and nothing was changed; it may be tried again",
        ),
        // A full disk does not pass by itself.
        (
            "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'",
            78,
            "failed and changed nothing; start the version before again",
        ),
    ] {
        run_sql(
            &db,
            &format!(
                "CREATE FUNCTION in_the_way() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN {way}; END $$; \
                 CREATE EVENT TRIGGER in_the_way ON ddl_command_start WHEN TAG IN ('ALTER TABLE') \
                     EXECUTE FUNCTION in_the_way()"
            ),
        )
        .await;
        let output = label.run(&["migrate"]);
        assert_eq!(output.status.code(), Some(code), "{}", line(&output));
        assert!(line(&output).contains(said), "{}", line(&output));
        assert_eq!(schema(&db).await, OLD);
        run_sql(&db, "DROP EVENT TRIGGER in_the_way; DROP FUNCTION in_the_way").await;
    }
    let output = label.run(&["migrate"]);
    assert!(output.status.success(), "{}", line(&output));
}

#[tokio::test]
async fn an_upgrade_goes_on_without_a_snapshot_when_told_to() {
    let label = OldLabel::make(Engine::Sqlite).await;
    // A file where the folder should be: it cannot be written.
    std::fs::write(label.data.path().join("before-upgrade"), "").unwrap();
    let output = label.run(&["migrate"]);
    assert_eq!(output.status.code(), Some(78), "{}", line(&output));
    assert_eq!(schema(&label.open().await).await, OLD);
    let output = label.run(&["migrate", "--without-snapshot"]);
    assert!(output.status.success(), "{}", line(&output));
    assert!(schema(&label.open().await).await > OLD);
}
