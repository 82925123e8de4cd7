//! The catalogue as visitors read it: artists and releases.

pub mod artists;
pub mod releases;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// `/api/artists` and `/api/releases`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(artists::list_artists))
        .routes(routes!(artists::show_artist))
        .routes(routes!(releases::list_releases))
}

/// An address as visitors may get it: one that nobody could have stored through this program stays hidden.
pub(crate) fn public_url(stored: Option<String>) -> Option<String> {
    rules::url::sanitize_url(&stored?).ok().filter(|url| !url.is_empty())
}
