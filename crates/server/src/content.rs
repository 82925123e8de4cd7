//! What the label can edit around its catalogue: texts, site images, and which pages are in maintenance.

pub mod hero;
pub mod images;
pub mod maintenance;
pub mod texts;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, db::Statement};

/// `/api/content`, `/api/site-images` and `/api/maintenance`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(texts::list_texts))
        .routes(routes!(texts::show_text))
        .routes(routes!(images::list_images))
        .routes(routes!(images::show_image))
        .routes(routes!(maintenance::list_settings))
        .routes(routes!(maintenance::show_setting))
}

/// Every statement of the folder.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [hero::STATEMENTS, images::STATEMENTS, maintenance::STATEMENTS, texts::STATEMENTS].concat()
}
