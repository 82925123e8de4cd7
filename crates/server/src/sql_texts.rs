//! All SQL texts of the program, for the test that prepares each on both engines.

use crate::{
    accounts, audit, auth::session, catalogue, check, checklist, cli, content, crypto, db::Statement,
    deletions, demos, health, hero, leftovers, library, limits, live, mail, newsletter, objects, sample,
    store, terminal, two_factor,
};

/// Every text, with its name.
pub fn all() -> Vec<(&'static str, Statement)> {
    [
        &accounts::statements(),
        &catalogue::statements(),
        &check::statements(),
        &checklist::statements(),
        &content::statements(),
        &demos::statements(),
        &library::statements(),
        &newsletter::statements(),
        &terminal::statements(),
        &two_factor::statements(),
        audit::STATEMENTS,
        cli::admin::STATEMENTS,
        crypto::STATEMENTS,
        deletions::STATEMENTS,
        health::STATEMENTS,
        hero::STATEMENTS,
        leftovers::STATEMENTS,
        limits::STATEMENTS,
        live::STATEMENTS,
        mail::STATEMENTS,
        objects::STATEMENTS,
        sample::load::STATEMENTS,
        session::STATEMENTS,
        store::STATEMENTS,
    ]
    .concat()
}
