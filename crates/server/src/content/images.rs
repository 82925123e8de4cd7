//! Site images: pictures of the pages themselves, by key; in the back office also replaced, and reset to the default.

use axum::{Json, extract::Path, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_store::{
    columns::{PublicUrl, Timestamp},
    db::{Db, Record, Tx},
    statements,
    tables::Tables,
};
use http::StatusCode;
use rules::{
    hero::{HERO_MAX_BYTES, HeroError, check_hero},
    mark::{MARK_MAX_BYTES, MarkError, check_mark},
    site_image::check_site_image_text,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::{App, AppState, PublicRead},
    auth::guard::Admin,
    editing::lists::Page,
    editing::versions::{SiteImageFields, versioned},
    editing::{self, Editor},
    files::file_form::{self, Form, Sent, SentFile},
    files::hero::HERO_KEY,
    files::library::{
        images,
        store::{self, Accepted, Folder},
    },
    files::picture::{self, PictureSizes},
    trash::{self, kinds::TrashKind, moves},
};

use super::mark::MARK_KEY;

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT s.id, s.key, s.image_url, s.alt_text, s.description, s.created_at, s.updated_at, s.version, \
                 '/media/' || o.small_key AS image_small_url, o.sizes AS image_sizes, o.width AS image_width, o.height AS image_height, \
                 COALESCE(o.sha256 = '0b129cc5989a462fcefb0fd37526768c0a5fe5d366f0e6dc4211cbb2151c607f', FALSE) AS is_default \
             FROM public_site_images s LEFT JOIN objects o ON o.key = substr(s.image_url, 8) ",
            $which
        )
    };
}

statements! {
    LIST = select!("ORDER BY s.key");
    FIND = select!("WHERE s.key = $1");
    UPDATE = "UPDATE site_images SET image_url = $3, alt_text = $4, description = $5, updated_at = $6, version = version + 1 \
        WHERE id = $1 AND version = $2 AND deleted_at IS NULL";
    KEY = "SELECT key, image_url FROM site_images WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    CURRENT = "SELECT image_url FROM site_images WHERE key = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    UPSERT = "INSERT INTO site_images (id, key, image_url, alt_text, description, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6) \
        ON CONFLICT (key) WHERE deleted_at IS NULL DO UPDATE SET image_url = excluded.image_url, alt_text = excluded.alt_text, \
            description = excluded.description, updated_at = excluded.updated_at, version = site_images.version + 1";
}

const LONGEST_KEY: usize = 100;

/// One site image.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ImageView {
    /// Where it belongs: `hero_background` is the home page's, `label_mark` the label's mark.
    pub key: String,
    pub image_url: PublicUrl,
    /// The picture at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `image_url` in pixels, where known.
    pub image_height: Option<i64>,
    pub alt_text: Option<String>,
    /// Its purpose.
    pub description: Option<String>,
    /// Whether it is the default background, on which pages draw the label's colour.
    pub is_default: bool,
}

pub(super) async fn list<R: Record>(db: &Db) -> sqlx::Result<Vec<R>> {
    db.query(LIST).all().await
}

pub(super) async fn find_in<R: Record>(tx: &mut Tx, key: &str) -> sqlx::Result<Option<R>> {
    tx.query(FIND).bind(key).optional().await
}

pub async fn find(db: &Db, key: &str) -> sqlx::Result<Option<ImageView>> {
    if key.len() > LONGEST_KEY || key.contains('\0') {
        return Ok(None);
    }
    db.query(FIND).bind(key).optional().await
}

/// The site images.
#[utoipa::path(get, path = "/api/site-images", tag = "content", responses((status = 200, description = "All site images", body = Page<ImageView>)))]
pub async fn list_images(app: AppState, read: PublicRead) -> AppResult<Response> {
    read.answer(&app, Tables::SITE_IMAGES, || async {
        let items: Vec<ImageView> = list(&app.db).await?;
        CachedResponse::json(&Page { items, next_cursor: None })
    })
    .await
}

