//! The words of the embedded answers about artists and releases. Pure: what was looked up goes in, plain text comes out.

use super::plain::{Text, beginning};
use crate::catalogue::{artists::ArtistView, releases::ReleaseView};

/// Characters of a bio or description that an answer quotes.
const QUOTED: usize = 600;

/// Where in a list a page is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// From 1.
    pub(super) page: u32,
    /// Rows of a page.
    pub(super) size: i64,
    /// Rows of the list.
    pub(super) total: i64,
}

impl Place {
    fn pages(self) -> i64 {
        (self.total + self.size - 1) / self.size
    }

    fn heading(self, what: &str, shown: usize) -> String {
        let first = (i64::from(self.page) - 1) * self.size + 1;
        let last = first - 1 + i64::try_from(shown).unwrap_or(0);
        format!("{what} {first}-{last} OF {}", self.total)
    }

    /// How to go on, where there is more.
    fn next(self, text: &mut Text, command: &str) {
        if i64::from(self.page) < self.pages() {
            text.line(&format!("MORE: {command} {}", self.page + 1));
        }
    }

    /// What is said of a page behind the last one.
    fn behind(self, what: &str) -> String {
        format!("NO SUCH PAGE. THE {what} END ON PAGE {}.", self.pages())
    }
}

/// A page of all releases.
pub(super) fn releases(releases: &[ReleaseView], place: Place) -> String {
    let mut text = Text::default();
    if place.total == 0 {
        return text.line("NO RELEASES FOUND").line("The catalogue is empty so far.").finish();
    }
    if releases.is_empty() {
        return text.line(&place.behind("RELEASES")).finish();
    }
    text.line(&place.heading("RELEASES", releases.len())).gap();
    list(&mut text, releases, true);
    text.gap();
    place.next(&mut text, "releases");
    text.link("/releases");
    text.finish()
}

/// A page of all artists.
pub(super) fn artists(artists: &[ArtistView], place: Place) -> String {
    let mut text = Text::default();
    if place.total == 0 {
        return text.line("NO ARTISTS FOUND").line("Nobody is on the label so far.").finish();
    }
    if artists.is_empty() {
        return text.line(&place.behind("ARTISTS")).finish();
    }
    text.line(&place.heading("ARTISTS", artists.len())).gap();
    for artist in artists {
        text.hanging(&format!("{}  {}", artist.name, artist.release_count_label), 2);
        text.link(&artist_path(artist));
    }
    text.gap();
    place.next(&mut text, "artists");
    text.link("/artists");
    text.finish()
}

/// The newest releases.
pub(super) fn latest(newest: &[ReleaseView]) -> String {
    let mut text = Text::default();
    let Some((first, others)) = newest.split_first() else {
        return text.line("NO RELEASES FOUND").line("The catalogue is empty so far.").finish();
    };
    text.line("LATEST RELEASE").gap();
    card(&mut text, first);
    if !others.is_empty() {
        text.gap().line("BEFORE THAT");
        list(&mut text, others, true);
    }
    text.gap().link("/releases");
    text.finish()
}

/// An artist with the newest of the releases.
pub(super) fn artist(artist: &ArtistView, newest: &[ReleaseView]) -> String {
    let mut text = Text::default();
    text.line(&artist.name).line(&artist.release_count_label).gap();
    text.line(
        &artist.bio.as_deref().map_or_else(|| "NO BIO AVAILABLE".to_owned(), |bio| beginning(bio, QUOTED)),
    );
    if !newest.is_empty() {
        text.gap().line("RELEASES");
        list(&mut text, newest, false);
    }
    text.gap().link(&artist_path(artist));
    for link in artist_links(artist) {
        text.link(link);
    }
    text.finish()
}

