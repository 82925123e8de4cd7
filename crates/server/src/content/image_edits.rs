//! Site images as admins manage them: the list, another background for the home page, and back to the default one.

use axum::{Json, extract::Path};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_pictures::Pictures;
use deadwax_store::{clock::rfc3339, objects, spool::Spool, statements};
use http::StatusCode;
use rules::{
    hero::{HERO_MAX_BYTES, HeroError, check_hero},
    site_image::check_site_image_text,
    url::public_url,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::images::{ImageRow, read_row, read_rows};
use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits,
    file_form::{self, Form, Sent, SentFile},
    hero::HERO_KEY,
    library::{
        images, sniff,
        store::{self, Accepted, Folder},
    },
    picture::PictureSizes,
    trash::{self, kinds::TrashKind, moves},
    versions::{self, SiteImageFields, VersionKind},
};

statements! {
    UPDATE = "UPDATE site_images SET image_url = $3, alt_text = $4, description = $5, updated_at = $6, version = version + 1 \
        WHERE id = $1 AND version = $2 AND deleted_at IS NULL";
    KEY = "SELECT key FROM site_images WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    CURRENT = "SELECT image_url FROM site_images WHERE key = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    UPSERT = "INSERT INTO site_images (id, key, image_url, alt_text, description, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6) \
        ON CONFLICT (key) WHERE deleted_at IS NULL DO UPDATE SET image_url = excluded.image_url, alt_text = excluded.alt_text, \
            description = excluded.description, updated_at = excluded.updated_at, version = site_images.version + 1";
}

/// A site image as admins see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableImage {
    /// The row's id.
    pub id: Uuid,
    /// Where it belongs: `hero_background` is the home page's.
    pub key: String,
    /// The picture.
    pub image_url: Option<String>,
    /// The picture at most 640 pixels wide; null for AVIF.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `image_url` in pixels, where known.
    pub image_height: Option<i64>,
    /// What it shows, for those who do not see it.
    pub alt_text: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// When the row came.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// What the next edit names in `If-Match`.
    pub version: i64,
}

/// All site images.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableImages {
    /// The images, by key.
    pub items: Vec<EditableImage>,
    /// Always null: there are few.
    pub next_cursor: Option<String>,
}

/// An upload.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct SiteImageForm {
    /// A JPEG, PNG, WebP, GIF or AVIF picture of at most 10 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// At most 500 characters.
    alt_text: Option<String>,
    /// At most 500 characters.
    description: Option<String>,
}

impl From<ImageRow> for EditableImage {
    fn from(row: ImageRow) -> Self {
        Self {
            id: row.id,
            key: row.key,
            image_url: public_url(Some(row.image_url)),
            image_small_url: row.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(row.sizes.as_deref()),
            image_width: row.width,
            image_height: row.height,
            alt_text: row.alt_text,
            description: row.description,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
            version: row.version,
        }
    }
}

/// The site images, by key.
#[utoipa::path(get, path = "/api/admin/site-images", tag = "admin", responses(
    (status = 200, description = "All site images", body = EditableImages),
))]
pub async fn list_editable_images(app: AppState, _: Admin) -> AppResult<Json<EditableImages>> {
    let items = read_rows(&app.db).await?.into_iter().map(EditableImage::from).collect();
    Ok(Json(EditableImages { items, next_cursor: None }))
}

/// Puts another picture in its place; the file of the one before goes to the trash.
#[utoipa::path(put, path = "/api/admin/site-images/{image}", tag = "admin", params(("image" = String, Path, description = "Its key: `hero_background`")),
    request_body(content = SiteImageForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The image as it is now", body = EditableImage),
    (status = 404, description = "There is no such place"),
    (status = 413, description = "The file is too large"),
    (status = 415, description = "Not a form with a file"),
    (status = 422, description = "Not a picture, not one file, or a text that is too long"),
    (status = 429, description = "Too many uploads at once"),
    (status = 503, description = "No room, or not right now"),
))]
pub async fn replace_image(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    Path(key): Path<String>,
    form: Form,
) -> AppResult<Json<EditableImage>> {
    let permit = file_form::permit(&app.forms, me.user_id, caller.address).await?;
    let sent = file_form::read(&app.spool, form, HERO_MAX_BYTES, permit).await;
    if key != HERO_KEY {
        return Err(AppError::not_found());
    }
    store::require_room(&app.db, &app.spool).await?;
    let accepted = match sent {
        Ok(sent) => accept(&app.pictures, &app.spool, sent).await,
        Err(refusal) => Err(refusal),
    };
    let (accepted, alt_text, description) =
        images::noted(&app.db, app.clock.now(), &me, &caller, accepted).await?;
    let placed = store::place(&app.db, &app.storage, &app.clock, Folder::Assets, accepted).await?;
    let kept = async {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let before = tx.query(CURRENT).bind(&key).optional::<(String,)>().await?;
        let former = read_row(&mut tx, &key).await?.map(EditableImage::from);
        placed.keep(&mut tx, &me, &caller, alt_text.as_deref()).await?;
        tx.query(UPSERT)
            .bind(Uuid::now_v7())
            .bind(&key)
            .bind(placed.url())
            .bind(alt_text.as_deref())
            .bind(description.as_deref())
            .bind(now)
            .execute()
            .await?;
        if let Some((before,)) = before {
            moves::retire(&mut tx, &app.origin, &before, Some(me.user_id), now).await?;
        }
        let target = format!("site_image:{key}");
        edits::note(&mut tx, &me, &caller, "data_update", &target, now).await?;
        let row: EditableImage = read_row(&mut tx, &key).await?.ok_or_else(AppError::not_found)?.into();
        versions::keep(&mut tx, VersionKind::SiteImage, me.user_id, now, former.as_ref(), &row).await?;
        tx.commit().await?;
        Ok(row)
    };
    let kept = kept.await;
    Ok(Json(placed.settle(&app.db, kept).await?))
}

