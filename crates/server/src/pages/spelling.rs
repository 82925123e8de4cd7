//! Redirects page addresses with a trailing slash or capitals.
//!
//! Only to known pages: the target contains nothing of the request but a parsed artist id or release slug, and the query.

use axum::response::{IntoResponse as _, Response};
use deadwax_http::extract;
use http::{HeaderValue, Method, StatusCode, Uri, header};
use rules::{slug::is_slug, url::ROUTES};

pub(super) fn redirect(method: &Method, uri: &Uri) -> Option<Response> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let mut target = page_at(uri.path())?;
    if let Some(query) = uri.query() {
        target = format!("{target}?{query}");
    }
    let target = HeaderValue::try_from(target).ok()?;
    Some((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, target)]).into_response())
}

fn page_at(asked: &str) -> Option<String> {
    let path = asked.to_ascii_lowercase();
    let path = path.strip_suffix('/').unwrap_or(&path);
    if path == asked {
        return None;
    }
    if let Some(id) = path.strip_prefix("/artists/") {
        return extract::id(id).map(|id| format!("/artists/{id}"));
    }
    if let Some(slug) = path.strip_prefix("/releases/") {
        return is_slug(slug).then(|| format!("/releases/{slug}"));
    }
    ROUTES.into_iter().find(|route| *route != "/" && *route == path).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_pages_are_led_to() {
        let id = "0193e7a0-0000-7000-8000-000000000001";
        assert_eq!(page_at("/releases/").as_deref(), Some("/releases"));
        assert_eq!(page_at("/auth/callback/").as_deref(), Some("/auth/callback"));
        assert_eq!(page_at(&format!("/artists/{id}/")), Some(format!("/artists/{id}")));
        assert_eq!(page_at("/releases/404-001/").as_deref(), Some("/releases/404-001"));
        assert_eq!(page_at("/Releases").as_deref(), Some("/releases"));
        assert_eq!(page_at("/Releases/REN-4/").as_deref(), Some("/releases/ren-4"));
        assert_eq!(page_at(&format!("/ARTISTS/{}", id.to_uppercase())), Some(format!("/artists/{id}")));
        for path in [
            "/",
            "//",
            "///",
            "/releases",
            "/releases//",
            "//releases/",
            "//evil.example/",
            "/\\evil.example/",
            "/%09/evil.example/",
            "/artists//evil.example/",
            "/releases//evil.example/",
            "/releases/ä/",
            "/Nothing",
            "/P/TOKEN",
            "/artists/nobody/",
            "/nothing/",
        ] {
            assert_eq!(page_at(path), None, "{path}");
        }
    }
}
