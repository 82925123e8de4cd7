//! `/api/demos`: announces an upload, tells its progress and ends it. Everything that can be refused before a byte arrives is refused
//! here: an invalid form, a file that is too large, too many demos of a client, and a full disk or label.

use axum::{
    body::Body,
    extract::Path,
    response::{IntoResponse, Response},
};
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{columns::signed, crypto::Token, limits};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rules::{
    demo::{self, DemoError, DemoForm},
    media_name, rate_limit,
    upload::{FileInfo, clean_name, name_or_file},
};

use super::{
    append::{self, append_to_upload},
    complete, letter, room, tus,
    uploads::{self, NewUpload, Progress, Sender, UploadState},
};
use crate::{
    accounts::account_mail,
    app::AppState,
    requests::{
        caller::Caller,
        idempotency::{Claim, IdempotencyKey, Repeatable},
    },
};

/// The protocol version, its extensions and the largest file.
#[utoipa::path(options, path = "/api/demos", tag = "demos", responses(
    (status = 204, description = "The version, the extensions and the largest file, as headers"),
))]
pub async fn describe_uploads() -> (StatusCode, HeaderMap) {
    (StatusCode::NO_CONTENT, tus::abilities())
}

/// Announces a demo, and brings its first bytes or all of them where they follow at once.
#[utoipa::path(post, path = "/api/demos", tag = "demos",
    params(
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
        ("Upload-Length" = u64, Header, description = "Bytes of the file"),
        IdempotencyKey,
        ("Upload-Metadata" = String, Header, description = "artist_name, email, message and filename, each in base64; or filename and replaces, the token of a sent demo's link"),
    ),
    request_body(content = Option<Vec<u8>>, content_type = "application/offset+octet-stream"),
    responses(
    (status = 201, description = "Announced; `Location` is where its bytes go"),
    (status = 400, description = "A checksum of an unknown kind"),
    (status = 404, description = "The file is to replace one of a demo that is not there"),
    (status = 408, description = "The bytes came too slowly"),
    (status = 409, description = "The file would replace one that was heard"),
    (status = 412, description = "Another version of the protocol"),
    (status = 413, description = "The file is too large"),
    (status = 415, description = "Not bytes"),
    (status = 422, description = "A field breaks a rule, or the file is not what its name says"),
    (status = 429, description = "Too many demos of this client"),
    (status = 503, description = "No room, or not right now"),
))]
pub async fn create_upload(
    app: AppState,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> AppResult<Response> {
    let brings_bytes = tus::brings_bytes(&headers) && tus::content_length(&headers) != Some(0);
    let Announced { token, is_named, is_repeated } = announce(&app, &caller, &headers).await?;
    let mut answer = HeaderMap::new();
    let location = HeaderValue::try_from(format!("/api/demos/{}", token.expose()));
    answer.insert(header::LOCATION, location.map_err(AppError::internal)?);
    let progress = if is_repeated {
        // The first request brings the bytes; this one only gets the progress.
        append::progress(&app, &token.hash()).await?
    } else if brings_bytes {
        let written = append::append(&app, &caller, &token.hash(), 0, &headers, body).await;
        // A repeated request with a key may already continue at that address.
        if let Err(refusal) = &written
            && !is_named
        {
            forget(&app, &token.hash(), refusal).await?;
        }
        written?
    } else {
        Progress { offset: 0, expires_at: uploads::announced_expiry(app.clock.now()) }
    };
    answer.extend(tus::progress(progress.offset, progress.expires_at));
    Ok((StatusCode::CREATED, answer).into_response())
}

/// An announced upload, or an earlier one that this request repeats.
struct Announced {
    token: Token,
    /// Whether it has an idempotency key, so that it can be repeated.
    is_named: bool,
    is_repeated: bool,
}

/// Checks an announcement and inserts its row.
async fn announce(app: &AppState, caller: &Caller, headers: &HeaderMap) -> AppResult<Announced> {
    let new = check(app, caller, headers).await?;
    tus::checksum(headers)?;
    let now = app.clock.now();
    let free = app.spool.free_bytes().await.map_err(AppError::storage_error)?;
    let mut counters = limits::by_network("demo-hour", caller.address, rate_limit::DEMO);
    counters.extend(limits::by_network("demo-day", caller.address, rate_limit::DEMO_DAY));
    let request = Repeatable::named(headers, "/api/demos", tus::announcement(headers))?;
    let mut tx = app.db.begin().await?;
    let claim = match &request {
        Some(request) => Some(request.claim(&mut tx, &app.keys, &caller.network(), now).await?),
        None => None,
    };
    let earlier = claim.as_ref().and_then(Claim::earlier);
    if let Some(token) = earlier.and_then(|token| Token::parse(std::str::from_utf8(token).ok()?))
        && uploads::lock(&mut tx, &token.hash(), now).await?.is_some()
    {
        return Ok(Announced { token, is_named: true, is_repeated: true });
    }
    limits::take_each_in(&mut tx, counters, now).await?;
    if let Some(demo) = new.replaces {
        complete::lock_unheard(&mut tx, demo).await?.ok_or_else(complete::already_heard)?;
    }
    room::require_room(&mut tx, new.length, free, now).await?;
    let token = Token::random();
    uploads::insert(&mut tx, &token.hash(), &new, now).await?;
    let is_named = claim.is_some();
    if let Some(claim) = claim {
        claim.keep(&mut tx, &app.keys, token.expose().as_bytes()).await?;
    }
    tx.commit().await?;
    Ok(Announced { token, is_named, is_repeated: false })
}

async fn check(app: &AppState, caller: &Caller, headers: &HeaderMap) -> AppResult<NewUpload> {
    let length = tus::length(headers)?;
    let mut metadata = tus::metadata(headers)?;
    let mut replaces = None;
    if let Some(token) = metadata.replaces.take() {
        letter::count_use(&app.db, caller.address, app.clock.now()).await?;
        let (demo, of_demo) = complete::describe_replacement(&app.db, &token, metadata).await?;
        (replaces, metadata) = (Some(demo), of_demo);
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "the rules count in JavaScript's numbers; uploads are small"
    )]
    let file = metadata.filename.map(|name| FileInfo {
        name: name_or_file(&clean_name(&name), ""),
        media_type: String::new(),
        size_bytes: length as f64,
    });
    let form = DemoForm {
        artist_name: metadata.artist_name,
        email: account_mail::to_ascii(&metadata.email),
        message: metadata.message,
        file,
    };
    // Missing fields come before a wrong extension, as in the form.
    let demo = demo::check_demo(form).map_err(|problems| {
        let is_too_large = problems.first().is_some_and(|problem| problem.code == demo::TOO_LARGE);
        if is_too_large {
            AppError::too_large(demo::too_large(length))
        } else {
            AppError::validation(problems)
        }
    })?;
    let extension =
        media_name::extension(&demo.file.name).ok_or_else(|| uploads::refused(DemoError::Type))?;
    Ok(NewUpload {
        extension: extension.to_ascii_lowercase(),
        length: signed(length),
        replaces,
        sender: Sender {
            artist_name: demo.artist_name,
            email: demo.email.as_str().to_owned(),
            message: demo.message,
            original_name: demo.file.name,
        },
    })
}

