//! The website's documents: every route with its head and first data, and the files that browsers and crawlers ask for.

pub mod address;
pub mod assets;
mod catalogue;
mod document;
mod failures;
mod feed;
mod head;
mod icons;
mod letters;
mod make;
mod newsletter_links;
mod oembed;
mod painting;
mod pictures;
mod plain;
mod repainting;
mod routes;
mod secret_links;
mod sitemap;
mod structured_data;
pub mod unpainted;

use axum::Router;
pub(crate) use failures::show_failures;
pub(crate) use newsletter_links::FOLDER as NEWSLETTER_LINKS;
pub use oembed::routes as oembed_routes;
pub use repainting::keep_painted;
pub(crate) use secret_links::mark_unindexed;

use crate::app::AppState;

pub fn routes() -> Router<AppState> {
    secret_links::routes().merge(newsletter_links::routes()).merge(routes::routes())
}
