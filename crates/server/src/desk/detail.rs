//! A demo with all that the desk knows of it.

use axum::Json;
use deadwax_http::{error::AppResult, extract::PathId};
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::known,
    statements,
};
use rules::demo_state::DemoState;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    answers::{self, DemoAnswer},
    draft::{self, DraftedRelease},
    notes::{self, DemoNote},
    view::{self, DeskDemo, DeskState},
};
use crate::{
    app::AppState,
    auth::guard::Admin,
    demos::sounds::{self, SoundAnalysis, SoundDetails, SoundTrack},
};

statements! {
    EARLIER = "SELECT e.id, e.original_name, e.submitted_at, e.state FROM demos d JOIN demos e ON LOWER(e.email) = LOWER(d.email) \
        WHERE d.id = $1 AND e.id <> d.id AND e.deleted_at IS NULL AND e.submitted_at <= d.submitted_at \
        ORDER BY e.submitted_at DESC, e.id DESC LIMIT 50";
}

#[derive(sqlx::FromRow)]
struct EarlierRow {
    id: Uuid,
    original_name: String,
    submitted_at: Micros,
    state: String,
}

impl EarlierRow {
    fn into_view(self) -> sqlx::Result<EarlierDemo> {
        Ok(EarlierDemo {
            id: self.id,
            original_name: self.original_name,
            submitted_at: rfc3339(self.submitted_at),
            state: known(DemoState::named, &self.state, ("demos", "state", &self.id))?.into(),
        })
    }
}

/// What the same sender has sent before.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EarlierDemo {
    /// The row's id.
    pub id: Uuid,
    /// The name on the artist's disk.
    pub original_name: String,
    /// When it was complete.
    pub submitted_at: String,
    /// Where it stands.
    pub state: DeskState,
}

/// A demo with all that the desk knows of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskDemoDetail {
    /// What the list tells.
    #[serde(flatten)]
    pub demo: DeskDemo,
    /// The last 50 that were sent from the same address before, newest first.
    pub earlier: Vec<EarlierDemo>,
    /// What admins have noted, oldest first.
    pub notes: Vec<DemoNote>,
    /// What the label has answered, oldest first.
    pub answers: Vec<DemoAnswer>,
    /// What was measured of it; null for an archive, whose tracks have it.
    pub analysis: Option<SoundAnalysis>,
    /// The tracks of an archive, in the order of their names.
    pub tracks: Vec<SoundTrack>,
    /// The draft of a release that was made of it, also while that is in the trash; null before, and once it is gone for good.
    pub release: Option<DraftedRelease>,
}

/// One demo.
#[utoipa::path(get, path = "/api/admin/desk/demos/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 200, description = "The demo", body = DeskDemoDetail),
    (status = 404, description = "There is no such demo"),
))]
pub async fn show_desk_demo(
    app: AppState,
    Admin(me): Admin,
    PathId(id): PathId,
) -> AppResult<Json<DeskDemoDetail>> {
    let demo = view::read(&app.db, me.user_id, id).await?;
    let earlier = app.db.query(EARLIER).bind(id).all::<EarlierRow>().await?;
    let earlier = earlier.into_iter().map(EarlierRow::into_view).collect::<sqlx::Result<_>>()?;
    let SoundDetails { analysis, tracks } = sounds::details(&app.db, id).await?;
    Ok(Json(DeskDemoDetail {
        demo,
        earlier,
        notes: notes::list(&app.db, me.user_id, id).await?,
        answers: answers::list(&app.db, id, app.clock.now()).await?,
        analysis,
        tracks,
        release: draft::made(&app.db, id).await?,
    }))
}
