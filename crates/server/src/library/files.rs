//! The media library: every picture and video that was uploaded, newest first; adding one, and removing one.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_recognise::pictures::Pictures;
use deadwax_store::{
    clock::{Micros, rfc3339},
    objects,
    spool::Spool,
    statements,
};
use http::StatusCode;
use rules::media::{MEDIA_MAX_BYTES, MediaError, check_media};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    images, sniff,
    store::{self, Accepted, Folder},
    uses,
};
use crate::{
    app::AppState,
    auth::guard::Admin,
    caller::Caller,
    edits::{self, SearchQuery},
    file_form::{self, Form, SentFile},
    hero,
    picture::PictureSizes,
};

macro_rules! columns {
    () => {
        "SELECT m.id, m.filename, m.original_name, m.file_path, m.file_type, m.file_size, m.mime_type, m.alt_text, m.created_at, \
         o.small_key, o.sizes, o.width, o.height FROM media_files m JOIN objects o ON o.key = m.file_path"
    };
}

statements! {
    LIST = concat!(
        columns!(),
        " WHERE m.sort_key LIKE $2 ESCAPE '\\' AND m.created_at <= $3 AND (m.created_at < $3 OR m.id < $4) \
         ORDER BY m.created_at DESC, m.id DESC LIMIT $1"
    );
    COUNT = "SELECT COUNT(*) FROM media_files WHERE sort_key LIKE $1 ESCAPE '\\'";
    FIND = concat!(columns!(), " WHERE m.id = $1");
    KEY = "SELECT file_path FROM media_files WHERE id = $1";
}

#[derive(sqlx::FromRow)]
struct FileRow {
    id: Uuid,
    filename: String,
    original_name: String,
    file_path: String,
    file_type: String,
    file_size: i64,
    mime_type: String,
    alt_text: Option<String>,
    created_at: Micros,
    small_key: Option<String>,
    sizes: Option<String>,
    width: Option<i64>,
    height: Option<i64>,
}

/// A file of the library.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MediaFile {
    /// The row's id.
    pub id: Uuid,
    /// The stored name.
    pub filename: String,
    /// The name on the sender's disk.
    pub original_name: String,
    /// The key: a folder and the stored name.
    pub file_path: String,
    /// `image` or `video`.
    pub file_type: String,
    /// In bytes.
    pub file_size: i64,
    /// What browsers are told it is.
    pub mime_type: String,
    /// What it shows, for those who do not see it.
    pub alt_text: Option<String>,
    /// Its address.
    pub url: String,
    /// The same picture at most 640 pixels wide; null for videos.
    pub small_url: Option<String>,
    /// The same picture in several widths, once they are made; null for videos.
    pub sizes: Option<PictureSizes>,
    /// In pixels; null for videos.
    pub width: Option<i64>,
    /// In pixels; null for videos.
    pub height: Option<i64>,
    /// When it was uploaded.
    pub created_at: String,
}

/// One page of the library.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MediaFiles {
    /// The files, newest first.
    pub items: Vec<MediaFile>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
}

/// An upload.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct MediaForm {
    /// A JPEG, PNG, GIF or WebP picture, or an MP4, WEBM or OGG video, of at most 50 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

impl FileRow {
    fn into_view(self) -> MediaFile {
        MediaFile {
            id: self.id,
            url: objects::url(&self.file_path),
            small_url: self.small_key.as_deref().map(objects::url),
            sizes: PictureSizes::read(self.sizes.as_deref()),
            filename: self.filename,
            original_name: self.original_name,
            file_path: self.file_path,
            file_type: self.file_type,
            file_size: self.file_size,
            mime_type: self.mime_type,
            alt_text: self.alt_text,
            width: self.width,
            height: self.height,
            created_at: rfc3339(self.created_at),
        }
    }
}

