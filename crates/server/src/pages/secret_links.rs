//! Pages behind secret links: of a release before it is out (`/p/{token}`), and of a demo for its sender (`/demos/{token}`). Their
//! documents say nothing of what the link opens, so that link previews reveal nothing either, and search engines leave them out.

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

use super::{head::Head, make::first_view, painting::unpainted, routes::not_found};
use crate::{
    app::AppState,
    auth::guard::Visitor,
    catalogue::{
        private_links::{self, Found},
        release_detail::moved,
        releases,
    },
    demos::senders,
    pages::address::Absent,
};

type Token = Result<Path<String>, PathRejection>;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/p/{token}", get(show_release)).route("/demos/{token}", get(show_demo))
}

async fn show_release(
    app: AppState,
    visitor: Visitor,
    token: Token,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(token)) = token else { return not_found(&app, Absent::Release, &headers).await };
    let is_admin = private_links::is_admin(&visitor, &app);
    match private_links::resolve(&app.db, &token, is_admin).await? {
        None => not_found(&app, Absent::Release, &headers).await,
        Some(Found::Out(slug)) => Ok(moved(&releases::path(&slug))),
        Some(Found::Private(_)) => {
            document(&app, "/p", "Private release", "A release that is not out yet.", &headers).await
        }
    }
}

async fn show_demo(app: AppState, token: Token, headers: HeaderMap) -> AppResult<Response> {
    match token {
        Ok(Path(token)) if senders::is_link(&app, &token).await? => {
            document(&app, "/demos", "Your demo", "Where a demo stands.", &headers).await
        }
        _ => not_found(&app, Absent::Page, &headers).await,
    }
}

async fn document(
    app: &AppState,
    path: &str,
    name: &str,
    about: &str,
    headers: &HeaderMap,
) -> AppResult<Response> {
    let head = Head::new(app, "/", name, about).unlisted();
    let document = unpainted(app, &head, &first_view(app, path).await?)?.cache_control("no-store");
    Ok(document.respond(headers, app.origin.is_https()).map(Body::from))
}

const OF_LINKS: [&str; 5] = ["/p/", "/demos/", "/newsletter/", "/api/private/", "/api/sender/"];

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
