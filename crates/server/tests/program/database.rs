use std::collections::BTreeMap;

use deadwax_store::{
    db::{Db, EngineTx, MIGRATIONS_POSTGRES, MIGRATIONS_SQLITE},
    live::Invalidate as _,
    tables::Tables,
};
use macro_rules_attribute::apply;
use sqlx::{Executor as _, Row as _, SqlSafeStr as _};

use crate::{
    on_both_engines,
    support::{Database, Engine, TestServer},
};

deadwax_store::statements! {
    RENAME = "UPDATE artists SET name = $2 WHERE id = $1 RETURNING name";
    NAME = "SELECT name FROM artists WHERE id = $1";
}

#[tokio::test]
async fn every_statement_is_understood_by_both_engines() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let server = TestServer::start(engine).await;
        let statements = deadwax::operation::sql_texts::all();
        assert!(statements.len() > 10);
        for (name, statement) in statements {
            let result = match &server.app.db {
                Db::Sqlite { write, .. } => write.prepare(statement.sqlite.into_sql_str()).await.map(drop),
                Db::Postgres { pool, .. } => pool.prepare(statement.postgres.into_sql_str()).await.map(drop),
            };
            assert!(result.is_ok(), "{engine:?}: {name}: {result:?}");
        }
    }
}

/// A condition that no index answers reads the whole table, and an order that none has sorts it.
#[tokio::test]
async fn rows_are_found_by_an_index() {
    let server = TestServer::start(Engine::Sqlite).await;
    let Db::Sqlite { write, .. } = &server.app.db else { unreachable!() };
    let of_few_rows = [
        "moves::MEDIUM_AT",
        "moves::TRASHED_MEDIUM_AT",
        "moves::IS_STORED",
        "hero::ROWS",
        "::TELL_MEDIA",
        "queue::TAKE",
        "names::RELEASE_NAME",
    ];
    let statements = deadwax::operation::sql_texts::all();
    for name in of_few_rows {
        let found = statements.iter().find(|(_, statement)| statement.name.ends_with(name));
        let explained = format!("EXPLAIN QUERY PLAN {}", found.unwrap().1.sqlite);
        let plan = write.fetch_all(sqlx::AssertSqlSafe(explained)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|step| step.get("detail")).collect();
        let is_slow = |step: &String| step.starts_with("SCAN") || step.contains("TEMP B-TREE");
        assert!(!steps.iter().any(is_slow), "{name}: {steps:?}");
    }
}

/// Deleting a row otherwise reads every row that could name it.
#[tokio::test]
async fn the_rows_of_a_foreign_key_are_found_by_an_index() {
    let server = TestServer::start(Engine::Sqlite).await;
    let Db::Sqlite { read, .. } = &server.app.db else { unreachable!() };
    let without: Vec<(String, String)> = sqlx::query_as(
        "SELECT t.name, f.\"from\" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f \
         WHERE t.type = 'table' AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) l, pragma_index_info(l.name) i \
             WHERE i.seqno = 0 AND i.name = f.\"from\")",
    )
    .fetch_all(read)
    .await
    .unwrap();
    assert!(without.is_empty(), "{without:?}");
}

#[tokio::test]
async fn the_log_of_a_database_is_not_filled_with_warnings() {
    let server = TestServer::start(Engine::Postgres).await;
    for at in 0..5 {
        assert_eq!(server.get(&format!("/api/releases?q=nobody{at}")).await.status, 200);
    }
    let warnings: Vec<_> = Database::log()
        .lines()
        .filter(|line| line.contains("transaction in progress"))
        .map(str::to_owned)
        .collect();
    assert_eq!(warnings, [] as [String; 0]);
}

