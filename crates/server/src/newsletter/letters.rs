//! Letters to the subscribers: written as drafts, shown as they will arrive, frozen when they go out.
//!
//! Text and HTML are made of the same parts. A frozen letter has its own copies of pictures and of what it says about releases.

pub mod announce;
pub mod archive;
pub mod edits;
pub mod freeze;
pub mod parts;
pub mod preview;
pub mod render;

use axum::extract::DefaultBodyLimit;
use deadwax_store::statements;
use rules::letters::BODY_MAX_BYTES;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(edits::list_letters, edits::create_letter))
        .routes(routes!(edits::show_letter, edits::save_letter, edits::switch_archive, edits::delete_letter))
        .routes(routes!(preview::preview_letter))
        .routes(routes!(preview::show_frozen))
        .routes(routes!(preview::test_letter))
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
        .routes(routes!(archive::list_archive))
        .routes(routes!(archive::show_archived))
}

statements! {
    and archive, edits, freeze, parts, preview;
}
