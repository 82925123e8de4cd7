//! Artists: the alphabetical list with the number of releases, and one artist.

use axum::{extract::OriginalUri, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::AppResult,
    extract::{self, ApiQuery, Cursor, PathId, cut_to, page_limit},
};
use deadwax_store::{clock::Micros, db::Db, objects, statements, tables::Tables};
use http::HeaderMap;
use rules::url::public_url;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::release_detail::moved;
use crate::{app::AppState, picture::PictureSizes};

/// Reads an [`ArtistRow`] and some columns more.
macro_rules! select_artists {
    ($from:literal, $more:expr) => {
        concat!(
            "SELECT a.id, a.name, a.sort_key, a.bio, a.image_url, a.spotify_url, a.soundcloud_url, a.instagram_url, \
                 a.youtube_url, a.apple_music_url, a.social_links, o.small_key, o.sizes, ",
            $more,
            " FROM ",
            $from,
            " a LEFT JOIN objects o ON o.key = substr(a.image_url, 8)"
        )
    };
}
pub(super) use select_artists;

macro_rules! select {
    () => {
        select_artists!(
            "public_artists",
            "o.width, o.height, (SELECT COUNT(*) FROM public_releases r WHERE r.artist_id = a.id) AS release_count"
        )
    };
}

statements! {
    FIND = concat!(select!(), " WHERE a.id = $1");
    LIST = concat!(select!(), " ORDER BY a.sort_key, a.id LIMIT $1");
    COUNT = "SELECT COUNT(*) FROM public_artists";
    LIST_CHANGES = "SELECT a.id, a.updated_at, \
            (SELECT MAX(r.updated_at) FROM public_releases r WHERE r.artist_id = a.id) AS release_updated_at \
        FROM public_artists a \
        ORDER BY a.id LIMIT $1 OFFSET $2";
    LIST_AT = concat!(select!(), " ORDER BY a.sort_key, a.id LIMIT $1 OFFSET $2");
    LIST_AFTER = concat!(
        select!(),
        " WHERE a.sort_key >= $2 AND (a.sort_key > $2 OR a.id > $3) ORDER BY a.sort_key, a.id LIMIT $1"
    );
}

/// What a page of artists, or of one artist, is made from.
pub const TABLES: Tables = Tables::ARTISTS.and(Tables::RELEASES);

/// The columns the list is sorted by, before the id.
pub const CURSOR_COLUMNS: usize = 1;

/// What visitors and admins are shown of an artist.
#[derive(sqlx::FromRow)]
pub(super) struct ArtistRow {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) sort_key: String,
    pub(super) bio: Option<String>,
    pub(super) image_url: Option<String>,
    pub(super) spotify_url: Option<String>,
    pub(super) soundcloud_url: Option<String>,
    pub(super) instagram_url: Option<String>,
    pub(super) youtube_url: Option<String>,
    pub(super) apple_music_url: Option<String>,
    pub(super) social_links: String,
    pub(super) small_key: Option<String>,
    pub(super) sizes: Option<String>,
}

/// With what only visitors are shown.
#[derive(sqlx::FromRow)]
struct PublicRow {
    #[sqlx(flatten)]
    artist: ArtistRow,
    width: Option<i64>,
    height: Option<i64>,
    release_count: i64,
}

/// Links beside the music services.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct SocialLinks {
    /// The artist's own website.
    #[serde(default)]
    pub website: Option<String>,
    /// The artist on Twitter.
    #[serde(default)]
    pub twitter: Option<String>,
}

/// An artist as visitors see one.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ArtistView {
    /// The artist's id.
    pub id: Uuid,
    /// The name, as typed.
    pub name: String,
    /// What the artist wrote; null when nothing.
    pub bio: Option<String>,
    /// The bio, or the sentence that stands in for it in lists.
    pub bio_label: String,
    /// The portrait.
    pub image_url: Option<String>,
    /// The portrait at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The portrait in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `image_url` in pixels, where known.
    pub image_height: Option<i64>,
    /// The artist on Spotify.
    pub spotify_url: Option<String>,
    /// The artist on SoundCloud.
    pub soundcloud_url: Option<String>,
    /// The artist on Instagram.
    pub instagram_url: Option<String>,
    /// The artist on YouTube.
    pub youtube_url: Option<String>,
    /// The artist on Apple Music.
    pub apple_music_url: Option<String>,
    /// Links beside the music services.
    pub social_links: SocialLinks,
    /// How many releases name this artist.
    pub release_count: i64,
    /// The same in words: `1 RELEASE`, `2 RELEASES`.
    pub release_count_label: String,
}

/// One page of artists.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ArtistPage {
    /// The artists, alphabetical.
    pub items: Vec<ArtistView>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
}