/// While PostgreSQL considers a table small, it repeats such a subquery for every outer row.
#[test]
fn no_limited_subquery_is_compared_with_in() {
    for (name, statement) in deadwax::operation::sql_texts::all() {
        for (at, start) in statement.postgres.match_indices("IN (SELECT") {
            let mut depth = 1_u32;
            let subquery = statement.postgres[at + start.len()..].chars().take_while(|sign| {
                match sign {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth > 0
            });
            let subquery: String = subquery.collect();
            assert!(!subquery.contains("LIMIT"), "{name}: {subquery}");
        }
    }
}

#[tokio::test]
async fn both_schemas_have_the_same_tables_and_columns() {
    let sqlite = TestServer::start(Engine::Sqlite).await;
    let postgres = TestServer::start(Engine::Postgres).await;
    let columns = async |db: &Db| {
        let rows: Vec<(String, String)> = match db {
            Db::Sqlite { write, .. } => write
                .fetch_all("SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%'")
                .await
                .unwrap()
                .iter()
                .map(|row| (row.get(0), row.get(1)))
                .collect(),
            Db::Postgres { pool, .. } => pool
                .fetch_all("SELECT table_name::TEXT, column_name::TEXT FROM information_schema.columns WHERE table_schema = 'public'")
                .await
                .unwrap()
                .iter()
                .map(|row| (row.get(0), row.get(1)))
                .collect(),
        };
        let mut tables = BTreeMap::<String, Vec<String>>::new();
        for (table, column) in rows {
            tables.entry(table).or_default().push(column);
        }
        tables.values_mut().for_each(|columns| columns.sort());
        tables
    };
    let (left, right) = (columns(&sqlite.app.db).await, columns(&postgres.app.db).await);
    assert!(left.len() > 5);
    assert_eq!(left, right);
}

#[test]
fn both_engines_have_the_same_migrations() {
    let numbers = |migrator: &sqlx::migrate::Migrator| {
        migrator.iter().map(|step| (step.version, step.description.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&MIGRATIONS_SQLITE), numbers(&MIGRATIONS_POSTGRES));
}

/// Columns with different collations cannot use each other's index.
#[tokio::test]
async fn references_are_compared_as_what_they_refer_to() {
    let server = TestServer::start(Engine::Postgres).await;
    let others = "pg_constraint c CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (here, there) \
         JOIN pg_attribute h ON h.attrelid = c.conrelid AND h.attnum = k.here \
         JOIN pg_attribute t ON t.attrelid = c.confrelid AND t.attnum = k.there \
         WHERE c.contype = 'f'";
    assert!(server.count(others).await > 10);
    assert_eq!(server.count(&format!("{others} AND h.attcollation <> t.attcollation")).await, 0);
}

#[tokio::test]
async fn a_schema_of_a_newer_program_is_refused() {
    let server = TestServer::start(Engine::Sqlite).await;
    server.sql("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'future', TRUE, x'00', 0)").await;
    let error = server.app.db.migrate().await.unwrap_err();
    assert!(error.to_string().contains("newer schema"), "{error}");
}

#[tokio::test]
async fn two_instances_may_migrate_one_database_at_once() {
    let database = Database::create_bare().await;
    let open = async || Db::open(Some(&database.url()), std::path::Path::new("/")).await.unwrap();
    let (first, second) = (open().await, open().await);
    let (one, two) = tokio::join!(first.migrate(), second.migrate());
    one.unwrap();
    two.unwrap();
}

#[tokio::test]
async fn readers_of_sqlite_cannot_write() {
    let server = TestServer::start(Engine::Sqlite).await;
    let Db::Sqlite { read, .. } = &server.app.db else { unreachable!() };
    let error = read.execute("DELETE FROM artists").await.unwrap_err();
    assert!(error.to_string().contains("readonly"), "{error}");
}

#[tokio::test]
async fn a_query_that_only_reads_cannot_write_on_sqlite() {
    let server = TestServer::start(Engine::Sqlite).await;
    let artist = server.artist("Before", None).await;
    let error = server.app.db.query(RENAME).bind(artist).bind("After").execute().await.unwrap_err();
    assert!(error.to_string().contains("readonly"), "{error}");
    let name = server.app.db.query(NAME).bind(artist).value::<String>().await.unwrap();
    assert_eq!(name, "Before");
}

#[tokio::test]
async fn a_write_by_itself_is_committed_and_shown_when_it_returns() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let server = TestServer::start(engine).await;
        let artist = server.artist("Before", None).await;
        let path = format!("/api/artists/{artist}");
        for number in 0..20 {
            assert!(server.get(&path).await.json()["name"].is_string(), "the answer is kept");
            let name = format!("After {number}");
            let rename = server.app.db.write(RENAME).bind(artist).bind(&name);
            // Each way to fetch rows reaches the end of the statement.
            match number % 5 {
                0 => assert_eq!(rename.execute().await.unwrap(), 1),
                1 => assert_eq!(rename.value::<String>().await.unwrap(), name),
                2 => assert_eq!(rename.maybe::<String>().await.unwrap().unwrap(), name),
                3 => assert!(rename.exists().await.unwrap()),
                _ => assert_eq!(rename.values::<String>().await.unwrap(), [name.as_str()]),
            }
            let stored = server.app.db.query(NAME).bind(artist).value::<String>().await.unwrap();
            assert_eq!(stored, name, "{engine:?}");
            assert_eq!(server.get(&path).await.json()["name"], name, "{engine:?}");
        }
    }
}

