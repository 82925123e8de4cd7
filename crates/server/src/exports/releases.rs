//! Releases as a table, with the fields of an import in its order.

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

use super::{BATCH, ExportError, Lines};
use crate::catalogue::release_detail::{read_credits, read_tracks};

/// Selects a [`TableRow`]; the release is `r`.
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
    pub id: Uuid,
    pub version: i64,
    pub state: String,
    pub goes_out_at: Option<Micros>,
    pub title: String,
    pub artist_id: Option<Uuid>,
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
    /// JSON.
    pub tracks: String,
    /// JSON.
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

    /// The cell of a field, before formulas are escaped.
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