/// What an artist released.
pub(super) fn works(artist: &ArtistView, newest: &[ReleaseView]) -> String {
    let mut text = Text::default();
    if newest.is_empty() {
        text.line(&format!("No release by {} so far.", artist.name));
    } else {
        text.line(&format!("{} BY {}", artist.release_count_label, artist.name)).gap();
        list(&mut text, newest, false);
        if artist.release_count > i64::try_from(newest.len()).unwrap_or(0) {
            text.line("THE WHOLE DISCOGRAPHY");
        }
    }
    text.link(&artist_path(artist));
    text.finish()
}

/// Where an artist can be heard.
pub(super) fn listen_to_artist(artist: &ArtistView, newest: &[ReleaseView]) -> String {
    let mut text = Text::default();
    text.line(&format!("LISTEN TO {}", artist.name));
    for link in [&artist.spotify_url, &artist.soundcloud_url, &artist.apple_music_url, &artist.youtube_url]
        .into_iter()
        .flatten()
    {
        text.link(link);
    }
    for release in newest.iter().filter(|release| streams(release).next().is_some()) {
        text.gap().line(&release.title);
        for link in streams(release) {
            text.link(link);
        }
    }
    text.gap().line("PLAY a release on the page of the artist.").link(&artist_path(artist));
    text.finish()
}

/// A release.
pub(super) fn release(release: &ReleaseView) -> String {
    let mut text = Text::default();
    card(&mut text, release);
    text.finish()
}

/// When a release came or comes out. `today` is written as dates are stored.
pub(super) fn date(release: &ReleaseView, today: &str) -> String {
    let mut text = Text::default();
    let name = by(release);
    match release.release_date.as_deref() {
        Some(date) if date > today => text.line(&format!("{name} comes out on {}.", release.date_label)),
        Some(_) => text.line(&format!("{name} came out on {}.", release.date_label)),
        None => text.line(&format!("{name} has no date so far.")),
    };
    places(&mut text, release);
    text.finish()
}

/// Who made a release.
pub(super) fn maker(release: &ReleaseView) -> String {
    let mut text = Text::default();
    text.line(&format!("{} is by {}.", release.title, artist_name(release)));
    places(&mut text, release);
    text.finish()
}

/// Where a release can be heard.
pub(super) fn listen_to_release(release: &ReleaseView) -> String {
    let mut text = Text::default();
    if streams(release).next().is_some() {
        text.line(&format!("LISTEN TO {}", by(release)));
    } else {
        text.line(&format!("{} is on no streaming service so far.", by(release)));
    }
    places(&mut text, release);
    text.finish()
}

/// An artist or a release among several that may be meant.
#[derive(Clone, Debug)]
pub(super) enum Candidate {
    Artist(ArtistView),
    Release(ReleaseView),
}

/// All that are called the same.
pub(super) fn choice(candidates: &[Candidate]) -> String {
    let mut text = Text::default();
    choose(&mut text, candidates);
    text.finish()
}

/// Some that might be meant.
pub(super) fn perhaps(candidates: &[Candidate]) -> String {
    let mut text = Text::default();
    text.line("DID YOU MEAN").gap();
    choose(&mut text, candidates);
    text.gap().line("Type help for what can be asked.");
    text.finish()
}

/// Nobody is called that.
pub(super) fn nobody() -> String {
    let mut text = Text::default();
    text.line("This terminal knows the artists and releases of the label, and how to reach it.");
    text.line("Type help for what can be asked.").gap().link("/releases").link("/artists");
    text.finish()
}

/// There is nothing to know yet.
pub(super) fn nothing() -> String {
    let mut text = Text::default();
    text.line("NO RELEASES FOUND").line("NO ARTISTS FOUND").gap();
    text.line("The catalogue is empty so far. Type help for what else can be asked.");
    text.finish()
}

/// Characters of the visitor's own words that an answer repeats.
const REPEATED: usize = 50;

fn repeating(what: &str, name: &str) -> String {
    format!("{what}: {}", beginning(name, REPEATED))
}

/// Stands above an answer about something that was spelt differently.
pub(super) fn nearest_heading(name: &str) -> String {
    repeating("NEAREST MATCH FOR", name)
}

