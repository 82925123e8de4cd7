//! The sound of a demo, as measured by [`analysis`](crate::jobs::analysis), and the tracks of an archive, served as files.
//!
//! A deflated track is unpacked while it is sent, always from its beginning; nothing is stored, and the memory does
//! not grow with it. A part at the end of 70 MiB takes a good part of a second
//! (`docs/decisions/0041-measuring-demos.md`).

use std::{io, ops::Range};

use async_compression::tokio::bufread::DeflateDecoder;
use axum::{
    body::Body,
    extract::{FromRequestParts, Path},
    response::Response,
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, id},
};
use deadwax_store::{
    columns::Named as _,
    db::Db,
    demo_sounds::{self, FILE, Packed},
    ids::DemoId,
    objects, statements,
    storage::Storage,
    text_column,
};
use futures_util::TryStreamExt as _;
use http::{HeaderValue, request::Parts};
use serde::Serialize;
use sqlx::error::BoxDynError;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio_util::io::{ReaderStream, StreamReader};
use utoipa::ToSchema;

use super::inbox::{DemoUse, disposition, note_read};
use crate::{
    editing::Editor,
    files::media::{self, FileFacts, FileResponse},
};

statements! {
    DETAILS = "SELECT track, state, failure, name, size_bytes, duration_ms, sample_rate, channels, loudness, true_peak, \
            clipped_samples, silence_start_ms, silence_end_ms, peaks \
        FROM demo_sounds \
        WHERE demo_id = $1 ORDER BY track";
    PACKED = "SELECT d.file_key, s.name, s.place_start, s.place_end, s.is_deflated, s.size_bytes \
        FROM demo_sounds s JOIN demos d ON d.id = s.demo_id \
        WHERE s.demo_id = $1 AND s.track = $2 AND d.deleted_at IS NULL AND (s.failure IS NULL OR s.failure <> $3)";
}

deadwax_store::names! {
    /// The progress of measuring a file.
    SoundState;
    /// Not measured yet.
    Waiting = "waiting";
    Done = "done";
    Failed = "failed";
}

/// A demo's sound at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SoundSummary {
    /// The progress of measuring; of an archive, of all its tracks.
    pub state: SoundState,
    /// Why it cannot be measured: `unreadable`, `empty`, `too_long`, `changing`, `missing`, `slow`, `packed` or `crashed`.
    pub failure: Option<String>,
    /// In milliseconds; of an archive, of all tracks that could be measured.
    pub duration_ms: Option<i64>,
    /// The tracks of an archive; null for other files, and until it is known.
    pub track_count: Option<i64>,
}

