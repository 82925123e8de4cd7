//! The state of a demo, since when, and how it is kept and audited.

use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::Micros,
    db::{Tx, known},
    ids::{DemoId, UserId},
    statements,
};
use rules::demo_state::DemoState;

use crate::auth::guard::Actor;

statements! {
    LOCK = "SELECT state, state_at, heard_at, shortlisted_at, declined_unheard FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    UPDATE = "UPDATE demos SET state = $2, state_at = $3, heard_at = $4, shortlisted_at = $5, declined_unheard = $6 \
        WHERE id = $1 AND deleted_at IS NULL";
    OTHERS_SCORED = "SELECT EXISTS (SELECT 1 FROM demo_scores WHERE demo_id = $1 AND user_id <> $2)";
}

/// The state of a demo, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub state: DemoState,
    /// When it entered its state; none in its first.
    pub state_at: Option<Micros>,
    pub heard_at: Option<Micros>,
    pub shortlisted_at: Option<Micros>,
    /// Whether it was declined together with others while unheard; `heard_at` says when.
    pub declined_unheard: bool,
}

impl Standing {
    /// The state after a step at `now`. A heard demo stays heard until it is new again; a decision keeps the time of
    /// the short list.
    pub(super) fn after(&self, state: DemoState, now: Micros) -> Self {
        Self {
            state,
            state_at: Some(now),
            heard_at: (state != DemoState::New)
                .then(|| self.heard_at.filter(|_| !self.declined_unheard).unwrap_or(now)),
            shortlisted_at: match state {
                DemoState::New | DemoState::Heard => None,
                DemoState::Shortlisted => Some(now),
                DemoState::Accepted | DemoState::Declined => self.shortlisted_at,
            },
            declined_unheard: false,
        }
    }

    /// Whether it is neither in the state that was seen, if one is named, nor in the one it is to have.
    pub(super) fn has_moved_from(&self, seen: Option<DemoState>, to: DemoState) -> bool {
        self.state != to && seen.is_some_and(|seen| seen != self.state)
    }

    /// As [`Self::after`], for demos decided together: that does not count as hearing them.
    pub(super) fn after_joint_decision(&self, state: DemoState, now: Micros) -> Self {
        Self {
            declined_unheard: self.declined_unheard || self.state == DemoState::New,
            ..self.after(state, now)
        }
    }
}

/// The state of a demo, whose row is locked until the transaction ends. None if it does not exist.
pub async fn find_standing(tx: &mut Tx, id: DemoId) -> sqlx::Result<Option<Standing>> {
    let row = tx.query(LOCK).bind(id);
    let row = row.optional::<(String, Option<Micros>, Option<Micros>, Option<Micros>, bool)>().await?;
    let Some((state, state_at, heard_at, shortlisted_at, declined_unheard)) = row else { return Ok(None) };
    let state = known(DemoState::named, &state, ("demos", "state", &id))?;
    Ok(Some(Standing { state, state_at, heard_at, shortlisted_at, declined_unheard }))
}

/// Whether an admin other than `me` has scored the demo.
pub async fn have_others_scored(tx: &mut Tx, id: DemoId, me: UserId) -> sqlx::Result<bool> {
    tx.query(OTHERS_SCORED).bind(id).bind(me).value().await
}

pub async fn set(tx: &mut Tx, id: DemoId, standing: &Standing) -> sqlx::Result<()> {
    tx.query(UPDATE)
        .bind(id)
        .bind(standing.state.as_str())
        .bind(standing.state_at)
        .bind(standing.heard_at)
        .bind(standing.shortlisted_at)
        .bind(standing.declined_unheard)
        .execute()
        .await
        .map(drop)
}

pub async fn audit(tx: &mut Tx, by: Actor<'_>, id: DemoId, state: DemoState) -> AppResult<()> {
    by.check_and_record(tx, event(state), &format!("demo:{id}")).await
}

const fn event(state: DemoState) -> &'static str {
    match state {
        DemoState::New => "demo_new",
        DemoState::Heard => "demo_heard",
        DemoState::Shortlisted => "demo_shortlisted",
        DemoState::Accepted => "demo_accepted",
        DemoState::Declined => "demo_declined",
    }
}
