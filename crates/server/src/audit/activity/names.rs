//! Names of the log's objects. The log stores only ids; names are looked up when it is read, so that erased objects
//! have none.

use std::{collections::HashMap, str::FromStr as _};

use deadwax_store::{db::Db, statements};
use serde_json::json;
use uuid::Uuid;

/// Most objects that a search by name finds; if there are more, the newest.
const FOUND_MAX: i64 = 200;

/// The names of the existing objects in `$rows`, each `{kind, id}`; `$id` reads the id.
macro_rules! names {
    ($rows:literal, $id:literal) => {
        concat!(
            names!(@ $rows, $id, "artist", "t.id, t.name", "artists t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "release", "t.id, t.title", "releases t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "product", "t.id, t.title", "store_products t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "media", "t.id, t.original_name", "media_files t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "import", "t.id, t.file_name", "imports t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "user", "t.id, t.username", "profiles t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "demo", "t.id, t.artist_name", "demos t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "demo_score", "t.id, t.artist_name", "demos t", "t.id"),
            " UNION ALL ",
            names!(@ $rows, $id, "demo_note", "n.id, t.artist_name", "demo_notes n JOIN demos t ON t.id = n.demo_id", "n.id")
        )
    };
    (@ $rows:literal, $id:literal, $kind:literal, $columns:literal, $table:literal, $key:literal) => {
        concat!(
            "SELECT CAST('", $kind, "' AS TEXT), ", $columns, " FROM ", $table, " WHERE ", $key, " IN (SELECT ", $id, " FROM ", $rows,
            " WHERE value ->> 'kind' = '", $kind, "')"
        )
    };
}

statements! {
    NAMES = names!("json_each($1)", "unhex(value ->> 'id')"),
        postgres names!("jsonb_array_elements(CAST(CAST($1 AS TEXT) AS JSONB)) AS rows (value)", "CAST(value ->> 'id' AS UUID)");
    NAMED = "SELECT kind, id FROM ( \
            SELECT CAST('artist' AS TEXT) AS kind, id FROM artists WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'release', id FROM releases WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'product', id FROM store_products WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'media', id FROM media_files WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'import', id FROM imports WHERE LOWER(file_name) LIKE $2 ESCAPE '\\' \
            UNION ALL SELECT 'user', id FROM profiles WHERE LOWER(username) LIKE $2 ESCAPE '\\' \
            UNION ALL SELECT 'user', d.user_id FROM admin_users d JOIN users u ON u.id = d.user_id WHERE u.email LIKE SUBSTR($2, 2) ESCAPE '\\' \
            UNION ALL SELECT 'demo', id FROM demos WHERE sort_key LIKE $1 ESCAPE '\\' \
        ) named ORDER BY id DESC LIMIT $3";
}

/// Kind and id of a target such as `release:{id}`; none without an id.
fn object(target: &str) -> Option<(&str, Uuid)> {
    let (kind, id) = target.split_once(':')?;
    Some((kind, Uuid::from_str(id).ok()?))
}

/// The names of the existing targets, in the trash too, by target.
pub(super) async fn of_targets<'a>(
    db: &Db,
    targets: impl Iterator<Item = &'a str>,
) -> sqlx::Result<HashMap<String, String>> {
    let wanted: Vec<_> =
        targets.filter_map(object).map(|(kind, id)| json!({"kind": kind, "id": hex::encode(id)})).collect();
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let wanted = serde_json::Value::from(wanted).to_string();
    let rows = db.query(NAMES).bind(wanted).all::<(String, Uuid, String)>().await?;
    Ok(rows.into_iter().map(|(kind, id, name)| (format!("{kind}:{id}"), name)).collect())
}

/// A JSON array of the targets whose names match `by_key` (on sort keys) or `as_typed`; the newest 200 objects.
pub(super) async fn targets_named(db: &Db, by_key: &str, as_typed: &str) -> sqlx::Result<String> {
    let rows = db.query(NAMED).bind(by_key).bind(as_typed).bind(FOUND_MAX).all::<(String, Uuid)>().await?;
    let mut targets = Vec::with_capacity(rows.len());
    for (kind, id) in rows {
        if kind == "demo" {
            targets.push(format!("demo_score:{id}"));
        }
        targets.push(format!("{kind}:{id}"));
    }
    Ok(serde_json::Value::from(targets).to_string())
}
