//! The catalogue: artists and releases, as visitors read them and admins edit them.

pub mod artist_edits;
pub mod artists;
pub mod drafts;
pub mod editable_release;
pub mod private_links;
pub mod publication;
pub mod release_detail;
pub mod release_edits;
mod release_rows;
pub mod releases;

use deadwax_store::statements;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(artists::list_artists))
        .routes(routes!(artists::show_artist))
        .routes(routes!(releases::list_releases))
        .routes(routes!(release_detail::show_release))
        .routes(routes!(artist_edits::list_editable_artists, artist_edits::add_artist))
        .routes(routes!(
            artist_edits::show_editable_artist,
            artist_edits::change_artist,
            artist_edits::remove_artist
        ))
        .routes(routes!(artists::list_artist_choices))
        .routes(routes!(drafts::show_catalog_numbers))
        .merge(release_edits::routes())
        .routes(routes!(private_links::renew_private_link, private_links::remove_private_link))
        .routes(routes!(private_links::show_private_file))
        .routes(routes!(private_links::show_private_release))
}

statements! {
    and artist_edits, artists, drafts, publication, private_links, release_detail, release_edits, releases;
}
