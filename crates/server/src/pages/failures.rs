//! The document in place of a page that could not be made: the app alone, which reads the page's data again by itself.

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use deadwax_http::error::AppResult;
use deadwax_store::live::Audience;
use http::{HeaderMap, Method, StatusCode, header};

use super::{
    document::FirstView,
    head::Head,
    make::STEP,
    painting::unpainted,
    routes::{is_among_files, looks_like_a_file, wants_a_page},
};
use crate::app::AppState;

/// Beginnings of paths where the app has no page.
const NO_PAGES: [&str; 3] = ["/api/", "/dev/", "/readyz"];

pub(crate) async fn show_failures(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let uri = request.uri();
    let is_press = request.method() == Method::POST;
    let is_elsewhere = NO_PAGES.iter().any(|start| uri.path().starts_with(start));
    let is_page = (is_press || request.method() == Method::GET)
        && !(is_elsewhere || is_among_files(uri) || looks_like_a_file(uri))
        && wants_a_page(request.headers());
    let answer = next.run(request).await;
    let has_failed = answer.status().is_server_error() || answer.status() == StatusCode::TOO_MANY_REQUESTS;
    // The notice of a page in maintenance is a page already.
    let is_problem = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/problem+json"));
    if !(is_page && has_failed && is_problem) {
        return answer;
    }
    document(&app, &answer, is_press).unwrap_or(answer)
}

/// Made without the database, which may be what failed.
fn document(app: &AppState, failed: &Response, is_press: bool) -> AppResult<Response> {
    let sentence = "This page cannot be shown right now.";
    let head = Head::new(app, "/", "Not available", sentence).unlisted();
    let position = app.live.position(app.live.last_for(Audience::Visitors));
    let mut view = FirstView::new(&app.label_name(), position);
    // The pages with such buttons are the newsletter's, whose step no request reads.
    if is_press {
        view.push(STEP, &"failed")?;
    }
    let page = unpainted(app, &head, &view)?;
    let page = page.status(failed.status()).cache_control("no-store");
    let mut response = page.respond(&HeaderMap::new(), app.origin.is_https()).map(Body::from);
    if let Some(wait) = failed.headers().get(header::RETRY_AFTER) {
        response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
    }
    Ok(response)
}
