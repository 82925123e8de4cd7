//! The catalogue as tables for spreadsheets: releases, which an import reads again, and artists.

use std::io;

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::rfc3339,
    db::{Db, Statement},
};
use futures_util::{Stream, StreamExt as _, pin_mut, stream};
use http::{HeaderValue, header};
use rules::spreadsheet::guarded;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{app::AppState, editing::Editor};

pub mod artists;
pub mod releases;

const BATCH: i64 = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    Releases,
    Artists,
}

impl Export {
    const fn name(self) -> &'static str {
        match self {
            Self::Releases => "releases",
            Self::Artists => "artists",
        }
    }

    fn header(self) -> Result<Bytes, csv::Error> {
        let mut lines = Lines::begin();
        match self {
            Self::Releases => lines.add(releases::header())?,
            Self::Artists => lines.add(artists::header())?,
        }
        lines.finish()
    }

    /// The next rows after an id, and the last id; none at the end.
    async fn batch(self, db: &Db, after: Uuid) -> Result<Option<(Bytes, Uuid)>, ExportError> {
        match self {
            Self::Releases => releases::batch(db, after).await,
            Self::Artists => artists::batch(db, after).await,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Table(#[from] csv::Error),
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(export_releases)).routes(routes!(export_artists))
}

pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [artists::STATEMENTS, releases::STATEMENTS].concat()
}

pub async fn write(db: &Db, what: Export, out: &mut (dyn io::Write + Send)) -> anyhow::Result<()> {
    let pieces = pieces(db.clone(), what);
    pin_mut!(pieces);
    while let Some(piece) = pieces.next().await {
        out.write_all(&piece?)?;
    }
    out.flush()?;
    Ok(())
}

fn pieces(db: Db, what: Export) -> impl Stream<Item = Result<Bytes, ExportError>> + Send {
    let header = stream::once(async move { Ok(what.header()?) });
    let rows = stream::unfold(Some((db, Uuid::nil())), move |state| async move {
        let (db, after) = state?;
        match what.batch(&db, after).await {
            Ok(None) => None,
            Ok(Some((lines, last))) => Some((Ok(lines), Some((db, last)))),
            // The download breaks off, which browsers report; a short file would look complete.
            Err(error) => Some((Err(error), None)),
        }
    });
    header.chain(rows)
}

/// The releases in every state as CSV, the first entry first. Noted in the audit log.
#[utoipa::path(get, path = "/api/admin/exports/releases.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub async fn export_releases(editor: Editor) -> AppResult<Response> {
    export(&editor, Export::Releases).await
}

/// The artists as CSV, the first entry first. Noted in the audit log.
#[utoipa::path(get, path = "/api/admin/exports/artists.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub async fn export_artists(editor: Editor) -> AppResult<Response> {
    export(&editor, Export::Artists).await
}

async fn export(editor: &Editor, what: Export) -> AppResult<Response> {
    let now = editor.app.clock.now();
    let mut tx = editor.app.db.begin().await?;
    editor.note(&mut tx, "sensitive_read", &format!("export:{}", what.name()), now).await?;
    tx.commit().await?;
    let name = format!("{}-{}.csv", what.name(), &rfc3339(now)[..10]);
    let disposition =
        HeaderValue::try_from(format!("attachment; filename=\"{name}\"")).map_err(AppError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present")),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, Body::from_stream(pieces(editor.app.db.clone(), what))).into_response())
}

/// The byte order mark, by which spreadsheets recognise UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

pub(super) struct Lines(csv::Writer<Vec<u8>>);

impl Lines {
    pub(super) fn begin() -> Self {
        Self::after(MARK.to_vec())
    }

    pub(super) fn more() -> Self {
        Self::after(Vec::new())
    }

    fn after(bytes: Vec<u8>) -> Self {
        Self(csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(bytes))
    }

    pub(super) fn add<T: AsRef<str>>(
        &mut self,
        cells: impl IntoIterator<Item = T>,
    ) -> Result<(), csv::Error> {
        for cell in cells {
            self.0.write_field(guarded(cell.as_ref()).as_bytes())?;
        }
        self.0.write_record(None::<&[u8]>)
    }

    pub(super) fn finish(self) -> Result<Bytes, csv::Error> {
        let bytes = self
            .0
            .into_inner()
            .map_err(|error| csv::Error::from(std::io::Error::other(error.to_string())))?;
        Ok(bytes.into())
    }
}
