//! The catalogue: artists and releases, as visitors read them and as admins edit them.

pub mod artist_edits;
pub mod artists;
pub mod release_edits;
pub mod releases;

use deadwax_store::db::Statement;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// `/api/artists` and `/api/releases`, and the same under `/api/admin`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(artists::list_artists))
        .routes(routes!(artists::show_artist))
        .routes(routes!(releases::list_releases))
        .routes(routes!(artist_edits::list_editable_artists, artist_edits::add_artist))
        .routes(routes!(
            artist_edits::show_editable_artist,
            artist_edits::change_artist,
            artist_edits::remove_artist
        ))
        .routes(routes!(artist_edits::list_artist_choices))
        .routes(routes!(release_edits::list_editable_releases, release_edits::add_release))
        .routes(routes!(
            release_edits::show_editable_release,
            release_edits::change_release,
            release_edits::remove_release
        ))
}

/// Every SQL text of the catalogue.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [artist_edits::STATEMENTS, artists::STATEMENTS, release_edits::STATEMENTS, releases::STATEMENTS].concat()
}
