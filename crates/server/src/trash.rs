//! The trash: deleted rows, visible to admins until restored or purged. A library file takes its places on the pages along, and gets them
//! back.

use axum::{
    Json,
    extract::Path,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery},
};
use deadwax_store::{
    columns::{Named as _, Timestamp},
    db::Tx,
    ids::ArtistId,
    statements,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use self::kinds::TrashKind;
use crate::{
    app::AppState,
    auth::guard::Admin,
    catalogue::publication,
    editing::Editor,
    editing::{
        lists::{ListPage, Search},
        newest::Newest,
    },
    files::hero,
    files::picture::PictureSizes,
};

pub mod kinds;
pub mod moves;

pub const MOVED_MAX: usize = rules::listing::PAGE_MAX as usize;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_trash, move_several))
        .routes(routes!(count_trash))
        .routes(routes!(restore_several))
        .routes(routes!(restore_one))
        .routes(routes!(purge_one))
}

statements! {
    and kinds, moves;
}

/// Rows to be moved to the trash, or out of it, together.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrashBody {
    #[serde(deserialize_with = "kinds::by_name")]
    kind: TrashKind,
    /// Which: 1 to 100.
    #[schema(min_items = 1, max_items = 100)]
    ids: Vec<Uuid>,
}

/// The rows moved to the trash.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Trashed {
    /// The rows that are in the trash now and were not before; what was gone already is not among them.
    pub ids: Vec<Uuid>,
}

/// The restored rows.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Restored {
    /// The rows that were in the trash and are not any more.
    pub ids: Vec<Uuid>,
    /// Those of them that are drafts now: scheduled releases whose instant came while they were in the trash.
    pub drafts: Vec<Uuid>,
}

impl TrashBody {
    fn ids(&self) -> AppResult<&[Uuid]> {
        let is_bounded = (1..=MOVED_MAX).contains(&self.ids.len());
        is_bounded
            .then_some(self.ids.as_slice())
            .ok_or_else(|| AppError::invalid("ids", rules::messages::Code::InvalidBody))
    }
}

/// Moves a row to the trash with an audit entry. 404 if it does not exist, so that a second click changes nothing.
pub async fn delete_one(editor: &Editor, kind: TrashKind, id: Uuid) -> AppResult<StatusCode> {
    let moved = delete_all(editor, kind, &[id]).await?;
    if moved.is_empty() { Err(AppError::not_found()) } else { Ok(StatusCode::NO_CONTENT) }
}

/// Begins a transaction over rows, which it sorts, so that two requests for the same rows cannot deadlock.
async fn begin(editor: &Editor, kind: TrashKind, ids: &[Uuid]) -> AppResult<(Tx, Vec<Uuid>)> {
    let mut tx = editor.app.db.begin().await?;
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    if kind == TrashKind::Artist {
        publication::lock_releases(&mut tx, ids.iter().copied().map(ArtistId)).await?;
    }
    Ok((tx, ids))
}

async fn delete_all(editor: &Editor, kind: TrashKind, ids: &[Uuid]) -> AppResult<Vec<Uuid>> {
    let by = editor.act();
    let db = &by.app.db;
    let background = hero::before_deletion(db, &by.app.storage, kind, ids, by.now).await?;
    let (mut tx, ids) = begin(editor, kind, ids).await?;
    let mut moved = Vec::new();
    for id in ids {
        if moves::delete(&mut tx, by.mover(), kind, id).await? {
            by.check_and_record(&mut tx, kind.deleted(), &kind.target(id)).await?;
            moved.push(id);
        }
    }
    let is_recorded = match &background {
        Some(files) => files.record(&mut tx, by.now).await.map_err(AppError::internal)?,
        None => false,
    };
    if moved.is_empty() {
        // Ended here: on SQLite it holds the only writing connection, which the background needs.
        drop(tx);
    } else {
        tx.commit().await?;
    }
    if let Some(files) = background.filter(|_| !is_recorded || moved.is_empty()) {
        files.abandon(db, by.now).await;
    }
    Ok(moved)
}

async fn restore_all(editor: &Editor, kind: TrashKind, ids: &[Uuid]) -> AppResult<Restored> {
    let by = editor.act();
    let (mut tx, ids) = begin(editor, kind, ids).await?;
    let mut restored = Restored::default();
    for id in ids {
        if moves::restore(&mut tx, by.mover(), kind, id).await? {
            if kind == TrashKind::Release && moves::make_late_draft(&mut tx, id, by.now).await? {
                restored.drafts.push(id);
            }
            by.check_and_record(&mut tx, "data_restore", &kind.target(id)).await?;
            restored.ids.push(id);
        }
    }
    if !restored.ids.is_empty() {
        tx.commit().await?;
    }
    Ok(restored)
}

/// Moves several rows of a kind to the trash, all or nothing; what is gone already is left out.
#[utoipa::path(post, path = "/api/admin/trash", tag = "admin", request_body = TrashBody, responses(
    (status = 200, description = "What was moved", body = Trashed),
))]
pub async fn move_several(editor: Editor, ApiJson(body): ApiJson<TrashBody>) -> AppResult<Json<Trashed>> {
    let ids = delete_all(&editor, body.kind, body.ids()?).await?;
    Ok(Json(Trashed { ids }))
}

