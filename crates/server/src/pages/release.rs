//! The page of one release.

use deadwax_http::error::{AppError, AppResult};

use super::{
    document::FirstView,
    first_picture::{FirstPicture, SLEEVE_SIZES, Stored},
    head::{Head, Site},
    oembed,
    painting::{Made, PageRequest, finish},
    shared_picture, structured_data,
};
use crate::{
    app::AppState,
    catalogue::release_detail::{self, ReleaseDetail},
    unpainted::PageAddress,
};

pub(super) async fn make(request: PageRequest<'_>, slug: &str, mut view: FirstView) -> AppResult<Made> {
    let PageRequest { app, address, .. } = request;
    let detail = release_detail::find(&app.db, slug).await?.ok_or_else(AppError::not_found)?;
    view.push(format!("/api/releases/{slug}"), &detail)?;
    let head = head(app, address, &detail).await?;
    finish(request, &head, &view).await
}

async fn head<'a>(app: &'a AppState, address: &PageAddress, detail: &ReleaseDetail) -> AppResult<Head<'a>> {
    let (site, release) = (Site::of(app), &detail.release);
    let title = oembed::full_title(release);
    let about = release
        .description
        .as_deref()
        .map_or_else(|| format!("{title} on {}.", app.label_name), rules::format::preview);
    let cover = Stored::cover(release);
    let mut head =
        Head::new(site, &address.name(), &title, &about).picture(shared_picture::of(app, cover).await?);
    head.image_facts.push(("og:image:alt", format!("Artwork of {}", release.title)));
    head.og_type = "music.album";
    if let Some(artist) = &release.artist {
        head.properties.push(("music:musician", app.origin.link(&format!("/artists/{}", artist.id))));
    }
    if let Some(date) = release.release_date.as_deref().filter(|date| rules::format::date(date).is_some()) {
        head.properties.push(("music:release_date", date.to_owned()));
    }
    head.oembed = Some(oembed::address(&app.origin, release));
    head.first_picture = FirstPicture::new(cover, SLEEVE_SIZES, false);
    head.structured_data = Some(structured_data::of_release(site, detail)?);
    Ok(head)
}
