//! Display formats of sizes, dates, counts and long texts.

use crate::text::decimal;

/// Shown for a release without a date.
pub const NO_DATE: &str = "No Date";

/// Maximum length of a description in a list, in characters.
pub const PREVIEW_LENGTH: usize = 150;

const UNITS: [&str; 4] = ["Bytes", "KB", "MB", "GB"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A calendar date, independent of time zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// 0 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to the length of the month.
    pub day: u8,
}

/// Parses `YYYY-MM-DD`; `None` unless the day exists.
///
/// ```
/// use rules::format::date;
/// assert!(date("2024-02-29").is_some());
/// assert!(date("2026-02-29").is_none());
/// ```
pub fn date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let digits = |from: usize, to: usize| {
        bytes[from..to]
            .iter()
            .try_fold(0_u16, |number, b| b.is_ascii_digit().then(|| number * 10 + u16::from(b - b'0')))
    };
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => return None,
    };
    let (month, small_day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    (1..=days).contains(&day).then_some(Date { year, month, day: small_day })
}

/// Formats a release date as `YYYY.MM.DD`; `No Date` if it is missing or invalid.
///
/// ```
/// use rules::format::date_label;
/// assert_eq!(date_label(Some("2026-10-02")), "2026.10.02");
/// assert_eq!(date_label(None), "No Date");
/// ```
pub fn date_label(release_date: Option<&str>) -> String {
    release_date.filter(|text| date(text).is_some()).map_or_else(
        || NO_DATE.to_owned(),
        |text| text.chars().map(|c| if c == '-' { '.' } else { c }).collect(),
    )
}

/// Month and year of an RFC 3339 instant or date, as `November 2026`; `None` if it does not begin with a date.
pub fn month_label(at: &str) -> Option<String> {
    let Date { year, month, .. } = date(at.get(..10)?)?;
    let name = MONTHS.get(usize::from(month).checked_sub(1)?)?;
    Some((*name).to_owned() + " " + &decimal(year.into()))
}

/// `1 RELEASE`, otherwise `N RELEASES`.
pub fn release_count_label(count: u64) -> String {
    if count == 1 { "1 RELEASE".to_owned() } else { format!("{count} RELEASES") }
}

/// As [`size_label`], of a whole number.
#[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
pub fn bytes_label(bytes: u64) -> String {
    size_label(Some(bytes as f64))
}

/// Formats a file size with base 1024: at most two decimals, no trailing zeros, up to `GB`. `0 Bytes` if it is missing or
/// invalid.
///
/// ```
/// use rules::format::size_label;
/// assert_eq!(size_label(Some(1_500.0)), "1.46 KB");
/// assert_eq!(size_label(None), "0 Bytes");
/// ```
pub fn size_label(size_bytes: Option<f64>) -> String {
    // The cast saturates: negative numbers and NaN become 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and NaN is 0"
    )]
    let size = size_bytes.unwrap_or_default() as u64;
    // Floats above 2^53 are not exact anyway, and a hundred times the size must fit below.
    let size = size.min(1 << 53);
    let mut exponent = 0;
    while exponent + 1 < UNITS.len() && size >> (10 * (exponent + 1)) > 0 {
        exponent += 1;
    }
    let unit = 1_u64 << (10 * exponent);
    let hundredths = (size * 100 + unit / 2) / unit;
    let name = UNITS[exponent];
    let mut label = decimal(hundredths / 100);
    let (tenth, hundredth) = (hundredths / 10 % 10, hundredths % 10);
    if tenth + hundredth > 0 {
        label = label + "." + &decimal(tenth);
    }
    if hundredth > 0 {
        label += &decimal(hundredth);
    }
    label + " " + name
}

/// The first 150 characters followed by `...` if the text is longer.
///
/// Never cuts inside an emoji, a flag, or between a letter and its marks: the cut moves before them. A single cluster of more
/// than 150 characters is cut hard.
pub fn preview(text: &str) -> String {
    match cut(text) {
        Some(kept) => kept.to_owned() + "...",
        None => text.to_owned(),
    }
}

/// The part of a long text to keep.
fn cut(text: &str) -> Option<&str> {
    let (limit, next) = text.char_indices().nth(PREVIEW_LENGTH)?;
    let (kept, _) = text.split_at_checked(limit)?;
    let mut rest = kept.chars();
    let mut following = next;
    while let Some(before) = rest.next_back() {
        if !joins(before, following, rest.as_str()) {
            return kept.get(..rest.as_str().len() + before.len_utf8());
        }
        following = before;
    }
    Some(kept)
}

/// Whether no cut may fall between `before` and `after`. `earlier` is the text before `before`.
fn joins(before: char, after: char, earlier: &str) -> bool {
    const ZERO_WIDTH_JOINER: char = '\u{200d}';
    let is_flag_letter = |c: char| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
    if is_flag_letter(before) && is_flag_letter(after) {
        // A flag is a pair of letters: `before` begins one if an even number of letters precedes it.
        return earlier.chars().rev().take_while(|c| is_flag_letter(*c)).count() % 2 == 0;
    }
    before == ZERO_WIDTH_JOINER || (before == '\r' && after == '\n') || extends(after)
}

/// Whether a character extends the one before it. Whole blocks instead of exact tables: an extra character only moves the cut
/// by one.
fn extends(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}' | '\u{711}' | '\u{730}'..='\u{74a}'
        | '\u{8d3}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{962}'..='\u{963}' | '\u{981}'..='\u{983}'
        | '\u{9bc}'..='\u{9cd}' | '\u{a3c}'..='\u{a4d}' | '\u{abc}'..='\u{acd}' | '\u{b3c}'..='\u{b57}'
        | '\u{bbe}'..='\u{bcd}' | '\u{c3e}'..='\u{c56}' | '\u{cbc}'..='\u{cd6}' | '\u{d3b}'..='\u{d4d}'
        | '\u{dca}'..='\u{ddf}' | '\u{e31}' | '\u{e33}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{eb1}'
        | '\u{eb3}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}' | '\u{102b}'..='\u{103e}' | '\u{1160}'..='\u{11ff}'
        | '\u{17b4}'..='\u{17d3}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200c}'..='\u{200d}'
        | '\u{20d0}'..='\u{20ff}' | '\u{3099}'..='\u{309a}' | '\u{d7b0}'..='\u{d7ff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}
