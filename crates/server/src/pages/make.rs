//! How each page is made: its first data, its head, and their document.

use std::time::Duration;

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{live::Audience, tables::Tables};
use http::StatusCode;
use rules::content::IMPRINT;

use super::{
    address::{IMPRINT_PATH, ListStep, PageAddress},
    catalogue,
    document::FirstView,
    head::Head,
    letters,
    painting::{Made, PageRequest, paint_into_document},
    pictures::{self, FirstPicture, HERO_SIZES, Stored},
    plain::Plain,
    structured_data,
};
use crate::{
    app::AppState,
    catalogue::{artists, releases},
    content::{images, label, maintenance, texts},
    files::hero::HERO_KEY,
    newsletter::letters::archive,
};

/// The read by which a page behind a link of the newsletter knows its step; no request answers it.
pub(super) const STEP: &str = "/newsletter/step";

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
    let PageRequest { app, address, .. } = request;
    let name = address.name();
    let path = name.split_once('?').map_or(&*name, |(path, _)| path);
    let (mut view, is_closed) = open_view(app, path).await?;
    if is_closed && address.notice().is_some() {
        return Err(maintenance::closed());
    }
    let head = if is_closed { closed(app, &name) } else { head(app, address, &mut view).await? };
    let Made { response, owed } = paint_into_document(request, &head, &view).await?;
    let response = match address {
        // A status that makes crawlers return later.
        page if is_closed || matches!(page, PageAddress::Closed(_)) => {
            response.status(StatusCode::SERVICE_UNAVAILABLE).retry_after(MAINTENANCE_RETRY)
        }
        PageAddress::NotFound(_) | PageAddress::Newsletter(ListStep::Expired) => {
            response.status(StatusCode::NOT_FOUND)
        }
        _ => response,
    };
    Ok(Made { response, owed })
}

/// Adds the page's own data to `view`.
async fn head(app: &AppState, address: &PageAddress, view: &mut FirstView) -> AppResult<Head> {
    match address {
        PageAddress::Home => home(app, view).await,
        PageAddress::Releases(cursor) => {
            catalogue::releases(app, address, (None, cursor.clone()), view).await
        }
        PageAddress::ReleaseSearch(q, cursor) => {
            catalogue::releases(app, address, (Some(q.clone()), cursor.clone()), view).await
        }
        PageAddress::Release(slug) => catalogue::release(app, address, slug, view).await,
        PageAddress::Artists(cursor) => catalogue::artists(app, address, cursor.clone(), view).await,
        PageAddress::Artist(id) => catalogue::artist(app, address, *id, view).await,
        PageAddress::Letters => letters::list(app, view).await,
        PageAddress::Letter(slug) => letters::letter(app, slug, view).await,
        PageAddress::Plain(path) => plain(app, path, view).await,
        PageAddress::Newsletter(step) => {
            view.push(STEP, step)?;
            let (title, sentence) = words(*step);
            Ok(Head::new(app, "/", title, sentence).unlisted())
        }
        PageAddress::NotFound(absent) => {
            if let Some(url) = absent.read() {
                view.push_absent(url)?;
            }
            Ok(Head::new(app, "/", "Page not found", "There is no page at this address.").unlisted())
        }
        PageAddress::Closed(absent) => Ok(closed(app, absent.path())),
    }
}

async fn home(app: &AppState, view: &mut FirstView) -> AppResult<Head> {
    let texts = texts::all(&app.db, &app.label_name()).await?;
    let hero = images::find(&app.db, HERO_KEY).await?;
    let of = |key| texts.items.iter().find(|text| text.key == key).map_or("", |text| text.value.as_str());
    let mut head = Head::new(app, "/", "", &sentences(of("hero_subtitle"), of("hero_description")));
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
    head.structured_data = Some(structured_data::of_label(app)?);
    view.push("/api/content", &texts)?;
    // Null is data too: the app then shows its own picture.
    view.push(format!("/api/site-images/{HERO_KEY}"), &hero)?;
    Ok(head)
}

fn sentences(first: &str, second: &str) -> String {
    let first = first.trim();
    let end = if first.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{first}{end} {second}")
}

async fn plain(app: &AppState, path: &str, view: &mut FirstView) -> AppResult<Head> {
    let page = Plain::at(path).ok_or_else(AppError::not_found)?;
    if page.path == "/privacy-policy"
        && let Some(policy) = texts::find(&app.db, "privacy_policy", &app.label_name()).await?
    {
        view.push("/api/content/privacy_policy", &policy)?;
    }
    if page.path == IMPRINT_PATH {
        let imprint =
            texts::find(&app.db, IMPRINT, &app.label_name()).await?.ok_or_else(AppError::not_found)?;
        view.push("/api/content/imprint", &imprint)?;
    }
    let head = Head::new(app, page.path, page.name, &page.sentence.replace("{label}", &app.label_name()));
    Ok(if page.indexed { head } else { head.unlisted() })
}

/// Title and description. They show which step it is where nothing runs the page.
const fn words(step: ListStep) -> (&'static str, &'static str) {
    match step {
        ListStep::Confirm => ("Confirm your address", "One press, and you are on the list."),
        ListStep::Confirmed => ("You are on the list", "Your address is confirmed."),
        ListStep::Expired => ("This link is no longer good", "Subscribe again to get another."),
        ListStep::Leave => ("Leave the list", "One press, and no more letters come."),
        ListStep::Left => ("YOU ARE OFF THE LIST.", "No more letters go to this address."),
        ListStep::Back => ("You are back on the list", "Everything is as it was."),
        ListStep::Late => ("That was too long ago", "Subscribe again to come back."),
    }
}

/// The notice of a page in maintenance.
fn closed(app: &AppState, path: &str) -> Head {
    Head::new(app, path, "Maintenance", "This page is currently down for maintenance.").unlisted()
}

/// The beginning of each page, and whether the page at `path` is in maintenance.
async fn open_view(app: &AppState, path: &str) -> AppResult<(FirstView, bool)> {
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
    Ok((first, is_closed))
}

pub(super) async fn first_view(app: &AppState, path: &str) -> AppResult<FirstView> {
    Ok(open_view(app, path).await?.0)
}
