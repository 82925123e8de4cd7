//! The store. Visitors see a placeholder; products are readable and editable by admins alone.

pub mod products;

use deadwax_store::db::Statement;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// `/api/admin/products`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(products::list_products, products::add_product)).routes(routes!(
        products::show_product,
        products::change_product,
        products::switch_product,
        products::remove_product
    ))
}

/// Every SQL text of the store.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    products::statements()
}
