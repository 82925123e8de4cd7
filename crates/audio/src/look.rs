//! Judges a file that arrives in pieces: a browser reads the requested bytes, then looks again.

use std::{
    io::{self, ErrorKind},
    ops::Range,
};

use rules::demo::DemoError;

use crate::{
    content::{Content, check, describe},
    pieces::Pieces,
    source::Source,
    tracks::Listening,
};

/// Read of a file, at most: the beginnings of an archive's tracks and the way to them, and as much again.
pub const LOOK_MOST_BYTES: u64 = 32 * 1024 * 1024;
/// The most requests for bytes: in an archive, two for each of its files.
pub const LOOK_MOST_ROUNDS: u32 = 2000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Nothing before these bytes are here.
    Missing(Range<u64>),
    /// That it is refused, as [`check`] does.
    Refused(DemoError),
    /// That it is taken, and what [`describe`](crate::describe()) says of it.
    Right(Option<Content>),
    /// Nothing, for good: it was not read as asked, or would take more than is read here to be judged.
    Nothing,
}

/// [`check`] and [`describe`](crate::describe()) for a file whose bytes are still to be read. Remembers its findings.
///
/// ```
/// use deadwax_audio::{Known, Look};
/// let mut look = Look::new("set.wav", 15);
/// assert_eq!(look.go_on(), Known::Missing(0..15));
/// look.take(b"<!doctype html>".to_vec());
/// assert_eq!(look.go_on(), Known::Refused(rules::demo::DemoError::Content));
/// ```
#[derive(Debug)]
pub struct Look {
    extension: String,
    pieces: Pieces,
    stage: Stage,
    rounds: u32,
}

#[derive(Debug)]
enum Stage {
    Judging,
    Describing,
    Listening(Listening),
    Done(Known),
}

impl Look {
    /// At a file of so many bytes, whose extension is what follows the last dot of its name.
    pub fn new(name: &str, length: u64) -> Self {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        Self {
            extension: extension.to_ascii_lowercase(),
            pieces: Pieces::of(length),
            stage: Stage::Judging,
            rounds: 0,
        }
    }

    /// Takes the bytes that were missing; fewer or more end the look, since then the file is not the one that was chosen.
    pub fn take(&mut self, bytes: Vec<u8>) {
        self.rounds += 1;
        if !self.pieces.take(bytes) {
            self.stage = Stage::Done(Known::Nothing);
        } else if self.rounds >= LOOK_MOST_ROUNDS || self.pieces.read() >= LOOK_MOST_BYTES {
            self.stage = Stage::Done(match std::mem::replace(&mut self.stage, Stage::Judging) {
                Stage::Judging => Known::Nothing,
                Stage::Describing => Known::Right(None),
                Stage::Listening(listening) => Known::Right(Some(Content::Archive(listening.so_far()))),
                Stage::Done(known) => known,
            });
        }
    }

    /// Judges with the bytes read so far.
    pub fn go_on(&mut self) -> Known {
        loop {
            if let Stage::Done(known) = &self.stage {
                return known.clone();
            }
            match self.next() {
                Ok(stage) => self.stage = stage,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Known::Missing(self.pieces.asked());
                }
                Err(_) => self.stage = Stage::Done(Known::Nothing),
            }
        }
    }

    fn next(&mut self) -> io::Result<Stage> {
        let source = Source::new(&self.pieces, self.pieces.length());
        Ok(match &mut self.stage {
            Stage::Judging => match check(&source, &self.extension)? {
                Ok(()) => Stage::Describing,
                Err(refusal) => Stage::Done(Known::Refused(refusal)),
            },
            Stage::Describing if self.extension == "zip" => match Listening::begin(&source)? {
                Some(listening) => Stage::Listening(listening),
                None => Stage::Done(Known::Right(None)),
            },
            Stage::Describing => Stage::Done(Known::Right(describe(&source, &self.extension)?)),
            Stage::Listening(listening) => {
                let tracks = listening.finish(&source)?;
                Stage::Done(Known::Right(Some(Content::Archive(tracks))))
            }
            Stage::Done(known) => Stage::Done(known.clone()),
        })
    }
}
