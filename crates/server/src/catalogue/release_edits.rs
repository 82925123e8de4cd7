//! Releases as admins manage them: the list with the newest entry first, and adding, changing and removing one.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{self, ApiJson, ApiQuery, PathId},
};
use deadwax_store::{
    clock::rfc3339,
    db::{Query, Tx},
    statements,
};
use http::StatusCode;
use rules::release::{ReleaseError, ReleaseForm, check_release};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::releases::{ReleaseArtist, ReleaseRow, select_releases};
use crate::{
    app::AppState,
    auth::guard::Admin,
    caller::Caller,
    edits::{self, IfMatch, SearchQuery},
    picture::PictureSizes,
};

macro_rules! select {
    () => {
        select_releases!("r.apple_music_url, r.youtube_url, r.bandcamp_url, r.featured, r.version")
    };
}

statements! {
    LIST = concat!(
        select!(),
        " WHERE r.sort_key LIKE $2 ESCAPE '\\' AND r.created_at <= $3 AND (r.created_at < $3 OR r.id < $4) \
         ORDER BY r.created_at DESC, r.id DESC LIMIT $1"
    );
    COUNT = "SELECT COUNT(*) FROM releases WHERE sort_key LIKE $1 ESCAPE '\\'";
    FIND = concat!(select!(), " WHERE r.id = $1");
    VERSION = "SELECT version FROM releases WHERE id = $1";
    // Held until the commit, so that the artist is still there when the release names it.
    ARTIST = "SELECT id FROM artists WHERE id = $1", postgres + " FOR KEY SHARE";
    INSERT = "INSERT INTO releases (id, title, sort_key, artist_id, catalog, release_date, description, \
            cover_image_url, spotify_url, soundcloud_url, apple_music_url, youtube_url, bandcamp_url, featured, \
            created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)";
    UPDATE = "UPDATE releases SET title = $2, sort_key = $3, artist_id = $4, catalog = $5, release_date = $6, \
            description = $7, cover_image_url = $8, spotify_url = $9, soundcloud_url = $10, apple_music_url = $11, \
            youtube_url = $12, bandcamp_url = $13, featured = $14, updated_at = $15, version = version + 1 \
        WHERE id = $1 AND version = $16";
    DELETE = "DELETE FROM releases WHERE id = $1";
}

/// With what only admins are shown.
#[derive(sqlx::FromRow)]
struct EditableRow {
    #[sqlx(flatten)]
    release: ReleaseRow,
    apple_music_url: Option<String>,
    youtube_url: Option<String>,
    bandcamp_url: Option<String>,
    featured: bool,
    version: i64,
}

/// A release as an admin edits one: every field as stored.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableRelease {
    /// The release's id.
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// Who made it; null shows as Unknown Artist.
    pub artist_id: Option<Uuid>,
    /// The same with a name.
    pub artist: Option<ReleaseArtist>,
    /// The catalogue number.
    pub catalog: Option<String>,
    /// `YYYY-MM-DD`; null on rows that are older than this rule.
    pub release_date: Option<String>,
    /// What there is to say.
    pub description: Option<String>,
    /// The cover.
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
    /// Marked for attention; changes nothing on the public pages.
    pub featured: bool,
    /// When it was entered.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// What the next edit names in `If-Match`.
    pub version: i64,
}

/// One page of the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableReleases {
    /// The releases, newest entry first.
    pub items: Vec<EditableRelease>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
}

/// What is sent to add or to change a release: all fields, as the form has them. An absent address is an empty one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body for the contract; the rules' own type is what is read")]
pub struct ReleaseBody {
    /// 1 to 200 characters, no markup.
    title: String,
    /// An artist of the label.
    artist_id: Option<String>,
    /// At most 50 characters.
    catalog: Option<String>,
    /// `YYYY-MM-DD`, a real date.
    release_date: String,
    /// At most 1000 characters.
    description: Option<String>,
    /// Absolute http or https, or `/media/…` of this website.
    cover_image_url: Option<String>,
    /// Absolute http or https.
    spotify_url: Option<String>,
    /// Absolute http or https.
    soundcloud_url: Option<String>,
    /// Absolute http or https.
    apple_music_url: Option<String>,
    /// Absolute http or https.
    youtube_url: Option<String>,
    /// Absolute http or https.
    bandcamp_url: Option<String>,
    /// False when absent.
    featured: Option<bool>,
}

impl EditableRow {
    fn into_view(self) -> EditableRelease {
        let release = self.release;
        EditableRelease {
            id: release.id,
            artist: release.artist(),
            title: release.title,
            artist_id: release.artist_id,
            catalog: release.catalog,
            release_date: release.release_date,
            description: release.description,
            cover_image_url: release.cover_image_url,
            image_small_url: release.small_key.map(|key| format!("/media/{key}")),
            image_sizes: PictureSizes::read(release.sizes.as_deref()),
            spotify_url: release.spotify_url,
            soundcloud_url: release.soundcloud_url,
            apple_music_url: self.apple_music_url,
            youtube_url: self.youtube_url,
            bandcamp_url: self.bandcamp_url,
            featured: self.featured,
            created_at: rfc3339(release.created_at),
            updated_at: rfc3339(release.updated_at),
            version: self.version,
        }
    }
}

