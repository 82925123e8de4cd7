//! Releases: newest date first, undated last, equal dates by title; all of them or one artist's.

use axum::{extract::OriginalUri, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{self, ApiQuery, Cursor, cut_to, page_limit},
    response_cache::CachedResponse,
};
use deadwax_store::{clock::Micros, db::Db, statements, tables::Tables};
use http::HeaderMap;
use rules::{messages::Code, url::public_url};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{app::AppState, picture::PictureSizes};

/// Reads a [`ReleaseRow`] and some columns more.
macro_rules! select_releases {
    ($more:literal) => {
        concat!(
            "SELECT r.id, r.title, r.artist_id, a.name AS artist_name, r.catalog, r.release_date, r.description, \
                 r.cover_image_url, r.spotify_url, r.soundcloud_url, r.created_at, r.updated_at, o.small_key, o.sizes, ",
            $more,
            " FROM releases r LEFT JOIN artists a ON a.id = r.artist_id \
                 LEFT JOIN objects o ON o.key = substr(r.cover_image_url, 8)"
        )
    };
}
pub(super) use select_releases;

macro_rules! select {
    () => {
        select_releases!("r.sort_key, o.width, o.height")
    };
}
macro_rules! order {
    () => {
        " ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id LIMIT $1"
    };
}
// The first comparison alone lets the index find the place; the rest settles ties on the same date.
macro_rules! after {
    () => {
        " COALESCE(r.release_date, '') <= $2 \
             AND (COALESCE(r.release_date, '') < $2 OR r.sort_key > $3 OR (r.sort_key = $3 AND r.id > $4))"
    };
}

statements! {
    LIST = concat!(select!(), order!());
    LIST_AFTER = concat!(select!(), " WHERE", after!(), order!());
    OF_ARTIST = concat!(select!(), " WHERE r.artist_id = $2", order!());
    FIND = concat!(select!(), " WHERE r.id = $1");
    COUNT = "SELECT COUNT(*) FROM releases";
    // The place is counted on the index alone; only what is shown is read and joined.
    LIST_AT = concat!(
        select!(),
        " WHERE r.id IN (SELECT s.id FROM releases s \
             ORDER BY COALESCE(s.release_date, '') DESC, s.sort_key, s.id LIMIT $1 OFFSET $2) \
         ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id"
    );
    // Dates are compared as texts, in the order of the index. Undated releases are in no span.
    BETWEEN = concat!(
        select!(),
        " WHERE COALESCE(r.release_date, '') >= $2 AND COALESCE(r.release_date, '') < $3",
        order!()
    );
    COUNT_BETWEEN = "SELECT COUNT(*) FROM releases r \
        WHERE COALESCE(r.release_date, '') >= $1 AND COALESCE(r.release_date, '') < $2";
    FIRST = concat!(
        select!(),
        " WHERE COALESCE(r.release_date, '') > '' \
         ORDER BY COALESCE(r.release_date, '') ASC, r.sort_key DESC, r.id DESC LIMIT 1"
    );
    OF_ARTIST_AFTER = concat!(select!(), " WHERE r.artist_id = $5 AND", after!(), order!());
}

/// What a page of releases is made from.
pub const TABLES: Tables = Tables::RELEASES.and(Tables::ARTISTS);

/// The columns the list is sorted by, before the id.
pub const CURSOR_COLUMNS: usize = 2;

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
    pub(super) small_key: Option<String>,
    pub(super) sizes: Option<String>,
}

/// With what only visitors are shown.
#[derive(sqlx::FromRow)]
struct PublicRow {
    #[sqlx(flatten)]
    release: ReleaseRow,
    sort_key: String,
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

/// One page of releases.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleasePage {
    /// The releases, newest first.
    pub items: Vec<ReleaseView>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
}

/// Whose releases, where in the list, and how much of it.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only this artist's.
    #[param(value_type = Option<Uuid>)]
    pub artist_id: Option<String>,
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl ReleaseRow {
    /// Who made it, with the name.
    pub(super) fn artist(&self) -> Option<ReleaseArtist> {
        self.artist_id.zip(self.artist_name.clone()).map(|(id, name)| ReleaseArtist { id, name })
    }
}

