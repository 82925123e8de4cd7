//! The website's documents: every route with its own head and the data of its first view, and the files they load.

mod assets;
mod document;
mod head;
mod routes;

pub use assets::Assets;
pub use routes::routes;
