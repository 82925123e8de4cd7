//! Importing releases from a table: assigning columns, reading dates, and judging each row.
//!
//! Each row becomes a release form and passes the same checks. Used by the server only.

use serde::{Deserialize, Serialize};

use std::borrow::Cow;

use crate::artist::{ArtistForm, check_artist};
use crate::checked::{Problem, Refusal, refusals};
use crate::publish::ReleaseState;
use crate::release::{ReleaseForm, check_release};
use crate::search::folded;
use crate::span::DAY;
use crate::spreadsheet::unguarded;
use crate::track_list::{credits, tracks};
use crate::upload::MEGABYTE;

mod dates;
pub(crate) mod headers;

pub use dates::{ReadDate, date};
pub use headers::{Field, columns};

/// Maximum file size in bytes, inclusive.
pub const FILE_MAX_BYTES: u64 = 16 * MEGABYTE;
/// Maximum number of rows, without the header.
pub const ROWS_MAX: usize = 20_000;
/// Maximum number of columns.
pub const COLUMNS_MAX: usize = 100;
/// An import can be undone for this long.
pub const UNDO_MS: u64 = DAY;
/// Placeholder date while checking a row of a release without one.
const SOME_DAY: &str = "2000-01-01";
/// Maximum size of a row in bytes.
pub const ROW_MAX_BYTES: usize = 128 * 1024;

refusals! {
    /// Refusals of a file or row, in addition to those of the forms.
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
        InstantKept = "import_instant_kept", "An import does not change when a release goes out. Change it in the release";
        QuoteOpen = "import_quote_open", "A cell begins with a quotation mark and does not end with one";
        StateUnknown = "import_state_unknown", "The state must be draft, scheduled or out";
        TracksUnclear = "import_tracks_unclear", "Write each track on a separate line, as [A1] Title / Artist 6:12; at most 200";
        CreditsUnclear = "import_credits_unclear", "Write each credit on a separate line, as Role: Name; at most 200";
        FeaturedUnclear = "import_featured_unclear", "Featured must be yes or no";
        UndoTooLate = "import_undo_too_late", "An import can be undone for 24 hours";
        AlreadyUndone = "import_already_undone", "This import is undone already";
    }
}

/// A quotation mark on this line of the file (from 1) opens a cell that never closes.
pub fn quote_open(line: u64) -> Refusal {
    let refusal = Refusal::from(ImportError::QuoteOpen);
    Refusal { message: format!("{} (line {line})", refusal.message).into(), ..refusal }
}

/// Handling of rows with a year, or a year and month, but no day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum YearAlone {
    /// Use the first day of the span.
    FirstDay,
    /// Use the last day of the span.
    LastDay,
    /// Skip the row.
    LeaveOut,
}

/// Order of day and month in dates such as `03/12/2019`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// 3 December.
    DayFirst,
    /// March 12.
    MonthFirst,
}

/// Answers about the dates of a table, given once for all rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct DateAnswers {
    /// Handling of rows with a year but no day.
    pub year_alone: Option<YearAlone>,
    /// Order of day and month where both readings are possible.
    pub date_order: Option<DateOrder>,
}

/// The cells of a row by field. A field without a column is absent; an empty cell is an empty text.
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
    /// Whether the file was exported here, so that its rows have ids and its guarded cells are unguarded.
    pub fn are_of_an_export(&self) -> bool {
        self.0.contains_key(&Field::Id)
    }

    /// The trimmed text of a field; `None` without a column.
    pub fn get(&self, field: Field) -> Option<&str> {
        Some(crate::text::trim(self.0.get(&field)?))
    }

    /// The same, `None` if it is empty.
    pub fn said(&self, field: Field) -> Option<&str> {
        self.get(field).filter(|text| !text.is_empty())
    }
}

/// A row ready to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// The checked release; its artist is the previous one.
    pub form: ReleaseForm,
    /// The checked artist name: empty for no artist, `None` to keep the previous one.
    pub artist: Option<String>,
    /// The requested state, for new releases only.
    pub state: Option<ReleaseState>,
}

/// Result of judging a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Ready to be written.
    Ready(Box<Ready>),
    /// Has a year but no day, and [`DateAnswers::year_alone`] is missing.
    AsksForDay,
    /// Its date is ambiguous, and [`DateAnswers::date_order`] is missing.
    AsksForOrder,
    /// Has a year but no day, and such rows are skipped.
    LeftOut,
    /// Refused by the rules.
    Refused(Vec<Problem>),
}

/// Judges a row. `stored` is the release it changes, or a blank form for a new one; fields without a column keep its values.
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
    let optional = |kept: Option<String>, field| {
        cells.get(field).map_or(kept, |text| Some(text.to_owned()).filter(|text| !text.is_empty()))
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
    let state = state(cells).map_err(|problem| problems.push(problem)).unwrap_or_default();
    let artist = artist(cells).map_err(|problem| problems.push(problem)).unwrap_or_default();
    // An export includes releases without a date.
    let is_undated = cells.are_of_an_export() && form.release_date.is_empty();
    if is_undated {
        SOME_DAY.clone_into(&mut form.release_date);
    }
    let mut form =
        check_release(form).map_err(|refused| problems.extend(Vec::from(refused))).unwrap_or_default();
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

/// The date in a cell, and the verdict if it is not clear.
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

/// Key to look up artists by name: ignores case, spaces and compatibility forms; final sigma equals sigma.
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

fn state(cells: &Cells) -> Result<Option<ReleaseState>, Problem> {
    let Some(state) = cells.said(Field::State) else { return Ok(None) };
    let known = ReleaseState::named(&state.to_ascii_lowercase());
    known.map(Some).ok_or_else(|| Problem::new("state", ImportError::StateUnknown))
}

/// Parses yes and no, and the booleans of spreadsheets in English, German, French, Spanish, Italian and Dutch.
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
