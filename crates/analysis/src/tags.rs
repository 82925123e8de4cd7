//! What a file's tags call it.

use symphonia::core::meta::{Metadata, MetadataContainer, StandardTag};

use crate::meter::{NAME_CHARACTERS, Names};

/// The names of what was read so far. Where several tags give one, the one that was read last has it: readers begin with the old tags
/// at the end of a file, which cut names short.
pub(crate) fn names(mut metadata: Metadata<'_>) -> Names {
    let mut names = Names::default();
    loop {
        if let Some(revision) = metadata.current() {
            for track in &revision.per_track {
                names.read(&track.metadata);
            }
            names.read(&revision.media);
        }
        if metadata.pop().is_none() {
            return names;
        }
    }
}

impl Names {
    /// These, and where they are silent the other ones.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { title: self.title.or(other.title), album: self.album.or(other.album) }
    }

    fn read(&mut self, tags: &MetadataContainer) {
        let (mut title, mut album) = (None, None);
        for tag in &tags.tags {
            match &tag.std {
                Some(StandardTag::TrackTitle(name)) => title.get_or_insert_with(|| cut(name)),
                Some(StandardTag::Album(name)) => album.get_or_insert_with(|| cut(name)),
                _ => continue,
            };
        }
        self.title = title.or(self.title.take());
        self.album = album.or(self.album.take());
    }
}

/// A name as bytes, which ends at the first NUL.
pub(crate) fn text(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    // No character has more than four, so that none is cut in two among those that are kept.
    cut(&String::from_utf8_lossy(text.get(..4 * NAME_CHARACTERS).unwrap_or(text)))
}

fn cut(name: &str) -> String {
    name.chars().take(NAME_CHARACTERS).collect()
}
