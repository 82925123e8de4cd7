//! All numbers as a table for spreadsheets.

use std::collections::HashMap;

use axum::response::Response;
use bytes::Bytes;
use deadwax_http::error::AppResult;
use deadwax_store::{columns::Named as _, db::Db, statements};
use futures_util::Stream;

use super::{kind::Kind, names};
use crate::{
    editing::Editor,
    exports::{Lines, batches, export, table},
};

statements! {
    // A day, or a month that is no longer kept by day.
    NEXT = "SELECT day, kind, subject, value, n FROM numbers \
        WHERE day = (SELECT MIN(day) FROM numbers WHERE day > $1) ORDER BY kind, subject, value";
}

const COLUMNS: [&str; 6] = ["day", "kind", "subject", "name", "detail", "count"];

/// All numbers as CSV, the first day first, in pieces.
pub fn pieces(db: Db) -> impl Stream<Item = anyhow::Result<Bytes>> + Send {
    table(COLUMNS, batches(db, Place::default(), next))
}

/// The last day that was written, and the names that were looked up.
#[derive(Default)]
struct Place {
    day: String,
    names: HashMap<(Kind, String), String>,
}

async fn next(db: Db, Place { day, mut names }: Place) -> anyhow::Result<Option<(Bytes, Place)>> {
    let rows = db.query(NEXT).bind(day).all::<(String, Kind, String, String, i64)>().await?;
    let Some(last) = rows.last().map(|(day, ..)| day.clone()) else { return Ok(None) };
    let mut lines = Lines::more();
    for (day, kind, subject, value, n) in rows {
        let of = (kind, subject);
        if !names.contains_key(&of) {
            names.insert(of.clone(), names::name_of(&db, of.0, &of.1).await?.0);
        }
        let name = names.get(&of).map_or("", String::as_str);
        lines.add([&day, of.0.as_str(), &of.1, name, &value, &n.to_string()])?;
    }
    Ok(Some((lines.finish()?, Place { day: last, names })))
}

/// All numbers as CSV, the first day first; today's visitors come with its end. Noted in the audit log.
#[utoipa::path(get, path = "/api/admin/exports/numbers.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub(super) async fn export_numbers(editor: Editor) -> AppResult<Response> {
    export(&editor, "export:numbers", "numbers", pieces(editor.app.db.clone())).await
}
