//! Catalogue numbers as series: a prefix, a number, and its number of digits.
//!
//! Numbers are never refused here: the next free one is suggested, and duplicates and gaps are reported. Used by the server
//! only.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::release::CATALOG_MAX;
use crate::text;

/// Maximum number of notices of one kind.
pub const NOTICES_MAX: usize = 50;

/// Longer digit sequences are bar codes or telephone numbers.
const DIGITS_MAX: usize = 9;

/// A catalogue number that belongs to a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CatalogNumber {
    /// Text before the trailing digits, as typed.
    pub prefix: String,
    /// The trailing digits as a number.
    pub number: u32,
    /// Number of trailing digits.
    pub width: usize,
}

/// Notices about the numbers of a catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogNumbers))]
pub struct CatalogNotices {
    /// Next free number of the series with the most numbers, if there is any.
    pub next: Option<String>,
    /// Numbers shared by several releases, at most [`NOTICES_MAX`].
    pub repeated: Vec<Repeated>,
    /// Number of all shared numbers.
    pub repeated_total: usize,
    /// Unused numbers between used ones, at most [`NOTICES_MAX`] spans.
    pub gaps: Vec<Gap>,
    /// Number of all such spans.
    pub gaps_total: usize,
}

/// A number shared by several releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RepeatedNumber))]
pub struct Repeated {
    /// First spelling with the most digits.
    pub catalog: String,
    /// Number of releases that share it.
    pub times: usize,
    /// Each spelling once, whatever its case, the newest entry's first.
    pub spellings: Vec<String>,
}

/// A span of unused numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NumberGap))]
pub struct Gap {
    /// First unused number.
    pub first: String,
    /// Last unused number; equals `first` for a single one.
    pub last: String,
    /// Number of unused numbers.
    pub count: u32,
}

impl CatalogNumber {
    /// Parses a number that ends in 1 to 9 digits; anything else does not belong to a series.
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

    /// Writes another number of the same series in the same format.
    pub fn at(&self, number: u32) -> String {
        let width = self.width;
        format!("{}{number:0width$}", self.prefix)
    }

    /// Key of the series: letters and digits of the prefix, ignoring case and punctuation.
    fn series(&self) -> String {
        folded(&self.prefix)
    }
}

/// Order of first appearance, and for each number its spelling with the most digits, and the text of each release.
type Series = (usize, BTreeMap<u32, (CatalogNumber, Vec<String>)>);

/// Notices about the numbers of a catalogue, given newest entry first.
///
/// ```
/// let found = rules::catalog_number::notices(["404-004", "404-002", "404 002", "404-001"]);
/// assert_eq!(found.next.as_deref(), Some("404-005"));
/// assert_eq!((found.repeated[0].catalog.as_str(), found.repeated[0].times), ("404-002", 2));
/// assert_eq!(found.repeated[0].spellings, ["404-002", "404 002"]);
/// assert_eq!((found.gaps[0].first.as_str(), found.gaps[0].count), ("404-003", 1));
/// ```
pub fn notices<T: AsRef<str>>(catalog: impl IntoIterator<Item = T>) -> CatalogNotices {
    let mut series: HashMap<String, Series> = HashMap::new();
    let mut others: HashMap<String, (usize, Vec<String>)> = HashMap::new();
    for (place, text) in catalog.into_iter().enumerate() {
        let text = text::trim(text.as_ref());
        if text.is_empty() {
            continue;
        }
        if let Some(number) = CatalogNumber::parse(text) {
            let (_, numbers) = series.entry(number.series()).or_insert_with(|| (place, BTreeMap::new()));
            let (spelling, texts) =
                numbers.entry(number.number).or_insert_with(|| (number.clone(), Vec::new()));
            texts.push(text.to_owned());
            // Keeps the spelling padded with zeros.
            if number.width > spelling.width {
                *spelling = number;
            }
        } else {
            others.entry(folded(text)).or_insert_with(|| (place, Vec::new())).1.push(text.to_owned());
        }
    }
    let mut series: Vec<_> = series.into_values().collect();
    series.sort_unstable_by_key(|(place, _)| *place);

    let mut notices = CatalogNotices::default();
    let most = series.iter().map(|(_, numbers)| numbers.len()).max();
    let counted = series.iter().find(|(_, numbers)| Some(numbers.len()) == most);
    notices.next = counted
        .and_then(|(_, numbers)| numbers.last_key_value())
        .map(|(number, (highest, _))| highest.at(number + 1))
        .filter(|next| !text::is_longer(next, CATALOG_MAX));

    for (_, numbers) in &series {
        let mut before: Option<&CatalogNumber> = None;
        for (number, texts) in numbers.values() {
            if let Some(before) = before.filter(|before| number.number - before.number > 1) {
                notices.gaps_total += 1;
                if notices.gaps.len() < NOTICES_MAX {
                    let (first, last) = (before.number + 1, number.number - 1);
                    let count = last - before.number;
                    notices.gaps.push(Gap { first: before.at(first), last: before.at(last), count });
                }
            }
            before = Some(number);
            notices.count(number.at(number.number), texts);
        }
    }
    let mut others: Vec<_> = others.into_values().collect();
    others.sort_unstable_by_key(|(place, _)| *place);
    for (_, texts) in others {
        notices.count(texts.first().cloned().unwrap_or_default(), &texts);
    }
    notices
}

impl CatalogNotices {
    fn count(&mut self, catalog: String, texts: &[String]) {
        if texts.len() < 2 {
            return;
        }
        self.repeated_total += 1;
        if self.repeated.len() < NOTICES_MAX {
            let mut spellings: Vec<String> = Vec::new();
            for text in texts {
                if !spellings.iter().any(|spelling| spelling.eq_ignore_ascii_case(text)) {
                    spellings.push(text.clone());
                }
            }
            self.repeated.push(Repeated { catalog, times: texts.len(), spellings });
        }
    }
}

/// Letters of the prefix of a label's first number.
const INITIALS: usize = 4;
/// Letters of the prefix if the name is one word.
const OF_ONE_WORD: usize = 3;

/// The number proposed to a label without any: the initials of its name, or a number that the name begins with.
///
/// ```
/// use rules::catalog_number::first_number;
/// assert_eq!(first_number("Null Port Label"), "NPL-001");
/// assert_eq!(first_number("404 COLLECTIVE"), "404-001");
/// ```
pub fn first_number(label_name: &str) -> String {
    let words: Vec<Vec<char>> = label_name
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<Vec<_>>())
        .filter(|word| !word.is_empty())
        .collect();
    let letters: Vec<char> = match words.as_slice() {
        [first, ..] if first[0].is_ascii_digit() => first.iter().copied().take(INITIALS).collect(),
        [only] => only.iter().copied().take(OF_ONE_WORD).collect(),
        words => words.iter().map(|word| word[0]).take(INITIALS).collect(),
    };
    let prefix: String = letters.into_iter().flat_map(char::to_uppercase).collect();
    if prefix.is_empty() { "001".to_owned() } else { format!("{prefix}-001") }
}

/// Key under which two catalogue numbers are equal: the same spelling, or the same number of the same series.
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

/// Letters and digits in lower case; a text without any is returned as it is.
fn folded(text: &str) -> String {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if letters.is_empty() { text.trim().to_owned() } else { letters }
}
