//! Releases as a table: the fields that an import knows, in its order.

use bytes::Bytes;
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::Db,
    statements,
};
use rules::{
    import::Field,
    release::ReleaseForm,
    track_list::{credits_text, tracks_text},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{BATCH, ExportError, table::Lines};
use crate::catalogue::release_detail::{read_credits, read_tracks};

/// Reads a [`TableRow`]; the release is `r`.
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

/// A release as a row of a table.
#[derive(Clone, Debug, Serialize, Deserialize, sqlx::FromRow)]
pub struct TableRow {
    /// Its id.
    pub id: Uuid,
    /// The version that was read.
    pub version: i64,
    /// Draft, scheduled or out.
    pub state: String,
    /// When it goes out, if it is scheduled.
    pub goes_out_at: Option<Micros>,
    /// The title.
    pub title: String,
    /// Who made it.
    pub artist_id: Option<Uuid>,
    /// The artist's name.
    pub artist_name: Option<String>,
    /// The catalogue number.
    pub catalog: Option<String>,
    /// The date.
    pub release_date: Option<String>,
    /// What it is pressed on.
    pub format: Option<String>,
    /// What there is to say.
    pub description: Option<String>,
    /// The cover.
    pub cover_image_url: Option<String>,
    /// Spotify.
    pub spotify_url: Option<String>,
    /// `SoundCloud`.
    pub soundcloud_url: Option<String>,
    /// Apple Music.
    pub apple_music_url: Option<String>,
    /// `YouTube`.
    pub youtube_url: Option<String>,
    /// Bandcamp.
    pub bandcamp_url: Option<String>,
    /// Marked for attention.
    pub featured: bool,
    /// JSON.
    pub tracks: String,
    /// JSON.
    pub credits: String,
    /// When it was last changed.
    #[serde(default)]
    pub updated_at: Micros,
    /// Since when it is in the trash.
    pub deleted_at: Option<Micros>,
}

impl TableRow {
    /// The form that an edit of the release would begin with; the artist is looked after apart.
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

    /// What stands in the column of a field, before it is guarded.
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

/// The columns.
pub(super) fn header() -> impl Iterator<Item = &'static str> {
    Field::ALL.iter().map(|field| field.name())
}

pub(super) async fn batch(db: &Db, after: Uuid) -> Result<Option<(Bytes, Uuid)>, ExportError> {
    let rows = db.query(AFTER).bind(BATCH).bind(after).all::<TableRow>().await?;
    let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
    let mut lines = Lines::more();
    for row in rows {
        lines.add(Field::ALL.iter().map(|field| row.cell(*field)))?;
    }
    Ok(Some((lines.finish()?, last)))
}
