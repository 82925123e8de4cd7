//! From a demo to a release: a draft with its artist, its title and the next catalogue number.

use axum::Json;
use deadwax_http::{error::AppResult, extract::PathId};
use http::StatusCode;
use rules::demo_desk::{draft_artist, draft_title};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::view;
use crate::{app::AppState, auth::guard::Admin, caller::Caller, catalogue::drafts};

/// A draft that was made of a demo.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DraftedRelease {
    /// The release's id.
    pub release_id: Uuid,
    /// Its catalogue number; null where none counts.
    pub catalog: Option<String>,
}

/// Makes a draft of a release: the artist is found by name or made, and the title is the name of the file.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/release", tag = "admin", params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 201, description = "The draft", body = DraftedRelease),
    (status = 404, description = "There is no such demo"),
))]
pub async fn draft_release(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<(StatusCode, Json<DraftedRelease>)> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    view::require(&mut tx, id).await?;
    let demo = view::find(&mut tx, me.user_id, id).await?;
    let (artist, title) = (draft_artist(&demo.artist_name), draft_title(&demo.original_name));
    let release = drafts::add(&app, &mut tx, (&me, &caller), artist, title, now).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(DraftedRelease { release_id: release.id, catalog: release.catalog })))
}
