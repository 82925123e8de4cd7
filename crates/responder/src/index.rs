//! The names that can be found, in memory: folded for comparison, with their ids.

use rules::sort_key::sort_key;
use uuid::Uuid;

/// The searchable names. Releases are found by title and by number.
#[derive(Debug, Default)]
pub struct Index {
    artists: Vec<(Uuid, Box<str>)>,
    releases: Vec<(Uuid, Box<str>, Box<str>)>,
}

impl Index {
    /// Adds an artist.
    pub fn add_artist(&mut self, id: Uuid, name: &str) {
        self.artists.push((id, sort_key(name).into()));
    }

    /// Adds a release; its number may be missing.
    pub fn add_release(&mut self, id: Uuid, title: &str, number: Option<&str>) {
        let number = number.map(|number| joined(&sort_key(number))).unwrap_or_default();
        self.releases.push((id, sort_key(title).into(), number.into()));
    }

    /// The artists, in insertion order.
    pub fn artists(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.artists.iter().map(|(id, name)| (*id, &**name))
    }

    /// The releases with title and number (empty if missing), in insertion order.
    pub fn releases(&self) -> impl Iterator<Item = (Uuid, &str, &str)> {
        self.releases.iter().map(|(id, title, number)| (*id, &**title, &**number))
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.artists.is_empty() && self.releases.is_empty()
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
