//! Private links: addresses that show a release before it is out.
//!
//! A link is found by the hash of its token. The token itself is stored sealed, so that admins can copy the link again, while a copy of
//! the database alone opens nothing.

use axum::{Json, extract::Path, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
    headers::Kind,
};
use deadwax_store::{
    crypto::{Keys, Token},
    db::Db,
    objects, statements,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::AppState,
    edits::Editor,
    media::{self, FileResponse},
};

statements! {
    EXISTS = "SELECT id FROM releases WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR SHARE";
    SET = "INSERT INTO private_links (release_id, token_hash, sealed, created_at, created_by) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (release_id) DO UPDATE SET token_hash = excluded.token_hash, sealed = excluded.sealed, \
            created_at = excluded.created_at, created_by = excluded.created_by";
    REMOVE = "DELETE FROM private_links WHERE release_id = $1";
    FIND = "SELECT r.id FROM private_links p JOIN releases r ON r.id = p.release_id \
        WHERE p.token_hash = $1 AND r.deleted_at IS NULL";
    // The cover of that release, named by path or full address, and not in the trash.
    IS_SLEEVE = "SELECT id FROM releases WHERE id = $1 AND cover_image_url IN ($2, $3) \
        AND NOT EXISTS (SELECT 1 FROM media_files WHERE file_path = $4 AND deleted_at IS NOT NULL)";
}

const PURPOSE: &str = "private-link";

/// A private link.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PrivateLink {
    /// `/p/{token}` on this website.
    pub private_link: String,
}

/// Makes a private link, or replaces it: the earlier one stops working.
#[utoipa::path(post, path = "/api/admin/releases/{id}/private-link", tag = "admin", params(PathId), responses(
    (status = 200, description = "The link", body = PrivateLink),
))]
pub async fn renew_private_link(editor: Editor, PathId(id): PathId) -> AppResult<Json<PrivateLink>> {
    let now = editor.app.clock.now();
    let token = Token::random();
    let sealed = editor.app.keys.seal(PURPOSE, token.expose().as_bytes()).map_err(AppError::internal)?;
    let mut tx = editor.app.db.begin().await?;
    tx.query(EXISTS).bind(id).optional::<(Uuid,)>().await?.ok_or_else(AppError::not_found)?;
    tx.query(SET)
        .bind(id)
        .bind(token.hash())
        .bind(sealed)
        .bind(now)
        .bind(editor.me.user_id)
        .execute()
        .await?;
    editor.note(&mut tx, "private_link_create", &format!("release:{id}"), now).await?;
    tx.commit().await?;
    Ok(Json(PrivateLink { private_link: address(&token) }))
}

/// Removes a private link.
#[utoipa::path(delete, path = "/api/admin/releases/{id}/private-link", tag = "admin", params(PathId), responses(
    (status = 204, description = "Removed"),
))]
pub async fn remove_private_link(editor: Editor, PathId(id): PathId) -> AppResult<StatusCode> {
    let now = editor.app.clock.now();
    let mut tx = editor.app.db.begin().await?;
    if tx.query(REMOVE).bind(id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    editor.note(&mut tx, "private_link_delete", &format!("release:{id}"), now).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The cover of a release that is not out, or a size of it, for holders of the private link.
#[utoipa::path(get, path = "/p/{token}/media/{folder}/{name}", tag = "media", params(
    ("token" = String, Path, description = "The link's token"),
    ("folder" = String, Path, description = "Which kind of file"),
    ("name" = String, Path, description = "Its name"),
), responses(
    (status = 200, description = "The file", content_type = "*/*", body = Vec<u8>),
    (status = 404, description = "There is no such link, or the file is not of its release"),
))]
pub async fn show_private_file(
    app: AppState,
    Path((token, folder, name)): Path<(String, String, String)>,
    request: HeaderMap,
) -> AppResult<Response> {
    let key = format!("{folder}/{name}");
    if !rules::media_name::is_media_key(&key) {
        return Err(AppError::not_found());
    }
    let release = find(&app.db, &token).await?.ok_or_else(AppError::not_found)?;
    let object = objects::find(&app.db, &key).await?.ok_or_else(AppError::not_found)?;
    let original = media::original_of(&app, &key, &object).await?;
    let url = objects::url(&original);
    let full = format!("{}{url}", app.origin);
    let is_sleeve = app.db.query(IS_SLEEVE).bind(release).bind(&url).bind(full).bind(&original);
    is_sleeve.optional::<(Uuid,)>().await?.ok_or_else(AppError::not_found)?;
    let answering = FileResponse { disposition: None, cache: HeaderValue::from_static("no-store") };
    let mut response = media::answer(&app.storage, &key, &object, &request, answering).await?;
    response.extensions_mut().insert(Kind::Media);
    Ok(response)
}

/// The release of a token; none if it is unknown or its release is in the trash.
pub(crate) async fn find(db: &Db, token: &str) -> sqlx::Result<Option<Uuid>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    Ok(db.query(FIND).bind(token.hash()).optional::<(Uuid,)>().await?.map(|(id,)| id))
}

/// The address of a stored link; none if it was sealed with other keys.
pub(super) fn path(keys: &Keys, sealed: &[u8]) -> Option<String> {
    let opened = keys.open(PURPOSE, sealed).ok()?;
    Token::parse(std::str::from_utf8(&opened).ok()?).map(|token| address(&token))
}

fn address(token: &Token) -> String {
    format!("/p/{}", token.expose())
}
