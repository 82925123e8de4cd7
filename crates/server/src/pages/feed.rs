//! `/feed.xml`: the newest releases as an Atom feed (RFC 4287).

use askama::Template;
use axum::response::Response;
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    headers::Kind,
};
use deadwax_store::clock::{Micros, rfc3339};
use deadwax_store::tables::Tables;
use http::HeaderMap;
use rules::listing;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    app::AppState,
    catalogue::releases::{self, ReleaseView},
    content::maintenance,
};

const ATOM: &str = "application/atom+xml; charset=utf-8";

#[derive(Template)]
#[template(path = "feed.xml")]
struct Feed<'a> {
    id: String,
    label_name: String,
    /// Of its entries.
    name: &'a str,
    updated: String,
    link: String,
    page_link: String,
    entries: Vec<Entry>,
}

pub(super) struct Entry {
    pub(super) id: Uuid,
    pub(super) title: String,
    pub(super) published: String,
    pub(super) updated: String,
    pub(super) author: String,
    pub(super) link: String,
    pub(super) related: Vec<String>,
    pub(super) text: Option<String>,
}

/// The newest releases; 503 while their page is in maintenance.
pub(super) async fn show_feed(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    let tables = releases::TABLES.and(Tables::MAINTENANCE).and(Tables::SITE_CONTENT);
    app.answer_as("/feed.xml", &headers, tables, || make_feed(&app)).await
}

async fn make_feed(app: &AppState) -> AppResult<CachedResponse> {
    if maintenance::is_closed(&app.db, "releases").await? {
        return Err(maintenance::closed());
    }
    let label = app.known_label.current(&app.db).await?;
    let newest = releases::list_newest(&app.db, listing::FEED.into()).await?;
    let entries = newest.iter().map(|release| entry(app, &label.name, release)).collect();
    let updated_at = newest.iter().map(|release| release.updated_at).max();
    finish(app, &label.name, "/feed.xml", "releases", updated_at, entries)
}

/// The feed at `path` of the entries on the page `/{name}`.
pub(super) fn finish(
    app: &AppState,
    label_name: &str,
    path: &str,
    name: &str,
    updated_at: Option<Micros>,
    entries: Vec<Entry>,
) -> AppResult<CachedResponse> {
    let link = app.origin.link(path);
    let feed = Feed {
        id: feed_id(&link),
        label_name: xml_text(label_name),
        name,
        updated: rfc3339(updated_at.unwrap_or(0)),
        link,
        page_link: app.origin.link(&format!("/{name}")),
        entries,
    };
    let xml = feed.render().map_err(AppError::internal)?;
    Ok(CachedResponse::new(Kind::Api, ATOM, xml))
}

fn entry(app: &AppState, label_name: &str, release: &ReleaseView) -> Entry {
    Entry {
        id: release.id.0,
        title: xml_text(&release.title),
        published: rfc3339(release.out_at()),
        updated: rfc3339(release.updated_at),
        author: xml_text(release.artist.as_ref().map_or(label_name, |artist| &*artist.name)),
        link: app.origin.link(&release.path()),
        related: release.platform_urls().map(|url| app.origin.full_address(url)).collect(),
        text: release.description.as_deref().map(xml_text),
    }
}

/// A stable id for the website's address, as UUID version 8 (RFC 9562).
fn feed_id(link: &str) -> String {
    let digest: [u8; 32] = Sha256::digest(link).into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid().urn().to_string()
}

/// Drops characters that XML forbids even escaped (XML 1.0, §2.2).
pub(super) fn xml_text(text: &str) -> String {
    text.chars()
        .filter(
            |c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..),
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_dropped() {
        assert_eq!(xml_text("a\u{0}b\u{b}c\u{1b}[0m\u{fffe}\n😀ä"), "abc[0m\n😀ä");
    }

    #[test]
    fn a_feeds_id_stays_with_its_address() {
        let id = feed_id("https://label.example/feed.xml");
        assert!(id.starts_with("urn:uuid:"));
        assert_eq!(id, feed_id("https://label.example/feed.xml"));
        assert_ne!(id, feed_id("https://other.example/feed.xml"));
    }
}