#[tokio::test]
async fn a_write_for_which_there_was_no_room_keeps_no_other_from_being_written() {
    let server = TestServer::start(Engine::Sqlite).await;
    let Db::Sqlite { write, .. } = &server.app.db else { unreachable!("the engine asked for") };
    // Forbids any more pages, as on a full disk.
    write.execute("PRAGMA max_page_count = 1").await.unwrap();
    let mut full = server.app.db.begin().await.unwrap();
    let EngineTx::Sqlite(tx) = &mut full.inner else { unreachable!("the engine asked for") };
    let refused = tx
        .execute("INSERT INTO limits (key, state, expires_at) VALUES ('large', hex(zeroblob(1000000)), 0)")
        .await
        .unwrap_err();
    assert_eq!(refused.as_database_error().unwrap().code().unwrap(), "13");
    drop(full);
    for _ in 0..3 {
        let mut tx = server.app.db.begin().await.unwrap();
        let EngineTx::Sqlite(writing) = &mut tx.inner else { unreachable!("the engine asked for") };
        writing
            .execute("INSERT INTO limits (key, state, expires_at) VALUES (hex(randomblob(8)), '', 0)")
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
}

#[apply(on_both_engines!)]
async fn a_full_disk_is_called_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    match &server.app.db {
        Db::Sqlite { write, .. } => drop(write.execute("PRAGMA max_page_count = 1").await.unwrap()),
        Db::Postgres { pool, .. } => {
            let full = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ \
                BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$; \
                CREATE TRIGGER no_room BEFORE INSERT ON artists FOR EACH ROW EXECUTE FUNCTION no_room()";
            pool.execute(full).await.unwrap();
        }
    }
    let mut add = async |number: u32| {
        let artist = serde_json::json!({"name": format!("A {number}"), "bio": "x".repeat(900)});
        desk.post("/api/admin/artists", artist).await
    };
    let mut answer = add(0).await;
    for number in 1..100 {
        if answer.status == 201 {
            answer = add(number).await;
        }
    }
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (503, "storage_full"), "{answer:?}");
    assert_eq!(answer.header("retry-after"), "600");
    assert_eq!(server.get("/api/artists").await.status, 200);
}

/// As a standby after a failover, or a managed server whose disk is nearly full.
#[tokio::test]
async fn a_server_that_only_reads_for_now_says_when_to_retry() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let Db::Postgres { pool, .. } = &server.app.db else { unreachable!("the engine asked for") };
    let mut own = pool.acquire().await.unwrap().detach();
    for sql in [
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
        // Connections at hand keep their setting.
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    ] {
        own.execute(sql).await.unwrap();
    }
    let answer = desk.post("/api/admin/artists", serde_json::json!({"name": "A"})).await;
    assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (503, "unavailable"), "{answer:?}");
    assert!(!answer.header("retry-after").is_empty());
    assert_eq!(server.get("/api/artists").await.status, 200);
}

#[tokio::test]
async fn slow_reads_keep_no_write_waiting_and_no_answer_from_being_kept() {
    let server = TestServer::start(Engine::Sqlite).await;
    let artist = server.artist("A", None).await;
    server.wait_for_changes().await;
    let Db::Sqlite { read, .. } = &server.app.db else { unreachable!("the engine asked for") };
    let mut slow = Vec::new();
    for _ in 0..read.options().get_max_connections() {
        // Takes all connections.
        slow.extend(tokio::time::timeout(std::time::Duration::from_secs(1), read.acquire()).await);
    }
    let kept = server.app.responses.generation(Tables::MAINTENANCE);
    let began = std::time::Instant::now();
    server.app.db.write(RENAME).bind(artist).bind("B").value::<String>().await.unwrap();
    assert!(began.elapsed() < std::time::Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(server.app.responses.generation(Tables::MAINTENANCE), kept);
    drop(slow);
    assert_eq!(server.get(&format!("/api/artists/{artist}")).await.json()["name"], "B");
}

/// A long reader, such as a backup, keeps SQLite from truncating its log, which no writer may wait for.
#[tokio::test]
async fn emptying_the_log_keeps_no_writer_waiting() {
    let server = TestServer::start(Engine::Sqlite).await;
    let artist = server.artist("A", None).await;
    let Db::Sqlite { read, .. } = &server.app.db else { unreachable!() };
    let mut reading = read.begin().await.unwrap();
    let names: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM artists").fetch_one(&mut *reading).await.unwrap();
    assert_eq!(names, 1);
    let began = std::time::Instant::now();
    let rename = async |name: &str| {
        let renamed = server.app.db.write(RENAME).bind(artist).bind(name).value::<String>().await;
        assert_eq!(renamed.unwrap(), name);
    };
    rename("B").await;
    let (settled, ()) = tokio::join!(server.app.db.settle_erased(), rename("C"));
    assert!(!settled.unwrap(), "somebody reads what was there before");
    assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
    drop(reading);
    // The driver finishes a dropped statement when its connection is used again.
    server.app.db.query(NAME).bind(artist).value::<String>().await.unwrap();
    server.wait_until("nobody reads any more", async || server.app.db.settle_erased().await.unwrap()).await;
    let log = std::fs::metadata(server.data.path().join("deadwax.db-wal")).unwrap();
    assert_eq!(log.len(), 0);
}
