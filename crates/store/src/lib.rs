//! Storage: rows on either engine, files in a folder or a bucket, the removal of unused files, and the keys that seal secrets. The
//! lowest layer of the server, without HTTP.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

pub mod backup_runs;
pub mod clock;
pub mod columns;
pub mod crypto;
pub mod db;
pub mod deletions;
pub mod demo_sounds;
mod failure;
pub mod ids;
pub mod leases;
pub mod limits;
pub mod live;
pub mod new_file;
pub mod objects;
pub mod picture_sizes;
pub mod secret_address;
pub mod spool;
pub mod storage;
pub mod tables;

use db::Statement;
pub use failure::Failure;
pub use storage::install_tls_provider;

/// Every SQL text of this crate with its name, for the test that prepares each on both engines.
pub fn sql_texts() -> Vec<(&'static str, Statement)> {
    [
        backup_runs::statements(),
        backup_runs::rows::statements(),
        crypto::statements(),
        db::statements(),
        deletions::statements(),
        demo_sounds::statements(),
        demo_sounds::rows::statements(),
        limits::statements(),
        live::statements(),
        objects::statements(),
        picture_sizes::statements(),
        picture_sizes::rows::statements(),
    ]
    .concat()
}
