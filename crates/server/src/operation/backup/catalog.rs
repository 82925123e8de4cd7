//! The database's own description of its tables, columns and references, so that a backup can miss none.

use std::collections::{BTreeMap, BTreeSet};

use deadwax_store::{db::Source, statements};

/// Data of a moment or a machine: the runs of backups, limit counters, pending deletions, unfinished uploads, idempotency keys, who listens
/// to what, and the keys and sketches of the visitors of days that have not ended.
pub(in crate::operation) const LEFT_OUT: [&str; 9] = [
    "backup_runs",
    "limits",
    "number_days",
    "number_sketches",
    "deletions",
    "uploads",
    "upload_parts",
    "idempotency_keys",
    "demo_listeners",
];

/// Left out too, because migrations and triggers write it; a copy of the whole database keeps it.
const DERIVED: [&str; 3] = ["_sqlx_migrations", "events", "release_search"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Id,
    Bytes,
    Text,
    Number,
    Flag,
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<(String, Kind)>,
}

impl Table {
    pub(super) fn kind(&self, column: &str) -> Option<Kind> {
        self.columns.iter().find(|(name, _)| name == column).map(|(_, kind)| *kind)
    }
}

statements! {
    COLUMNS = "SELECT m.name, c.name, c.type \
        FROM sqlite_schema m JOIN pragma_table_info(m.name) c \
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' \
        ORDER BY m.name, c.cid",
        postgres "SELECT c.table_name::TEXT, c.column_name::TEXT, c.data_type::TEXT \
        FROM information_schema.columns c JOIN information_schema.tables t \
            ON t.table_schema = c.table_schema AND t.table_name = c.table_name \
        WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' \
        ORDER BY c.table_name, c.ordinal_position";
    REFERENCES = "SELECT m.name, f.\"table\" \
        FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f \
        WHERE m.type = 'table'",
        postgres "SELECT c.relname::TEXT, f.relname::TEXT \
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid \
        WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace";
}

pub(super) async fn tables(source: impl Into<Source<'_>>) -> sqlx::Result<Vec<Table>> {
    let mut source = source.into();
    let columns = source.query(COLUMNS).all::<(String, String, String)>().await?;
    let references = source.query(REFERENCES).all::<(String, String)>().await?;
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for (table, column, declared) in columns {
        if LEFT_OUT.contains(&table.as_str()) || DERIVED.contains(&table.as_str()) {
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

/// SQLite stores ids as BLOB; they read the same.
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

fn in_order(mut tables: BTreeMap<String, Table>, references: &[(String, String)]) -> Vec<Table> {
    let mut ordered = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waiting: BTreeSet<&str> = references
            .iter()
            .filter(|(from, to)| from != to && tables.contains_key(to))
            .map(|(from, _)| from.as_str())
            .collect();
        // A cycle is passed on as it is, for the engine to judge.
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
