//! Accounts: signing up and in, sessions, and what a person may change about their own account.
//!
//! Rights are decided in [`guard`], and nowhere else. The second factor has a capability of its own.

pub mod address;
pub mod confirm;
pub mod cookies;
pub mod even;
pub mod guard;
pub mod hashing;
pub mod links;
pub mod post;
pub mod renewal;
pub mod reset;
pub mod session;
pub mod sign_in;
pub mod sign_up;
pub mod view;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::AppState,
    clock::Micros,
    db::{Db, Statement},
};

/// `/api/auth/…`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(sign_up::sign_up))
        .routes(routes!(confirm::confirm))
        .routes(routes!(confirm::not_me))
        .routes(routes!(confirm::resend))
        .routes(routes!(sign_in::sign_in))
        .routes(routes!(sign_in::reauthenticate))
        .routes(routes!(reset::forgot))
        .routes(routes!(reset::reset))
        .routes(routes!(renewal::show_session))
        .routes(routes!(renewal::show_user))
        .routes(routes!(renewal::refresh))
        .routes(routes!(renewal::sign_out))
}

/// Every SQL text of accounts.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [
        confirm::STATEMENTS,
        links::STATEMENTS,
        reset::STATEMENTS,
        session::STATEMENTS,
        sign_in::STATEMENTS,
        sign_up::STATEMENTS,
    ]
    .concat()
}

/// Forgets what no longer counts: old links, ended sessions, addresses that nobody confirmed.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    links::prune(db, now).await?;
    session::prune(db, now).await?;
    sign_up::prune(db, now).await
}
