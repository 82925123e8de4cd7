//! The columns and the view shared by all lists and pages of releases.

use deadwax_http::extract::Cursor;
use deadwax_store::{
    clock::Micros,
    columns::PublicUrl,
    ids::{ArtistId, ReleaseId},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::files::picture::PictureSizes;

/// Selects the columns of [`ReleaseView`] or of an editable release, and some more: of the public releases, or of all.
macro_rules! select_releases {
    (public, $more:expr) => {
        $crate::catalogue::release_rows::select_releases!("r.artist_id, r.artist_name", $more, " FROM public_releases r")
    };
    (kept, $more:expr) => {
        $crate::catalogue::release_rows::select_releases!(
            "a.id AS artist_id, a.name AS artist_name",
            $more,
            " FROM releases r LEFT JOIN artists a ON a.id = r.artist_id AND a.deleted_at IS NULL"
        )
    };
    ($artist:literal, $more:expr, $from:literal) => {
        concat!(
            "SELECT r.id, r.title, r.catalog, r.release_date, r.description, r.cover_image_url, r.spotify_url, \
                 r.soundcloud_url, r.apple_music_url, r.youtube_url, r.bandcamp_url, r.created_at, r.updated_at, r.slug, \
                 '/media/' || o.small_key AS image_small_url, o.sizes AS image_sizes, ",
            $artist,
            ", ",
            $more,
            $from,
            " LEFT JOIN objects o ON o.key = substr(r.cover_image_url, 8)"
        )
    };
}
pub(super) use select_releases;

macro_rules! select {
    () => {
        $crate::catalogue::release_rows::select_releases!(
            public,
            "r.sort_key, r.out_at, o.width AS image_width, o.height AS image_height"
        )
    };
}
macro_rules! order {
    () => {
        " ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id LIMIT $1"
    };
}
// Whether `r.id` is in a subquery. PostgreSQL runs an array once; a limited subquery behind `IN` is run again for every release while the
// planner takes the table for a small one.
macro_rules! is_among {
    (sqlite, $ids:expr) => {
        concat!(" r.id IN (", $ids, ")")
    };
    (postgres, $ids:expr) => {
        concat!(" r.id = ANY(ARRAY(", $ids, "))")
    };
}
// The first comparison alone lets the index find the place; the rest settles ties on the same date.
macro_rules! after {
    () => {
        " COALESCE(r.release_date, '') <= $2 \
             AND (COALESCE(r.release_date, '') < $2 OR r.sort_key > $3 OR (r.sort_key = $3 AND r.id > $4))"
    };
}
pub(super) use {after, is_among, order, select};

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleaseArtist {
    /// The artist's id.
    pub id: ArtistId,
    /// The artist's name.
    pub name: String,
}

/// A release as visitors see one.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ReleaseView {
    /// The release's id.
    pub id: ReleaseId,
    /// The last part of its address, `/releases/{slug}`.
    #[sqlx(skip)]
    pub slug: String,
    /// The title, as typed.
    pub title: String,
    /// The catalogue number of the catalogue's own column.
    pub catalog: Option<String>,
    /// The number an artist's page shows: what the description says after `CATALOG:`, else `N/A`.
    #[sqlx(skip)]
    pub catalog_label: String,
    /// The calendar date, YYYY-MM-DD.
    pub release_date: Option<String>,
    /// The date as shown: YYYY.MM.DD, or `No Date`.
    #[sqlx(skip)]
    pub date_label: String,
    pub description: Option<String>,
    /// The artwork.
    pub cover_image_url: PublicUrl,
    /// The artwork at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The artwork in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `cover_image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `cover_image_url` in pixels, where known.
    pub image_height: Option<i64>,
    /// The release on Spotify.
    pub spotify_url: PublicUrl,
    /// The release on SoundCloud.
    pub soundcloud_url: PublicUrl,
    /// The player to embed; null when neither link has one.
    #[sqlx(skip)]
    pub embed_url: Option<String>,
    /// The artist's id; null for an unknown artist.
    pub artist_id: Option<ArtistId>,
    /// The artist; null for an unknown one.
    #[sqlx(skip)]
    pub artist: Option<ReleaseArtist>,
    #[serde(skip)]
    #[sqlx(rename = "slug")]
    stored_slug: Option<String>,
    #[serde(skip)]
    artist_name: Option<String>,
    #[serde(skip)]
    apple_music_url: PublicUrl,
    #[serde(skip)]
    youtube_url: PublicUrl,
    #[serde(skip)]
    bandcamp_url: PublicUrl,
    #[serde(skip)]
    pub(super) sort_key: String,
    #[serde(skip)]
    out_at: Option<Micros>,
    #[serde(skip)]
    created_at: Micros,
    #[serde(skip)]
    pub updated_at: Micros,
}

impl ReleaseArtist {
    pub(super) fn of(id: Option<ArtistId>, name: Option<String>) -> Option<Self> {
        id.zip(name).map(|(id, name)| Self { id, name })
    }
}

impl ReleaseView {
    pub fn path(&self) -> String {
        path(&self.slug)
    }

    pub fn out_at(&self) -> Micros {
        self.out_at.unwrap_or(self.created_at)
    }

    /// Where it can be heard, in the order of its page.
    pub fn platform_urls(&self) -> impl Iterator<Item = &str> {
        let first = [&self.spotify_url, &self.soundcloud_url];
        let urls = first.into_iter().chain([&self.apple_music_url, &self.youtube_url, &self.bandcamp_url]);
        urls.filter_map(|url| url.as_deref())
    }

    /// Fills the fields derived from columns.
    pub(super) fn completed(mut self) -> Self {
        // A row written by another program has no slug for a moment.
        self.slug = self.stored_slug.take().unwrap_or_else(|| self.id.to_string());
        self.artist = ReleaseArtist::of(self.artist_id, self.artist_name.take());
        self.catalog = self.catalog.filter(|catalog| !catalog.is_empty());
        self.catalog_label = rules::catalog::catalog_label(self.description.as_deref());
        self.date_label = rules::format::date_label(self.release_date.as_deref());
        self.description = self.description.filter(|text| !text.is_empty());
        self.embed_url = rules::embed::embed_url(self.spotify_url.as_deref(), self.soundcloud_url.as_deref());
        self
    }

    pub(super) fn cursor(&self) -> String {
        let columns = vec![self.release_date.clone().unwrap_or_default(), self.sort_key.clone()];
        Cursor { columns, id: self.id.0 }.encode()
    }
}

pub fn path(slug: &str) -> String {
    format!("/releases/{slug}")
}