/// The measurements of a sound.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SoundAnalysis {
    /// In milliseconds, as decoded.
    pub duration_ms: i64,
    pub sample_rate: i64,
    pub channels: i64,
    /// Integrated loudness in LUFS (EBU R 128); null for silence.
    pub loudness_lufs: Option<f64>,
    /// True peak in dBTP (ITU-R BS.1770-4, annex 2); null for digital silence.
    pub true_peak_dbtp: Option<f64>,
    /// Samples in runs of at least three at full scale.
    pub clipped_samples: i64,
    /// Silence before the sound, below -60 dB, in milliseconds.
    pub silence_start_ms: i64,
    /// Silence behind it.
    pub silence_end_ms: i64,
    /// The waveform: a thousand peaks from 0 to 255, evenly over its length.
    pub peaks: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SoundTrack {
    /// The position among the tracks, from 0; its address ends with it.
    pub index: i64,
    /// The name in the archive, with folders.
    pub name: String,
    /// In bytes, as the archive says.
    pub size_bytes: i64,
    pub sound: SoundSummary,
    pub analysis: Option<SoundAnalysis>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SoundDetails {
    /// The measurements of the file; none for an archive.
    pub analysis: Option<SoundAnalysis>,
    /// The tracks of an archive, in the order of their names.
    pub tracks: Vec<SoundTrack>,
}

#[derive(sqlx_macros::FromRow)]
struct DetailRow {
    track: i64,
    state: SoundState,
    failure: Option<String>,
    name: Option<String>,
    size_bytes: Option<i64>,
    duration_ms: Option<i64>,
    sample_rate: Option<i64>,
    channels: Option<i64>,
    loudness: Option<i64>,
    true_peak: Option<i64>,
    clipped_samples: Option<i64>,
    silence_start_ms: Option<i64>,
    silence_end_ms: Option<i64>,
    peaks: Option<Vec<u8>>,
}

text_column!(SoundSummary, SoundSummary::read);

impl SoundSummary {
    /// Reads the rows of a demo in the order of their tracks, a line for each: its state, failure and duration, the last two of which
    /// may be empty. A demo without rows is not measured yet.
    fn read(text: &str) -> Result<Self, BoxDynError> {
        let mut rows = text.lines().map(|line| {
            let mut words = line.split(' ');
            let mut word = || words.next().unwrap_or_default();
            let (name, failure, duration_ms) = (word(), word(), word());
            let state = SoundState::named(name).ok_or_else(|| format!("unknown value {name:?}"))?;
            let failure = Some(failure.to_owned()).filter(|code| !code.is_empty());
            Ok(Self { state, failure, duration_ms: duration_ms.parse().ok(), track_count: None })
        });
        match rows.next() {
            Some(own) => Ok(Self::of_archive(own?, &rows.collect::<Result<Vec<_>, BoxDynError>>()?)),
            None => {
                Ok(Self { state: SoundState::Waiting, failure: None, duration_ms: None, track_count: None })
            }
        }
    }

    /// Of an archive, from its row and those of its tracks. It is done if one track could be measured.
    fn of_archive(own: Self, tracks: &[Self]) -> Self {
        let first_failure = || tracks.iter().find_map(|track| track.failure.clone());
        let is_any = |state| tracks.iter().any(|track| track.state == state);
        let state = if is_any(SoundState::Waiting) {
            SoundState::Waiting
        } else if is_any(SoundState::Done) {
            SoundState::Done
        } else {
            SoundState::Failed
        };
        let durations = tracks.iter().filter_map(|track| track.duration_ms);
        match own.state {
            SoundState::Done if !tracks.is_empty() => Self {
                state,
                failure: (state == SoundState::Failed).then(first_failure).flatten(),
                duration_ms: (state == SoundState::Done).then(|| durations.sum()),
                track_count: i64::try_from(tracks.len()).ok(),
            },
            _ => own,
        }
    }
}

pub async fn details(db: &Db, demo: DemoId) -> sqlx::Result<SoundDetails> {
    let mut rows = db.query(DETAILS).bind(demo).all::<DetailRow>().await?.into_iter();
    let analysis = rows.next().and_then(DetailRow::into_analysis);
    Ok(SoundDetails { analysis, tracks: rows.filter_map(DetailRow::into_track).collect() })
}

/// The key of the archive's file, and the position of a track in it; `None` if it does not exist or cannot be
/// unpacked.
pub(super) async fn packed(db: &Db, demo: DemoId, index: i64) -> sqlx::Result<Option<(String, Packed)>> {
    type PackedRow = (String, Option<String>, Option<i64>, Option<i64>, bool, Option<i64>);
    let Some(number) = index.checked_add(FILE + 1).filter(|number| *number > FILE) else { return Ok(None) };
    let found =
        db.query(PACKED).bind(demo).bind(number).bind(demo_sounds::PACKED).optional::<PackedRow>().await?;
    Ok(found.and_then(|(key, name, start, end, is_deflated, size)| {
        Some((key, Packed::read(name, (start, end), is_deflated, size)?))
    }))
}

impl DetailRow {
    fn into_track(self) -> Option<SoundTrack> {
        let (state, failure, duration_ms) = (self.state, self.failure.clone(), self.duration_ms);
        Some(SoundTrack {
            index: self.track - FILE - 1,
            name: self.name.clone()?,
            size_bytes: self.size_bytes?,
            sound: SoundSummary { state, failure, duration_ms, track_count: None },
            analysis: self.into_analysis(),
        })
    }

    /// `None` unless everything was measured.
    fn into_analysis(self) -> Option<SoundAnalysis> {
        #[expect(clippy::cast_precision_loss, reason = "levels are hundreds at most")]
        let level = |thousandths: i64| thousandths as f64 / 1000.0;
        Some(SoundAnalysis {
            duration_ms: self.duration_ms?,
            sample_rate: self.sample_rate?,
            channels: self.channels?,
            loudness_lufs: self.loudness.map(level),
            true_peak_dbtp: self.true_peak.map(level),
            clipped_samples: self.clipped_samples?,
            silence_start_ms: self.silence_start_ms?,
            silence_end_ms: self.silence_end_ms?,
            peaks: self.peaks?,
        })
    }
}

/// Bytes unpacked at a time.
const PIECE: usize = 64 * 1024;

/// The demo and the track's index in a path; 404 if invalid.
#[derive(Debug)]
pub struct TrackPath(DemoId, i64);

impl<S: Send + Sync> FromRequestParts<S> for TrackPath {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let Path((demo, index)) = Path::<(String, String)>::from_request_parts(parts, state)
            .await
            .map_err(|undecodable| AppError::of_status(undecodable.status()))?;
        let known = id(&demo).zip(index.parse::<u16>().ok());
        // `01` is not a second name of the second track.
        let known = known.filter(|(_, number)| number.to_string() == index);
        known.map(|(demo, number)| Self(DemoId(demo), number.into())).ok_or_else(AppError::not_found)
    }
}

