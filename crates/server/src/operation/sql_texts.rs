//! All SQL texts of the program, for the test that prepares each on both engines.

use deadwax_store::{db::Statement, statements};

use crate::{
    accounts, audit, audit::activity, auth::session, catalogue, checklist, cli::admin, content, demos, desk,
    editing::history, editing::search_keys, editing::versions, exports, files::hero, files::library,
    files::media, imports, newsletter, numbers, operation::backup, operation::check, operation::health,
    operation::snapshot, products, requests::idempotency, sample::load, trash, two_factor,
};

statements! {
    and accounts, activity, catalogue, check, checklist, content, demos, desk, exports, imports, library,
        newsletter, numbers, trash, versions, history, idempotency, two_factor, audit, admin, health, hero,
        media, deadwax_mail, deadwax_responder, load, search_keys, session, products, snapshot, backup;
}

pub fn all() -> Vec<(&'static str, Statement)> {
    [deadwax_store::sql_texts(), statements()].concat()
}
