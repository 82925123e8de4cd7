//! Draws many prints at once, each in its two sizes.

use std::sync::atomic::{AtomicUsize, Ordering};

use sample_art::{self as art, encode};

/// Width and height of a print.
pub(super) const FULL: u32 = 1000;
/// Width and height of its small version.
const SMALL: u32 = rules::image::SMALL_WIDTH;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// The sleeve of a catalogue number.
    Cover(&'static str),
    /// The portrait of a name.
    Portrait(&'static str),
}

/// A drawn print, packed.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) full: Vec<u8>,
    pub(super) small: Vec<u8>,
}

impl Subject {
    fn draw(self) -> Result<Picture, encode::EncodeError> {
        let print = |size| match self {
            Self::Cover(catalog) => encode::png(&art::cover(catalog, size)),
            Self::Portrait(name) => encode::png(&art::portrait(name, size)),
        };
        Ok(Picture { full: print(FULL)?, small: print(SMALL)? })
    }
}

/// Draws all subjects on all cores; the answer has their order. Blocks for a second or two.
pub(super) fn draw_all(subjects: &[Subject]) -> Result<Vec<Picture>, encode::EncodeError> {
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut drawn = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(subject) = subjects.get(place) else { return Ok::<_, encode::EncodeError>(drawn) };
            drawn.push((place, subject.draw()?));
        }
    };
    let mut drawn = Vec::with_capacity(subjects.len());
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        drawn.extend(work()?);
        for helper in helpers {
            match helper.join() {
                Ok(share) => drawn.extend(share?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok::<_, encode::EncodeError>(())
    })?;
    drawn.sort_unstable_by_key(|(place, _)| *place);
    Ok(drawn.into_iter().map(|(_, picture)| picture).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_come_in_the_order_of_their_subjects_and_are_light() {
        let subjects = [Subject::Cover("404-001"), Subject::Portrait("alva"), Subject::Cover("404-006")];
        let drawn = draw_all(&subjects).unwrap();
        assert_eq!(drawn.len(), 3);
        for (subject, picture) in subjects.into_iter().zip(&drawn) {
            let alone = subject.draw().unwrap();
            assert!(alone.full == picture.full && alone.small == picture.small, "{subject:?}");
            assert!(picture.full.len() <= 250_000, "{subject:?}: {}", picture.full.len());
            assert!(picture.small.len() <= 80_000, "{subject:?}: {}", picture.small.len());
        }
    }
}
