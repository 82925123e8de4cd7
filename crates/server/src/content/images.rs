//! Site images: pictures of the pages themselves, by key.

use axum::{
    extract::{OriginalUri, Path, State},
    response::Response,
};
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::AppState,
    catalogue::public_url,
    error::{AppError, AppResult, Problem},
    finished::Finished,
    live::Tables,
    statements,
};

macro_rules! columns {
    () => {
        "SELECT s.key, s.image_url, s.alt_text, s.description, o.small_key, o.width, o.height \
         FROM site_images s LEFT JOIN objects o ON o.key = substr(s.image_url, 8)"
    };
}

statements! {
    LIST = concat!(columns!(), " ORDER BY s.key");
    FIND = concat!(columns!(), " WHERE s.key = $1");
}

/// Longest key that is worth looking up.
const LONGEST_KEY: usize = 100;

#[derive(sqlx::FromRow)]
struct ImageRow {
    key: String,
    image_url: String,
    alt_text: Option<String>,
    description: Option<String>,
    small_key: Option<String>,
    width: Option<i64>,
    height: Option<i64>,
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
            image_small_url: self.small_key.map(|key| format!("/media/{key}")),
            image_width: self.width,
            image_height: self.height,
            alt_text: self.alt_text,
            description: self.description,
        }
    }
}

/// One image, if there is one of that key.
pub async fn find(app: &AppState, key: &str) -> sqlx::Result<Option<ImageView>> {
    if key.len() > LONGEST_KEY || key.contains('\0') {
        return Ok(None);
    }
    Ok(app.db.query(FIND).bind(key).optional::<ImageRow>().await?.map(ImageRow::into_view))
}

/// The site images.
#[utoipa::path(get, path = "/api/site-images", tag = "content", responses((status = 200, description = "All site images", body = ImagePage)))]
pub async fn list_images(
    State(app): State<AppState>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_IMAGES, || async {
        let items =
            app.db.query(LIST).all::<ImageRow>().await?.into_iter().map(ImageRow::into_view).collect();
        Finished::json(&ImagePage { items, next_cursor: None })
    })
    .await
}

/// One site image.
#[utoipa::path(get, path = "/api/site-images/{key}", tag = "content", params(("key" = String, Path, description = "Which image")), responses(
    (status = 200, description = "The image", body = ImageView),
    (status = 404, description = "There is no such image", body = Problem, content_type = "application/problem+json"),
))]
pub async fn show_image(
    State(app): State<AppState>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> AppResult<Response> {
    app.answer(&uri, &headers, Tables::SITE_IMAGES, || async {
        let image = find(&app, &key).await?.ok_or_else(AppError::not_found)?;
        Finished::json(&image)
    })
    .await
}
