//! Releases in the back office: list, add, change, remove.

use axum::{Json, extract::DefaultBodyLimit, response::Response};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{self, ApiJson, ApiQuery, PathId},
};
use deadwax_store::{
    clock::Micros,
    db::{Query, Tx, known},
    ids::{ArtistId, ReleaseId},
    statements,
};
use http::StatusCode;
use rules::{
    publish::{ReleaseState, goes_out, next_state},
    release::{ReleaseError, ReleaseForm, check_release},
};
use serde_json::json;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    editable_release::{EditableRelease, EditableRow},
    publication,
};
use crate::{
    app::{App, AppState},
    auth::guard::{Actor, Admin},
    editing::lists::{ListPage, ListQuery, orders},
    editing::{self, Editor, IfMatch},
    files::library::uses,
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, RepeatableJson},
    trash::{self, kinds::TrashKind},
};

macro_rules! select {
    () => {
        select!("")
    };
    ($more:expr) => {
        crate::catalogue::releases::select_releases!(
            kept,
            concat!(
                "r.featured, r.version, r.state, r.goes_out_at, r.format, \
                     r.tracks, r.credits, (SELECT p.sealed FROM private_links p WHERE p.release_id = r.id) AS sealed",
                $more
            )
        )
    };
}

/// Sets the content of releases as [`bind_content`] binds it; `$artist` is the artist's id.
macro_rules! update_releases {
    ($artist:literal) => {
        concat!(
            "UPDATE releases SET version = version + 1, title = $2, sort_key = $3, artist_id = ",
            $artist,
            ", catalog = $5, release_date = $6, description = $7, cover_image_url = $8, spotify_url = $9, soundcloud_url = $10, \
                apple_music_url = $11, youtube_url = $12, bandcamp_url = $13, featured = $14, format = $15, tracks = $16, credits = $17"
        )
    };
}
pub(crate) use update_releases;

orders! {
    /// The orders of the list of releases.
    ReleaseOrder: select select,
        // The visible columns: title, catalogue number, artist. The artist is looked up last, and only if the rest did not match.
        found "r.deleted_at IS NULL AND ($4 = '' OR r.state = $4) AND (r.sort_key LIKE $1 ESCAPE '\\' \
            OR r.title LIKE $3 ESCAPE '\\' OR LOWER(r.catalog) LIKE $2 ESCAPE '\\' OR r.catalog LIKE $3 ESCAPE '\\' \
            OR CASE WHEN EXISTS (SELECT 1 FROM artists n WHERE n.id = r.artist_id AND n.deleted_at IS NULL) \
                THEN EXISTS (SELECT 1 FROM artists n WHERE n.id = r.artist_id \
                    AND (n.sort_key LIKE $1 ESCAPE '\\' OR n.name LIKE $3 ESCAPE '\\')) \
                ELSE 'unknown artist' LIKE $1 ESCAPE '\\' END)",
        count "SELECT COUNT(*) FROM releases r",
        id "r.id", binds [search.key, search.lower, search.typed, state] then "$5" "$6" "$7";
    newest Newest = "-created", number "r.created_at" down;
    oldest Oldest = "created", number "r.created_at" up;
    by_title ByTitle = "title", text "r.sort_key" up;
    by_title_back ByTitleBack = "-title", text "r.sort_key" down;
    by_artist ByArtist = "artist", text "COALESCE(a.sort_key, 'unknown artist')" up;
    by_catalog ByCatalog = "catalog", text "COALESCE(NULLIF(LOWER(r.catalog), ''), '~')",
        postgres "COALESCE(NULLIF(LOWER(r.catalog), ''), '~') COLLATE \"C\"" up;
    by_catalog_back ByCatalogBack = "-catalog", text "COALESCE(NULLIF(LOWER(r.catalog), ''), '~')",
        postgres "COALESCE(NULLIF(LOWER(r.catalog), ''), '~') COLLATE \"C\"" down;
    by_date_back ByDateBack = "-date", text "COALESCE(r.release_date, '')" down;
    by_date ByDate = "date", text "COALESCE(r.release_date, '')" up;
    by_change ByChange = "-changed", number "r.updated_at" down;
}

