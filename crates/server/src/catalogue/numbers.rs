//! Catalogue numbers: the next free one, duplicates and gaps.

use axum::Json;
use deadwax_http::error::AppResult;
use deadwax_store::{db::Tx, statements};
use rules::catalog_number::{self, CatalogNotices};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{app::AppState, auth::guard::Admin};

statements! {
    LIST = "SELECT catalog FROM releases WHERE catalog IS NOT NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC";
}

/// A number that several releases have.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RepeatedNumber {
    /// The number.
    pub catalog: String,
    /// How many have it.
    pub times: usize,
}

/// Numbers between others that no release has.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NumberGap {
    /// The first of them.
    pub first: String,
    /// The last of them; the first again, where it is alone.
    pub last: String,
    /// How many they are.
    pub count: u32,
}

/// The state of the catalogue's numbers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CatalogNumbers {
    /// The next free number; null where none counts.
    pub next: Option<String>,
    /// Numbers of several releases, the first 50.
    pub repeated: Vec<RepeatedNumber>,
    /// How many there are in all.
    pub repeated_total: usize,
    /// Numbers left out, the first 50 spans.
    pub gaps: Vec<NumberGap>,
    /// How many spans there are in all.
    pub gaps_total: usize,
}

impl From<CatalogNotices> for CatalogNumbers {
    fn from(told: CatalogNotices) -> Self {
        Self {
            next: told.next,
            repeated: told
                .repeated
                .into_iter()
                .map(|number| RepeatedNumber { catalog: number.catalog, times: number.times })
                .collect(),
            repeated_total: told.repeated_total,
            gaps: told
                .gaps
                .into_iter()
                .map(|gap| NumberGap { first: gap.first, last: gap.last, count: gap.count })
                .collect(),
            gaps_total: told.gaps_total,
        }
    }
}

pub(super) async fn next(tx: &mut Tx) -> sqlx::Result<Option<String>> {
    let numbers = tx.query(LIST).all::<(String,)>().await?;
    Ok(catalog_number::notices(numbers.iter().map(|(catalog,)| catalog)).next)
}

#[utoipa::path(get, path = "/api/admin/catalog-numbers", tag = "admin", responses(
    (status = 200, description = "The numbers", body = CatalogNumbers),
))]
pub async fn show_catalog_numbers(app: AppState, _: Admin) -> AppResult<Json<CatalogNumbers>> {
    let numbers = app.db.query(LIST).all::<(String,)>().await?;
    Ok(Json(catalog_number::notices(numbers.iter().map(|(catalog,)| catalog)).into()))
}
