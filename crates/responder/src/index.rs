//! The names that can be found, in memory: folded for comparison, with their ids.

use rules::sort_key::sort_key;
use uuid::Uuid;

/// Bytes to reserve for a name and for a number; longer ones grow the buffer.
const NAME_BYTES: usize = 24;
const NUMBER_BYTES: usize = 8;

/// The names of one kind in a single string, so that a hundred thousand of them take a few megabytes.
#[derive(Debug, Default)]
struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    fn with_room(names: usize, bytes: usize) -> Self {
        Self { text: String::with_capacity(names * bytes), ends: Vec::with_capacity(names) }
    }

    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let end = usize::try_from(*end).unwrap_or(usize::MAX);
            let name = self.text.get(start..end).unwrap_or_default();
            start = end;
            name
        })
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<u32>()
    }
}

/// The searchable names. Releases are found by title and by number.
#[derive(Debug, Default)]
pub struct Index {
    artist_ids: Vec<Uuid>,
    artists: Names,
    release_ids: Vec<Uuid>,
    titles: Names,
    numbers: Names,
}

impl Index {
    /// An empty index with exact capacity, so that growing leaves no gaps in memory.
    pub fn with_room(artists: i64, releases: i64) -> Self {
        let (artists, releases) =
            (usize::try_from(artists).unwrap_or(0), usize::try_from(releases).unwrap_or(0));
        Self {
            artist_ids: Vec::with_capacity(artists),
            artists: Names::with_room(artists, NAME_BYTES),
            release_ids: Vec::with_capacity(releases),
            titles: Names::with_room(releases, NAME_BYTES),
            numbers: Names::with_room(releases, NUMBER_BYTES),
        }
    }

    /// Adds an artist.
    pub fn add_artist(&mut self, id: Uuid, name: &str) {
        self.artist_ids.push(id);
        self.artists.push(&sort_key(name));
    }

    /// Adds a release; its number may be missing.
    pub fn add_release(&mut self, id: Uuid, title: &str, number: Option<&str>) {
        self.release_ids.push(id);
        self.titles.push(&sort_key(title));
        self.numbers.push(&number.map(|number| joined(&sort_key(number))).unwrap_or_default());
    }

    /// The artists, in insertion order.
    pub fn artists(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.artist_ids.iter().copied().zip(self.artists.iter())
    }

    /// The releases with title and number (empty if missing), in insertion order.
    pub fn releases(&self) -> impl Iterator<Item = (Uuid, &str, &str)> {
        let named = self.release_ids.iter().copied().zip(self.titles.iter());
        named.zip(self.numbers.iter()).map(|((id, title), number)| (id, title, number))
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.artist_ids.is_empty() && self.release_ids.is_empty()
    }

    /// Approximate memory use.
    pub fn bytes(&self) -> usize {
        let ids = (self.artist_ids.len() + self.release_ids.len()) * size_of::<Uuid>();
        ids + self.artists.bytes() + self.titles.bytes() + self.numbers.bytes()
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
