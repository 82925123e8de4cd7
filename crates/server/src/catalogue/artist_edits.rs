//! Artists as admins manage them: the list with the newest first, and adding, changing and removing one.

use axum::{Json, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery, PathId},
};
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::{Query, Statement, Tx},
    objects, statements,
};
use http::StatusCode;
use rules::artist::{ArtistForm, check_artist};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    artists::{ArtistRow, SocialLinks},
    locks,
};
use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits::{self, IfMatch},
    idempotency::{IdempotencyKey, RepeatableJson},
    library::uses,
    lists::{ListPage, ListQuery, orders, states},
    picture::PictureSizes,
    trash::{self, kinds::TrashKind},
    versions::{self, VersionKind},
};

macro_rules! select {
    () => {
        select!("")
    };
    ($more:expr) => {
        crate::catalogue::artists::select_artists!(
            "artists",
            concat!("a.featured, a.is_public, a.created_at, a.updated_at, a.version", $more)
        )
    };
}

states! {
    /// What the list of artists can be narrowed to.
    ArtistState;
    /// Marked for attention.
    Featured = "featured";
}

orders! {
    /// The orders of the list of artists.
    ArtistOrder: select select,
        found "a.deleted_at IS NULL AND (a.sort_key LIKE $1 ESCAPE '\\' OR a.name LIKE $2 ESCAPE '\\') AND ($3 = '' OR a.featured)",
        count "SELECT COUNT(*) FROM artists a", id "a.id", binds [Key, Typed, State] then "$4" "$5" "$6";
    /// The newest entry first.
    newest Newest = "-created", number "a.created_at" down;
    /// The oldest entry first.
    oldest Oldest = "created", number "a.created_at" up;
    /// By name.
    by_name ByName = "name", text "a.sort_key" up;
    /// By name, from the end of the alphabet.
    by_name_back ByNameBack = "-name", text "a.sort_key" down;
    /// The latest change first.
    by_change ByChange = "-changed", number "a.updated_at" down;
}

statements! {
    FIND = concat!(select!(), " WHERE a.id = $1 AND a.deleted_at IS NULL");
    LINKS = "SELECT social_links FROM artists WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    INSERT = "INSERT INTO artists (id, name, sort_key, bio, image_url, spotify_url, soundcloud_url, instagram_url, \
            youtube_url, apple_music_url, social_links, featured, created_at, updated_at, is_public) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)";
    UPDATE = "UPDATE artists SET name = $2, sort_key = $3, bio = $4, image_url = $5, spotify_url = $6, \
            soundcloud_url = $7, instagram_url = $8, youtube_url = $9, apple_music_url = $10, social_links = $11, \
            featured = $12, updated_at = $13, version = version + 1 \
        WHERE id = $1 AND version = $14 AND deleted_at IS NULL";
}

/// Every SQL text of this module.
pub(super) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, &orders::statements()].concat()
}

/// With what only admins are shown.
#[derive(sqlx::FromRow)]
struct EditableRow {
    #[sqlx(flatten)]
    artist: ArtistRow,
    featured: bool,
    is_public: bool,
    created_at: Micros,
    updated_at: Micros,
    version: i64,
}

/// An artist as an admin edits one: every field as stored.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableArtist {
    /// The artist's id.
    pub id: Uuid,
    /// The name.
    pub name: String,
    /// What the artist wrote; null when nothing.
    pub bio: Option<String>,
    /// The portrait.
    pub image_url: Option<String>,
    /// The portrait at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The portrait in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// The artist on Spotify.
    pub spotify_url: Option<String>,
    /// The artist on SoundCloud.
    pub soundcloud_url: Option<String>,
    /// The artist on Apple Music.
    pub apple_music_url: Option<String>,
    /// The artist on YouTube.
    pub youtube_url: Option<String>,
    /// The artist on Instagram.
    pub instagram_url: Option<String>,
    /// Links beside the music services.
    pub social_links: SocialLinks,
    /// Marked for attention; changes nothing on the public pages.
    pub featured: bool,
    /// Whether visitors see the artist. One who was entered with a draft is seen once a release of theirs is out.
    pub is_public: bool,
    /// When it was entered.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// What the next edit names in `If-Match`.
    pub version: i64,
}

/// One page of the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableArtists {
    /// The artists, in the order that was asked for.
    pub items: Vec<EditableArtist>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
}