/// One site image.
#[utoipa::path(get, path = "/api/site-images/{key}", tag = "content", params(("key" = String, Path, description = "Which image")), responses(
    (status = 200, description = "The image", body = ImageView),
    (status = 404, description = "There is no such image"),
))]
pub async fn show_image(app: AppState, read: PublicRead, Path(key): Path<String>) -> AppResult<Response> {
    read.answer(&app, Tables::SITE_IMAGES, || async {
        let image = find(&app.db, &key).await?.ok_or_else(AppError::not_found)?;
        CachedResponse::json(&image)
    })
    .await
}

/// A site image as admins see it.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct EditableImage {
    pub id: Uuid,
    /// The fields for visitors.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub image: ImageView,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

versioned!(EditableImage: SiteImage, |row| row.id, "site_image" row.image.key);

/// An upload.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct SiteImageForm {
    /// A JPEG, PNG, WebP, GIF or AVIF picture of at most 10 MB; for the mark an SVG or PNG of at most 1 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// At most 500 characters.
    alt_text: Option<String>,
    /// At most 500 characters.
    description: Option<String>,
}

/// The site images, by key.
#[utoipa::path(get, path = "/api/admin/site-images", tag = "admin", responses(
    (status = 200, description = "All site images", body = Page<EditableImage>),
))]
pub async fn list_editable_images(app: AppState, _: Admin) -> AppResult<Json<Page<EditableImage>>> {
    Ok(Json(Page { items: list(&app.db).await?, next_cursor: None }))
}

/// Puts another picture in its place; the file of the one before goes to the trash.
#[utoipa::path(put, path = "/api/admin/site-images/{image}", tag = "admin", params(("image" = String, Path, description = "Its key: `hero_background` or `label_mark`")),
    request_body(content = SiteImageForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The image as it is now", body = EditableImage),
    (status = 422, description = "Not a picture, not one file, or a text that is too long"),
))]
pub async fn replace_image(
    editor: Editor,
    Path(key): Path<String>,
    form: Form,
) -> AppResult<Json<EditableImage>> {
    let permit = file_form::permit(&editor.app.forms, editor.me().user_id, editor.caller.address).await?;
    let most = if key == MARK_KEY { MARK_MAX_BYTES } else { HERO_MAX_BYTES };
    let sent = file_form::read(&editor.app.spool, form, most, permit).await;
    if ![HERO_KEY, MARK_KEY].contains(&key.as_str()) {
        return Err(AppError::not_found());
    }
    let (placed, [alt_text, description]) =
        store::receive(&editor, Folder::Assets, async { accept(&editor.app, &key, sent?).await }).await?;
    let kept = async {
        let by = editor.act();
        let mut tx = by.app.db.begin().await?;
        let before = tx.query(CURRENT).bind(&key).maybe::<String>().await?;
        let former = find_in::<EditableImage>(&mut tx, &key).await?;
        placed.keep(&mut tx, &editor, alt_text.as_deref()).await?;
        tx.query(UPSERT)
            .bind(Uuid::now_v7())
            .bind(&key)
            .bind(placed.url())
            .bind(alt_text.as_deref())
            .bind(description.as_deref())
            .bind(by.now)
            .execute()
            .await?;
        if let Some(before) = before {
            moves::retire(&mut tx, by.mover(), &before).await?;
        }
        let row: EditableImage = find_in(&mut tx, &key).await?.ok_or_else(AppError::not_found)?;
        by.saved(&mut tx, former.as_ref(), &row).await?;
        tx.commit().await?;
        Ok(row)
    };
    let kept = kept.await;
    Ok(Json(placed.settle(&editor.app, kept).await?))
}

