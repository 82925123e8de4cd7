//! Editable texts: for visitors the stored one, or the built-in one if none is stored; for admins as stored.

use std::collections::HashMap;

use axum::{
    Json,
    extract::{DefaultBodyLimit, Path},
    response::Response,
};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::Micros,
    columns::Timestamp,
    db::{Db, Tx},
    statements,
    tables::Tables,
};
use rules::{
    content::{IMPRINT, KEYS, LABEL_TIME_ZONE, default_text, description, effective},
    content_value::{VALUE_MAX_BYTES, check_content_text},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::{AppState, PublicRead},
    auth::guard::Admin,
    editing::lists::Page,
    editing::versions::versioned,
    editing::{self, Editor, IfMatch},
    operation::backups,
};

use super::{
    label::{self, LabelView},
    time_zone,
};

const PRIVACY_POLICY: &str = "privacy_policy";

macro_rules! columns {
    () => {
        "SELECT id, key, value, description, created_at, updated_at, version FROM site_content"
    };
}

statements! {
    LIST = "SELECT key, value FROM site_content";
    FIND = "SELECT value FROM site_content WHERE key = $1";
    INSERT = "INSERT INTO site_content (id, key, value, description, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $5) \
        ON CONFLICT (key) DO NOTHING";
    LIST_STORED = concat!(columns!(), " ORDER BY key");
    FIND_STORED = concat!(columns!(), " WHERE key = $1");
    UPDATE = "UPDATE site_content SET value = $2, updated_at = $3, version = version + 1 \
        WHERE key = $1 AND version = $4";
}

/// One editable text.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TextView {
    pub key: String,
    /// The text; never empty.
    pub value: String,
}

/// Every text but the privacy policy and the imprint, which are long and shown on their own pages alone, and those of the
/// label, which `/api/label` has.
pub async fn all(db: &Db, label_name: &str) -> sqlx::Result<Page<TextView>> {
    let stored: HashMap<String, String> =
        db.query(LIST).all::<(String, String)>().await?.into_iter().collect();
    let items = KEYS
        .into_iter()
        .filter(|key| ![PRIVACY_POLICY, IMPRINT].contains(key) && !key.starts_with("label_"))
        .filter_map(|key| shown(key, stored.get(key), label_name))
        .collect();
    Ok(Page { items, next_cursor: None })
}

pub async fn find(db: &Db, key: &str, label_name: &str) -> sqlx::Result<Option<TextView>> {
    if !KEYS.contains(&key) {
        return Ok(None);
    }
    let stored = db.query(FIND).bind(key).maybe::<String>().await?;
    Ok(shown(key, stored.as_ref(), label_name))
}

fn shown(key: &str, stored: Option<&String>, label_name: &str) -> Option<TextView> {
    let value = effective(key, stored.map(String::as_str), label_name).filter(|text| !text.is_empty())?;
    Some(TextView { key: key.to_owned(), value })
}

pub async fn install(tx: &mut Tx, now: Micros) -> sqlx::Result<()> {
    for key in KEYS {
        tx.query(INSERT)
            .bind(Uuid::now_v7())
            .bind(key)
            .bind(default_text(key).unwrap_or_default())
            .bind(description(key))
            .bind(now)
            .execute()
            .await?;
    }
    Ok(())
}

/// The texts of the pages.
#[utoipa::path(get, path = "/api/content", tag = "content", responses((status = 200, description = "Every text of the pages but the privacy policy and the imprint", body = Page<TextView>)))]
pub async fn list_texts(app: AppState, read: PublicRead) -> AppResult<Response> {
    read.answer(&app, Tables::SITE_CONTENT, || async {
        let label = app.known_label.current(&app.db).await?;
        CachedResponse::json(&all(&app.db, &label.name).await?)
    })
    .await
}