/// Ends an upload whose first bytes were refused: its address was not sent, so it cannot be continued.
async fn forget(app: &AppState, id: &[u8], refusal: &AppError) -> AppResult<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if let Some(found) = uploads::lock(&mut tx, id, now).await?
        && matches!(found.state(id)?, UploadState::Open(_))
    {
        uploads::delete(&mut tx, id, now).await?;
        tx.commit().await?;
        tracing::info!(code = refusal.code(), "an upload ended as it began");
    }
    Ok(())
}

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
    let id = uploads::id_of(&token)?;
    // A newer request may hold the lock: then the progress so far is returned.
    let _lock = app.uploads.locks.take(&id).await;
    let upload = uploads::find(&app.db, &id, app.clock.now()).await?.ok_or_else(AppError::not_found)?;
    let state = upload.state(&id)?;
    let said = match &state {
        UploadState::Open(sender) => said(sender, upload.replaces.is_some()),
        UploadState::Accepted => Vec::new(),
        // All bytes received would look like success.
        UploadState::Refused(refusal) => return Err(uploads::refused(*refusal)),
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
    let id = uploads::id_of(&token)?;
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

/// A PATCH, HEAD or DELETE of a client that can only send POST.
pub async fn override_method(
    app: AppState,
    token: Path<String>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match tus::method_override(&headers) {
        Some(Method::PATCH) => append_to_upload(app, token, caller, headers, body).await.into_response(),
        Some(Method::DELETE) => end_upload(app, token).await.into_response(),
        Some(Method::HEAD) => show_upload(app, token).await.into_response(),
        _ => AppError::of_status(StatusCode::METHOD_NOT_ALLOWED).into_response(),
    }
}
