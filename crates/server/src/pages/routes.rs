//! Which paths are pages, what each needs first, and what every other path is answered with.

use std::time::Duration;

use axum::{Router, extract::OriginalUri, response::Response, routing::get};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
    headers::Kind,
    response_cache::CachedResponse,
};
use deadwax_store::tables::Tables;
use http::{HeaderMap, Method, StatusCode, Uri};
use uuid::Uuid;

use super::{
    document::{self, FirstView},
    feed,
    first_picture::{COVER_SIZES, FirstPicture, HERO_SIZES, PORTRAIT_SIZES},
    for_programs,
    head::{Head, Site},
    plain::{PLAIN, Plain},
    sitemap, slash, structured_data,
};
use crate::{
    app::AppState,
    catalogue::{artists, releases},
    content::{images, maintenance, texts},
    hero::HERO_KEY,
};

/// When to look again at a page in maintenance.
const MAINTENANCE_RETRY: Duration = Duration::from_secs(rules::maintenance::RETRY_SECONDS as u64);
const HTML: &str = "text/html; charset=utf-8";

/// All pages, and the answer for every path that is none.
pub fn routes() -> Router<AppState> {
    let mut router = Router::new()
        .route("/", get(home))
        .route("/releases", get(list_releases))
        .route("/artists", get(list_artists))
        .route("/artists/{id}", get(show_artist))
        .route("/feed.xml", get(feed::show_feed))
        .route("/robots.txt", get(for_programs::show_robots))
        .route("/site.webmanifest", get(for_programs::show_manifest))
        .route("/sitemap.xml", get(sitemap::show_sitemap))
        .route("/sitemaps/{name}", get(sitemap::show_part));
    for page in &PLAIN {
        router = router.route(page.path, get(plain));
    }
    router.fallback(other)
}

async fn home(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    let tables = Tables::SITE_CONTENT.and(Tables::SITE_IMAGES).and(Tables::MAINTENANCE);
    app.answer_as("/", &headers, tables, || make_home(&app)).await
}

async fn make_home(app: &AppState) -> AppResult<CachedResponse> {
    let mut view = match begin(app, "/").await? {
        Page::Open(view) => view,
        Page::Closed(view) => return closed(app, "/", &view),
    };
    let texts = texts::all(&app.db).await?;
    let hero = images::find(&app.db, HERO_KEY).await?;
    let of = |key| texts.items.iter().find(|text| text.key == key).map_or("", |text| text.value.as_str());
    let mut head = Head::new(Site::of(app), "/", "", &sentences(of("hero_subtitle"), of("hero_description")));
    if let Some(hero) = &hero {
        let (url, small_url) = (hero.image_url.as_deref(), hero.image_small_url.as_deref());
        // Those who show shared addresses do not read AVIF yet; the small form is a JPEG.
        let is_avif = url.and_then(rules::media_name::content_type) == Some("image/avif");
        head = head.image(Site::of(app), small_url.filter(|_| is_avif).or(url));
        head.first_picture = FirstPicture::new(url, small_url, hero.image_width, HERO_SIZES);
    }
    head.structured_data = Some(structured_data::of_label(Site::of(app))?);
    view.push("/api/content", &texts)?;
    if let Some(hero) = &hero {
        view.push(format!("/api/site-images/{HERO_KEY}"), hero)?;
    }
    finish(app, &app.assets.document, &head, &view)
}

async fn list_releases(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    app.answer_as("/releases", &headers, releases::TABLES.and(Tables::MAINTENANCE), || make_releases(&app))
        .await
}

