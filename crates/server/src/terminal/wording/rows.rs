//! Rows alike in every language: a release's card, and lists of releases.

use deadwax_responder::{
    index,
    plain::{Text, beginning},
};
use rules::{catalog::NONE, terminal::QUOTED_MAX};

use crate::catalogue::{artists::ArtistView, releases::ReleaseView};

pub(super) fn artist_path(artist: &ArtistView) -> String {
    format!("/artists/{}", artist.id)
}

pub(super) fn artist_links(artist: &ArtistView) -> impl Iterator<Item = &str> {
    let services: [&Option<String>; 4] =
        [&artist.spotify_url, &artist.soundcloud_url, &artist.apple_music_url, &artist.youtube_url];
    let own: [&Option<String>; 3] =
        [&artist.social_links.website, &artist.instagram_url, &artist.social_links.twitter];
    services.into_iter().chain(own).filter_map(Option::as_deref)
}

pub(super) fn streams(release: &ReleaseView) -> impl Iterator<Item = &str> {
    [&release.spotify_url, &release.soundcloud_url].into_iter().filter_map(|url| url.as_deref())
}

pub(super) fn artist_name(release: &ReleaseView) -> &str {
    release.artist.as_ref().map_or("Unknown Artist", |artist| &artist.name)
}

pub(super) fn number(release: &ReleaseView) -> Option<String> {
    index::number(release.catalog.clone(), release.catalog_label.clone())
}

pub(super) fn card(text: &mut Text, release: &ReleaseView) {
    text.line(&release.title);
    let number = number(release);
    let rows = [
        ("ARTIST", artist_name(release)),
        ("CATALOG", number.as_deref().unwrap_or(NONE)),
        ("DATE", &release.date_label),
    ];
    for (label, value) in rows {
        text.hanging(&format!("{label:<9}{value}"), 9);
    }
    // The number is shown above.
    let is_number =
        |line: &&str| line.trim_start().get(..8).is_some_and(|start| start.eq_ignore_ascii_case("CATALOG:"));
    let description: Vec<&str> =
        release.description.iter().flat_map(|text| text.lines()).filter(|line| !is_number(line)).collect();
    let description = beginning(&description.join("\n"), QUOTED_MAX);
    if !description.is_empty() {
        text.gap().line(&description);
    }
    text.gap();
    places(text, release);
}

pub(super) fn places(text: &mut Text, release: &ReleaseView) {
    for link in streams(release) {
        text.link(link);
    }
    text.page(&release.title, &release.path(), "");
    if let Some(artist) = &release.artist {
        text.page(&artist.name, &format!("/artists/{}", artist.id), "");
    }
}

/// A line for each release: number, date, title, its page and, unless all are by one artist, the artist.
pub(super) fn list(text: &mut Text, releases: &[ReleaseView], with_artist: bool) {
    let numbers: Vec<String> = releases.iter().map(|release| number(release).unwrap_or_default()).collect();
    let width = numbers.iter().map(|number| number.chars().count()).max().unwrap_or(0).min(16);
    for (release, number) in releases.iter().zip(numbers) {
        let title = &release.title;
        let whose = if with_artist { format!(" / {}", artist_name(release)) } else { String::new() };
        let column = if width == 0 { String::new() } else { format!("{number:<width$}  ") };
        let columns = format!("{column}{:<10}  ", release.date_label);
        text.row(&columns, &format!("{title}{whose}"), &release.path());
    }
}
