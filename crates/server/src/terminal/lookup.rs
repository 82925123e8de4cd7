//! Looks up what a question needs in the live catalogue, and has it worded.

use rules::terminal::{LATEST_ROWS, PAGE_ROWS};
use uuid::Uuid;

use super::{
    fixed_words,
    question::{Asked, Find, Kind, Question},
    search::{Hit, MOST_HITS, Outcome},
    wording::{self, Candidate, Place},
};
use crate::{
    app::AppState,
    catalogue::{
        artists,
        releases::{self, ListQuery, ReleaseView},
    },
    clock,
    error::AppResult,
};

/// Rows of a page.
const PAGE: i64 = PAGE_ROWS as i64;
/// Releases that stand under an artist.
const UNDER_ARTIST: i64 = 8;
/// The newest releases.
const NEWEST: i64 = LATEST_ROWS as i64;
/// Releases whose links an answer about an artist lists.
const HEARD: i64 = 3;

/// An embedded answer.
#[derive(Debug)]
pub(super) struct Found {
    /// The line above it that repeats the visitor's own words, if there is one.
    pub(super) heading: Option<String>,
    /// The answer, made of the catalogue and fixed words alone.
    pub(super) text: String,
}

impl Found {
    /// The answer as visitors get it.
    pub(super) fn whole(&self) -> String {
        match &self.heading {
            Some(heading) => format!("{heading}\n\n{}", self.text),
            None => self.text.clone(),
        }
    }
}

/// The embedded answer to a question.
pub(super) async fn answer(app: &AppState, question: &Question) -> AppResult<Found> {
    let text = match question {
        Question::Help => fixed_words::help(),
        Question::Hello => fixed_words::hello(&app.label_name),
        Question::Label => {
            fixed_words::label(&app.label_name, artists::count(app).await?, releases::count(app).await?)
        }
        Question::Releases(page) => {
            let place = Place { page: *page, size: PAGE, total: releases::count(app).await? };
            wording::releases(&releases::list_at(app, PAGE, offset(place)).await?, place)
        }
        Question::Artists(page) => {
            let place = Place { page: *page, size: PAGE, total: artists::count(app).await? };
            wording::artists(&artists::list_at(app, PAGE, offset(place)).await?, place)
        }
        Question::Latest => wording::latest(&releases::list_at(app, NEWEST, 0).await?),
        Question::Music => fixed_words::music(),
        Question::Demo => fixed_words::demo(),
        Question::Contact => fixed_words::contact(),
        Question::Newsletter => fixed_words::newsletter(),
        Question::Store => fixed_words::store(),
        Question::Privacy => fixed_words::privacy(app.terminal.asks_others()),
        Question::Find(find) => return answer_find(app, find).await,
    };
    Ok(Found { heading: None, text })
}

/// The first row of a page; one behind the last page is not counted up to.
fn offset(place: Place) -> i64 {
    ((i64::from(place.page) - 1) * place.size).min(place.total)
}

async fn answer_find(app: &AppState, find: &Find) -> AppResult<Found> {
    let outcome = app.terminal.index.search(app, find).await?;
    match (&outcome, &find.otherwise) {
        (Outcome::One { .. } | Outcome::Several(_), _) | (_, None) => {}
        (_, Some(otherwise)) => return Box::pin(answer(app, otherwise)).await,
    }
    let name = find.name.as_str();
    let (heading, text) = match outcome {
        Outcome::Nothing => (None, wording::nothing()),
        Outcome::One { hit, is_exact } => {
            let found = match hit.kind {
                Kind::Artist => about_artist(app, hit.id, find.asked).await?,
                Kind::Release => about_release(app, hit.id, find.asked).await?,
            };
            match found {
                Some(text) if is_exact => (None, text),
                Some(text) => (Some(wording::nearest_heading(name)), text),
                // Removed since the index was read.
                None => (Some(wording::no_match_heading(name)), wording::nobody()),
            }
        }
        Outcome::Several(hits) => {
            let candidates = candidates(app, &hits).await?;
            let heading = wording::several_heading(name, candidates.len(), hits.len() < MOST_HITS);
            (Some(heading), wording::choice(&candidates))
        }
        Outcome::Perhaps(hits) => {
            (Some(wording::no_match_heading(name)), wording::perhaps(&candidates(app, &hits).await?))
        }
        Outcome::Nobody => (Some(wording::no_match_heading(name)), wording::nobody()),
    };
    Ok(Found { heading, text })
}

async fn about_artist(app: &AppState, id: Uuid, what: Asked) -> AppResult<Option<String>> {
    let Some(artist) = artists::find(app, id).await? else { return Ok(None) };
    Ok(Some(match what {
        Asked::Card | Asked::Maker => wording::artist(&artist, &newest_of(app, id, UNDER_ARTIST).await?),
        Asked::Works | Asked::Date => wording::works(&artist, &newest_of(app, id, PAGE).await?),
        Asked::Listen => wording::listen_to_artist(&artist, &newest_of(app, id, HEARD).await?),
    }))
}

async fn about_release(app: &AppState, id: Uuid, what: Asked) -> AppResult<Option<String>> {
    let Some(release) = releases::find(app, id).await? else { return Ok(None) };
    Ok(Some(match what {
        Asked::Card | Asked::Works => wording::release(&release),
        Asked::Date => wording::date(&release, &today(app)),
        Asked::Maker => wording::maker(&release),
        Asked::Listen => wording::listen_to_release(&release),
    }))
}

async fn newest_of(app: &AppState, artist: Uuid, limit: i64) -> AppResult<Vec<ReleaseView>> {
    let query = ListQuery { artist_id: Some(artist.to_string()), limit: Some(limit), cursor: None };
    Ok(releases::page(app, &query).await?.items)
}

async fn candidates(app: &AppState, hits: &[Hit]) -> AppResult<Vec<Candidate>> {
    let mut candidates = Vec::with_capacity(hits.len());
    for hit in hits {
        let found = match hit.kind {
            Kind::Artist => artists::find(app, hit.id).await?.map(Candidate::Artist),
            Kind::Release => releases::find(app, hit.id).await?.map(Candidate::Release),
        };
        candidates.extend(found);
    }
    Ok(candidates)
}

/// Today as dates are stored.
fn today(app: &AppState) -> String {
    clock::rfc3339(app.clock.now()).chars().take(10).collect()
}
