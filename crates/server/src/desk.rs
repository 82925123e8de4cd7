//! The demo desk: demos listed, judged, scored, tagged, noted and answered by admins. They arrive through `demos`.
//! Only the promise to senders is public.
//!
//! Triggers publish every change on the desk to other admins as a change of its demo.

pub mod answers;
pub mod detail;
pub mod judgements;
pub mod letters;
pub mod list;
pub mod standing;
pub mod states;
pub mod summary;
pub mod view;

use axum::extract::DefaultBodyLimit;
use deadwax_store::statements;
use rules::request::ROWS_BODY_MAX_BYTES;
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt as _},
    routes,
};

use crate::app::AppState;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(summary::show_promise))
        .routes(routes!(summary::show_desk))
        .routes(routes!(summary::set_desk))
        .routes(routes!(list::list_desk_demos))
        .routes(routes!(detail::show_desk_demo))
        .routes(routes!(detail::draft_release))
        .routes(routes!(states::set_demo_state))
        .routes(routes!(states::decline_demos))
        .routes(routes!(states::set_demo_states).layer(DefaultBodyLimit::max(ROWS_BODY_MAX_BYTES)))
        .merge(answers::routes())
        .routes(routes!(judgements::score_demo))
        .routes(routes!(judgements::tag_demo))
        .routes(routes!(judgements::add_note))
        .routes(routes!(judgements::remove_note))
        .routes(routes!(list::list_listeners, list::set_listening))
}

statements! {
    and list, judgements, answers, detail, letters, standing, summary, view;
}
