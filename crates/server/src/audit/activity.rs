//! The audit log for admins: newest first, searched, and by person and kind.

use std::{collections::HashMap, str::FromStr as _};

use axum::Json;
use deadwax_http::{error::AppResult, extract::ApiQuery};
use deadwax_store::{columns::Timestamp, db::Db, statements};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::Admin,
    editing::{
        lists::{Page, Search},
        newest::Newest,
    },
};

/// Those of the objects in the array `$1`, each `{kind, id}`, that are of one kind and exist.
macro_rules! named {
    ($kind:literal, $columns:literal, $table:literal, $key:literal) => {
        concat!(
            "SELECT CAST('",
            $kind,
            "' AS TEXT), ",
            $columns,
            " FROM ",
            $table,
            " WHERE ",
            $key,
            " IN (SELECT unhex(value ->> 'id') FROM json_each($1) WHERE value ->> 'kind' = '",
            $kind,
            "')"
        )
    };
}

statements! {
    LIST = "SELECT a.id, a.at, a.event AS kind, a.role, p.username AS person, NULLIF(a.address, '0.0.0.0') AS address, a.target, a.outcome, a.repeats \
        FROM audit_log a LEFT JOIN profiles p ON p.id = a.actor WHERE \
            (LOWER(a.event) LIKE $1 ESCAPE '\\' OR LOWER(COALESCE(a.target, '')) LIKE $1 ESCAPE '\\' \
                OR LOWER(COALESCE(p.username, '')) LIKE $1 ESCAPE '\\' OR LOWER(a.outcome) LIKE $1 ESCAPE '\\' \
                OR a.actor IN (SELECT d.user_id FROM admin_users d JOIN users u ON u.id = d.user_id \
                    WHERE u.email LIKE SUBSTR($1, 2) ESCAPE '\\') \
                OR a.target IN (SELECT value ->> 'target' FROM json_each($4))) \
            AND LOWER(COALESCE(p.username, '')) LIKE $2 ESCAPE '\\' AND (a.event LIKE $3 ESCAPE '\\') \
            AND a.at <= $6 AND (a.at < $6 OR a.id < $7) ORDER BY a.at DESC, a.id DESC LIMIT $5";
    PEOPLE = "SELECT DISTINCT p.username FROM audit_log a JOIN profiles p ON p.id = a.actor WHERE a.role = 'admin' ORDER BY 1 LIMIT 100";
    KINDS = "SELECT DISTINCT event FROM audit_log ORDER BY 1 LIMIT 200";
    NAMES = concat!(
        named!("artist", "t.id, t.name", "artists t", "t.id"),
        " UNION ALL ",
        named!("release", "t.id, t.title", "releases t", "t.id"),
        " UNION ALL ",
        named!("product", "t.id, t.title", "store_products t", "t.id"),
        " UNION ALL ",
        named!("media", "t.id, t.original_name", "media_files t", "t.id"),
        " UNION ALL ",
        named!("import", "t.id, t.file_name", "imports t", "t.id"),
        " UNION ALL ",
        named!("user", "t.id, t.username", "profiles t", "t.id"),
        " UNION ALL ",
        named!("demo", "t.id, t.artist_name", "demos t", "t.id"),
        " UNION ALL ",
        named!("demo_score", "t.id, t.artist_name", "demos t", "t.id"),
        " UNION ALL ",
        named!("demo_note", "n.id, t.artist_name", "demo_notes n JOIN demos t ON t.id = n.demo_id", "n.id")
    );
    // SQLite lowers ASCII alone, so a file's name is also searched as it is typed.
    NAMED = "SELECT kind, id FROM ( \
            SELECT CAST('artist' AS TEXT) AS kind, id FROM artists WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'release', id FROM releases WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'product', id FROM store_products WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'media', id FROM media_files WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'import', id FROM imports WHERE LOWER(file_name) LIKE $2 ESCAPE '\\' OR file_name LIKE $4 ESCAPE '\\' \
            UNION ALL SELECT 'user', id FROM profiles WHERE LOWER(username) LIKE $2 ESCAPE '\\' \
            UNION ALL SELECT 'user', d.user_id FROM admin_users d JOIN users u ON u.id = d.user_id WHERE u.email LIKE SUBSTR($2, 2) ESCAPE '\\' \
            UNION ALL SELECT 'demo', id FROM demos WHERE sort_key LIKE $1 ESCAPE '\\' \
            UNION ALL SELECT 'demo_note', n.id FROM demo_notes n JOIN demos t ON t.id = n.demo_id WHERE t.sort_key LIKE $1 ESCAPE '\\' \
        ) named ORDER BY id DESC LIMIT $3";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_activity)).routes(routes!(list_activity_filters))
}

