//! The label's files: pictures for artists and releases, and the library of all uploads. Stored files are served by
//! [`media`](crate::files::media).

/// Whether a letter that has not gone out shows the picture of an address, `/media/…`. Once it goes out it has copies.
macro_rules! letter_shows {
    ($url:literal) => {
        concat!("html IS NULL AND replace(parts, '\"picture\":\"' || ", $url, " || '\"', '') <> parts")
    };
}

pub mod files;
pub mod images;
pub mod store;
pub mod uses;

use deadwax_store::statements;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(images::add_image))
        .routes(routes!(files::list_media, files::add_media))
        .routes(routes!(files::remove_media))
}

statements! {
    and files, store, uses;
}
