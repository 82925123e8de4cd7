//! A table of releases on its way in: which column is which field, what a date can be, and what is to be said of each row.
//!
//! A row becomes the form that an admin would have filled in, and passes the same checks. Only the server reads tables.

use serde::{Deserialize, Serialize};

use std::borrow::Cow;

use crate::artist::{ArtistForm, check_artist};
use crate::checked::{Problem, Refusal, refusals, untitled};
use crate::release::{ReleaseForm, check_release};
use crate::search::folded;
use crate::spreadsheet::unguarded;
use crate::track_list::{credits, tracks};
use crate::upload::MEGABYTE;

mod dates;
mod headers;

pub use dates::{ReadDate, date};
pub use headers::{Field, columns};

/// The largest file, in bytes; exactly this size is accepted.
pub const FILE_MAX_BYTES: u64 = 16 * MEGABYTE;
/// Rows of a file, the header not counted.
pub const ROWS_MAX: usize = 20_000;
/// Columns of a file.
pub const COLUMNS_MAX: usize = 100;
/// An import can be undone for so long.
pub const UNDO_MS: u64 = 24 * 3_600_000;
/// Stands for the date of a release that has none while its row is checked.
const SOME_DAY: &str = "2000-01-01";
/// Bytes of a row.
pub const ROW_MAX_BYTES: usize = 128 * 1024;

refusals! {
    /// What a file or a row is refused for, beside what the forms refuse.
    pub enum ImportError {
        FileTooLarge = "import_too_large", "Please choose a file smaller than 16MB";
        NotText = "import_not_text", "This file is not a table of text. Save the table as CSV and try again";
        Empty = "import_empty", "There is no row below the header";
        TooManyRows = "import_too_many_rows", "Please import at most 20000 rows at once";
        TooManyColumns = "import_too_many_columns", "A table can have at most 100 columns";
        NoTitle = "import_no_title", "Please say which column is the title";
        Columns = "import_columns", "The columns do not fit this file";
        Refused = "import_refused", "Some rows cannot be imported. Correct them, or leave them out";
        DaysMissing = "import_days_missing", "Some rows have a year but no day. Say what to do with them";
        OrderMissing = "import_order_missing", "Some dates can be read in two ways. Say whether the day or the month comes first";
        Nothing = "import_nothing", "There is nothing to import";
        RowTooLong = "import_row_too_long", "The row is too long";
        TooManyCells = "import_too_many_cells", "The row has more cells than the header: is a comma missing its quotes?";
        IdInvalid = "import_id_invalid", "This is no id of a release";
        IdTwice = "import_id_twice", "Another row of this file has the same id";
        InTrash = "import_in_trash", "This release is in the trash";
        InstantUnclear = "import_instant_unclear", "Say when it goes out, with its zone: 2030-01-31T20:00:00Z";
        QuoteOpen = "import_quote_open", "A cell begins with a quotation mark and does not end with one";
        StateUnknown = "import_state_unknown", "The state must be draft, scheduled or out";
        TracksUnclear = "import_tracks_unclear", "Write each track on a separate line, as [A1] Title / Artist 6:12; at most 200";
        CreditsUnclear = "import_credits_unclear", "Write each credit on a separate line, as Role: Name; at most 200";
        FeaturedUnclear = "import_featured_unclear", "Featured must be yes or no";
        UndoTooLate = "import_undo_too_late", "An import can be undone for 24 hours";
        AlreadyUndone = "import_already_undone", "This import is undone already";
    }
}
untitled!(ImportError);

/// A quotation mark begins a cell on a line of the file, from 1, and none ends it.
pub fn quote_open(line: u64) -> Refusal {
    let refusal = Refusal::from(ImportError::QuoteOpen);
    Refusal { message: format!("{} (line {line})", refusal.message).into(), ..refusal }
}

/// What becomes of rows that have a year, or a year and a month, and no day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum YearAlone {
    /// The first day of it.
    FirstDay,
    /// The last day of it.
    LastDay,
    /// Such rows are left out.
    LeaveOut,
}

/// How a table writes dates such as `03/12/2019`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// 3 December.
    DayFirst,
    /// March 12.
    MonthFirst,
}

/// What was answered about the dates of a table, once for all rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct DateAnswers {
    /// What becomes of rows that have a year and no day.
    pub year_alone: Option<YearAlone>,
    /// Which number is the month where both can be.
    pub date_order: Option<DateOrder>,
}

