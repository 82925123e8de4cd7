//! All numbers as a table for spreadsheets.

use std::{collections::HashMap, io};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use deadwax_http::error::AppResult;
use deadwax_store::{clock::rfc3339, columns::Named as _, db::Db, statements};
use futures_util::{Stream, StreamExt as _, pin_mut, stream};

use super::{kind::Kind, report};
use crate::{
    editing::Editor,
    exports::{CSV, ExportError, Lines, attachment, batches},
};

statements! {
    // A day, or a month that is no longer kept by day.
    NEXT = "SELECT day, kind, subject, value, n FROM numbers \
        WHERE day = (SELECT MIN(day) FROM numbers WHERE day > $1) ORDER BY kind, subject, value";
}

const COLUMNS: [&str; 6] = ["day", "kind", "subject", "name", "detail", "count"];

/// Writes the numbers as CSV, the first day first.
pub async fn write(db: &Db, out: &mut (dyn io::Write + Send)) -> anyhow::Result<()> {
    let pieces = pieces(db.clone());
    pin_mut!(pieces);
    while let Some(piece) = pieces.next().await {
        out.write_all(&piece?)?;
    }
    out.flush()?;
    Ok(())
}

fn pieces(db: Db) -> impl Stream<Item = Result<Bytes, ExportError>> + Send {
    let header = stream::once(async {
        let mut lines = Lines::begin();
        lines.add(COLUMNS)?;
        Ok(lines.finish()?)
    });
    header.chain(batches(db, Place::default(), next))
}

/// The last day that was written, and the names that were looked up.
#[derive(Default)]
struct Place {
    day: String,
    names: HashMap<(Kind, String), String>,
}

async fn next(db: Db, Place { day, mut names }: Place) -> Result<Option<(Bytes, Place)>, ExportError> {
    let rows = db.query(NEXT).bind(day).all::<(String, Kind, String, String, i64)>().await?;
    let Some(last) = rows.last().map(|(day, ..)| day.clone()) else { return Ok(None) };
    let mut lines = Lines::more();
    for (day, kind, subject, value, n) in rows {
        let of = (kind, subject);
        if !names.contains_key(&of) {
            names.insert(of.clone(), report::name(&db, of.0, &of.1).await?.0);
        }
        let name = names.get(&of).map_or("", String::as_str);
        lines.add([&day, of.0.name(), &of.1, name, &value, &n.to_string()])?;
    }
    Ok(Some((lines.finish()?, Place { day: last, names })))
}

/// All numbers as CSV, the first day first; today's visitors come with its end. Noted in the audit log.
#[utoipa::path(get, path = "/api/admin/exports/numbers.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub(super) async fn export_numbers(editor: Editor) -> AppResult<Response> {
    let now = editor.app.clock.now();
    let mut tx = editor.app.db.begin().await?;
    editor.note(&mut tx, "sensitive_read", "export:numbers", now).await?;
    tx.commit().await?;
    let name = format!("numbers-{}.csv", &rfc3339(now)[..10]);
    attachment(&name, CSV, Body::from_stream(pieces(editor.app.db.clone())))
}
