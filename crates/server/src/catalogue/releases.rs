//! Public releases: newest date first, undated last, equal dates by title.

use axum::{body::Body, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    extract::{self, ApiQuery, Cursor, page_limit},
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Query},
    ids::{ArtistId, ReleaseId},
    statements,
    tables::Tables,
};
use rules::{messages::Code, search::Search};
use serde::Deserialize;
use utoipa::IntoParams;

pub use super::release_rows::{ReleaseArtist, ReleaseView, path};
pub(super) use super::release_rows::{after, is_among, order, select, select_releases};
use crate::{
    app::{AppState, PublicRead},
    editing::lists::{Page, containing},
};

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

// Scans narrow rows in list order until there are enough; joins only the rows shown.
macro_rules! search {
    ($engine:ident, $more:expr) => {
        concat!(
            select!(),
            " WHERE",
            is_among!(
                $engine,
                concat!(
                    "SELECT s.release_id FROM release_search s WHERE (s.sort_key LIKE $2",
                    escape!($engine),
                    " OR s.artist_key LIKE $2",
                    escape!($engine),
                    " OR s.catalog LIKE $3",
                    escape!($engine),
                    ")",
                    $more,
                    " ORDER BY s.release_date DESC, s.sort_key, s.release_id LIMIT $1"
                )
            ),
            " ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id"
        )
    };
}
// The default on PostgreSQL, where naming it costs a third of the search: the pattern is escaped again for each row.
macro_rules! escape {
    (sqlite) => {
        " ESCAPE '\\'"
    };
    (postgres) => {
        ""
    };
}
macro_rules! after_match {
    () => {
        " AND s.release_date <= $4 \
             AND (s.release_date < $4 OR s.sort_key > $5 OR (s.sort_key = $5 AND s.release_id > $6))"
    };
}

macro_rules! of_artist {
    ($artist:literal) => {
        concat!(" AND s.release_id IN (SELECT p.id FROM public_releases p WHERE p.artist_id = ", $artist, ")")
    };
}

statements! {
    LIST = concat!(select!(), order!());
    LIST_AFTER = concat!(select!(), " WHERE", after!(), order!());
    OF_ARTIST = concat!(select!(), " WHERE r.artist_id = $2", order!());
    FIND = concat!(select!(), " WHERE r.id = $1");
    COUNT = "SELECT COUNT(*) FROM public_releases";
    // Counts the offset on the index alone; joins only the rows shown.
    LIST_AT = list_at!(sqlite), postgres list_at!(postgres);
    // Dates compare as text, in the order of the index. Undated releases come before every date.
    BETWEEN = concat!(
        select!(),
        " WHERE COALESCE(r.release_date, '') >= $2 AND COALESCE(r.release_date, '') < $3",
        order!()
    );
    COUNT_BETWEEN = "SELECT COUNT(*) FROM public_releases r \
        WHERE COALESCE(r.release_date, '') >= $1 AND COALESCE(r.release_date, '') < $2";
    DATED_AFTER = concat!(
        select!(),
        " WHERE COALESCE(r.release_date, '') > $2 \
         ORDER BY COALESCE(r.release_date, '') ASC, r.sort_key, r.id LIMIT $1"
    );
    LIST_CHANGES = "SELECT r.id, r.slug, r.updated_at FROM public_releases r ORDER BY r.id LIMIT $1 OFFSET $2";
    OF_ARTIST_AFTER = concat!(select!(), " WHERE r.artist_id = $5 AND", after!(), order!());
    SEARCH = search!(sqlite, ""), postgres search!(postgres, "");
    SEARCH_AFTER = search!(sqlite, after_match!()), postgres search!(postgres, after_match!());
    SEARCH_OF = search!(sqlite, of_artist!("$4")), postgres search!(postgres, of_artist!("$4"));
    SEARCH_OF_AFTER = search!(sqlite, concat!(after_match!(), of_artist!("$7"))),
        postgres search!(postgres, concat!(after_match!(), of_artist!("$7")));
}

pub const TABLES: Tables = Tables::RELEASES.and(Tables::ARTISTS);

pub const CURSOR_COLUMNS: usize = 2;

/// The artist, the position in the list, and the length of the page.
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
    /// Only releases whose title, artist or catalogue number contains this, whatever its case (in numbers, that of A to Z); titles and names also whatever their accents.
    #[param(max_length = 200)]
    pub q: Option<String>,
}

pub async fn page(db: &Db, query: &ListQuery) -> AppResult<Page<ReleaseView>> {
    let limit = page_limit(query.limit)?;
    let artist = match query.artist_id.as_deref().map(extract::id) {
        None => None,
        Some(Some(id)) => Some(ArtistId(id)),
        Some(None) => {
            return Err(AppError::invalid("artist_id", Code::InvalidId));
        }
    };
    let cursor = query.cursor.as_deref().map(|text| Cursor::decode(text, CURSOR_COLUMNS)).transpose()?;
    let wanted = rules::search::release_search(query.q.as_deref().unwrap_or_default())
        .map_err(|code| AppError::invalid("q", code))?;
    let rows = if let Some(wanted) = wanted {
        search(db, &wanted, artist, cursor, limit + 1)
    } else {
        list(db, artist, cursor.as_ref(), limit + 1)
    };
    Ok(Page::cut(read(rows).await?, limit, ReleaseView::cursor))
}

