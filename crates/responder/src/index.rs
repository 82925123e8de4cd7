//! What can be found by name, in memory: names as they are compared, beside the ids they stand for. Searching is in `search`,
//! keeping it while it is needed in `kept_index`.

use rules::sort_key::sort_key;
use uuid::Uuid;

/// Bytes of a name and of a number, as most are at most; longer ones make room for themselves.
const NAME_BYTES: usize = 24;
const NUMBER_BYTES: usize = 8;

/// The names of one kind in one piece of text, so that a hundred thousand of them are a few megabytes and no more.
#[derive(Debug, Default)]
struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    fn with_room(names: usize, bytes: usize) -> Self {
        Self { text: String::with_capacity(names * bytes), ends: Vec::with_capacity(names) }
    }

    /// Adds a folded name.
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

/// What can be found by name. Releases are found by title and by number.
#[derive(Debug, Default)]
pub struct Index {
    artist_ids: Vec<Uuid>,
    artists: Names,
    release_ids: Vec<Uuid>,
    titles: Names,
    numbers: Names,
}

impl Index {
    /// An empty one with room for so many: taken at once and exactly, so that growing leaves no holes behind.
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

    /// The artists, in the order in which they were added.
    pub fn artists(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.artist_ids.iter().copied().zip(self.artists.iter())
    }

    /// The releases with title and number, in the order in which they were added; a number that is missing is empty.
    pub fn releases(&self) -> impl Iterator<Item = (Uuid, &str, &str)> {
        let named = self.release_ids.iter().copied().zip(self.titles.iter());
        named.zip(self.numbers.iter()).map(|((id, title), number)| (id, title, number))
    }

    /// Whether there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.artist_ids.is_empty() && self.release_ids.is_empty()
    }

    /// How much memory it takes, roughly.
    pub fn bytes(&self) -> usize {
        let ids = (self.artist_ids.len() + self.release_ids.len()) * size_of::<Uuid>();
        ids + self.artists.bytes() + self.titles.bytes() + self.numbers.bytes()
    }
}

/// A folded name without the spaces between its words.
pub fn joined(folded: &str) -> String {
    folded.chars().filter(|c| *c != ' ').collect()
}

/// The number of a release: of the catalogue's own column, else of its description, as [`rules::catalog`] reads it.
pub fn number(catalog: Option<String>, label: String) -> Option<String> {
    catalog
        .filter(|catalog| !catalog.is_empty())
        .or_else(|| Some(label).filter(|label| label != rules::catalog::NONE))
}
