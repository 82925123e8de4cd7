//! All SQL texts of the program, for the test that prepares each on both engines.

use deadwax_store::db::Statement;

use crate::{
    accounts, audit, audit::activity, auth::session, catalogue, checklist, cli, content, demos, desk,
    editing::history, editing::search_keys, editing::versions, exports, files::hero, files::library,
    files::media, imports, newsletter, numbers, operation::check, operation::health, products,
    requests::idempotency, sample, trash, two_factor,
};

pub fn all() -> Vec<(&'static str, Statement)> {
    [
        &deadwax_store::sql_texts(),
        &accounts::statements(),
        activity::STATEMENTS,
        &catalogue::statements(),
        &check::statements(),
        &checklist::statements(),
        &content::statements(),
        &demos::statements(),
        &desk::statements(),
        exports::STATEMENTS,
        &imports::statements(),
        &library::statements(),
        &newsletter::statements(),
        &numbers::statements(),
        &trash::statements(),
        versions::STATEMENTS,
        history::STATEMENTS,
        idempotency::STATEMENTS,
        &two_factor::statements(),
        audit::STATEMENTS,
        cli::admin::STATEMENTS,
        health::STATEMENTS,
        hero::STATEMENTS,
        media::STATEMENTS,
        deadwax_mail::STATEMENTS,
        deadwax_responder::STATEMENTS,
        sample::load::STATEMENTS,
        search_keys::STATEMENTS,
        session::STATEMENTS,
        &products::statements(),
    ]
    .concat()
}
