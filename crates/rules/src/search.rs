//! Search terms of lists. Used by the server only.

use unicode_normalization::UnicodeNormalization;

use crate::{
    listing::SEARCH_MAX,
    messages::Code,
    sort_key::{is_accent, push_folded, sort_key},
    text::{self, is_ignorable, is_longer},
};

/// A search for releases, in the form of the stored keys.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Search {
    /// Part of a sort key of a title or name: ignores case, accents and punctuation.
    pub name: String,
    /// Part of a catalogue number, in ASCII lower case; punctuation counts.
    pub catalog: String,
}

/// The trimmed search, possibly empty. Refuses more than 200 characters.
pub fn typed(search: &str) -> Result<&str, Code> {
    let search = text::trim(search);
    if is_longer(search, SEARCH_MAX) { Err(Code::InvalidSearch) } else { Ok(search) }
}

/// Folds a text to lower case without accents, keeping punctuation and spaces, so that texts a reader considers equal match.
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

/// Search key of a row: the [folded] texts, each on separate lines. Never empty.
///
/// ```
/// use rules::search::{folded, search_key};
/// let key = search_key(&["Özgür", "ozgur@label.example", ""]);
/// assert!(key.contains(&folded("ÖZGÜR")) && key.contains(&folded("r@Label")));
/// ```
pub fn search_key(texts: &[&str]) -> String {
    texts.iter().flat_map(|text| ["\n".to_owned(), folded(text)]).collect()
}

/// Parses a search for releases that contain it; `None` if it is empty.
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
