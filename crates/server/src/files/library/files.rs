//! The media library: list, add and remove pictures and videos.

use axum::{Json, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_store::{columns::Timestamp, statements};
use http::{HeaderMap, StatusCode};
use rules::{
    media::{MEDIA_MAX_BYTES, MediaError, check_media},
    site_image::check_site_image_text,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    images,
    store::{self, Accepted, Folder},
    uses::{self, FileUse},
};
use crate::{
    app::{App, AppState},
    auth::guard::Admin,
    editing::Editor,
    editing::lists::{ListPage, ListQuery, Narrowed, orders},
    files::file_form::{self, Form, Sent},
    files::media,
    files::picture::PictureSizes,
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, Repeatable},
    trash::{self, kinds::TrashKind},
};

macro_rules! select {
    () => {
        select!("")
    };
    ($more:expr) => {
        concat!(
            "SELECT m.id, m.filename, m.original_name, m.file_path, m.file_type, m.file_size, m.mime_type, m.alt_text, m.created_at, \
                 '/media/' || m.file_path AS url, '/media/' || o.small_key AS small_url, o.sizes, o.width, o.height",
            $more,
            " FROM media_files m JOIN objects o ON o.key = m.file_path"
        )
    };
}

// Whether a row of `$table` shows the file, by path or full address.
macro_rules! shown_by {
    ($table:literal, $column:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM ",
            $table,
            " u WHERE u.",
            $column,
            " IN ('/media/' || m.file_path, CAST($4 AS TEXT) || '/media/' || m.file_path) AND u.deleted_at IS NULL"
        )
    };
}
macro_rules! is_used {
    () => {
        concat!(
            "(",
            shown_by!("artists", "image_url"),
            ") OR ",
            shown_by!("releases", "cover_image_url"),
            ") OR ",
            shown_by!("store_products", "image_url"),
            ") OR ",
            shown_by!("site_images", "image_url"),
            ") OR EXISTS (SELECT 1 FROM letters WHERE ",
            letter_shows!("'/media/' || m.file_path"),
            "))"
        )
    };
}
macro_rules! is_seen {
    () => {
        concat!(
            "(",
            shown_by!("artists", "image_url"),
            " AND u.is_public) OR ",
            shown_by!("releases", "cover_image_url"),
            " AND u.state = 'out') OR ",
            shown_by!("site_images", "image_url"),
            "))"
        )
    };
}

deadwax_store::names! {
    /// Filters of the library.
    MediaState;
    Used = "used";
    Unused = "unused";
    NotPublic = "not_public";
}

orders! {
    /// The orders of the library.
    MediaOrder: select select,
        // The texts of a file's card: its name and its alternative text.
        found concat!(
            "m.deleted_at IS NULL AND (m.sort_key LIKE $1 ESCAPE '\\' OR m.search_key LIKE $2 ESCAPE '\\') \
                AND ($3 = '' OR ($3 = 'used' AND ",
            is_used!(),
            ") OR ($3 = 'unused' AND NOT ",
            is_used!(),
            ") OR ($3 = 'not_public' \
                AND (m.file_path LIKE 'artists/%' OR m.file_path LIKE 'releases/%' OR m.file_path LIKE 'assets/%') AND NOT ",
            is_seen!(),
            "))"
        ),
        count "SELECT COUNT(*) FROM media_files m", id "m.id",
        binds [search.key, search.folded, state, narrowed.origin] then "$5" "$6" "$7";
    newest Newest = "-created", number "m.created_at" down;
    oldest Oldest = "created", number "m.created_at" up;
    by_name ByName = "name", text "m.sort_key" up;
    by_name_back ByNameBack = "-name", text "m.sort_key" down;
    by_size_back BySizeBack = "-size", number "m.file_size" down;
    by_size BySize = "size", number "m.file_size" up;
}

statements! {
    and orders;
    FIND = concat!(select!(), " WHERE m.id = $1 AND m.deleted_at IS NULL");
}

/// A file of the library.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
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
    /// The content type.
    pub mime_type: String,
    /// The alternative text.
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
    pub created_at: Timestamp,
    /// Whether visitors can open its address: what is uploaded for an artist, a release or a page, only while one that they see shows it.
    #[sqlx(skip)]
    pub is_public: bool,
    /// The rows that show it, the trash excluded.
    #[sqlx(skip)]
    pub uses: Vec<FileUse>,
}

