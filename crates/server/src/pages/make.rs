//! How each page is made: its first data, its head, and their document.

use std::time::Duration;

use deadwax_http::error::AppResult;
use deadwax_store::{live::Audience, tables::Tables};
use http::StatusCode;

use super::{
    address::{Absent, PageAddress},
    catalogue,
    document::FirstView,
    head::{Head, Site},
    letters, newsletter_pages,
    painting::{Made, PageRequest, paint_into_document},
    pictures::{self, FirstPicture, HERO_SIZES, Stored},
    plain_pages, structured_data,
};
use crate::{
    app::AppState,
    catalogue::{artists, releases},
    content::{images, label, maintenance, texts},
    files::hero::HERO_KEY,
    newsletter::letters::archive,
};

const MAINTENANCE_RETRY: Duration = Duration::from_secs(rules::maintenance::RETRY_SECONDS as u64);

pub(super) fn tables(page: &PageAddress) -> Tables {
    let made_from = match page {
        PageAddress::Home => Tables::SITE_IMAGES,
        PageAddress::Releases(_) | PageAddress::ReleaseSearch(..) | PageAddress::Release(_) => {
            releases::TABLES
        }
        PageAddress::Artists(_) | PageAddress::Artist(_) => artists::TABLES,
        PageAddress::Letters | PageAddress::Letter(_) => archive::TABLES,
        PageAddress::Plain(_)
        | PageAddress::Newsletter(_)
        | PageAddress::NotFound(_)
        | PageAddress::Closed(_) => Tables::NONE,
    };
    // Each shows the label's name, colour and mark.
    made_from.and(Tables::MAINTENANCE).and(label::TABLES)
}

pub(super) async fn make(request: PageRequest<'_>) -> AppResult<Made> {
    let name = request.address.name();
    let path = name.split_once('?').map_or(&*name, |(path, _)| path);
    let View { first: view, is_closed } = open_view(request.app, path).await?;
    if is_closed && request.address.notice().is_some() {
        return Err(maintenance::closed());
    }
    if is_closed {
        return closed(request, &name, &view).await;
    }
    match request.address {
        PageAddress::Home => make_home(request, view).await,
        PageAddress::Releases(cursor) => {
            catalogue::make_releases(request, (None, cursor.clone()), view).await
        }
        PageAddress::ReleaseSearch(q, cursor) => {
            catalogue::make_releases(request, (Some(q.clone()), cursor.clone()), view).await
        }
        PageAddress::Release(slug) => catalogue::make_release(request, slug, view).await,
        PageAddress::Artists(cursor) => catalogue::make_artists(request, cursor.clone(), view).await,
        PageAddress::Artist(id) => catalogue::make_artist(request, *id, view).await,
        PageAddress::Letters => letters::make_letters(request, view).await,
        PageAddress::Letter(slug) => letters::make_letter(request, slug, view).await,
        PageAddress::Plain(path) => plain_pages::make(request, path, view).await,
        PageAddress::Newsletter(step) => newsletter_pages::make(request, *step, view).await,
        PageAddress::NotFound(absent) => make_not_found(request, *absent, view).await,
        PageAddress::Closed(absent) => closed(request, absent.path(), &view).await,
    }
}

async fn make_home(request: PageRequest<'_>, mut view: FirstView) -> AppResult<Made> {
    let app = request.app;
    let texts = texts::all(&app.db, &app.label_name()).await?;
    let hero = images::find(&app.db, HERO_KEY).await?;
    let of = |key| texts.items.iter().find(|text| text.key == key).map_or("", |text| text.value.as_str());
    let mut head =
        Head::new(&Site::of(app), "/", "", &sentences(of("hero_subtitle"), of("hero_description")));
    if let Some(hero) = &hero {
        let stored = Stored {
            url: hero.image_url.as_deref(),
            small_url: hero.image_small_url.as_deref(),
            width: hero.image_width,
            height: hero.image_height,
            sizes: hero.image_sizes.as_ref(),
        };
        head = head.picture(pictures::shared(app, stored).await?);
        head.first_picture = FirstPicture::new(stored, HERO_SIZES, false);
    }
    head.structured_data = Some(structured_data::of_label(&Site::of(app))?);
    view.push("/api/content", &texts)?;
    // Null is data too: the app then shows its own picture.
    view.push(format!("/api/site-images/{HERO_KEY}"), &hero)?;
    paint_into_document(request, &head, &view).await
}

fn sentences(first: &str, second: &str) -> String {
    let first = first.trim();
    let end = if first.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{first}{end} {second}")
}

async fn make_not_found(request: PageRequest<'_>, absent: Absent, mut view: FirstView) -> AppResult<Made> {
    let site = &Site::of(request.app);
    if let Some(url) = absent.read() {
        view.push_absent(url)?;
    }
    let head = Head::new(site, "/", "Page not found", "There is no page at this address.").unlisted();
    let made = paint_into_document(request, &head, &view).await?;
    Ok(made.map(|response| response.status(StatusCode::NOT_FOUND)))
}

struct View {
    first: FirstView,
    is_closed: bool,
}

async fn open_view(app: &AppState, path: &str) -> AppResult<View> {
    let position = app.live.position(app.live.last_for(Audience::Visitors));
    let label = app.known_label.current(&app.db).await?;
    let mut first = FirstView::new(&label.name, position);
    first.push("/api/label", &*label)?;
    let settings = maintenance::all(&app.db).await?;
    let key = rules::maintenance::page_key_for_path(path);
    let is_closed = settings
        .items
        .iter()
        .any(|setting| Some(setting.page_key.as_str()) == key && setting.is_maintenance_mode);
    first.push("/api/maintenance", &settings)?;
    Ok(View { first, is_closed })
}

pub(super) async fn first_view(app: &AppState, path: &str) -> AppResult<FirstView> {
    Ok(open_view(app, path).await?.first)
}

/// The notice of a page in maintenance, with a status that makes crawlers return later.
async fn closed(request: PageRequest<'_>, path: &str, view: &FirstView) -> AppResult<Made> {
    let sentence = "This page is currently down for maintenance.";
    let head = Head::new(&Site::of(request.app), path, "Maintenance", sentence).unlisted();
    let made = paint_into_document(request, &head, view).await?;
    Ok(made.map(|response| response.status(StatusCode::SERVICE_UNAVAILABLE).retry_after(MAINTENANCE_RETRY)))
}
