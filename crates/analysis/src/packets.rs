//! Packets of sound, and what decodes them.
//!
//! Where the sound lies in a file is found by `deadwax_audio`, which keeps nothing of what is around it: the readers of the decoder's
//! library are given a beginning with the format alone, and then the sound. They would put tables, texts and pictures into memory, and
//! make many times their bytes of them.

use std::{
    io::{self, Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use deadwax_audio::{Codec, Layout, Mp4Track, Packets as Mp4Packets, RangeReader};
use symphonia::{
    core::{
        codecs::audio::{
            AudioCodecParameters, AudioDecoder, AudioDecoderOptions,
            well_known::{CODEC_ID_AAC, CODEC_ID_ALAC, CODEC_ID_MP3},
        },
        errors::{Error, Result as Decoded},
        formats::{FormatOptions, FormatReader, TrackType},
        io::{MediaSourceStream, MediaSourceStreamOptions, ReadOnlySource},
        packet::Packet,
        units::{Duration, Timestamp},
    },
    default::{formats, get_codecs},
};

use crate::{bytes::Bytes, failure::Failure, meter};

/// Bytes that may be read before there is some sound: a tag with a cover of full size fits in, between two songs that were joined. A
/// decoder looks for the next packet to the end of the file otherwise.
const ALLOWED: u64 = 10 * 1024 * 1024;
/// Packets that may lie behind the end which an MP3 file declares: padding. Further on, the declaration is wrong.
const PADDING_PACKETS: u64 = 4;
/// Samples of a packet of MP3, at most.
const SAMPLES: u64 = 1152;

/// Where packets come from.
enum Reader<'a> {
    Library(Box<dyn FormatReader + 'a>, Arc<AtomicU64>),
    Mp4(Box<Mp4Packets<'a>>),
}

pub(crate) struct Packets<'a> {
    reader: Reader<'a>,
    /// The samples that an MP3 file declares.
    declared: Option<u64>,
}

/// Bits per sample are given for integer formats only.
pub(crate) type Opened<'a> = (Packets<'a>, Box<dyn AudioDecoder>, Option<u32>);

/// Opens the sound that lies like that in a file.
pub(crate) fn open<'a>(bytes: &'a Bytes<'_>, layout: Layout<'a>) -> Result<Opened<'a>, Failure> {
    let part = |head: Vec<u8>, at: u64, end: u64| Cursor::new(head).chain(RangeReader::new(bytes, at..end));
    match layout {
        Layout::Wave(wave) => library(part(wave.plain_head(), wave.sound.start, wave.sound.end), |stream| {
            Ok(Box::new(formats::WavReader::try_new(stream, FormatOptions::default())?))
        }),
        Layout::Flac(flac) => library(part(flac.plain_head(), flac.frames, u64::MAX), |stream| {
            Ok(Box::new(formats::FlacReader::try_new(stream, FormatOptions::default())?))
        }),
        Layout::Mp3(frames) => library(part(Vec::new(), frames, u64::MAX), |stream| {
            Ok(Box::new(formats::MpaReader::try_new(stream, FormatOptions::default())?))
        }),
        Layout::Mp4(track) => mp4(*track),
    }
}

fn library<'a>(
    part: impl Read + Send + Sync + 'a,
    reader: impl FnOnce(MediaSourceStream<'a>) -> Decoded<Box<dyn FormatReader + 'a>>,
) -> Result<Opened<'a>, Failure> {
    let left = Arc::new(AtomicU64::new(ALLOWED));
    let source = Box::new(ReadOnlySource::new(Allowed { inner: part, left: Arc::clone(&left) }));
    let format =
        reader(MediaSourceStream::new(source, MediaSourceStreamOptions::default())).map_err(Failure::of)?;
    let none = || Failure::Unreadable("no track of sound".to_owned());
    let track = format.default_track(TrackType::Audio).ok_or_else(none)?;
    let parameters = track.codec_params.as_ref().and_then(|found| found.audio()).ok_or_else(none)?;
    let bits = parameters.bits_per_sample;
    let is_mp3 = parameters.codec == CODEC_ID_MP3;
    let declared = track.num_frames.filter(|_| is_mp3);
    let decoder = decoder(parameters)?;
    Ok((Packets { reader: Reader::Library(format, left), declared }, decoder, bits))
}