statements! {
    and orders;
    FIND = concat!(select!(), " WHERE r.id = $1 AND r.deleted_at IS NULL");
    STATE = "SELECT state, goes_out_at FROM releases WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    ARTIST_OF = "SELECT artist_id FROM releases WHERE id = $1";
    // Locked until the commit, so that the artist still exists when the release names it; exclusively, as publishing a release may publish
    // its artist.
    ARTIST = "SELECT id FROM artists WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR NO KEY UPDATE";
    INSERT = "INSERT INTO releases (id, title, sort_key, artist_id, catalog, release_date, description, \
            cover_image_url, spotify_url, soundcloud_url, apple_music_url, youtube_url, bandcamp_url, featured, \
            format, tracks, credits, state, goes_out_at, created_at, updated_at, out_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20, \
            CASE WHEN CAST($18 AS TEXT) = 'out' THEN CAST($20 AS BIGINT) END)";
    // An artist in the trash is not shown, but returns to the release unless it was given to another one since.
    UPDATE = concat!(
        update_releases!(
            "COALESCE($4, (SELECT a.id FROM artists a WHERE a.id = releases.artist_id AND a.deleted_at IS NOT NULL))"
        ),
        ", state = $18, goes_out_at = $19, updated_at = $20, \
            out_at = CASE WHEN CAST($18 AS TEXT) = 'out' THEN COALESCE(out_at, CAST($20 AS BIGINT)) ELSE out_at END \
        WHERE id = $1 AND version = $21 AND deleted_at IS NULL"
    );
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_editable_releases, add_release))
        .routes(routes!(show_editable_release, change_release, remove_release))
        .layer(DefaultBodyLimit::max(rules::release::BODY_MAX_BYTES))
}

/// The releases, newest entry first by default.
#[utoipa::path(get, path = "/api/admin/releases", tag = "admin", params(ListQuery<ReleaseOrder, ReleaseState>), responses(
    (status = 200, description = "A page of releases", body = ListPage<EditableRelease>),
))]
pub async fn list_editable_releases(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<ReleaseOrder, ReleaseState>>,
) -> AppResult<Json<ListPage<EditableRelease>>> {
    let page = query.page::<EditableRow>(&app.db).await?;
    page.try_map(|row| Ok(row.into_view(&app.keys)?)).map(Json)
}

/// One release.
#[utoipa::path(get, path = "/api/admin/releases/{id}", tag = "admin", params(PathId), responses(
    (status = 200, description = "The release", body = EditableRelease),
))]
pub async fn show_editable_release(
    app: AppState,
    _: Admin,
    PathId(id): PathId<ReleaseId>,
) -> AppResult<Json<EditableRelease>> {
    let row = app.db.query(FIND).bind(id).optional::<EditableRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(Json(row.into_view(&app.keys)?))
}

/// Adds a release.
#[utoipa::path(post, path = "/api/admin/releases", tag = "admin", request_body = ReleaseForm, params(IdempotencyKey), responses(
    (status = 201, description = "The new release", body = EditableRelease),
))]
pub async fn add_release(
    editor: Editor,
    RepeatableJson { body, request }: RepeatableJson<ReleaseForm>,
) -> AppResult<Response> {
    let form = checked(&editor.app.origin, body)?;
    let by = editor.act();
    let (mut tx, claim) = match by.begin(Some(&request)).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    uses::require(&mut tx, &editor.app.origin, "cover_image_url", form.cover_image_url.as_deref()).await?;
    let artist_id = known_artist(&mut tx, &form).await?;
    let stored = insert(by, &mut tx, &form, artist_id).await?;
    idempotency::finish(tx, claim, &editor.app.keys, &stored).await
}

pub(super) async fn insert(
    by: Actor<'_>,
    tx: &mut Tx,
    form: &ReleaseForm,
    artist_id: Option<ArtistId>,
) -> AppResult<EditableRelease> {
    let id = insert_row(tx, form, artist_id, by.now).await?;
    let stored = stored(by.app, tx, id).await?;
    by.saved(tx, None, &stored).await?;
    Ok(stored)
}

pub(crate) async fn insert_row(
    tx: &mut Tx,
    form: &ReleaseForm,
    artist_id: Option<ArtistId>,
    now: Micros,
) -> sqlx::Result<ReleaseId> {
    let id = ReleaseId::generate();
    let (state, goes_out_at) = state_after(None, form, now);
    let insert = bind_content(tx.query(INSERT).bind(id), form, artist_id);
    insert.bind(state.as_str()).bind(goes_out_at).bind(now).execute().await?;
    if state == ReleaseState::Out {
        publication::give_slug(tx, id, form.catalog.as_deref(), &form.title, now).await?;
    }
    Ok(id)
}

/// Changes a release.
#[utoipa::path(put, path = "/api/admin/releases/{id}", tag = "admin", request_body = ReleaseForm, params(PathId, IfMatch), responses(
    (status = 200, description = "The release as it is now", body = EditableRelease),
))]
pub async fn change_release(
    editor: Editor,
    PathId(id): PathId<ReleaseId>,
    IfMatch(seen): IfMatch,
    ApiJson(form): ApiJson<ReleaseForm>,
) -> AppResult<Json<EditableRelease>> {
    save(&editor, id, seen, form).await.map(Json)
}

