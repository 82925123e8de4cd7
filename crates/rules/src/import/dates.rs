//! Dates as people and programs write them in tables.

use serde::Serialize;

use crate::format;
use crate::search::folded;

/// The date in a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadDate {
    /// An existing day as `YYYY-MM-DD`.
    Day(String),
    /// A year, or a month of a year.
    Span {
        /// First day.
        first: String,
        /// Last day.
        last: String,
    },
    /// Two numbers that may each be the month.
    Unclear {
        /// The date read with the day first.
        day_first: String,
        /// The date read with the month first.
        month_first: String,
    },
    /// Not a date.
    None,
}

/// Beginnings of month names in English, German, French and Spanish, without accents.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene"],
    &["feb", "fev"],
    &["mar", "mrz"],
    &["apr", "avr", "abr"],
    &["may", "mai"],
    &["jun", "juin"],
    &["jul", "juil"],
    &["aug", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez", "dic"],
];

/// Maximum length of a date in bytes.
const LONGEST: usize = 60;

/// Two-digit years from here on belong to 1900 (POSIX, `strptime`, `%y`).
const OLDEST_SHORT_YEAR: u32 = 69;

/// Parses `2019-03-12`, `2019/3/12`, `20190312`, `12.03.2019`, `12.03.19`, `12 Mar 2019`, `12. März 2019`, `12 de marzo de
/// 2019`, `March 12, 2019`, `Tuesday, March 12, 2019`, `2019-03`, `2019-03-00`, `Mar 2019` and `2019`, also with a time of day.
/// In `3/12/2019` either number may be the month; in `13/12/2019` only one.
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
        .filter(|part| !matches!(*part, "" | "de" | "del" | "of"))
        .collect();
    // The weekday is redundant.
    let parts = match parts[..] {
        [week_day, ref date @ ..] if date.len() == 3 && is_word(week_day) => date,
        ref date => date,
    };
    match *parts {
        [one] if one.len() == 8 => {
            day(full_year(one.get(..4)?)?, number(one.get(4..6)?)?, number(one.get(6..)?)?)
        }
        [year] => span(full_year(year)?, None),
        [one, other] => match (full_year(one), full_year(other)) {
            (Some(year), None) => span(year, Some(month(other)?)),
            (None, Some(year)) => span(year, Some(month(one)?)),
            _ => None,
        },
        [one, two, three] => {
            if let Some(year) = full_year(one) {
                return match (month(two)?, number(three)?) {
                    (0, 0) => span(year, None),
                    (month, 0) => span(year, Some(month)),
                    (month, date) => day(year, month, date),
                };
            }
            let named = month_name(two).map(|month| (month, one));
            let named = named.or_else(|| month_name(one).map(|month| (month, two)));
            // With hyphens, the two-digit year may be in either place.
            let is_clear = named.is_some() || !text.contains('-');
            let year = full_year(three).or_else(|| short_year(three).filter(|_| is_clear))?;
            if let Some((month, date)) = named {
                return day(year, month, number(date)?);
            }
            let (one, two) = (number(one)?, number(two)?);
            // With dots, the day always comes first.
            if text.contains('.') || one > 12 || one == two {
                return day(year, two, one);
            }
            match (day(year, two, one), day(year, one, two)?) {
                (Some(ReadDate::Day(day_first)), ReadDate::Day(month_first)) => {
                    Some(ReadDate::Unclear { day_first, month_first })
                }
                (_, american) => Some(american),
            }
        }
        _ => None,
    }
}

/// Removes a time of day, as in `2019-03-12T00:00:00Z` and `2019-03-12 00:00`.
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
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let is_ordinal =
        matches!(text.get(digits.len()..), Some("" | "st" | "nd" | "rd" | "th" | "er" | "\u{ba}"));
    let is_number = is_ordinal && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

fn full_year(text: &str) -> Option<u32> {
    let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_year.then(|| text.parse().ok())?.filter(|year| *year >= 1000)
}

fn short_year(text: &str) -> Option<u32> {
    let year = number(text).filter(|_| text.len() == 2)?;
    Some(if year < OLDEST_SHORT_YEAR { 2000 + year } else { 1900 + year })
}

fn month(text: &str) -> Option<u32> {
    month_name(text).or_else(|| number(text))
}

fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

fn month_name(text: &str) -> Option<u32> {
    let name = folded(text);
    let begins = |beginnings: &&[&str]| beginnings.iter().any(|known| name.starts_with(known));
    let index = MONTHS.iter().position(begins).filter(|_| is_word(&name))?;
    u32::try_from(index + 1).ok()
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
