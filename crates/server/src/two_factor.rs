//! The second factor: codes of an authenticator app, the mailed code for people without theirs, and ten recovery
//! codes.
//!
//! `rules::mfa` decides the answer to a code; the rows and the consequences are here. Every try happens in one
//! transaction that holds the account's counters, so that tries of one account are serialised.

mod answer;
mod attempts;
mod factor;
mod operations;
mod recovery;
mod setup;

use deadwax_store::statements;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub use factor::{remove, remove_since};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(operations::operate))
        .routes(routes!(recovery::recover))
        .routes(routes!(setup::reauthenticate))
}

statements! {
    and attempts, factor, recovery;
}
