//! A release that is not out, as whoever has its private link sees it, and admins without one.

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
use crate::{app::AppState, auth::guard::Visitor, picture::PictureSizes};

/// What a private address leads to.
pub(crate) enum Found {
    /// A release that is not out.
    Private(Uuid),
    /// One that is, at this slug.
    Out(String),
}

/// The release of a link's token, or for an admin that of an id; nothing where there is none.
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

/// Whether somebody may see what is not out without its link.
pub(crate) fn is_admin(Visitor(who): &Visitor, app: &AppState) -> bool {
    who.as_ref().is_some_and(|who| who.stage(app.clock.now()) == AuthStage::Authenticated)
}

/// A release that is not out. Admins find it by its id too.
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

/// Files of a release that is not out are opened below its link alone, also where their address names the website.
fn below_link(release: &mut releases::ReleaseView, origin: &Origin, token: &str) {
    let website = origin.to_string();
    let below = |url: &mut String| {
        let path = url.strip_prefix(&website).unwrap_or(url);
        if path.starts_with("/media/") {
            *url = format!("/p/{token}{path}");
        }
    };
    if let Some(url) = &mut release.cover_image_url {
        below(url);
    }
    if let Some(url) = &mut release.image_small_url {
        below(url);
    }
    if let Some(PictureSizes { base, .. }) = &mut release.image_sizes {
        below(base);
    }
}
