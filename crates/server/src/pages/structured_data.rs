//! What a page is about, in schema.org's words (JSON-LD). Only what is stored is said; what is unknown is left out.

use serde::Serialize;
use uuid::Uuid;

use super::{document::script_json, head::full_address};
use crate::{
    app::AppState,
    catalogue::{artists::ArtistView, releases::ReleaseView},
    error::AppResult,
};

#[derive(Serialize)]
struct InContext<T> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(flatten)]
    thing: T,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Organization<'a> {
    #[serde(rename = "@id")]
    id: String,
    name: &'a str,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    logo: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct MusicGroup<'a> {
    #[serde(rename = "@id")]
    id: String,
    name: &'a str,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_as: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    album: Vec<MusicAlbum<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct MusicAlbum<'a> {
    #[serde(rename = "@id")]
    id: String,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_artist: Option<MusicGroup<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    album_release: Option<MusicRelease<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_as: Vec<String>,
}

/// The album as the label pressed it: what a catalogue number belongs to.
#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct MusicRelease<'a> {
    catalog_number: &'a str,
    record_label: Organization<'a>,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct ItemList<T> {
    item_list_element: Vec<ListItem<T>>,
}

#[derive(Serialize)]
#[serde(tag = "@type")]
struct ListItem<T> {
    position: usize,
    item: T,
}

/// The label itself.
pub(super) fn of_label(app: &AppState) -> AppResult<String> {
    in_context(Organization { logo: Some(app.origin.link("/icon-512.png")), ..label(app) })
}

/// The catalogue's first page; nothing while it is empty.
pub(super) fn of_releases(app: &AppState, releases: &[ReleaseView]) -> AppResult<Option<String>> {
    list(releases.iter().map(|release| album(app, release, release.catalog.as_deref())))
}

/// The first page of artists; nothing while there are none.
pub(super) fn of_artists(app: &AppState, artists: &[ArtistView]) -> AppResult<Option<String>> {
    list(artists.iter().map(|artist| group(app, artist)))
}

/// One artist with the first page of the artist's releases.
pub(super) fn of_artist(app: &AppState, artist: &ArtistView, releases: &[ReleaseView]) -> AppResult<String> {
    // The artist's page names the numbers that the descriptions carry, as its discography does.
    let number = |release: &'_ ReleaseView| release.catalog_label != rules::catalog::NONE;
    let albums = releases.iter().map(|release| MusicAlbum {
        by_artist: None,
        ..album(app, release, number(release).then_some(release.catalog_label.as_str()))
    });
    in_context(MusicGroup {
        description: artist.bio.as_deref(),
        album: albums.collect(),
        ..group(app, artist)
    })
}

fn in_context<T: Serialize>(thing: T) -> AppResult<String> {
    script_json(&InContext { context: "https://schema.org", thing })
}

fn list<T: Serialize>(things: impl Iterator<Item = T>) -> AppResult<Option<String>> {
    let items: Vec<_> =
        things.enumerate().map(|(index, item)| ListItem { position: index + 1, item }).collect();
    if items.is_empty() { Ok(None) } else { in_context(ItemList { item_list_element: items }).map(Some) }
}

fn label(app: &AppState) -> Organization<'_> {
    let url = app.origin.link("/");
    Organization { id: format!("{url}#label"), name: &app.label_name, url, logo: None }
}

fn named_group<'a>(app: &AppState, id: Uuid, name: &'a str) -> MusicGroup<'a> {
    let url = app.origin.link(&format!("/artists/{id}"));
    MusicGroup {
        id: url.clone(),
        name,
        url,
        description: None,
        image: None,
        same_as: Vec::new(),
        album: Vec::new(),
    }
}

fn group<'a>(app: &AppState, artist: &'a ArtistView) -> MusicGroup<'a> {
    MusicGroup {
        image: artist.image_url.as_deref().map(|url| full_address(&app.origin, url)),
        same_as: addresses(
            app,
            [
                &artist.social_links.website,
                &artist.instagram_url,
                &artist.social_links.twitter,
                &artist.youtube_url,
                &artist.spotify_url,
                &artist.soundcloud_url,
                &artist.apple_music_url,
            ],
        ),
        ..named_group(app, artist.id, &artist.name)
    }
}

fn album<'a>(app: &'a AppState, release: &'a ReleaseView, catalog: Option<&'a str>) -> MusicAlbum<'a> {
    let date = release.release_date.as_deref().filter(|date| rules::format::date(date).is_some());
    MusicAlbum {
        id: format!("urn:uuid:{}", release.id),
        name: &release.title,
        by_artist: release.artist.as_ref().map(|artist| named_group(app, artist.id, &artist.name)),
        date_published: date,
        image: release.cover_image_url.as_deref().map(|url| full_address(&app.origin, url)),
        album_release: catalog
            .map(|catalog_number| MusicRelease { catalog_number, record_label: label(app) }),
        same_as: addresses(app, [&release.spotify_url, &release.soundcloud_url]),
    }
}

fn addresses<const N: usize>(app: &AppState, stored: [&Option<String>; N]) -> Vec<String> {
    stored.into_iter().flatten().map(|url| full_address(&app.origin, url)).collect()
}
