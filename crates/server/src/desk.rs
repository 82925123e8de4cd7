//! The demo desk: what the label hears, and what it makes of it. Demos come in by `demos`; here they are listed, judged, scored, tagged
//! and noted, by admins alone. What a sender is promised is the one thing that anybody may read.
//!
//! Whatever changes on the desk is told to other admins as a change of its demo, by triggers.

pub mod list;
pub mod states;
pub mod view;

use deadwax_store::db::Statement;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// `/api/admin/desk…`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_desk_demos))
        .routes(routes!(states::set_demo_state))
        .routes(routes!(states::decline_demos))
}

/// Every SQL text of the desk.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [&list::statements(), states::STATEMENTS, view::STATEMENTS].concat()
}
