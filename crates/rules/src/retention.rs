//! How long the server remembers what has happened; how long sessions, links and uploads are kept is with their rules.

use crate::span::DAY;

/// Entries of the audit log. The database refuses to delete younger ones.
pub const AUDIT_MS: u64 = 180 * DAY;
/// What was deleted stays in the trash.
pub const TRASH_MS: u64 = 30 * DAY;
/// A deleted demo can be brought back: it is personal, and goes as soon as nobody can have meant otherwise.
pub const DEMO_TRASH_MS: u64 = 60_000;
/// Imports, with what is needed to undo them.
pub const IMPORTS_MS: u64 = 30 * DAY;
/// What is left of a mail that is sent or given up.
pub const MAIL_MS: u64 = 30 * DAY;
/// How often an entry of the audit log was left out is remembered this long, for the next one that is written.
pub const LEFT_OUT_MS: u64 = DAY;