/// The state that a new row asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowState {
    /// Nobody but admins knows it.
    Draft,
    /// Goes out at an instant.
    Scheduled,
    /// Public.
    Out,
}

/// The cells of a row by their fields. A field without a column is absent; an empty cell is an empty text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "std::collections::BTreeMap<Field, String>")]
pub struct Cells(std::collections::BTreeMap<Field, String>);

impl From<std::collections::BTreeMap<Field, String>> for Cells {
    fn from(cells: std::collections::BTreeMap<Field, String>) -> Self {
        let mut cells = Self(cells);
        if cells.are_of_an_export() {
            for cell in cells.0.values_mut() {
                if let Cow::Owned(text) = unguarded(cell) {
                    *cell = text;
                }
            }
        }
        cells
    }
}

impl FromIterator<(Field, String)> for Cells {
    fn from_iter<I: IntoIterator<Item = (Field, String)>>(cells: I) -> Self {
        cells.into_iter().collect::<std::collections::BTreeMap<_, _>>().into()
    }
}

impl Cells {
    /// Whether the file says of its rows who they are: it was exported here, and its guarded cells are taken off their guard.
    pub fn are_of_an_export(&self) -> bool {
        self.0.contains_key(&Field::Id) && self.0.contains_key(&Field::State)
    }

    /// The text of a field without surrounding white space; none without a column.
    pub fn get(&self, field: Field) -> Option<&str> {
        Some(crate::text::trim(self.0.get(&field)?))
    }

    /// The same, where it says something.
    pub fn said(&self, field: Field) -> Option<&str> {
        self.get(field).filter(|text| !text.is_empty())
    }
}

/// A row that can be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// The release, checked; its artist is whoever it had before.
    pub form: ReleaseForm,
    /// The artist's name, checked; an empty one is nobody, and none says nothing about the artist.
    pub artist: Option<String>,
    /// The state it asks for, which counts for a new release only.
    pub state: Option<RowState>,
}

/// What is to be said of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It can be written.
    Ready(Box<Ready>),
    /// It has a year and no day, and nobody has said what becomes of those.
    AsksForDay,
    /// Its date can be read in two ways, and the order of day and month is not answered.
    AsksForOrder,
    /// It has a year and no day, and those are left out.
    LeftOut,
    /// The rules refuse it.
    Refused(Vec<Problem>),
}

/// What the rules say of a row. `stored` is the release that it changes, or a blank form for a new one: what the file has no
/// column for stays as it is there.
///
/// ```
/// use rules::import::{Cells, DateAnswers, Field, Verdict, row};
/// use rules::release::ReleaseForm;
///
/// let cells: Cells = [(Field::Title, "Signal".to_owned()), (Field::ReleaseDate, "2019".to_owned())].into_iter().collect();
/// assert_eq!(row(&cells, ReleaseForm::default(), DateAnswers::default()), Verdict::AsksForDay);
/// ```
pub fn row(cells: &Cells, stored: ReleaseForm, answers: DateAnswers) -> Verdict {
    let mut form = stored;
    let mut problems = Vec::new();
    let optional = |kept: Option<String>, field| match cells.get(field) {
        Some(text) => Some(text.to_owned()).filter(|text| !text.is_empty()),
        None => kept,
    };
    if let Some(title) = cells.get(Field::Title) {
        title.clone_into(&mut form.title);
    }
    form.catalog = optional(form.catalog, Field::Catalog);
    form.description = optional(form.description, Field::Description);
    form.cover_image_url = optional(form.cover_image_url, Field::CoverImageUrl);
    form.spotify_url = optional(form.spotify_url, Field::SpotifyUrl);
    form.soundcloud_url = optional(form.soundcloud_url, Field::SoundcloudUrl);
    form.apple_music_url = optional(form.apple_music_url, Field::AppleMusicUrl);
    form.youtube_url = optional(form.youtube_url, Field::YoutubeUrl);
    form.bandcamp_url = optional(form.bandcamp_url, Field::BandcampUrl);
    form.format = optional(form.format, Field::Format);
    if let Some(list) = cells.get(Field::Tracks) {
        form.tracks = tracks(list).unwrap_or_else(|| {
            problems.push(Problem::new("tracks", ImportError::TracksUnclear));
            Vec::new()
        });
    }
    if let Some(list) = cells.get(Field::Credits) {
        form.credits = credits(list).unwrap_or_else(|| {
            problems.push(Problem::new("credits", ImportError::CreditsUnclear));
            Vec::new()
        });
    }
    if let Some(text) = cells.get(Field::Featured) {
        match yes(text) {
            Some(featured) => form.featured = featured,
            None => problems.push(Problem::new("featured", ImportError::FeaturedUnclear)),
        }
    }
    let mut fate = None;
    if let Some(text) = cells.get(Field::ReleaseDate) {
        (form.release_date, fate) = release_date(text, answers);
    }
    let state = state(cells).unwrap_or_else(|problem| {
        problems.push(problem);
        None
    });
    let artist = artist(cells).unwrap_or_else(|problem| {
        problems.push(problem);
        None
    });
    // An export says of releases without a date that they have none.
    let is_undated = cells.are_of_an_export() && form.release_date.is_empty();
    if is_undated {
        SOME_DAY.clone_into(&mut form.release_date);
    }
    let mut form = check_release(form).unwrap_or_else(|refused| {
        problems.extend(Vec::from(refused));
        ReleaseForm::default()
    });
    if is_undated {
        form.release_date.clear();
    }
    if matches!(fate, Some(Verdict::LeftOut)) {
        return Verdict::LeftOut;
    }
    if !problems.is_empty() {
        return Verdict::Refused(problems);
    }
    fate.unwrap_or_else(|| Verdict::Ready(Box::new(Ready { form, artist, state })))
}

