//! The store: a placeholder for visitors; products are managed by admins.

pub mod products;

use deadwax_store::db::Statement;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(products::list_products, products::add_product)).routes(routes!(
        products::show_product,
        products::change_product,
        products::switch_product,
        products::remove_product
    ))
}

pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    products::statements()
}
