use std::convert::Infallible;

use axum::{Json, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::AppResult,
    extract::{self, ApiQuery, Cursor, PathId, page_limit},
};
use deadwax_store::{
    clock::Micros,
    columns::PublicUrl,
    db::{Db, Query},
    ids::ArtistId,
    statements,
    tables::Tables,
    text_column,
};
use rules::{content::default_bio, url::public_url};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::release_detail::moved;
use crate::{
    app::{AppState, PublicRead},
    auth::guard::Admin,
    editing::lists::{Page, Search},
    files::picture::PictureSizes,
};

/// Selects the columns of [`ArtistView`] and [`EditableArtist`](super::artist_edits::EditableArtist), and some more.
macro_rules! select_artists {
    ($from:literal, $more:expr) => {
        concat!(
            "SELECT a.id, a.name, a.sort_key, a.bio, a.image_url, a.spotify_url, a.soundcloud_url, a.instagram_url, \
                 a.youtube_url, a.apple_music_url, a.social_links, \
                 '/media/' || o.small_key AS image_small_url, o.sizes AS image_sizes, ",
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
            "o.width AS image_width, o.height AS image_height, (SELECT COUNT(*) FROM public_releases r WHERE r.artist_id = a.id) AS release_count"
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
    SELECTION = "SELECT id, name, sort_key FROM artists \
        WHERE deleted_at IS NULL AND (sort_key LIKE $2 ESCAPE '\\' OR name LIKE $5 ESCAPE '\\') \
            AND sort_key >= $3 AND (sort_key > $3 OR id > $4) \
        ORDER BY sort_key, id LIMIT $1";
}

pub const TABLES: Tables = Tables::ARTISTS.and(Tables::RELEASES);
/// With the label's name.
const SHOWN_TABLES: Tables = TABLES.and(Tables::SITE_CONTENT);

pub const CURSOR_COLUMNS: usize = 1;

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

// Another program may have written anything there.
text_column!(SocialLinks, |text| Ok::<_, Infallible>(serde_json::from_str(text).unwrap_or_default()));

/// An artist as visitors see one.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ArtistView {
    /// The artist's id.
    pub id: ArtistId,
    /// The name, as typed.
    pub name: String,
    /// The artist's own text; null if empty.
    pub bio: Option<String>,
    /// The bio, or the sentence that stands in for it in lists.
    #[sqlx(skip)]
    pub bio_label: String,
    /// The portrait.
    pub image_url: PublicUrl,
    /// The portrait at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The portrait in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Width of `image_url` in pixels, where known.
    pub image_width: Option<i64>,
    /// Height of `image_url` in pixels, where known.
    pub image_height: Option<i64>,
    /// The artist on Spotify.
    pub spotify_url: PublicUrl,
    /// The artist on SoundCloud.
    pub soundcloud_url: PublicUrl,
    /// The artist on Instagram.
    pub instagram_url: PublicUrl,
    /// The artist on YouTube.
    pub youtube_url: PublicUrl,
    /// The artist on Apple Music.
    pub apple_music_url: PublicUrl,
    /// Links beside the music services.
    pub social_links: SocialLinks,
    /// How many releases name this artist.
    pub release_count: i64,
    /// The same in words: `1 RELEASE`, `2 RELEASES`.
    #[sqlx(skip)]
    pub release_count_label: String,
    #[serde(skip)]
    sort_key: String,
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

impl ArtistView {
    /// Fills the fields derived from columns.
    fn completed(mut self) -> Self {
        self.bio = self.bio.filter(|bio| !bio.trim().is_empty());
        self.social_links = SocialLinks {
            website: public_url(self.social_links.website),
            twitter: public_url(self.social_links.twitter),
        };
        let count = u64::try_from(self.release_count).unwrap_or(0);
        self.release_count_label = rules::format::release_count_label(count);
        self
    }

    /// As the label shows it.
    #[must_use]
    pub fn of(mut self, label_name: &str) -> Self {
        self.bio_label = self.bio.clone().unwrap_or_else(|| default_bio(label_name));
        self
    }
}

async fn read(query: Query<'_>) -> sqlx::Result<Vec<ArtistView>> {
    Ok(query.all::<ArtistView>().await?.into_iter().map(ArtistView::completed).collect())
}

pub async fn page(db: &Db, query: &ListQuery, label_name: &str) -> AppResult<Page<ArtistView>> {
    let limit = page_limit(query.limit)?;
    let rows = match &query.cursor {
        None => db.query(LIST).bind(limit + 1),
        Some(text) => {
            let cursor = Cursor::decode(text, CURSOR_COLUMNS)?;
            db.query(LIST_AFTER).bind(limit + 1).bind(&cursor.columns[0]).bind(cursor.id)
        }
    };
    let items = read(rows).await?.into_iter().map(|artist| artist.of(label_name)).collect();
    Ok(Page::cut(items, limit, |row: &ArtistView| {
        Cursor { columns: vec![row.sort_key.clone()], id: row.id.0 }.encode()
    }))
}

pub async fn find(db: &Db, id: ArtistId) -> sqlx::Result<Option<ArtistView>> {
    Ok(db.query(FIND).bind(id).optional::<ArtistView>().await?.map(ArtistView::completed))
}

/// The artist whose id, in any case, ends an address.
pub async fn find_in_any_case(db: &Db, address: &str) -> sqlx::Result<Option<ArtistId>> {
    let name = address.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let Some(id) = extract::id(&name) else { return Ok(None) };
    Ok(find(db, id.into()).await?.map(|artist| artist.id))
}

pub async fn count(db: &Db) -> sqlx::Result<i64> {
    db.query(COUNT).value().await
}

pub async fn list_at(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ArtistView>> {
    read(db.query(LIST_AT).bind(limit).bind(offset)).await
}

#[derive(Debug, Clone, Copy, sqlx_macros::FromRow)]
pub struct ArtistChange {
    pub id: ArtistId,
    updated_at: Micros,
    release_updated_at: Option<Micros>,
}

impl ArtistChange {
    pub fn changed_at(&self) -> Micros {
        self.updated_at.max(self.release_updated_at.unwrap_or(0))
    }
}

/// Artists in insertion order: existing ones keep their position as the label grows.
pub async fn list_changes(db: &Db, limit: i64, offset: i64) -> sqlx::Result<Vec<ArtistChange>> {
    db.query(LIST_CHANGES).bind(limit).bind(offset).all::<ArtistChange>().await
}

/// All artists, alphabetical, with the number of releases of each.
#[utoipa::path(get, path = "/api/artists", tag = "catalogue", params(ListQuery), responses(
    (status = 200, description = "A page of artists", body = Page<ArtistView>),
))]
pub async fn list_artists(
    app: AppState,
    read: PublicRead,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> AppResult<Response> {
    read.answer(&app, SHOWN_TABLES, || async {
        let label = app.known_label.current(&app.db).await?;
        CachedResponse::json(&page(&app.db, &query, &label.name).await?)
    })
    .await
}

/// One artist.
#[utoipa::path(get, path = "/api/artists/{id}", tag = "catalogue", params(PathId), responses(
    (status = 200, description = "The artist", body = ArtistView),
    (status = 308, description = "The id is spelt in capitals: `Location` says how it is spelt"),
    (status = 404, description = "There is no such artist"),
))]
pub async fn show_artist(app: AppState, read: PublicRead, id: AppResult<PathId>) -> AppResult<Response> {
    let PathId(id) = match id {
        Ok(id) => id,
        Err(none) => {
            let present = find_in_any_case(&app.db, read.uri.path()).await?.ok_or(none)?;
            return Ok(moved(&format!("/api/artists/{present}")));
        }
    };
    read.answer(&app, SHOWN_TABLES, || async {
        let artist = find(&app.db, id.into()).await?.ok_or_else(deadwax_http::error::AppError::not_found)?;
        let label = app.known_label.current(&app.db).await?;
        CachedResponse::json(&artist.of(&label.name))
    })
    .await
}

