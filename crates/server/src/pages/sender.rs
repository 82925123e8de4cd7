//! `/demos/{token}`: the page of a demo for whoever sent it.

use axum::{
    Router,
    body::Body,
    extract::{Path, rejection::PathRejection},
    response::Response,
    routing::get,
};
use deadwax_http::error::AppResult;
use http::HeaderMap;

use super::{
    head::{Head, Site},
    painting::unpainted,
    routes::{first_view, not_found},
};
use crate::{app::AppState, demos::senders, unpainted::Absent};

/// `/demos/{token}`.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/demos/{token}", get(show))
}

/// The page of a link; the 404 page where it leads nowhere. Its document says nothing of the demo: what is kept of a link somewhere on
/// the way, such as a preview, tells nothing either.
async fn show(
    app: AppState,
    token: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(token)) = token else { return not_found(&app, Absent::Page, &headers).await };
    if !senders::is_link(&app, &token).await? {
        return not_found(&app, Absent::Page, &headers).await;
    }
    let head = Head::new(Site::of(&app), "/", "Your demo", "Where a demo stands.").unlisted();
    let document = unpainted(&app, &head, &first_view(&app, "/demos").await?)?.cache_control("no-store");
    Ok(document.respond(&headers, app.origin.is_https()).map(Body::from))
}