/// What is sent to add or to change an artist: all fields, as the form has them. An absent address is an empty one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body for the contract; the rules' own type is what is read")]
pub struct ArtistBody {
    /// 1 to 100 characters, no markup.
    name: String,
    /// At most 1000 characters.
    bio: Option<String>,
    /// Absolute http or https, or `/media/…` of this website.
    image_url: Option<String>,
    /// Absolute http or https.
    spotify_url: Option<String>,
    /// Absolute http or https.
    soundcloud_url: Option<String>,
    /// Absolute http or https.
    apple_music_url: Option<String>,
    /// Absolute http or https.
    youtube_url: Option<String>,
    /// Absolute http or https.
    instagram_url: Option<String>,
    /// Absolute http or https.
    website: Option<String>,
    /// Absolute http or https.
    twitter: Option<String>,
    /// False when absent.
    featured: Option<bool>,
}

impl EditableRow {
    fn into_view(self) -> EditableArtist {
        let artist = self.artist;
        EditableArtist {
            id: artist.id,
            name: artist.name,
            bio: artist.bio,
            image_url: artist.image_url,
            image_small_url: artist.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(artist.sizes.as_deref()),
            spotify_url: artist.spotify_url,
            soundcloud_url: artist.soundcloud_url,
            apple_music_url: artist.apple_music_url,
            youtube_url: artist.youtube_url,
            instagram_url: artist.instagram_url,
            social_links: serde_json::from_str(&artist.social_links).unwrap_or_default(),
            featured: self.featured,
            is_public: self.is_public,
            created_at: rfc3339(self.created_at),
            updated_at: rfc3339(self.updated_at),
            version: self.version,
        }
    }
}

/// The artists, newest first unless another order is asked for.
#[utoipa::path(get, path = "/api/admin/artists", tag = "admin", params(ListQuery<ArtistOrder, ArtistState>), responses(
    (status = 200, description = "A page of artists", body = EditableArtists),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_editable_artists(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<ArtistOrder, ArtistState>>,
) -> AppResult<Json<EditableArtists>> {
    let ListPage { rows, next_cursor, total } = query.page::<EditableRow>(&app.db, &app.origin).await?;
    Ok(Json(EditableArtists {
        items: rows.into_iter().map(EditableRow::into_view).collect(),
        next_cursor,
        total,
    }))
}

/// One artist.
#[utoipa::path(get, path = "/api/admin/artists/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The artist's id")), responses(
    (status = 200, description = "The artist", body = EditableArtist),
    (status = 404, description = "There is no such artist"),
))]
pub async fn show_editable_artist(
    app: AppState,
    _: Admin,
    PathId(id): PathId,
) -> AppResult<Json<EditableArtist>> {
    let row = app.db.query(FIND).bind(id).optional::<EditableRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(Json(row.into_view()))
}

/// Adds an artist.
#[utoipa::path(post, path = "/api/admin/artists", tag = "admin", request_body = ArtistBody, params(IdempotencyKey), responses(
    (status = 201, description = "The new artist", body = EditableArtist),
))]
pub async fn add_artist(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    RepeatableJson { body, request }: RepeatableJson<ArtistForm>,
) -> AppResult<Response> {
    let form = checked(body)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let claim = request.claim(&mut tx, &app.keys, &me.session_id.to_string(), now).await?;
    if let Some(answer) = claim.repeated() {
        return Ok(answer);
    }
    uses::require(&mut tx, &app.origin, "image_url", form.image_url.as_deref()).await?;
    let stored = insert(&mut tx, (&me, &caller), &form, true, now).await?;
    claim.created(tx, &app.keys, &stored).await
}

/// Adds an artist whose form is checked, notes it, and keeps it as its first version. One who is not public becomes it with the first
/// release that is out.
pub(super) async fn insert(
    tx: &mut Tx,
    (me, caller): (&SignedIn, &Caller),
    form: &ArtistForm,
    is_public: bool,
    now: Micros,
) -> AppResult<EditableArtist> {
    let id = Uuid::now_v7();
    let insert = bind_form(tx.query(INSERT).bind(id), form, linked("{}", form)).bind(now).bind(is_public);
    insert.execute().await?;
    edits::note(tx, me, caller, "data_create", &format!("artist:{id}"), now).await?;
    let stored = stored(tx, id).await?;
    versions::keep(tx, VersionKind::Artist, me.user_id, now, None, &stored).await?;
    Ok(stored)
}