/// An artist to choose.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ArtistChoice {
    /// The artist's id.
    pub id: ArtistId,
    pub name: String,
    #[serde(skip)]
    sort_key: String,
}

/// The position in the list, the length of the page, and the search text.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChoicesQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    limit: Option<i64>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    /// Only rows whose name contains this, whatever its case and accents.
    #[param(max_length = 200)]
    q: Option<String>,
}

/// The artists that a release can name, alphabetical.
#[utoipa::path(get, path = "/api/admin/artist-choices", tag = "admin", params(ChoicesQuery), responses(
    (status = 200, description = "A page of artists", body = Page<ArtistChoice>),
))]
pub async fn list_artist_choices(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ChoicesQuery>,
) -> AppResult<Json<Page<ArtistChoice>>> {
    let limit = page_limit(query.limit)?;
    let (after, after_id) = match &query.cursor {
        None => (String::new(), Uuid::nil()),
        Some(text) => {
            let mut cursor = Cursor::decode(text, 1)?;
            (cursor.columns.remove(0), cursor.id)
        }
    };
    let search = Search::of(query.q.as_deref())?;
    let selection = app.db.query(SELECTION).bind(limit + 1).bind(search.key).bind(after).bind(after_id);
    let items = selection.bind(search.typed).all().await?;
    let place = |row: &ArtistChoice| Cursor { columns: vec![row.sort_key.clone()], id: row.id.0 }.encode();
    Ok(Json(Page::cut(items, limit, place)))
}
