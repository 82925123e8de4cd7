//! The products of the store, managed by admins; visitors see a placeholder.

use axum::{Json, response::Response};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, ApiQuery, PathId},
};
use deadwax_store::{
    columns::Timestamp,
    db::{Query, Tx},
    statements,
};
use http::StatusCode;
use rules::product::{Product, ProductRequest, check_product_request};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::Admin,
    editing::lists::{ListPage, ListQuery, orders},
    editing::search_keys,
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
        concat!(
            "SELECT p.id, p.title, p.description, p.price_cents, p.image_url, p.stock_quantity, p.category, p.featured, p.active, \
                 p.created_at, p.updated_at, p.version, '/media/' || o.small_key AS image_small_url, o.sizes AS image_sizes",
            $more,
            " FROM store_products p LEFT JOIN objects o ON o.key = substr(p.image_url, 8)"
        )
    };
}

deadwax_store::names! {
    /// Filters of the list of products.
    ProductState;
    Active = "active";
    Inactive = "inactive";
    Featured = "featured";
}

orders! {
    /// The orders of the list of products.
    ProductOrder: select select,
        found "p.deleted_at IS NULL AND (p.sort_key LIKE $1 ESCAPE '\\' OR p.search_key LIKE $2 ESCAPE '\\') \
            AND ($3 = '' OR ($3 = 'active' AND p.active) OR ($3 = 'inactive' AND NOT p.active) OR ($3 = 'featured' AND p.featured))",
        count "SELECT COUNT(*) FROM store_products p", id "p.id", binds [search.key, search.folded, state] then "$4" "$5" "$6";
    newest Newest = "-created", number "p.created_at" down;
    oldest Oldest = "created", number "p.created_at" up;
    by_title ByTitle = "title", text "p.sort_key" up;
    by_title_back ByTitleBack = "-title", text "p.sort_key" down;
    by_price ByPrice = "price", number "p.price_cents" up;
    by_price_back ByPriceBack = "-price", number "p.price_cents" down;
    by_stock ByStock = "stock", number "p.stock_quantity" up;
    by_stock_back ByStockBack = "-stock", number "p.stock_quantity" down;
    by_change ByChange = "-changed", number "p.updated_at" down;
}

statements! {
    and orders;
    FIND = concat!(select!(), " WHERE p.id = $1 AND p.deleted_at IS NULL");
    VERSION = "SELECT version FROM store_products WHERE id = $1 AND deleted_at IS NULL";
    INSERT = "INSERT INTO store_products (id, title, sort_key, search_key, description, price_cents, image_url, stock_quantity, \
            category, featured, active, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";
    UPDATE = "UPDATE store_products SET title = $2, sort_key = $3, search_key = $4, description = $5, price_cents = $6, \
            image_url = $7, stock_quantity = $8, category = $9, featured = $10, active = $11, updated_at = $12, version = version + 1 \
        WHERE id = $1 AND version = $13 AND deleted_at IS NULL";
    SWITCH = "UPDATE store_products SET active = $2, updated_at = $3, version = version + 1 \
        WHERE id = $1 AND active <> $2 AND deleted_at IS NULL";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_products, add_product)).routes(routes!(
        show_product,
        change_product,
        switch_product,
        remove_product
    ))
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ProductView {
    pub id: Uuid,
    pub title: String,
    pub description: Option<String>,
    /// A number with two decimals at most, without a currency.
    #[sqlx(rename = "price_cents")]
    #[schema(value_type = f64)]
    pub price: Price,
    pub image_url: Option<String>,
    /// The picture at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The picture in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// Whole pieces.
    pub stock_quantity: i64,
    /// Free text, such as Vinyl, Merch or Digital.
    pub category: Option<String>,
    /// Marked for attention.
    pub featured: bool,
    /// On sale.
    pub active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The version to send in `If-Match` with the next edit.
    pub version: i64,
}

versioned!(ProductView: Product, |row| row.id, "product" row.id);

/// A switch.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActiveBody {
    /// Whether it is on sale.
    active: bool,
}

/// Cents in a row, a number with two decimals in an answer.
#[derive(Debug, Clone, Copy, sqlx_macros::Type)]
#[sqlx(transparent)]
pub struct Price(i64);

impl Serialize for Price {
    #[expect(clippy::cast_precision_loss, reason = "at most 99,999,900 cents")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

/// The products, newest first by default.
#[utoipa::path(get, path = "/api/admin/products", tag = "admin", params(ListQuery<ProductOrder, ProductState>), responses(
    (status = 200, description = "A page of products", body = ListPage<ProductView>),
))]
pub async fn list_products(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<ProductOrder, ProductState>>,
) -> AppResult<Json<ListPage<ProductView>>> {
    query.page(&app.db).await.map(Json)
}

