//! Years and months in a message.

use super::{
    Period,
    senses::{Sense, Senses},
    text::Word,
};

/// Parses `2024`, or folded dates such as `202403` and `032024`.
pub(super) fn year_and_month(folded: &str) -> Option<(u16, Option<u8>)> {
    if !folded.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let year = |text: &str| text.parse().ok().filter(|year| (1950..2100).contains(year));
    let month = |text: &str| text.parse().ok().filter(|month| (1..=12).contains(month));
    match folded.len() {
        4 => Some((year(folded)?, None)),
        6 => match (year(&folded[..4]), month(&folded[4..])) {
            (Some(year), Some(month)) => Some((year, Some(month))),
            _ => Some((year(&folded[2..])?, Some(month(&folded[..2])?))),
        },
        _ => None,
    }
}

/// Marks a number beside a year as its month.
pub(super) fn mark_months(words: &[Word], senses: &mut [Option<Senses>]) {
    for at in 0..words.len() {
        let is_year = |at: usize| words.get(at).is_some_and(|word| year_and_month(&word.folded).is_some());
        if senses[at].is_none()
            && month(&words[at].folded).is_some()
            && (is_year(at + 1) || at > 0 && is_year(at - 1))
        {
            let mut month = Senses::default();
            month.add(Sense::Month);
            senses[at] = Some(month);
        }
    }
}

/// Parses a month by name or number.
fn month(folded: &str) -> Option<u8> {
    const NAMES: [&[&str]; 12] = [
        &["january", "jan", "januar", "janner"],
        &["february", "feb", "februar"],
        &["march", "mar", "marz", "maerz"],
        &["april", "apr"],
        &["may", "mai"],
        &["june", "jun", "juni"],
        &["july", "jul", "juli"],
        &["august", "aug"],
        &["september", "sep", "sept"],
        &["october", "oct", "oktober", "okt"],
        &["november", "nov"],
        &["december", "dec", "dezember", "dez"],
    ];
    let named = (1..).zip(NAMES).find(|(_, names)| names.contains(&folded)).map(|(month, _)| month);
    let is_number = folded.len() <= 2 && folded.bytes().all(|byte| byte.is_ascii_digit());
    named.or_else(|| folded.parse().ok().filter(|month| is_number && (1..=12).contains(month)))
}

/// The span of dates named in a message.
pub(super) fn period(words: &[Word], all: Senses) -> Option<Period> {
    if let Some((at, (year, within))) =
        words.iter().enumerate().find_map(|(at, word)| Some((at, year_and_month(&word.folded)?)))
    {
        let mut others = words.iter().enumerate().filter(|(place, _)| *place != at);
        let month = within.or_else(|| others.find_map(|(_, word)| month(&word.folded)));
        return Some(Period::Year { year, month });
    }
    [
        (Sense::LastYear, Period::LastYear),
        (Sense::ThisMonth, Period::ThisMonth),
        (Sense::ThisYear, Period::ThisYear),
    ]
    .into_iter()
    .find_map(|(sense, period)| all.has(sense).then_some(period))
}
