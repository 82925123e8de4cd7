//! Pages without catalogue data, `robots.txt` and the web manifest, and redirects from misspelt addresses of pages.

use axum::response::Response;
use deadwax_http::{cached_response::CachedResponse, error::AppResult, extract, headers::Kind};
use deadwax_store::tables::Tables;
use http::{HeaderMap, Method, Uri};
use rules::{slug::is_slug, url::ROUTES};
use serde_json::json;

use super::{address::IMPRINT_PATH, icons::MASKABLE};
use crate::{app::AppState, catalogue::release_detail::moved};

pub(super) struct Plain {
    pub(super) path: &'static str,
    pub(super) name: &'static str,
    pub(super) sentence: &'static str,
    pub(super) indexed: bool,
}

const fn listed(path: &'static str, name: &'static str, sentence: &'static str) -> Plain {
    Plain { path, name, sentence, indexed: true }
}

const fn unlisted(path: &'static str, name: &'static str, sentence: &'static str) -> Plain {
    Plain { path, name, sentence, indexed: false }
}

/// In sentences, `{label}` stands for the label's name.
pub(super) const PLAIN: [Plain; 13] = [
    listed("/store", "Store", "Records and merchandise from {label}. The store opens soon."),
    listed(
        "/terminal",
        "Terminal",
        "A terminal that answers questions about the artists and records of {label}.",
    ),
    listed("/contact", "Contact us", "Write to the people who run {label}."),
    listed("/privacy-policy", "Privacy policy", "How {label} handles personal data on this website."),
    listed(IMPRINT_PATH, "Imprint", "Who runs {label} and is responsible for this website."),
    listed("/signup", "Sign up", "Create an account with {label}."),
    unlisted("/profile", "Profile", "Your account with {label}."),
    unlisted("/auth/callback", "Confirmation", "Your email address is being confirmed."),
    unlisted("/auth/welcome", "Welcome", "Your account with {label} is ready."),
    unlisted(
        "/auth/signup-success",
        "Check your inbox",
        "A link to confirm your email address is on its way.",
    ),
    unlisted("/admin/login", "Admin Login", "Access the CMS dashboard."),
    unlisted("/admin", "Admin", "The back office of {label}."),
    unlisted("/admin/demos", "Demo Desk", "What artists have sent to {label}."),
];

impl Plain {
    pub(super) fn at(path: &str) -> Option<&'static Self> {
        PLAIN.iter().find(|page| page.path == path)
    }
}

pub(super) fn listed_paths(has_imprint: bool) -> impl Iterator<Item = &'static str> {
    let is_listed = move |page: &&Plain| page.indexed && (has_imprint || page.path != IMPRINT_PATH);
    let plain = PLAIN.iter().filter(is_listed).map(|page| page.path);
    ["/", "/releases", "/artists"].into_iter().chain(plain)
}

const GROUND: &str = "#0B0B0B";

pub(super) async fn show_robots(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    app.answer_as("/robots.txt", &headers, Tables::NONE, || async {
        let sitemap = app.origin.link("/sitemap.xml");
        let text = format!(
            "User-agent: *\nAllow: /\nDisallow: /admin\nDisallow: /api\nDisallow: /auth\nDisallow: /profile\n\n\
             Sitemap: {sitemap}\n"
        );
        Ok(CachedResponse::new(Kind::Api, "text/plain; charset=utf-8", text))
    })
    .await
}

pub(super) async fn show_manifest(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    app.answer_as("/site.webmanifest", &headers, Tables::SITE_CONTENT, || async {
        let label = app.known_label.current(&app.db).await?;
        let icon = |src: &str, sizes: &str, kind: &str| json!({"src": src, "sizes": sizes, "type": kind});
        let mut maskable = icon(MASKABLE, "512x512", "image/png");
        maskable["purpose"] = "maskable".into();
        let manifest = json!({
            "name": label.name,
            "short_name": label.name,
            "start_url": "/",
            "display": "minimal-ui",
            "background_color": GROUND,
            "theme_color": GROUND,
            "icons": [
                icon("/favicon.svg", "any", "image/svg+xml"),
                icon("/icon-192.png", "192x192", "image/png"),
                icon("/icon-512.png", "512x512", "image/png"),
                maskable,
            ],
        });
        let json = manifest.to_string();
        Ok(CachedResponse::new(Kind::Api, "application/manifest+json", json))
    })
    .await
}

pub(super) fn redirect_misspelt(method: &Method, uri: &Uri) -> Option<Response> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    Some(moved(&with_query(&page_at(uri.path())?, uri)))
}

/// A path with the query of the asked address.
pub(super) fn with_query(path: &str, asked: &Uri) -> String {
    asked.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
}

/// Only a known page: the target contains nothing of the request but a parsed artist id, or the slug of a release or letter.
fn page_at(asked: &str) -> Option<String> {
    let path = asked.to_ascii_lowercase();
    let path = path.strip_suffix('/').unwrap_or(&path);
    if path == asked {
        return None;
    }
    if let Some(id) = path.strip_prefix("/artists/") {
        return extract::id(id).map(|id| format!("/artists/{id}"));
    }
    if let Some(slug) = ["/releases/", "/letters/"].into_iter().find_map(|folder| path.strip_prefix(folder)) {
        return is_slug(slug).then(|| path.to_owned());
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
        assert_eq!(page_at("/Letters/News-More/").as_deref(), Some("/letters/news-more"));
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
            "/letters//evil.example/",
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
