//! One release with all that its own page tells, found by its slug.

use axum::{
    extract::{OriginalUri, Path},
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract,
};
use deadwax_store::{db::Db, statements};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rules::{
    publish::ReleaseState,
    release_details::{self, duration_label},
    slug::is_slug,
    url::public_url,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::releases::{self, PublicRow, ReleaseView, TABLES, after, order, select_releases};
use crate::app::AppState;

macro_rules! select {
    ($which:ident) => {
        select_releases!(
            $which,
            "r.sort_key, r.out_at, o.width, o.height, r.format, r.tracks, r.credits, r.apple_music_url, r.youtube_url, \
             r.bandcamp_url"
        )
    };
}

statements! {
    BY_SLUG = concat!(select!(public), " WHERE r.slug = $1");
    // Another program wrote it, and it has no slug so far.
    BY_ID = concat!(select!(public), " WHERE r.id = $1 AND r.slug IS NULL");
    KEPT = concat!(select!(kept), " WHERE r.id = $1 AND r.deleted_at IS NULL");
    STATE = "SELECT state FROM releases WHERE id = $1 AND deleted_at IS NULL";
    PRESENT = "SELECT r.slug FROM slugs s JOIN public_releases r ON r.id = s.release_id WHERE s.slug = $1";
    PRESENT_OF_ID = "SELECT r.slug FROM public_releases r WHERE r.id = $1 AND r.slug IS NOT NULL";
    OLDER = concat!("SELECT r.id, r.slug, r.title FROM public_releases r WHERE", after!(), order!());
    // The order of the list from its end.
    NEWER = "SELECT r.id, r.slug, r.title FROM public_releases r \
        WHERE COALESCE(r.release_date, '') >= $2 \
            AND (COALESCE(r.release_date, '') > $2 OR r.sort_key < $3 OR (r.sort_key = $3 AND r.id < $4)) \
        ORDER BY COALESCE(r.release_date, '') ASC, r.sort_key DESC, r.id DESC LIMIT $1";
}

/// Other releases of the artist that a release's page shows.
const MORE_OF_ARTIST: usize = 4;

/// With what only its own page shows.
#[derive(sqlx::FromRow)]
struct DetailRow {
    #[sqlx(flatten)]
    public: PublicRow,
    format: Option<String>,
    tracks: String,
    credits: String,
    apple_music_url: Option<String>,
    youtube_url: Option<String>,
    bandcamp_url: Option<String>,
}

/// One track of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Track {
    /// Its place on a record with sides: `A1`.
    pub position: Option<String>,
    /// What it is called.
    pub title: String,
    /// Who made it, where that is not the artist of the release.
    pub artist: Option<String>,
    /// How long it is, in whole seconds, where known.
    pub duration_seconds: Option<u32>,
    /// The same as shown: `6:12`, `1:00:00`.
    pub duration_label: Option<String>,
}

/// Who did what for a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Credit {
    /// What was done.
    pub role: String,
    /// Who did it.
    pub name: String,
}

/// A neighbour in the list of all releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Neighbour {
    /// The last part of its address, `/releases/{slug}`.
    pub slug: String,
    /// What it is called.
    pub title: String,
}

/// A release with all that its own page tells.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleaseDetail {
    /// What its card tells.
    #[serde(flatten)]
    pub release: ReleaseView,
    /// What it was released on: `12"`, `Digital`.
    pub format: Option<String>,
    /// Its tracks, in order.
    pub tracks: Vec<Track>,
    /// Who did what.
    pub credits: Vec<Credit>,
    /// The release on Apple Music.
    pub apple_music_url: Option<String>,
    /// The release on YouTube.
    pub youtube_url: Option<String>,
    /// The release on Bandcamp.
    pub bandcamp_url: Option<String>,
    /// What follows it in the list of all releases; null for the last one.
    pub older: Option<Neighbour>,
    /// What stands before it there; null for the first one.
    pub newer: Option<Neighbour>,
    /// Other releases of the artist, newest first.
    pub more_of_artist: Vec<ReleaseView>,
}