fn mp4(track: Mp4Track<'_>) -> Result<Opened<'_>, Failure> {
    let mut parameters = AudioCodecParameters::new();
    parameters.with_sample_rate(track.sound.sample_rate).for_codec(match track.sound.codec {
        Codec::Alac => CODEC_ID_ALAC,
        Codec::Mp3 => CODEC_ID_MP3,
        _ => CODEC_ID_AAC,
    });
    let settings =
        if track.sound.codec == Codec::Aac { core_settings(&track.settings) } else { track.settings };
    if !settings.is_empty() {
        parameters.with_extra_data(settings.into_boxed_slice());
    }
    let decoder = decoder(&parameters)?;
    let packets = Packets { reader: Reader::Mp4(Box::new(track.packets)), declared: None };
    Ok((packets, decoder, track.sound.bits.map(u32::from)))
}

/// The settings of AAC (ISO/IEC 14496-3, 1.6.2.1) without spectral band replication, which the library refuses to decode: of HE-AAC it
/// decodes the core, at half the rate.
fn core_settings(settings: &[u8]) -> Vec<u8> {
    const LOW_COMPLEXITY: u16 = 2;
    let Some((&first, _)) = settings.split_first_chunk::<2>() else { return settings.to_vec() };
    let bits = u16::from_be_bytes(first);
    match (bits >> 11, bits >> 7 & 15) {
        (LOW_COMPLEXITY, 0..15) => first.to_vec(),
        (5 | 29, 0..15) => (LOW_COMPLEXITY << 11 | bits & 0x7f8).to_be_bytes().to_vec(),
        _ => settings.to_vec(),
    }
}

fn decoder(parameters: &AudioCodecParameters) -> Result<Box<dyn AudioDecoder>, Failure> {
    // A decoder makes room for a packet of what the file claims, before it reads one.
    if let Some(channels) = &parameters.channels {
        let channels = u32::try_from(channels.count()).unwrap_or(u32::MAX);
        meter::check(parameters.sample_rate.unwrap_or(1), channels)?;
    }
    get_codecs().make_audio_decoder(parameters, &AudioDecoderOptions::default()).map_err(Failure::of)
}

impl Packets<'_> {
    pub(crate) fn next_packet(&mut self) -> Decoded<Option<Packet>> {
        let (format, left) = match &mut self.reader {
            Reader::Library(format, left) => (format, left),
            Reader::Mp4(packets) => {
                let packet = packets.next_packet().map_err(Error::IoError)?;
                return Ok(packet.map(|data| Packet::new(0, Timestamp::ZERO, Duration::ZERO, data)));
            }
        };
        let Some(mut packet) = format.next_packet()? else { return Ok(None) };
        left.store(ALLOWED, Ordering::Relaxed);
        // Files that were joined declare what the first of them had.
        if let (Some(declared), Ok(at)) = (self.declared, u64::try_from(packet.pts.get()))
            && at > declared.saturating_add(PADDING_PACKETS * SAMPLES)
        {
            packet.trim_end = Duration::ZERO;
        }
        Ok(Some(packet))
    }
}

/// A source of which no more is read than is allowed: after that it is broken.
struct Allowed<S> {
    inner: S,
    /// Each packet makes it [`ALLOWED`] again.
    left: Arc<AtomicU64>,
}

impl<S: Read> Read for Allowed<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "too much that is no sound"));
        }
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.inner.read(&mut buffer[..length])?;
        self.left.store(left.saturating_sub(read as u64), Ordering::Relaxed);
        Ok(read)
    }
}
