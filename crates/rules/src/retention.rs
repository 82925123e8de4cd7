//! Retention of the server's records; sessions, links and uploads have theirs in their own rules.

use crate::span::{DAY, MINUTE};

/// Entries of the audit log. The database refuses to delete younger ones.
pub const AUDIT_MS: u64 = 180 * DAY;
/// Deleted rows in the trash.
pub const TRASH_MS: u64 = 30 * DAY;
/// Deleted demos in the trash: they are personal data, so only a slip can be undone.
pub const DEMO_TRASH_MS: u64 = MINUTE;
/// Imports, with the data to undo them.
pub const IMPORTS_MS: u64 = 30 * DAY;
/// Records of mails that were sent or abandoned.
pub const MAIL_MS: u64 = 30 * DAY;
/// Counts of omitted audit entries, until the next entry is written.
pub const LEFT_OUT_MS: u64 = DAY;
