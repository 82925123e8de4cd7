//! `/api/oembed`: what other websites show of a shared release (oEmbed 1.0).
//!
//! A link with its cover, never a frame: nothing is loaded from streaming services before a click.

use std::borrow::Cow;

use axum::{body::Body, extract::OriginalUri, response::Response};
use deadwax_config::Origin;
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
};
use http::{HeaderMap, StatusCode};
use percent_encoding::percent_decode_str;
use rules::messages::Code;
use serde::Serialize;
use url::Url;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::pictures::{self, SharedPicture, Stored};
use crate::{
    app::AppState,
    catalogue::{release_detail, releases::ReleaseView},
    content::maintenance,
};

const KEPT_SECONDS: u32 = 3600;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_oembed))
}

/// The page, and the largest thumbnail. The first of repeated parameters counts; unknown ones are ignored, as are bounds that are not
/// numbers.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OembedQuery {
    /// The address of a release's page.
    pub url: String,
    /// `json`, which is the only one there is.
    pub format: Option<String>,
    /// The widest thumbnail, in pixels.
    #[param(value_type = Option<String>)]
    pub maxwidth: Option<u32>,
    /// The highest thumbnail, in pixels.
    #[param(value_type = Option<String>)]
    pub maxheight: Option<u32>,
}

impl OembedQuery {
    fn read(query: &str) -> Option<Self> {
        let first = |name: &str| {
            url::form_urlencoded::parse(query.as_bytes())
                .find_map(|(key, value)| (key == name).then_some(value))
        };
        let edge = |name| first(name)?.trim().parse().ok();
        Some(Self {
            url: first("url")?.trim().to_owned(),
            format: first("format").map(Cow::into_owned),
            maxwidth: edge("maxwidth"),
            maxheight: edge("maxheight"),
        })
    }
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

pub(super) fn address(origin: &Origin, release: &ReleaseView) -> String {
    let page = origin.link(&release.path());
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("url", &page)
        .append_pair("format", "json")
        .finish();
    origin.link(&format!("/api/oembed?{query}"))
}

/// The slug in the address of a release's page, however it is spelt: http or https, with the default port, in capitals, with a slash, a
/// query or a fragment.
fn slug_in(origin: &Origin, address: &str) -> Option<String> {
    let (own, asked) = (Url::parse(&origin.link("/")).ok()?, Url::parse(address).ok()?);
    if !matches!(asked.scheme(), "http" | "https") || place(&own)? != place(&asked)? {
        return None;
    }
    let path = percent_decode_str(asked.path()).decode_utf8().ok()?.to_ascii_lowercase();
    let slug = path.strip_prefix("/releases/")?;
    Some(slug.strip_suffix('/').unwrap_or(slug).to_owned())
}

fn place(address: &Url) -> Option<(&str, Option<u16>)> {
    let host = address.host_str()?;
    let port = address.port().filter(|port| !matches!(port, 80 | 443));
    Some((host.strip_suffix('.').unwrap_or(host), port))
}

/// The preview of a release for other websites.
#[utoipa::path(get, path = "/api/oembed", tag = "catalogue", params(OembedQuery), responses(
    (status = 200, description = "The release as a link with its cover", body = OembedView),
    (status = 404, description = "Not the address of a release"),
    (status = 422, description = "No address is asked for"),
    (status = 501, description = "Another format than JSON was asked for"),
    (status = 503, description = "The releases are in maintenance"),
))]
async fn show_oembed(
    app: AppState,
    headers: HeaderMap,
    OriginalUri(uri): OriginalUri,
) -> AppResult<Response> {
    let query = OembedQuery::read(uri.query().unwrap_or_default())
        .ok_or_else(|| AppError::invalid("query", Code::InvalidQuery))?;
    let format = query.format.as_deref().map(str::trim).filter(|format| !format.is_empty());
    if format.is_some_and(|format| !format.eq_ignore_ascii_case("json")) {
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
    let thumbnail =
        pictures::fitting(&app, Stored::cover(release), most(query.maxwidth), most(query.maxheight));
    let thumbnail = thumbnail.await?.and_then(|SharedPicture { url, measures }| {
        let (thumbnail_width, thumbnail_height) = measures?;
        Some(Thumbnail { thumbnail_url: url, thumbnail_width, thumbnail_height })
    });
    let answer = OembedView {
        version: "1.0",
        kind: "link",
        title: full_title(release),
        author_name: release.artist.as_ref().map(|artist| artist.name.clone()),
        author_url: release.artist.as_ref().map(|artist| app.origin.link(&format!("/artists/{}", artist.id))),
        provider_name: app.known_label.current(&app.db).await?.name.clone(),
        provider_url: app.origin.link("/"),
        cache_age: KEPT_SECONDS,
        thumbnail,
    };
    Ok(CachedResponse::json(&answer)?.respond(&headers, app.origin.is_https()).map(Body::from))
}

pub(super) fn full_title(release: &ReleaseView) -> String {
    match &release.artist {
        Some(artist) => format!("{} by {}", release.title, artist.name),
        None => release.title.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_same_however_it_is_spelt() {
        let own = Origin::parse("https://label.example").unwrap();
        for address in [
            "https://label.example/releases/ren-4",
            "http://label.example/releases/ren-4",
            "https://label.example:443/releases/ren-4/",
            "http://label.example:80/releases/REN-4",
            "HTTPS://LABEL.Example/Releases/REN-4?utm_source=x#tracks",
            "https://label.example./releases/ren%2D4",
        ] {
            assert_eq!(slug_in(&own, address).as_deref(), Some("ren-4"), "{address}");
        }
        for address in [
            "https://label.example:8443/releases/ren-4",
            "https://www.evil.example/releases/ren-4",
            "https://label.example@evil.example/releases/ren-4",
            "ftp://label.example/releases/ren-4",
            "https://label.example/artists/ren-4",
            "//label.example/releases/ren-4",
            "",
        ] {
            assert_eq!(slug_in(&own, address), None, "{address}");
        }
    }

    #[test]
    fn odd_and_repeated_parameters_are_ignored() {
        let query = OembedQuery::read("url=a&url=b&maxwidth=wide&maxheight=&maxheight=3&theme=dark").unwrap();
        assert_eq!((query.url.as_str(), query.maxwidth, query.maxheight), ("a", None, None));
        let query = OembedQuery::read("maxwidth=300&maxwidth=1&url=%20a%20&maxheight=-1").unwrap();
        assert_eq!((query.url.as_str(), query.maxwidth, query.maxheight), ("a", Some(300), None));
        assert!(OembedQuery::read("format=json").is_none());
    }
}
