//! The versions of a row, and restoring one as a new version.

use std::collections::HashMap;

use axum::{Json, extract::Path};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{self, ApiQuery, page_limit},
};
use deadwax_store::{
    columns::{Named as _, Timestamp},
    ids::ArtistId,
    statements,
};
use rules::messages::Code;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::AppState,
    auth::guard::Admin,
    catalogue::{artist_edits, release_edits},
    content::{images, texts},
    editing::lists::{Page, ShortPageQuery},
    editing::versions::{TextFields, VersionKind},
    editing::{Editor, IfMatch},
    files::library::uses,
    products,
};

statements! {
    LIST = "SELECT v.version, v.saved_at, p.username, v.fields FROM versions v LEFT JOIN profiles p ON p.id = v.saved_by \
        WHERE v.kind = $1 AND v.row_key = $2 AND v.version < $3 ORDER BY v.version DESC LIMIT $4";
    FIND = "SELECT fields FROM versions WHERE kind = $1 AND row_key = $2 AND version = $3";
    NEWEST = "SELECT fields FROM versions WHERE kind = $1 AND row_key = $2 ORDER BY version DESC LIMIT 1";
    ARTIST_NAME = "SELECT name FROM artists WHERE id = $1";
    HAS_ARTIST = "SELECT COUNT(*) FROM artists WHERE id = $1 AND deleted_at IS NULL";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_versions)).routes(routes!(restore_version))
}

/// A saved version of a row.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SavedVersion {
    /// Its number; numbers may be left out.
    pub version: i64,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// The account that saved it; null for a state that no admin saved, or if the account no longer exists.
    pub saved_by: Option<String>,
    /// Its fields, as the form sends them.
    #[schema(value_type = Object)]
    pub fields: Map<String, Value>,
    /// The current name of the artist of its `artist_id`, also one in the trash; null if the artist no longer exists.
    pub artist_name: Option<String>,
}

/// The result of restoring a version.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RestoredVersion {
    /// The number of the new version that was made of it.
    pub version: i64,
    /// Fields that could not be restored, because what they name is gone.
    pub missing: Vec<String>,
}

type VersionRow = (i64, Timestamp, Option<String>, String);

/// The versions of a row, newest first.
#[utoipa::path(get, path = "/api/admin/versions/{kind}/{key}", tag = "admin", params(
    ("kind" = inline(VersionKind), Path, description = "What it is"),
    ("key" = String, Path, description = "The row's id, or the text's key"),
    ShortPageQuery,
), responses(
    (status = 200, description = "A page of versions", body = Page<SavedVersion>),
))]
pub async fn list_versions(
    app: AppState,
    _: Admin,
    Path((kind, key)): Path<(String, String)>,
    ApiQuery(query): ApiQuery<ShortPageQuery>,
) -> AppResult<Json<Page<SavedVersion>>> {
    let kind = VersionKind::named(&kind).ok_or_else(AppError::not_found)?;
    let limit = page_limit(query.limit())?;
    let before = match &query.cursor {
        None => i64::MAX,
        Some(cursor) => cursor.parse().map_err(|_| AppError::invalid("cursor", Code::InvalidCursor))?,
    };
    if key.contains('\0') {
        return Err(AppError::not_found());
    }
    let rows = app.db.query(LIST).bind(kind.as_str()).bind(&key).bind(before).bind(limit + 1);
    let rows = rows.all::<VersionRow>().await?;
    let rows = Page::cut(rows, limit, |(version, ..)| version.to_string());
    let mut names = HashMap::new();
    let mut items = Vec::with_capacity(rows.items.len());
    for (version, saved_at, saved_by, fields) in rows.items {
        let fields: Map<String, Value> = serde_json::from_str(&fields).unwrap_or_default();
        let artist_name = match fields.get("artist_id").and_then(Value::as_str).and_then(extract::id) {
            Some(artist) => name_of(&app, &mut names, artist.into()).await?,
            None => None,
        };
        items.push(SavedVersion { version, saved_at, saved_by, fields, artist_name });
    }
    Ok(Json(Page { items, next_cursor: rows.next_cursor }))
}

async fn name_of(
    app: &AppState,
    names: &mut HashMap<ArtistId, Option<String>>,
    artist: ArtistId,
) -> AppResult<Option<String>> {
    if let Some(name) = names.get(&artist) {
        return Ok(name.clone());
    }
    let name = app.db.query(ARTIST_NAME).bind(artist).maybe::<String>().await?;
    names.insert(artist, name.clone());
    Ok(name)
}

