//! Settings of backups: how often they are made, and how many are kept.

use crate::checked::{Checked, Problem, Problems, refusals};

/// Hours between two backups, one of these.
pub const BACKUP_INTERVALS: [i64; 3] = [1, 6, 24];
/// The last backup of so many days is kept, at most.
pub const KEEP_DAYS_MAX: u32 = 31;
/// The last backup of so many weeks is kept, at most.
pub const KEEP_WEEKS_MAX: u32 = 12;
/// The last backup of so many months is kept, at most.
pub const KEEP_MONTHS_MAX: u32 = 60;

refusals! {
    /// Refusals of backups.
    pub enum BackupError {
        NoPlace = "no_backup_place", "Nothing can be backed up yet: set BACKUP_URL on the server to a folder on another disk or to a bucket, and start it again.";
        Interval = "invalid_backup_interval", "Backups are made every hour, every 6 hours or every day.";
        Days = "invalid_keep_days", "The backups of 1 to 31 days are kept.";
        Weeks = "invalid_keep_weeks", "The backups of 0 to 12 weeks are kept.";
        Months = "invalid_keep_months", "The backups of 0 to 60 months are kept.";
    }
}

/// Checks how often backups are made, and of how many days, weeks and months the last one is kept.
///
/// ```
/// use rules::backups::check_backup_settings;
///
/// assert!(check_backup_settings(24, 7, 4, 12).is_ok());
/// assert_eq!(check_backup_settings(2, 7, 13, 12).unwrap_err().len(), 2);
/// ```
pub fn check_backup_settings(interval_hours: i64, days: i64, weeks: i64, months: i64) -> Checked<()> {
    let problems: Vec<_> = [
        (BACKUP_INTERVALS.contains(&interval_hours), "interval_hours", BackupError::Interval),
        ((1..=i64::from(KEEP_DAYS_MAX)).contains(&days), "keep_days", BackupError::Days),
        ((0..=i64::from(KEEP_WEEKS_MAX)).contains(&weeks), "keep_weeks", BackupError::Weeks),
        ((0..=i64::from(KEEP_MONTHS_MAX)).contains(&months), "keep_months", BackupError::Months),
    ]
    .into_iter()
    .filter(|(is_good, ..)| !is_good)
    .map(|(_, field, error)| Problem::new(field, error))
    .collect();
    if problems.is_empty() { Ok(()) } else { Err(Problems::from(problems)) }
}