/// Restores a version of a site image: its texts, and its picture, if necessary from the trash. If the picture no longer exists, the
/// current one stays. Returns the image, and whether the picture was restored.
pub(crate) async fn put_back(
    editor: &Editor,
    id: Uuid,
    seen: i64,
    fields: SiteImageFields,
) -> AppResult<(EditableImage, bool)> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let found = tx.query(KEY).bind(id).optional::<(String, String)>().await?;
    let (key, present) = found.ok_or_else(AppError::not_found)?;
    let before: EditableImage = find_in(&mut tx, &key).await?.ok_or_else(AppError::not_found)?;
    let is_there = moves::bring_back(&mut tx, by.mover(), &fields.image_url).await?;
    let url = if is_there { &fields.image_url } else { &present };
    let update = tx.query(UPDATE).bind(id).bind(seen).bind(url);
    let update = update.bind(fields.alt_text.as_deref()).bind(fields.description.as_deref()).bind(by.now);
    if update.execute().await? == 0 {
        return Err(editing::stale());
    }
    if *url != present {
        moves::retire(&mut tx, by.mover(), &present).await?;
    }
    let row: EditableImage = find_in(&mut tx, &key).await?.ok_or_else(AppError::not_found)?;
    by.saved(&mut tx, Some(&before), &row).await?;
    tx.commit().await?;
    Ok((row, is_there))
}

async fn accept(
    app: &App,
    key: &str,
    Sent { file, texts }: Sent,
) -> AppResult<(Accepted, [Option<String>; 2])> {
    let alt_text = line("alt_text", texts.get("alt_text"))?;
    let description = line("description", texts.get("description"))?;
    if key == MARK_KEY {
        return Ok((accept_mark(app, file).await?, [alt_text, description]));
    }
    let refused = |error| file_form::refused(error, &HeroError::TooLarge);
    let media_type = images::media_type(&file.head);
    let sent = file.judged(media_type, check_hero).map_err(refused)?;
    let accepted = if media_type == Some("image/avif") {
        // AVIF is not decoded here: its header must at least state its size, and it is stored as sent.
        images::avif_dimensions(&sent.head).zip(sent.spooled).map(|(dimensions, file)| Accepted {
            file,
            original_name: sent.name,
            small: None,
            dimensions: Some(dimensions),
        })
    } else {
        images::opened(app, sent).await?
    };
    Ok((accepted.ok_or_else(|| refused(HeroError::Type))?, [alt_text, description]))
}

/// The mark, written anew.
async fn accept_mark(app: &App, sent: SentFile) -> AppResult<Accepted> {
    let refused = |error| file_form::refused(error, &MarkError::TooLarge);
    let start = sent.head.trim_ascii_start();
    let is_markup = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).starts_with(b"<");
    let media_type = images::media_type(&sent.head).or(is_markup.then_some("image/svg+xml"));
    let sent = sent.judged(media_type, check_mark).map_err(refused)?;
    let Some(file) = &sent.spooled else { return Err(refused(MarkError::Broken)) };
    let bytes = tokio::fs::read(file.path()).await.map_err(AppError::storage_error)?;
    let mark = app.pictures.clean_mark(bytes.into()).await.map_err(picture::failure)?.map_err(refused)?;
    Accepted::mark(&app.spool, sent.name, mark).await
}

fn line(field: &'static str, typed: Option<&String>) -> AppResult<Option<String>> {
    check_site_image_text(typed.map(String::as_str).unwrap_or_default())
        .map_err(|error| AppError::invalid(field, error))
}

/// Moves a site image to the trash with its file. The home page has its default background again, and the label its name alone.
#[utoipa::path(delete, path = "/api/admin/site-images/{image}", tag = "admin", params(("image" = Uuid, Path, description = "The row's id")), responses(
    (status = 204, description = "Moved to the trash"),
))]
pub async fn remove_image(editor: Editor, PathId(id): PathId) -> AppResult<StatusCode> {
    trash::delete_one(&editor, TrashKind::SiteImage, id).await
}
