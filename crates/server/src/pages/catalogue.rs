//! The documents of the catalogue's pages: releases, artists, and one of either.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::ids::ArtistId;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    document::FirstView,
    head::Head,
    oembed,
    pictures::{self, COVER_SIZES, FirstPicture, PORTRAIT_SIZES, SLEEVE_SIZES, Stored},
    structured_data,
};
use crate::{
    app::AppState,
    catalogue::{artists, release_detail, releases},
    content::texts,
    pages::address::PageAddress,
};

/// The characters `encodeURIComponent` keeps (ECMA-262, 19.2.6.4): the app looks up its first view by the address it would request.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

fn list_url(path: &str, q: Option<&str>, cursor: Option<&str>) -> String {
    let part = |name: &str, value: Option<&str>| {
        value.map(|value| format!("&{name}={}", utf8_percent_encode(value, COMPONENT))).unwrap_or_default()
    };
    format!("{path}?limit=50{}{}", part("q", q), part("cursor", cursor))
}

pub(super) async fn releases(
    app: &AppState,
    address: &PageAddress,
    (q, cursor): (Option<String>, Option<String>),
    view: &mut FirstView,
) -> AppResult<Head> {
    let url = list_url("/api/releases", q.as_deref(), cursor.as_deref());
    let query = releases::ListQuery { limit: Some(50), q, cursor, ..releases::ListQuery::default() };
    let page = releases::page(&app.db, &query).await?;
    let about = format!("Every record released on {}, newest first.", app.label_name());
    let mut head = Head::new(app, &address.name(), "Releases", &about);
    if let Some(release) = page.items.iter().find(|release| release.cover_image_url.is_some()) {
        head = head.picture(pictures::shared(app, Stored::cover(release)).await?);
    }
    if address.is_search() {
        head = head.unlisted();
    } else {
        head = head.next(app, "/releases", page.next_cursor.as_deref());
        head.structured_data = structured_data::of_releases(app, &page.items)?;
    }
    let first = page.items.first();
    head.first_picture =
        first.and_then(|release| FirstPicture::new(Stored::cover(release), COVER_SIZES, true));
    view.push(url, &page)?;
    Ok(head)
}

pub(super) async fn artists(
    app: &AppState,
    address: &PageAddress,
    cursor: Option<String>,
    view: &mut FirstView,
) -> AppResult<Head> {
    let url = list_url("/api/artists", None, cursor.as_deref());
    let query = artists::ListQuery { limit: Some(50), cursor };
    let page = artists::page(&app.db, &query, &app.label_name()).await?;
    view.push(url, &page)?;
    view.push("/api/content", &texts::all(&app.db, &app.label_name()).await?)?;
    let about = format!("The artists of {}: who they are, and what they have released.", app.label_name());
    let mut head =
        Head::new(app, &address.name(), "Artists", &about).next(app, "/artists", page.next_cursor.as_deref());
    head.structured_data = structured_data::of_artists(app, &page.items)?;
    Ok(head)
}

pub(super) async fn artist(
    app: &AppState,
    address: &PageAddress,
    id: ArtistId,
    view: &mut FirstView,
) -> AppResult<Head> {
    let artist = artists::find(&app.db, id).await?.ok_or_else(AppError::not_found)?.of(&app.label_name());
    let query = releases::ListQuery {
        artist_id: Some(id.to_string()),
        limit: Some(50),
        ..releases::ListQuery::default()
    };
    let released = releases::page(&app.db, &query).await?;
    view.push(format!("/api/artists/{id}"), &artist)?;
    view.push(format!("/api/releases?artist_id={id}&limit=50"), &released)?;
    let about = artist.bio.as_deref().map_or_else(
        || format!("{} on {}: releases and links.", artist.name, app.label_name()),
        rules::format::preview,
    );
    let stored = Stored {
        url: artist.image_url.as_deref(),
        small_url: artist.image_small_url.as_deref(),
        width: artist.image_width,
        height: artist.image_height,
        sizes: artist.image_sizes.as_ref(),
    };
    let mut head =
        Head::new(app, &address.name(), &artist.name, &about).picture(pictures::shared(app, stored).await?);
    head.og_type = "profile";
    head.first_picture = FirstPicture::new(stored, PORTRAIT_SIZES, false);
    head.structured_data = Some(structured_data::of_artist(app, &artist, &released.items)?);
    Ok(head)
}

pub(super) async fn release(
    app: &AppState,
    address: &PageAddress,
    slug: &str,
    view: &mut FirstView,
) -> AppResult<Head> {
    let detail = release_detail::find(&app.db, slug).await?.ok_or_else(AppError::not_found)?;
    view.push(format!("/api/releases/{slug}"), &detail)?;
    let release = &detail.release;
    let title = oembed::full_title(release);
    let about = release
        .description
        .as_deref()
        .map_or_else(|| format!("{title} on {}.", app.label_name()), rules::format::preview);
    let cover = Stored::cover(release);
    let mut head =
        Head::new(app, &address.name(), &title, &about).picture(pictures::shared(app, cover).await?);
    if release.cover_image_url.is_some() {
        head.image_facts.push(("og:image:alt", format!("Artwork of {}", release.title)));
    }
    head.og_type = "music.album";
    if let Some(artist) = &release.artist {
        head.properties.push(("music:musician", app.origin.link(&format!("/artists/{}", artist.id))));
    }
    if let Some(date) = release.release_date.as_deref().filter(|date| rules::format::date(date).is_some()) {
        head.properties.push(("music:release_date", date.to_owned()));
    }
    head.oembed = Some(oembed::address(&app.origin, release));
    head.first_picture = FirstPicture::new(cover, SLEEVE_SIZES, false);
    head.structured_data = Some(structured_data::of_release(app, &detail)?);
    Ok(head)
}
