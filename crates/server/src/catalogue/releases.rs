//! Releases: newest date first, undated last, equal dates by title; all of them or one artist's.

use axum::{body::Body, extract::OriginalUri, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::{self, ApiQuery, Cursor, cut_to, page_limit},
};
use deadwax_store::{clock::Micros, db::Db, statements, tables::Tables};
use http::HeaderMap;
use rules::{messages::Code, url::public_url};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(super) use super::release_rows::{
    PublicRow, ReleaseRow, after, is_among, order, select, select_releases,
};
pub use super::release_rows::{ReleaseArtist, ReleaseView, path};
use super::release_search;
use crate::app::AppState;

macro_rules! list_at {
    ($engine:ident) => {
        concat!(
            select!(),
            " WHERE",
            is_among!(
                $engine,
                "SELECT s.id FROM public_releases s ORDER BY COALESCE(s.release_date, '') DESC, s.sort_key, s.id LIMIT $1 OFFSET $2"
            ),
            " ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id"
        )
    };
}

statements! {
    LIST = concat!(select!(), order!());
    NEWEST = concat!(
        select_releases!(
            public,
            "r.sort_key, r.out_at, o.width, o.height, r.apple_music_url, r.youtube_url, r.bandcamp_url"
        ),
        order!()
    );
    LIST_AFTER = concat!(select!(), " WHERE", after!(), order!());
    OF_ARTIST = concat!(select!(), " WHERE r.artist_id = $2", order!());
    FIND = concat!(select!(), " WHERE r.id = $1");
    COUNT = "SELECT COUNT(*) FROM public_releases";
    // The place is counted on the index alone; only what is shown is read and joined.
    LIST_AT = list_at!(sqlite), postgres list_at!(postgres);
    // Dates are compared as texts, in the order of the index. Undated releases are in no span.
    BETWEEN = concat!(
        select!(),
        " WHERE COALESCE(r.release_date, '') >= $2 AND COALESCE(r.release_date, '') < $3",
        order!()
    );
    COUNT_BETWEEN = "SELECT COUNT(*) FROM public_releases r \
        WHERE COALESCE(r.release_date, '') >= $1 AND COALESCE(r.release_date, '') < $2";
    FIRST = concat!(
        select!(),
        " WHERE COALESCE(r.release_date, '') > '' \
         ORDER BY COALESCE(r.release_date, '') ASC, r.sort_key DESC, r.id DESC LIMIT 1"
    );
    LIST_CHANGES = "SELECT r.id, r.slug, r.updated_at FROM public_releases r ORDER BY r.id LIMIT $1 OFFSET $2";
    OF_ARTIST_AFTER = concat!(select!(), " WHERE r.artist_id = $5 AND", after!(), order!());
}

/// What a page of releases is made from.
pub const TABLES: Tables = Tables::RELEASES.and(Tables::ARTISTS);

/// The columns the list is sorted by, before the id.
pub const CURSOR_COLUMNS: usize = 2;

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
    /// Only releases whose title, artist or catalogue number contains this, whatever its case; titles and names also whatever their accents.
    #[param(max_length = 200)]
    pub q: Option<String>,
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
    let search = rules::search::release_search(query.q.as_deref().unwrap_or_default())
        .map_err(|code| AppError::invalid("q", code))?;
    let more = limit + 1;
    let mut rows = if let Some(search) = search {
        release_search::find(db, &search, artist, cursor, more).await?
    } else {
        list(db, artist, cursor, more).await?
    };
    let has_more = cut_to(&mut rows, limit);
    let next_cursor = rows.last().filter(|_| has_more).map(PublicRow::cursor);
    Ok(ReleasePage { items: rows.into_iter().map(PublicRow::into_view).collect(), next_cursor })
}

async fn list(
    db: &Db,
    artist: Option<Uuid>,
    cursor: Option<Cursor>,
    more: i64,
) -> sqlx::Result<Vec<PublicRow>> {
    match (artist, cursor) {
        (None, None) => db.query(LIST).bind(more).all::<PublicRow>().await,
        (Some(artist), None) => db.query(OF_ARTIST).bind(more).bind(artist).all::<PublicRow>().await,
        (None, Some(at)) => {
            db.query(LIST_AFTER)
                .bind(more)
                .bind(&at.columns[0])
                .bind(&at.columns[1])
                .bind(at.id)
                .all::<PublicRow>()
                .await
        }
        (Some(artist), Some(at)) => {
            db.query(OF_ARTIST_AFTER)
                .bind(more)
                .bind(&at.columns[0])
                .bind(&at.columns[1])
                .bind(at.id)
                .bind(artist)
                .all::<PublicRow>()
                .await
        }
    }
}

/// With where else it can be heard.
#[derive(sqlx::FromRow)]
struct NewestRow {
    #[sqlx(flatten)]
    public: PublicRow,
    apple_music_url: Option<String>,
    youtube_url: Option<String>,
    bandcamp_url: Option<String>,
}

/// A release with the instants of its row.
#[derive(Debug, Clone)]
pub struct DatedRelease {
    /// The release.
    pub release: ReleaseView,
    /// When it went out.
    pub out_at: Micros,
    /// When it was last edited.
    pub updated_at: Micros,
    /// The release on every platform that it names.
    pub platform_urls: Vec<String>,
}

impl From<NewestRow> for DatedRelease {
    fn from(NewestRow { public, apple_music_url, youtube_url, bandcamp_url }: NewestRow) -> Self {
        let (out_at, updated_at) =
            (public.out_at.unwrap_or(public.release.created_at), public.release.updated_at);
        let release = public.into_view();
        let more = [apple_music_url, youtube_url, bandcamp_url].map(public_url);
        let all = [release.spotify_url.clone(), release.soundcloud_url.clone()].into_iter().chain(more);
        let platform_urls = all.flatten().collect();
        Self { release, out_at, updated_at, platform_urls }
    }
}

/// The first `limit` releases of the catalogue.
pub async fn list_newest(db: &Db, limit: i64) -> sqlx::Result<Vec<DatedRelease>> {
    Ok(db.query(NEWEST).bind(limit).all::<NewestRow>().await?.into_iter().map(DatedRelease::from).collect())
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

/// When a release was last changed, and where it is.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ReleaseChange {
    id: Uuid,
    slug: Option<String>,
    /// The last edit.
    pub updated_at: Micros,
}

impl ReleaseChange {
    /// Where its page is.
    pub fn path(&self) -> String {
        path(&self.slug.clone().unwrap_or_else(|| self.id.to_string()))
    }
}

/// Part of all releases in the order they were entered, which keeps its places as the catalogue grows.
pub async fn list_changes(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ReleaseChange>> {
    db.query(LIST_CHANGES).bind(limit).bind(offset).all::<ReleaseChange>().await
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
    if query.q.is_some() {
        // As many as visitors can think of: none is kept.
        let response = CachedResponse::json(&page(&app.db, &query).await?)?;
        return Ok(response.respond(&headers, app.origin.is_https()).map(Body::from));
    }
    app.answer(&uri, &headers, TABLES, || async { CachedResponse::json(&page(&app.db, &query).await?) }).await
}
