//! Editable texts in the back office: all texts as stored, and changing one.

use axum::{
    Json,
    extract::{DefaultBodyLimit, Path},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{columns::Timestamp, db::Tx, statements};
use rules::content_value::{VALUE_MAX_BYTES, check_content_value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::Admin,
    edits::{self, Editor, IfMatch},
    lists::Page,
    versions::{self, VersionKind},
};

macro_rules! columns {
    () => {
        "SELECT id, key, value, description, created_at, updated_at, version FROM site_content"
    };
}

statements! {
    LIST = concat!(columns!(), " ORDER BY key");
    FIND = concat!(columns!(), " WHERE key = $1");
    UPDATE = "UPDATE site_content SET value = $2, updated_at = $3, version = version + 1 \
        WHERE key = $1 AND version = $4";
}

/// The largest body: each byte of the text may be a six-byte escape.
const BODY_BYTES: usize = 6 * VALUE_MAX_BYTES + 1024;

/// A text as an admin edits it: as stored, which may be empty. The page shows the built-in text then.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct EditableText {
    /// The row's id.
    pub id: Uuid,
    /// Which text.
    pub key: String,
    /// The stored text.
    pub value: String,
    /// Where it appears.
    pub description: Option<String>,
    /// When the row arose.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

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
    Ok(Json(Page { items: app.db.query(LIST).all().await?, next_cursor: None }))
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
    check_content_value(value).map_err(|refusal| AppError::invalid("value", refusal))?;
    let now = editor.app.clock.now();
    let mut tx = editor.app.db.begin().await?;
    let before = stored(&mut tx, key).await?;
    if tx.query(UPDATE).bind(key).bind(value).bind(now).bind(seen).execute().await? == 0 {
        return Err(edits::stale());
    }
    let target = format!("site_content:{key}");
    editor.note(&mut tx, "data_update", &target, now).await?;
    let stored = stored(&mut tx, key).await?;
    versions::keep(&mut tx, VersionKind::Text, editor.me.user_id, now, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(stored)
}

async fn stored(tx: &mut Tx, key: &str) -> AppResult<EditableText> {
    tx.query(FIND).bind(key).optional().await?.ok_or_else(AppError::not_found)
}
