//! The page of one release.

use deadwax_http::error::{AppError, AppResult};

use super::{
    document::FirstView,
    first_picture::{FirstPicture, SLEEVE_SIZES, Stored},
    head::{Head, Site},
    oembed,
    painting::{Made, PageRequest, finish},
    structured_data,
};
use crate::{
    app::AppState,
    catalogue::release_detail::{self, ReleaseDetail},
    unpainted::PageAddress,
};

/// The document of a release that is out.
pub(super) async fn make(request: PageRequest<'_>, slug: &str, mut view: FirstView) -> AppResult<Made> {
    let PageRequest { app, address, .. } = request;
    let detail = release_detail::find(&app.db, slug).await?.ok_or_else(AppError::not_found)?;
    view.push(format!("/api/releases/{slug}"), &detail)?;
    let head = head(app, address, &detail)?;
    finish(request, &head, &view).await
}

fn head<'a>(app: &'a AppState, address: &PageAddress, detail: &ReleaseDetail) -> AppResult<Head<'a>> {
    let (site, release) = (Site::of(app), &detail.release);
    let title = oembed::full_title(release);
    let about = release
        .description
        .as_deref()
        .map_or_else(|| format!("{title} on {}.", app.label_name), rules::format::preview);
    // Those who show shared addresses do not read AVIF yet; the other forms are none. Of a cover that lies elsewhere nothing is known.
    let cover = release.cover_image_url.as_deref();
    let measured = oembed::thumbnail(&app.origin, release, i64::MAX, i64::MAX);
    let shared = measured.as_ref().map(|form| form.thumbnail_url.as_str()).or(cover);
    let mut head = Head::new(site, &address.name(), &title, &about).image(site, shared);
    if shared.is_some() {
        head.image_facts.push(("og:image:alt", format!("Artwork of {}", release.title)));
    }
    if let Some(form) = &measured {
        head.image_facts.push(("og:image:width", form.thumbnail_width.to_string()));
        head.image_facts.push(("og:image:height", form.thumbnail_height.to_string()));
    }
    head.og_type = "music.album";
    if let Some(artist) = &release.artist {
        head.properties.push(("music:musician", app.origin.link(&format!("/artists/{}", artist.id))));
    }
    if let Some(date) = release.release_date.as_deref().filter(|date| rules::format::date(date).is_some()) {
        head.properties.push(("music:release_date", date.to_owned()));
    }
    head.oembed = Some(oembed::address(&app.origin, release));
    let stored = Stored {
        url: cover,
        small_url: release.image_small_url.as_deref(),
        width: release.image_width,
        sizes: release.image_sizes.as_ref(),
    };
    head.first_picture = FirstPicture::new(stored, SLEEVE_SIZES, false);
    head.structured_data = Some(structured_data::of_release(site, detail)?);
    Ok(head)
}
