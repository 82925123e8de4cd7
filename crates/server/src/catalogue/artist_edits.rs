//! Artists in the back office: list, add, change, remove.

use axum::{Json, response::Response};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery, PathId},
};
use deadwax_store::{
    clock::Micros,
    columns::Timestamp,
    db::{Db, Query, Tx},
    ids::ArtistId,
    statements,
};
use http::StatusCode;
use rules::artist::{ArtistForm, check_artist};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{artists::SocialLinks, publication};
use crate::{
    app::AppState,
    auth::guard::{Actor, Admin},
    editing::lists::{ListPage, ListQuery, orders},
    editing::versions::versioned,
    editing::{self, Editor, IfMatch},
    files::library::uses,
    files::picture::PictureSizes,
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, RepeatableJson},
    trash::{self, kinds::TrashKind},
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

deadwax_store::names! {
    /// Filters of the list of artists.
    ArtistState;
    Featured = "featured";
}

orders! {
    /// The orders of the list of artists.
    ArtistOrder: select select,
        found "a.deleted_at IS NULL AND (a.sort_key LIKE $1 ESCAPE '\\' OR a.name LIKE $2 ESCAPE '\\') AND ($3 = '' OR a.featured)",
        count "SELECT COUNT(*) FROM artists a", id "a.id", binds [search.key, search.typed, state] then "$4" "$5" "$6";
    newest Newest = "-created", number "a.created_at" down;
    oldest Oldest = "created", number "a.created_at" up;
    by_name ByName = "name", text "a.sort_key" up;
    by_name_back ByNameBack = "-name", text "a.sort_key" down;
    by_change ByChange = "-changed", number "a.updated_at" down;
}

statements! {
    and orders;
    FIND = concat!(select!(), " WHERE a.id = $1 AND a.deleted_at IS NULL");
    LIST_AFTER = concat!(select!(), " WHERE a.deleted_at IS NULL AND a.id > $2 ORDER BY a.id LIMIT $1");
    NEWEST = concat!(select!(), " WHERE a.deleted_at IS NULL ORDER BY a.created_at DESC, a.id DESC LIMIT $1");
    LINKS = "SELECT social_links FROM artists WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    INSERT = "INSERT INTO artists (id, name, sort_key, bio, image_url, spotify_url, soundcloud_url, instagram_url, \
            youtube_url, apple_music_url, social_links, featured, created_at, updated_at, is_public) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)";
    UPDATE = "UPDATE artists SET name = $2, sort_key = $3, bio = $4, image_url = $5, spotify_url = $6, \
            soundcloud_url = $7, instagram_url = $8, youtube_url = $9, apple_music_url = $10, social_links = $11, \
            featured = $12, updated_at = $13, version = version + 1 \
        WHERE id = $1 AND version = $14 AND deleted_at IS NULL";
}

/// An artist as an admin edits one: every field as stored.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct EditableArtist {
    /// The artist's id.
    pub id: ArtistId,
    pub name: String,
    /// The artist's own text; null if empty.
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
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

versioned!(EditableArtist: Artist, |row| row.id, "artist" row.id);

/// The artists, newest first by default.
#[utoipa::path(get, path = "/api/admin/artists", tag = "admin", params(ListQuery<ArtistOrder, ArtistState>), responses(
    (status = 200, description = "A page of artists", body = ListPage<EditableArtist>),
))]
pub async fn list_editable_artists(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<ArtistOrder, ArtistState>>,
) -> AppResult<Json<ListPage<EditableArtist>>> {
    query.page(&app.db).await.map(Json)
}

/// One artist.
#[utoipa::path(get, path = "/api/admin/artists/{id}", tag = "admin", params(PathId), responses(
    (status = 200, description = "The artist", body = EditableArtist),
))]
pub async fn show_editable_artist(
    app: AppState,
    _: Admin,
    PathId(id): PathId<ArtistId>,
) -> AppResult<Json<EditableArtist>> {
    let artist = app.db.query(FIND).bind(id).optional().await?;
    artist.map(Json).ok_or_else(AppError::not_found)
}

pub(crate) async fn list_after(db: &Db, after: Uuid, limit: i64) -> sqlx::Result<Vec<EditableArtist>> {
    db.query(LIST_AFTER).bind(limit).bind(after).all().await
}

