//! How long the server remembers what has happened; how long sessions, links and uploads are kept is with their rules.

const DAY: u64 = 24 * 3_600_000;

/// Entries of the audit log. The database refuses to delete younger ones.
pub const AUDIT_MS: u64 = 180 * DAY;
/// What is left of a mail that is sent or given up.
pub const MAIL_MS: u64 = 30 * DAY;
