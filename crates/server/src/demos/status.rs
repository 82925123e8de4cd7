//! `HEAD` and `DELETE /api/demos/{token}`: the progress of an upload, and its termination.

use axum::{extract::Path, response::IntoResponse};
use deadwax_http::error::{AppError, AppResult};
use http::{HeaderMap, StatusCode};

use super::{
    tus,
    upload::{self, Progress, Sender, State as Stage, Upload},
    uploads,
};
use crate::app::AppState;

/// How far an upload is. A request that is still bringing bytes is ended first, and they count.
#[utoipa::path(head, path = "/api/demos/{token}", tag = "demos",
    params(
        ("token" = String, Path, description = "The end of the address that the announcement was answered with"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
    ),
    responses(
    (status = 200, description = "Length, bytes that are there, when they are dropped, and what was said of the file"),
    (status = 404, description = "There is no such upload, or it has expired"),
    (status = 412, description = "Another version of the protocol"),
    (status = 422, description = "The file was not what its name says"),
))]
pub async fn show_upload(app: AppState, Path(token): Path<String>) -> AppResult<HeaderMap> {
    let id = upload::id_of(&token)?;
    // A newer request may hold the lock: then the progress so far is returned.
    let _lock = app.uploads.locks.take(&id).await;
    let upload = uploads::find(&app.db, &id, app.clock.now()).await?.ok_or_else(AppError::not_found)?;
    let said = match &upload.state {
        Stage::Open(sender) => said(sender, upload.replaces.is_some()),
        Stage::Accepted => Vec::new(),
        // All bytes received would look like success.
        Stage::Refused(refusal) => return Err(upload::refused(*refusal)),
    };
    Ok(tus::description(upload.received, upload.length, upload.expires_at, &said))
}

/// The announced metadata. For a replacement only the file's name: the sender's data came from the demo.
fn said(sender: &Sender, replaces: bool) -> Vec<(&'static str, &str)> {
    let mut said = vec![("filename", sender.original_name.as_str())];
    if !replaces {
        said.extend([("artist_name", sender.artist_name.as_str()), ("email", &sender.email)]);
        said.extend(sender.message.as_deref().map(|message| ("message", message)));
    }
    said
}

/// Drops an upload with all that has arrived. A demo that was accepted stays.
#[utoipa::path(delete, path = "/api/demos/{token}", tag = "demos",
    params(
        ("token" = String, Path, description = "The end of the address that the announcement was answered with"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
    ),
    responses(
    (status = 204, description = "It is gone"),
    (status = 404, description = "There is no such upload, or it has expired"),
    (status = 412, description = "Another version of the protocol"),
))]
pub async fn end_upload(app: AppState, Path(token): Path<String>) -> AppResult<impl IntoResponse> {
    let id = upload::id_of(&token)?;
    let _lock = loop {
        if let Some(lock) = app.uploads.locks.take(&id).await {
            break lock;
        }
    };
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    uploads::lock(&mut tx, &id, now).await?.ok_or_else(AppError::not_found)?;
    uploads::delete(&mut tx, &id, now).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The progress of an upload, or the answer of a finished one.
pub(super) async fn progress(app: &AppState, id: &[u8]) -> AppResult<Progress> {
    ended(&uploads::find(&app.db, id, app.clock.now()).await?.ok_or_else(AppError::not_found)?)
}

/// The answer to a repeated request that finished an upload.
pub(super) fn ended(upload: &Upload) -> AppResult<Progress> {
    match &upload.state {
        Stage::Refused(refusal) => Err(upload::refused(*refusal)),
        _ => Ok(Progress { offset: upload.received, expires_at: upload.expires_at }),
    }
}