/// Saves the fields of a version as a new version. A picture or an artist that is gone stays out, and is named in the answer.
#[utoipa::path(post, path = "/api/admin/versions/{kind}/{key}/{version}/restore", tag = "admin", params(
    ("kind" = inline(VersionKind), Path, description = "What it is"),
    ("key" = String, Path, description = "The row's id, or the text's key"),
    ("version" = i64, Path, description = "Which version"),
    IfMatch,
), responses(
    (status = 200, description = "The new version", body = RestoredVersion),
    (status = 422, description = "The version breaks a rule of today"),
))]
pub async fn restore_version(
    editor: Editor,
    Path((kind, key, version)): Path<(String, String, String)>,
    IfMatch(seen): IfMatch,
) -> AppResult<Json<RestoredVersion>> {
    let kind = VersionKind::named(&kind).filter(|_| !key.contains('\0')).ok_or_else(AppError::not_found)?;
    let version = version.parse::<i64>().map_err(|_| AppError::not_found())?;
    let found = editor.app.db.query(FIND).bind(kind.as_str()).bind(&key).bind(version);
    let fields = found.maybe::<String>().await?.ok_or_else(AppError::not_found)?;
    let newest = editor.app.db.query(NEWEST).bind(kind.as_str()).bind(&key).value::<String>().await?;
    // A field newer than the version keeps its value; one the form no longer has is dropped.
    let read = |fields: &str| serde_json::from_str::<Map<_, _>>(fields).map_err(AppError::internal);
    let mut old = read(&fields)?;
    // A draft may have no date, but the form demands one.
    old.retain(|field, value| field != "release_date" || !value.is_null());
    let mut fields: Map<_, _> = read(&newest)?.into_iter().chain(old).collect();
    fields.retain(|field, _| kind.fields().any(|known| known == field));
    let mut missing = take_out_missing(&editor.app, kind, &mut fields).await?;
    fields.retain(|_, value| !value.is_null());
    let id = || extract::id(&key).ok_or_else(AppError::not_found);
    let version = match kind {
        VersionKind::Artist => artist_edits::save(&editor, id()?.into(), seen, form(fields)?).await?.version,
        VersionKind::Release => {
            fields.entry("release_date").or_insert_with(|| "".into());
            let form = form(without_labels(fields))?;
            release_edits::save(&editor, id()?.into(), seen, form).await?.version
        }
        VersionKind::Product => products::save(&editor, id()?, seen, form(fields)?).await?.version,
        VersionKind::Text => {
            let TextFields { value } = form(fields)?;
            texts::save(&editor, &key, seen, &value).await?.version
        }
        VersionKind::SiteImage => {
            let (image, is_there) = images::put_back(&editor, id()?, seen, form(fields)?).await?;
            if !is_there {
                missing.push("image_url".to_owned());
            }
            image.version
        }
    };
    Ok(Json(RestoredVersion { version, missing }))
}

/// Removes fields whose target no longer exists; returns their names.
async fn take_out_missing(
    app: &AppState,
    kind: VersionKind,
    fields: &mut Map<String, Value>,
) -> AppResult<Vec<String>> {
    let mut missing = Vec::new();
    if let Some(picture) = kind.picture()
        && let Some(url) = fields.get(picture).and_then(Value::as_str)
        // A site image restores its file from the trash.
        && kind != VersionKind::SiteImage
        && uses::is_missing(&app.db, &app.origin, url).await?
    {
        missing.push(picture.to_owned());
    }
    if let Some(artist) = fields.get("artist_id").and_then(Value::as_str) {
        let id = extract::id(artist).unwrap_or_default();
        if app.db.query(HAS_ARTIST).bind(id).value::<i64>().await? == 0 {
            missing.push("artist_id".to_owned());
        }
    }
    for field in &missing {
        fields.remove(field);
    }
    Ok(missing)
}

fn without_labels(mut fields: Map<String, Value>) -> Map<String, Value> {
    let tracks = fields.get_mut("tracks").and_then(Value::as_array_mut).into_iter().flatten();
    for track in tracks.filter_map(Value::as_object_mut) {
        track.remove("duration_label");
    }
    fields
}

fn form<F: DeserializeOwned>(fields: Map<String, Value>) -> AppResult<F> {
    // A version that today's rules cannot read cannot be saved.
    serde_json::from_value(Value::Object(fields)).map_err(|_| AppError::invalid("version", Code::InvalidBody))
}
