//! The wording of answers about one artist or release.

use super::{
    Text, Wording, beginning,
    rows::{artist_links, artist_name, artist_path, card, list, places, streams},
};
use crate::catalogue::{artists::ArtistView, releases::ReleaseView};
use rules::{terminal::QUOTED_MAX, terminal_question::Language};

impl Wording {
    pub(in crate::terminal) fn artist(artist: &ArtistView, newest: &[ReleaseView]) -> String {
        let mut text = Text::default();
        text.page(&artist.name, &artist_path(artist), "").line(&artist.release_count_label).gap();
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
            text.link(link);
        }
        text.finish()
    }

    pub(in crate::terminal) fn works(self, artist: &ArtistView, newest: &[ReleaseView]) -> String {
        let mut text = Text::default();
        if newest.is_empty() {
            text.line(&match self.language {
                Language::English => format!("No release by {} so far.", artist.name),
                Language::German => format!("Noch kein Release von {}.", artist.name),
            });
        } else {
            text.line(&format!("{} {} {}", artist.release_count_label, self.say("BY", "VON"), artist.name))
                .gap();
            list(&mut text, newest, false);
            if artist.release_count > i64::try_from(newest.len()).unwrap_or(0) {
                text.line(self.say("THE WHOLE DISCOGRAPHY", "DIE GANZE DISKOGRAFIE"));
            }
        }
        text.gap().page(&artist.name, &artist_path(artist), "");
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
        text.line(&format!("{} {}", self.say("LISTEN TO", "HÖREN:"), artist.name));
        for link in
            [&artist.spotify_url, &artist.soundcloud_url, &artist.apple_music_url, &artist.youtube_url]
                .into_iter()
                .filter_map(|url| url.as_deref())
        {
            text.link(link);
        }
        for release in newest.iter().filter(|release| streams(release).next().is_some()) {
            text.gap().page(&release.title, &release.path(), "");
            for link in streams(release) {
                text.link(link);
            }
        }
        text.gap().line(self.say(
            "PLAY a release on the page of the artist.",
            "PLAY auf der Seite des Artists spielt ein Release.",
        ));
        text.page(&artist.name, &artist_path(artist), "");
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
        text.line(&format!("{} {} {}.", release.title, self.say("is by", "ist von"), artist_name(release)));
        places(&mut text, release);
        text.finish()
    }

    pub(in crate::terminal) fn listen_to_release(self, release: &ReleaseView, to_buy: bool) -> String {
        let mut text = Text::default();
        if to_buy {
            text.line(self.not_on_sale());
        }
        if streams(release).next().is_some() {
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
