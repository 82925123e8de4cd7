//! The catalogue as tables for spreadsheets: releases, which an import reads again, and artists.

use std::{io, iter::once};

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::Db,
    ids::{ArtistId, ReleaseId},
    statements,
};
use futures_util::{Stream, StreamExt as _, pin_mut, stream};
use http::{HeaderValue, header};
use rules::{
    import::Field,
    release::ReleaseForm,
    spreadsheet::guarded,
    track_list::{credits_text, tracks_text},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::AppState,
    catalogue::{
        artist_edits,
        release_detail::{read_credits, read_tracks},
    },
    editing::{Editor, versions::VersionKind},
};

const BATCH: i64 = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// Releases in every state.
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

    fn header(self) -> Vec<&'static str> {
        match self {
            Self::Releases => Field::ALL.iter().map(|field| field.name()).collect(),
            Self::Artists => once("id").chain(VersionKind::Artist.fields()).collect(),
        }
    }

    async fn batch(self, db: &Db, after: Uuid) -> anyhow::Result<Option<(Bytes, Uuid)>> {
        let mut lines = Lines::more();
        let mut last = None;
        match self {
            Self::Releases => {
                for row in list_after(db, after, BATCH).await? {
                    lines.add(Field::ALL.iter().map(|field| row.cell(*field)))?;
                    last = Some(row.id.0);
                }
            }
            Self::Artists => {
                for artist in artist_edits::list_after(db, after, BATCH).await? {
                    let form = VersionKind::Artist.of(&json!(artist));
                    let cell = |field| match &form[field] {
                        Value::Null => String::new(),
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    lines.add(once(artist.id.to_string()).chain(VersionKind::Artist.fields().map(cell)))?;
                    last = Some(artist.id.0);
                }
            }
        }
        let Some(last) = last else { return Ok(None) };
        Ok(Some((lines.finish()?, last)))
    }
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(export_releases)).routes(routes!(export_artists))
}

/// Writes the pieces of a table.
pub async fn write(
    pieces: impl Stream<Item = anyhow::Result<Bytes>> + Send,
    out: &mut (dyn io::Write + Send),
) -> anyhow::Result<()> {
    pin_mut!(pieces);
    while let Some(piece) = pieces.next().await {
        out.write_all(&piece?)?;
    }
    out.flush()?;
    Ok(())
}

/// A table of the catalogue as CSV, in pieces.
pub fn pieces(db: Db, what: Export) -> impl Stream<Item = anyhow::Result<Bytes>> + Send {
    let rows = batches(db, Uuid::nil(), move |db, after| async move { what.batch(&db, after).await });
    table(what.header(), rows)
}

/// A table as CSV, in pieces: its header before its rows.
pub fn table<T: AsRef<str>>(
    header: impl IntoIterator<Item = T>,
    rows: impl Stream<Item = anyhow::Result<Bytes>> + Send,
) -> impl Stream<Item = anyhow::Result<Bytes>> + Send {
    let mut lines = Lines::after(MARK.to_vec());
    let header = lines.add(header).and_then(|()| lines.finish());
    stream::once(async { Ok(header?) }).chain(rows)
}

/// A file in pieces: `read` returns the lines after a key with the last key among them, or none at the end.
pub fn batches<Key: Send, Reading>(
    db: Db,
    first: Key,
    read: impl Fn(Db, Key) -> Reading + Send,
) -> impl Stream<Item = anyhow::Result<Bytes>> + Send
where
    Reading: Future<Output = anyhow::Result<Option<(Bytes, Key)>>> + Send,
{
    stream::unfold(Some((db, first, read)), async |state| {
        let (db, after, read) = state?;
        match read(db.clone(), after).await {
            Ok(None) => None,
            Ok(Some((lines, last))) => Some((Ok(lines), Some((db, last, read)))),
            // The download breaks off, which browsers report; a short file would look complete.
            Err(error) => Some((Err(error), None)),
        }
    })
}

const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8; header=present");

/// A file that browsers save under this name.
pub fn attachment(name: &str, content_type: HeaderValue, body: Body) -> AppResult<Response> {
    let disposition =
        HeaderValue::try_from(format!("attachment; filename=\"{name}\"")).map_err(AppError::internal)?;
    let headers = [(header::CONTENT_TYPE, content_type), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, body).into_response())
}

/// The releases in every state as CSV, the first entry first. Noted in the audit log.
#[utoipa::path(get, path = "/api/admin/exports/releases.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub async fn export_releases(editor: Editor) -> AppResult<Response> {
    export_catalogue(&editor, Export::Releases).await
}

/// The artists as CSV, the first entry first. Noted in the audit log.
#[utoipa::path(get, path = "/api/admin/exports/artists.csv", tag = "admin", responses(
    (status = 200, description = "The table", content_type = "text/csv", body = String),
))]
pub async fn export_artists(editor: Editor) -> AppResult<Response> {
    export_catalogue(&editor, Export::Artists).await
}

async fn export_catalogue(editor: &Editor, what: Export) -> AppResult<Response> {
    let name = what.name();
    export(editor, &format!("export:{name}"), name, pieces(editor.app.db.clone(), what)).await
}

