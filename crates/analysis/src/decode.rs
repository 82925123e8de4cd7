//! From a file's bytes to frames of sound.

use std::{
    io::{self, ErrorKind},
    panic::{AssertUnwindSafe, catch_unwind},
};

use deadwax_audio::{Layout, Source};
use symphonia::core::{errors::Error, io::MediaSource};

use crate::{
    bytes::{Bytes, HEAD},
    failure::Failure,
    meter::{Analysis, Meter, NAME_CHARACTERS, Names},
    packets,
};

/// Decodes all of `source`, of type `extension` (lower case, no dot), and measures it. Blocks, and keeps a core busy; calls
/// `is_wanted` between packets, dozens of times per second of sound.
///
/// Memory does not grow with the file: of everything but sound, only the names are kept.
///
/// Skips broken packets, as players do, and measures as much as a truncated file has. A panic of a decoder is a failure of the file.
pub fn analyse(
    source: Box<dyn MediaSource + '_>,
    extension: &str,
    is_wanted: &mut dyn FnMut() -> bool,
) -> Result<Analysis, Failure> {
    // Nothing that the decoder had a hand on is used again.
    catch_unwind(AssertUnwindSafe(|| decode(source, extension, is_wanted)))
        .unwrap_or_else(|_| Err(Failure::Unreadable("a decoder panicked".to_owned())))
}

fn decode(
    source: Box<dyn MediaSource + '_>,
    extension: &str,
    is_wanted: &mut dyn FnMut() -> bool,
) -> Result<Analysis, Failure> {
    let bytes = Bytes::new(source).map_err(|error| Failure::of(Error::IoError(error)))?;
    let file = Source::new(&bytes, bytes.length());
    let unread = |error| Failure::of(Error::IoError(error));
    // MPEG-4 is read at several places at once.
    let layout = if extension == "m4a" && !bytes.is_seekable() {
        None
    } else {
        deadwax_audio::layout(&file, extension).map_err(unread)?
    };
    let layout = layout.ok_or_else(|| Failure::Unreadable("no track of sound".to_owned()))?;
    let names = names(&bytes, &file, &layout).map_err(unread)?;
    let (mut packets, mut decoder, bits) = packets::open(&bytes, layout)?;
    let mut meter: Option<Meter> = None;
    let mut planes = Vec::new();
    loop {
        if !is_wanted() {
            return Err(Failure::Stopped);
        }
        let packet = match packets.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(error) => match Failure::of(error) {
                Failure::Disk(error) => return Err(Failure::Disk(error)),
                _ => break,
            },
        };
        let sound = match decoder.decode(&packet) {
            Ok(sound) => sound,
            Err(Error::DecodeError(_) | Error::IoError(_)) => continue,
            Err(error) => return Err(Failure::of(error)),
        };
        if sound.is_empty() {
            continue;
        }
        let spec = sound.spec();
        let (rate, channels) = (spec.rate(), u32::try_from(sound.num_planes()).unwrap_or(u32::MAX));
        let meter = match &mut meter {
            Some(meter) if meter.is_for(rate, channels) => meter,
            Some(_) => return Err(Failure::Changing),
            None => meter.insert(Meter::new(rate, channels, bits)?),
        };
        sound.copy_to_vecs_planar::<f32>(&mut planes);
        meter.add(&mut planes)?;
    }
    let found = meter.ok_or(Failure::Empty)?.finish()?;
    Ok(Analysis { names, ..found })
}

/// Title and album from the file's tags, cut to [`NAME_CHARACTERS`]. Without seeking, only tags in its beginning are read.
fn names(bytes: &Bytes<'_>, file: &Source<'_>, layout: &Layout<'_>) -> io::Result<Names> {
    let head = Source::new(bytes, HEAD as u64);
    let found = match deadwax_audio::names(if bytes.is_seekable() { file } else { &head }, layout) {
        Err(error) if error.kind() == ErrorKind::Unsupported => Names::default(),
        found => found?,
    };
    let cut = |name: String| name.chars().take(NAME_CHARACTERS).collect();
    Ok(Names { title: found.title.map(cut), album: found.album.map(cut) })
}
