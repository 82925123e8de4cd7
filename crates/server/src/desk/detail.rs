//! A demo with everything the desk knows about it, and the draft release made of it.

use axum::Json;
use deadwax_http::{error::AppResult, extract::PathId};
use deadwax_store::{
    columns::Timestamp,
    ids::{DemoId, ReleaseId},
    statements,
};
use http::StatusCode;
use rules::{
    demo_desk::{draft_artist, draft_title},
    demo_state::DemoState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    answers::{self, DemoAnswer},
    judgements::{self, DemoNote},
    view::{self, DeskDemo, DeskState},
};
use crate::{
    app::AppState,
    auth::guard::Admin,
    catalogue::drafts,
    demos::sounds::{self, SoundAnalysis, SoundDetails, SoundTrack},
    editing::Editor,
};

statements! {
    EARLIER = "SELECT e.id, e.original_name, e.submitted_at, e.state FROM demos d JOIN demos e ON LOWER(e.email) = LOWER(d.email) \
        WHERE d.id = $1 AND e.id <> d.id AND e.deleted_at IS NULL AND e.submitted_at <= d.submitted_at \
        ORDER BY e.submitted_at DESC, e.id DESC LIMIT 50";
    // In the trash it is still the demo's draft, and can come back.
    MADE = "SELECT r.id AS release_id, r.catalog FROM demos d JOIN releases r ON r.id = d.release_id WHERE d.id = $1";
    // The titles in its tags, if it is measured: for an archive, the album of its first track.
    TAGGED = "SELECT (SELECT s.title FROM demo_sounds s WHERE s.demo_id = d.id AND s.track = 0), \
            (SELECT s.album FROM demo_sounds s WHERE s.demo_id = d.id AND s.track = 1) \
        FROM demos d WHERE d.id = $1";
    REMEMBER = "UPDATE demos SET release_id = $2 WHERE id = $1";
}

/// An earlier demo of the same sender.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct EarlierDemo {
    pub id: DemoId,
    /// The name on the artist's disk.
    pub original_name: String,
    /// When it was complete.
    pub submitted_at: Timestamp,
    #[sqlx(flatten)]
    #[schema(value_type = DemoState)]
    pub state: DeskState,
}

/// A demo with everything the desk knows about it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskDemoDetail {
    #[serde(flatten)]
    pub demo: DeskDemo,
    /// The last 50 from the same address before it, newest first.
    pub earlier: Vec<EarlierDemo>,
    /// The notes of admins, oldest first.
    pub notes: Vec<DemoNote>,
    /// The label's answers, oldest first.
    pub answers: Vec<DemoAnswer>,
    /// The measurements; null for an archive, whose tracks have them.
    pub analysis: Option<SoundAnalysis>,
    /// The tracks of an archive, in the order of their names.
    pub tracks: Vec<SoundTrack>,
    /// The draft release made of it, even in the trash; null before, and once it is deleted for good.
    pub release: Option<DraftedRelease>,
}

/// One demo.
#[utoipa::path(get, path = "/api/admin/desk/demos/{id}", tag = "admin", params(PathId), responses(
    (status = 200, description = "The demo", body = DeskDemoDetail),
))]
pub async fn show_desk_demo(
    app: AppState,
    Admin(me): Admin,
    PathId(id): PathId<DemoId>,
) -> AppResult<Json<DeskDemoDetail>> {
    let demo = view::read(&app.db, me.user_id, id).await?;
    let SoundDetails { analysis, tracks } = sounds::details(&app.db, id).await?;
    Ok(Json(DeskDemoDetail {
        demo,
        earlier: app.db.query(EARLIER).bind(id).all().await?,
        notes: judgements::list_notes(&app.db, me.user_id, id).await?,
        answers: answers::list(&app.db, id, app.clock.now()).await?,
        analysis,
        tracks,
        release: app.db.query(MADE).bind(id).optional().await?,
    }))
}

/// A draft made of a demo.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct DraftedRelease {
    pub release_id: ReleaseId,
    /// Its catalogue number, if any.
    pub catalog: Option<String>,
}

/// Makes a draft release: the artist is found by name or created, and the title comes from the file's tags, else from
/// its name. A repeated request returns the draft made before.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/release", tag = "admin", params(PathId), responses(
    (status = 200, description = "The draft that was made of it before", body = DraftedRelease),
    (status = 201, description = "The draft", body = DraftedRelease),
))]
pub async fn draft_release(
    editor: Editor,
    PathId(id): PathId<DemoId>,
) -> AppResult<(StatusCode, Json<DraftedRelease>)> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    view::lock(&mut tx, id).await?;
    if let Some(made) = tx.query(MADE).bind(id).optional::<DraftedRelease>().await? {
        return Ok((StatusCode::OK, Json(made)));
    }
    let demo = view::read(&mut tx, by.me.user_id, id).await?;
    let artist = draft_artist(&demo.artist_name);
    let (title, album) = tx.query(TAGGED).bind(id).one::<(Option<String>, Option<String>)>().await?;
    let title = title.or(album).unwrap_or_else(|| draft_title(&demo.original_name));
    let release = drafts::add(by, &mut tx, artist, title).await?;
    tx.query(REMEMBER).bind(id).bind(release.id).execute().await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(DraftedRelease { release_id: release.id, catalog: release.catalog })))
}