pub(crate) async fn save(
    editor: &Editor,
    id: ReleaseId,
    seen: i64,
    form: ReleaseForm,
) -> AppResult<EditableRelease> {
    let form = checked(&editor.app.origin, form)?;
    let by = editor.act();
    let mut tx = editor.app.db.begin().await?;
    // Before the release is locked, as the trash does.
    let cover =
        uses::require(&mut tx, &editor.app.origin, "cover_image_url", form.cover_image_url.as_deref()).await;
    let present = tx.query(STATE).bind(id).optional::<(String, Option<Micros>)>().await?;
    let (name, goes_out_at) = present.ok_or_else(AppError::not_found)?;
    let before = stored(&editor.app, &mut tx, id).await?;
    let before = version_of(&mut tx, &before).await?;
    let artist_id = known_artist(&mut tx, &form).await?;
    let present = known(ReleaseState::named, &name, ("releases", "state", &id))?;
    let state = state_after(Some((present, goes_out_at)), &form, by.now);
    let update = bind_content(tx.query(UPDATE).bind(id), &form, artist_id);
    if update.bind(state.0.as_str()).bind(state.1).bind(by.now).bind(seen).execute().await? == 0 {
        return Err(editing::stale());
    }
    cover?;
    if state.0 == ReleaseState::Out {
        publication::give_slug(&mut tx, id, form.catalog.as_deref(), &form.title, by.now).await?;
    }
    let stored = stored(&editor.app, &mut tx, id).await?;
    let kept = version_of(&mut tx, &stored).await?;
    by.saved(&mut tx, Some(&before), &kept).await?;
    tx.commit().await?;
    Ok(stored)
}

/// Moves a release to the trash.
#[utoipa::path(delete, path = "/api/admin/releases/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Moved to the trash"),
))]
pub async fn remove_release(editor: Editor, PathId(id): PathId<ReleaseId>) -> AppResult<StatusCode> {
    trash::delete_one(&editor, TrashKind::Release, id.0).await
}

async fn stored(app: &App, tx: &mut Tx, id: ReleaseId) -> AppResult<EditableRelease> {
    let row = tx.query(FIND).bind(id).optional::<EditableRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(row.into_view(&app.keys)?)
}

/// A release as its versions store it: with its artist even if that one is in the trash, and therefore not shown.
async fn version_of(tx: &mut Tx, shown: &EditableRelease) -> sqlx::Result<EditableRelease> {
    let artist_id = tx.query(ARTIST_OF).bind(shown.id).value::<Option<ArtistId>>().await?;
    Ok(EditableRelease { artist_id, ..shown.clone() })
}

fn state_after(
    present: Option<(ReleaseState, Option<Micros>)>,
    form: &ReleaseForm,
    now: Micros,
) -> (ReleaseState, Option<Micros>) {
    let ms = |at: Micros| at / 1000;
    let present = present.map(|(state, at)| (state, at.map(ms)));
    let wanted = form.goes_out_at.as_deref().and_then(|at| goes_out(at).ok());
    let (state, at) = next_state(present, form.publish, wanted, ms(now));
    (state, at.map(|ms| ms * 1000))
}

/// Binds `$2` to `$17` of every statement that writes a release: its content.
pub(crate) fn bind_content<'c>(
    query: Query<'c>,
    form: &ReleaseForm,
    artist_id: Option<ArtistId>,
) -> Query<'c> {
    query
        .bind(&form.title)
        .bind(rules::sort_key::sort_key(&form.title))
        .bind(artist_id)
        .bind(form.catalog.as_deref())
        .bind(stored_date(form))
        .bind(form.description.as_deref())
        .bind(form.cover_image_url.as_deref())
        .bind(form.spotify_url.as_deref())
        .bind(form.soundcloud_url.as_deref())
        .bind(form.apple_music_url.as_deref())
        .bind(form.youtube_url.as_deref())
        .bind(form.bandcamp_url.as_deref())
        .bind(form.featured)
        .bind(form.format.as_deref())
        .bind(json!(form.tracks).to_string())
        .bind(json!(form.credits).to_string())
}

/// The date of a checked release. Drafts made from demos have none, nor have rows older than the rule.
pub(crate) fn stored_date(form: &ReleaseForm) -> Option<&str> {
    Some(form.release_date.as_str()).filter(|date| !date.is_empty())
}

fn checked(origin: &Origin, form: ReleaseForm) -> AppResult<ReleaseForm> {
    let mut form = check_release(form).map_err(AppError::validation)?;
    uses::make_path(origin, &mut form.cover_image_url);
    Ok(form)
}

async fn known_artist(tx: &mut Tx, form: &ReleaseForm) -> AppResult<Option<ArtistId>> {
    let Some(chosen) = form.artist_id.as_deref() else { return Ok(None) };
    let unknown = || AppError::invalid("artist_id", ReleaseError::ArtistUnknown);
    let id = extract::id(chosen).ok_or_else(unknown)?;
    tx.query(ARTIST).bind(id).maybe().await?.map(Some).ok_or_else(unknown)
}