/// One text.
#[utoipa::path(get, path = "/api/content/{key}", tag = "content", params(("key" = String, Path, description = "Which text")), responses(
    (status = 200, description = "The text", body = TextView),
    (status = 404, description = "There is no such text"),
))]
pub async fn show_text(app: AppState, read: PublicRead, Path(key): Path<String>) -> AppResult<Response> {
    read.answer(&app, Tables::SITE_CONTENT, || async {
        let label = app.known_label.current(&app.db).await?;
        let text = find(&app.db, &key, &label.name).await?.ok_or_else(AppError::not_found)?;
        CachedResponse::json(&text)
    })
    .await
}

/// The label's name, colour, links, lines and time zone, and its mark.
#[utoipa::path(get, path = "/api/label", tag = "content", responses(
    (status = 200, description = "The label", body = LabelView),
))]
pub async fn show_label(app: AppState, read: PublicRead) -> AppResult<Response> {
    read.answer(&app, label::TABLES, || async {
        CachedResponse::json(&*app.known_label.current(&app.db).await?)
    })
    .await
}

/// The largest body: each byte of the text may be a six-byte escape.
const BODY_BYTES: usize = 6 * VALUE_MAX_BYTES + 1024;

/// A text as an admin edits it: as stored, which may be empty. The page shows the built-in text then.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct EditableText {
    pub id: Uuid,
    pub key: String,
    pub value: String,
    /// Where it appears.
    pub description: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

versioned!(EditableText: Text, |row| row.key, "site_content" row.key);

/// A new text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextBody {
    /// At most 64 KB; stored exactly as typed.
    value: String,
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_editable_texts))
        .routes(routes!(change_text))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
}

/// Every text as stored.
#[utoipa::path(get, path = "/api/admin/content", tag = "admin", responses(
    (status = 200, description = "All texts", body = Page<EditableText>),
))]
pub async fn list_editable_texts(app: AppState, _: Admin) -> AppResult<Json<Page<EditableText>>> {
    Ok(Json(Page { items: app.db.query(LIST_STORED).all().await?, next_cursor: None }))
}

/// Changes a text.
#[utoipa::path(put, path = "/api/admin/content/{key}", tag = "admin", request_body = TextBody, params(
    ("key" = String, Path, description = "Which text"),
    IfMatch,
), responses(
    (status = 200, description = "The text as it is now", body = EditableText),
))]
pub async fn change_text(
    editor: Editor,
    Path(key): Path<String>,
    IfMatch(seen): IfMatch,
    ApiJson(body): ApiJson<TextBody>,
) -> AppResult<Json<EditableText>> {
    save(&editor, &key, seen, &body.value).await.map(Json)
}

pub(crate) async fn save(editor: &Editor, key: &str, seen: i64, value: &str) -> AppResult<EditableText> {
    if !rules::content::KEYS.contains(&key) {
        return Err(AppError::not_found());
    }
    check_content_text(key, value)
        .and_then(|()| time_zone::check(key, value))
        .map_err(|refusal| AppError::invalid("value", refusal))?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let before = stored(&mut tx, key).await?;
    if tx.query(UPDATE).bind(key).bind(value).bind(by.now).bind(seen).execute().await? == 0 {
        return Err(editing::stale());
    }
    let stored = stored(&mut tx, key).await?;
    by.saved(&mut tx, Some(&before), &stored).await?;
    tx.commit().await?;
    // The text is saved: the next page reads the label again.
    if let Err(error) = by.app.known_label.current(&by.app.db).await {
        tracing::warn!(cause = %error, "reading the label");
    }
    if key == LABEL_TIME_ZONE
        && let Err(error) = backups::bring_forward(&by.app.db, by.now).await
    {
        tracing::warn!(cause = %error, "bringing a backup forward");
    }
    Ok(stored)
}

async fn stored(tx: &mut Tx, key: &str) -> AppResult<EditableText> {
    tx.query(FIND_STORED).bind(key).optional().await?.ok_or_else(AppError::not_found)
}
