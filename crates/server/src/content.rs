//! Texts, site images and maintenance: edited by admins besides the catalogue.

pub mod images;
pub mod label;
pub mod maintenance;
pub mod mark;
pub mod texts;
pub mod time_zone;

use deadwax_store::statements;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(texts::list_texts))
        .routes(routes!(texts::show_text))
        .routes(routes!(texts::show_label))
        .routes(routes!(images::list_images))
        .routes(routes!(images::show_image))
        .routes(routes!(maintenance::list_settings))
        .routes(routes!(maintenance::show_setting))
        .routes(routes!(maintenance::switch_setting))
        .merge(texts::routes())
}

pub fn upload_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(images::list_editable_images))
        .routes(routes!(images::replace_image, images::remove_image))
}

statements! {
    and images, label, maintenance, mark, texts, time_zone;
}
