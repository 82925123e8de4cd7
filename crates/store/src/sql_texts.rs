//! The SQL texts of this crate, for the test that prepares each on both engines.

use crate::{crypto, db::Statement, deletions, demo_sounds, limits, live, objects, orphans, picture_sizes};

pub fn all() -> Vec<(&'static str, Statement)> {
    [
        crypto::STATEMENTS,
        deletions::STATEMENTS,
        demo_sounds::STATEMENTS,
        demo_sounds::rows::STATEMENTS,
        orphans::STATEMENTS,
        limits::STATEMENTS,
        live::STATEMENTS,
        objects::STATEMENTS,
        picture_sizes::STATEMENTS,
        picture_sizes::rows::STATEMENTS,
    ]
    .concat()
}
