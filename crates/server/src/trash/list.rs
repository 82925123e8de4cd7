//! The trash as admins see it: what was deleted of a kind, the newest deletion first, and how much there is of each kind.

use axum::Json;
use deadwax_http::{error::AppResult, extract::ApiQuery};
use deadwax_store::{
    clock::{Micros, rfc3339},
    objects,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::kinds::TrashKind;
use crate::{app::AppState, auth::guard::Admin, edits::SearchQuery, picture::PictureSizes};

/// Which part of the trash, where in it, and what to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TrashQuery {
    /// What was deleted.
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

#[derive(sqlx::FromRow)]
struct TrashRow {
    id: Uuid,
    name: String,
    image_url: Option<String>,
    deleted_at: Micros,
    deleted_by: Option<String>,
    small_key: Option<String>,
    sizes: Option<String>,
}

/// A row of the trash.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TrashItem {
    /// What it is.
    pub kind: TrashKind,
    /// The row's id.
    pub id: Uuid,
    /// What it is called.
    pub name: String,
    /// Its picture.
    pub image_url: Option<String>,
    /// The picture at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// When it was deleted.
    pub deleted_at: String,
    /// Who deleted it; null where the account is gone.
    pub deleted_by: Option<String>,
    /// When it goes by itself.
    pub gone_at: String,
}

/// One page of the trash.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TrashPage {
    /// What was deleted, the newest deletion first.
    pub items: Vec<TrashItem>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
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

impl TrashRow {
    fn into_view(self, kind: TrashKind) -> TrashItem {
        TrashItem {
            kind,
            id: self.id,
            name: self.name,
            image_url: self.image_url,
            image_small_url: self.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(self.sizes.as_deref()),
            deleted_at: rfc3339(self.deleted_at),
            deleted_by: self.deleted_by,
            gone_at: rfc3339(self.deleted_at + kind.kept()),
        }
    }
}

/// What was deleted of a kind, the newest deletion first.
#[utoipa::path(get, path = "/api/admin/trash", tag = "admin", params(TrashQuery), responses(
    (status = 200, description = "A page of the trash", body = TrashPage),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_trash(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<TrashQuery>,
) -> AppResult<Json<TrashPage>> {
    let TrashQuery { kind, limit, cursor, q } = query;
    let search = SearchQuery { limit, cursor, q }.read()?;
    let (table, gone) = (kind.table(), kind.gone_before(app.clock.now()));
    let pattern = if table.keeps_punctuation { &search.folded } else { &search.pattern };
    let (total,) = app.db.query(table.count).bind(pattern).bind(gone).one::<(i64,)>().await?;
    let mut rows = app
        .db
        .query(table.list)
        .bind(search.rows())
        .bind(pattern)
        .bind(search.before)
        .bind(search.before_id)
        .bind(gone)
        .all::<TrashRow>()
        .await?;
    let next_cursor = search.cut(&mut rows, |row| (row.deleted_at, row.id));
    let items = rows.into_iter().map(|row| row.into_view(kind)).collect();
    Ok(Json(TrashPage { items, next_cursor, total }))
}

/// How much is in the trash, of each kind.
#[utoipa::path(get, path = "/api/admin/trash/counts", tag = "admin", responses(
    (status = 200, description = "How many rows of each kind", body = TrashCounts),
))]
pub async fn count_trash(app: AppState, _: Admin) -> AppResult<Json<TrashCounts>> {
    let now = app.clock.now();
    let mut counts = TrashCounts::default();
    for kind in TrashKind::ALL {
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
