//! From a file's bytes to frames of sound.

use std::{
    io::ErrorKind,
    panic::{AssertUnwindSafe, catch_unwind},
};

use symphonia::{
    core::{
        codecs::audio::{AudioDecoder, AudioDecoderOptions},
        errors::Error,
        formats::{
            FormatOptions, FormatReader, TrackType,
            probe::{Hint, Probe},
        },
        io::{MediaSource, MediaSourceStream, MediaSourceStreamOptions},
        meta::MetadataOptions,
    },
    default::{formats, get_codecs, meta},
};

use crate::{
    allowance::{Allowance, Allowed},
    failure::Failure,
    meter::{self, Analysis, Meter, Names},
    riff::Riff,
    tags,
};

/// Decodes all of `source`, which is what `extension` (without the dot, in small letters) says, and measures it. `is_wanted` is asked
/// between packets, of which there are dozens a second of sound. Blocks, and keeps a core busy.
///
/// A file that has more than 10 MiB in front of its sound, or between two packets of it, ends as unreadable: memory is bounded by that.
///
/// A broken packet is skipped, as players do; a file that breaks off is what there is of it. Where a decoder panics over a broken file,
/// that is the file's failure and no more.
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
    let mut source = Riff::new(source);
    let of_wave = if extension == "wav" { source.names().map_err(Failure::Disk)? } else { Names::default() };
    let allowance = Allowance::new();
    let source = Allowed::new(source, allowance.clone());
    let stream = MediaSourceStream::new(Box::new(source), MediaSourceStreamOptions::default());
    let mut format = probe(extension)
        .probe(&Hint::new(), stream, FormatOptions::default(), MetadataOptions::default())
        .map_err(failure)?;
    let (track, mut decoder, bits) = decoder(&*format)?;
    let mut meter: Option<Meter> = None;
    let mut planes = Vec::new();
    loop {
        if !is_wanted() {
            return Err(Failure::Stopped);
        }
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(error) => match failure(error) {
                Failure::Disk(error) => return Err(Failure::Disk(error)),
                _ => break,
            },
        };
        if packet.track_id != track {
            continue;
        }
        allowance.renew();
        let sound = match decoder.decode(&packet) {
            Ok(sound) => sound,
            Err(Error::DecodeError(_) | Error::IoError(_)) => continue,
            Err(error) => return Err(failure(error)),
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
        let planes: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
        meter.add(&planes)?;
    }
    let found = meter.ok_or(Failure::Empty)?.finish()?;
    Ok(Analysis { names: tags::names(format.metadata()).or(of_wave), ..found })
}

/// What knows one kind of file: what looks for any kind finds a song in the noise of a recording.
fn probe(extension: &str) -> Probe {
    let mut probe = Probe::default();
    match extension {
        "flac" => probe.register_format::<formats::FlacReader<'_>>(),
        "m4a" => probe.register_format::<formats::IsoMp4Reader<'_>>(),
        "mp3" => probe.register_format::<formats::MpaReader<'_>>(),
        "wav" => probe.register_format::<formats::WavReader<'_>>(),
        _ => {}
    }
    probe.register_metadata::<meta::ApeReader<'_>>();
    probe.register_metadata::<meta::Id3v1Reader<'_>>();
    probe.register_metadata::<meta::Id3v2Reader<'_>>();
    probe
}

/// The number of the first track of sound, what decodes it, and the bits of its samples where they are whole numbers.
type Found = (u32, Box<dyn AudioDecoder>, Option<u32>);

fn decoder(format: &dyn FormatReader) -> Result<Found, Failure> {
    let none = || Failure::Unreadable("no track of sound".to_owned());
    let track = format.default_track(TrackType::Audio).ok_or_else(none)?;
    let parameters = track.codec_params.as_ref().and_then(|found| found.audio()).ok_or_else(none)?;
    // A decoder makes room for a packet of what the file claims, before it reads one.
    if let Some(channels) = &parameters.channels {
        let channels = u32::try_from(channels.count()).unwrap_or(u32::MAX);
        meter::check(parameters.sample_rate.unwrap_or(1), channels)?;
    }
    let decoder =
        get_codecs().make_audio_decoder(parameters, &AudioDecoderOptions::default()).map_err(failure)?;
    Ok((track.id, decoder, parameters.bits_per_sample))
}

fn failure(error: Error) -> Failure {
    match error {
        Error::IoError(error)
            if !matches!(
                error.kind(),
                ErrorKind::UnexpectedEof
                    | ErrorKind::InvalidData
                    | ErrorKind::InvalidInput
                    | ErrorKind::Other
            ) =>
        {
            Failure::Disk(error)
        }
        Error::ResetRequired => Failure::Changing,
        error => Failure::Unreadable(error.to_string()),
    }
}
