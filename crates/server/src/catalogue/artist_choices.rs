//! The artists that a release can name.

use axum::Json;
use deadwax_http::{
    error::AppResult,
    extract::{ApiQuery, Cursor, cut_to, page_limit},
};
use deadwax_store::statements;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::AppState,
    auth::guard::Admin,
    lists::{Page, Search},
};

statements! {
    SELECTION = "SELECT id, name, sort_key FROM artists \
        WHERE deleted_at IS NULL AND sort_key LIKE $2 ESCAPE '\\' AND sort_key >= $3 AND (sort_key > $3 OR id > $4) \
        ORDER BY sort_key, id LIMIT $1";
}

/// An artist to choose.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct ArtistChoice {
    /// The artist's id.
    pub id: Uuid,
    /// The name.
    pub name: String,
    #[serde(skip)]
    sort_key: String,
}

/// The position in the list, the length of the page, and the search text.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChoicesQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    limit: Option<i64>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    /// Only rows whose name contains this, whatever its case and accents.
    #[param(max_length = 200)]
    q: Option<String>,
}

/// The artists that a release can name, alphabetical.
#[utoipa::path(get, path = "/api/admin/artist-choices", tag = "admin", params(ChoicesQuery), responses(
    (status = 200, description = "A page of artists", body = Page<ArtistChoice>),
))]
pub async fn list_artist_choices(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ChoicesQuery>,
) -> AppResult<Json<Page<ArtistChoice>>> {
    let limit = page_limit(query.limit)?;
    let (after, after_id) = match &query.cursor {
        None => (String::new(), Uuid::nil()),
        Some(text) => {
            let mut cursor = Cursor::decode(text, 1)?;
            (cursor.columns.remove(0), cursor.id)
        }
    };
    let pattern = Search::of(query.q.as_deref())?.key;
    let mut items = app
        .db
        .query(SELECTION)
        .bind(limit + 1)
        .bind(pattern)
        .bind(after)
        .bind(after_id)
        .all::<ArtistChoice>()
        .await?;
    let has_more = cut_to(&mut items, limit);
    let last = items.last().filter(|_| has_more);
    let next_cursor = last.map(|row| Cursor { columns: vec![row.sort_key.clone()], id: row.id }.encode());
    Ok(Json(Page { items, next_cursor }))
}
