//! `deadwax import …`: releases from a table, beside a running server or without one.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context as _, bail, ensure};
use clap::{Subcommand, ValueEnum};
use deadwax_store::{clock::Clock, db::Db};
use rules::import::{DateAnswers, DateOrder, ImportError, YearAlone};
use uuid::Uuid;

use crate::{
    audit::record_system,
    imports::{
        self,
        plan::ImportVerdict,
        plan::{Choices, Plan},
        write::NewImport,
    },
};

#[derive(Clone, Debug, Subcommand)]
pub enum ImportCommand {
    /// Releases from a CSV or TSV file with a header; all of them, or none where a row cannot be imported.
    Releases {
        /// The file.
        file: std::path::PathBuf,
        /// Say what would be done, and do nothing. Ends as the import would.
        #[arg(long)]
        dry_run: bool,
        /// How to treat rows that have a year and no day.
        #[arg(long)]
        year_alone: Option<YearChoice>,
        /// Which number is the month in dates such as 03/12/2019.
        #[arg(long)]
        date_order: Option<OrderChoice>,
        /// Make drafts of rows that say no state.
        #[arg(long)]
        drafts: bool,
        /// Leave out the rows that cannot be imported.
        #[arg(long)]
        leave_out_refused: bool,
    },
}

/// How to treat rows that have a year and no day.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum YearChoice {
    /// The first day of it.
    FirstDay,
    /// The last day of it.
    LastDay,
    /// They are left out.
    LeaveOut,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum OrderChoice {
    /// 03/12/2019 is 3 December.
    DayFirst,
    /// 03/12/2019 is March 12.
    MonthFirst,
}

pub async fn import(db: &Db, clock: &Clock, command: ImportCommand) -> anyhow::Result<String> {
    let ImportCommand::Releases { file, dry_run, year_alone, date_order, drafts, leave_out_refused } =
        command;
    let bytes = read(&file).await?;
    let year_alone = year_alone.map(|choice| match choice {
        YearChoice::FirstDay => YearAlone::FirstDay,
        YearChoice::LastDay => YearAlone::LastDay,
        YearChoice::LeaveOut => YearAlone::LeaveOut,
    });
    let date_order = date_order.map(|choice| match choice {
        OrderChoice::DayFirst => DateOrder::DayFirst,
        OrderChoice::MonthFirst => DateOrder::MonthFirst,
    });
    let dates = DateAnswers { year_alone, date_order };
    let choices = Choices { columns: None, dates, as_drafts: drafts, leave_out_refused };
    let prepared = imports::prepare(bytes, &choices).await?;
    let (prepared, plan) = imports::planned(db, prepared, choices.clone()).await?;
    let mut report = report_of(&plan);
    let refusal = imports::refusal(&prepared, &plan, &choices);
    if let Some(error) = refusal {
        let flag = match error {
            ImportError::DaysMissing => ": --year-alone first-day, last-day or leave-out",
            ImportError::OrderMissing => ": --date-order day-first or month-first",
            ImportError::Refused => ": --leave-out-refused",
            _ => "",
        };
        bail!("{report}{}{flag}", error.message());
    }
    if dry_run {
        report.push_str("nothing was written");
        return Ok(report);
    }
    let now = clock.now();
    let file_name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let import = NewImport { id: Uuid::now_v7(), file_name, by: None, as_drafts: drafts };
    let mut tx = db.begin().await?;
    // Planned again in the transaction: what is written is what the catalogue allows then.
    imports::run(&mut tx, prepared, choices, &import, now).await?;
    record_system(&mut tx, now, "sensitive_create", Some(&format!("import:{}", import.id)), "ok").await?;
    tx.commit().await?;
    report.push_str("imported; the dashboard can undo it for 24 hours");
    Ok(report)
}

async fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    let size = tokio::fs::metadata(file).await.with_context(|| file.display().to_string())?.len();
    ensure!(
        size <= rules::import::FILE_MAX_BYTES,
        "{}: {}",
        file.display(),
        ImportError::FileTooLarge.message()
    );
    tokio::fs::read(file).await.with_context(|| file.display().to_string())
}

fn report_of(plan: &Plan) -> String {
    let mut report = String::new();
    for row in &plan.rows {
        let why: Vec<String> = match row.verdict {
            ImportVerdict::Refused => {
                row.problems.iter().map(|(field, message)| format!("{field}: {message}")).collect()
            }
            ImportVerdict::AsksForDay => vec![format!("release_date: {} is no day", row.release_date)],
            ImportVerdict::AsksForOrder => {
                vec!["release_date: the day or the month may come first".to_owned()]
            }
            ImportVerdict::LeftOut => vec!["left out: a year and no day".to_owned()],
            ImportVerdict::Add | ImportVerdict::Change | ImportVerdict::Unchanged => continue,
        };
        let _ = writeln!(report, "line {}: {}: {}", row.line, row.title, why.join("; "));
    }
    let (added, changed) = (plan.additions.len(), plan.changes.len());
    let unchanged = plan.count(ImportVerdict::Unchanged);
    let _ = writeln!(
        report,
        "{added} new, {changed} changed, {unchanged} unchanged, {} not imported, {} new artists",
        plan.rows.len() - added - changed - unchanged,
        plan.artists.len(),
    );
    report
}
