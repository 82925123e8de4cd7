//! The paths of pages, and the answer for every other path.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::{
    Router,
    body::Body,
    extract::{OriginalUri, Path, rejection::PathRejection},
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{Cursor, PathId},
};
use http::{HeaderMap, Method, StatusCode, Uri, header};

use super::{
    address::{Absent, PageAddress},
    feed, icons, letters,
    make::{make, tables},
    painting::{Made, PageRequest},
    plain::{self, PLAIN, Plain, with_query},
    sitemap,
};
use crate::{
    app::AppState,
    catalogue::{
        artists,
        release_detail::{self, moved},
        releases,
    },
    content::maintenance,
};

pub(super) fn routes() -> Router<AppState> {
    let mut router = Router::new()
        .route("/", get(home))
        .route("/releases", get(list_releases))
        .route("/artists", get(list_artists))
        .route("/releases/{slug}", get(show_release))
        .route("/artists/{id}", get(show_artist))
        .route("/letters", get(list_letters))
        .route("/letters/{slug}", get(show_letter))
        .route("/letters.xml", get(letters::show_feed))
        .route("/feed.xml", get(feed::show_feed))
        .route("/robots.txt", get(plain::show_robots))
        .route("/site.webmanifest", get(plain::show_manifest))
        .route("/sitemap.xml", get(sitemap::show_sitemap))
        .route("/sitemaps/{name}", get(sitemap::show_part));
    router = router.merge(icons::routes());
    for page in &PLAIN {
        router = router.route(page.path, get(plain));
    }
    router.fallback(other)
}

async fn home(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    answer(&app, PageAddress::Home, &headers).await
}

/// The page from the cache, or made now.
pub(super) async fn answer(app: &AppState, page: PageAddress, headers: &HeaderMap) -> AppResult<Response> {
    let notice = page.notice();
    match (answer_cached(app, page, headers).await, notice) {
        (Err(error), Some(notice)) if error.code() == maintenance::closed().code() => {
            answer_cached(app, notice, headers).await
        }
        (answer, _) => answer,
    }
}

/// If the page is unpainted, it is queued for painting.
async fn answer_cached(app: &AppState, page: PageAddress, headers: &HeaderMap) -> AppResult<Response> {
    let is_owed = AtomicBool::new(false);
    let answer = app
        .answer_as(&page.name(), headers, tables(&page), || async {
            let Made { response, owed } = make(PageRequest { app, address: &page, is_awaited: true }).await?;
            is_owed.store(owed.is_some(), Ordering::Relaxed);
            Ok(response)
        })
        .await;
    // Queued only once cached: a page that does not exist is not painted later.
    if is_owed.into_inner() {
        app.unpainted.add(page);
    }
    answer
}

/// As [`answer`], or the 404 page of `absent`.
async fn answer_or(
    app: &AppState,
    page: PageAddress,
    absent: Absent,
    headers: &HeaderMap,
) -> AppResult<Response> {
    match answer(app, page, headers).await {
        Err(error) if error.status() == StatusCode::NOT_FOUND => not_found(app, absent, headers).await,
        answer => answer,
    }
}

/// The cursor in a page's address. An error says the one to redirect to: the canonical spelling, or none if it is damaged.
fn position(uri: &Uri, columns: usize) -> Result<Option<String>, Option<String>> {
    let pairs = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let Some(cursor) = pairs.into_iter().find_map(|(name, value)| (name == "cursor").then_some(value)) else {
        return Ok(None);
    };
    let known = Cursor::decode(&cursor, columns).map(|cursor| cursor.encode()).ok();
    if known.as_deref() == Some(&*cursor) { Ok(known) } else { Err(known) }
}

async fn list(
    app: &AppState,
    headers: &HeaderMap,
    position: Result<Option<String>, Option<String>>,
    page: fn(Option<String>) -> PageAddress,
) -> AppResult<Response> {
    match position {
        Ok(cursor) => answer(app, page(cursor), headers).await,
        Err(cursor) => Ok(Redirect::temporary(&page(cursor).name()).into_response()),
    }
}