/// One product.
#[utoipa::path(get, path = "/api/admin/products/{id}", tag = "admin", params(PathId), responses(
    (status = 200, description = "The product", body = ProductView),
))]
pub async fn show_product(app: AppState, _: Admin, PathId(id): PathId) -> AppResult<Json<ProductView>> {
    let product = app.db.query(FIND).bind(id).optional().await?;
    product.map(Json).ok_or_else(AppError::not_found)
}

/// Adds a product.
#[utoipa::path(post, path = "/api/admin/products", tag = "admin", request_body = ProductRequest, params(IdempotencyKey), responses(
    (status = 201, description = "The new product", body = ProductView),
))]
pub async fn add_product(
    editor: Editor,
    RepeatableJson { body, request }: RepeatableJson<ProductRequest>,
) -> AppResult<Response> {
    let form = checked(&editor.app.origin, body)?;
    let by = editor.act();
    let id = Uuid::now_v7();
    let (mut tx, claim) = match by.begin(Some(&request)).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    bind_form(tx.query(INSERT).bind(id), &form).bind(by.now).execute().await?;
    uses::require(&mut tx, &editor.app.origin, "image_url", form.image_url.as_deref()).await?;
    let stored = stored(&mut tx, id).await?;
    by.saved(&mut tx, None, &stored).await?;
    idempotency::finish(tx, claim, &editor.app.keys, &stored).await
}

/// Changes a product.
#[utoipa::path(put, path = "/api/admin/products/{id}", tag = "admin", request_body = ProductRequest, params(PathId, IfMatch), responses(
    (status = 200, description = "The product as it is now", body = ProductView),
))]
pub async fn change_product(
    editor: Editor,
    PathId(id): PathId,
    IfMatch(seen): IfMatch,
    ApiJson(form): ApiJson<ProductRequest>,
) -> AppResult<Json<ProductView>> {
    save(&editor, id, seen, form).await.map(Json)
}

pub(crate) async fn save(
    editor: &Editor,
    id: Uuid,
    seen: i64,
    form: ProductRequest,
) -> AppResult<ProductView> {
    let form = checked(&editor.app.origin, form)?;
    let by = editor.act();
    let mut tx = editor.app.db.begin().await?;
    let before = stored(&mut tx, id).await?;
    let picture = uses::require(&mut tx, &editor.app.origin, "image_url", form.image_url.as_deref()).await;
    if bind_form(tx.query(UPDATE).bind(id), &form).bind(by.now).bind(seen).execute().await? == 0 {
        return Err(editing::not_updated(tx.query(VERSION).bind(id).exists().await?));
    }
    picture?;
    let stored = stored(&mut tx, id).await?;
    by.saved(&mut tx, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(stored)
}

/// Switches a product between active and inactive. Sending the same twice changes nothing.
#[utoipa::path(patch, path = "/api/admin/products/{id}", tag = "admin", request_body = ActiveBody, params(PathId), responses(
    (status = 200, description = "The product as it is now", body = ProductView),
))]
pub async fn switch_product(
    editor: Editor,
    PathId(id): PathId,
    ApiJson(body): ApiJson<ActiveBody>,
) -> AppResult<Json<ProductView>> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let before = stored(&mut tx, id).await?;
    tx.query(SWITCH).bind(id).bind(body.active).bind(by.now).execute().await?;
    let stored = stored(&mut tx, id).await?;
    by.saved(&mut tx, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(Json(stored))
}

/// Moves a product to the trash.
#[utoipa::path(delete, path = "/api/admin/products/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Moved to the trash"),
))]
pub async fn remove_product(editor: Editor, PathId(id): PathId) -> AppResult<StatusCode> {
    trash::delete_one(&editor, TrashKind::Product, id).await
}

async fn stored(tx: &mut Tx, id: Uuid) -> AppResult<ProductView> {
    tx.query(FIND).bind(id).optional().await?.ok_or_else(AppError::not_found)
}

/// Binds `$2` to `$11` of `INSERT` and `UPDATE`, which name the columns in the same order.
fn bind_form<'c>(query: Query<'c>, form: &Product) -> Query<'c> {
    query
        .bind(&form.title)
        .bind(rules::sort_key::sort_key(&form.title))
        .bind(search_keys::of_product(&form.title, form.category.as_deref()))
        .bind(form.description.as_deref())
        .bind(i64::from(form.price.cents()))
        .bind(form.image_url.as_deref())
        .bind(i64::from(form.stock_quantity))
        .bind(form.category.as_deref())
        .bind(form.featured)
        .bind(form.active)
}

fn checked(origin: &Origin, request: ProductRequest) -> AppResult<Product> {
    let mut product = check_product_request(request).map_err(AppError::validation)?;
    uses::make_path(origin, &mut product.image_url);
    Ok(product)
}
