//! Accounts: signing up and in, sessions, and what people may change about their own account.
//!
//! Rights are decided in [`auth::guard`](crate::auth::guard) only. The second factor is a capability beside this one.

pub mod account_mail;
pub mod admin_mail;
pub mod avatar;
pub mod confirm;
pub mod deletion;
pub mod email_change;
pub mod hashing;
pub mod links;
pub mod password;
pub mod profile;
pub(crate) mod rows;
pub mod sessions;
pub mod sign_in;
pub mod sign_up;
pub mod view;

use deadwax_store::{clock::Micros, db::Db, statements};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, auth::session};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(sign_up::sign_up, links::show_sign_up))
        .routes(routes!(links::look_at_link))
        .routes(routes!(confirm::confirm))
        .routes(routes!(confirm::not_me))
        .routes(routes!(confirm::resend))
        .routes(routes!(sign_in::sign_in))
        .routes(routes!(password::forgot))
        .routes(routes!(password::reset))
        .routes(routes!(sessions::show_session))
        .routes(routes!(sessions::show_user))
        .routes(routes!(sessions::refresh))
        .routes(routes!(sessions::sign_out))
        .routes(routes!(password::change_password))
        .routes(routes!(email_change::ask_email_change, email_change::call_off_email_change))
        .routes(routes!(email_change::resend_email_change))
        .routes(routes!(email_change::confirm_email_change))
        .routes(routes!(email_change::cancel_email_change))
        .routes(routes!(sessions::list_sessions))
        .routes(routes!(sessions::end_session))
        .routes(routes!(deletion::delete_account))
        .routes(routes!(profile::show_profile, profile::repair_profile, profile::change_profile))
        .routes(routes!(profile::check_username))
}

/// Routes that take a file, and bound its size themselves.
pub fn upload_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(avatar::replace_avatar, avatar::remove_avatar))
}

statements! {
    and admin_mail, avatar, confirm, deletion, email_change, links, password, profile, rows, sessions,
        sign_in, sign_up;
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    let pruned = [links::prune(db, now).await, session::prune(db, now).await, sign_up::prune(db, now).await];
    pruned.into_iter().collect()
}
