//! Sending letters to the subscribers. Each recipient is a row: `handing` is committed before a letter is handed over and its outcome
//! after, so that a letter whose outcome was lost is handed over again, with the same Message-ID.

mod outcomes;
mod pauses;
mod queue;
pub mod report;
pub mod steps;
mod worker;

use deadwax_store::{names, statements};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(super) use worker::list_headers;
pub use worker::{LetterSender, keep_sending};

use crate::app::AppState;

names! {
    /// The state of a letter's recipient.
    RecipientState;
    Waiting = "waiting";
    Handing = "handing";
    Sent = "sent";
    Refused = "refused";
    Bounced = "bounced";
    Left = "left";
    Skipped = "skipped";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(report::show_sending, steps::step_sending))
        .routes(routes!(steps::send_letter))
}

statements! {
    and outcomes, pauses, queue, report, steps, worker;
}