/// A track of an archive, or a part of it. Noted in the audit log as the demo itself, once an hour for each admin.
#[utoipa::path(get, path = "/api/admin/demos/{id}/tracks/{index}/file", tag = "admin", params(
    ("id" = Uuid, Path, description = "The demo's id"),
    ("index" = u16, Path, description = "The track's place, from 0"),
    DemoUse,
), responses(
    (status = 200, description = "The track", content_type = "*/*", body = Vec<u8>),
    (status = 206, description = "A part of the track", content_type = "*/*", body = Vec<u8>),
    (status = 304, description = "The caller has it already"),
    (status = 416, description = "The track has no such part"),
))]
pub async fn download_track(
    editor: Editor,
    TrackPath(demo, index): TrackPath,
    ApiQuery(wanted): ApiQuery<DemoUse>,
    request: Parts,
) -> AppResult<Response> {
    let (key, packed) = packed(&editor.app.db, demo, index).await?.ok_or_else(AppError::not_found)?;
    let archive = objects::find(&editor.app.db, &key).await?.ok_or_else(AppError::not_found)?;
    note_read(editor.act(), demo).await?;
    // An archive may hold anything; the content type comes from the name, and only sound has one.
    let content_type = rules::media_name::content_type(&packed.name).unwrap_or("application/octet-stream");
    let name = packed.name.rsplit(['/', '\\']).next().unwrap_or(&packed.name);
    let kind = if wanted.inline == Some(true) { "inline" } else { "attachment" };
    let facts = FileFacts {
        tag: &format!("{}-{index}", archive.sha256),
        content_type,
        size_bytes: if packed.is_deflated {
            packed.size_bytes
        } else {
            packed.place.end.saturating_sub(packed.place.start)
        },
    };
    // The label must not leave copies in caches.
    let answering = FileResponse {
        disposition: Some(disposition(kind, name)?),
        cache: HeaderValue::from_static("no-store"),
    };
    let (mut response, part) = media::answer_of(&facts, &request, answering)?;
    if let Some(part) = part {
        editor.app.storage.size(&key).await.map_err(media::missing_bytes)?;
        *response.body_mut() = body(&editor.app.storage, key, &packed, part);
    }
    Ok(response)
}

/// The bytes of a track. If they do not unpack, the answer breaks off.
fn body(storage: &Storage, key: String, packed: &Packed, part: Range<u64>) -> Body {
    let place = packed.place.clone();
    if !packed.is_deflated {
        return Body::from_stream(storage.read_slowly(key, place.start + part.start..place.start + part.end));
    }
    let bytes = storage.read_slowly(key, place).map_err(io::Error::other);
    let unpacking = DeflateDecoder::new(StreamReader::new(bytes));
    Body::from_stream(ReaderStream::with_capacity(behind(unpacking, part), PIECE))
}

/// A part of a reader; the bytes before it are read and dropped when the stream is polled.
fn behind(read: impl AsyncRead + Send + Unpin + 'static, part: Range<u64>) -> impl AsyncRead + Send {
    let pieces = futures_util::stream::once(async move {
        let mut read = read;
        tokio::io::copy(&mut (&mut read).take(part.start), &mut tokio::io::sink()).await?;
        Ok::<_, io::Error>(ReaderStream::with_capacity(read.take(part.end - part.start), PIECE))
    });
    StreamReader::new(Box::pin(pieces.try_flatten()))
}
