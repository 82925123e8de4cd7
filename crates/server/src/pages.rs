//! The website's documents: every route with its head and first data, and the files that browsers and crawlers ask for.

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

pub fn routes() -> Router<AppState> {
    release_routes::routes().merge(sender::routes()).merge(routes::routes())
}
