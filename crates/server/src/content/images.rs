//! Site images: pictures of the pages themselves, by key.

use axum::{
    extract::{OriginalUri, Path},
    response::Response,
};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    objects, statements,
    tables::Tables,
};
use http::HeaderMap;
use rules::url::public_url;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::AppState, picture::PictureSizes};

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT s.id, s.key, s.image_url, s.alt_text, s.description, s.created_at, s.updated_at, s.version, o.small_key, o.sizes, \
                 o.width, o.height \
             FROM public_site_images s LEFT JOIN objects o ON o.key = substr(s.image_url, 8) ",
            $which
        )
    };
}

statements! {
    LIST = select!("ORDER BY s.key");
    FIND = select!("WHERE s.key = $1");
}

/// Longest key that is worth looking up.
const LONGEST_KEY: usize = 100;

/// What visitors and admins are shown of a site image.
#[derive(sqlx::FromRow)]
pub(super) struct ImageRow {
    pub(super) id: Uuid,
    pub(super) key: String,
    pub(super) image_url: String,
    pub(super) alt_text: Option<String>,
    pub(super) description: Option<String>,
    pub(super) created_at: Micros,
    pub(super) updated_at: Micros,
    pub(super) version: i64,
    pub(super) small_key: Option<String>,
    pub(super) sizes: Option<String>,
    pub(super) width: Option<i64>,
    pub(super) height: Option<i64>,
}

/// One site image.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImageView {
    /// Where it belongs: `hero_background` is the home page's.
    pub key: String,
    /// The picture.
    pub image_url: Option<String>,
    /// The picture at most 640 pixels wide, where this website stores it.
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
}

/// All site images.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImagePage {
    /// The images, by key.
    pub items: Vec<ImageView>,
    /// Always null: there are few.
    pub next_cursor: Option<String>,
}

impl ImageRow {
    fn into_view(self) -> ImageView {
        ImageView {
            key: self.key,
            image_url: public_url(Some(self.image_url)),
            image_small_url: self.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(self.sizes.as_deref()),
            image_width: self.width,
            image_height: self.height,
            alt_text: self.alt_text,
            description: self.description,
        }
    }
}

/// Every image, by key.
pub(super) async fn read_rows(db: &Db) -> sqlx::Result<Vec<ImageRow>> {
    db.query(LIST).all::<ImageRow>().await
}

/// The image of a key as a transaction sees it.
pub(super) async fn read_row(tx: &mut Tx, key: &str) -> sqlx::Result<Option<ImageRow>> {
    tx.query(FIND).bind(key).optional::<ImageRow>().await
}

/// One image, if there is one of that key.
pub async fn find(db: &Db, key: &str) -> sqlx::Result<Option<ImageView>> {
    if key.len() > LONGEST_KEY || key.contains('\0') {
        return Ok(None);
    }
    Ok(db.query(FIND).bind(key).optional::<ImageRow>().await?.map(ImageRow::into_view))
}

/// The site images.
#[utoipa::path(get, path = "/api/site-images", tag = "content", responses((status = 200, description = "All site images", body = ImagePage)))]
pub async fn list_images(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_IMAGES, || async {
        let items = read_rows(&app.db).await?.into_iter().map(ImageRow::into_view).collect();
        CachedResponse::json(&ImagePage { items, next_cursor: None })
    })
    .await
}

/// One site image.
#[utoipa::path(get, path = "/api/site-images/{key}", tag = "content", params(("key" = String, Path, description = "Which image")), responses(
    (status = 200, description = "The image", body = ImageView),
    (status = 404, description = "There is no such image"),
))]
pub async fn show_image(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_IMAGES, || async {
        let image = find(&app.db, &key).await?.ok_or_else(AppError::not_found)?;
        CachedResponse::json(&image)
    })
    .await
}
