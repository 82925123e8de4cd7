//! What a list is searched for; only the server asks.

use crate::{listing::SEARCH_MAX, messages::Code, sort_key::sort_key, text::is_longer};

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
    let search = search.trim();
    if is_longer(search, SEARCH_MAX) { Err(Code::InvalidSearch) } else { Ok(search) }
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
    let found = Search { name: sort_key(typed), catalog: typed.to_ascii_lowercase() };
    Ok((!typed.is_empty()).then_some(found))
}