/// Takes several rows of a kind out of the trash, all or nothing; what is not in it (any more) is left out.
#[utoipa::path(post, path = "/api/admin/trash/restore", tag = "admin", request_body = TrashBody, responses(
    (status = 200, description = "What was restored", body = Restored),
))]
pub async fn restore_several(editor: Editor, ApiJson(body): ApiJson<TrashBody>) -> AppResult<Json<Restored>> {
    restore_all(&editor, body.kind, body.ids()?).await.map(Json)
}

/// Takes a row out of the trash: it is where it was, with its files and its places on the pages. A scheduled release whose instant has
/// come is a draft.
#[utoipa::path(post, path = "/api/admin/trash/{kind}/{id}/restore", tag = "admin", params(
    ("kind" = TrashKind, Path, description = "What it is"),
    ("id" = Uuid, Path, description = "The row's id"),
), responses(
    (status = 204, description = "Restored"),
    (status = 200, description = "Restored as a draft: its instant came while it was in the trash", body = Restored),
))]
pub async fn restore_one(editor: Editor, Path((kind, id)): Path<(String, String)>) -> AppResult<Response> {
    let (kind, id) = named(&kind, &id)?;
    let restored = restore_all(&editor, kind, &[id]).await?;
    if restored.ids.is_empty() {
        return Err(AppError::not_found());
    }
    Ok(if restored.drafts.is_empty() {
        StatusCode::NO_CONTENT.into_response()
    } else {
        Json(restored).into_response()
    })
}

/// Removes a row of the trash for good, with the files that nothing else shows.
#[utoipa::path(delete, path = "/api/admin/trash/{kind}/{id}", tag = "admin", params(
    ("kind" = TrashKind, Path, description = "What it is"),
    ("id" = Uuid, Path, description = "The row's id"),
), responses(
    (status = 204, description = "Gone for good"),
))]
pub async fn purge_one(editor: Editor, Path((kind, id)): Path<(String, String)>) -> AppResult<StatusCode> {
    let (kind, id) = named(&kind, &id)?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    if !moves::purge(&mut tx, &by.app.origin, kind, id, by.now).await? {
        return Err(AppError::not_found());
    }
    by.check_and_record(&mut tx, "data_purge", &kind.target(id)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn named(kind: &str, id: &str) -> AppResult<(TrashKind, Uuid)> {
    TrashKind::named(kind).zip(deadwax_http::extract::id(id)).ok_or_else(AppError::not_found)
}

/// Which part of the trash, where in it, and what to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TrashQuery {
    #[param(inline)]
    pub kind: TrashKind,
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only rows whose name contains this, whatever its case and accents.
    #[param(max_length = 200)]
    pub q: Option<String>,
}

/// A row of the trash.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct TrashItem {
    pub kind: TrashKind,
    pub id: Uuid,
    pub name: String,
    pub image_url: Option<String>,
    /// The picture at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    pub deleted_at: Timestamp,
    /// The account that deleted it; null if that no longer exists.
    pub deleted_by: Option<String>,
    /// When it goes by itself.
    #[sqlx(skip)]
    pub gone_at: Timestamp,
}

/// How much is in the trash.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct TrashCounts {
    pub artist: i64,
    pub release: i64,
    pub product: i64,
    /// Files of the library; one that went with a site image counts there.
    pub media: i64,
    pub site_image: i64,
    pub demo: i64,
}

/// The deleted rows of a kind, the newest deletion first.
#[utoipa::path(get, path = "/api/admin/trash", tag = "admin", params(TrashQuery), responses(
    (status = 200, description = "A page of the trash", body = ListPage<TrashItem>),
))]
pub async fn list_trash(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<TrashQuery>,
) -> AppResult<Json<ListPage<TrashItem>>> {
    let TrashQuery { kind, limit, cursor, q } = query;
    let (search, place) = (Search::of(q.as_deref())?, Newest::read(limit, cursor.as_deref())?);
    let (table, gone) = (kind.table(), kind.gone_before(app.clock.now()));
    let pattern = if table.keeps_punctuation { &search.folded } else { &search.key };
    let total = app.db.query(table.count).bind(pattern).bind(gone).value::<i64>().await?;
    let rows = app.db.query(table.list).bind(pattern).bind(gone);
    let mut page = place.page(rows, |row: &TrashItem| (row.deleted_at.0, row.id)).await?;
    for item in &mut page.items {
        item.gone_at = Timestamp(item.deleted_at.0 + kind.kept());
    }
    Ok(Json(ListPage { items: page.items, next_cursor: page.next_cursor, total }))
}

/// How much is in the trash, of each kind.
#[utoipa::path(get, path = "/api/admin/trash/counts", tag = "admin", responses(
    (status = 200, description = "How many rows of each kind", body = TrashCounts),
))]
pub async fn count_trash(app: AppState, _: Admin) -> AppResult<Json<TrashCounts>> {
    let now = app.clock.now();
    let mut counts = TrashCounts::default();
    for &kind in TrashKind::ALL {
        let count =
            app.db.query(kind.table().count).bind("%").bind(kind.gone_before(now)).value::<i64>().await?;
        *match kind {
            TrashKind::Artist => &mut counts.artist,
            TrashKind::Release => &mut counts.release,
            TrashKind::Product => &mut counts.product,
            TrashKind::Media => &mut counts.media,
            TrashKind::SiteImage => &mut counts.site_image,
            TrashKind::Demo => &mut counts.demo,
        } = count;
    }
    Ok(Json(counts))
}
