//! The media library: every picture and video that was uploaded, newest first; adding one, and removing one.

use axum::{Json, response::Response};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_pictures::Pictures;
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::{Db, Statement},
    objects,
    spool::Spool,
    statements,
};
use http::{HeaderMap, StatusCode};
use rules::{
    media::{MEDIA_MAX_BYTES, MediaError, check_media},
    site_image::check_site_image_text,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    images, sniff,
    store::{self, Accepted, Folder, Kept},
    uses::{self, FileUse},
};
use crate::{
    app::AppState,
    auth::guard::Admin,
    caller::Caller,
    file_form::{self, Form, Sent, SentFile},
    idempotency::{self, BegunRequest, IdempotencyKey, Repeatable},
    lists::{ListPage, ListQuery, orders, states},
    media,
    picture::PictureSizes,
    trash::{self, kinds::TrashKind},
};

macro_rules! select {
    () => {
        select!("")
    };
    ($more:expr) => {
        concat!(
            "SELECT m.id, m.filename, m.original_name, m.file_path, m.file_type, m.file_size, m.mime_type, m.alt_text, m.created_at, \
                 o.small_key, o.sizes, o.width, o.height",
            $more,
            " FROM media_files m JOIN objects o ON o.key = m.file_path"
        )
    };
}

// Whether a row of that table or view shows the file, by either of its addresses.
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

states! {
    /// What the library can be narrowed to.
    MediaState;
    /// Shown by something, the trash aside.
    Used = "used";
    /// Shown by nothing.
    Unused = "unused";
    /// What visitors cannot open.
    NotPublic = "not_public";
}

orders! {
    /// The orders of the library.
    MediaOrder: select select,
        // What a file's card shows: its name and its alternative text.
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
        count "SELECT COUNT(*) FROM media_files m", id "m.id", binds [Key, Folded, State, Origin] then "$5" "$6" "$7";
    /// The newest upload first.
    newest Newest = "-created", number "m.created_at" down;
    /// The oldest upload first.
    oldest Oldest = "created", number "m.created_at" up;
    /// By name.
    by_name ByName = "name", text "m.sort_key" up;
    /// By name, from the end of the alphabet.
    by_name_back ByNameBack = "-name", text "m.sort_key" down;
    /// The largest first.
    by_size_back BySizeBack = "-size", number "m.file_size" down;
    /// The smallest first.
    by_size BySize = "size", number "m.file_size" up;
}

statements! {
    FIND = concat!(select!(), " WHERE m.id = $1 AND m.deleted_at IS NULL");
}

/// Every SQL text of this module.
pub(super) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, &orders::statements()].concat()
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
    /// Whether visitors can open its address: what is uploaded for an artist, a release or a page, only while one that they see shows it.
    pub is_public: bool,
    /// What shows it, the trash aside.
    pub uses: Vec<FileUse>,
}

/// One page of the library.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MediaFiles {
    /// The files, in the order that was asked for.
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
    /// What it shows, for whoever cannot see it: one line of at most 500 characters.
    #[schema(max_length = 500)]
    alt_text: Option<String>,
}

impl FileRow {
    /// The file, and what shows it.
    async fn into_view(self, db: &Db, origin: &Origin) -> sqlx::Result<MediaFile> {
        let uses = uses::list(db, origin, &objects::url(&self.file_path)).await?;
        Ok(self.with(uses))
    }

    fn with(self, uses: Vec<FileUse>) -> MediaFile {
        MediaFile {
            id: self.id,
            url: objects::url(&self.file_path),
            small_url: self.small_key.as_deref().map(objects::url),
            sizes: PictureSizes::read(self.sizes.as_deref()),
            is_public: media::is_always_public(&self.file_path) || uses.iter().any(|shown| shown.is_public),
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
            uses,
        }
    }
}

/// The files, newest first unless another order is asked for.
#[utoipa::path(get, path = "/api/admin/media", tag = "admin", params(ListQuery<MediaOrder, MediaState>), responses(
    (status = 200, description = "A page of files", body = MediaFiles),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_media(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<MediaOrder, MediaState>>,
) -> AppResult<Json<MediaFiles>> {
    let ListPage { rows, next_cursor, total } = query.page::<FileRow>(&app.db, &app.origin).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        items.push(row.into_view(&app.db, &app.origin).await?);
    }
    Ok(Json(MediaFiles { items, next_cursor, total }))
}

/// Adds a picture or a video. Sent again with the same key it is added once.
#[utoipa::path(post, path = "/api/admin/media", tag = "admin", params(IdempotencyKey),
    request_body(content = MediaForm, content_type = "multipart/form-data"),
    responses(
    (status = 201, description = "The new file", body = MediaFile),
    (status = 413, description = "The file is too large"),
    (status = 415, description = "Not a form with a file"),
    (status = 422, description = "Neither a picture nor a video, a suspicious name, not one file, or a text that is too long"),
    (status = 429, description = "Too many uploads at once"),
    (status = 503, description = "No room, or not right now"),
))]
pub async fn add_media(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    headers: HeaderMap,
    form: Form,
) -> AppResult<Response> {
    let permit = file_form::permit(&app.forms, me.user_id, caller.address).await?;
    let sent = file_form::read(&app.spool, form, MEDIA_MAX_BYTES, permit).await;
    let content = sent.as_ref().map(|sent| sent.code(&app.keys)).unwrap_or_default();
    let request = Repeatable::named(&headers, "/api/admin/media", content)?;
    store::require_room(&app.db, &app.spool).await?;
    let accepted = match sent {
        Ok(sent) => accept(&app.pictures, &app.spool, sent).await,
        Err(refusal) => Err(refusal),
    };
    let (accepted, alt_text) = images::noted(&app.db, app.clock.now(), &me, &caller, accepted).await?;
    let placed = store::place(&app.db, &app.storage, &app.clock, Folder::Uploads, accepted).await?;
    let kept = async {
        let (now, sender) = (app.clock.now(), me.session_id.to_string());
        let (mut tx, claim) =
            match idempotency::begin(&app.db, &app.keys, request.as_ref(), &sender, now).await? {
                BegunRequest::New(tx, claim) => (tx, claim),
                BegunRequest::Repeated(answer) => return Ok(Kept::Before(answer)),
            };
        let id = placed.keep(&mut tx, &me, &caller, alt_text.as_deref()).await?;
        let row = tx.query(FIND).bind(id).optional::<FileRow>().await?.ok_or_else(AppError::not_found)?;
        Ok(Kept::Now(idempotency::finish(tx, claim, &app.keys, &row.with(Vec::new())).await?))
    };
    let kept = kept.await;
    placed.settle_once(&app.db, kept).await
}

/// The file, and its alternative text.
async fn accept(
    pictures: &Pictures,
    spool: &Spool,
    Sent { file, texts }: Sent,
) -> AppResult<(Accepted, Option<String>)> {
    let alt_text = texts.get("alt_text").map(String::as_str).unwrap_or_default();
    let alt_text = check_site_image_text(alt_text).map_err(|error| AppError::invalid("alt_text", error))?;
    Ok((accept_file(pictures, spool, file).await?, alt_text))
}

async fn accept_file(pictures: &Pictures, spool: &Spool, sent: SentFile) -> AppResult<Accepted> {
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

/// Moves a file to the trash, and takes it out of everything that shows it.
#[utoipa::path(delete, path = "/api/admin/media/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The row's id")), responses(
    (status = 204, description = "Moved to the trash"),
    (status = 404, description = "There is no such file"),
))]
pub async fn remove_media(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    trash::delete_one(&app, &me, &caller, TrashKind::Media, id).await
}
