//! `/api/oembed`: what other websites show of a release whose address somebody shared (oEmbed 1.0).
//!
//! A link with its cover, and never a frame: nothing of the streaming services is loaded before somebody asks for it.

use axum::{body::Body, response::Response};
use deadwax_config::Origin;
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::ApiQuery,
};
use http::{HeaderMap, StatusCode};
use rules::{image::SMALL_WIDTH, messages::Code};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::head::full_address;
use crate::{
    app::AppState,
    catalogue::{release_detail, releases::ReleaseView},
    content::maintenance,
};

/// How long others may keep an answer, in seconds.
const KEPT_SECONDS: u32 = 3600;

/// `/api/oembed`.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_oembed))
}

/// Of which page, and how large at most. What else is asked is ignored.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OembedQuery {
    /// The address of a release's page.
    pub url: String,
    /// `json`, which is the only one there is.
    pub format: Option<String>,
    /// The widest thumbnail, in pixels.
    pub maxwidth: Option<u32>,
    /// The highest thumbnail, in pixels.
    pub maxheight: Option<u32>,
}

/// A release as others show it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OembedView {
    /// Always `1.0`.
    pub version: &'static str,
    /// Always `link`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The release and its artist.
    pub title: String,
    /// The artist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author_name: Option<String>,
    /// The artist's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author_url: Option<String>,
    /// The label.
    pub provider_name: String,
    /// The label's website.
    pub provider_url: String,
    /// How long this may be kept, in seconds.
    pub cache_age: u32,
    /// The cover in a size that fits; left out with its measures where none does.
    #[serde(flatten)]
    pub thumbnail: Option<Thumbnail>,
}

/// A cover.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names that oEmbed gives them")]
pub(super) struct Thumbnail {
    /// Where it is.
    pub thumbnail_url: String,
    /// Its width in pixels.
    pub thumbnail_width: i64,
    /// Its height in pixels.
    pub thumbnail_height: i64,
}

/// Where the answer about a release is, as its page names it.
pub(super) fn address(origin: &Origin, release: &ReleaseView) -> String {
    let page = origin.link(&release.path());
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("url", &page)
        .append_pair("format", "json")
        .finish();
    origin.link(&format!("/api/oembed?{query}"))
}

/// The slug in the address of a release's page on this website.
fn slug_in(origin: &Origin, address: &str) -> Option<String> {
    let (own, asked) = (Url::parse(&origin.link("/")).ok()?, Url::parse(address).ok()?);
    if own.origin() != asked.origin() {
        return None;
    }
    let slug = asked.path().strip_prefix("/releases/")?;
    Some(slug.strip_suffix('/').unwrap_or(slug).to_owned())
}

/// The largest form of a cover that fits, among those that everybody can show and whose measures are known.
pub(super) fn thumbnail(
    origin: &Origin,
    release: &ReleaseView,
    widest: i64,
    highest: i64,
) -> Option<Thumbnail> {
    let (url, width, height) =
        (release.cover_image_url.as_deref()?, release.image_width?, release.image_height?);
    if width < 1 {
        return None;
    }
    let mut forms = Vec::new();
    if rules::media_name::content_type(url) != Some("image/avif") {
        forms.push((width, url.to_owned()));
    }
    if let Some(small) = &release.image_small_url {
        forms.push((i64::from(SMALL_WIDTH).min(width), small.clone()));
    }
    if let Some(sizes) = &release.image_sizes {
        let sizes = sizes
            .widths
            .iter()
            .map(|size| (i64::from(*size), format!("{}-{size}.{}", sizes.base, sizes.fallback)));
        forms.extend(sizes);
    }
    let fitting = forms.into_iter().filter_map(|(form, url)| {
        let form_height = (height * form + width / 2) / width;
        (form <= widest && form_height <= highest).then_some((form, form_height, url))
    });
    let (thumbnail_width, thumbnail_height, url) = fitting.max_by_key(|(width, ..)| *width)?;
    Some(Thumbnail { thumbnail_url: full_address(origin, &url), thumbnail_width, thumbnail_height })
}

/// What to show of a release elsewhere.
#[utoipa::path(get, path = "/api/oembed", tag = "catalogue", params(OembedQuery), responses(
    (status = 200, description = "The release as a link with its cover", body = OembedView),
    (status = 404, description = "The address is none of a release's page"),
    (status = 422, description = "The query is not valid"),
    (status = 501, description = "Another format than JSON was asked for"),
    (status = 503, description = "The releases are in maintenance"),
))]
async fn show_oembed(
    app: AppState,
    headers: HeaderMap,
    ApiQuery(query): ApiQuery<OembedQuery>,
) -> AppResult<Response> {
    if query.format.is_some_and(|format| !format.eq_ignore_ascii_case("json")) {
        return Err(AppError::from_code(StatusCode::NOT_IMPLEMENTED, Code::BadRequest));
    }
    let slug = slug_in(&app.origin, &query.url).ok_or_else(AppError::not_found)?;
    if maintenance::is_closed(&app.db, "releases").await? {
        return Err(maintenance::closed());
    }
    let slug = release_detail::find_present(&app.db, &slug).await?.unwrap_or(slug);
    let detail = release_detail::find(&app.db, &slug).await?.ok_or_else(AppError::not_found)?;
    let release = &detail.release;
    let most = |asked: Option<u32>| asked.map_or(i64::MAX, i64::from);
    let answer = OembedView {
        version: "1.0",
        kind: "link",
        title: full_title(release),
        author_name: release.artist.as_ref().map(|artist| artist.name.clone()),
        author_url: release.artist.as_ref().map(|artist| app.origin.link(&format!("/artists/{}", artist.id))),
        provider_name: (*app.label_name).to_owned(),
        provider_url: app.origin.link("/"),
        cache_age: KEPT_SECONDS,
        thumbnail: thumbnail(&app.origin, release, most(query.maxwidth), most(query.maxheight)),
    };
    Ok(CachedResponse::json(&answer)?.respond(&headers, app.origin.is_https()).map(Body::from))
}

/// What a release is called where its artist is not beside it.
pub(super) fn full_title(release: &ReleaseView) -> String {
    match &release.artist {
        Some(artist) => format!("{} by {}", release.title, artist.name),
        None => release.title.clone(),
    }
}
