//! For operators: health, backups, checks, and the reports of browsers.

pub mod backup;
pub mod backups;
pub mod check;
pub mod health;
pub mod mail_viewer;
pub mod readiness;
pub mod reports;
pub mod snapshot;
pub mod sql_texts;
