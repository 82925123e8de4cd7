//! The state of a demo and its steps: any state from any other. Each step is audited by the demo's id.

use std::collections::BTreeMap;

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_store::{clock::Micros, db::Tx, ids::DemoId};
use rules::{
    demo_desk::{self, DECLINED_MAX, DeskError},
    demo_state::DemoState,
    letter_template::LetterKind,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    letters,
    standing::{Standing, audit, find_standing, have_others_scored, set},
    view::{self, DeskDemo},
};
use crate::{
    auth::guard::Actor,
    editing::{self, Editor},
};

#[derive(Debug)]
pub struct Step {
    pub before: Standing,
    pub state: DemoState,
    /// The kinds of waiting letters with another decision, which were taken back.
    pub taken_back: Vec<LetterKind>,
}

impl Step {
    pub fn changes_state(&self) -> bool {
        self.before.state != self.state
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StateBody {
    /// `new`, `heard`, `shortlisted`, `accepted` or `declined`.
    #[schema(value_type = DemoState)]
    state: String,
    /// The expected present state; 412 if it is another.
    #[schema(value_type = Option<DemoState>)]
    from: Option<String>,
    /// With true, 412 too if another admin has scored the demo.
    #[serde(default)]
    unless_scored: bool,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclineBody {
    /// 1 to 200 demos.
    #[schema(min_items = 1, max_items = 200)]
    ids: Vec<DemoId>,
    /// The expected present state of each of `ids`, in their order; a demo in another one is left as it is. Without,
    /// all are declined.
    #[schema(min_items = 1, max_items = 200)]
    from: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoStepBody {
    id: DemoId,
    /// `new`, `heard`, `shortlisted`, `accepted` or `declined`.
    #[schema(value_type = DemoState)]
    state: String,
    /// The expected present state; a demo in another one is left as it is.
    #[schema(value_type = DemoState)]
    from: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoStepsBody {
    /// 1 to 200, of one demo each.
    #[schema(min_items = 1, max_items = 200)]
    steps: Vec<DemoStepBody>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MovedDemos {
    /// How many changed to the requested state.
    pub changed: i64,
    /// Which they are.
    pub ids: Vec<DemoId>,
    /// How many were in another state than `from`, and are left as they are.
    pub left: i64,
    /// How many waiting letters with another decision were taken back.
    pub taken_back: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MovedDemo {
    #[serde(flatten)]
    pub demo: DeskDemo,
    /// The kinds of waiting letters with another decision, which were taken back, the oldest first.
    pub taken_back: Vec<LetterKind>,
}

/// Takes and audits a step; waiting letters with another decision are taken back. None if the demo does not exist.
/// Nothing happens if it is in the state already; 412 if it is in another one than `seen`.
pub async fn step(
    tx: &mut Tx,
    by: Actor<'_>,
    id: DemoId,
    state: DemoState,
    seen: Option<DemoState>,
) -> AppResult<Option<Step>> {
    let Some(before) = find_standing(tx, id).await? else { return Ok(None) };
    if before.has_moved_from(seen, state) {
        return Err(editing::stale());
    }
    let after = before.after(state, by.now);
    take(tx, by, id, before, after).await.map(Some)
}

async fn take(tx: &mut Tx, by: Actor<'_>, id: DemoId, before: Standing, after: Standing) -> AppResult<Step> {
    let mut step = Step { before, state: after.state, taken_back: Vec::new() };
    if step.changes_state() {
        set(tx, id, &after).await?;
        audit(tx, by, id, after.state).await?;
        step.taken_back = letters::take_others_back(tx, by, id, after.state).await?;
    }
    Ok(step)
}

/// Marks a new demo as heard, as any judgement does. Whether it was new.
pub async fn mark_heard(tx: &mut Tx, by: Actor<'_>, id: DemoId) -> AppResult<bool> {
    if find_standing(tx, id).await?.is_none_or(|standing| standing.state != DemoState::New) {
        return Ok(false);
    }
    Ok(step(tx, by, id, DemoState::Heard, None).await?.is_some())
}

/// Sets the state of a demo. Any judgement marks it as heard; `new` makes it unheard. A waiting letter with another
/// decision is taken back.
#[utoipa::path(put, path = "/api/admin/desk/demos/{id}/state", tag = "admin", request_body = StateBody, params(PathId), responses(
    (status = 200, description = "The demo as it is now", body = MovedDemo),
    (status = 412, description = "It stands elsewhere by now than `from` says, or others have scored it and `unless_scored` is set"),
))]
pub async fn set_demo_state(
    editor: Editor,
    PathId(id): PathId<DemoId>,
    ApiJson(body): ApiJson<StateBody>,
) -> AppResult<Json<MovedDemo>> {
    let read = |field, name: &str| demo_desk::state(name).map_err(|error| AppError::invalid(field, error));
    let state = read("state", &body.state)?;
    let seen = body.from.as_deref().map(|name| read("from", name)).transpose()?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let before = find_standing(&mut tx, id).await?.ok_or_else(AppError::not_found)?;
    // Before anything is written: a transaction that is undone holds its locks for a moment longer than its answer takes.
    if seen.is_some_and(|seen| seen != before.state) {
        return Err(editing::stale());
    }
    if body.unless_scored && have_others_scored(&mut tx, id, by.me.user_id).await? {
        return Err(editing::stale());
    }
    let after = before.after(state, by.now);
    let step = take(&mut tx, by, id, before, after).await?;
    let demo = view::read(&mut tx, by.me.user_id, id).await?;
    if step.changes_state() {
        tx.commit().await?;
    }
    Ok(Json(MovedDemo { demo, taken_back: step.taken_back }))
}

/// Declines several demos, all or nothing. Demos that are declined already, deleted, or in another state than
/// expected, are left out. Unheard ones do not count in the promise to senders.
#[utoipa::path(post, path = "/api/admin/desk/decline", tag = "admin", request_body = DeclineBody, responses(
    (status = 200, description = "How many were declined", body = MovedDemos),
))]
pub async fn decline_demos(
    editor: Editor,
    ApiJson(body): ApiJson<DeclineBody>,
) -> AppResult<Json<MovedDemos>> {
    require_some(body.ids.len(), "ids")?;
    if body.from.as_ref().is_some_and(|from| from.len() != body.ids.len()) {
        return Err(AppError::invalid("from", DeskError::State));
    }
    let from = body.from.unwrap_or_default();
    let from = from.iter().map(|name| demo_desk::state(name)).collect::<Result<Vec<_>, _>>();
    let from = from.map_err(|error| AppError::invalid("from", error))?;
    let seen = from.into_iter().map(Some).chain(std::iter::repeat(None));
    let declined = |(id, seen)| (id, (DemoState::Declined, seen));
    let demos = body.ids.into_iter().zip(seen).map(declined).collect();
    move_demos(editor.act(), demos, Standing::after_joint_decision).await
}

/// Moves several demos, each from its expected state, all or nothing; this undoes a joint decline. Demos that are
/// deleted, in the state already, or in another than expected, are left out.
#[utoipa::path(post, path = "/api/admin/desk/states", tag = "admin", request_body = DemoStepsBody, responses(
    (status = 200, description = "How many were moved", body = MovedDemos),
))]
pub async fn set_demo_states(
    editor: Editor,
    ApiJson(body): ApiJson<DemoStepsBody>,
) -> AppResult<Json<MovedDemos>> {
    require_some(body.steps.len(), "steps")?;
    let read = |DemoStepBody { id, state, from }: DemoStepBody| {
        Ok((id, (demo_desk::state(&state)?, Some(demo_desk::state(&from)?))))
    };
    let demos = body.steps.into_iter().map(read).collect::<Result<_, _>>();
    let demos = demos.map_err(|error: DeskError| AppError::invalid("steps", error))?;
    move_demos(editor.act(), demos, Standing::after).await
}

