//! The dates that people and programs write into tables.

use serde::Serialize;

use crate::format;

/// What a cell says about a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadDate {
    /// A day that exists, as `YYYY-MM-DD`.
    Day(String),
    /// A year, or a month of one.
    Span {
        /// Its first day.
        first: String,
        /// Its last day.
        last: String,
    },
    /// A day or a month first: both could be meant.
    Unclear {
        /// One of the two.
        first: String,
    },
    /// Nothing that is a date.
    None,
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Longer than any date.
const LONGEST: usize = 40;

/// Reads `2019-03-12`, `2019/3/12`, `2019.03.12`, `12.03.2019`, `12 Mar 2019`, `March 12, 2019`, `2019-03`, `2019-03-00`,
/// `Mar 2019` and `2019`, also with a time of day behind. Of `3/12/2019` it cannot be told which is the month; of
/// `13/12/2019` it can.
///
/// ```
/// use rules::import::{ReadDate, date};
/// assert_eq!(date("12 Mar 2019"), ReadDate::Day("2019-03-12".into()));
/// assert_eq!(date("2019"), ReadDate::Span { first: "2019-01-01".into(), last: "2019-12-31".into() });
/// ```
pub fn date(text: &str) -> ReadDate {
    read(text).unwrap_or(ReadDate::None)
}

fn read(text: &str) -> Option<ReadDate> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let text = without_time(text);
    let parts: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | '/' | '.' | ','))
        .filter(|part| !part.is_empty())
        .collect();
    match parts[..] {
        [year] => span(full_year(year)?, None),
        [one, other] => match (full_year(one), full_year(other)) {
            (Some(year), None) => span(year, Some(month(other)?)),
            (None, Some(year)) => span(year, Some(month(one)?)),
            _ => None,
        },
        [one, two, three] => {
            if let Some(year) = full_year(one) {
                return match (number(two)?, number(three)?) {
                    (0, 0) => span(year, None),
                    (month, 0) => span(year, Some(month)),
                    (month, date) => day(year, month, date),
                };
            }
            let year = full_year(three)?;
            if let Some(month) = month_name(two) {
                return day(year, month, number(one)?);
            }
            if let Some(month) = month_name(one) {
                return day(year, month, number(two)?);
            }
            let (one, two) = (number(one)?, number(two)?);
            // With points the day comes first wherever people write so.
            if text.contains('.') || one > 12 || one == two {
                return day(year, two, one);
            }
            let american = day(year, one, two)?;
            if two > 12 {
                return Some(american);
            }
            match american {
                ReadDate::Day(first) => Some(ReadDate::Unclear { first }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The part before a time of day, as in `2019-03-12T00:00:00Z` and `2019-03-12 00:00`.
fn without_time(text: &str) -> &str {
    match text.find(':') {
        Some(colon) => {
            let before = text.get(..colon).unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit());
            before.trim_end_matches(['T', 't']).trim_end()
        }
        None => text,
    }
}

fn number(text: &str) -> Option<u32> {
    let text =
        text.trim_end_matches("st").trim_end_matches("nd").trim_end_matches("rd").trim_end_matches("th");
    (text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn full_year(text: &str) -> Option<u32> {
    let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_year.then(|| text.parse().ok())?.filter(|year| *year >= 1000)
}

fn month(text: &str) -> Option<u32> {
    month_name(text).or_else(|| number(text))
}

fn month_name(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let short = lower.get(..3)?;
    let index = MONTHS.iter().position(|known| *known == short)?;
    lower.bytes().all(|byte| byte.is_ascii_alphabetic()).then(|| u32::try_from(index + 1).ok())?
}

fn day(year: u32, month: u32, day: u32) -> Option<ReadDate> {
    let text = format!("{year:04}-{month:02}-{day:02}");
    format::date(&text).map(|_| ReadDate::Day(text))
}

fn span(year: u32, month: Option<u32>) -> Option<ReadDate> {
    let (from, until) = month.map_or((1, 12), |month| (month, month));
    let first = format!("{year:04}-{from:02}-01");
    format::date(&first)?;
    let last = (28..=31)
        .rev()
        .map(|day| format!("{year:04}-{until:02}-{day}"))
        .find(|day| format::date(day).is_some())?;
    Some(ReadDate::Span { first, last })
}