impl PublicRow {
    fn into_view(self) -> ReleaseView {
        let release = self.release;
        ReleaseView {
            id: release.id,
            artist: release.artist(),
            title: release.title,
            catalog: release.catalog.filter(|catalog| !catalog.is_empty()),
            catalog_label: rules::catalog::catalog_label(release.description.as_deref()),
            date_label: rules::format::date_label(release.release_date.as_deref()),
            release_date: release.release_date,
            description: release.description.filter(|text| !text.is_empty()),
            cover_image_url: public_url(release.cover_image_url),
            image_small_url: release.small_key.map(|key| format!("/media/{key}")),
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

    fn cursor(&self) -> String {
        let columns = vec![self.release.release_date.clone().unwrap_or_default(), self.sort_key.clone()];
        Cursor { columns, id: self.release.id }.encode()
    }
}

/// One page of releases.
pub async fn page(db: &Db, query: &ListQuery) -> AppResult<ReleasePage> {
    let limit = page_limit(query.limit)?;
    let artist = match query.artist_id.as_deref().map(extract::id) {
        None => None,
        Some(Some(id)) => Some(id),
        Some(None) => {
            return Err(AppError::invalid("artist_id", Code::InvalidId));
        }
    };
    let cursor = query.cursor.as_deref().map(|text| Cursor::decode(text, CURSOR_COLUMNS)).transpose()?;
    let more = limit + 1;
    let mut rows = match (artist, cursor) {
        (None, None) => db.query(LIST).bind(more).all::<PublicRow>().await?,
        (Some(artist), None) => db.query(OF_ARTIST).bind(more).bind(artist).all::<PublicRow>().await?,
        (None, Some(at)) => {
            db.query(LIST_AFTER)
                .bind(more)
                .bind(&at.columns[0])
                .bind(&at.columns[1])
                .bind(at.id)
                .all::<PublicRow>()
                .await?
        }
        (Some(artist), Some(at)) => {
            db.query(OF_ARTIST_AFTER)
                .bind(more)
                .bind(&at.columns[0])
                .bind(&at.columns[1])
                .bind(at.id)
                .bind(artist)
                .all::<PublicRow>()
                .await?
        }
    };
    let has_more = cut_to(&mut rows, limit);
    let next_cursor = rows.last().filter(|_| has_more).map(PublicRow::cursor);
    Ok(ReleasePage { items: rows.into_iter().map(PublicRow::into_view).collect(), next_cursor })
}

/// A release with the instants of its row.
#[derive(Debug, Clone)]
pub struct DatedRelease {
    /// The release.
    pub release: ReleaseView,
    /// When it was entered.
    pub created_at: Micros,
    /// When it was last edited.
    pub updated_at: Micros,
}

/// The first `limit` releases of the catalogue.
pub async fn list_newest(db: &Db, limit: i64) -> sqlx::Result<Vec<DatedRelease>> {
    let dated = |row: PublicRow| DatedRelease {
        created_at: row.release.created_at,
        updated_at: row.release.updated_at,
        release: row.into_view(),
    };
    Ok(db.query(LIST).bind(limit).all::<PublicRow>().await?.into_iter().map(dated).collect())
}

/// The first `limit` releases of one artist.
pub async fn list_of(db: &Db, artist: Uuid, limit: i64) -> sqlx::Result<Vec<ReleaseView>> {
    let rows = db.query(OF_ARTIST).bind(limit).bind(artist).all::<PublicRow>().await?;
    Ok(rows.into_iter().map(PublicRow::into_view).collect())
}

/// One release, if there is one of that id.
pub async fn find(db: &Db, id: Uuid) -> sqlx::Result<Option<ReleaseView>> {
    Ok(db.query(FIND).bind(id).optional::<PublicRow>().await?.map(PublicRow::into_view))
}

/// How many releases there are.
pub async fn count(db: &Db) -> sqlx::Result<i64> {
    Ok(db.query(COUNT).one::<(i64,)>().await?.0)
}

/// The newest releases of a span of dates: `from` is in it, `until` is not.
pub async fn list_between(db: &Db, from: &str, until: &str, limit: i64) -> sqlx::Result<Vec<ReleaseView>> {
    let rows = db.query(BETWEEN).bind(limit).bind(from).bind(until).all::<PublicRow>().await?;
    Ok(rows.into_iter().map(PublicRow::into_view).collect())
}

/// How many releases such a span has.
pub async fn count_between(db: &Db, from: &str, until: &str) -> sqlx::Result<i64> {
    Ok(db.query(COUNT_BETWEEN).bind(from).bind(until).one::<(i64,)>().await?.0)
}

/// What came out first; of several on one day the last by title.
pub async fn find_first(db: &Db) -> sqlx::Result<Option<ReleaseView>> {
    Ok(db.query(FIRST).optional::<PublicRow>().await?.map(PublicRow::into_view))
}

/// Part of the catalogue by its place, for readers who count in pages.
pub async fn list_at(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ReleaseView>> {
    let rows = db.query(LIST_AT).bind(limit).bind(offset).all::<PublicRow>().await?;
    Ok(rows.into_iter().map(PublicRow::into_view).collect())
}

/// Releases with their artist.
#[utoipa::path(get, path = "/api/releases", tag = "catalogue", params(ListQuery), responses(
    (status = 200, description = "A page of releases", body = ReleasePage),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_releases(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> AppResult<Response> {
    app.answer(&uri, &headers, TABLES, || async { CachedResponse::json(&page(&app.db, &query).await?) }).await
}