/// Where in the list, and how much of it.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl PublicRow {
    fn into_view(self) -> ArtistView {
        let artist = self.artist;
        let links: SocialLinks = serde_json::from_str(&artist.social_links).unwrap_or_default();
        let count = u64::try_from(self.release_count).unwrap_or(0);
        let bio = artist.bio.filter(|bio| !bio.trim().is_empty());
        ArtistView {
            id: artist.id,
            name: artist.name,
            bio_label: bio.clone().unwrap_or_else(|| rules::content::DEFAULT_BIO.to_owned()),
            bio,
            image_url: public_url(artist.image_url),
            image_small_url: artist.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(artist.sizes.as_deref()),
            image_width: self.width,
            image_height: self.height,
            spotify_url: public_url(artist.spotify_url),
            soundcloud_url: public_url(artist.soundcloud_url),
            instagram_url: public_url(artist.instagram_url),
            youtube_url: public_url(artist.youtube_url),
            apple_music_url: public_url(artist.apple_music_url),
            social_links: SocialLinks {
                website: public_url(links.website),
                twitter: public_url(links.twitter),
            },
            release_count: self.release_count,
            release_count_label: rules::format::release_count_label(count),
        }
    }
}

/// One page of artists: names ignoring case and accents, digits first, equal names by id.
pub async fn page(db: &Db, query: &ListQuery) -> AppResult<ArtistPage> {
    let limit = page_limit(query.limit)?;
    let mut rows = match &query.cursor {
        None => db.query(LIST).bind(limit + 1).all::<PublicRow>().await?,
        Some(text) => {
            let cursor = Cursor::decode(text, CURSOR_COLUMNS)?;
            db.query(LIST_AFTER)
                .bind(limit + 1)
                .bind(&cursor.columns[0])
                .bind(cursor.id)
                .all::<PublicRow>()
                .await?
        }
    };
    let has_more = cut_to(&mut rows, limit);
    let last = rows.last().filter(|_| has_more).map(|row| &row.artist);
    let next_cursor = last.map(|row| Cursor { columns: vec![row.sort_key.clone()], id: row.id }.encode());
    Ok(ArtistPage { items: rows.into_iter().map(PublicRow::into_view).collect(), next_cursor })
}

/// One artist, if there is one of that id.
pub async fn find(db: &Db, id: Uuid) -> sqlx::Result<Option<ArtistView>> {
    Ok(db.query(FIND).bind(id).optional::<PublicRow>().await?.map(PublicRow::into_view))
}

/// The artist whose id, in letters of any case, ends an address.
pub async fn find_in_any_case(db: &Db, address: &str) -> sqlx::Result<Option<Uuid>> {
    let name = address.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let Some(id) = extract::id(&name) else { return Ok(None) };
    Ok(find(db, id).await?.map(|artist| artist.id))
}

/// How many artists there are.
pub async fn count(db: &Db) -> sqlx::Result<i64> {
    Ok(db.query(COUNT).one::<(i64,)>().await?.0)
}

/// Part of all artists by its place, for readers who count in pages.
pub async fn list_at(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ArtistView>> {
    let rows = db.query(LIST_AT).bind(limit).bind(offset).all::<PublicRow>().await?;
    Ok(rows.into_iter().map(PublicRow::into_view).collect())
}

/// When what an artist's page shows was last changed.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct ArtistChange {
    /// The artist's id.
    pub id: Uuid,
    updated_at: Micros,
    release_updated_at: Option<Micros>,
}

impl ArtistChange {
    /// The last edit of the artist or of one of the artist's releases.
    pub fn changed_at(&self) -> Micros {
        self.updated_at.max(self.release_updated_at.unwrap_or(0))
    }
}

/// Part of all artists in the order they were entered, which keeps its places as the label grows.
pub async fn list_changes(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ArtistChange>> {
    db.query(LIST_CHANGES).bind(limit).bind(offset).all::<ArtistChange>().await
}

/// All artists, alphabetical, with the number of releases of each.
#[utoipa::path(get, path = "/api/artists", tag = "catalogue", params(ListQuery), responses(
    (status = 200, description = "A page of artists", body = ArtistPage),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_artists(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> AppResult<Response> {
    app.answer(&uri, &headers, TABLES, || async { CachedResponse::json(&page(&app.db, &query).await?) }).await
}

/// One artist.
#[utoipa::path(get, path = "/api/artists/{id}", tag = "catalogue", params(("id" = Uuid, Path, description = "The artist's id")), responses(
    (status = 200, description = "The artist", body = ArtistView),
    (status = 308, description = "The id is spelt in capitals: `Location` says how it is spelt"),
    (status = 404, description = "There is no such artist"),
))]
pub async fn show_artist(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    id: AppResult<PathId>,
) -> AppResult<Response> {
    let PathId(id) = match id {
        Ok(id) => id,
        Err(none) => {
            let present = find_in_any_case(&app.db, uri.path()).await?.ok_or(none)?;
            return moved(&format!("/api/artists/{present}"));
        }
    };
    app.answer(&uri, &headers, TABLES, || async {
        let artist = find(&app.db, id).await?.ok_or_else(deadwax_http::error::AppError::not_found)?;
        CachedResponse::json(&artist)
    })
    .await
}
