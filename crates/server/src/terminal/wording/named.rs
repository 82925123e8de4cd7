//! The wording of answers about one artist or release.

use std::borrow::Cow;

use deadwax_responder::{
    index,
    plain::{Text, beginning, isolated},
};
use rules::{catalog, terminal::QUOTED_MAX, terminal_question::Language};

use super::Wording;
use crate::catalogue::{artists::ArtistView, releases::ReleaseView};

impl Wording {
    pub(in crate::terminal) fn artist(artist: &ArtistView, newest: &[ReleaseView]) -> String {
        let mut text = Text::default();
        text.page(&isolated(&artist.name), &artist_path(artist), "").line(&artist.release_count_label).gap();
        text.line(
            &artist
                .bio
                .as_deref()
                .map_or_else(|| "NO BIO AVAILABLE".to_owned(), |bio| beginning(bio, QUOTED_MAX)),
        );
        if !newest.is_empty() {
            text.gap().line("RELEASES");
            list(&mut text, newest, false);
        }
        text.gap();
        for link in artist_links(artist) {
            text.line(link);
        }
        text.finish()
    }

    pub(in crate::terminal) fn works(self, artist: &ArtistView, newest: &[ReleaseView]) -> String {
        let mut text = Text::default();
        if newest.is_empty() {
            text.line(&match self.language {
                Language::English => format!("No release by {} so far.", isolated(&artist.name)),
                Language::German => format!("Noch kein Release von {}.", isolated(&artist.name)),
            });
        } else {
            text.line(&format!(
                "{} {} {}",
                artist.release_count_label,
                self.say("BY", "VON"),
                isolated(&artist.name)
            ))
            .gap();
            list(&mut text, newest, false);
            if artist.release_count > i64::try_from(newest.len()).unwrap_or(0) {
                text.line(self.say("THE WHOLE DISCOGRAPHY", "DIE GANZE DISKOGRAFIE"));
            }
        }
        text.gap().page(&isolated(&artist.name), &artist_path(artist), "");
        text.finish()
    }

    /// Where an artist can be heard; `to_buy` if the visitor wants to buy.
    pub(in crate::terminal) fn listen_to_artist(
        self,
        artist: &ArtistView,
        newest: &[ReleaseView],
        to_buy: bool,
    ) -> String {
        let mut text = Text::default();
        if to_buy {
            text.line(self.not_on_sale()).gap();
        }
        text.line(&format!("{} {}", self.say("LISTEN TO", "HÖREN:"), isolated(&artist.name)));
        for link in
            [&artist.spotify_url, &artist.soundcloud_url, &artist.apple_music_url, &artist.youtube_url]
                .into_iter()
                .filter_map(|url| url.as_deref())
        {
            text.line(link);
        }
        for release in newest.iter().filter(|release| release.platform_urls().next().is_some()) {
            text.gap().page(&isolated(&release.title), &release.path(), "");
            for link in release.platform_urls() {
                text.line(link);
            }
        }
        text.gap().line(self.say(
            "PLAY a release on the page of the artist.",
            "PLAY auf der Seite des Artists spielt ein Release.",
        ));
        text.page(&isolated(&artist.name), &artist_path(artist), "");
        text.finish()
    }

    fn not_on_sale(self) -> &'static str {
        self.say("The store is not open yet.", "Der Store ist noch nicht offen.")
    }

    pub(in crate::terminal) fn release(release: &ReleaseView) -> String {
        let mut text = Text::default();
        card(&mut text, release);
        text.finish()
    }

    pub(in crate::terminal) fn date(self, release: &ReleaseView, today: &str) -> String {
        let mut text = Text::default();
        let (name, date) = (self.by(release), &release.date_label);
        text.line(&match (self.language, release.release_date.as_deref()) {
            (Language::English, Some(day)) if day > today => format!("{name} comes out on {date}."),
            (Language::English, Some(_)) => format!("{name} came out on {date}."),
            (Language::English, None) => format!("{name} has no date so far."),
            (Language::German, Some(day)) if day > today => format!("{name} erscheint am {date}."),
            (Language::German, Some(_)) => format!("{name} erschien am {date}."),
            (Language::German, None) => format!("{name} hat noch kein Datum."),
        });
        places(&mut text, release);
        text.finish()
    }

    pub(in crate::terminal) fn maker(self, release: &ReleaseView) -> String {
        let mut text = Text::default();
        text.line(&format!(
            "{} {} {}.",
            isolated(&release.title),
            self.say("is by", "ist von"),
            artist_name(release)
        ));
        places(&mut text, release);
        text.finish()
    }

    pub(in crate::terminal) fn listen_to_release(self, release: &ReleaseView, to_buy: bool) -> String {
        let mut text = Text::default();
        if to_buy {
            text.line(self.not_on_sale());
        }
        if release.platform_urls().next().is_some() {
            text.line(&format!("{} {}", self.say("LISTEN TO", "HÖREN:"), self.by(release)));
        } else {
            text.line(&format!(
                "{} {}",
                self.by(release),
                self.say("is on no streaming service so far.", "ist noch auf keinem Streamingdienst.")
            ));
        }
        places(&mut text, release);
        text.finish()
    }
}

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

pub(super) fn artist_name(release: &ReleaseView) -> Cow<'_, str> {
    isolated(release.artist.as_ref().map_or("Unknown Artist", |artist| &artist.name))
}

pub(super) fn number(release: &ReleaseView) -> Option<String> {
    index::number(release.catalog.clone(), release.catalog_label.clone())
}

pub(super) fn card(text: &mut Text, release: &ReleaseView) {
    text.line(&isolated(&release.title));
    let number = number(release);
    let rows = [
        ("ARTIST", &*artist_name(release)),
        ("CATALOG", number.as_deref().unwrap_or(catalog::NONE)),
        ("DATE", &release.date_label),
    ];
    for (label, value) in rows {
        text.line(&format!("{label:<9}{value}"));
    }
    // The number is shown above.
    let description = beginning(&catalog::without_number(release.description.as_deref()), QUOTED_MAX);
    if !description.is_empty() {
        text.gap().line(&description);
    }
    text.gap();
    places(text, release);
}

pub(super) fn places(text: &mut Text, release: &ReleaseView) {
    for link in release.platform_urls() {
        text.line(link);
    }
    text.page(&isolated(&release.title), &release.path(), "");
    if let Some(artist) = &release.artist {
        text.page(&isolated(&artist.name), &format!("/artists/{}", artist.id), "");
    }
}

/// A line for each release: number, date, title, its page and, unless all are by one artist, the artist.
pub(super) fn list(text: &mut Text, releases: &[ReleaseView], with_artist: bool) {
    let numbers: Vec<String> = releases.iter().map(|release| number(release).unwrap_or_default()).collect();
    let width = numbers.iter().map(|number| number.chars().count()).max().unwrap_or(0).min(16);
    for (release, number) in releases.iter().zip(numbers) {
        let title = isolated(&release.title);
        let whose = if with_artist { format!(" / {}", artist_name(release)) } else { String::new() };
        let column = if width == 0 { String::new() } else { format!("{number:<width$}  ") };
        let columns = format!("{column}{:<10}  ", release.date_label);
        text.row(&columns, &format!("{title}{whose}"), &release.path());
    }
}
