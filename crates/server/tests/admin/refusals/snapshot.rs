//! Everything that is stored, for comparison: rows of all tables, and files.

use std::collections::BTreeMap;

use deadwax_store::db::Db;
use futures_util::TryStreamExt as _;

use crate::support::TestServer;

/// Tables that a refused request may change too: its session and its limits.
const TOUCHED: [&str; 4] = ["sessions", "session_tokens", "limits", "_sqlx_migrations"];

/// Rows by table, and the files.
#[derive(PartialEq, Eq)]
pub struct Snapshot(BTreeMap<String, Vec<String>>);

impl Snapshot {
    pub async fn of(server: &TestServer) -> Self {
        let mut parts = BTreeMap::new();
        for table in tables(&server.app.db).await {
            if !TOUCHED.contains(&table.as_str()) {
                parts.insert(table.clone(), rows(&server.app.db, &table).await);
            }
        }
        assert!(parts.len() > 15, "{:?}", parts.keys());
        let stored = server.app.storage.list().map_ok(|file| format!("{file:?}"));
        let mut stored: Vec<String> = stored.try_collect().await.unwrap();
        stored.sort();
        parts.insert("files".to_owned(), stored);
        // A request's spooled file may be removed a moment after its answer.
        let spool = server.data.path().join("spool");
        server
            .wait_until("the spool is empty", async || std::fs::read_dir(&spool).unwrap().count() == 0)
            .await;
        Self(parts)
    }

    /// The parts that differ.
    pub fn difference(&self, other: &Self) -> String {
        let differs = self.0.iter().filter(|(part, rows)| other.0.get(*part) != Some(rows));
        let differences = differs.map(|(part, rows)| format!("{part}: {rows:?} -> {:?}", other.0.get(part)));
        differences.collect::<Vec<_>>().join("; ")
    }
}

async fn tables(db: &Db) -> Vec<String> {
    match db {
        Db::Sqlite { read, .. } => {
            sqlx::query_scalar(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            )
            .fetch_all(read)
            .await
        }
        Db::Postgres { pool, .. } => sqlx::query_scalar(
            "SELECT table_name::TEXT FROM information_schema.tables WHERE table_schema = current_schema()",
        )
        .fetch_all(pool)
        .await,
    }
    .unwrap()
}

/// All rows of a table as text, except the log's entries about refused uploads.
async fn rows(db: &Db, table: &str) -> Vec<String> {
    let which = if table == "audit_log" { " WHERE event <> 'upload_validation'" } else { "" };
    match db {
        Db::Sqlite { read, .. } => {
            let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info($1)")
                .bind(table)
                .fetch_all(read)
                .await
                .unwrap();
            let columns: Vec<String> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
            let sql =
                format!("SELECT {} AS line FROM {table}{which} ORDER BY line", columns.join(" || ',' || "));
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(read).await
        }
        Db::Postgres { pool, .. } => {
            let sql = format!("SELECT t::TEXT AS line FROM {table} t{which} ORDER BY line");
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await
        }
    }
    .unwrap()
}
