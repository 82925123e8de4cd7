//! Where a demo stands, and its steps: any state from any other. Each step is an entry of the audit log, which names the demo by its id
//! alone.

use std::collections::BTreeMap;

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_store::{clock::Micros, db::Tx};
use rules::{
    demo_desk::{self, DECLINED_MAX, DeskError},
    demo_state::DemoState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    standing::{self, Standing},
    templates::LetterKind,
    view::{self, DeskDemo, DeskState},
    waiting,
};
use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits,
};

/// A step that was asked for.
#[derive(Debug)]
pub struct Step {
    /// Where the demo stood before.
    pub before: Standing,
    /// Where it stands now.
    pub state: DemoState,
    /// What the letters were about that waited, told of another state and are not sent.
    pub taken_back: Vec<LetterKind>,
}

impl Step {
    /// Whether the demo stood elsewhere before.
    pub fn is_one(&self) -> bool {
        self.before.state != self.state
    }
}

/// The state that is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StateBody {
    /// `new`, `heard`, `shortlisted`, `accepted` or `declined`.
    #[schema(value_type = DeskState)]
    state: String,
    /// The state that was seen: where the demo stands elsewhere by now, it stays there.
    #[schema(value_type = Option<DeskState>)]
    from: Option<String>,
}

/// Demos that are declined together.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclineBody {
    /// Which: 1 to 200.
    #[schema(min_items = 1, max_items = 200)]
    ids: Vec<Uuid>,
    /// The state that each of `ids` was shown in, in their order. One that stands elsewhere by now is left as it is; without, none is.
    #[schema(min_items = 1, max_items = 200)]
    from: Option<Vec<String>>,
}

/// A step of one of several demos.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoStepBody {
    /// Which demo.
    id: Uuid,
    /// `new`, `heard`, `shortlisted`, `accepted` or `declined`.
    #[schema(value_type = DeskState)]
    state: String,
    /// The state that was seen: a demo that stands elsewhere by now is left as it is.
    #[schema(value_type = DeskState)]
    from: String,
}

/// Steps of several demos.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoStepsBody {
    /// 1 to 200, of one demo each.
    #[schema(min_items = 1, max_items = 200)]
    steps: Vec<DemoStepBody>,
}

/// What became of demos that were to be moved together.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MovedDemos {
    /// How many stand where they were to go, and did not before.
    pub changed: i64,
    /// How many stood elsewhere than `from` says, and are left as they are.
    pub left: i64,
    /// How many letters waited that told of another decision, and are not sent.
    pub taken_back: i64,
}

/// A demo where it stands now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MovedDemo {
    /// The demo.
    #[serde(flatten)]
    pub demo: DeskDemo,
    /// What letters were about that waited, told of another decision and are not sent, the oldest first.
    pub taken_back: Vec<LetterKind>,
}

/// Takes a step, and notes it; letters that wait and tell of another state are taken back. None where there is no such demo. One that
/// stands there already is left as it is.
pub async fn step(
    tx: &mut Tx,
    me: &SignedIn,
    caller: &Caller,
    id: Uuid,
    state: DemoState,
    now: Micros,
) -> AppResult<Option<Step>> {
    let Some(before) = standing::find(tx, id).await? else { return Ok(None) };
    let after = before.after(state, now);
    take(tx, me, caller, id, (before, after), now).await.map(Some)
}

async fn take(
    tx: &mut Tx,
    me: &SignedIn,
    caller: &Caller,
    id: Uuid,
    (before, after): (Standing, Standing),
    now: Micros,
) -> AppResult<Step> {
    let mut step = Step { before, state: after.state, taken_back: Vec::new() };
    if step.is_one() {
        standing::set(tx, id, &after).await?;
        standing::note(tx, me, caller, id, after.state, now).await?;
        step.taken_back = waiting::take_others_back(tx, me, caller, id, after.state, now).await?;
    }
    Ok(step)
}

/// Marks a demo as heard that nobody had heard, as any judgement does. Answers whether it was one.
pub async fn hear(tx: &mut Tx, me: &SignedIn, caller: &Caller, id: Uuid, now: Micros) -> AppResult<bool> {
    if standing::find(tx, id).await?.is_none_or(|standing| standing.state != DemoState::New) {
        return Ok(false);
    }
    Ok(step(tx, me, caller, id, DemoState::Heard, now).await?.is_some())
}