#[derive(sqlx::FromRow)]
struct NeighbourRow {
    id: Uuid,
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

impl From<release_details::Credit> for Credit {
    fn from(release_details::Credit { role, name }: release_details::Credit) -> Self {
        Self { role, name }
    }
}

/// The tracks as their column keeps them; what no rule has written is nothing.
pub fn read_tracks(stored: &str) -> Vec<release_details::Track> {
    serde_json::from_str(stored).unwrap_or_default()
}

/// The credits as their column keeps them; what no rule has written is nothing.
pub fn read_credits(stored: &str) -> Vec<release_details::Credit> {
    serde_json::from_str(stored).unwrap_or_default()
}

/// The release that is out at a slug, if there is one.
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
    let id = row.public.release.id;
    let date = row.public.release.release_date.clone().unwrap_or_default();
    let sort_key = row.public.sort_key.clone();
    let neighbour = async |statement| {
        let query = db.query(statement).bind(1).bind(&date).bind(&sort_key).bind(id);
        Ok::<_, sqlx::Error>(query.optional::<NeighbourRow>().await?.map(Neighbour::from))
    };
    let (older, newer) = (neighbour(OLDER).await?, neighbour(NEWER).await?);
    Ok(Some(detail(db, row, older, newer).await?))
}

/// A release that is not in the trash, whether it is out or not, as its page would show it: without neighbours.
pub async fn find_kept(db: &Db, id: Uuid) -> sqlx::Result<Option<ReleaseDetail>> {
    let Some(row) = db.query(KEPT).bind(id).optional::<DetailRow>().await? else { return Ok(None) };
    Ok(Some(detail(db, row, None, None).await?))
}

/// Whether a release is out; nothing for one that is in the trash or nowhere.
pub async fn is_out(db: &Db, id: Uuid) -> sqlx::Result<Option<bool>> {
    let state = db.query(STATE).bind(id).optional::<(String,)>().await?;
    Ok(state.map(|(state,)| ReleaseState::named(&state) == Some(ReleaseState::Out)))
}

async fn detail(
    db: &Db,
    row: DetailRow,
    older: Option<Neighbour>,
    newer: Option<Neighbour>,
) -> sqlx::Result<ReleaseDetail> {
    let id = row.public.release.id;
    let more_of_artist = match row.public.release.artist_id {
        None => Vec::new(),
        Some(artist) => {
            let most = i64::try_from(MORE_OF_ARTIST).unwrap_or(0) + 1;
            let mut others = releases::list_of(db, artist, most).await?;
            others.retain(|other| other.id != id);
            others.truncate(MORE_OF_ARTIST);
            others
        }
    };
    Ok(ReleaseDetail {
        format: row.format.filter(|format| !format.is_empty()),
        tracks: read_tracks(&row.tracks).into_iter().map(Track::from).collect(),
        credits: read_credits(&row.credits).into_iter().map(Credit::from).collect(),
        apple_music_url: public_url(row.apple_music_url),
        youtube_url: public_url(row.youtube_url),
        bandcamp_url: public_url(row.bandcamp_url),
        older,
        newer,
        more_of_artist,
        release: row.public.into_view(),
    })
}

/// The present slug of the release that once had this one, in letters of any case, where it is out.
pub async fn find_present(db: &Db, asked: &str) -> sqlx::Result<Option<String>> {
    let former = asked.to_ascii_lowercase();
    if !is_slug(&former) {
        return Ok(None);
    }
    let present = db.query(PRESENT).bind(&former).optional::<(Option<String>,)>().await?;
    let mut present = present.and_then(|(slug,)| slug);
    if present.is_none()
        && let Some(id) = extract::id(&former)
    {
        present = db.query(PRESENT_OF_ID).bind(id).optional::<(String,)>().await?.map(|(slug,)| slug);
    }
    Ok(present.filter(|present| present != asked))
}

/// 308: what was asked for is elsewhere for good.
pub fn moved(to: &str) -> AppResult<Response> {
    let to = HeaderValue::try_from(to).map_err(AppError::internal)?;
    Ok((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response())
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
    OriginalUri(uri): OriginalUri,
    slug: Result<Path<String>, axum::extract::rejection::PathRejection>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let Ok(Path(slug)) = slug else { return Err(AppError::not_found()) };
    let found = app
        .answer(&uri, &headers, TABLES, || async {
            let release = find(&app.db, &slug).await?.ok_or_else(AppError::not_found)?;
            CachedResponse::json(&release)
        })
        .await;
    match found {
        Err(error) if error.status() == StatusCode::NOT_FOUND => {
            let present = find_present(&app.db, &slug).await?.ok_or(error)?;
            moved(&format!("/api/releases/{present}"))
        }
        answer => answer,
    }
}
