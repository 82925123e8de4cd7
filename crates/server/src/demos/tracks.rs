//! The tracks of an archive, served as files.
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
use deadwax_store::{demo_sounds::Packed, objects, storage::Storage};
use futures_util::TryStreamExt as _;
use http::{HeaderMap, HeaderValue, request::Parts};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio_util::io::{ReaderStream, StreamReader};
use uuid::Uuid;

use super::{
    inbox::{DemoUse, disposition, note_read},
    sounds,
};
use crate::{
    editing::Editor,
    files::media::{self, FileFacts, FileResponse},
};

/// Bytes unpacked at a time.
const PIECE: usize = 64 * 1024;

/// The demo and the track's index in a path; 404 if invalid.
#[derive(Debug)]
pub struct TrackPath(Uuid, i64);

impl<S: Send + Sync> FromRequestParts<S> for TrackPath {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let Path((demo, index)) = Path::<(String, String)>::from_request_parts(parts, state)
            .await
            .map_err(|undecodable| AppError::of_status(undecodable.status()))?;
        let known = id(&demo).zip(index.parse::<u16>().ok());
        // `01` is not a second name of the second track.
        let known = known.filter(|(_, number)| number.to_string() == index);
        known.map(|(demo, number)| Self(demo, number.into())).ok_or_else(AppError::not_found)
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
    request: HeaderMap,
) -> AppResult<Response> {
    let (key, packed) = sounds::packed(&editor.app.db, demo, index).await?.ok_or_else(AppError::not_found)?;
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