/// Stands above [`choice`] when so many are called the same; `is_all` unless there may be more.
pub(super) fn several_heading(name: &str, count: usize, is_all: bool) -> String {
    repeating(&format!("{}{count} MATCHES FOR", if is_all { "" } else { "FIRST " }), name)
}

/// Stands above an answer that has not found what was asked for.
pub(super) fn no_match_heading(name: &str) -> String {
    repeating("NO MATCH FOR", name)
}

fn artist_path(artist: &ArtistView) -> String {
    format!("/artists/{}", artist.id)
}

fn artist_links(artist: &ArtistView) -> impl Iterator<Item = &str> {
    let services =
        [&artist.spotify_url, &artist.soundcloud_url, &artist.apple_music_url, &artist.youtube_url];
    let own = [&artist.social_links.website, &artist.instagram_url, &artist.social_links.twitter];
    services.into_iter().chain(own).filter_map(Option::as_deref)
}

fn streams(release: &ReleaseView) -> impl Iterator<Item = &str> {
    [&release.spotify_url, &release.soundcloud_url].into_iter().filter_map(Option::as_deref)
}

fn artist_name(release: &ReleaseView) -> &str {
    release.artist.as_ref().map_or("Unknown Artist", |artist| &artist.name)
}

fn by(release: &ReleaseView) -> String {
    format!("{} by {}", release.title, artist_name(release))
}

/// The catalogue number of a release, where it has one.
fn number(release: &ReleaseView) -> Option<String> {
    super::number(release.catalog.clone(), release.catalog_label.clone())
}

fn card(text: &mut Text, release: &ReleaseView) {
    text.line(&release.title);
    let number = number(release);
    let rows = [
        ("ARTIST", artist_name(release)),
        ("CATALOG", number.as_deref().unwrap_or(rules::catalog::NONE)),
        ("DATE", &release.date_label),
    ];
    for (label, value) in rows {
        text.hanging(&format!("{label:<9}{value}"), 9);
    }
    // The number stands above already.
    let is_number =
        |line: &&str| line.trim_start().get(..8).is_some_and(|start| start.eq_ignore_ascii_case("CATALOG:"));
    let description: Vec<&str> =
        release.description.iter().flat_map(|text| text.lines()).filter(|line| !is_number(line)).collect();
    let description = beginning(&description.join("\n"), QUOTED);
    if !description.is_empty() {
        text.gap().line(&description);
    }
    text.gap();
    places(text, release);
}

/// Where to go from a release.
fn places(text: &mut Text, release: &ReleaseView) {
    for link in streams(release) {
        text.link(link);
    }
    match &release.artist {
        Some(artist) => text.link(&format!("/artists/{}", artist.id)),
        None => text.link("/releases"),
    };
}

/// A line for each release: number, date, title and, unless all are of one artist, whose it is.
fn list(text: &mut Text, releases: &[ReleaseView], with_artist: bool) {
    let numbers: Vec<String> = releases.iter().map(|release| number(release).unwrap_or_default()).collect();
    let width = numbers.iter().map(|number| number.chars().count()).max().unwrap_or(0).min(16);
    for (release, number) in releases.iter().zip(numbers) {
        let title = &release.title;
        let whose = if with_artist { format!(" / {}", artist_name(release)) } else { String::new() };
        let column = if width == 0 { String::new() } else { format!("{number:<width$}  ") };
        text.hanging(&format!("{column}{:<10}  {title}{whose}", release.date_label), 2);
    }
}

fn choose(text: &mut Text, candidates: &[Candidate]) {
    for candidate in candidates {
        match candidate {
            Candidate::Artist(artist) => {
                text.hanging(&format!("{}  ARTIST", artist.name), 2).link(&artist_path(artist));
            }
            Candidate::Release(release) => {
                let number = number(release).map_or_else(String::new, |number| format!("  {number}"));
                text.hanging(&format!("{}  RELEASE{number}", by(release)), 2);
                if let Some(artist) = &release.artist {
                    text.link(&format!("/artists/{}", artist.id));
                }
            }
        }
    }
}