/// The date that a cell says, and what becomes of the row where that is not settled.
fn release_date(text: &str, answers: DateAnswers) -> (String, Option<Verdict>) {
    match date(text) {
        ReadDate::Day(day) => (day, None),
        ReadDate::Span { first, last } => match answers.year_alone {
            Some(YearAlone::FirstDay) => (first, None),
            Some(YearAlone::LastDay) => (last, None),
            Some(YearAlone::LeaveOut) => (first, Some(Verdict::LeftOut)),
            None => (first, Some(Verdict::AsksForDay)),
        },
        ReadDate::Unclear { day_first, month_first } => match answers.date_order {
            Some(DateOrder::DayFirst) => (day_first, None),
            Some(DateOrder::MonthFirst) => (month_first, None),
            None => (day_first, Some(Verdict::AsksForOrder)),
        },
        ReadDate::None => (text.to_owned(), None),
    }
}

/// The key by which artists are found: a name as it is seen, whatever its case and its blanks; a sigma at the end of a word is one.
///
/// ```
/// assert_eq!(rules::import::artist_key(" Kesto  VANN "), rules::import::artist_key("kesto vann"));
/// ```
pub fn artist_key(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    let lower: String =
        name.nfkc().filter(|c| !crate::text::is_ignorable(*c)).flat_map(char::to_lowercase).collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ").replace('ς', "σ")
}

fn artist(cells: &Cells) -> Result<Option<String>, Problem> {
    let Some(name) = cells.get(Field::Artist) else { return Ok(None) };
    if name.is_empty() {
        return Ok(Some(String::new()));
    }
    let form = ArtistForm { name: name.to_owned(), ..ArtistForm::default() };
    match check_artist(form) {
        Ok(artist) => Ok(Some(artist.name)),
        Err(problems) => {
            let first = Vec::from(problems).into_iter().next();
            Err(first.map_or_else(
                || Problem::new("artist", crate::artist::ArtistError::NameCharacters),
                |problem| Problem { field: "artist".into(), ..problem },
            ))
        }
    }
}

fn state(cells: &Cells) -> Result<Option<RowState>, Problem> {
    let Some(state) = cells.said(Field::State) else { return Ok(None) };
    Ok(Some(match state.to_ascii_lowercase().as_str() {
        "draft" => RowState::Draft,
        "scheduled" => RowState::Scheduled,
        "out" => RowState::Out,
        _ => return Err(Problem::new("state", ImportError::StateUnknown)),
    }))
}

/// Yes or no as people write it, and true and false as spreadsheets write them in English, German, French, Spanish, Italian and Dutch.
fn yes(text: &str) -> Option<bool> {
    Some(match folded(text).as_str() {
        "true" | "yes" | "y" | "1" | "x" | "wahr" | "ja" | "j" | "vrai" | "oui" | "o" | "verdadero"
        | "si" | "s" | "vero" | "waar" => true,
        "false" | "no" | "n" | "0" | "" | "falsch" | "nein" | "faux" | "non" | "falso" | "onwaar" | "nee" => {
            false
        }
        _ => return None,
    })
}