/// Changes an artist; entries of `social_links` that the form does not know stay.
#[utoipa::path(put, path = "/api/admin/artists/{id}", tag = "admin", request_body = ArtistBody, params(
    ("id" = Uuid, Path, description = "The artist's id"),
    ("if-match" = String, Header, description = "The version that was edited, in quotes"),
), responses(
    (status = 200, description = "The artist as it is now", body = EditableArtist),
    (status = 404, description = "There is no such artist"),
    (status = 412, description = "Somebody else has changed it meanwhile"),
    (status = 428, description = "No version"),
))]
pub async fn change_artist(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    IfMatch(seen): IfMatch,
    ApiJson(form): ApiJson<ArtistForm>,
) -> AppResult<Json<EditableArtist>> {
    save(&app, &me, &caller, id, seen, form).await.map(Json)
}

/// Saves an artist onto the version that was `seen`.
pub(crate) async fn save(
    app: &AppState,
    me: &SignedIn,
    caller: &Caller,
    id: Uuid,
    seen: i64,
    form: ArtistForm,
) -> AppResult<EditableArtist> {
    let form = checked(form)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    locks::lock_releases(&mut tx, &[id]).await?;
    let (links,) = tx.query(LINKS).bind(id).optional::<(String,)>().await?.ok_or_else(AppError::not_found)?;
    let links = linked(&links, &form);
    let before = stored(&mut tx, id).await?;
    let update = bind_form(tx.query(UPDATE).bind(id), &form, links).bind(now).bind(seen);
    if update.execute().await? == 0 {
        return Err(edits::stale());
    }
    uses::require(&mut tx, &app.origin, "image_url", form.image_url.as_deref()).await?;
    edits::note(&mut tx, me, caller, "data_update", &format!("artist:{id}"), now).await?;
    let stored = stored(&mut tx, id).await?;
    versions::keep(&mut tx, VersionKind::Artist, me.user_id, now, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(stored)
}

/// Moves an artist to the trash. The releases stay, without one until it is restored.
#[utoipa::path(delete, path = "/api/admin/artists/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The artist's id")), responses(
    (status = 204, description = "Moved to the trash"),
    (status = 404, description = "There is no such artist"),
))]
pub async fn remove_artist(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    trash::delete_one(&app, &me, &caller, TrashKind::Artist, id).await
}

/// The row as this transaction leaves it: what somebody else does after the commit is no part of the answer.
async fn stored(tx: &mut Tx, id: Uuid) -> AppResult<EditableArtist> {
    let row = tx.query(FIND).bind(id).optional::<EditableRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(row.into_view())
}

/// Binds `$2` to `$12` of `INSERT` and `UPDATE`, which name the columns in the same order.
fn bind_form<'c>(query: Query<'c>, form: &ArtistForm, links: String) -> Query<'c> {
    query
        .bind(&form.name)
        .bind(rules::sort_key::sort_key(&form.name))
        .bind(form.bio.as_deref())
        .bind(form.image_url.as_deref())
        .bind(form.spotify_url.as_deref())
        .bind(form.soundcloud_url.as_deref())
        .bind(form.instagram_url.as_deref())
        .bind(form.youtube_url.as_deref())
        .bind(form.apple_music_url.as_deref())
        .bind(links)
        .bind(form.featured)
}

fn checked(form: ArtistForm) -> AppResult<ArtistForm> {
    check_artist(form).map_err(AppError::validation)
}

/// The stored links with those of the form in their places.
fn linked(stored: &str, form: &ArtistForm) -> String {
    let mut links: Map<String, Value> = serde_json::from_str(stored).unwrap_or_default();
    for (name, address) in [("website", &form.website), ("twitter", &form.twitter)] {
        match address.as_deref().filter(|address| !address.is_empty()) {
            Some(address) => links.insert(name.to_owned(), address.into()),
            None => links.remove(name),
        };
    }
    Value::Object(links).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saving_keeps_links_that_the_form_does_not_know() {
        let form = ArtistForm { website: Some("https://a.example".into()), ..ArtistForm::default() };
        let links = linked(r#"{"mastodon": "https://m.example/@a", "twitter": "https://t.example"}"#, &form);
        assert_eq!(links, r#"{"mastodon":"https://m.example/@a","website":"https://a.example"}"#);
        assert_eq!(linked("not json", &ArtistForm::default()), "{}");
    }
}
