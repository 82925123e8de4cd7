//! Catalogue numbers as a label counts them: a prefix, a number, and how many digits it is written with.
//!
//! Nothing here refuses a number: the next free one is offered, and what is used twice or left out is told. Only the server asks.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::release::CATALOG_MAX;
use crate::text;

/// Notices of one kind that are told at once.
pub const NOTICES_MAX: usize = 50;

/// More digits than that are a bar code or a telephone number.
const DIGITS_MAX: usize = 9;

/// A catalogue number that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CatalogNumber {
    /// What stands before the digits at its end, as typed.
    pub prefix: String,
    /// The digits as a number.
    pub number: u32,
    /// How many digits it is written with.
    pub width: usize,
}

/// What a catalogue's numbers tell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CatalogNotices {
    /// The next free number of the series with the most numbers; none without a number.
    pub next: Option<String>,
    /// Numbers of several releases, at most [`NOTICES_MAX`] of them.
    pub repeated: Vec<Repeated>,
    /// How many there are in all.
    pub repeated_total: usize,
    /// Numbers between others that no release has, at most [`NOTICES_MAX`] spans of them.
    pub gaps: Vec<Gap>,
    /// How many spans there are in all.
    pub gaps_total: usize,
}

/// A number that several releases have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// As it is spelt first, with the most digits.
    pub catalog: String,
    /// How many have it.
    pub times: usize,
}

/// A span of numbers that no release has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The first of them.
    pub first: String,
    /// The last of them; the first again, where it is alone.
    pub last: String,
    /// How many they are.
    pub count: u32,
}

impl CatalogNumber {
    /// Reads the digits at the end of a number, 1 to 9 of them; anything else does not count.
    ///
    /// ```
    /// use rules::catalog_number::CatalogNumber;
    ///
    /// let number = CatalogNumber::parse("404-007").unwrap();
    /// assert_eq!((number.prefix.as_str(), number.number, number.width), ("404-", 7, 3));
    /// assert_eq!(CatalogNumber::parse("WHITE LABEL"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text::trim(text);
        let width = text.bytes().rev().take_while(u8::is_ascii_digit).count();
        if width == 0 || width > DIGITS_MAX {
            return None;
        }
        let (prefix, digits) = text.split_at(text.len() - width);
        Some(Self { prefix: prefix.to_owned(), number: digits.parse().ok()?, width })
    }

    /// Another number of the same series, written alike.
    pub fn at(&self, number: u32) -> String {
        let width = self.width;
        format!("{}{number:0width$}", self.prefix)
    }

    /// Which numbers are counted together: letters and digits of the prefix, whatever stands between them and their case.
    fn series(&self) -> String {
        folded(&self.prefix)
    }
}

/// Where a series was met first, and its numbers: how each is spelt and how many have it.
type Series = (usize, BTreeMap<u32, (CatalogNumber, usize)>);

/// What is to be told of the numbers of a catalogue, which come newest entry first.
///
/// ```
/// let told = rules::catalog_number::notices(["404-004", "404-002", "404 002", "404-001"]);
/// assert_eq!(told.next.as_deref(), Some("404-005"));
/// assert_eq!((told.repeated[0].catalog.as_str(), told.repeated[0].times), ("404-002", 2));
/// assert_eq!((told.gaps[0].first.as_str(), told.gaps[0].count), ("404-003", 1));
/// ```
pub fn notices<T: AsRef<str>>(catalog: impl IntoIterator<Item = T>) -> CatalogNotices {
    // Series → where it was met, and number → its first spelling and how often it is used.
    let mut series: HashMap<String, Series> = HashMap::new();
    let mut others: HashMap<String, (usize, String, usize)> = HashMap::new();
    for (place, text) in catalog.into_iter().enumerate() {
        let text = text::trim(text.as_ref());
        if text.is_empty() {
            continue;
        }
        if let Some(number) = CatalogNumber::parse(text) {
            let (_, numbers) = series.entry(number.series()).or_insert_with(|| (place, BTreeMap::new()));
            let (spelling, times) = numbers.entry(number.number).or_insert_with(|| (number.clone(), 0));
            *times += 1;
            // Of several spellings the one that is filled with noughts.
            if number.width > spelling.width {
                *spelling = number;
            }
        } else {
            others.entry(folded(text)).or_insert_with(|| (place, text.to_owned(), 0)).2 += 1;
        }
    }
    let mut series: Vec<_> = series.into_values().collect();
    series.sort_unstable_by_key(|(place, _)| *place);

    let mut told = CatalogNotices::default();
    let most = series.iter().map(|(_, numbers)| numbers.len()).max();
    let counted = series.iter().find(|(_, numbers)| Some(numbers.len()) == most);
    told.next = counted
        .and_then(|(_, numbers)| numbers.last_key_value())
        .map(|(number, (highest, _))| highest.at(number + 1))
        .filter(|next| !text::is_longer(next, CATALOG_MAX));

    for (_, numbers) in &series {
        let mut before: Option<&CatalogNumber> = None;
        for (number, times) in numbers.values() {
            if let Some(before) = before.filter(|before| number.number - before.number > 1) {
                told.gaps_total += 1;
                if told.gaps.len() < NOTICES_MAX {
                    let (first, last) = (before.number + 1, number.number - 1);
                    let count = last - before.number;
                    told.gaps.push(Gap { first: before.at(first), last: before.at(last), count });
                }
            }
            before = Some(number);
            if *times > 1 {
                told.repeat(number.at(number.number), *times);
            }
        }
    }
    let mut others: Vec<_> = others.into_values().filter(|(_, _, times)| *times > 1).collect();
    others.sort_unstable_by_key(|(place, ..)| *place);
    for (_, catalog, times) in others {
        told.repeat(catalog, times);
    }
    told
}

impl CatalogNotices {
    fn repeat(&mut self, catalog: String, times: usize) {
        self.repeated_total += 1;
        if self.repeated.len() < NOTICES_MAX {
            self.repeated.push(Repeated { catalog, times });
        }
    }
}

/// Whether two catalogue numbers are one: spelt alike, or the same number of the same series. Compared by this key.
///
/// ```
/// use rules::catalog_number::key;
/// assert_eq!(key("404-007"), key("404 7"));
/// assert_ne!(key("404-007"), key("405-007"));
/// ```
pub fn key(catalog: &str) -> String {
    match CatalogNumber::parse(catalog) {
        Some(number) => format!("{}#{}", number.series(), number.number),
        None => folded(catalog),
    }
}

/// Letters and digits in lower case; of a text without any, the text itself.
fn folded(text: &str) -> String {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if letters.is_empty() { text.trim().to_owned() } else { letters }
}
