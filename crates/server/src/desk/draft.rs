//! From a demo to a release: a draft with its artist, its title and the next catalogue number, made once.

use axum::Json;
use deadwax_http::{error::AppResult, extract::PathId};
use deadwax_store::{
    db::{Db, Tx},
    statements,
};
use http::StatusCode;
use rules::demo_desk::{draft_artist, draft_title};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::view;
use crate::{app::AppState, auth::guard::Admin, caller::Caller, catalogue::drafts};

statements! {
    // In the trash it is still the demo's draft, and comes back from there.
    MADE = "SELECT r.id AS release_id, r.catalog FROM demos d JOIN releases r ON r.id = d.release_id WHERE d.id = $1";
    // Of an archive, the album of its first track.
    TAGGED = "SELECT (SELECT s.title FROM demo_sounds s WHERE s.demo_id = d.id AND s.track = 0), \
            (SELECT s.album FROM demo_sounds s WHERE s.demo_id = d.id AND s.track = 1) \
        FROM demos d WHERE d.id = $1";
    REMEMBER = "UPDATE demos SET release_id = $2 WHERE id = $1";
}

/// A draft that was made of a demo.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx::FromRow)]
pub struct DraftedRelease {
    /// The release's id.
    pub release_id: Uuid,
    /// Its catalogue number; null where none counts.
    pub catalog: Option<String>,
}

/// Makes a draft of a release: the artist is found by name or made, and the title is what the file's tags say, else its name. Asked
/// again it answers the one that was made.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/release", tag = "admin", params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 200, description = "The draft that was made of it before", body = DraftedRelease),
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
    view::lock(&mut tx, id).await?;
    if let Some(made) = tx.query(MADE).bind(id).optional::<DraftedRelease>().await? {
        return Ok((StatusCode::OK, Json(made)));
    }
    let demo = view::find(&mut tx, me.user_id, id).await?;
    let artist = draft_artist(&demo.artist_name);
    let title = tagged(&mut tx, id).await?.unwrap_or_else(|| draft_title(&demo.original_name));
    let release = drafts::add(&app, &mut tx, (&me, &caller), artist, title, now).await?;
    tx.query(REMEMBER).bind(id).bind(release.id).execute().await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(DraftedRelease { release_id: release.id, catalog: release.catalog })))
}

/// The draft that was made of a demo; none before, and once that is gone for good.
pub(super) async fn made(db: &Db, demo: Uuid) -> sqlx::Result<Option<DraftedRelease>> {
    db.query(MADE).bind(demo).optional().await
}

/// What the tags of a demo call it; none where they say nothing, or it is not measured yet.
async fn tagged(tx: &mut Tx, demo: Uuid) -> sqlx::Result<Option<String>> {
    let (title, album) = tx.query(TAGGED).bind(demo).one::<(Option<String>, Option<String>)>().await?;
    Ok(title.or(album))
}
