//! A release that is not out, shown to holders of its private link and to admins.

use axum::{
    Json,
    extract::Path,
    response::{IntoResponse as _, Response},
};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract,
};
use deadwax_store::db::Db;
use http::header;
use rules::auth_stage::AuthStage;
use uuid::Uuid;

use super::{
    private_links,
    release_detail::{self, ReleaseDetail, moved},
    releases,
};
use crate::{app::AppState, auth::guard::Visitor};

pub(crate) enum Found {
    /// A release that is not out, shown to holders of its private link and to admins.
    Private(Uuid),
    Out(String),
}

/// The release of a token, or, for an admin, of an id.
pub(crate) async fn find(db: &Db, token: &str, is_admin: bool) -> sqlx::Result<Option<Found>> {
    let id = match extract::id(token) {
        Some(id) if is_admin => Some(id),
        _ => private_links::find(db, token).await?,
    };
    let Some(id) = id else { return Ok(None) };
    Ok(match release_detail::is_out(db, id).await? {
        None => None,
        Some(false) => Some(Found::Private(id)),
        Some(true) => release_detail::find_kept(db, id).await?.map(|detail| Found::Out(detail.release.slug)),
    })
}

/// Whether the visitor may see unpublished releases without a link.
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
    let id = match find(&app.db, &token, is_admin).await?.ok_or_else(AppError::not_found)? {
        Found::Out(slug) => return moved(&format!("/api/releases/{slug}")),
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