/// Sets where a demo stands. Any judgement marks it as heard; back to `new` it was not. A letter that waits and tells of another decision
/// is taken back.
#[utoipa::path(put, path = "/api/admin/desk/demos/{id}/state", tag = "admin", request_body = StateBody,
    params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 200, description = "The demo as it is now", body = MovedDemo),
    (status = 404, description = "There is no such demo"),
    (status = 412, description = "It stands elsewhere by now than `from` says"),
))]
pub async fn set_demo_state(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    ApiJson(body): ApiJson<StateBody>,
) -> AppResult<Json<MovedDemo>> {
    let read = |field, name: &str| demo_desk::state(name).map_err(|error| AppError::invalid(field, error));
    let state = read("state", &body.state)?;
    let seen = body.from.as_deref().map(|name| read("from", name)).transpose()?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let step = step(&mut tx, &me, &caller, id, state, now).await?.ok_or_else(AppError::not_found)?;
    if seen.is_some_and(|seen| seen != step.before.state) {
        return Err(edits::stale());
    }
    let demo = view::find(&mut tx, me.user_id, id).await?;
    if step.is_one() {
        tx.commit().await?;
    }
    Ok(Json(MovedDemo { demo, taken_back: step.taken_back }))
}

/// Declines several demos, all or nothing; what is declined already, gone, or not in the state that it was shown in, is left out. Those
/// that were unheard stay out of the promise to senders.
#[utoipa::path(post, path = "/api/admin/desk/decline", tag = "admin", request_body = DeclineBody, responses(
    (status = 200, description = "How many were declined", body = MovedDemos),
))]
pub async fn decline_demos(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
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
    move_demos(&app, &me, &caller, demos, Standing::after_joint_decision).await
}

/// Moves several demos, each from the state that it was shown in, all or nothing: so is taken back that they were declined together. What
/// is gone, stands there already, or stands elsewhere by now is left out.
#[utoipa::path(post, path = "/api/admin/desk/states", tag = "admin", request_body = DemoStepsBody, responses(
    (status = 200, description = "How many were moved", body = MovedDemos),
))]
pub async fn set_demo_states(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    ApiJson(body): ApiJson<DemoStepsBody>,
) -> AppResult<Json<MovedDemos>> {
    require_some(body.steps.len(), "steps")?;
    let read = |DemoStepBody { id, state, from }: DemoStepBody| {
        Ok((id, (demo_desk::state(&state)?, Some(demo_desk::state(&from)?))))
    };
    let demos = body.steps.into_iter().map(read).collect::<Result<_, _>>();
    let demos = demos.map_err(|error: DeskError| AppError::invalid("steps", error))?;
    move_demos(&app, &me, &caller, demos, Standing::after).await
}

fn require_some(count: usize, field: &'static str) -> AppResult<()> {
    let is_possible = (1..=DECLINED_MAX).contains(&count);
    if is_possible { Ok(()) } else { Err(AppError::invalid(field, DeskError::TooManyDemos)) }
}

/// Moves each demo to its state, if it stands in the one that was seen. In the order of their ids, so that two who move the same demos
/// never wait for each other.
async fn move_demos(
    app: &AppState,
    me: &SignedIn,
    caller: &Caller,
    demos: BTreeMap<Uuid, (DemoState, Option<DemoState>)>,
    after: fn(&Standing, DemoState, Micros) -> Standing,
) -> AppResult<Json<MovedDemos>> {
    let now = app.clock.now();
    let (mut changed, mut left, mut taken_back) = (0, 0, 0);
    let mut tx = app.db.begin().await?;
    for (id, (state, seen)) in demos {
        let Some(before) = standing::find(&mut tx, id).await? else { continue };
        if before.state != state && seen.is_some_and(|seen| seen != before.state) {
            left += 1;
            continue;
        }
        let after = after(&before, state, now);
        let step = take(&mut tx, me, caller, id, (before, after), now).await?;
        changed += i64::from(step.is_one());
        taken_back += i64::try_from(step.taken_back.len()).unwrap_or(i64::MAX);
    }
    if changed > 0 {
        tx.commit().await?;
    }
    Ok(Json(MovedDemos { changed, left, taken_back }))
}
