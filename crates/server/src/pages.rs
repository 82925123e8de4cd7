//! The website's documents: every route with its own head and the data of its first view, the files they load, and what
//! programs ask a website for.

mod document;
mod feed;
mod first_picture;
mod for_programs;
mod head;
mod painting;
mod plain;
mod repainting;
mod routes;
mod sitemap;
mod slash;
mod structured_data;

pub use repainting::keep_painted;
pub use routes::routes;