fn require_some(count: usize, field: &'static str) -> AppResult<()> {
    let is_possible = (1..=DECLINED_MAX).contains(&count);
    if is_possible { Ok(()) } else { Err(AppError::invalid(field, DeskError::TooManyDemos)) }
}

/// Moves each demo that is in the expected state. In the order of their ids, so that two batches never deadlock.
async fn move_demos(
    by: Actor<'_>,
    demos: BTreeMap<DemoId, (DemoState, Option<DemoState>)>,
    after: fn(&Standing, DemoState, Micros) -> Standing,
) -> AppResult<Json<MovedDemos>> {
    let (mut changed, mut ids, mut left, mut taken_back) = (0, Vec::new(), 0, 0);
    let mut tx = by.app.db.begin().await?;
    for (id, (state, seen)) in demos {
        let Some(before) = find_standing(&mut tx, id).await? else { continue };
        if before.has_moved_from(seen, state) {
            left += 1;
            continue;
        }
        let after = after(&before, state, by.now);
        let step = take(&mut tx, by, id, before, after).await?;
        changed += i64::from(step.changes_state());
        ids.extend(step.changes_state().then_some(id));
        taken_back += i64::try_from(step.taken_back.len()).unwrap_or(i64::MAX);
    }
    if changed > 0 {
        tx.commit().await?;
    }
    Ok(Json(MovedDemos { changed, ids, left, taken_back }))
}
