//! Looks up what a question needs in the catalogue, and words the answer.

use deadwax_responder::{
    index::Hit,
    search::{self, Outcome},
};
use deadwax_store::{
    Failure,
    ids::{ArtistId, ReleaseId},
};
use rules::{
    terminal::{ARTIST_ROWS, LATEST_ROWS, LISTEN_ROWS, NAMES_OFFERED_MAX},
    terminal_answer::{self, Site},
    terminal_question::{Asked, Find, Intent, Kind, Match, Period, Question},
};

use super::wording::{Candidate, PAGE, Place, Wording};
use crate::{
    app::App,
    catalogue::{artists, releases},
    content::label::LabelView,
};

#[derive(Debug)]
pub(super) struct Found {
    /// A line above that repeats the visitor's words, if any.
    pub(super) heading: Option<String>,
    /// The answer, from the catalogue and fixed words alone.
    pub(super) text: String,
}

impl Found {
    pub(super) fn whole(&self) -> String {
        match &self.heading {
            Some(heading) => format!("{heading}\n\n{}", self.text),
            None => self.text.clone(),
        }
    }

    fn plain(text: String) -> Self {
        Self { heading: None, text }
    }
}

pub(super) async fn answer(
    app: &App,
    label: &LabelView,
    question: &Question,
    message: &str,
) -> Result<Found, Failure> {
    let words = Wording { language: question.language };
    Asking { app, label, today: &app.today(), words, message }.answer(&question.intent).await
}

struct Asking<'a> {
    app: &'a App,
    label: &'a LabelView,
    /// For the label.
    today: &'a str,
    words: Wording,
    message: &'a str,
}

impl Asking<'_> {
    async fn answer(&self, intent: &Intent) -> Result<Found, Failure> {
        let (db, words) = (&self.app.db, self.words);
        let site = Site {
            asks_others: self.app.terminal.ai.is_some(),
            has_imprint: self.label.has_imprint,
            label_name: &self.label.name,
            links: &self.label.links,
        };
        if let Some(answer) = terminal_answer::fixed(intent, words.language, site) {
            return Ok(Found::plain(Wording::fixed(&answer)));
        }
        Ok(Found::plain(match intent {
            Intent::Help => words.help(),
            Intent::Hello => words.hello(&self.label.name),
            Intent::Label | Intent::ReleaseCount | Intent::ArtistCount => {
                words.label(&self.label.name, artists::count(db).await?, releases::count(db).await?)
            }
            Intent::Releases { page } => {
                let place = Place { page: *page, total: releases::count(db).await? };
                words.releases(&releases::list_at(db, PAGE, offset(place)).await?, place)
            }
            Intent::Artists { page } => {
                let place = Place { page: *page, total: artists::count(db).await? };
                words.artists(&artists::list_at(db, PAGE, offset(place)).await?, place)
            }
            Intent::Latest => self.latest().await?,
            Intent::Oldest => words.oldest(releases::list_after(db, "", 1).await?.first()),
            Intent::Since => words.since(releases::list_after(db, "", 1).await?.first()),
            Intent::Upcoming => words.upcoming(&releases::list_after(db, self.today, PAGE).await?),
            Intent::Dated { period } => self.dated(*period).await?,
            Intent::Find(find) => return Box::pin(self.find(find)).await,
            _ => return Ok(self.missed(self.message)),
        }))
    }

    /// The newest that are out; before the first of them, those that come.
    async fn latest(&self) -> sqlx::Result<String> {
        let db = &self.app.db;
        // From the undated ones to today's.
        let out = releases::list_between(db, "", &format!("{}~", self.today), LATEST_ROWS.into()).await?;
        if out.is_empty() {
            let upcoming = releases::list_after(db, self.today, PAGE).await?;
            if !upcoming.is_empty() {
                return Ok(self.words.upcoming(&upcoming));
            }
        }
        Ok(self.words.latest(&out))
    }

    async fn dated(&self, period: Period) -> sqlx::Result<String> {
        let (db, span) = (&self.app.db, Span::of(period, self.today));
        let total = releases::count_between(db, &span.from, &span.until).await?;
        let newest = releases::list_between(db, &span.from, &span.until, PAGE).await?;
        Ok(self.words.dated(&newest, &span.name, total))
    }

    async fn find(&self, find: &Find) -> Result<Found, Failure> {
        let index = &self.app.terminal.index;
        let mut outcome = index.search(find, search::exact).await?;
        if !matches!(outcome, Outcome::One { .. } | Outcome::Several(_)) {
            if let Some(otherwise) = &find.otherwise {
                return self.answer(otherwise).await;
            }
            if outcome == Outcome::NotFound && find.matched == Match::Near {
                outcome = index.search(find, search::near).await?;
            }
        }
        let words = self.words;
        Ok(match outcome {
            Outcome::Nothing => Found::plain(words.nothing()),
            Outcome::One { hit, is_exact } => {
                let found = match hit.kind {
                    Kind::Artist => self.about_artist(hit.id.into(), find.asked).await?,
                    Kind::Release => self.about_release(hit.id.into(), find.asked).await?,
                };
                match found {
                    Some(text) if is_exact => Found::plain(text),
                    Some(text) => Found { heading: Some(words.nearest_heading(&find.name)), text },
                    // Removed since the index was read.
                    None => self.missed(self.message),
                }
            }
            Outcome::Several(hits) => {
                let candidates = self.candidates(&hits).await?;
                let heading =
                    words.several_heading(&find.name, candidates.len(), hits.len() < NAMES_OFFERED_MAX);
                Found { heading: Some(heading), text: words.choice(&candidates) }
            }
            Outcome::Perhaps(hits) => Found {
                heading: Some(words.no_match_heading(self.message)),
                text: words.perhaps(&self.candidates(&hits).await?),
            },
            Outcome::NotFound => self.missed(self.message),
        })
    }

    fn missed(&self, typed: &str) -> Found {
        Found { heading: Some(self.words.no_match_heading(typed)), text: self.words.not_found() }
    }

    async fn about_artist(&self, id: ArtistId, asked: Asked) -> sqlx::Result<Option<String>> {
        let (db, words) = (&self.app.db, self.words);
        let Some(artist) = artists::find(db, id).await? else { return Ok(None) };
        Ok(Some(match asked {
            Asked::Card | Asked::Maker => {
                Wording::artist(&artist, &releases::list_of(db, id, ARTIST_ROWS.into()).await?)
            }
            Asked::Works | Asked::Date => words.works(&artist, &releases::list_of(db, id, PAGE).await?),
            Asked::Listen | Asked::Buy => {
                let newest = releases::list_of(db, id, LISTEN_ROWS.into()).await?;
                words.listen_to_artist(&artist, &newest, asked == Asked::Buy)
            }
        }))
    }

    async fn about_release(&self, id: ReleaseId, asked: Asked) -> sqlx::Result<Option<String>> {
        let words = self.words;
        let Some(release) = releases::find(&self.app.db, id).await? else { return Ok(None) };
        Ok(Some(match asked {
            Asked::Card | Asked::Works => Wording::release(&release),
            Asked::Date => words.date(&release, self.today),
            Asked::Maker => words.maker(&release),
            Asked::Listen | Asked::Buy => words.listen_to_release(&release, asked == Asked::Buy),
        }))
    }

    async fn candidates(&self, hits: &[Hit]) -> sqlx::Result<Vec<Candidate>> {
        let mut candidates = Vec::with_capacity(hits.len());
        for hit in hits {
            let found = match hit.kind {
                Kind::Artist => artists::find(&self.app.db, hit.id.into()).await?.map(Candidate::Artist),
                Kind::Release => releases::find(&self.app.db, hit.id.into()).await?.map(Candidate::Release),
            };
            candidates.extend(found);
        }
        Ok(candidates)
    }
}

