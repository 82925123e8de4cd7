//! One release with everything its page shows, found by its slug.

use axum::{
    extract::Path,
    response::{IntoResponse as _, Redirect, Response},
};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract,
};
use deadwax_store::{columns::PublicUrl, db::Db, ids::ReleaseId, statements};
use http::StatusCode;
use rules::{
    import::artist_key,
    release_details::{self, Credit, duration_label},
    slug::is_slug,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::releases::{self, ReleaseView, TABLES, after, order, select_releases};
use crate::app::{AppState, PublicRead};

macro_rules! select {
    ($which:ident) => {
        select_releases!(
            $which,
            "r.sort_key, r.out_at, o.width AS image_width, o.height AS image_height, r.format, r.tracks, r.credits"
        )
    };
}

statements! {
    BY_SLUG = concat!(select!(public), " WHERE r.slug = $1");
    // Written by another program; it has no slug yet.
    BY_ID = concat!(select!(public), " WHERE r.id = $1 AND r.slug IS NULL");
    KEPT = concat!(select!(kept), " WHERE r.id = $1 AND r.deleted_at IS NULL");
    IS_OUT = "SELECT state = 'out', slug FROM releases WHERE id = $1 AND deleted_at IS NULL";
    PRESENT = "SELECT r.slug FROM slugs s JOIN public_releases r ON r.id = s.release_id WHERE s.slug = $1";
    PRESENT_OF_ID = "SELECT r.slug FROM public_releases r WHERE r.id = $1 AND r.slug IS NOT NULL";
    OLDER = concat!("SELECT r.id, r.slug, r.title FROM public_releases r WHERE", after!(), order!());
    // The list's order, reversed.
    NEWER = "SELECT r.id, r.slug, r.title FROM public_releases r \
        WHERE COALESCE(r.release_date, '') >= $2 \
            AND (COALESCE(r.release_date, '') > $2 OR r.sort_key < $3 OR (r.sort_key = $3 AND r.id < $4)) \
        ORDER BY COALESCE(r.release_date, '') ASC, r.sort_key DESC, r.id DESC LIMIT $1";
}

const MORE_OF_ARTIST: usize = 4;

#[derive(sqlx_macros::FromRow)]
struct DetailRow {
    #[sqlx(flatten)]
    detail: ReleaseDetail,
    tracks: String,
    credits: String,
}

/// One track of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Track {
    /// Its place on a record with sides: `A1`.
    pub position: Option<String>,
    pub title: String,
    /// The artist, if not the artist of the release.
    pub artist: Option<String>,
    /// How long it is, in whole seconds, where known.
    pub duration_seconds: Option<u32>,
    /// The same as shown: `6:12`, `1:00:00`.
    pub duration_label: Option<String>,
}

/// A neighbour in the list of all releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Neighbour {
    /// The last part of its address, `/releases/{slug}`.
    pub slug: String,
    pub title: String,
}

/// A release with all that its own page tells.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ReleaseDetail {
    /// The fields of its card.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub release: ReleaseView,
    /// The format: `12"`, `Digital`.
    pub format: Option<String>,
    /// Its tracks, in order.
    #[sqlx(skip)]
    pub tracks: Vec<Track>,
    #[sqlx(skip)]
    pub credits: Vec<Credit>,
    /// The release on Apple Music.
    pub apple_music_url: PublicUrl,
    /// The release on YouTube.
    pub youtube_url: PublicUrl,
    /// The release on Bandcamp.
    pub bandcamp_url: PublicUrl,
    /// The next release in the list of all releases; null for the last one.
    #[sqlx(skip)]
    pub older: Option<Neighbour>,
    /// The one before it there; null for the first one.
    #[sqlx(skip)]
    pub newer: Option<Neighbour>,
    /// Other releases of the artist, newest first.
    #[sqlx(skip)]
    pub more_of_artist: Vec<ReleaseView>,
}

#[derive(sqlx_macros::FromRow)]
struct NeighbourRow {
    id: ReleaseId,
    slug: Option<String>,
    title: String,
}

impl From<NeighbourRow> for Neighbour {
    fn from(row: NeighbourRow) -> Self {
        Self { slug: row.slug.unwrap_or_else(|| row.id.to_string()), title: row.title }
    }
}

impl From<release_details::Track> for Track {
    fn from(track: release_details::Track) -> Self {
        let release_details::Track { position, title, artist, duration_seconds } = track;
        Self {
            position,
            title,
            artist,
            duration_seconds,
            duration_label: duration_seconds.map(duration_label),
        }
    }
}

/// The tracks of a column; empty if another program wrote something else.
pub fn read_tracks(stored: &str) -> Vec<release_details::Track> {
    serde_json::from_str(stored).unwrap_or_default()
}

