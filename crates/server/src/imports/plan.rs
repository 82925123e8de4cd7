//! The effect of an import, row by row: for the preview, and again in the transaction that writes.

use std::collections::{BTreeMap, HashMap, HashSet};

use deadwax_http::extract;
use deadwax_store::{
    clock::Micros,
    ids::{ArtistId, ReleaseId},
};
use rules::{
    catalog_number,
    checked::Problem,
    image::PictureError,
    import::{self, Cells, DateAnswers, Field, ImportError, Ready, Verdict, artist_key},
    publish::ReleaseState,
    release::ReleaseForm,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    encoding::Encoding,
    known::Known,
    table::{Row, Table},
};
use crate::exports::TableRow;

/// How much is shown of a cell, in characters.
const SHOWN: usize = 200;

#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The field of each column; by the headers if not chosen.
    pub columns: Option<Vec<Option<Field>>>,
    pub dates: DateAnswers,
    pub as_drafts: bool,
    pub leave_out_refused: bool,
}

#[derive(Debug)]
pub struct Prepared {
    table: Table,
    pub columns: Vec<Option<Field>>,
    ids: Vec<RowId>,
}

type RowId = Result<Option<ReleaseId>, ImportError>;

#[derive(Debug, Default)]
pub struct Plan {
    pub rows: Vec<ImportRow>,
    pub additions: Vec<Addition>,
    pub changes: Vec<Change>,
    pub artists: Vec<(ArtistId, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportVerdict {
    Add,
    Change,
    Unchanged,
    /// It has a year but no day, and no answer to that.
    AsksForDay,
    /// It has a date that can be read in two ways, and no answer to that.
    AsksForOrder,
    LeftOut,
    Refused,
}

/// A row of a table and what would become of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportRow {
    /// On which line of the file it begins, from 1.
    pub line: u64,
    /// `add`, `change`, `unchanged`, `asks_for_day`, `asks_for_order`, `left_out` or `refused`.
    #[schema(value_type = String)]
    pub verdict: ImportVerdict,
    pub title: String,
    /// The artist's name; may be empty.
    pub artist: String,
    /// Whether the artist is made.
    pub artist_is_new: bool,
    /// The catalogue number.
    pub catalog: String,
    /// The date.
    pub release_date: String,
    /// Whether another release has the catalogue number.
    pub repeats_number: bool,
    /// Field → message, where the rules refuse it.
    pub problems: BTreeMap<String, String>,
}

#[derive(Debug)]
pub struct Addition {
    /// The row's own id if it has one, so that importing the file again changes this release.
    pub id: ReleaseId,
    pub artist_id: Option<ArtistId>,
    pub ready: Ready,
    pub goes_out_at: Option<Micros>,
}

#[derive(Debug)]
pub struct Change {
    pub stored: TableRow,
    pub artist_id: Option<ArtistId>,
    pub form: ReleaseForm,
}

impl Prepared {
    pub fn new(table: Table, chosen: Option<Vec<Option<Field>>>) -> Result<Self, ImportError> {
        let columns = chosen.unwrap_or_else(|| import::columns(&table.headers));
        let mut seen = HashSet::new();
        if columns.len() != table.headers.len() || !columns.iter().flatten().all(|field| seen.insert(*field))
        {
            return Err(ImportError::Columns);
        }
        let mut known = HashSet::new();
        let ids = table.rows.iter().map(|row| row_id(&cells(&columns, row), &mut known)).collect();
        Ok(Self { table, columns, ids })
    }

    pub fn encoding(&self) -> Encoding {
        self.table.encoding
    }

    pub fn headers(&self) -> &[String] {
        &self.table.headers
    }

    pub fn has_titles(&self) -> bool {
        self.columns.iter().flatten().any(|field| matches!(field, Field::Title | Field::Id))
    }

    pub fn sample(&self, column: usize, most: usize) -> Vec<String> {
        let cells = self.table.rows.iter().filter_map(|row| row.cells.get(column)).map(str::trim);
        cells.filter(|cell| !cell.is_empty()).take(most).map(|cell| cell.chars().take(80).collect()).collect()
    }

    pub fn ids(&self) -> Vec<ReleaseId> {
        self.ids.iter().filter_map(|id| id.ok().flatten()).collect()
    }