/// An upload.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct MediaForm {
    /// A JPEG, PNG, GIF or WebP picture, or an MP4, WEBM or OGG video, of at most 50 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The alternative text: one line of at most 500 characters.
    #[schema(max_length = 500)]
    alt_text: Option<String>,
}

impl MediaFile {
    fn with(mut self, uses: Vec<FileUse>) -> Self {
        self.is_public = media::is_always_public(&self.file_path) || uses.iter().any(|shown| shown.is_public);
        self.uses = uses;
        self
    }
}

/// The files, newest first by default.
#[utoipa::path(get, path = "/api/admin/media", tag = "admin", params(ListQuery<MediaOrder, MediaState>), responses(
    (status = 200, description = "A page of files", body = ListPage<MediaFile>),
))]
pub async fn list_media(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<MediaOrder, MediaState>>,
) -> AppResult<Json<ListPage<MediaFile>>> {
    let narrowed = Narrowed { origin: app.origin.to_string(), ..Narrowed::default() };
    let ListPage { items: rows, next_cursor, total } =
        query.narrowed_page::<MediaFile>(&app.db, narrowed).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let uses = uses::list(&app.db, &app.origin, &row.url).await?;
        items.push(row.with(uses));
    }
    Ok(Json(ListPage { items, next_cursor, total }))
}

/// Adds a picture or a video. Sent again with the same key it is added once.
#[utoipa::path(post, path = "/api/admin/media", tag = "admin", params(IdempotencyKey),
    request_body(content = MediaForm, content_type = "multipart/form-data"),
    responses(
    (status = 201, description = "The new file", body = MediaFile),
    (status = 422, description = "Neither a picture nor a video, a suspicious name, not one file, or a text that is too long"),
))]
pub async fn add_media(editor: Editor, headers: HeaderMap, form: Form) -> AppResult<Response> {
    let permit = file_form::permit(&editor.app.forms, editor.me().user_id, editor.caller.address).await?;
    let sent = file_form::read(&editor.app.spool, form, MEDIA_MAX_BYTES, permit).await;
    let content = sent.as_ref().map(|sent| sent.code(&editor.app.keys)).unwrap_or_default();
    let request = Repeatable::named(&headers, "/api/admin/media", content)?;
    let (placed, alt_text) =
        store::receive(&editor, Folder::Uploads, async { accept(&editor.app, sent?).await }).await?;
    let kept = async {
        let (mut tx, claim) = match editor.act().begin(request.as_ref()).await? {
            ClaimedRequest::New(tx, claim) => (tx, claim),
            ClaimedRequest::Repeated(answer) => {
                placed.abandon(&editor.app).await;
                return Ok(answer);
            }
        };
        let id = placed.keep(&mut tx, &editor, alt_text.as_deref()).await?;
        let row = tx.query(FIND).bind(id).optional::<MediaFile>().await?.ok_or_else(AppError::not_found)?;
        idempotency::finish(tx, claim, &editor.app.keys, &row.with(Vec::new())).await
    };
    let kept = kept.await;
    placed.settle(&editor.app, kept).await
}

async fn accept(app: &App, Sent { file, texts }: Sent) -> AppResult<(Accepted, Option<String>)> {
    let alt_text = texts.get("alt_text").map(String::as_str).unwrap_or_default();
    let alt_text = check_site_image_text(alt_text).map_err(|error| AppError::invalid("alt_text", error))?;
    let refused = |error| file_form::refused(error, &MediaError::TooLarge);
    let media_type = images::media_type(&file.head);
    let sent = file.judged(media_type, check_media).map_err(refused)?;
    let accepted = if media_type.is_some_and(|kind| kind.starts_with("image/")) {
        images::opened(app, sent).await?.ok_or_else(|| refused(MediaError::Type))?
    } else {
        let file = sent.spooled.ok_or_else(|| refused(MediaError::TooLarge))?;
        Accepted { file, original_name: sent.name, small: None, dimensions: None }
    };
    Ok((accepted, alt_text))
}

/// Moves a file to the trash, and takes it out of everything that shows it.
#[utoipa::path(delete, path = "/api/admin/media/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Moved to the trash"),
))]
pub async fn remove_media(editor: Editor, PathId(id): PathId) -> AppResult<StatusCode> {
    trash::delete_one(&editor, TrashKind::Media, id).await
}
