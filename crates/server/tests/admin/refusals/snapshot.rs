//! Everything that is stored, for comparison: rows of all tables, and files.

use std::collections::{BTreeMap, BTreeSet};

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
        let mut parts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, row) in rows(&server.app.db).await {
            parts.entry(table).or_default().push(row);
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
        let parts: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let differ = parts.into_iter().filter(|part| self.0.get(*part) != other.0.get(*part));
        let differences =
            differ.map(|part| format!("{part}: {:?} -> {:?}", self.0.get(part), other.0.get(part)));
        differences.collect::<Vec<_>>().join("; ")
    }
}

/// The rows of all tables as text, except the log's entries about refused uploads.
async fn rows(db: &Db) -> Vec<(String, String)> {
    let tables: Vec<(String, String)> = match db {
        Db::Sqlite { read, .. } => {
            sqlx::query_as(
                r#"SELECT t.name, group_concat('quote("' || c.name || '")', ' || '','' || ')
                FROM sqlite_schema t, pragma_table_info(t.name) c
                WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' GROUP BY t.name"#,
            )
            .fetch_all(read)
            .await
        }
        Db::Postgres { pool, .. } => {
            sqlx::query_as(
                "SELECT table_name::TEXT, 't::TEXT' FROM information_schema.tables
                WHERE table_schema = current_schema()",
            )
            .fetch_all(pool)
            .await
        }
    }
    .unwrap();
    let of_each =
        tables.iter().filter(|(table, _)| !TOUCHED.contains(&table.as_str())).map(|(table, row)| {
            let which = if table == "audit_log" { "WHERE event <> 'upload_validation'" } else { "" };
            format!("SELECT '{table}', {row} FROM {table} t {which}")
        });
    let sql = of_each.collect::<Vec<_>>().join(" UNION ALL ") + " ORDER BY 1, 2";
    match db {
        Db::Sqlite { read, .. } => sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(read).await,
        Db::Postgres { pool, .. } => sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await,
    }
    .unwrap()
}
