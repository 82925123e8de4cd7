//! Storage: rows on either engine, files in a folder or a bucket, the removal of unused files, and the keys that seal secrets. The
//! lowest layer of the server, without HTTP.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

pub mod advisory_locks;
pub mod clock;
pub mod columns;
pub mod crypto;
pub mod db;
pub mod deletions;
pub mod demo_sounds;
pub mod failure;
pub mod leases;
pub mod limits;
pub mod live;
pub mod networks;
pub mod new_file;
pub mod objects;
pub mod orphans;
pub mod picture_sizes;
pub mod secret_address;
pub mod spool;
pub mod sql_texts;
pub mod storage;
pub mod tables;
pub mod tls;
