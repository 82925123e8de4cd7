//! The pages of releases: public, and private before they are out.

use axum::{
    Router,
    body::Body,
    extract::{OriginalUri, Path, rejection::PathRejection},
    response::Response,
    routing::get,
};
use deadwax_http::error::AppResult;
use http::{HeaderMap, StatusCode};

use super::{
    head::{Head, Site},
    painting::unpainted,
    routes::{answer, first_view, not_found},
};
use crate::{
    app::AppState,
    auth::guard::Visitor,
    catalogue::{
        private_links::{self, Found},
        release_detail::{self, moved},
        releases,
    },
    pages::unpainted::{Absent, PageAddress},
};

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/releases/{slug}", get(show_release)).route("/p/{token}", get(show_private))
}

/// The page at a slug; a redirect if the release has another one by now.
async fn show_release(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    slug: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(slug)) = slug else { return not_found(&app, Absent::Release, &headers).await };
    if rules::slug::is_slug(&slug) {
        match answer(&app, PageAddress::Release(slug.clone()), &headers).await {
            Err(error) if error.status() == StatusCode::NOT_FOUND => {}
            answer => return answer,
        }
    }
    match release_detail::find_present(&app.db, &slug).await? {
        Some(present) => {
            let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            moved(&format!("{}{query}", releases::path(&present)))
        }
        None => not_found(&app, Absent::Release, &headers).await,
    }
}

/// The page at a private link; a redirect once the release is out. The document says nothing of the release, so that link previews reveal
/// nothing either.
async fn show_private(
    app: AppState,
    visitor: Visitor,
    token: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(token)) = token else { return not_found(&app, Absent::Release, &headers).await };
    let is_admin = private_links::is_admin(&visitor, &app);
    match private_links::resolve(&app.db, &token, is_admin).await? {
        None => not_found(&app, Absent::Release, &headers).await,
        Some(Found::Out(slug)) => moved(&releases::path(&slug)),
        Some(Found::Private(_)) => {
            let head = Head::new(Site::of(&app), "/", "Private release", "A release that is not out yet.")
                .unlisted();
            let document = unpainted(&app, &head, &first_view(&app, "/p").await?)?.cache_control("no-store");
            Ok(document.respond(&headers, app.origin.is_https()).map(Body::from))
        }
    }
}
