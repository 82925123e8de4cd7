//! What the database says of itself: which tables and columns there are, of what kind, and which refer to which. Asked of the
//! engine, so that no table can be forgotten.

use std::collections::{BTreeMap, BTreeSet};

use deadwax_store::db::Db;

/// What means something on this machine or for a moment only: the log of changes, counters of limits, files to be removed, and
/// uploads that are still under way; requests that may be repeated; who listens to what; and what the database makes of other tables by itself.
const LEFT_OUT: [&str; 9] = [
    "_sqlx_migrations",
    "events",
    "limits",
    "deletions",
    "uploads",
    "upload_parts",
    "idempotency_keys",
    "demo_listeners",
    "release_search",
];

/// What a column holds, whatever the engine calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// 16 bytes that name a row.
    Id,
    /// Bytes.
    Bytes,
    /// Text.
    Text,
    /// A whole number.
    Number,
    /// True or false.
    Flag,
}

/// A table and its columns in the order of the schema.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<(String, Kind)>,
}

impl Table {
    /// What the column of that name holds.
    pub(super) fn kind(&self, column: &str) -> Option<Kind> {
        self.columns.iter().find(|(name, _)| name == column).map(|(_, kind)| *kind)
    }
}

const SQLITE_COLUMNS: &str = "SELECT m.name, c.name, c.type \
    FROM sqlite_schema m JOIN pragma_table_info(m.name) c \
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' \
    ORDER BY m.name, c.cid";
const SQLITE_REFERENCES: &str = "SELECT m.name, f.\"table\" \
    FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f \
    WHERE m.type = 'table'";
const POSTGRES_COLUMNS: &str = "SELECT c.table_name::TEXT, c.column_name::TEXT, c.data_type::TEXT \
    FROM information_schema.columns c JOIN information_schema.tables t \
        ON t.table_schema = c.table_schema AND t.table_name = c.table_name \
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' \
    ORDER BY c.table_name, c.ordinal_position";
const POSTGRES_REFERENCES: &str = "SELECT c.relname::TEXT, f.relname::TEXT \
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid \
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace";

/// Table, column, and what the column was declared as.
type ColumnRow = (String, String, String);
/// A table, and one that it refers to.
type Reference = (String, String);

/// Every table that is backed up; one that refers to another stands behind it.
pub(super) async fn tables(db: &Db) -> sqlx::Result<Vec<Table>> {
    let (columns, references): (Vec<ColumnRow>, Vec<Reference>) = match db {
        Db::Sqlite { read, .. } => (
            sqlx::query_as(SQLITE_COLUMNS).fetch_all(read).await?,
            sqlx::query_as(SQLITE_REFERENCES).fetch_all(read).await?,
        ),
        Db::Postgres { pool, .. } => (
            sqlx::query_as(POSTGRES_COLUMNS).fetch_all(pool).await?,
            sqlx::query_as(POSTGRES_REFERENCES).fetch_all(pool).await?,
        ),
    };
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for (table, column, declared) in columns {
        if LEFT_OUT.contains(&table.as_str()) {
            continue;
        }
        let kind = kind(&declared).ok_or_else(|| {
            sqlx::Error::Protocol(format!("{table}.{column} is of a kind that is not backed up ({declared})"))
        })?;
        let entry = tables.entry(table.clone()).or_insert_with(|| Table { name: table, columns: Vec::new() });
        entry.columns.push((column, kind));
    }
    Ok(in_order(tables, &references))
}

/// SQLite keeps ids in BLOB columns as other bytes: what is read from them is the same.
fn kind(declared: &str) -> Option<Kind> {
    match declared.to_ascii_lowercase().as_str() {
        "uuid" => Some(Kind::Id),
        "blob" | "bytea" => Some(Kind::Bytes),
        "text" => Some(Kind::Text),
        "bigint" | "integer" => Some(Kind::Number),
        "boolean" => Some(Kind::Flag),
        _ => None,
    }
}

fn in_order(mut tables: BTreeMap<String, Table>, references: &[Reference]) -> Vec<Table> {
    let mut ordered = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waiting: BTreeSet<&str> = references
            .iter()
            .filter(|(from, to)| from != to && tables.contains_key(to))
            .map(|(from, _)| from.as_str())
            .collect();
        // Tables that refer to each other in a circle would be let through together, for the engine to judge.
        let mut ready: Vec<String> =
            tables.keys().filter(|name| !waiting.contains(name.as_str())).cloned().collect();
        if ready.is_empty() {
            ready = tables.keys().cloned().collect();
        }
        ordered.extend(ready.iter().filter_map(|name| tables.remove(name)));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_referred_to_comes_first() {
        let table = |name: &str| (name.to_owned(), Table { name: name.to_owned(), columns: Vec::new() });
        let tables = BTreeMap::from(["a", "b", "c", "d"].map(table));
        let refers = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let references = [refers("a", "c"), refers("c", "d"), refers("b", "b"), refers("b", "gone")];
        let names: Vec<String> = in_order(tables, &references).into_iter().map(|table| table.name).collect();
        assert_eq!(names, ["b", "d", "c", "a"]);
    }
}