fn offset(place: Place) -> i64 {
    ((i64::from(place.page) - 1) * PAGE).min(place.total)
}

/// From the first date up to but excluding the second; compared as text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) name: String,
    from: String,
    until: String,
}

impl Span {
    pub(super) fn of(period: Period, today: &str) -> Self {
        let mut parts = today.split('-').map(|part| part.parse::<u16>().unwrap_or_default());
        let (year, month) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        match period {
            Period::Year { year, month: None } => Self::year(year),
            Period::Year { year, month: Some(month) } => Self::month(year, u16::from(month)),
            Period::ThisYear => Self::year(year),
            Period::LastYear => Self::year(year.saturating_sub(1)),
            Period::ThisMonth => Self::month(year, month),
        }
    }

    fn year(year: u16) -> Self {
        Self { name: year.to_string(), from: format!("{year}-"), until: format!("{}-", year + 1) }
    }

    fn month(year: u16, month: u16) -> Self {
        let until = if month < 12 { format!("{year}-{:02}-", month + 1) } else { format!("{}-", year + 1) };
        Self { name: format!("{year}.{month:02}"), from: format!("{year}-{month:02}-"), until }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(period: Period) -> (String, String, String) {
        let span = Span::of(period, "2026-12-20");
        (span.name, span.from, span.until)
    }

    #[test]
    fn a_period_ends_where_the_next_one_begins() {
        let texts =
            |name: &str, from: &str, until: &str| (name.to_owned(), from.to_owned(), until.to_owned());
        assert_eq!(of(Period::Year { year: 2024, month: None }), texts("2024", "2024-", "2025-"));
        assert_eq!(of(Period::Year { year: 2024, month: Some(3) }), texts("2024.03", "2024-03-", "2024-04-"));
        assert_eq!(of(Period::ThisYear), texts("2026", "2026-", "2027-"));
        assert_eq!(of(Period::LastYear), texts("2025", "2025-", "2026-"));
        assert_eq!(of(Period::ThisMonth), texts("2026.12", "2026-12-", "2027-"));
    }
}
