//! A release as an admin edits one.

use deadwax_store::{
    columns::Timestamp,
    crypto::Keys,
    db::known,
    ids::{ArtistId, ReleaseId},
};
use rules::{publish::ReleaseState, release_details::Credit};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    private_links,
    release_detail::{Track, read_credits, read_tracks},
    releases::ReleaseArtist,
};
use crate::{editing::versions::versioned, files::picture::PictureSizes};

#[derive(sqlx_macros::FromRow)]
pub(super) struct EditableRow {
    #[sqlx(flatten)]
    release: EditableRelease,
    artist_name: Option<String>,
    state: String,
    tracks: String,
    credits: String,
    sealed: Option<Vec<u8>>,
}

/// A release as an admin edits one.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct EditableRelease {
    /// The release's id.
    pub id: ReleaseId,
    pub title: String,
    /// The artist's id; null shows as Unknown Artist.
    pub artist_id: Option<ArtistId>,
    /// The same with a name.
    #[sqlx(skip)]
    pub artist: Option<ReleaseArtist>,
    /// The catalogue number.
    pub catalog: Option<String>,
    /// `YYYY-MM-DD`; null on rows that are older than this rule.
    pub release_date: Option<String>,
    pub description: Option<String>,
    pub cover_image_url: Option<String>,
    /// The cover at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The cover in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// The release on Spotify.
    pub spotify_url: Option<String>,
    /// The release on SoundCloud.
    pub soundcloud_url: Option<String>,
    /// The release on Apple Music.
    pub apple_music_url: Option<String>,
    /// The release on YouTube.
    pub youtube_url: Option<String>,
    /// The release on Bandcamp.
    pub bandcamp_url: Option<String>,
    /// The format, such as `12" vinyl`.
    pub format: Option<String>,
    /// Its tracks, in their order.
    #[sqlx(skip)]
    pub tracks: Vec<Track>,
    #[sqlx(skip)]
    pub credits: Vec<Credit>,
    /// `draft`, `scheduled` or `out`.
    #[schema(value_type = String)]
    #[sqlx(skip)]
    pub state: ReleaseState,
    /// When it goes out, while it is scheduled.
    pub goes_out_at: Option<Timestamp>,
    /// The last part of its public address, `/releases/{slug}`; null before it was out.
    pub slug: Option<String>,
    /// The private link that shows it before it is out: `/p/{token}`.
    #[sqlx(skip)]
    pub private_link: Option<String>,
    /// Marked for attention; changes nothing on the public pages.
    pub featured: bool,
    /// When it was entered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

versioned!(EditableRelease: Release, |row| row.id, "release" row.id);

impl EditableRow {
    /// Completes the view; `keys` open its private link.
    pub(super) fn into_view(self, keys: &Keys) -> sqlx::Result<EditableRelease> {
        let mut release = self.release;
        release.state = known(ReleaseState::named, &self.state, ("releases", "state", &release.id))?;
        release.artist = ReleaseArtist::of(release.artist_id, self.artist_name);
        release.tracks = read_tracks(&self.tracks).into_iter().map(Track::from).collect();
        release.credits = read_credits(&self.credits);
        release.private_link = self.sealed.and_then(|sealed| private_links::path(keys, &sealed));
        Ok(release)
    }
}
