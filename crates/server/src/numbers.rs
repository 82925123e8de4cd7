//! Numbers of visits: counted in memory, written to rows every ten seconds, shown in the Analytics tab. No visitor is named in any of
//! them, and after a day's end nothing is left that one could be recognised by.

pub mod export;
pub mod held;
pub mod keep;
pub mod kind;
mod names;
mod report;
pub mod seen;
mod sketch;

use deadwax_store::statements;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    seen::routes().routes(routes!(report::show_numbers)).routes(routes!(export::export_numbers))
}

statements! {
    and keep, names, report, export;
}
