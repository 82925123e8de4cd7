//! Maintenance by page: whether visitors get the page or a notice.

use axum::{Json, extract::Path, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Source, Tx},
    statements,
    tables::Tables,
};
use http::StatusCode;
use rules::{
    maintenance::{PAGE_KEYS, RETRY_SECONDS},
    messages::Code,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    app::{AppState, PublicRead},
    editing::{Editor, lists::Page},
};

statements! {
    LIST = "SELECT page_key, is_maintenance_mode, maintenance_message FROM maintenance_settings ORDER BY page_key";
    FIND = "SELECT page_key, is_maintenance_mode, maintenance_message FROM maintenance_settings WHERE page_key = $1";
    SWITCH = "UPDATE maintenance_settings SET is_maintenance_mode = $2, updated_at = $3, version = version + 1 \
        WHERE page_key = $1 AND is_maintenance_mode <> $2";
    INSERT = "INSERT INTO maintenance_settings (page_key, created_at, updated_at) \
        VALUES ($1, $2, $2) \
        ON CONFLICT (page_key) DO NOTHING";
}

/// The setting of one page.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct SettingView {
    /// Which page: home, releases, artists, store or terminal.
    pub page_key: String,
    /// Whether visitors get the notice instead of the page.
    pub is_maintenance_mode: bool,
    /// A message added to the notice, as plain text.
    pub maintenance_message: Option<String>,
}

pub async fn all(db: &Db) -> sqlx::Result<Page<SettingView>> {
    Ok(Page { items: db.query(LIST).all::<SettingView>().await?, next_cursor: None })
}

async fn find(source: impl Into<Source<'_>>, page_key: &str) -> sqlx::Result<Option<SettingView>> {
    source.into().query(FIND).bind(page_key).optional().await
}

pub async fn is_closed(db: &Db, page_key: &str) -> sqlx::Result<bool> {
    let setting = find(db, page_key).await?;
    Ok(setting.is_some_and(|setting| setting.is_maintenance_mode))
}

pub fn closed() -> AppError {
    AppError::from_code(StatusCode::SERVICE_UNAVAILABLE, Code::Maintenance).with_retry_after(RETRY_SECONDS)
}

pub async fn install(tx: &mut Tx, now: Micros) -> sqlx::Result<()> {
    for key in PAGE_KEYS {
        tx.query(INSERT).bind(key).bind(now).execute().await?;
    }
    Ok(())
}

/// Which pages are in maintenance.
#[utoipa::path(get, path = "/api/maintenance", tag = "content", responses((status = 200, description = "The setting of every page", body = Page<SettingView>)))]
pub async fn list_settings(app: AppState, read: PublicRead) -> AppResult<Response> {
    read.answer(&app, Tables::MAINTENANCE, || async { CachedResponse::json(&all(&app.db).await?) }).await
}

/// Whether one page is in maintenance.
#[utoipa::path(get, path = "/api/maintenance/{page_key}", tag = "content", params(("page_key" = String, Path, description = "Which page")), responses(
    (status = 200, description = "The page's setting", body = SettingView),
    (status = 404, description = "No such page can be in maintenance"),
))]
pub async fn show_setting(
    app: AppState,
    read: PublicRead,
    Path(page_key): Path<String>,
) -> AppResult<Response> {
    read.answer(&app, Tables::MAINTENANCE, || async {
        if !PAGE_KEYS.contains(&page_key.as_str()) {
            return Err(AppError::not_found());
        }
        CachedResponse::json(&find(&app.db, &page_key).await?.ok_or_else(AppError::not_found)?)
    })
    .await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchBody {
    /// Whether visitors get the notice instead of the page.
    is_maintenance_mode: bool,
}

/// Switches a page into maintenance or out of it; the notice's own message stays. Sending the same twice changes nothing.
#[utoipa::path(patch, path = "/api/admin/maintenance/{page_key}", tag = "admin", request_body = SwitchBody, params(("page_key" = String, Path, description = "Which page")), responses(
    (status = 200, description = "The page's setting as it is now", body = SettingView),
))]
pub async fn switch_setting(
    editor: Editor,
    Path(page_key): Path<String>,
    ApiJson(body): ApiJson<SwitchBody>,
) -> AppResult<Json<SettingView>> {
    if !PAGE_KEYS.contains(&page_key.as_str()) {
        return Err(AppError::not_found());
    }
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    by.me.require_still(&mut tx, by.now).await?;
    if tx.query(SWITCH).bind(&page_key).bind(body.is_maintenance_mode).bind(by.now).execute().await? > 0 {
        let outcome = if body.is_maintenance_mode { "on" } else { "off" };
        let target = format!("maintenance:{page_key}");
        by.record_unchecked(&mut tx, "sys_maintenance", outcome, Some(&target)).await?;
    }
    let setting = find(&mut tx, &page_key).await?.ok_or_else(AppError::not_found)?;
    tx.commit().await?;
    Ok(Json(setting))
}