async fn make_releases(app: &AppState) -> AppResult<CachedResponse> {
    let mut view = match begin(app, "/releases").await? {
        Page::Open(view) => view,
        Page::Closed(view) => return closed(app, "/releases", &view),
    };
    let page =
        releases::page(&app.db, &releases::ListQuery { limit: Some(50), ..releases::ListQuery::default() })
            .await?;
    let cover = page.items.iter().find_map(|release| release.cover_image_url.as_deref());
    let about = format!("Every record released on {}, newest first.", app.label_name);
    let mut head = Head::new(Site::of(app), "/releases", "Releases", &about).image(Site::of(app), cover);
    head.first_picture = page.items.first().and_then(|release| {
        let (url, small_url) = (release.cover_image_url.as_deref(), release.image_small_url.as_deref());
        FirstPicture::new(url, small_url, release.image_width, COVER_SIZES)
    });
    head.structured_data = structured_data::of_releases(Site::of(app), &page.items)?;
    view.push("/api/releases?limit=50", &page)?;
    finish(app, &app.assets.document, &head, &view)
}

async fn list_artists(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    let tables = artists::TABLES.and(Tables::SITE_CONTENT).and(Tables::MAINTENANCE);
    app.answer_as("/artists", &headers, tables, || make_artists(&app)).await
}

async fn make_artists(app: &AppState) -> AppResult<CachedResponse> {
    let mut view = match begin(app, "/artists").await? {
        Page::Open(view) => view,
        Page::Closed(view) => return closed(app, "/artists", &view),
    };
    let page = artists::page(&app.db, &artists::ListQuery { limit: Some(50), cursor: None }).await?;
    view.push("/api/artists?limit=50", &page)?;
    view.push("/api/content", &texts::all(&app.db).await?)?;
    let about = format!("The artists of {}: who they are, and what they have released.", app.label_name);
    let mut head = Head::new(Site::of(app), "/artists", "Artists", &about);
    head.structured_data = structured_data::of_artists(Site::of(app), &page.items)?;
    finish(app, &app.assets.document, &head, &view)
}

async fn show_artist(app: AppState, id: AppResult<PathId>, headers: HeaderMap) -> AppResult<Response> {
    let answer = async {
        let PathId(id) = id?;
        let path = format!("/artists/{id}");
        let tables = artists::TABLES.and(Tables::MAINTENANCE);
        app.answer_as(&path, &headers, tables, || make_artist(&app, id)).await
    };
    match answer.await {
        Err(error) if error.status() == StatusCode::NOT_FOUND => not_found(&app, &headers).await,
        answer => answer,
    }
}

async fn make_artist(app: &AppState, id: Uuid) -> AppResult<CachedResponse> {
    let path = format!("/artists/{id}");
    let mut view = match begin(app, &path).await? {
        Page::Open(view) => view,
        Page::Closed(view) => return closed(app, &path, &view),
    };
    let artist = artists::find(&app.db, id).await?.ok_or_else(AppError::not_found)?;
    let query = releases::ListQuery { artist_id: Some(id.to_string()), limit: Some(50), cursor: None };
    let released = releases::page(&app.db, &query).await?;
    view.push(format!("/api/artists/{id}"), &artist)?;
    view.push(format!("/api/releases?artist_id={id}&limit=50"), &released)?;
    let about = artist.bio.as_deref().map_or_else(
        || format!("{} on {}: releases and links.", artist.name, app.label_name),
        rules::format::preview,
    );
    let mut head = Head::new(Site::of(app), &path, &artist.name, &about)
        .image(Site::of(app), artist.image_url.as_deref());
    head.og_type = "profile";
    head.first_picture = FirstPicture::new(
        artist.image_url.as_deref(),
        artist.image_small_url.as_deref(),
        artist.image_width,
        PORTRAIT_SIZES,
    );
    head.structured_data = Some(structured_data::of_artist(Site::of(app), &artist, &released.items)?);
    finish(app, &app.assets.document, &head, &view)
}

async fn plain(app: AppState, OriginalUri(uri): OriginalUri, headers: HeaderMap) -> AppResult<Response> {
    let Some(page) = PLAIN.iter().find(|page| page.path == uri.path()) else {
        return not_found(&app, &headers).await;
    };
    let tables = Tables::SITE_CONTENT.and(Tables::MAINTENANCE);
    app.answer_as(page.path, &headers, tables, || make_plain(&app, page)).await
}