/// The files, newest first.
#[utoipa::path(get, path = "/api/admin/media", tag = "admin", params(SearchQuery), responses(
    (status = 200, description = "A page of files", body = MediaFiles),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_media(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<SearchQuery>,
) -> AppResult<Json<MediaFiles>> {
    let search = query.read()?;
    let (total,) = app.db.query(COUNT).bind(&search.pattern).one::<(i64,)>().await?;
    let mut rows = app
        .db
        .query(LIST)
        .bind(search.rows())
        .bind(&search.pattern)
        .bind(search.before)
        .bind(search.before_id)
        .all::<FileRow>()
        .await?;
    let next_cursor = search.cut(&mut rows, |row| (row.created_at, row.id));
    Ok(Json(MediaFiles { items: rows.into_iter().map(FileRow::into_view).collect(), next_cursor, total }))
}

/// Adds a picture or a video.
#[utoipa::path(post, path = "/api/admin/media", tag = "admin",
    request_body(content = MediaForm, content_type = "multipart/form-data"),
    responses(
    (status = 201, description = "The new file", body = MediaFile),
    (status = 413, description = "The file is too large"),
    (status = 415, description = "Not a form with a file"),
    (status = 422, description = "Neither a picture nor a video, a suspicious name, or not one file"),
    (status = 429, description = "Too many uploads at once"),
    (status = 503, description = "No room, or not right now"),
))]
pub async fn add_media(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    form: Form,
) -> AppResult<(StatusCode, Json<MediaFile>)> {
    let permit = file_form::permit(&app.forms, me.user_id, caller.address).await?;
    let sent = file_form::read(&app.spool, form, MEDIA_MAX_BYTES, permit).await;
    store::require_room(&app.db, &app.spool).await?;
    let accepted = match sent {
        Ok(sent) => accept(&app.pictures, &app.spool, sent.file).await,
        Err(refusal) => Err(refusal),
    };
    let accepted = images::noted(&app.db, app.clock.now(), &me, &caller, accepted).await?;
    let placed = store::place(&app.db, &app.storage, &app.clock, Folder::Uploads, accepted).await?;
    let kept = async {
        let mut tx = app.db.begin().await?;
        let id = placed.keep(&mut tx, &me, &caller, None).await?;
        let row = tx.query(FIND).bind(id).optional::<FileRow>().await?.ok_or_else(AppError::not_found)?;
        tx.commit().await?;
        Ok(row)
    };
    let kept = kept.await;
    let row = placed.settle(&app.db, kept).await?;
    Ok((StatusCode::CREATED, Json(row.into_view())))
}

async fn accept(pictures: &Pictures, spool: &Spool, sent: SentFile) -> AppResult<Accepted> {
    let media_type = sniff::media_type(&sent.head);
    let sent = sent.named(media_type);
    check_media(&sent.info(media_type)).map_err(refused)?;
    if media_type.is_some_and(|kind| kind.starts_with("image/")) {
        return images::opened(pictures, spool, sent).await?.ok_or_else(|| refused(MediaError::Type));
    }
    let file = sent.spooled.ok_or_else(|| refused(MediaError::TooLarge))?;
    Ok(Accepted { file, original_name: sent.name, small: None, dimensions: None })
}

fn refused(error: MediaError) -> AppError {
    match error {
        MediaError::SuspiciousName | MediaError::Type => AppError::invalid("file", error),
        MediaError::TooLarge => AppError::too_large(error),
    }
}

/// Removes a file, and takes it out of everything that shows it.
#[utoipa::path(delete, path = "/api/admin/media/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The row's id")), responses(
    (status = 204, description = "Removed"),
    (status = 404, description = "There is no such file"),
))]
pub async fn remove_media(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (key,) = tx.query(KEY).bind(id).optional::<(String,)>().await?.ok_or_else(AppError::not_found)?;
    // The row of the library goes with that of its file.
    uses::remove_file(&mut tx, &app.origin, &objects::url(&key), now).await?;
    let target = format!("media:{id}");
    edits::note(&mut tx, &me, &caller, "upload_delete", &target, now).await?;
    tx.commit().await?;
    hero::restore(&app.db, &app.storage, now).await;
    Ok(StatusCode::NO_CONTENT)
}
