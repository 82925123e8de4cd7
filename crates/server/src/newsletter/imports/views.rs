//! The views of imports of subscribers.

use std::collections::BTreeMap;

use deadwax_store::columns::Timestamp;
use rules::subscriber_import::{LISTED_MAX, SubscriberField, SubscriberImportError, SubscriberVerdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::lists::{ListFile, ListRow, Lists};
use crate::imports::views::ImportColumn;

/// A file of subscribers and what would become of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SubscriberImportCheck {
    pub file_name: String,
    /// The lists in it: one, or those of a ZIP.
    pub files: Vec<ListFile>,
    /// Names of other files in a ZIP, at most 10.
    pub passed_over: Vec<String>,
    /// The columns of all lists.
    pub columns: Vec<ImportColumn>,
    /// The names of all fields that a column can be.
    pub fields: Vec<String>,
    /// How many rows have each verdict.
    pub counts: SubscriberImportCounts,
    /// The first 1000 rows of each verdict, in the order of the file.
    pub rows: Vec<SubscriberRow>,
    /// Why it cannot be imported as it is, for a person; null where it can.
    pub refusal: Option<String>,
}

/// How many rows have each verdict.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct SubscriberImportCounts {
    /// New addresses with the time of a confirmation.
    pub add_confirmed: usize,
    /// New addresses without one.
    pub add_unconfirmed: usize,
    /// Active subscribers here who left elsewhere, or whose letters came back.
    pub end: usize,
    /// Addresses like that without an active subscription here, which are suppressed.
    pub suppress: usize,
    /// Known addresses, which stay as they are.
    pub known: usize,
    /// Addresses that left, bounced, complained or were removed, and stay out.
    pub suppressed: usize,
    /// Addresses that were never on the list.
    pub never_subscribed: usize,
    /// Rows whose address another row has.
    pub repeated: usize,
    /// Rows that the rules refuse.
    pub refused: usize,
}

/// A row and what would become of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SubscriberRow {
    /// The name of its list.
    pub file: String,
    /// On which line of it the row begins, from 1.
    pub line: u64,
    /// The address as it is written.
    pub email: String,
    /// `add_confirmed`, `add_unconfirmed`, `end`, `suppress`, `known`, `suppressed`, `never_subscribed`, `repeated` or `refused`.
    pub verdict: String,
    /// Why it is refused, or what could not be read, for a person.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct SubscriberImport {
    pub id: Uuid,
    pub file_name: String,
    pub created_at: Timestamp,
    /// How many confirmed subscribers it added.
    pub confirmed: i64,
    /// How many unconfirmed ones.
    pub unconfirmed: i64,
    /// How many active subscribers it made inactive.
    pub ended: i64,
    /// How many addresses it suppressed, those of the latter included.
    pub suppressed: i64,
    /// When it was complete; null while it runs, or if it was interrupted.
    pub finished_at: Option<Timestamp>,
    /// When it was undone; null while it is not.
    pub undone_at: Option<Timestamp>,
    /// Whether it is young enough to be undone.
    pub can_be_undone: bool,
}

/// The form to check or to import subscribers.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct SubscriberImportForm {
    /// CSV, TSV, or a ZIP of files whose names begin with subscribed, unsubscribed or cleaned; at most 16 MB, 32 MB unpacked, and
    /// 100000 rows.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The field of each column as a JSON list, null for none; as the headers say when absent.
    columns: Option<String>,
}

impl SubscriberImport {
    /// The numbers, for the audit log.
    pub(super) fn numbers(&self) -> String {
        let Self { confirmed, unconfirmed, ended, suppressed, .. } = self;
        format!("{confirmed} confirmed, {unconfirmed} unconfirmed, {ended} ended, {suppressed} suppressed")
    }
}

impl SubscriberImportCheck {
    pub fn new(
        file_name: String,
        lists: Lists,
        verdicts: &[SubscriberVerdict],
        refusal: Option<String>,
    ) -> Self {
        let mut counts = SubscriberImportCounts::default();
        let mut listed = BTreeMap::<SubscriberVerdict, usize>::new();
        let rows = lists.rows.iter().zip(verdicts).filter(|(_, verdict)| {
            *counts.of(**verdict) += 1;
            let listed = listed.entry(**verdict).or_default();
            *listed += 1;
            *listed <= LISTED_MAX
        });
        let rows = rows.map(|(row, verdict)| shown(row, *verdict, &lists.files)).collect();
        let columns = lists.headers.iter().zip(&lists.columns).zip(lists.samples);
        Self {
            file_name,
            files: lists.files,
            passed_over: lists.passed_over,
            columns: columns
                .map(|((header, field), samples)| ImportColumn {
                    header: header.chars().take(80).collect(),
                    field: field.map(|field| field.name().to_owned()),
                    samples,
                })
                .collect(),
            fields: SubscriberField::ALL.iter().map(|field| field.name().to_owned()).collect(),
            rows,
            counts,
            refusal,
        }
    }
}

impl SubscriberImportCounts {
    fn of(&mut self, verdict: SubscriberVerdict) -> &mut usize {
        match verdict {
            SubscriberVerdict::AddConfirmed => &mut self.add_confirmed,
            SubscriberVerdict::AddUnconfirmed => &mut self.add_unconfirmed,
            SubscriberVerdict::End => &mut self.end,
            SubscriberVerdict::Suppress => &mut self.suppress,
            SubscriberVerdict::Known => &mut self.known,
            SubscriberVerdict::Suppressed => &mut self.suppressed,
            SubscriberVerdict::NeverSubscribed => &mut self.never_subscribed,
            SubscriberVerdict::Repeated => &mut self.repeated,
            SubscriberVerdict::Refused => &mut self.refused,
        }
    }
}

fn shown(row: &ListRow, verdict: SubscriberVerdict, files: &[ListFile]) -> SubscriberRow {
    let unclear = || SubscriberImportError::ConfirmationUnclear.message().to_owned();
    let problem = match &row.read {
        Err(refusal) => Some(refusal.message.to_string()),
        Ok(candidate) => (candidate.is_unclear && verdict == SubscriberVerdict::AddUnconfirmed).then(unclear),
    };
    SubscriberRow {
        file: files[row.file].name.clone(),
        line: row.line,
        email: row.address.clone(),
        verdict: verdict.as_str().to_owned(),
        problem,
    }
}
