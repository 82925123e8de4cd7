//! What a page is about, in schema.org's words (JSON-LD). Only what is stored is said; what is unknown is left out.

use deadwax_http::error::AppResult;
use serde::Serialize;
use uuid::Uuid;

use super::{document::script_json, head::Site};
use crate::catalogue::{
    artists::ArtistView,
    release_detail::{ReleaseDetail, Track},
    releases::ReleaseView,
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
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_artist: Option<MusicGroup<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    album_release: Option<MusicRelease<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_tracks: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    track: Vec<MusicRecording<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_as: Vec<String>,
}

/// A place on a record, or in the list (schema.org has a number or a text).
#[derive(Serialize)]
#[serde(untagged)]
enum Position<'a> {
    Side(&'a str),
    Number(usize),
}

/// One track of an album.
#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct MusicRecording<'a> {
    position: Position<'a>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_artist: Option<Named<'a>>,
    /// As ISO 8601 writes spans of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<String>,
}

/// Somebody of whom a name alone is known.
#[derive(Serialize)]
#[serde(tag = "@type", rename = "MusicGroup")]
struct Named<'a> {
    name: &'a str,
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

/// Where a page is, from the home page on.
#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct BreadcrumbList<'a> {
    item_list_element: [Crumb<'a>; 3],
}

#[derive(Serialize)]
#[serde(tag = "@type", rename = "ListItem")]
struct Crumb<'a> {
    position: usize,
    name: &'a str,
    item: String,
}

#[derive(Serialize)]
struct Graph<A, B> {
    #[serde(rename = "@graph")]
    graph: (A, B),
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

/// One release with its tracks, and the way to its page.
pub(super) fn of_release(site: Site<'_>, detail: &ReleaseDetail) -> AppResult<String> {
    let release = &detail.release;
    let more = [&detail.apple_music_url, &detail.youtube_url, &detail.bandcamp_url];
    let mut album = album(site, release, release.catalog.as_deref());
    album.description = release.description.as_deref();
    album.same_as.extend(addresses(site, more));
    album.num_tracks = Some(detail.tracks.len()).filter(|count| *count > 0);
    album.track =
        detail.tracks.iter().enumerate().map(|(index, track)| recording(index + 1, track)).collect();
    let crumb = |position, name, path: &str| Crumb { position, name, item: site.origin.link(path) };
    let way = BreadcrumbList {
        item_list_element: [
            crumb(1, site.label_name, "/"),
            crumb(2, "Releases", "/releases"),
            crumb(3, &release.title, &release.path()),
        ],
    };
    in_context(Graph { graph: (album, way) })
}

fn recording(place: usize, track: &Track) -> MusicRecording<'_> {
    MusicRecording {
        position: track.position.as_deref().map_or(Position::Number(place), Position::Side),
        name: &track.title,
        by_artist: track.artist.as_deref().map(|name| Named { name }),
        duration: track.duration_seconds.map(|seconds| format!("PT{}M{}S", seconds / 60, seconds % 60)),
    }
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
        image: artist.image_url.as_deref().map(|url| site.origin.full_address(url)),
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
        url: site.origin.link(&release.path()),
        description: None,
        by_artist: release.artist.as_ref().map(|artist| named_group(site, artist.id, &artist.name)),
        date_published: date,
        image: release.cover_image_url.as_deref().map(|url| site.origin.full_address(url)),
        album_release: catalog
            .map(|catalog_number| MusicRelease { catalog_number, record_label: label(site) }),
        num_tracks: None,
        track: Vec::new(),
        same_as: addresses(site, [&release.spotify_url, &release.soundcloud_url]),
    }
}

fn addresses<const N: usize>(site: Site<'_>, stored: [&Option<String>; N]) -> Vec<String> {
    stored.into_iter().flatten().map(|url| site.origin.full_address(url)).collect()
}
