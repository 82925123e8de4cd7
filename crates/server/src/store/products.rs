//! Products: the list with the newest first, adding, changing, switching between active and inactive, and removing one.

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
use rules::product::{Product, ProductRequest, check_product_request};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits::{self, IfMatch},
    idempotency::{IdempotencyKey, RepeatableJson},
    library::uses,
    lists::{ListPage, ListQuery, orders, states},
    picture::PictureSizes,
    search_keys,
    trash::{self, kinds::TrashKind},
    versions::{self, VersionKind},
};

macro_rules! select {
    () => {
        select!("")
    };
    ($more:expr) => {
        concat!(
            "SELECT p.id, p.title, p.description, p.price_cents, p.image_url, p.stock_quantity, p.category, p.featured, p.active, \
                 p.created_at, p.updated_at, p.version, o.small_key, o.sizes",
            $more,
            " FROM store_products p LEFT JOIN objects o ON o.key = substr(p.image_url, 8)"
        )
    };
}

states! {
    /// What the list of products can be narrowed to.
    ProductState;
    /// On sale.
    Active = "active";
    /// Not on sale.
    Inactive = "inactive";
    /// Marked for attention.
    Featured = "featured";
}

orders! {
    /// The orders of the list of products.
    ProductOrder: select select,
        // What the list shows of a product: its title and its category.
        found "p.deleted_at IS NULL AND (p.sort_key LIKE $1 ESCAPE '\\' OR p.search_key LIKE $2 ESCAPE '\\') \
            AND ($3 = '' OR ($3 = 'active' AND p.active) OR ($3 = 'inactive' AND NOT p.active) OR ($3 = 'featured' AND p.featured))",
        count "SELECT COUNT(*) FROM store_products p", id "p.id", binds [Key, Folded, State] then "$4" "$5" "$6";
    /// The newest entry first.
    newest Newest = "-created", number "p.created_at" down;
    /// The oldest entry first.
    oldest Oldest = "created", number "p.created_at" up;
    /// By title.
    by_title ByTitle = "title", text "p.sort_key" up;
    /// By title, from the end of the alphabet.
    by_title_back ByTitleBack = "-title", text "p.sort_key" down;
    /// The cheapest first.
    by_price ByPrice = "price", number "p.price_cents" up;
    /// The most expensive first.
    by_price_back ByPriceBack = "-price", number "p.price_cents" down;
    /// The smallest stock first.
    by_stock ByStock = "stock", number "p.stock_quantity" up;
    /// The largest stock first.
    by_stock_back ByStockBack = "-stock", number "p.stock_quantity" down;
    /// The latest change first.
    by_change ByChange = "-changed", number "p.updated_at" down;
}

statements! {
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

/// Every SQL text of this module.
pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, &orders::statements()].concat()
}

#[derive(sqlx::FromRow)]
struct ProductRow {
    id: Uuid,
    title: String,
    description: Option<String>,
    price_cents: i64,
    image_url: Option<String>,
    stock_quantity: i64,
    category: Option<String>,
    featured: bool,
    active: bool,
    created_at: Micros,
    updated_at: Micros,
    version: i64,
    small_key: Option<String>,
    sizes: Option<String>,
}

/// A product.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ProductView {
    /// The product's id.
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// What there is to say.
    pub description: Option<String>,
    /// A number with two decimals at most, without a currency.
    pub price: f64,
    /// The picture.
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
    /// When it was entered.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// What the next edit names in `If-Match`.
    pub version: i64,
}

/// One page of the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Products {
    /// The products, in the order that was asked for.
    pub items: Vec<ProductView>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
    /// How many there are on all pages.
    pub total: i64,
}

/// What is sent to add or to change a product: all fields, as the form has them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body for the contract; the rules' own type is what is read")]
pub struct ProductBody {
    /// 1 to 200 characters, no markup.
    title: String,
    /// At most 1000 characters.
    description: Option<String>,
    /// 0 to 999999; further decimals than two are rounded half up.
    price: f64,
    /// Absolute http or https, or `/media/…` of this website.
    image_url: Option<String>,
    /// A whole number, not negative.
    stock_quantity: f64,
    /// At most 50 characters.
    category: Option<String>,
    /// False when absent.
    featured: Option<bool>,
    /// True when absent.
    active: Option<bool>,
}

/// A switch.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActiveBody {
    /// Whether it is on sale.
    active: bool,
}

impl ProductRow {
    #[expect(clippy::cast_precision_loss, reason = "at most 99,999,900 cents")]
    fn into_view(self) -> ProductView {
        ProductView {
            id: self.id,
            title: self.title,
            description: self.description,
            price: self.price_cents as f64 / 100.0,
            image_url: self.image_url,
            image_small_url: self.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(self.sizes.as_deref()),
            stock_quantity: self.stock_quantity,
            category: self.category,
            featured: self.featured,
            active: self.active,
            created_at: rfc3339(self.created_at),
            updated_at: rfc3339(self.updated_at),
            version: self.version,
        }
    }
}

/// The products, newest first unless another order is asked for.
#[utoipa::path(get, path = "/api/admin/products", tag = "admin", params(ListQuery<ProductOrder, ProductState>), responses(
    (status = 200, description = "A page of products", body = Products),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_products(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<ProductOrder, ProductState>>,
) -> AppResult<Json<Products>> {
    let ListPage { rows, next_cursor, total } = query.page::<ProductRow>(&app.db, &app.origin).await?;
    Ok(Json(Products { items: rows.into_iter().map(ProductRow::into_view).collect(), next_cursor, total }))
}

