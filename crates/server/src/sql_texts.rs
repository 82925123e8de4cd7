//! All SQL texts of the program, for the test that prepares each on both engines.

use deadwax_store::db::Statement;

use crate::{
    accounts, audit, auth::session, catalogue, check, checklist, cli, content, demos, health, hero, library,
    newsletter, sample, store, two_factor,
};

/// Every text, with its name.
pub fn all() -> Vec<(&'static str, Statement)> {
    [
        &deadwax_store::sql_texts::all(),
        &accounts::statements(),
        &catalogue::statements(),
        &check::statements(),
        &checklist::statements(),
        &content::statements(),
        &demos::statements(),
        &library::statements(),
        &newsletter::statements(),
        &two_factor::statements(),
        audit::STATEMENTS,
        cli::admin::STATEMENTS,
        health::STATEMENTS,
        hero::STATEMENTS,
        deadwax_mail::STATEMENTS,
        deadwax_responder::STATEMENTS,
        sample::load::STATEMENTS,
        session::STATEMENTS,
        store::STATEMENTS,
    ]
    .concat()
}
