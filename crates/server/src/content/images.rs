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
    columns::PublicUrl,
    db::{Db, Record, Tx},
    statements,
    tables::Tables,
};
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{app::AppState, lists::Page, picture::PictureSizes};

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT s.id, s.key, s.image_url, s.alt_text, s.description, s.created_at, s.updated_at, s.version, \
                 '/media/' || o.small_key AS image_small_url, o.sizes AS image_sizes, o.width AS image_width, o.height AS image_height \
             FROM public_site_images s LEFT JOIN objects o ON o.key = substr(s.image_url, 8) ",
            $which
        )
    };
}

statements! {
    LIST = select!("ORDER BY s.key");
    FIND = select!("WHERE s.key = $1");
}

const LONGEST_KEY: usize = 100;

/// One site image.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct ImageView {
    /// Where it belongs: `hero_background` is the home page's.
    pub key: String,
    /// The picture.
    pub image_url: PublicUrl,
    /// The picture at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `image_url` in pixels, where known.
    pub image_height: Option<i64>,
    /// The alternative text.
    pub alt_text: Option<String>,
    /// Its purpose.
    pub description: Option<String>,
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
pub async fn list_images(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_IMAGES, || async {
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