    pub fn plan(&self, choices: &Choices, known: &Known) -> Plan {
        let (made, plan, numbers) = (HashMap::new(), Plan::default(), Vec::new());
        let mut planning = Planning { choices, known, made, plan, numbers };
        for (row, id) in self.table.rows.iter().zip(&self.ids) {
            let row = planning.row(&self.columns, row, *id);
            planning.plan.rows.push(row);
        }
        note_repeats(&mut planning.plan.rows, planning.numbers, &known.numbers);
        planning.plan
    }
}

impl Plan {
    pub fn count(&self, verdict: ImportVerdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    pub fn refusal(&self, choices: &Choices) -> Option<ImportError> {
        let has = |verdict| self.count(verdict) > 0;
        if has(ImportVerdict::AsksForDay) {
            Some(ImportError::DaysMissing)
        } else if has(ImportVerdict::AsksForOrder) {
            Some(ImportError::OrderMissing)
        } else if !choices.leave_out_refused && has(ImportVerdict::Refused) {
            Some(ImportError::Refused)
        } else if self.additions.is_empty() && self.changes.is_empty() {
            Some(ImportError::Nothing)
        } else {
            None
        }
    }
}

struct Planning<'a> {
    choices: &'a Choices,
    known: &'a Known,
    made: HashMap<String, ArtistId>,
    plan: Plan,
    numbers: Vec<Numbers>,
}

/// The place of a row that is written, and the keys of its release's catalogue number before and after.
type Numbers = (usize, Option<String>, Option<String>);

impl Planning<'_> {
    fn row(&mut self, columns: &[Option<Field>], row: &Row, id: RowId) -> ImportRow {
        let cells = cells(columns, row);
        let said = |field| cells.get(field).unwrap_or_default().chars().take(SHOWN).collect();
        let mut planned = ImportRow {
            line: row.line,
            verdict: ImportVerdict::Unchanged,
            title: said(Field::Title),
            artist: said(Field::Artist),
            artist_is_new: false,
            catalog: said(Field::Catalog),
            release_date: said(Field::ReleaseDate),
            repeats_number: false,
            problems: BTreeMap::new(),
        };
        planned.verdict = self.decide(&cells, row, id, &mut planned).unwrap_or_else(|problems| {
            let texts = |problem: Problem| (problem.field.to_string(), problem.message.to_string());
            planned.problems = problems.into_iter().map(texts).collect();
            ImportVerdict::Refused
        });
        planned
    }

    /// Decides about a row; fails with the reasons why it is refused.
    fn decide(
        &mut self,
        cells: &Cells,
        row: &Row,
        id: RowId,
        planned: &mut ImportRow,
    ) -> Result<ImportVerdict, Vec<Problem>> {
        let refused = |field, error: ImportError| vec![Problem::new(field, error)];
        let id = id.map_err(|error| refused("id", error))?;
        if let Some(error) = row.problem {
            return Err(refused("row", error));
        }
        let releases = &self.known.releases;
        let stored = id.and_then(|id| releases.get(&id));
        if let Some(stored) = stored {
            planned.fill(stored);
            if stored.deleted_at.is_some() {
                return Err(refused("id", ImportError::InTrash));
            }
            if moves(cells, stored) {
                return Err(refused("goes_out_at", ImportError::InstantKept));
            }
            if is_same(cells, stored) {
                return Ok(ImportVerdict::Unchanged);
            }
        }
        let form = stored.map(TableRow::form).unwrap_or_default();
        match import::row(cells, form, self.choices.dates) {
            Verdict::Ready(ready) => match self.problem(cells, &ready, stored) {
                Some(problem) => Err(vec![problem]),
                None => Ok(self.keep(cells, *ready, id, stored, planned)),
            },
            Verdict::AsksForDay => Ok(ImportVerdict::AsksForDay),
            Verdict::AsksForOrder => Ok(ImportVerdict::AsksForOrder),
            Verdict::LeftOut => Ok(ImportVerdict::LeftOut),
            Verdict::Refused(problems) => Err(problems),
        }
    }

    fn problem(&self, cells: &Cells, ready: &Ready, stored: Option<&TableRow>) -> Option<Problem> {
        let cover = ready.form.cover_image_url.as_deref();
        let is_new_cover = cover != stored.and_then(|row| row.cover_image_url.as_deref());
        if is_new_cover && cover.is_some_and(|url| self.known.is_trashed(url)) {
            return Some(Problem::new("cover_image_url", PictureError::Gone));
        }
        // Without an instant it would remain an unnoticed draft.
        let is_scheduled = stored.is_none() && ready.state == Some(ReleaseState::Scheduled);
        (is_scheduled && instant_of(cells).is_none())
            .then(|| Problem::new("goes_out_at", ImportError::InstantUnclear))
    }

