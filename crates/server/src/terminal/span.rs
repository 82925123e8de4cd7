//! A span of calendar dates, and the releases in it.

use deadwax_store::db::Db;
use rules::terminal_question::Period;

use crate::catalogue::releases::{self, ReleaseView};

/// From the first date up to but excluding the second; compared as text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) name: String,
    from: String,
    until: String,
}

impl Span {
    pub(super) fn of(period: Period, today: &str) -> Self {
        let mut parts = today.split('-').map(|part| part.parse::<u16>().unwrap_or_default());
        let (year, month) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        match period {
            Period::Year { year, month: None } => Self::year(year),
            Period::Year { year, month: Some(month) } => Self::month(year, u16::from(month)),
            Period::ThisYear => Self::year(year),
            Period::LastYear => Self::year(year.saturating_sub(1)),
            Period::ThisMonth => Self::month(year, month),
        }
    }

    fn year(year: u16) -> Self {
        Self { name: year.to_string(), from: format!("{year}-"), until: format!("{}-", year + 1) }
    }

    fn month(year: u16, month: u16) -> Self {
        let until = if month < 12 { format!("{year}-{:02}-", month + 1) } else { format!("{}-", year + 1) };
        Self { name: format!("{year}.{month:02}"), from: format!("{year}-{month:02}-"), until }
    }

    pub(super) fn after(day: &str) -> Self {
        // After the day itself, before the next one.
        Self { name: String::new(), from: format!("{day}~"), until: "9999~".to_owned() }
    }

    pub(super) async fn releases(&self, db: &Db, limit: i64) -> sqlx::Result<(Vec<ReleaseView>, i64)> {
        let total = releases::count_between(db, &self.from, &self.until).await?;
        Ok((releases::list_between(db, &self.from, &self.until, limit).await?, total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(period: Period) -> (String, String, String) {
        let span = Span::of(period, "2026-12-20");
        (span.name, span.from, span.until)
    }

    #[test]
    fn a_period_ends_where_the_next_one_begins() {
        let texts =
            |name: &str, from: &str, until: &str| (name.to_owned(), from.to_owned(), until.to_owned());
        assert_eq!(of(Period::Year { year: 2024, month: None }), texts("2024", "2024-", "2025-"));
        assert_eq!(of(Period::Year { year: 2024, month: Some(3) }), texts("2024.03", "2024-03-", "2024-04-"));
        assert_eq!(of(Period::ThisYear), texts("2026", "2026-", "2027-"));
        assert_eq!(of(Period::LastYear), texts("2025", "2025-", "2026-"));
        assert_eq!(of(Period::ThisMonth), texts("2026.12", "2026-12-", "2027-"));
    }
}