/// One product.
#[utoipa::path(get, path = "/api/admin/products/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The product's id")), responses(
    (status = 200, description = "The product", body = ProductView),
    (status = 404, description = "There is no such product"),
))]
pub async fn show_product(app: AppState, _: Admin, PathId(id): PathId) -> AppResult<Json<ProductView>> {
    let row = app.db.query(FIND).bind(id).optional::<ProductRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(Json(row.into_view()))
}

/// Adds a product.
#[utoipa::path(post, path = "/api/admin/products", tag = "admin", request_body = ProductBody, params(IdempotencyKey), responses(
    (status = 201, description = "The new product", body = ProductView),
))]
pub async fn add_product(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    RepeatableJson { body, request }: RepeatableJson<ProductRequest>,
) -> AppResult<Response> {
    let form = checked(body)?;
    let now = app.clock.now();
    let id = Uuid::now_v7();
    let mut tx = app.db.begin().await?;
    let claim = request.claim(&mut tx, &app.keys, &me.session_id.to_string(), now).await?;
    if let Some(answer) = claim.repeated() {
        return Ok(answer);
    }
    bind_form(tx.query(INSERT).bind(id), &form).bind(now).execute().await?;
    uses::require(&mut tx, &app.origin, "image_url", form.image_url.as_deref()).await?;
    edits::note(&mut tx, &me, &caller, "data_create", &format!("product:{id}"), now).await?;
    let stored = stored(&mut tx, id).await?;
    versions::keep(&mut tx, VersionKind::Product, me.user_id, now, None, &stored).await?;
    claim.created(tx, &app.keys, &stored).await
}

/// Changes a product.
#[utoipa::path(put, path = "/api/admin/products/{id}", tag = "admin", request_body = ProductBody, params(
    ("id" = Uuid, Path, description = "The product's id"),
    ("if-match" = String, Header, description = "The version that was edited, in quotes"),
), responses(
    (status = 200, description = "The product as it is now", body = ProductView),
    (status = 404, description = "There is no such product"),
    (status = 412, description = "Somebody else has changed it meanwhile"),
    (status = 428, description = "No version"),
))]
pub async fn change_product(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    IfMatch(seen): IfMatch,
    ApiJson(form): ApiJson<ProductRequest>,
) -> AppResult<Json<ProductView>> {
    save(&app, &me, &caller, id, seen, form).await.map(Json)
}

/// Saves a product onto the version that was `seen`.
pub(crate) async fn save(
    app: &AppState,
    me: &SignedIn,
    caller: &Caller,
    id: Uuid,
    seen: i64,
    form: ProductRequest,
) -> AppResult<ProductView> {
    let form = checked(form)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let before = stored(&mut tx, id).await?;
    if bind_form(tx.query(UPDATE).bind(id), &form).bind(now).bind(seen).execute().await? == 0 {
        return Err(edits::not_updated(tx.query(VERSION).bind(id).optional::<(i64,)>().await?.is_some()));
    }
    uses::require(&mut tx, &app.origin, "image_url", form.image_url.as_deref()).await?;
    edits::note(&mut tx, me, caller, "data_update", &format!("product:{id}"), now).await?;
    let stored = stored(&mut tx, id).await?;
    versions::keep(&mut tx, VersionKind::Product, me.user_id, now, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(stored)
}

/// Switches a product between active and inactive. Sending the same twice changes nothing.
#[utoipa::path(patch, path = "/api/admin/products/{id}", tag = "admin", request_body = ActiveBody, params(("id" = Uuid, Path, description = "The product's id")), responses(
    (status = 200, description = "The product as it is now", body = ProductView),
    (status = 404, description = "There is no such product"),
))]
pub async fn switch_product(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    ApiJson(body): ApiJson<ActiveBody>,
) -> AppResult<Json<ProductView>> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let before = stored(&mut tx, id).await?;
    if tx.query(SWITCH).bind(id).bind(body.active).bind(now).execute().await? > 0 {
        edits::note(&mut tx, &me, &caller, "data_update", &format!("product:{id}"), now).await?;
    }
    let stored = stored(&mut tx, id).await?;
    versions::keep(&mut tx, VersionKind::Product, me.user_id, now, Some(&before), &stored).await?;
    tx.commit().await?;
    Ok(Json(stored))
}

/// Moves a product to the trash.
#[utoipa::path(delete, path = "/api/admin/products/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The product's id")), responses(
    (status = 204, description = "Moved to the trash"),
    (status = 404, description = "There is no such product"),
))]
pub async fn remove_product(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    trash::delete_one(&app, &me, &caller, TrashKind::Product, id).await
}

/// The row as this transaction leaves it: what somebody else does after the commit is no part of the answer.
async fn stored(tx: &mut Tx, id: Uuid) -> AppResult<ProductView> {
    let row = tx.query(FIND).bind(id).optional::<ProductRow>().await?.ok_or_else(AppError::not_found)?;
    Ok(row.into_view())
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

fn checked(request: ProductRequest) -> AppResult<Product> {
    check_product_request(request).map_err(AppError::validation)
}
