//! The label's own files: pictures for artists and releases, and the library of everything that was uploaded. How a stored file is
//! read is in [`media`](crate::media).

pub mod files;
pub mod images;
pub mod sniff;
pub mod store;
pub mod uses;

use deadwax_store::db::Statement;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// `/api/admin/media` and `/api/admin/images`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(images::add_image))
        .routes(routes!(files::list_media, files::add_media))
        .routes(routes!(files::remove_media))
}

/// Every SQL text of the library.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [&files::statements(), store::STATEMENTS, uses::STATEMENTS].concat()
}