pub fn read_credits(stored: &str) -> Vec<Credit> {
    serde_json::from_str(stored).unwrap_or_default()
}

pub async fn find(db: &Db, slug: &str) -> sqlx::Result<Option<ReleaseDetail>> {
    if !is_slug(slug) {
        return Ok(None);
    }
    let mut row = db.query(BY_SLUG).bind(slug).optional::<DetailRow>().await?;
    if row.is_none()
        && let Some(id) = extract::id(slug)
    {
        row = db.query(BY_ID).bind(id).optional::<DetailRow>().await?;
    }
    let Some(row) = row else { return Ok(None) };
    let mut detail = detail(db, row).await?;
    let ReleaseView { id, release_date, sort_key, .. } = &detail.release;
    let neighbour = async |statement| {
        let date = release_date.as_deref().unwrap_or_default();
        let row = db.query(statement).bind(1).bind(date).bind(sort_key).bind(*id);
        Ok::<_, sqlx::Error>(row.optional::<NeighbourRow>().await?.map(Neighbour::from))
    };
    let (older, newer) = (neighbour(OLDER).await?, neighbour(NEWER).await?);
    (detail.older, detail.newer) = (older, newer);
    Ok(Some(detail))
}

/// A release that is not in the trash, out or not, as its page would show it, without neighbours.
pub async fn find_kept(db: &Db, id: ReleaseId) -> sqlx::Result<Option<ReleaseDetail>> {
    let Some(row) = db.query(KEPT).bind(id).optional::<DetailRow>().await? else { return Ok(None) };
    Ok(Some(detail(db, row).await?))
}

/// Whether a release is out, and its slug; none if it is missing or in the trash.
pub async fn is_out(db: &Db, id: ReleaseId) -> sqlx::Result<Option<(bool, Option<String>)>> {
    db.query(IS_OUT).bind(id).optional().await
}

async fn detail(db: &Db, row: DetailRow) -> sqlx::Result<ReleaseDetail> {
    let mut detail = row.detail;
    if let Some(artist) = detail.release.artist_id {
        let most = i64::try_from(MORE_OF_ARTIST).unwrap_or(0) + 1;
        detail.more_of_artist = releases::list_of(db, artist, most).await?;
        detail.more_of_artist.retain(|other| other.id != detail.release.id);
        detail.more_of_artist.truncate(MORE_OF_ARTIST);
    }
    detail.format = detail.format.filter(|format| !format.is_empty());
    detail.tracks = read_tracks(&row.tracks).into_iter().map(Track::from).collect();
    detail.credits = read_credits(&row.credits);
    detail.release = detail.release.completed();
    if let Some(artist) = &detail.release.artist {
        let own = artist_key(&artist.name);
        for track in &mut detail.tracks {
            track.artist = track.artist.take().filter(|name| artist_key(name) != own);
        }
    }
    Ok(detail)
}

/// The current slug of the public release that once had this one, in any case.
pub async fn find_present(db: &Db, asked: &str) -> sqlx::Result<Option<String>> {
    let former = asked.to_ascii_lowercase();
    if !is_slug(&former) {
        return Ok(None);
    }
    let mut present = db.query(PRESENT).bind(&former).maybe::<Option<String>>().await?.flatten();
    if present.is_none()
        && let Some(id) = extract::id(&former)
    {
        present = db.query(PRESENT_OF_ID).bind(id).maybe().await?;
    }
    Ok(present.filter(|present| present != asked))
}

pub fn moved(to: &str) -> Response {
    Redirect::permanent(to).into_response()
}

/// One release, with what its own page tells.
#[utoipa::path(get, path = "/api/releases/{slug}", tag = "catalogue",
    params(("slug" = String, Path, description = "The last part of the release's address")),
    responses(
        (status = 200, description = "The release", body = ReleaseDetail),
        (status = 308, description = "It has another slug by now: `Location` says which"),
        (status = 404, description = "There is no such release"),
    ))]
pub async fn show_release(
    app: AppState,
    read: PublicRead,
    slug: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> AppResult<Response> {
    let Ok(Path(slug)) = slug else { return Err(AppError::not_found()) };
    let found = read
        .answer(&app, TABLES, || async {
            let release = find(&app.db, &slug).await?.ok_or_else(AppError::not_found)?;
            CachedResponse::json(&release)
        })
        .await;
    match found {
        Err(error) if error.status() == StatusCode::NOT_FOUND => {
            let present = find_present(&app.db, &slug).await?.ok_or(error)?;
            Ok(moved(&format!("/api/releases/{present}")))
        }
        answer => answer,
    }
}
