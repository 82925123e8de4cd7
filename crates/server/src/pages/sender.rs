//! `/demos/{token}`: the page of a demo for its sender.

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

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/demos/{token}", get(show))
}

/// The page of a link, or the 404 page. The document says nothing of the demo, so that link previews reveal nothing either.
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
