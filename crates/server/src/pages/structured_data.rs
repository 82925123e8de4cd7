//! What a page is about, in schema.org's words (JSON-LD). Only what is stored is said; what is unknown is left out.

use deadwax_http::error::AppResult;
use serde::Serialize;
use uuid::Uuid;

use super::{
    document::script_json,
    head::{Site, full_address},
};
use crate::catalogue::{artists::ArtistView, releases::ReleaseView};

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
pub(super) fn of_label(site: Site<'_>) -> AppResult<String> {
    in_context(Organization { logo: Some(site.origin.link("/icon-512.png")), ..label(site) })
}

/// The catalogue's first page; nothing while it is empty.
pub(super) fn of_releases(site: Site<'_>, releases: &[ReleaseView]) -> AppResult<Option<String>> {
    list(releases.iter().map(|release| album(site, release, release.catalog.as_deref())))
}

/// The first page of artists; nothing while there are none.
pub(super) fn of_artists(site: Site<'_>, artists: &[ArtistView]) -> AppResult<Option<String>> {
    list(artists.iter().map(|artist| group(site, artist)))
}

/// One artist with the first page of the artist's releases.
pub(super) fn of_artist(site: Site<'_>, artist: &ArtistView, releases: &[ReleaseView]) -> AppResult<String> {
    // The artist's page names the numbers that the descriptions carry, as its discography does.
    let number = |release: &'_ ReleaseView| release.catalog_label != rules::catalog::NONE;
    let albums = releases.iter().map(|release| MusicAlbum {
        by_artist: None,
        ..album(site, release, number(release).then_some(release.catalog_label.as_str()))
    });
    in_context(MusicGroup {
        description: artist.bio.as_deref(),
        album: albums.collect(),
        ..group(site, artist)
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

fn label(site: Site<'_>) -> Organization<'_> {
    let url = site.origin.link("/");
    Organization { id: format!("{url}#label"), name: site.label_name, url, logo: None }
}

fn named_group<'a>(site: Site<'_>, id: Uuid, name: &'a str) -> MusicGroup<'a> {
    let url = site.origin.link(&format!("/artists/{id}"));
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

fn group<'a>(site: Site<'_>, artist: &'a ArtistView) -> MusicGroup<'a> {
    MusicGroup {
        image: artist.image_url.as_deref().map(|url| full_address(site.origin, url)),
        same_as: addresses(
            site,
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
        ..named_group(site, artist.id, &artist.name)
    }
}

fn album<'a>(site: Site<'a>, release: &'a ReleaseView, catalog: Option<&'a str>) -> MusicAlbum<'a> {
    let date = release.release_date.as_deref().filter(|date| rules::format::date(date).is_some());
    MusicAlbum {
        id: format!("urn:uuid:{}", release.id),
        name: &release.title,
        by_artist: release.artist.as_ref().map(|artist| named_group(site, artist.id, &artist.name)),
        date_published: date,
        image: release.cover_image_url.as_deref().map(|url| full_address(site.origin, url)),
        album_release: catalog
            .map(|catalog_number| MusicRelease { catalog_number, record_label: label(site) }),
        same_as: addresses(site, [&release.spotify_url, &release.soundcloud_url]),
    }
}

fn addresses<const N: usize>(site: Site<'_>, stored: [&Option<String>; N]) -> Vec<String> {
    stored.into_iter().flatten().map(|url| full_address(site.origin, url)).collect()
}