async fn list_releases(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    let position = position(&uri, releases::CURSOR_COLUMNS);
    let Some(q) = searched(&uri) else {
        return list(&app, &headers, position, PageAddress::Releases).await;
    };
    match position {
        Ok(cursor) => {
            let page = PageAddress::ReleaseSearch(q, cursor);
            let made = make(PageRequest { app: &app, address: &page, is_awaited: true }).await?;
            Ok(made.response.respond(&headers, app.origin.is_https()).map(Body::from))
        }
        Err(cursor) => Ok(Redirect::temporary(&PageAddress::ReleaseSearch(q, cursor).name()).into_response()),
    }
}

fn searched(uri: &Uri) -> Option<String> {
    let pairs = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let (_, value) = pairs.into_iter().find(|(name, _)| name == "q")?;
    rules::search::typed(&value).ok().filter(|typed| !typed.is_empty()).map(str::to_owned)
}

async fn list_artists(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    list(&app, &headers, position(&uri, artists::CURSOR_COLUMNS), PageAddress::Artists).await
}

async fn show_artist(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    id: AppResult<PathId>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(PathId(id)) = id else {
        if let Some(present) = artists::find_in_any_case(&app.db, uri.path()).await? {
            return Ok(moved(&with_query(&format!("/artists/{present}"), &uri)));
        }
        return not_found(&app, Absent::Artist, &headers).await;
    };
    answer_or(&app, PageAddress::Artist(id.into()), Absent::Artist, &headers).await
}

async fn show_release(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    slug: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(slug)) = slug else { return not_found(&app, Absent::Release, &headers).await };
    if rules::slug::is_slug(&slug) {
        match answer(&app, PageAddress::Release(slug.clone()), &headers).await {
            Err(error) if error.status() == StatusCode::NOT_FOUND => {}
            answer => return answer,
        }
    }
    match release_detail::find_present(&app.db, &slug).await? {
        Some(present) => Ok(moved(&with_query(&releases::path(&present), &uri))),
        None => not_found(&app, Absent::Release, &headers).await,
    }
}

async fn list_letters(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    answer(&app, PageAddress::Letters, &headers).await
}

async fn show_letter(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    slug: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(slug)) = slug else { return not_found(&app, Absent::Letter, &headers).await };
    if !rules::slug::is_slug(&slug) {
        return match plain::redirect_misspelt(&Method::GET, &uri) {
            Some(redirect) => Ok(redirect),
            None => not_found(&app, Absent::Letter, &headers).await,
        };
    }
    answer_or(&app, PageAddress::Letter(slug), Absent::Letter, &headers).await
}

async fn plain(app: AppState, OriginalUri(uri): OriginalUri, headers: HeaderMap) -> AppResult<Response> {
    let Some(page) = Plain::at(uri.path()) else { return not_found(&app, Absent::Page, &headers).await };
    answer_or(&app, PageAddress::Plain(page.path), Absent::Imprint, &headers).await
}

/// Serves the web app's files, redirects misspelt page addresses, and answers 404 for everything else.
async fn other(
    app: AppState,
    method: Method,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    if let Some(redirect) = plain::redirect_misspelt(&method, &uri) {
        return Ok(redirect);
    }
    if let Some(file) = app.assets.get(uri.path()) {
        return Ok(file.respond(&headers, app.origin.is_https()).map(Body::from));
    }
    if is_among_files(&uri) || looks_like_a_file(&uri) && !wants_a_page(&headers) {
        return Err(AppError::not_found());
    }
    not_found(&app, Absent::Page, &headers).await
}

/// Paths of stored files and assets, where no page exists.
pub(super) fn is_among_files(uri: &Uri) -> bool {
    ["/media/", "/assets/"].iter().any(|folder| uri.path().starts_with(folder))
}

/// A path with a file name: no page has one, but old links lead there.
pub(super) fn looks_like_a_file(uri: &Uri) -> bool {
    uri.path().split('/').any(|part| part.contains('.'))
}

/// Whether a browser navigates, rather than loading a script or a picture.
pub(super) fn wants_a_page(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .any(|accepted| accepted.to_str().is_ok_and(|types| types.to_ascii_lowercase().contains("text/html")))
}

pub(super) async fn not_found(app: &AppState, absent: Absent, headers: &HeaderMap) -> AppResult<Response> {
    answer(app, PageAddress::NotFound(absent), headers).await
}
