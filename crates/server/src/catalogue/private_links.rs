//! Private links: addresses that show a release before it is out.
//!
//! A link is found by the hash of its token. The token itself is stored sealed, so that admins can copy the link again, while a copy of
//! the database alone opens nothing.

use axum::{
    Json,
    extract::Path,
    response::{IntoResponse as _, Response},
};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{self, PathId},
    headers::Kind,
};
use deadwax_store::{
    crypto::{Keys, Token},
    db::Db,
    ids::ReleaseId,
    objects, statements,
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use rules::auth_stage::AuthStage;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    release_detail::{self, ReleaseDetail, moved},
    releases,
};
use crate::{
    app::AppState,
    auth::guard::Visitor,
    editing::Editor,
    files::media::{self, FileResponse},
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

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PrivateLink {
    /// `/p/{token}` on this website.
    pub private_link: String,
}

/// Makes a private link, or replaces it: the earlier one stops working.
#[utoipa::path(post, path = "/api/admin/releases/{id}/private-link", tag = "admin", params(PathId), responses(
    (status = 200, description = "The link", body = PrivateLink),
))]
pub async fn renew_private_link(
    editor: Editor,
    PathId(id): PathId<ReleaseId>,
) -> AppResult<Json<PrivateLink>> {
    let by = editor.act();
    let token = Token::random();
    let sealed = by.app.keys.seal(PURPOSE, token.expose().as_bytes()).map_err(AppError::internal)?;
    let mut tx = by.app.db.begin().await?;
    tx.query(EXISTS).bind(id).exists().await?.then_some(()).ok_or_else(AppError::not_found)?;
    tx.query(SET).bind(id).bind(token.hash()).bind(sealed).bind(by.now).bind(by.me.user_id).execute().await?;
    by.check_and_record(&mut tx, "private_link_create", &format!("release:{id}")).await?;
    tx.commit().await?;
    Ok(Json(PrivateLink { private_link: address(&token) }))
}

/// Removes a private link.
#[utoipa::path(delete, path = "/api/admin/releases/{id}/private-link", tag = "admin", params(PathId), responses(
    (status = 204, description = "Removed"),
))]
pub async fn remove_private_link(editor: Editor, PathId(id): PathId<ReleaseId>) -> AppResult<StatusCode> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    if tx.query(REMOVE).bind(id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    by.check_and_record(&mut tx, "private_link_delete", &format!("release:{id}")).await?;
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
    request: Parts,
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
    is_sleeve.exists().await?.then_some(()).ok_or_else(AppError::not_found)?;
    let answering = FileResponse { disposition: None, cache: HeaderValue::from_static("no-store") };
    let mut response = media::answer(&app.storage, &key, &object, &request, answering).await?;
    response.extensions_mut().insert(Kind::Media);
    Ok(response)
}

/// The release of a token; none if it is unknown or its release is in the trash.
pub(crate) async fn find(db: &Db, token: &str) -> sqlx::Result<Option<ReleaseId>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    db.query(FIND).bind(token.hash()).maybe().await
}

pub(super) fn path(keys: &Keys, sealed: &[u8]) -> Option<String> {
    let opened = keys.open(PURPOSE, sealed).ok()?;
    Token::parse(std::str::from_utf8(&opened).ok()?).map(|token| address(&token))
}

fn address(token: &Token) -> String {
    format!("/p/{}", token.expose())
}

pub(crate) enum Found {
    Private(ReleaseId),
    Out(String),
}

/// The release of a token, or, for an admin, of an id.
pub(crate) async fn resolve(db: &Db, token: &str, is_admin: bool) -> sqlx::Result<Option<Found>> {
    let id = match extract::id(token) {
        Some(id) if is_admin => Some(id.into()),
        _ => find(db, token).await?,
    };
    let Some(id) = id else { return Ok(None) };
    Ok(release_detail::is_out(db, id).await?.map(|(is_out, slug)| {
        if is_out { Found::Out(slug.unwrap_or_else(|| id.to_string())) } else { Found::Private(id) }
    }))
}

pub(crate) fn is_admin(Visitor(who): &Visitor, app: &AppState) -> bool {
    who.as_ref().is_some_and(|who| who.stage(app.clock.now()) == AuthStage::Authenticated)
}

/// A release that is not out, shown to holders of its private link and to admins.
#[utoipa::path(get, path = "/api/private/{token}", tag = "catalogue",
    params(("token" = String, Path, description = "The token of the private link")),
    responses(
        (status = 200, description = "The release; its pictures are below the link too", body = ReleaseDetail),
        (status = 308, description = "It is out: `Location` says where"),
        (status = 404, description = "There is no such link"),
    ))]
pub async fn show_private_release(
    app: AppState,
    visitor: Visitor,
    Path(token): Path<String>,
) -> AppResult<Response> {
    let is_admin = is_admin(&visitor, &app);
    let id = match resolve(&app.db, &token, is_admin).await?.ok_or_else(AppError::not_found)? {
        Found::Out(slug) => return Ok(moved(&format!("/api/releases/{slug}"))),
        Found::Private(id) => id,
    };
    let mut detail = release_detail::find_kept(&app.db, id).await?.ok_or_else(AppError::not_found)?;
    if !is_admin {
        below_link(&mut detail.release, &app.origin, &token);
    }
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(detail)).into_response())
}

/// Rewrites the addresses of files, with or without the website's origin, to paths below the private link.
fn below_link(release: &mut releases::ReleaseView, origin: &Origin, token: &str) {
    let website = origin.to_string();
    let sizes = release.image_sizes.as_mut().map(|sizes| &mut sizes.base);
    let urls = [release.cover_image_url.0.as_mut(), release.image_small_url.as_mut(), sizes];
    for url in urls.into_iter().flatten() {
        let path = url.strip_prefix(&website).unwrap_or(url);
        if path.starts_with("/media/") {
            *url = format!("/p/{token}{path}");
        }
    }
}
