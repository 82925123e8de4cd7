//! `/sitemap.xml`: every indexable page, split into parts if there are many.

use askama::Template;
use axum::{extract::Path, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    headers::Kind,
};
use deadwax_store::{clock::rfc3339, tables::Tables};
use http::HeaderMap;

use super::plain::listed_paths;
use crate::{
    app::AppState,
    catalogue::{artists, releases},
    newsletter::letters::archive,
};

const XML: &str = "application/xml; charset=utf-8";

const PART: i64 = rules::listing::SITEMAP_PART as i64;

const TABLES: Tables = artists::TABLES.and(Tables::SITE_CONTENT).and(archive::TABLES);

#[derive(Template)]
#[template(path = "sitemap.xml")]
struct Part {
    pages: Vec<PageEntry>,
}

struct PageEntry {
    link: String,
    changed_at: Option<String>,
}

#[derive(Template)]
#[template(path = "sitemap_index.xml")]
struct Index {
    links: Vec<String>,
}

pub(super) async fn show_sitemap(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    app.answer_as("/sitemap.xml", &headers, TABLES, || async {
        let (artists, releases) = (artists::count(&app.db).await?, releases::count(&app.db).await?);
        if artists + releases <= PART {
            let mut whole = artists_part(&app, 1).await?;
            whole.pages.append(&mut releases_part(&app, 1).await?.pages);
            return finish(&whole);
        }
        let parts = parts_of_artists(artists) + (releases + PART - 1) / PART;
        finish(&Index { links: (1..=parts).map(|number| app.origin.link(&part_path(number))).collect() })
    })
    .await
}

pub(super) async fn show_part(
    app: AppState,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let number = name.strip_suffix(".xml").and_then(|number| number.parse::<u16>().ok()).map(i64::from);
    // `01.xml` is not another name of the first part.
    let number = number.filter(|number| *number > 0 && name == format!("{number}.xml"));
    let number = number.ok_or_else(AppError::not_found)?;
    app.answer_as(&part_path(number), &headers, TABLES, || async {
        let of_artists = parts_of_artists(artists::count(&app.db).await?);
        let part = if number <= of_artists {
            artists_part(&app, number).await?
        } else {
            releases_part(&app, number - of_artists).await?
        };
        if part.pages.is_empty() {
            return Err(AppError::not_found());
        }
        finish(&part)
    })
    .await
}

fn part_path(number: i64) -> String {
    format!("/sitemaps/{number}.xml")
}

/// Artists fill the first parts, at least one; releases follow.
fn parts_of_artists(artists: i64) -> i64 {
    (artists.max(1) + PART - 1) / PART
}

async fn releases_part(app: &AppState, number: i64) -> AppResult<Part> {
    let changes = releases::list_changes(&app.db, PART, (number - 1) * PART).await?;
    let entry = |release: releases::ReleaseChange| PageEntry {
        link: app.origin.link(&release.path()),
        changed_at: Some(release.updated_at).filter(|at| *at > 0).map(rfc3339),
    };
    Ok(Part { pages: changes.into_iter().map(entry).collect() })
}

async fn artists_part(app: &AppState, number: i64) -> AppResult<Part> {
    let mut pages = Vec::new();
    if number == 1 {
        let label = app.known_label.current(&app.db).await?;
        let letters = archive::list_all(&app.db, &label.time_zone).await?.items;
        let unchanging = listed_paths(label.has_imprint).chain(letters.first().map(|_| "/letters"));
        pages.extend(unchanging.map(|path| PageEntry { link: app.origin.link(path), changed_at: None }));
        pages.extend(letters.iter().map(|letter| PageEntry {
            link: app.origin.link(&letter.path()),
            changed_at: Some(rfc3339(letter.sent_at.0)),
        }));
    }
    for artist in artists::list_changes(&app.db, PART, (number - 1) * PART).await? {
        pages.push(PageEntry {
            link: app.origin.link(&format!("/artists/{}", artist.id)),
            changed_at: Some(artist.changed_at()).filter(|at| *at > 0).map(rfc3339),
        });
    }
    Ok(Part { pages })
}

fn finish(document: &impl Template) -> AppResult<CachedResponse> {
    let xml = document.render().map_err(AppError::internal)?;
    Ok(CachedResponse::new(Kind::Api, XML, xml))
}