/// The releases, newest entry first.
#[utoipa::path(get, path = "/api/admin/releases", tag = "admin", params(SearchQuery), responses(
    (status = 200, description = "A page of releases", body = EditableReleases),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_editable_releases(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<SearchQuery>,
) -> AppResult<Json<EditableReleases>> {
    let search = query.read()?;
    let (total,) = app.db.query(COUNT).bind(&search.pattern).one::<(i64,)>().await?;
    let mut rows = app
        .db
        .query(LIST)
        .bind(search.rows())
        .bind(&search.pattern)
        .bind(search.before)
        .bind(search.before_id)
        .all::<EditableRow>()
        .await?;
    let next_cursor = search.cut(&mut rows, |row| (row.release.created_at, row.release.id));
    Ok(Json(EditableReleases {
        items: rows.into_iter().map(EditableRow::into_view).collect(),
        next_cursor,
        total,
    }))
}

/// One release.
#[utoipa::path(get, path = "/api/admin/releases/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The release's id")), responses(
    (status = 200, description = "The release", body = EditableRelease),
    (status = 404, description = "There is no such release"),
))]
pub async fn show_editable_release(
    app: AppState,
    _: Admin,
    PathId(id): PathId,
) -> AppResult<Json<EditableRelease>> {
    let row = app.db.query(FIND).bind(id).optional::<EditableRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(Json(row.into_view()))
}

/// Adds a release.
#[utoipa::path(post, path = "/api/admin/releases", tag = "admin", request_body = ReleaseBody, responses(
    (status = 201, description = "The new release", body = EditableRelease),
))]
pub async fn add_release(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    ApiJson(form): ApiJson<ReleaseForm>,
) -> AppResult<(StatusCode, Json<EditableRelease>)> {
    let form = checked(form)?;
    let now = app.clock.now();
    let id = Uuid::now_v7();
    let mut tx = app.db.begin().await?;
    let artist_id = known_artist(&mut tx, &form).await?;
    bind_form(tx.query(INSERT).bind(id), &form, artist_id).bind(now).execute().await?;
    edits::note(&mut tx, &me, &caller, "data_create", &format!("release:{id}"), now).await?;
    let stored = stored(&mut tx, id).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, stored))
}

/// Changes a release.
#[utoipa::path(put, path = "/api/admin/releases/{id}", tag = "admin", request_body = ReleaseBody, params(
    ("id" = Uuid, Path, description = "The release's id"),
    ("if-match" = String, Header, description = "The version that was edited, in quotes"),
), responses(
    (status = 200, description = "The release as it is now", body = EditableRelease),
    (status = 404, description = "There is no such release"),
    (status = 412, description = "Somebody else has changed it meanwhile"),
    (status = 428, description = "No version"),
))]
pub async fn change_release(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    IfMatch(seen): IfMatch,
    ApiJson(form): ApiJson<ReleaseForm>,
) -> AppResult<Json<EditableRelease>> {
    let form = checked(form)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let artist_id = known_artist(&mut tx, &form).await?;
    let update = bind_form(tx.query(UPDATE).bind(id), &form, artist_id).bind(now).bind(seen);
    if update.execute().await? == 0 {
        return Err(edits::not_updated(tx.query(VERSION).bind(id).optional::<(i64,)>().await?.is_some()));
    }
    edits::note(&mut tx, &me, &caller, "data_update", &format!("release:{id}"), now).await?;
    let stored = stored(&mut tx, id).await?;
    tx.commit().await?;
    Ok(stored)
}

/// Removes a release.
#[utoipa::path(delete, path = "/api/admin/releases/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The release's id")), responses(
    (status = 204, description = "Removed"),
    (status = 404, description = "There is no such release"),
))]
pub async fn remove_release(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    edits::remove(&app.db, app.clock.now(), &me, &caller, DELETE, "release", id).await
}

/// The row as this transaction leaves it: what somebody else does after the commit is no part of the answer.
async fn stored(tx: &mut Tx, id: Uuid) -> AppResult<Json<EditableRelease>> {
    let row = tx.query(FIND).bind(id).optional::<EditableRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(Json(row.into_view()))
}

/// Binds `$2` to `$14` of `INSERT` and `UPDATE`, which name the columns in the same order.
fn bind_form<'c>(query: Query<'c>, form: &ReleaseForm, artist_id: Option<Uuid>) -> Query<'c> {
    query
        .bind(&form.title)
        .bind(rules::sort_key::sort_key(&form.title))
        .bind(artist_id)
        .bind(form.catalog.as_deref())
        .bind(&form.release_date)
        .bind(form.description.as_deref())
        .bind(form.cover_image_url.as_deref())
        .bind(form.spotify_url.as_deref())
        .bind(form.soundcloud_url.as_deref())
        .bind(form.apple_music_url.as_deref())
        .bind(form.youtube_url.as_deref())
        .bind(form.bandcamp_url.as_deref())
        .bind(form.featured)
}

fn checked(form: ReleaseForm) -> AppResult<ReleaseForm> {
    check_release(form).map_err(AppError::validation)
}

/// The chosen artist, who must be one of the label's.
async fn known_artist(tx: &mut Tx, form: &ReleaseForm) -> AppResult<Option<Uuid>> {
    let Some(chosen) = form.artist_id.as_deref() else { return Ok(None) };
    let unknown = || AppError::invalid("artist_id", ReleaseError::ArtistUnknown);
    let id = extract::id(chosen).ok_or_else(unknown)?;
    let found = tx.query(ARTIST).bind(id).optional::<(Uuid,)>().await?;
    found.map(|(id,)| Some(id)).ok_or_else(unknown)
}