async fn make_plain(app: &AppState, page: &Plain) -> AppResult<CachedResponse> {
    let mut view = match begin(app, page.path).await? {
        Page::Open(view) => view,
        Page::Closed(view) => return closed(app, page.path, &view),
    };
    if page.path == "/privacy-policy"
        && let Some(policy) = texts::find(&app.db, "privacy_policy").await?
    {
        view.push("/api/content/privacy_policy", &policy)?;
    }
    let head =
        Head::new(Site::of(app), page.path, page.name, &page.sentence.replace("{label}", &app.label_name));
    let head = if page.indexed { head } else { head.unlisted() };
    if page.path.starts_with("/admin") {
        return finish(app, &document::without_frame(&app.assets.document), &head, &view);
    }
    finish(app, &app.assets.document, &head, &view)
}

/// Two texts as sentences, one after the other.
fn sentences(first: &str, second: &str) -> String {
    let first = first.trim();
    let end = if first.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{first}{end} {second}")
}

/// Files of the web app, the way to a page with a slash too many, and the 404 page for everything that looks like a page.
async fn other(
    app: AppState,
    method: Method,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    if let Some(redirect) = slash::redirect(&method, &uri) {
        return Ok(redirect);
    }
    if let Some(file) = app.assets.get(uri.path()) {
        return Ok(file.respond(&headers, app.origin.is_https()));
    }
    if looks_like_a_file(&uri) {
        return Err(AppError::not_found());
    }
    not_found(&app, &headers).await
}

/// A name with an extension, or a hidden one, or anything among the stored files: no page has such an address.
fn looks_like_a_file(uri: &Uri) -> bool {
    uri.path().starts_with("/media/") || uri.path().split('/').any(|part| part.contains('.'))
}

enum Page {
    /// Visitors may see it; so far its first view holds the maintenance settings.
    Open(FirstView),
    /// Visitors get the notice.
    Closed(FirstView),
}

/// Begins the page at `path`: where changes stand, and whether it is in maintenance.
async fn begin(app: &AppState, path: &str) -> AppResult<Page> {
    let mut view = FirstView::new(&app.label_name, app.live.last());
    let settings = maintenance::all(&app.db).await?;
    let key = rules::maintenance::page_key_for_path(path);
    let is_closed = settings
        .items
        .iter()
        .any(|setting| Some(setting.page_key.as_str()) == key && setting.is_maintenance_mode);
    view.push("/api/maintenance", &settings)?;
    Ok(if is_closed { Page::Closed(view) } else { Page::Open(view) })
}

fn finish(app: &AppState, document: &str, head: &Head<'_>, view: &FirstView) -> AppResult<CachedResponse> {
    let html = document::fill(document, &head.render_html()?, view)?;
    Ok(CachedResponse::new(Kind::Page, HTML, html).content_security_policy(app.page_policy.clone()))
}

/// The document of a page in maintenance: shown by browsers all the same, while crawlers come back later.
fn closed(app: &AppState, path: &str, view: &FirstView) -> AppResult<CachedResponse> {
    let head = Head::new(Site::of(app), path, "Maintenance", "This page is currently down for maintenance.")
        .unlisted();
    Ok(finish(app, &app.assets.document, &head, view)?
        .status(StatusCode::SERVICE_UNAVAILABLE)
        .retry_after(MAINTENANCE_RETRY))
}

/// One document for every wrong address, kept under a name that no request can ask for.
async fn not_found(app: &AppState, headers: &HeaderMap) -> AppResult<Response> {
    app.answer_as("404", headers, Tables::MAINTENANCE, || make_not_found(app)).await
}

async fn make_not_found(app: &AppState) -> AppResult<CachedResponse> {
    let (Page::Open(view) | Page::Closed(view)) = begin(app, "404").await?;
    let head =
        Head::new(Site::of(app), "/", "Page not found", "There is no page at this address.").unlisted();
    Ok(finish(app, &app.assets.document, &head, &view)?.status(StatusCode::NOT_FOUND))
}
