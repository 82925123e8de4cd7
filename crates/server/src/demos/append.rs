//! `PATCH /api/demos/{token}`: the next bytes of an upload, kept up to where they were cut off. The last ones complete
//! it. An upload takes the space of its received bytes until it expires, and of its whole length while that is reserved.

use std::{io, pin::pin};

use axum::{body::Body, extract::Path};
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::Micros,
    columns::{signed, unsigned},
    db::Db,
    deletions,
    spool::{SpoolWriter, Spooled},
};
use futures_util::StreamExt as _;
use http::{HeaderMap, StatusCode};
use rules::{demo::UPLOAD_PARTS_MAX, messages::Code, request::BUSY_SECONDS};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    complete, room,
    tus::{self, Checksum},
    uploads::{self, ClaimedUpload, Progress, Upload, UploadState, WriterClaim, conflict},
};
use crate::{app::AppState, requests::caller::Caller};

/// Brings the next bytes. The request that brings the last ones is answered when the demo is stored, or refused.
#[utoipa::path(patch, path = "/api/demos/{token}", tag = "demos",
    params(
        ("token" = String, Path, description = "The end of the address that the announcement was answered with"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
        ("Upload-Offset" = u64, Header, description = "Bytes that are there already"),
        ("Upload-Checksum" = Option<String>, Header, description = "sha1 or sha256 of these bytes, in base64"),
    ),
    request_body(content = Vec<u8>, content_type = "application/offset+octet-stream"),
    responses(
    (status = 204, description = "Kept; `Upload-Offset` is how far the upload is"),
    (status = 400, description = "A checksum of an unknown kind"),
    (status = 404, description = "There is no such upload, or it has expired"),
    (status = 408, description = "The bytes came too slowly"),
    (status = 409, description = "The upload is at another offset, or would replace a file that was heard"),
    (status = 412, description = "Another version of the protocol"),
    (status = 413, description = "More than was announced: the upload is dropped"),
    (status = 415, description = "Not bytes"),
    (status = 422, description = "The file is not what its name says"),
    (status = 429, description = "Too many requests of this client bring bytes"),
    (status = 460, description = "What arrived is not what was sent"),
    (status = 503, description = "No room, or not right now"),
))]
pub async fn append_to_upload(
    app: AppState,
    Path(token): Path<String>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> AppResult<(StatusCode, HeaderMap)> {
    let id = uploads::id_of(&token)?;
    let progress = append(&app, &caller, &id, tus::offset(&headers)?, &headers, body).await?;
    Ok((StatusCode::NO_CONTENT, tus::progress(progress.offset, progress.expires_at)))
}

/// Writes the bytes of a request from `offset` on.
pub(super) async fn append(
    app: &AppState,
    caller: &Caller,
    id: &[u8],
    offset: u64,
    headers: &HeaderMap,
    body: Body,
) -> AppResult<Progress> {
    if !tus::brings_bytes(headers) {
        return Err(AppError::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let checksum = tus::checksum(headers)?;
    // The lock before the permit: the request before may hold the client's last permit.
    let lock = app.uploads.locks.take(id).await.ok_or_else(conflict)?;
    let permit = tokio::select! {
        permit = app.uploads.permit(caller.address) => permit.map_err(|full| AppError::full(full, BUSY_SECONDS))?,
        () = lock.stop().cancelled() => return Err(conflict()),
    };
    match claim_upload(app, id, offset, tus::content_length(headers)).await? {
        Found::Claimed(upload) => {
            let claim = upload.claim.clone();
            let stops = [lock.stop(), permit.yielding(), &app.stop];
            let progress = write(app, caller, upload, checksum, body, stops).await;
            if !progress.as_ref().is_ok_and(|progress| progress.offset > claim.offset) {
                // The client gets the outcome of its bytes; the next request claims the upload anew.
                if let Err(error) = uploads::release(&app.db, &claim).await {
                    tracing::warn!(cause = %error, "giving back the claim of an upload");
                }
            }
            progress
        }
        Found::Finished(upload) => ended(id, &upload),
    }
}

enum Found {
    Claimed(ClaimedUpload),
    Finished(Upload),
}

/// Makes this request the writer, if it begins where the kept bytes end. A request longer than the announced file ends
/// the upload, and so does one for a demo that was heard.
async fn claim_upload(app: &AppState, id: &[u8], offset: u64, announced: Option<u64>) -> AppResult<Found> {
    let offset = signed(offset);
    let free = app.spool.free_bytes().await.map_err(AppError::storage_error)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let upload = uploads::lock(&mut tx, id, now).await?.ok_or_else(AppError::not_found)?;
    let UploadState::Open(sender) = upload.state(id)? else {
        return if offset <= upload.length { Ok(Found::Finished(upload)) } else { Err(conflict()) };
    };
    if let Some(demo) = upload.replaces
        && complete::is_heard(&mut tx, demo).await?
    {
        uploads::delete(&mut tx, id, now).await?;
        tx.commit().await?;
        return Err(complete::already_heard());
    }
    if offset != upload.received {
        return Err(conflict());
    }
    let missing = upload.length - offset;
    if announced.is_some_and(|bytes| bytes > unsigned(missing)) {
        uploads::delete(&mut tx, id, now).await?;
        tx.commit().await?;
        return Err(too_long());
    }
    if upload.held_until <= now {
        room::require_room(&mut tx, missing, free, now).await?;
    }
    // While a request writes, the stored value is that request's.
    let held_until = if upload.is_written { now } else { upload.held_until };
    let claim = WriterClaim {
        id: id.to_vec(),
        writer: Uuid::new_v4(),
        offset,
        created_at: upload.created_at,
        held_until,
    };
    uploads::claim(&mut tx, &claim, now).await?;
    tx.commit().await?;
    Ok(Found::Claimed(ClaimedUpload {
        claim,
        sender,
        extension: upload.extension,
        length: upload.length,
        replaces: upload.replaces,
        expires_at: upload.expires_at,
    }))
}

async fn write(
    app: &AppState,
    caller: &Caller,
    upload: ClaimedUpload,
    checksum: Option<Checksum>,
    body: Body,
    stops: [&CancellationToken; 3],
) -> AppResult<Progress> {
    let room = unsigned(upload.length - upload.claim.offset);
    let with_sha1 = matches!(checksum, Some(Checksum::Sha1(_)));
    let file = app.spool.create(with_sha1).await.map_err(AppError::storage_error)?;
    let (spooled, ending) = receive(file, body, room, stops).await.map_err(AppError::storage_error)?;
    if ending == Ending::TooLong {
        drop_if_writer(&app.db, app.clock.now(), &upload.claim).await?;
        return Err(too_long());
    }
    // A checksum covers all bytes, so a part of them is worthless.
    match &checksum {
        Some(_) if ending != Ending::Whole => return Err(cut_off(ending)),
        Some(checksum) if !is_sum_of(checksum, &spooled) => return Err(tus::checksum_mismatch()),
        _ => {}
    }
    let progress = if spooled.size_bytes == room {
        complete::complete(app, caller, &upload, spooled).await?
    } else if spooled.size_bytes == 0 {
        Progress { offset: upload.claim.offset, expires_at: upload.expires_at }
    } else {
        keep(app, &upload.claim, &spooled).await?
    };
    // A complete file counts, however the connection ended.
    if ending == Ending::Whole || progress.offset == upload.length {
        Ok(progress)
    } else {
        Err(cut_off(ending))
    }
}

/// Stores the bytes of a request as a part; 409 if a newer request writes.
async fn keep(app: &AppState, claim: &WriterClaim, spooled: &Spooled) -> AppResult<Progress> {
    let key = format!("parts/{}", Uuid::new_v4().simple());
    let lock = app.storage.upload_permit().await;
    let now = app.clock.now();
    deletions::reserve(&app.db, &key, now).await?;
    let kept = async {
        app.storage.put_file(&lock, &key, spooled.path()).await?;
        let size = signed(spooled.size_bytes);
        let mut tx = app.db.begin().await?;
        let offset = claim.offset + size;
        uploads::advance(&mut tx, claim, offset, now).await?;
        if uploads::count_parts(&mut tx, &claim.id).await? >= i64::from(UPLOAD_PARTS_MAX) {
            // A request with all missing bytes is still accepted.
            return Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::TooManyParts));
        }
        deletions::confirm(&mut tx, &key).await?;
        uploads::insert_part(&mut tx, claim, size, &key).await?;
        tx.commit().await?;
        Ok(Progress { offset, expires_at: uploads::expiry(claim.created_at, now) })
    };
    deletions::settle(&app.db, &[&key], &app.clock, kept.await).await
}

fn is_sum_of(checksum: &Checksum, spooled: &Spooled) -> bool {
    match checksum {
        Checksum::Sha1(sum) => spooled.sha1.is_some_and(|of_bytes| of_bytes[..] == sum[..]),
        Checksum::Sha256(sum) => spooled.sha256[..] == sum[..],
    }
}

/// Deletes an upload that sent more than it announced, unless a newer request writes.
async fn drop_if_writer(db: &Db, now: Micros, claim: &WriterClaim) -> AppResult<()> {
    let mut tx = db.begin().await?;
    uploads::advance(&mut tx, claim, claim.offset, now).await?;
    uploads::delete(&mut tx, &claim.id, now).await?;
    tx.commit().await?;
    Ok(())
}

/// 413: more bytes than were announced.
fn too_long() -> AppError {
    AppError::from_code(StatusCode::PAYLOAD_TOO_LARGE, Code::UploadTooLong)
}

/// The answer to a request that was cut off.
fn cut_off(ending: Ending) -> AppError {
    match ending {
        Ending::Stopping | Ending::Yielded => AppError::busy(rules::request::BUSY_SECONDS),
        _ => conflict(),
    }
}

/// The progress of an upload, or the answer of a finished one.
pub(super) async fn progress(app: &AppState, id: &[u8]) -> AppResult<Progress> {
    ended(id, &uploads::find(&app.db, id, app.clock.now()).await?.ok_or_else(AppError::not_found)?)
}

/// The answer to a repeated request that finished an upload.
fn ended(id: &[u8], upload: &Upload) -> AppResult<Progress> {
    match upload.state(id)? {
        UploadState::Refused(refusal) => Err(uploads::refused(refusal)),
        _ => Ok(Progress { offset: upload.received, expires_at: upload.expires_at }),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Complete.
    Whole,
    /// More bytes than there was room for.
    TooLong,
    /// The connection broke, or the sender was too slow.
    Broken,
    /// A newer request came for the same upload.
    Overtaken,
    /// Others wait for a permit.
    Yielded,
    /// The program is stopping.
    Stopping,
}

/// Writes at most `room` bytes of a request, until they end or a token is cancelled: a newer request has come, others
/// wait for a permit, or the program stops. The bytes are synced when this returns, unless there were too many.
pub(super) async fn receive(
    mut file: SpoolWriter,
    body: Body,
    room: u64,
    [overtaken, yielded, stopping]: [&CancellationToken; 3],
) -> io::Result<(Spooled, Ending)> {
    let mut bytes = body.into_data_stream();
    // Created once, because each new wait takes the token's lock.
    let (mut overtaken, mut yielded) = (pin!(overtaken.cancelled()), pin!(yielded.cancelled()));
    let mut stopping = pin!(stopping.cancelled());
    let ending = loop {
        let piece = tokio::select! {
            biased;
            () = &mut overtaken => break Ending::Overtaken,
            () = &mut stopping => break Ending::Stopping,
            () = &mut yielded => break Ending::Yielded,
            piece = bytes.next() => piece,
        };
        match piece {
            None => break Ending::Whole,
            Some(Err(_)) => break Ending::Broken,
            Some(Ok(piece)) if piece.len() as u64 > room - file.size_bytes() => break Ending::TooLong,
            Some(Ok(piece)) => file.write(&piece).await?,
        }
    };
    Ok((file.finish().await?, ending))
}
