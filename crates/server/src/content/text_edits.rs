//! Editable texts as admins manage them: every text as stored, and changing one.

use axum::{
    Json,
    extract::{DefaultBodyLimit, Path},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::Tx,
    statements,
};
use rules::content_value::{VALUE_MAX_BYTES, check_content_value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits::{self, IfMatch},
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

/// The largest body: every byte of the text may be written as an escape of six.
const BODY_BYTES: usize = 6 * VALUE_MAX_BYTES + 1024;

#[derive(sqlx::FromRow)]
struct TextRow {
    id: Uuid,
    key: String,
    value: String,
    description: Option<String>,
    created_at: Micros,
    updated_at: Micros,
    version: i64,
}

/// A text as an admin edits it: as stored, which may be empty. The page shows the built-in text then.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableText {
    /// The row's id.
    pub id: Uuid,
    /// Which text.
    pub key: String,
    /// What is stored.
    pub value: String,
    /// Where it appears.
    pub description: Option<String>,
    /// When the row arose.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// What the next edit names in `If-Match`.
    pub version: i64,
}

/// All texts.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableTexts {
    /// The texts, by key.
    pub items: Vec<EditableText>,
    /// Always null: there are few.
    pub next_cursor: Option<String>,
}

/// A new text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextBody {
    /// At most 64 KB; stored exactly as typed.
    value: String,
}

impl TextRow {
    fn into_view(self) -> EditableText {
        EditableText {
            id: self.id,
            key: self.key,
            value: self.value,
            description: self.description,
            created_at: rfc3339(self.created_at),
            updated_at: rfc3339(self.updated_at),
            version: self.version,
        }
    }
}

/// `/api/admin/content`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_editable_texts))
        .routes(routes!(change_text))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
}

/// Every text as stored.
#[utoipa::path(get, path = "/api/admin/content", tag = "admin", responses(
    (status = 200, description = "All texts", body = EditableTexts),
))]
pub async fn list_editable_texts(app: AppState, _: Admin) -> AppResult<Json<EditableTexts>> {
    let items = app.db.query(LIST).all::<TextRow>().await?.into_iter().map(TextRow::into_view).collect();
    Ok(Json(EditableTexts { items, next_cursor: None }))
}

/// Changes a text.
#[utoipa::path(put, path = "/api/admin/content/{key}", tag = "admin", request_body = TextBody, params(
    ("key" = String, Path, description = "Which text"),
    ("if-match" = String, Header, description = "The version that was edited, in quotes"),
), responses(
    (status = 200, description = "The text as it is now", body = EditableText),
    (status = 404, description = "There is no such text"),
    (status = 412, description = "Somebody else has changed it meanwhile"),
    (status = 428, description = "No version"),
))]
pub async fn change_text(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    Path(key): Path<String>,
    IfMatch(seen): IfMatch,
    ApiJson(body): ApiJson<TextBody>,
) -> AppResult<Json<EditableText>> {
    save(&app, &me, &caller, &key, seen, &body.value).await.map(Json)
}

/// Saves a text onto the version that was `seen`.
pub(crate) async fn save(
    app: &AppState,
    me: &SignedIn,
    caller: &Caller,
    key: &str,
    seen: i64,
    value: &str,
) -> AppResult<EditableText> {
    if !rules::content::KEYS.contains(&key) {
        return Err(AppError::not_found());
    }
    check_content_value(value).map_err(|refusal| AppError::invalid("value", refusal))?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let before = stored(&mut tx, key).await?;
    if tx.query(UPDATE).bind(key).bind(value).bind(now).bind(seen).execute().await? == 0 {
        return Err(edits::stale());
    }
    let target = format!("site_content:{key}");
    edits::note(&mut tx, me, caller, "data_update", &target, now).await?;
    let stored = stored(&mut tx, key).await?;
    versions::keep(&mut tx, VersionKind::Text, me.user_id, now, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(stored)
}

/// The text as this transaction has it; 404 where it has none.
async fn stored(tx: &mut Tx, key: &str) -> AppResult<EditableText> {
    let row = tx.query(FIND).bind(key).optional::<TextRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(row.into_view())
}
