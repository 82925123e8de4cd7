//! The wording of embedded answers, in the language of the question. Pure. Fixed answers about the label are in
//! [`rules::terminal_answer`].

mod named;

use deadwax_responder::plain::{Text, beginning, clean, isolated};
use rules::{
    content::NAME_IN_TEXTS,
    terminal::{PAGE_ROWS, REPEATED_MAX},
    terminal_answer::{self, Answer, Page, link, say},
    terminal_question::Language,
};

use crate::catalogue::{artists::ArtistView, releases::ReleaseView};
use named::{artist_name, artist_path, card, list, number};

/// Rows of a page.
pub(super) const PAGE: i64 = PAGE_ROWS as i64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Wording {
    pub(super) language: Language,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) page: u32,
    pub(super) total: i64,
}

impl Place {
    fn pages(self) -> i64 {
        (self.total + PAGE - 1) / PAGE
    }
}

#[derive(Clone, Debug)]
pub(super) enum Candidate {
    Artist(ArtistView),
    Release(ReleaseView),
}

impl Wording {
    fn say(self, english: &'static str, german: &'static str) -> &'static str {
        say(self.language, english, german)
    }

    fn page(self, text: &mut Text, page: Page) {
        let link = link(page, self.language);
        text.page(link.name, link.path, "");
    }

    pub(super) fn fixed(answer: &Answer) -> String {
        let mut text = Text::default();
        if !answer.title.is_empty() {
            text.line(answer.title);
        }
        text.line(&answer.text).gap();
        for terminal_answer::Link { name, path } in &answer.links {
            text.page(name, path, "");
        }
        text.finish()
    }

    pub(super) fn help(self) -> String {
        let mut text = Text::default();
        text.line(self.say("COMMANDS", "BEFEHLE"));
        for (command, english, german) in [
            ("help", "this list", "diese Liste"),
            ("latest", "what came out last", "was zuletzt erschien"),
            ("releases", "newest first", "neueste zuerst"),
            ("releases 2", "the next page", "die nächste Seite"),
            ("artists", "the label's artists", "alle auf dem Label"),
            ("artist NAME", "one artist", "ein Artist"),
            ("release TITLE", "by title or number", "Titel oder Nummer"),
        ] {
            text.line(&format!("  {command:<15}{}", self.say(english, german)));
        }
        text.gap().line(self.say("OR ASK", "ODER FRAG"));
        for (english, german) in [
            ("who is NAME", "wer ist NAME"),
            ("what did NAME release", "was hat NAME veröffentlicht"),
            ("when did TITLE come out", "wann kam TITEL raus"),
            ("where can I listen to TITLE", "wo kann ich TITEL hören"),
            ("releases from 2024", "Releases aus 2024"),
            ("how do I send a demo", "wie schicke ich ein Demo"),
            ("contact, booking, newsletter", "Kontakt, Booking, Newsletter"),
            ("store, privacy, account", "Store, Datenschutz, Konto"),
        ] {
            text.line(&format!("  {}", self.say(english, german)));
        }
        text.finish()
    }

    pub(super) fn hello(self, label: &str) -> String {
        let greeting = format!("{label}. {}", self.say("CONNECTION OPEN.", "VERBINDUNG STEHT."));
        let about = self.say(
            "Ask about artists and releases, or type help.",
            "Frag nach Artists und Releases, oder tippe help.",
        );
        Text::default().line(&greeting).line(about).finish()
    }

    pub(super) fn label(self, label: &str, artists: i64, releases: i64) -> String {
        let mut text = Text::default();
        text.line(label).line(if label == NAME_IN_TEXTS {
            self.say(
                "An independent record label, run as a collective of artists.",
                "Ein unabhängiges Label, geführt als Kollektiv von Artists.",
            )
        } else {
            self.say("An independent record label.", "Ein unabhängiges Label.")
        });
        text.line(&format!("{}, {}.", counted(releases, "RELEASE"), counted(artists, "ARTIST"))).gap();
        self.page(&mut text, Page::Releases);
        self.page(&mut text, Page::Artists);
        text.finish()
    }

    pub(super) fn releases(self, releases: &[ReleaseView], place: Place) -> String {
        if place.total == 0 {
            return self.no_releases();
        }
        let rows = |text: &mut Text| list(text, releases, true);
        self.paged("RELEASES", Page::Releases, place, releases.len(), rows)
    }

    pub(super) fn artists(self, artists: &[ArtistView], place: Place) -> String {
        if place.total == 0 {
            let so_far = self.say("Nobody is on the label so far.", "Noch ist niemand auf dem Label.");
            return Text::default().line("NO ARTISTS FOUND").line(so_far).finish();
        }
        self.paged("ARTISTS", Page::Artists, place, artists.len(), |text| {
            for artist in artists {
                text.page(&isolated(&artist.name), &artist_path(artist), &artist.release_count_label);
            }
        })
    }

    fn paged(
        self,
        what: &str,
        page: Page,
        place: Place,
        shown: usize,
        rows: impl FnOnce(&mut Text),
    ) -> String {
        let (mut text, pages) = (Text::default(), place.pages());
        if shown == 0 {
            text.line(&match self.language {
                Language::English => format!("NO SUCH PAGE. THE {what} END ON PAGE {pages}."),
                Language::German => format!("KEINE SOLCHE SEITE. DIE {what} ENDEN AUF SEITE {pages}."),
            });
            return text.finish();
        }
        let first = (i64::from(place.page) - 1) * PAGE + 1;
        let last = first - 1 + i64::try_from(shown).unwrap_or(0);
        text.line(&format!("{what} {first}-{last} {} {}", self.say("OF", "VON"), place.total)).gap();
        rows(&mut text);
        text.gap();
        if i64::from(place.page) < pages {
            let command = what.to_ascii_lowercase();
            text.line(&format!("{}: {command} {}", self.say("MORE", "MEHR"), place.page + 1));
        }
        self.page(&mut text, page);
        text.finish()
    }

    fn no_releases(self) -> String {
        let so_far = self.say("The catalogue is empty so far.", "Der Katalog ist noch leer.");
        Text::default().line("NO RELEASES FOUND").line(so_far).finish()
    }

    pub(super) fn latest(self, newest: &[ReleaseView]) -> String {
        let mut text = Text::default();
        let Some((first, others)) = newest.split_first() else { return self.no_releases() };
        text.line(self.say("LATEST RELEASE", "NEUESTES RELEASE")).gap();
        card(&mut text, first);
        if !others.is_empty() {
            text.gap().line(self.say("BEFORE THAT", "DAVOR"));
            list(&mut text, others, true);
        }
        text.gap();
        self.page(&mut text, Page::Releases);
        text.finish()
    }

    pub(super) fn oldest(self, first: Option<&ReleaseView>) -> String {
        let Some(first) = first else { return self.no_releases() };
        let mut text = Text::default();
        text.line(self.say("FIRST RELEASE", "ERSTES RELEASE")).gap();
        card(&mut text, first);
        text.finish()
    }

    pub(super) fn since(self, first: Option<&ReleaseView>) -> String {
        let mut text = Text::default();
        text.line("LABEL").line(self.say(
            "This site does not say when it was founded.",
            "Wann es gegründet wurde, steht hier nicht.",
        ));
        if let Some(first) = first {
            text.line(&format!(
                "{}: {}, {}.",
                self.say("The first release in the catalogue", "Das erste Release im Katalog"),
                self.by(first),
                first.date_label
            ));
        }
        text.gap();
        self.page(&mut text, Page::Releases);
        self.page(&mut text, Page::Contact);
        text.finish()
    }

    pub(super) fn upcoming(self, upcoming: &[ReleaseView]) -> String {
        let mut text = Text::default();
        if upcoming.is_empty() {
            text.line(self.say("No release is announced so far.", "Kein Release ist angekündigt.")).gap();
        } else {
            text.line(self.say("COMING UP", "DEMNÄCHST")).gap();
            list(&mut text, upcoming, true);
            text.gap();
        }
        self.page(&mut text, Page::Releases);
        self.page(&mut text, Page::Home);
        text.finish()
    }

    pub(super) fn dated(self, releases: &[ReleaseView], span: &str, total: i64) -> String {
        let mut text = Text::default();
        if releases.is_empty() {
            text.line(&format!(
                "{} {span}.",
                self.say("No release has a date in", "Kein Release hat ein Datum in")
            ));
        } else {
            text.line(&format!("{}, {span}", counted(total, "RELEASE"))).gap();
            list(&mut text, releases, true);
            if total > i64::try_from(releases.len()).unwrap_or(0) {
                text.line(self.say(
                    "The newest of them. The page has all.",
                    "Die neuesten davon. Alle sind auf der Seite.",
                ));
            }
        }
        text.gap();
        self.page(&mut text, Page::Releases);
        text.finish()
    }

    pub(super) fn choice(self, candidates: &[Candidate]) -> String {
        let mut text = Text::default();
        self.choose(&mut text, candidates);
        text.finish()
    }

    pub(super) fn perhaps(self, candidates: &[Candidate]) -> String {
        let mut text = Text::default();
        text.line(self.say("DID YOU MEAN", "MEINTEST DU")).gap();
        self.choose(&mut text, candidates);
        text.gap();
        self.ways_on(&mut text);
        text.finish()
    }

    pub(super) fn not_found(self) -> String {
        let mut text = Text::default();
        text.line(self.say(
            "This terminal knows the artists and releases of the label, and how to reach it.",
            "Dieses Terminal kennt die Artists und Releases des Labels, und wie man es erreicht.",
        ));
        self.ways_on(&mut text);
        text.finish()
    }

    fn ways_on(self, text: &mut Text) {
        text.line(
            self.say("Type help for what can be asked.", "Tippe help, um zu sehen, was man fragen kann."),
        )
        .gap();
        for page in [Page::Releases, Page::Artists, Page::Contact, Page::Demo] {
            self.page(text, page);
        }
    }

    pub(super) fn nothing(self) -> String {
        let mut text = Text::default();
        text.line("NO RELEASES FOUND").line("NO ARTISTS FOUND").gap();
        text.line(self.say("The catalogue is empty so far.", "Der Katalog ist noch leer."));
        self.ways_on(&mut text);
        text.finish()
    }

    fn by(self, release: &ReleaseView) -> String {
        format!("{} {} {}", isolated(&release.title), self.say("by", "von"), artist_name(release))
    }

    fn choose(self, text: &mut Text, candidates: &[Candidate]) {
        for candidate in candidates {
            match candidate {
                Candidate::Artist(artist) => {
                    text.page(&isolated(&artist.name), &artist_path(artist), "ARTIST");
                }
                Candidate::Release(release) => {
                    let number = number(release).map_or_else(String::new, |number| format!("  {number}"));
                    text.page(&self.by(release), &release.path(), &format!("RELEASE{number}"));
                    if let Some(artist) = &release.artist {
                        text.page(&isolated(&artist.name), &format!("/artists/{}", artist.id), "");
                    }
                }
            }
        }
    }

    pub(super) fn nearest_heading(self, typed: &str) -> String {
        repeating(self.say("NEAREST MATCH FOR", "AM NÄCHSTEN KOMMT"), typed)
    }

    /// The line above [`Wording::choice`]; `is_all` unless there may be more.
    pub(super) fn several_heading(self, typed: &str, count: usize, is_all: bool) -> String {
        let first = if is_all { "" } else { self.say("FIRST ", "DIE ERSTEN ") };
        repeating(&format!("{first}{count} {}", self.say("MATCHES FOR", "TREFFER FÜR")), typed)
    }

    pub(super) fn no_match_heading(self, typed: &str) -> String {
        repeating(self.say("NO MATCH FOR", "KEIN TREFFER FÜR"), typed)
    }
}

fn repeating(what: &str, typed: &str) -> String {
    let typed = clean(typed).split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{what}: {}", beginning(&typed, REPEATED_MAX))
}

fn counted(count: i64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}S") }
}
