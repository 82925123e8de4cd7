//! The views of imports.

use deadwax_store::columns::Timestamp;
use rules::import::Field;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    encoding::Encoding,
    plan::{ImportRow, ImportVerdict, Plan, Prepared},
};

const SAMPLES: usize = 3;

/// A table and what would become of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportPreview {
    pub file_name: String,
    /// How its bytes were read; `windows-1252` and `macintosh` are guessed.
    pub encoding: Encoding,
    pub columns: Vec<ImportColumn>,
    /// The names of all fields that a column can be.
    pub fields: Vec<String>,
    /// How many rows come to what.
    pub counts: ImportCounts,
    /// The rows in the order of the file.
    pub rows: Vec<ImportRow>,
    /// Why it cannot be imported as it is, for a person; null where it can.
    pub refusal: Option<String>,
}

/// A column of a table.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportColumn {
    pub header: String,
    /// The field it is taken for; null where nothing is taken from it.
    pub field: Option<String>,
    /// The first values in it.
    pub samples: Vec<String>,
}

/// How many rows come to what.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportCounts {
    /// New releases.
    pub add: usize,
    /// Changed releases.
    pub change: usize,
    /// Releases that are as the row says.
    pub unchanged: usize,
    /// Rows with a year and no day, while it is not said what becomes of them.
    pub asks_for_day: usize,
    /// Rows with a date that can be read in two ways, until the order of day and month is answered.
    pub asks_for_order: usize,
    /// Rows that are left out because they have a year and no day.
    pub left_out: usize,
    /// Rows that the rules refuse.
    pub refused: usize,
    /// Artists that are made.
    pub new_artists: usize,
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ImportView {
    pub id: Uuid,
    pub file_name: String,
    /// When it was.
    pub created_at: Timestamp,
    /// How many releases it made.
    pub added: i64,
    /// How many releases it changed.
    pub changed: i64,
    /// How many artists it made.
    pub artists: i64,
    /// When it was undone; null while it is not.
    pub undone_at: Option<Timestamp>,
    /// Whether it can be undone now.
    pub can_be_undone: bool,
}

/// The form to preview or to import a table.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct ImportForm {
    /// CSV or TSV with a header, at most 16 MB and 20000 rows.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The field of each column as a JSON list, null for none; as the headers say when absent.
    columns: Option<String>,
    /// How to treat rows with a year and no day: `first_day`, `last_day` or `leave_out`.
    year_alone: Option<String>,
    /// Which number is the month in dates such as `03/12/2019`: `day_first` or `month_first`.
    date_order: Option<String>,
    /// `true` where new rows without a state are drafts.
    as_drafts: Option<String>,
    /// `true` where rows that the rules refuse are left out.
    leave_out_refused: Option<String>,
}

impl ImportPreview {
    pub fn new(file_name: String, prepared: &Prepared, plan: Plan, refusal: Option<String>) -> Self {
        let columns = prepared.headers().iter().zip(&prepared.columns).enumerate();
        Self {
            file_name,
            encoding: prepared.encoding(),
            columns: columns
                .map(|(place, (header, field))| ImportColumn {
                    header: header.chars().take(80).collect(),
                    field: field.map(|field| field.name().to_owned()),
                    samples: prepared.sample(place, SAMPLES),
                })
                .collect(),
            fields: Field::ALL.iter().map(|field| field.name().to_owned()).collect(),
            counts: ImportCounts {
                add: plan.additions.len(),
                change: plan.changes.len(),
                unchanged: plan.count(ImportVerdict::Unchanged),
                asks_for_day: plan.count(ImportVerdict::AsksForDay),
                asks_for_order: plan.count(ImportVerdict::AsksForOrder),
                left_out: plan.count(ImportVerdict::LeftOut),
                refused: plan.count(ImportVerdict::Refused),
                new_artists: plan.artists.len(),
            },
            rows: plan.rows,
            refusal,
        }
    }
}
