//! What a list is searched for; only the server asks.

use unicode_normalization::UnicodeNormalization;

use crate::{
    listing::SEARCH_MAX,
    messages::Code,
    sort_key::{is_accent, push_folded, sort_key},
    text::{self, is_ignorable, is_longer},
};

/// What is looked for, as it is compared with what is stored.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Search {
    /// Part of a title's or a name's sort key: case, accents and punctuation say nothing.
    pub name: String,
    /// Part of a catalogue number in lower case, as far as A to Z go; signs count there.
    pub catalog: String,
}

/// What was typed, without blanks around it; empty where nothing is searched for. Refuses more than 200 characters.
pub fn typed(search: &str) -> Result<&str, Code> {
    let search = text::trim(search);
    if is_longer(search, SEARCH_MAX) { Err(Code::InvalidSearch) } else { Ok(search) }
}

/// A text without its case and accents, signs and blanks as they are: texts that a reader calls alike contain one another by it.
///
/// ```
/// use rules::search::folded;
/// assert_eq!(folded("Ärger im ŁÓDŹ-Mix.wav"), "arger im lodz-mix.wav");
/// assert_eq!(folded("ΣΊΣΥΦΟΣ"), folded("σίσυφος"));
/// ```
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().flat_map(char::to_lowercase).filter(|c| !is_accent(*c) && !is_ignorable(*c)) {
        push_folded(&mut folded, c);
    }
    folded
}

/// What a row is looked for by: these texts of it, [folded], each on lines of its own. Never empty.
///
/// ```
/// use rules::search::{folded, search_key};
/// let key = search_key(&["Özgür", "ozgur@label.example", ""]);
/// assert!(key.contains(&folded("ÖZGÜR")) && key.contains(&folded("r@Label")));
/// ```
pub fn search_key(texts: &[&str]) -> String {
    texts.iter().flat_map(|text| ["\n".to_owned(), folded(text)]).collect()
}

/// What to look for among releases: what contains it is found. None where nothing was typed.
///
/// ```
/// use rules::search::release_search;
/// let search = release_search(" Über-404 ").unwrap().unwrap();
/// assert_eq!((search.name.as_str(), search.catalog.as_str()), ("uber404", "Über-404".to_ascii_lowercase().as_str()));
/// assert_eq!(release_search("  "), Ok(None));
/// ```
pub fn release_search(search: &str) -> Result<Option<Search>, Code> {
    let typed = typed(search)?;
    let found = Search { name: sort_key(typed), catalog: text::plain(typed).to_ascii_lowercase() };
    Ok((!typed.is_empty()).then_some(found))
}
