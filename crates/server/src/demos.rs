//! Demos: music sent to the label by anyone, over tus 1.0 (core, creation, creation-with-upload, termination,
//! expiration, checksum; <https://tus.io/protocols/resumable-upload>).
//!
//! An upload is a row and the stored parts, so that any instance takes its next request. The bytes of a request go to
//! the [`spool`](deadwax_store::spool). Bytes that do not complete the upload become a part; bytes that do become the
//! demo, once the content matches the file's name. Of two requests for one upload the newer one wins
//! ([`upload_lock`](crate::files::in_flight::upload_lock) within this process, the row's `writer` across instances).

pub mod append;
mod complete;
pub mod create;
pub mod inbox;
pub mod letter;
mod room;
pub mod senders;
pub mod sounds;
pub mod tus;
pub mod uploads;

use axum::{middleware, routing::post};
use deadwax_store::statements;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::AppState;

pub use uploads::prune;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::describe_uploads, create::create_upload))
        .routes(routes!(create::show_upload, append::append_to_upload, create::end_upload))
        .route("/api/demos/{token}", post(create::override_method))
        .layer(middleware::from_fn(tus::speak))
}

pub fn inbox_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(inbox::list_demos))
        .routes(routes!(inbox::remove_demo))
        .routes(routes!(inbox::download_demo))
        .routes(routes!(sounds::download_track))
}

pub fn sender_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(senders::show_sent_demo, senders::erase_sent_demo))
}

statements! {
    and complete, inbox, letter, room, senders, sounds, uploads;
}
