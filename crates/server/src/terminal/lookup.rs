//! Looks up what a question needs in the live catalogue, and has it worded.

use uuid::Uuid;

use super::{
    question::{Asked, Find, Kind, Question},
    search::{Hit, Outcome},
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
const PAGE: i64 = 10;
/// Releases that stand under an artist.
const UNDER_ARTIST: i64 = 8;
/// The newest releases.
const NEWEST: i64 = 6;
/// Releases whose links an answer about an artist lists.
const HEARD: i64 = 3;

/// The embedded answer to a question.
pub(super) async fn answer(app: &AppState, question: &Question) -> AppResult<String> {
    Ok(match question {
        Question::Help => wording::help(),
        Question::Hello => wording::hello(&app.label_name),
        Question::Label => {
            wording::label(&app.label_name, artists::count(app).await?, releases::count(app).await?)
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
        Question::Music => wording::music(),
        Question::Demo => wording::demo(),
        Question::Contact => wording::contact(),
        Question::Newsletter => wording::newsletter(),
        Question::Store => wording::store(),
        Question::Privacy => wording::privacy(app.terminal.asks_others()),
        Question::Find(find) => return answer_find(app, find).await,
    })
}

/// The first row of a page; one behind the last page is not counted up to.
fn offset(place: Place) -> i64 {
    ((i64::from(place.page) - 1) * place.size).min(place.total)
}

async fn answer_find(app: &AppState, find: &Find) -> AppResult<String> {
    let outcome = app.terminal.index.search(app, find).await?;
    match (&outcome, &find.otherwise) {
        (Outcome::One { .. } | Outcome::Several(_), _) | (_, None) => {}
        (_, Some(otherwise)) => return Box::pin(answer(app, otherwise)).await,
    }
    let name = find.name.as_str();
    Ok(match outcome {
        Outcome::Nothing => wording::nothing(),
        Outcome::Nobody => wording::nobody(name),
        Outcome::One { hit, is_exact } => {
            let asked = (!is_exact).then_some(name);
            let found = match hit.kind {
                Kind::Artist => about_artist(app, hit.id, find.asked, asked).await?,
                Kind::Release => about_release(app, hit.id, find.asked, asked).await?,
            };
            // Removed since the index was read.
            found.unwrap_or_else(|| wording::nobody(name))
        }
        Outcome::Several(hits) => wording::several(name, &candidates(app, &hits).await?),
        Outcome::Perhaps(hits) => wording::perhaps(name, &candidates(app, &hits).await?),
    })
}

async fn about_artist(
    app: &AppState,
    id: Uuid,
    what: Asked,
    asked: Option<&str>,
) -> AppResult<Option<String>> {
    let Some(artist) = artists::find(app, id).await? else { return Ok(None) };
    Ok(Some(match what {
        Asked::Card | Asked::Maker => {
            wording::artist(&artist, &newest_of(app, id, UNDER_ARTIST).await?, asked)
        }
        Asked::Works | Asked::Date => wording::works(&artist, &newest_of(app, id, PAGE).await?, asked),
        Asked::Listen => wording::listen_to_artist(&artist, &newest_of(app, id, HEARD).await?, asked),
    }))
}

async fn about_release(
    app: &AppState,
    id: Uuid,
    what: Asked,
    asked: Option<&str>,
) -> AppResult<Option<String>> {
    let Some(release) = releases::find(app, id).await? else { return Ok(None) };
    Ok(Some(match what {
        Asked::Card | Asked::Works => wording::release(&release, asked),
        Asked::Date => wording::date(&release, &today(app), asked),
        Asked::Maker => wording::maker(&release, asked),
        Asked::Listen => wording::listen_to_release(&release, asked),
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
