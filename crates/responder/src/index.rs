//! The names that can be found, in memory: folded for comparison, with their ids.

use rules::{sort_key::sort_key, terminal_question::Kind};
use uuid::Uuid;

/// A match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Whether an artist or a release.
    pub kind: Kind,
    /// Its id.
    pub id: Uuid,
}

/// The searchable names. Releases are found by title and by number.
#[derive(Debug, Default)]
pub struct Index(Vec<(Hit, Box<str>, Box<str>)>);

impl Index {
    /// Adds an artist or a release; its number may be missing.
    pub fn add(&mut self, hit: Hit, name: &str, number: Option<&str>) {
        let number = number.map(|number| joined(&sort_key(number))).unwrap_or_default();
        self.0.push((hit, sort_key(name).into(), number.into()));
    }

    /// Each name with its number (empty if missing), in insertion order.
    pub fn names(&self) -> impl Iterator<Item = (Hit, &str, &str)> {
        self.0.iter().map(|(hit, name, number)| (*hit, &**name, &**number))
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A folded name without the spaces between its words.
pub fn joined(folded: &str) -> String {
    folded.chars().filter(|c| *c != ' ').collect()
}

/// The number of a release: from the catalogue's column, else from its description ([`rules::catalog`]).
pub fn number(catalog: Option<String>, label: String) -> Option<String> {
    catalog
        .filter(|catalog| !catalog.is_empty())
        .or_else(|| Some(label).filter(|label| label != rules::catalog::NONE))
}
