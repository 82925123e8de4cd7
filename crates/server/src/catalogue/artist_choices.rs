//! The artists that a release can name.

use axum::Json;
use deadwax_http::{
    error::AppResult,
    extract::{ApiQuery, Cursor, cut_to, page_limit},
};
use deadwax_store::statements;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::AppState, auth::guard::Admin, edits::SearchQuery};

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

/// One page of the artists to choose from.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ArtistChoices {
    /// The artists, alphabetical.
    pub items: Vec<ArtistChoice>,
    /// Ask for the next page with this; null on the last one.
    pub next_cursor: Option<String>,
}

/// The artists that a release can name, alphabetical.
#[utoipa::path(get, path = "/api/admin/artist-choices", tag = "admin", params(SearchQuery), responses(
    (status = 200, description = "A page of artists", body = ArtistChoices),
    (status = 422, description = "The query is not valid"),
))]
pub async fn list_artist_choices(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<SearchQuery>,
) -> AppResult<Json<ArtistChoices>> {
    let limit = page_limit(query.limit)?;
    let (after, after_id) = match &query.cursor {
        None => (String::new(), Uuid::nil()),
        Some(text) => {
            let mut cursor = Cursor::decode(text, 1)?;
            (cursor.columns.remove(0), cursor.id)
        }
    };
    let pattern = query.pattern()?;
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
    Ok(Json(ArtistChoices { items, next_cursor }))
}
