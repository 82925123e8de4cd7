//! The website's documents: every route with its own head and the data of its first view, the files they load, and what
//! programs ask a website for.

mod document;
mod feed;
mod first_picture;
mod for_programs;
mod head;
mod oembed;
mod painting;
mod plain;
mod release;
mod release_routes;
mod repainting;
mod routes;
mod sender;
mod shared_picture;
mod sitemap;
mod spelling;
mod structured_data;
mod unindexed;

use axum::Router;
pub use oembed::routes as oembed_routes;
pub use repainting::keep_painted;
pub(crate) use unindexed::mark_unindexed;

use crate::app::AppState;

/// All pages, and the answer for every path that is none.
pub fn routes() -> Router<AppState> {
    release_routes::routes().merge(sender::routes()).merge(routes::routes())
}