fn search<'c>(
    db: &'c Db,
    wanted: &Search,
    artist: Option<ArtistId>,
    cursor: Option<Cursor>,
    rows: i64,
) -> Query<'c> {
    let statement = match (artist, &cursor) {
        (None, None) => SEARCH,
        (None, Some(_)) => SEARCH_AFTER,
        (Some(_), None) => SEARCH_OF,
        (Some(_), Some(_)) => SEARCH_OF_AFTER,
    };
    let mut query =
        db.query(statement).bind(rows).bind(containing(&wanted.name)).bind(containing(&wanted.catalog));
    if let Some(at) = cursor {
        query = query.bind(&at.columns[0]).bind(&at.columns[1]).bind(at.id);
    }
    match artist {
        Some(artist) => query.bind(artist),
        None => query,
    }
}

fn list<'c>(db: &'c Db, artist: Option<ArtistId>, cursor: Option<&Cursor>, rows: i64) -> Query<'c> {
    let after = |query: Query<'c>, at: &Cursor| {
        query.bind(rows).bind(&at.columns[0]).bind(&at.columns[1]).bind(at.id)
    };
    match (artist, cursor) {
        (None, None) => db.query(LIST).bind(rows),
        (Some(artist), None) => db.query(OF_ARTIST).bind(rows).bind(artist),
        (None, Some(at)) => after(db.query(LIST_AFTER), at),
        (Some(artist), Some(at)) => after(db.query(OF_ARTIST_AFTER), at).bind(artist),
    }
}

async fn read(query: Query<'_>) -> sqlx::Result<Vec<ReleaseView>> {
    Ok(query.all::<ReleaseView>().await?.into_iter().map(ReleaseView::completed).collect())
}

pub async fn list_newest(db: &Db, limit: i64) -> sqlx::Result<Vec<ReleaseView>> {
    read(list(db, None, None, limit)).await
}

pub async fn list_of(db: &Db, artist: ArtistId, limit: i64) -> sqlx::Result<Vec<ReleaseView>> {
    read(db.query(OF_ARTIST).bind(limit).bind(artist)).await
}

pub async fn find(db: &Db, id: ReleaseId) -> sqlx::Result<Option<ReleaseView>> {
    Ok(db.query(FIND).bind(id).optional::<ReleaseView>().await?.map(ReleaseView::completed))
}

#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct ReleaseChange {
    id: ReleaseId,
    slug: Option<String>,
    pub updated_at: Micros,
}

impl ReleaseChange {
    pub fn path(&self) -> String {
        path(&self.slug.clone().unwrap_or_else(|| self.id.to_string()))
    }
}

/// Releases in insertion order: existing ones keep their position as the catalogue grows.
pub async fn list_changes(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ReleaseChange>> {
    db.query(LIST_CHANGES).bind(limit).bind(offset).all::<ReleaseChange>().await
}

pub async fn count(db: &Db) -> sqlx::Result<i64> {
    db.query(COUNT).value().await
}

pub async fn list_between(db: &Db, from: &str, until: &str, limit: i64) -> sqlx::Result<Vec<ReleaseView>> {
    read(db.query(BETWEEN).bind(limit).bind(from).bind(until)).await
}

pub async fn count_between(db: &Db, from: &str, until: &str) -> sqlx::Result<i64> {
    db.query(COUNT_BETWEEN).bind(from).bind(until).value().await
}

/// The first releases with a date after `day`, oldest first; after the empty text, the oldest of all.
pub async fn list_after(db: &Db, day: &str, limit: i64) -> sqlx::Result<Vec<ReleaseView>> {
    read(db.query(DATED_AFTER).bind(limit).bind(day)).await
}

pub async fn list_at(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ReleaseView>> {
    read(db.query(LIST_AT).bind(limit).bind(offset)).await
}

/// Releases with their artist.
#[utoipa::path(get, path = "/api/releases", tag = "catalogue", params(ListQuery), responses(
    (status = 200, description = "A page of releases", body = Page<ReleaseView>),
))]
pub async fn list_releases(
    app: AppState,
    read: PublicRead,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> AppResult<Response> {
    if query.q.is_some() {
        // Searches are not cached: visitors can make any number of them.
        let response = CachedResponse::json(&page(&app.db, &query).await?)?;
        return Ok(response.respond(&read.headers, app.origin.is_https()).map(Body::from));
    }
    read.answer(&app, TABLES, || async { CachedResponse::json(&page(&app.db, &query).await?) }).await
}
