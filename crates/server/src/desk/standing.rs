//! Where a demo stands, and since when, as its row has it.

use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::Micros,
    db::{Tx, known},
    statements,
};
use rules::demo_state::DemoState;
use uuid::Uuid;

use crate::{auth::guard::SignedIn, caller::Caller, edits};

statements! {
    STANDING = "SELECT state, state_at, heard_at, shortlisted_at, declined_unheard FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    SET = "UPDATE demos SET state = $2, state_at = $3, heard_at = $4, shortlisted_at = $5, declined_unheard = $6 \
        WHERE id = $1 AND deleted_at IS NULL";
}

/// Where a demo stands, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its state.
    pub state: DemoState,
    /// When it came there; none where it is in its first.
    pub state_at: Option<Micros>,
    /// When it was heard.
    pub heard_at: Option<Micros>,
    /// When it came to the short list.
    pub shortlisted_at: Option<Micros>,
    /// Whether it was declined together with others before anyone had heard it; `heard_at` says when.
    pub declined_unheard: bool,
}

impl Standing {
    /// The next one, of a step at `now`. A demo that was heard stays so until it is new again; one that was on the short list was there
    /// also after a decision.
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

    /// As [`Self::after`], of demos that are moved together by a decision: that does not count as hearing them.
    pub(super) fn after_joint_decision(&self, state: DemoState, now: Micros) -> Self {
        Self {
            declined_unheard: self.declined_unheard || self.state == DemoState::New,
            ..self.after(state, now)
        }
    }
}

/// Where a demo stands; its row stays locked until the transaction ends. None where there is no such demo.
pub async fn find(tx: &mut Tx, id: Uuid) -> sqlx::Result<Option<Standing>> {
    let row = tx.query(STANDING).bind(id);
    let row = row.optional::<(String, Option<Micros>, Option<Micros>, Option<Micros>, bool)>().await?;
    let Some((state, state_at, heard_at, shortlisted_at, declined_unheard)) = row else { return Ok(None) };
    let state = known(DemoState::named, &state, ("demos", "state", &id))?;
    Ok(Some(Standing { state, state_at, heard_at, shortlisted_at, declined_unheard }))
}

/// Puts a demo where it stands, as it is said; whoever takes a step back restores what was before it.
pub async fn set(tx: &mut Tx, id: Uuid, standing: &Standing) -> sqlx::Result<()> {
    tx.query(SET)
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

/// Notes in the audit log where a demo stands now.
pub async fn note(
    tx: &mut Tx,
    me: &SignedIn,
    caller: &Caller,
    id: Uuid,
    state: DemoState,
    now: Micros,
) -> AppResult<()> {
    edits::note(tx, me, caller, event(state), &format!("demo:{id}"), now).await
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
