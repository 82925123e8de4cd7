//! The subject of a page in schema.org's words (JSON-LD). Says only what is stored; leaves out what is unknown.

use deadwax_http::error::AppResult;
use deadwax_store::ids::ArtistId;
use serde_json::{Value, json};

use super::document::script_json;
use crate::{
    app::App,
    catalogue::{
        artists::ArtistView,
        release_detail::{ReleaseDetail, Track},
        releases::ReleaseView,
    },
};

pub(super) fn of_label(app: &App) -> AppResult<String> {
    let mut label = label(app);
    label["logo"] = app.origin.link("/icon-512.png").into();
    in_context(label)
}

pub(super) fn of_releases(app: &App, releases: &[ReleaseView]) -> AppResult<Option<String>> {
    list(releases.iter().map(|release| album(app, release, release.catalog.as_deref())))
}

pub(super) fn of_artists(app: &App, artists: &[ArtistView]) -> AppResult<Option<String>> {
    list(artists.iter().map(|artist| group(app, artist)))
}

pub(super) fn of_artist(app: &App, artist: &ArtistView, releases: &[ReleaseView]) -> AppResult<String> {
    let albums = releases.iter().map(|release| {
        // Artist pages show the numbers from the descriptions, as their discography does.
        let number = Some(release.catalog_label.as_str()).filter(|number| *number != rules::catalog::NONE);
        let mut album = album(app, release, number);
        album["byArtist"] = Value::Null;
        album
    });
    let mut group = group(app, artist);
    group["description"] = json!(artist.bio);
    group["album"] = albums.collect();
    in_context(group)
}

pub(super) fn of_release(app: &App, detail: &ReleaseDetail) -> AppResult<String> {
    let ReleaseDetail { release, tracks, .. } = detail;
    let mut album = album(app, release, release.catalog.as_deref());
    album["description"] = json!(release.description);
    album["sameAs"] = addresses(
        app,
        [
            &release.spotify_url,
            &release.soundcloud_url,
            &detail.apple_music_url,
            &detail.youtube_url,
            &detail.bandcamp_url,
        ],
    );
    album["numTracks"] = json!(Some(tracks.len()).filter(|count| *count > 0));
    album["track"] = tracks.iter().enumerate().map(|(index, track)| recording(index + 1, track)).collect();
    let crumb = |position: usize, name: &str, path: &str| json!({"@type": "ListItem", "position": position, "name": name, "item": app.origin.link(path)});
    let way = json!({"@type": "BreadcrumbList", "itemListElement": [
        crumb(1, &app.label_name(), "/"),
        crumb(2, "Releases", "/releases"),
        crumb(3, &release.title, &release.path()),
    ]});
    in_context(json!({"@graph": [album, way]}))
}

fn recording(place: usize, track: &Track) -> Value {
    json!({
        "@type": "MusicRecording",
        "position": track.position.as_ref().map_or(json!(place), |side| json!(side)),
        "name": track.title,
        "byArtist": track.artist.as_ref().map(|name| json!({"@type": "MusicGroup", "name": name})),
        "duration": track.duration_seconds.map(|seconds| format!("PT{}M{}S", seconds / 60, seconds % 60)),
    })
}

fn in_context(mut thing: Value) -> AppResult<String> {
    thing["@context"] = "https://schema.org".into();
    drop_unknown(&mut thing);
    script_json(&thing)
}

fn drop_unknown(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields
                .retain(|_, field| !field.is_null() && field.as_array().is_none_or(|list| !list.is_empty()));
            fields.values_mut().for_each(drop_unknown);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_unknown),
        _ => {}
    }
}

fn list(things: impl Iterator<Item = Value>) -> AppResult<Option<String>> {
    let items: Vec<_> = things
        .enumerate()
        .map(|(index, item)| json!({"@type": "ListItem", "position": index + 1, "item": item}))
        .collect();
    if items.is_empty() {
        return Ok(None);
    }
    in_context(json!({"@type": "ItemList", "itemListElement": items})).map(Some)
}

fn label(app: &App) -> Value {
    let url = app.origin.link("/");
    json!({"@type": "Organization", "@id": format!("{url}#label"), "name": app.label_name(), "url": url})
}

fn named_group(app: &App, id: ArtistId, name: &str) -> Value {
    let url = app.origin.link(&format!("/artists/{id}"));
    json!({"@type": "MusicGroup", "@id": url, "name": name, "url": url})
}

fn group(app: &App, artist: &ArtistView) -> Value {
    let mut group = named_group(app, artist.id, &artist.name);
    group["image"] = json!(artist.image_url.as_deref().map(|url| app.origin.full_address(url)));
    group["sameAs"] = addresses(
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
    );
    group
}

/// A catalogue number belongs to the album as the label pressed it.
fn album(app: &App, release: &ReleaseView, catalog: Option<&str>) -> Value {
    json!({
        "@type": "MusicAlbum",
        "@id": format!("urn:uuid:{}", release.id),
        "name": release.title,
        "url": app.origin.link(&release.path()),
        "byArtist": release.artist.as_ref().map(|artist| named_group(app, artist.id, &artist.name)),
        "datePublished": release.release_date.as_deref().filter(|date| rules::format::date(date).is_some()),
        "image": release.cover_image_url.as_deref().map(|url| app.origin.full_address(url)),
        "albumRelease": catalog.map(|number| {
            json!({"@type": "MusicRelease", "catalogNumber": number, "recordLabel": label(app)})
        }),
        "sameAs": addresses(app, [&release.spotify_url, &release.soundcloud_url]),
    })
}

fn addresses<const N: usize>(app: &App, stored: [&Option<String>; N]) -> Value {
    stored.into_iter().flatten().map(|url| app.origin.full_address(url)).collect()
}
