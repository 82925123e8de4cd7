//! `robots.txt` and the web manifest.

use axum::response::Response;
use deadwax_http::{cached_response::CachedResponse, error::AppResult, headers::Kind};
use deadwax_store::tables::Tables;
use http::HeaderMap;
use serde::Serialize;

use crate::app::AppState;

const GROUND: &str = "#0B0B0B";

#[derive(Serialize)]
struct Manifest<'a> {
    name: &'a str,
    short_name: &'a str,
    start_url: &'static str,
    display: &'static str,
    background_color: &'static str,
    theme_color: &'static str,
    icons: [Icon; 3],
}

#[derive(Serialize)]
struct Icon {
    src: &'static str,
    sizes: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

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
    app.answer_as("/site.webmanifest", &headers, Tables::NONE, || async {
        let icon = |src, sizes, kind| Icon { src, sizes, kind };
        let manifest = Manifest {
            name: &app.label_name,
            short_name: &app.label_name,
            start_url: "/",
            display: "minimal-ui",
            background_color: GROUND,
            theme_color: GROUND,
            icons: [
                icon("/favicon.svg", "any", "image/svg+xml"),
                icon("/icon-192.png", "192x192", "image/png"),
                icon("/icon-512.png", "512x512", "image/png"),
            ],
        };
        let json = serde_json::to_vec(&manifest)?;
        Ok(CachedResponse::new(Kind::Api, "application/manifest+json", json))
    })
    .await
}
