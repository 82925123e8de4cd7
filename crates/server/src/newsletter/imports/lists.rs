//! The lists in a file, and their rows as the rules read them.

use std::collections::HashMap;

use deadwax_store::clock::{Micros, millis};
use rules::{
    checked::Refusal,
    email::Email,
    import::ImportError,
    subscriber_import::{
        self, Candidate, List, ROWS_MAX, SubscriberCells, SubscriberField, SubscriberImportError, list_of,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::zip::{self, Unpacked};
use crate::{
    accounts::account_mail::to_ascii,
    imports::{
        encoding::Encoding,
        table::{self, Row, Table, TableError},
    },
};

/// A list in a file.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriberFile)]
pub struct ListFile {
    pub name: String,
    /// `subscribed`, `unsubscribed`, `cleaned` or `non_subscribed`, if its name says so.
    #[schema(value_type = Option<String>)]
    pub list: Option<List>,
    /// How its bytes were read; `windows-1252` and `macintosh` are guessed.
    pub encoding: Encoding,
    pub rows: usize,
}

#[derive(Debug)]
pub struct ListRow {
    /// Its place in [`Lists::files`].
    pub file: usize,
    pub line: u64,
    /// The address as it is written.
    pub address: String,
    pub read: Result<Candidate, Refusal>,
    /// Whether another row has the address, and counts.
    pub is_repeated: bool,
}

#[derive(Debug)]
pub struct Lists {
    pub files: Vec<ListFile>,
    /// Names of files in a ZIP that are no lists.
    pub passed_over: Vec<String>,
    /// The columns of all files.
    pub headers: Vec<String>,
    pub columns: Vec<Option<SubscriberField>>,
    pub samples: Vec<Vec<String>>,
    pub rows: Vec<ListRow>,
}

const SAMPLES: usize = 3;
const SHOWN: usize = 200;

impl Lists {
    /// Reads a table or a ZIP. `chosen` are the fields of the columns; by their headers if none are chosen.
    pub fn read(
        name: &str,
        bytes: &[u8],
        chosen: Option<Vec<Option<SubscriberField>>>,
        now: Micros,
    ) -> Result<Self, Refusal> {
        let (tables, passed_over) = tables(name, bytes)?;
        let (headers, places) = joined(&tables);
        let columns = chosen.unwrap_or_else(|| subscriber_import::columns(&headers));
        let is_twice = |(place, field): (usize, &Option<SubscriberField>)| {
            field.is_some() && columns[..place].contains(field)
        };
        if columns.len() != headers.len() || columns.iter().enumerate().any(is_twice) {
            return Err(ImportError::Columns.into());
        }
        let mut lists = Self {
            files: Vec::new(),
            passed_over,
            samples: vec![Vec::new(); headers.len()],
            headers,
            columns,
            rows: Vec::new(),
        };
        for ((name, table), places) in tables.into_iter().zip(places) {
            lists.add(name, &table, &places, now);
        }
        lists.note_repeats();
        Ok(lists)
    }

    pub fn has_addresses(&self) -> bool {
        self.columns.contains(&Some(SubscriberField::Email))
    }

    fn add(&mut self, name: String, table: &Table, places: &[usize], now: Micros) {
        let list = list_of(&name);
        for row in &table.rows {
            for (cell, place) in row.cells.iter().zip(places) {
                let samples = &mut self.samples[*place];
                if samples.len() < SAMPLES && !cell.trim().is_empty() {
                    samples.push(cell.trim().chars().take(80).collect());
                }
            }
            self.rows.push(ListRow { file: self.files.len(), ..self.row(row, places, list, now) });
        }
        self.files.push(ListFile { name, list, encoding: table.encoding, rows: table.rows.len() });
    }

    fn row(&self, row: &Row, places: &[usize], list: Option<List>, now: Micros) -> ListRow {
        let cells = row.cells.iter().zip(places);
        let mut cells: SubscriberCells =
            cells.filter_map(|(cell, place)| Some((self.columns[*place]?, cell.to_owned()))).collect();
        let address = cells.get(&SubscriberField::Email).map(String::as_str).unwrap_or_default().trim();
        let shown = address.chars().take(SHOWN).collect();
        let ascii = to_ascii(address);
        cells.insert(SubscriberField::Email, ascii);
        let now_ms = i64::try_from(millis(now)).unwrap_or(i64::MAX);
        let read = match row.problem {
            Some(problem) => Err(problem.into()),
            None => subscriber_import::read(&cells, list, now_ms).map_err(Refusal::from),
        };
        ListRow { file: 0, line: row.line, address: shown, read, is_repeated: false }
    }

    fn note_repeats(&mut self) {
        let rows = self.rows.iter().map(|row| {
            let candidate = row.read.as_ref().ok()?;
            Some((candidate.email.as_str(), candidate.standing))
        });
        let repeats = subscriber_import::repeats(&rows.collect::<Vec<_>>());
        for (row, is_repeated) in self.rows.iter_mut().zip(repeats) {
            row.is_repeated = is_repeated;
        }
    }
}

type Tables = Vec<(String, Table)>;

/// The tables of a file with their names, and the names of other files.
fn tables(name: &str, bytes: &[u8]) -> Result<(Tables, Vec<String>), Refusal> {
    if !zip::is_zip(bytes) {
        return Ok((vec![(name.to_owned(), read_table(bytes, ROWS_MAX)?)], Vec::new()));
    }
    let Unpacked { lists, passed_over } = zip::unpack(bytes)?;
    let (mut tables, mut left) = (Vec::new(), ROWS_MAX);
    for (name, bytes) in lists {
        match read_table(&bytes, left) {
            Ok(table) => {
                left -= table.rows.len();
                tables.push((name, table));
            }
            // Mailchimp writes a header even for a list without members.
            Err(refusal) if refusal == Refusal::from(ImportError::Empty) => {}
            Err(refusal) => return Err(refusal.of_file(&name)),
        }
    }
    name_alike(&mut tables);
    if tables.is_empty() { Err(ImportError::Empty.into()) } else { Ok((tables, passed_over)) }
}

/// Heads the columns of one field alike in all tables: a field can be given to one column only.
fn name_alike(tables: &mut Tables) {
    let mut names = HashMap::new();
    for (_, table) in tables {
        let fields = subscriber_import::columns(&table.headers);
        for (header, field) in table.headers.iter_mut().zip(fields) {
            if let Some(field) = field {
                let name = names.entry(field).or_insert_with(|| header.clone());
                header.clone_from(name);
            }
        }
    }
}

fn read_table(bytes: &[u8], most: usize) -> Result<Table, Refusal> {
    let mut table = table::read_up_to(bytes, most).map_err(|error| match error {
        TableError::Refused(ImportError::TooManyRows) => SubscriberImportError::TooManyRows.into(),
        other => Refusal::from(other),
    })?;
    // A bare list of addresses has no header.
    let is_address = |cell: &String| Email::parse(&to_ascii(cell)).is_ok();
    if let Some(place) = table.headers.iter().position(is_address) {
        let first = Row { line: 1, cells: table.headers.iter().collect(), problem: None };
        table.rows.insert(0, first);
        table.headers.fill(String::new());
        SubscriberField::Email.name().clone_into(&mut table.headers[place]);
    }
    match table.rows.len() {
        0 => Err(ImportError::Empty.into()),
        rows if rows > most => Err(SubscriberImportError::TooManyRows.into()),
        _ => Ok(table),
    }
}

/// The headers of all tables, each once, and for each table the place of its columns there.
fn joined(tables: &Tables) -> (Vec<String>, Vec<Vec<usize>>) {
    let (mut headers, mut known) = (Vec::new(), HashMap::new());
    let places = tables.iter().map(|(_, table)| {
        let mut seen = HashMap::<&str, usize>::new();
        let places = table.headers.iter().map(|header| {
            // A header may stand twice in one table.
            let number = seen.entry(header).or_default();
            *number += 1;
            *known.entry((header.as_str(), *number)).or_insert_with(|| {
                headers.push(header.clone());
                headers.len() - 1
            })
        });
        places.collect()
    });
    let places = places.collect();
    (headers, places)
}
