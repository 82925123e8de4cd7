//! The trash in the back office: the rows of a kind, and how many there are of each.

use axum::Json;
use deadwax_http::{error::AppResult, extract::ApiQuery};
use deadwax_store::columns::{Named as _, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::kinds::TrashKind;
use crate::{
    app::AppState,
    auth::guard::Admin,
    lists::{ListPage, Newest, Search},
    picture::PictureSizes,
};

/// Which part of the trash, where in it, and what to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TrashQuery {
    /// The kind of rows.
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
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct TrashItem {
    /// The kind of row.
    pub kind: TrashKind,
    /// The row's id.
    pub id: Uuid,
    /// The title.
    pub name: String,
    /// Its picture.
    pub image_url: Option<String>,
    /// The picture at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// When it was deleted.
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
    /// Artists.
    pub artist: i64,
    /// Releases.
    pub release: i64,
    /// Products.
    pub product: i64,
    /// Files of the library; one that went with a site image counts there.
    pub media: i64,
    /// Site images.
    pub site_image: i64,
    /// Demos.
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
    let (total,) = app.db.query(table.count).bind(pattern).bind(gone).one::<(i64,)>().await?;
    let mut items = app
        .db
        .query(table.list)
        .bind(place.rows())
        .bind(pattern)
        .bind(place.before)
        .bind(place.before_id)
        .bind(gone)
        .all::<TrashItem>()
        .await?;
    let next_cursor = place.cut(&mut items, |row| (row.deleted_at.0, row.id));
    for item in &mut items {
        item.gone_at = Timestamp(item.deleted_at.0 + kind.kept());
    }
    Ok(Json(ListPage { items, next_cursor, total }))
}

/// How much is in the trash, of each kind.
#[utoipa::path(get, path = "/api/admin/trash/counts", tag = "admin", responses(
    (status = 200, description = "How many rows of each kind", body = TrashCounts),
))]
pub async fn count_trash(app: AppState, _: Admin) -> AppResult<Json<TrashCounts>> {
    let now = app.clock.now();
    let mut counts = TrashCounts::default();
    for &kind in TrashKind::ALL {
        let (count,) =
            app.db.query(kind.table().count).bind("%").bind(kind.gone_before(now)).one::<(i64,)>().await?;
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