/// A page of the log, and the search.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// Entries at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only entries whose kind, person (an admin's address too), object, its name or outcome contains this.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// Only entries of this person, by name.
    #[param(max_length = 200)]
    pub person: Option<String>,
    /// Only entries of this kind, such as `sensitive_update`.
    #[param(max_length = 200)]
    pub kind: Option<String>,
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ActivityEntry {
    pub id: Uuid,
    pub at: Timestamp,
    /// By the names of the OWASP logging vocabulary.
    pub kind: String,
    /// `visitor`, `member`, `admin` or `system`.
    pub role: String,
    /// The name of the account; null for visitors, the program, and deleted accounts.
    pub person: Option<String>,
    /// The client's address; null for the command line.
    pub address: Option<String>,
    /// The object, such as `release:{id}`.
    pub target: Option<String>,
    /// The object's present name, in the trash too; null if it has none or is deleted. Of notes and scores, the
    /// demo's.
    #[sqlx(skip)]
    pub name: Option<String>,
    /// `ok`, the code of the refusal, or the exact result, such as `admin_granted`.
    pub outcome: String,
    /// How many alike were left out before it.
    pub repeats: i64,
}

/// The values that the log can be filtered by.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ActivityFilters {
    /// Admins in the log.
    pub people: Vec<String>,
    /// Kinds of entries in the log.
    pub kinds: Vec<String>,
}

/// The audit log, newest first.
#[utoipa::path(get, path = "/api/admin/activity", tag = "admin", params(ActivityQuery), responses(
    (status = 200, description = "A page of the log", body = Page<ActivityEntry>),
))]
pub async fn list_activity(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ActivityQuery>,
) -> AppResult<Json<Page<ActivityEntry>>> {
    let exactly = |typed: Option<&str>| Search::of(typed).map(|search| search.exact);
    let (person, kind) = (exactly(query.person.as_deref())?, exactly(query.kind.as_deref())?);
    let search = Search::of(query.q.as_deref())?;
    let place = Newest::read(query.limit, query.cursor.as_deref())?;
    let found = if search.is_blank { "[]".to_owned() } else { targets_named(&app.db, &search).await? };
    let rows = app.db.query(LIST).bind(&search.lower).bind(person).bind(kind).bind(found);
    let mut page = place.page(rows, |entry: &ActivityEntry| (entry.at.0, entry.id)).await?;
    let names = names_of(&app.db, page.items.iter().filter_map(|entry| entry.target.as_deref())).await?;
    for entry in &mut page.items {
        entry.name = entry.target.as_ref().and_then(|target| names.get(target).cloned());
    }
    Ok(Json(page))
}

/// The values that the log can be filtered by.
#[utoipa::path(get, path = "/api/admin/activity/filters", tag = "admin", responses(
    (status = 200, description = "People and kinds that are in the log", body = ActivityFilters),
))]
pub async fn list_activity_filters(app: AppState, _: Admin) -> AppResult<Json<ActivityFilters>> {
    let people = app.db.query(PEOPLE).values().await?;
    let kinds = app.db.query(KINDS).values().await?;
    Ok(Json(ActivityFilters { people, kinds }))
}

/// Most objects that a search by name finds; if there are more, the newest.
const FOUND_MAX: i64 = 200;

/// Kind and id of a target such as `release:{id}`; none without an id.
fn object(target: &str) -> Option<(&str, Uuid)> {
    let (kind, id) = target.split_once(':')?;
    Some((kind, Uuid::from_str(id).ok()?))
}

/// The names of the existing targets, in the trash too, by target.
async fn names_of<'a>(
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

/// The targets whose names match, as an array of `{target}`; the newest 200 objects.
async fn targets_named(db: &Db, search: &Search) -> sqlx::Result<String> {
    let named = db.query(NAMED).bind(&search.key).bind(&search.lower).bind(FOUND_MAX).bind(&search.typed);
    let rows = named.all::<(String, Uuid)>().await?;
    let mut targets = Vec::with_capacity(rows.len());
    for (kind, id) in rows {
        if kind == "demo" {
            targets.push(json!({"target": format!("demo_score:{id}")}));
        }
        targets.push(json!({"target": format!("{kind}:{id}")}));
    }
    Ok(serde_json::Value::from(targets).to_string())
}
