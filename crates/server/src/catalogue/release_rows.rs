//! Releases as they are read and as they are shown: what every list and page of them is made from.

use deadwax_http::extract::Cursor;
use deadwax_store::{clock::Micros, objects};
use rules::url::public_url;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::picture::PictureSizes;

/// Reads a [`ReleaseRow`] and some columns more: of what the public sees, or of all that are not in the trash.
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
                 r.soundcloud_url, r.created_at, r.updated_at, r.slug, o.small_key, o.sizes, ",
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
        $crate::catalogue::release_rows::select_releases!(public, "r.sort_key, r.out_at, o.width, o.height")
    };
}
macro_rules! order {
    () => {
        " ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id LIMIT $1"
    };
}
// That `r.id` is one of the few that a query finds. As an array, PostgreSQL finds them once: a limited subquery behind `IN` is run again
// for every release as long as the planner takes the table for a small one, and it does until the statistics are gathered anew.
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

/// What visitors and admins are shown of a release.
#[derive(sqlx::FromRow)]
pub(super) struct ReleaseRow {
    pub(super) id: Uuid,
    pub(super) title: String,
    pub(super) artist_id: Option<Uuid>,
    artist_name: Option<String>,
    pub(super) catalog: Option<String>,
    pub(super) release_date: Option<String>,
    pub(super) description: Option<String>,
    pub(super) cover_image_url: Option<String>,
    pub(super) spotify_url: Option<String>,
    pub(super) soundcloud_url: Option<String>,
    pub(super) created_at: Micros,
    pub(super) updated_at: Micros,
    pub(super) slug: Option<String>,
    pub(super) small_key: Option<String>,
    pub(super) sizes: Option<String>,
}

/// With what only visitors are shown.
#[derive(sqlx::FromRow)]
pub(super) struct PublicRow {
    #[sqlx(flatten)]
    pub(super) release: ReleaseRow,
    pub(super) sort_key: String,
    pub(super) out_at: Option<Micros>,
    width: Option<i64>,
    height: Option<i64>,
}

/// The artist of a release.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleaseArtist {
    /// The artist's id.
    pub id: Uuid,
    /// The artist's name.
    pub name: String,
}

/// A release as visitors see one.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleaseView {
    /// The release's id.
    pub id: Uuid,
    /// The last part of its address, `/releases/{slug}`.
    pub slug: String,
    /// The title, as typed.
    pub title: String,
    /// The catalogue number of the catalogue's own column.
    pub catalog: Option<String>,
    /// The number an artist's page shows: what the description says after `CATALOG:`, else `N/A`.
    pub catalog_label: String,
    /// The calendar date, YYYY-MM-DD.
    pub release_date: Option<String>,
    /// The date as shown: YYYY.MM.DD, or `No Date`.
    pub date_label: String,
    /// What the label says about it.
    pub description: Option<String>,
    /// The artwork.
    pub cover_image_url: Option<String>,
    /// The artwork at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The artwork in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `cover_image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `cover_image_url` in pixels, where known.
    pub image_height: Option<i64>,
    /// The release on Spotify.
    pub spotify_url: Option<String>,
    /// The release on SoundCloud.
    pub soundcloud_url: Option<String>,
    /// The player to embed; null when neither link has one.
    pub embed_url: Option<String>,
    /// The artist's id; null for an unknown artist.
    pub artist_id: Option<Uuid>,
    /// The artist; null for an unknown one.
    pub artist: Option<ReleaseArtist>,
}

impl ReleaseView {
    /// Where its page is.
    pub fn path(&self) -> String {
        path(&self.slug)
    }
}

impl ReleaseRow {
    /// The last part of its address: the id for a moment, where another program wrote the row.
    pub(super) fn slug(&self) -> String {
        self.slug.clone().unwrap_or_else(|| self.id.to_string())
    }

    /// Who made it, with the name.
    pub(super) fn artist(&self) -> Option<ReleaseArtist> {
        self.artist_id.zip(self.artist_name.clone()).map(|(id, name)| ReleaseArtist { id, name })
    }
}

impl PublicRow {
    pub(super) fn into_view(self) -> ReleaseView {
        let release = self.release;
        ReleaseView {
            id: release.id,
            slug: release.slug(),
            artist: release.artist(),
            title: release.title,
            catalog: release.catalog.filter(|catalog| !catalog.is_empty()),
            catalog_label: rules::catalog::catalog_label(release.description.as_deref()),
            date_label: rules::format::date_label(release.release_date.as_deref()),
            release_date: release.release_date,
            description: release.description.filter(|text| !text.is_empty()),
            cover_image_url: public_url(release.cover_image_url),
            image_small_url: release.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(release.sizes.as_deref()),
            image_width: self.width,
            image_height: self.height,
            embed_url: rules::embed::embed_url(
                release.spotify_url.as_deref(),
                release.soundcloud_url.as_deref(),
            ),
            spotify_url: public_url(release.spotify_url),
            soundcloud_url: public_url(release.soundcloud_url),
            artist_id: release.artist_id,
        }
    }

    pub(super) fn cursor(&self) -> String {
        let columns = vec![self.release.release_date.clone().unwrap_or_default(), self.sort_key.clone()];
        Cursor { columns, id: self.release.id }.encode()
    }
}

/// Where the page of a release is.
pub fn path(slug: &str) -> String {
    format!("/releases/{slug}")
}
