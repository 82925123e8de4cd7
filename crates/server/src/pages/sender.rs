//! Pages behind secret links: the page of a demo for its sender (`/demos/{token}`), and the header that keeps all of them out of search engines.

use axum::{
    Router,
    body::Body,
    extract::{Path, Request, rejection::PathRejection},
    middleware::Next,
    response::Response,
    routing::get,
};
use deadwax_http::error::AppResult;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{
    head::{Head, Site},
    painting::unpainted,
    routes::{first_view, not_found},
};
use crate::{app::AppState, demos::senders, pages::unpainted::Absent};

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

const OF_LINKS: [&str; 4] = ["/p/", "/demos/", "/api/private/", "/api/sender/"];

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

pub(crate) async fn mark_unindexed(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_of_link = OF_LINKS.iter().any(|folder| path.starts_with(folder));
    let mut response = next.run(request).await;
    if is_of_link {
        response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    response
}
