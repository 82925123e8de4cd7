//! The demo desk: what the label hears, and what it makes of it. Demos come in by `demos`; here they are listed, judged, scored, tagged
//! and noted, by admins alone. What a sender is promised is the one thing that anybody may read.
//!
//! Whatever changes on the desk is told to other admins as a change of its demo, by triggers.

pub mod answers;
pub mod detail;
pub mod draft;
pub mod list;
pub mod listening;
pub mod notes;
pub mod promise;
pub mod scores;
pub mod standing;
pub mod states;
pub mod summary;
pub mod templates;
pub mod view;
pub mod waiting;

use deadwax_store::db::Statement;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

/// `/api/admin/desk…`, and what is promised.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(promise::show_promise))
        .routes(routes!(summary::show_desk))
        .routes(routes!(summary::set_desk))
        .routes(routes!(list::list_desk_demos))
        .routes(routes!(detail::show_desk_demo))
        .routes(routes!(draft::draft_release))
        .routes(routes!(states::set_demo_state))
        .routes(routes!(states::decline_demos))
        .routes(routes!(states::set_demo_states))
        .merge(answers::routes())
        .routes(routes!(scores::score_demo))
        .routes(routes!(scores::tag_demo))
        .routes(routes!(notes::add_note))
        .routes(routes!(notes::remove_note))
        .routes(routes!(listening::list_listeners, listening::set_listening))
}

/// Every SQL text of the desk.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [
        detail::STATEMENTS,
        draft::STATEMENTS,
        &list::statements(),
        listening::STATEMENTS,
        notes::STATEMENTS,
        promise::STATEMENTS,
        scores::STATEMENTS,
        answers::STATEMENTS,
        standing::STATEMENTS,
        templates::STATEMENTS,
        summary::STATEMENTS,
        view::STATEMENTS,
        waiting::STATEMENTS,
    ]
    .concat()
}
