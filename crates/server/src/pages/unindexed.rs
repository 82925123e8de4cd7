//! Keeps everything behind secret links out of search engines, whatever the answer.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue};

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