/// A table for download under its name and the day. Noted in the audit log as read at `target`.
pub async fn export(
    editor: &Editor,
    target: &str,
    name: &str,
    pieces: impl Stream<Item = anyhow::Result<Bytes>> + Send + 'static,
) -> AppResult<Response> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    by.check_and_record(&mut tx, "sensitive_read", target).await?;
    tx.commit().await?;
    attachment(&format!("{name}-{}.csv", &rfc3339(by.now)[..10]), CSV, Body::from_stream(pieces))
}

/// The byte order mark, by which spreadsheets recognise UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Lines of a table, whose cells no spreadsheet takes for formulas.
pub struct Lines(csv::Writer<Vec<u8>>);

impl Lines {
    pub fn more() -> Self {
        Self::after(Vec::new())
    }

    fn after(bytes: Vec<u8>) -> Self {
        Self(csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(bytes))
    }

    pub fn add<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> Result<(), csv::Error> {
        for cell in cells {
            self.0.write_field(guarded(cell.as_ref()).as_bytes())?;
        }
        self.0.write_record(None::<&[u8]>)
    }

    pub fn finish(self) -> Result<Bytes, csv::Error> {
        let bytes = self
            .0
            .into_inner()
            .map_err(|error| csv::Error::from(std::io::Error::other(error.to_string())))?;
        Ok(bytes.into())
    }
}

macro_rules! select_table_rows {
    () => {
        "SELECT r.id, r.version, r.state, r.goes_out_at, r.title, r.artist_id, a.name AS artist_name, r.catalog, r.release_date, \
             r.format, r.description, r.cover_image_url, r.spotify_url, r.soundcloud_url, r.apple_music_url, r.youtube_url, \
             r.bandcamp_url, r.featured, r.tracks, r.credits, r.updated_at, r.deleted_at \
         FROM releases r LEFT JOIN artists a ON a.id = r.artist_id AND a.deleted_at IS NULL"
    };
}
pub(crate) use select_table_rows;

statements! {
    AFTER = concat!(select_table_rows!(), " WHERE r.id > $2 AND r.deleted_at IS NULL ORDER BY r.id LIMIT $1");
}

#[derive(Clone, Debug, Serialize, Deserialize, sqlx_macros::FromRow)]
pub struct TableRow {
    pub id: ReleaseId,
    pub version: i64,
    pub state: String,
    pub goes_out_at: Option<Micros>,
    pub title: String,
    pub artist_id: Option<ArtistId>,
    pub artist_name: Option<String>,
    pub catalog: Option<String>,
    pub release_date: Option<String>,
    pub format: Option<String>,
    pub description: Option<String>,
    pub cover_image_url: Option<String>,
    pub spotify_url: Option<String>,
    pub soundcloud_url: Option<String>,
    pub apple_music_url: Option<String>,
    pub youtube_url: Option<String>,
    pub bandcamp_url: Option<String>,
    pub featured: bool,
    pub tracks: String,
    pub credits: String,
    #[serde(default)]
    pub updated_at: Micros,
    pub deleted_at: Option<Micros>,
}

impl TableRow {
    /// The form an edit of the release would begin with, without the artist.
    pub fn form(&self) -> ReleaseForm {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        ReleaseForm {
            title: self.title.clone(),
            artist_id: None,
            catalog: said(&self.catalog),
            release_date: self.release_date.clone().unwrap_or_default(),
            description: said(&self.description),
            cover_image_url: said(&self.cover_image_url),
            spotify_url: said(&self.spotify_url),
            soundcloud_url: said(&self.soundcloud_url),
            apple_music_url: said(&self.apple_music_url),
            youtube_url: said(&self.youtube_url),
            bandcamp_url: said(&self.bandcamp_url),
            format: said(&self.format),
            tracks: read_tracks(&self.tracks),
            credits: read_credits(&self.credits),
            publish: None,
            goes_out_at: None,
            featured: self.featured,
        }
    }

    pub fn cell(&self, field: Field) -> String {
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        match field {
            Field::Id => self.id.to_string(),
            Field::State => self.state.clone(),
            Field::GoesOutAt => self.goes_out_at.map(rfc3339).unwrap_or_default(),
            Field::Title => self.title.clone(),
            Field::Artist => optional(&self.artist_name),
            Field::Catalog => optional(&self.catalog),
            Field::ReleaseDate => optional(&self.release_date),
            Field::Description => optional(&self.description),
            Field::CoverImageUrl => optional(&self.cover_image_url),
            Field::SpotifyUrl => optional(&self.spotify_url),
            Field::SoundcloudUrl => optional(&self.soundcloud_url),
            Field::AppleMusicUrl => optional(&self.apple_music_url),
            Field::YoutubeUrl => optional(&self.youtube_url),
            Field::BandcampUrl => optional(&self.bandcamp_url),
            Field::Featured => self.featured.to_string(),
            Field::Format => optional(&self.format),
            Field::Tracks => tracks_text(&read_tracks(&self.tracks)),
            Field::Credits => credits_text(&read_credits(&self.credits)),
        }
    }
}

async fn list_after(db: &Db, after: Uuid, limit: i64) -> sqlx::Result<Vec<TableRow>> {
    db.query(AFTER).bind(limit).bind(after).all().await
}