pub(crate) async fn list_newest(db: &Db, limit: i64) -> sqlx::Result<Vec<EditableArtist>> {
    db.query(NEWEST).bind(limit).all().await
}

/// Adds an artist.
#[utoipa::path(post, path = "/api/admin/artists", tag = "admin", request_body = ArtistForm, params(IdempotencyKey), responses(
    (status = 201, description = "The new artist", body = EditableArtist),
))]
pub async fn add_artist(
    editor: Editor,
    RepeatableJson { body, request }: RepeatableJson<ArtistForm>,
) -> AppResult<Response> {
    let form = checked(&editor.app.origin, body)?;
    let by = editor.act();
    let (mut tx, claim) = match by.begin(Some(&request)).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    uses::require(&mut tx, &editor.app.origin, "image_url", form.image_url.as_deref()).await?;
    let stored = insert(by, &mut tx, &form, true).await?;
    idempotency::finish(tx, claim, &editor.app.keys, &stored).await
}

/// Adds a checked artist with an audit entry and a first version. One who is not public becomes public with their first release that is
/// out.
pub(super) async fn insert(
    by: Actor<'_>,
    tx: &mut Tx,
    form: &ArtistForm,
    is_public: bool,
) -> AppResult<EditableArtist> {
    let id = insert_row(tx, form, is_public, by.now).await?;
    let stored = stored(tx, id).await?;
    by.saved(tx, None, &stored).await?;
    Ok(stored)
}

pub(crate) async fn insert_row(
    tx: &mut Tx,
    form: &ArtistForm,
    is_public: bool,
    now: Micros,
) -> sqlx::Result<ArtistId> {
    let id = ArtistId::generate();
    let insert = bind_form(tx.query(INSERT).bind(id), form, linked("{}", form)).bind(now).bind(is_public);
    insert.execute().await?;
    Ok(id)
}

/// Changes an artist; entries of `social_links` that the form does not know stay.
#[utoipa::path(put, path = "/api/admin/artists/{id}", tag = "admin", request_body = ArtistForm, params(PathId, IfMatch), responses(
    (status = 200, description = "The artist as it is now", body = EditableArtist),
))]
pub async fn change_artist(
    editor: Editor,
    PathId(id): PathId<ArtistId>,
    IfMatch(seen): IfMatch,
    ApiJson(form): ApiJson<ArtistForm>,
) -> AppResult<Json<EditableArtist>> {
    save(&editor, id, seen, form).await.map(Json)
}

pub(crate) async fn save(
    editor: &Editor,
    id: ArtistId,
    seen: i64,
    form: ArtistForm,
) -> AppResult<EditableArtist> {
    let form = checked(&editor.app.origin, form)?;
    let by = editor.act();
    let mut tx = editor.app.db.begin().await?;
    let picture = uses::require(&mut tx, &editor.app.origin, "image_url", form.image_url.as_deref()).await;
    publication::lock_releases(&mut tx, [id]).await?;
    let links = tx.query(LINKS).bind(id).maybe::<String>().await?.ok_or_else(AppError::not_found)?;
    let links = linked(&links, &form);
    let before = stored(&mut tx, id).await?;
    let update = bind_form(tx.query(UPDATE).bind(id), &form, links).bind(by.now).bind(seen);
    if update.execute().await? == 0 {
        return Err(editing::stale());
    }
    picture?;
    let stored = stored(&mut tx, id).await?;
    by.saved(&mut tx, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(stored)
}

/// Moves an artist to the trash. The releases stay, without one until it is restored.
#[utoipa::path(delete, path = "/api/admin/artists/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Moved to the trash"),
))]
pub async fn remove_artist(editor: Editor, PathId(id): PathId<ArtistId>) -> AppResult<StatusCode> {
    trash::delete_one(&editor, TrashKind::Artist, id.0).await
}

async fn stored(tx: &mut Tx, id: ArtistId) -> AppResult<EditableArtist> {
    tx.query(FIND).bind(id).optional().await?.ok_or_else(AppError::not_found)
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

fn checked(origin: &Origin, form: ArtistForm) -> AppResult<ArtistForm> {
    let mut form = check_artist(form).map_err(AppError::validation)?;
    uses::make_path(origin, &mut form.image_url);
    Ok(form)
}

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