/// A site image as a version of it was: its picture, brought back from the trash, and its texts. A picture that is gone stays gone: then
/// the present one keeps its place. Answers the image, and whether that picture is there.
pub(crate) async fn put_back(
    app: &AppState,
    me: &SignedIn,
    caller: &Caller,
    id: Uuid,
    seen: i64,
    fields: SiteImageFields,
) -> AppResult<(EditableImage, bool)> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (key,) = tx.query(KEY).bind(id).optional::<(String,)>().await?.ok_or_else(AppError::not_found)?;
    let before = read_row(&mut tx, &key).await?.ok_or_else(AppError::not_found)?;
    let present = before.image_url.clone();
    let is_there = moves::bring_back(&mut tx, &app.origin, &fields.image_url, Some(me.user_id), now).await?;
    let url = if is_there { &fields.image_url } else { &present };
    let update = tx.query(UPDATE).bind(id).bind(seen).bind(url);
    let update = update.bind(fields.alt_text.as_deref()).bind(fields.description.as_deref()).bind(now);
    if update.execute().await? == 0 {
        return Err(edits::stale());
    }
    if *url != present {
        moves::retire(&mut tx, &app.origin, &present, Some(me.user_id), now).await?;
    }
    edits::note(&mut tx, me, caller, "data_update", &format!("site_image:{key}"), now).await?;
    let row: EditableImage = read_row(&mut tx, &key).await?.ok_or_else(AppError::not_found)?.into();
    versions::keep(&mut tx, VersionKind::SiteImage, me.user_id, now, Some(&before.into()), &row).await?;
    tx.commit().await?;
    Ok((row, is_there))
}

/// The picture that may be stored, its alternative text and its description.
async fn accept(
    pictures: &Pictures,
    spool: &Spool,
    sent: Sent,
) -> AppResult<(Accepted, Option<String>, Option<String>)> {
    let alt_text = line("alt_text", sent.texts.get("alt_text"))?;
    let description = line("description", sent.texts.get("description"))?;
    Ok((picture(pictures, spool, sent.file).await?, alt_text, description))
}

async fn picture(pictures: &Pictures, spool: &Spool, sent: SentFile) -> AppResult<Accepted> {
    let media_type = sniff::media_type(&sent.head);
    let sent = sent.named(media_type);
    check_hero(&sent.info(media_type)).map_err(refused)?;
    if media_type != Some("image/avif") {
        return images::opened(pictures, spool, sent).await?.ok_or_else(|| refused(HeroError::Type));
    }
    // Nothing here opens it: its header must tell its size at least, and it is stored as it came.
    match (sniff::avif_dimensions(&sent.head), sent.spooled) {
        (Some(dimensions), Some(file)) => {
            Ok(Accepted { file, original_name: sent.name, small: None, dimensions: Some(dimensions) })
        }
        _ => Err(refused(HeroError::Type)),
    }
}

fn refused(error: HeroError) -> AppError {
    match error {
        HeroError::Type => AppError::invalid("file", error),
        HeroError::TooLarge => AppError::too_large(error),
    }
}

/// A text of one line without markup; none when nothing is left.
fn line(field: &'static str, typed: Option<&String>) -> AppResult<Option<String>> {
    check_site_image_text(typed.map(String::as_str).unwrap_or_default())
        .map_err(|error| AppError::invalid(field, error))
}

/// Moves a site image to the trash with its file. The home page has its default background again.
#[utoipa::path(delete, path = "/api/admin/site-images/{image}", tag = "admin", params(("image" = Uuid, Path, description = "The row's id")), responses(
    (status = 204, description = "Moved to the trash"),
    (status = 404, description = "There is no such image"),
))]
pub async fn remove_image(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    trash::delete_one(&app, &me, &caller, TrashKind::SiteImage, id).await
}
