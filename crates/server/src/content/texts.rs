//! Editable texts: the stored one, or the built-in one where none is stored.

use std::collections::HashMap;

use axum::{
    extract::{OriginalUri, Path},
    response::Response,
};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    statements,
    tables::Tables,
};
use http::HeaderMap;
use rules::content::{KEYS, default_text, description, effective};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::AppState, lists::Page};

const PRIVACY_POLICY: &str = "privacy_policy";

statements! {
    LIST = "SELECT key, value FROM site_content";
    FIND = "SELECT key, value FROM site_content WHERE key = $1";
    INSERT = "INSERT INTO site_content (id, key, value, description, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $5) \
        ON CONFLICT (key) DO NOTHING";
}

/// One editable text.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TextView {
    /// Which text.
    pub key: String,
    /// The text; never empty.
    pub value: String,
}

/// Every text but the privacy policy, which is long and shown on its own page alone.
pub async fn all(db: &Db) -> sqlx::Result<Page<TextView>> {
    let stored: HashMap<String, String> =
        db.query(LIST).all::<(String, String)>().await?.into_iter().collect();
    let items = KEYS
        .into_iter()
        .filter(|key| *key != PRIVACY_POLICY)
        .filter_map(|key| {
            Some(TextView {
                key: key.to_owned(),
                value: effective(key, stored.get(key).map(String::as_str))?,
            })
        })
        .collect();
    Ok(Page { items, next_cursor: None })
}

pub async fn find(db: &Db, key: &str) -> sqlx::Result<Option<TextView>> {
    if !KEYS.contains(&key) {
        return Ok(None);
    }
    let stored = db.query(FIND).bind(key).optional::<(String, String)>().await?.map(|(_, value)| value);
    Ok(effective(key, stored.as_deref()).map(|value| TextView { key: key.to_owned(), value }))
}

/// Adds a row with the built-in text for every missing key.
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
#[utoipa::path(get, path = "/api/content", tag = "content", responses((status = 200, description = "Every text but the privacy policy", body = Page<TextView>)))]
pub async fn list_texts(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_CONTENT, || async { CachedResponse::json(&all(&app.db).await?) })
        .await
}

/// One text.
#[utoipa::path(get, path = "/api/content/{key}", tag = "content", params(("key" = String, Path, description = "Which text")), responses(
    (status = 200, description = "The text", body = TextView),
    (status = 404, description = "There is no such text"),
))]
pub async fn show_text(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_CONTENT, || async {
        let text = find(&app.db, &key).await?.ok_or_else(AppError::not_found)?;
        CachedResponse::json(&text)
    })
    .await
}