    /// Keeps what a row is to write.
    fn keep(
        &mut self,
        cells: &Cells,
        ready: Ready,
        id: Option<ReleaseId>,
        stored: Option<&TableRow>,
        planned: &mut ImportRow,
    ) -> ImportVerdict {
        planned.title.clone_from(&ready.form.title);
        planned.release_date.clone_from(&ready.form.release_date);
        planned.catalog = ready.form.catalog.clone().unwrap_or_default();
        let keeps_artist = stored.is_some_and(|row| {
            cells
                .get(Field::Artist)
                .is_none_or(|name| name == row.cell(Field::Artist) || self.is_of_trashed(row, name))
        });
        let artist_id = match (stored, ready.artist.as_deref()) {
            (Some(stored), _) if keeps_artist => stored.artist_id,
            (_, None | Some("")) => None,
            (_, Some(name)) => {
                name.clone_into(&mut planned.artist);
                let (id, is_new) = self.artist(name);
                planned.artist_is_new = is_new;
                Some(id)
            }
        };
        if stored.is_some_and(|stored| ready.form == stored.form() && artist_id == stored.artist_id) {
            return ImportVerdict::Unchanged;
        }
        let key = |catalog: &Option<String>| catalog.as_deref().map(catalog_number::key);
        let before = stored.and_then(|stored| key(&stored.catalog));
        self.numbers.push((self.plan.rows.len(), before, key(&ready.form.catalog)));
        if let Some(stored) = stored {
            self.plan.changes.push(Change { stored: stored.clone(), artist_id, form: ready.form });
            return ImportVerdict::Change;
        }
        let id = id.unwrap_or_else(ReleaseId::generate);
        let goes_out_at = instant_of(cells);
        self.plan.additions.push(Addition { id, artist_id, ready, goes_out_at });
        ImportVerdict::Add
    }

    /// Whether the release is by an artist in the trash who has this name.
    fn is_of_trashed(&self, stored: &TableRow, name: &str) -> bool {
        let trashed = stored.artist_id.and_then(|id| self.known.trashed_artists.get(&id));
        trashed.is_some_and(|key| *key == artist_key(name))
    }

    fn artist(&mut self, name: &str) -> (ArtistId, bool) {
        let key = artist_key(name);
        if let Some(id) = self.known.artists.get(&key) {
            return (*id, false);
        }
        let artists = &mut self.plan.artists;
        let id = *self.made.entry(key).or_insert_with(|| {
            let id = ArtistId::generate();
            artists.push((id, name.to_owned()));
            id
        });
        (id, true)
    }
}

impl ImportRow {
    fn fill(&mut self, stored: &TableRow) {
        for (text, field) in [
            (&mut self.title, Field::Title),
            (&mut self.artist, Field::Artist),
            (&mut self.catalog, Field::Catalog),
            (&mut self.release_date, Field::ReleaseDate),
        ] {
            if text.is_empty() {
                *text = stored.cell(field);
            }
        }
    }
}

/// Marks repeated catalogue numbers. A number that a row gives up is free for every other row.
fn note_repeats(rows: &mut [ImportRow], numbers: Vec<Numbers>, used: &HashMap<String, usize>) {
    let mut given_up = HashMap::<String, usize>::new();
    for (_, before, after) in &numbers {
        if let Some(before) = before
            && after.as_ref() != Some(before)
        {
            *given_up.entry(before.clone()).or_default() += 1;
        }
    }
    let mut further_up = HashSet::new();
    for (place, before, after) in numbers {
        let Some(number) = after else { continue };
        let is_own = before.as_ref() == Some(&number);
        let is_used = used.get(&number) > given_up.get(&number);
        rows[place].repeats_number = is_used && !is_own || !further_up.insert(number);
    }
}

fn cells(columns: &[Option<Field>], row: &Row) -> Cells {
    let said = columns.iter().zip(row.cells.iter());
    said.filter_map(|(field, cell)| Some(((*field)?, cell.to_owned()))).collect()
}

fn row_id(cells: &Cells, known: &mut HashSet<ReleaseId>) -> RowId {
    match cells.said(Field::Id).map(extract::id) {
        None => Ok(None),
        Some(None) => Err(ImportError::IdInvalid),
        Some(Some(id)) if known.insert(id.into()) => Ok(Some(id.into())),
        Some(Some(_)) => Err(ImportError::IdTwice),
    }
}

fn instant_of(cells: &Cells) -> Option<Micros> {
    cells.said(Field::GoesOutAt).and_then(|at| rules::publish::goes_out(at).ok()).map(|ms| ms * 1000)
}

/// Whether the row gives a scheduled release another time.
fn moves(cells: &Cells, stored: &TableRow) -> bool {
    let says_one = cells.said(Field::GoesOutAt).is_some();
    stored.state == "scheduled" && says_one && instant_of(cells) != stored.goes_out_at
}

/// Whether every field of the row equals the export of the release.
fn is_same(cells: &Cells, stored: &TableRow) -> bool {
    Field::ALL
        .iter()
        .filter(|field| !matches!(field, Field::Id | Field::State | Field::GoesOutAt))
        .all(|field| cells.get(*field).is_none_or(|cell| cell == stored.cell(*field).trim()))
}
