//! Letters to senders while they wait: what takes one back. Until it leaves, a letter is taken back with the state that it gave the demo,
//! and without it where the demo is decided otherwise: nobody reads of a decision that is none any more.
//!
//! Of the worker that delivers and whoever takes back exactly one gets the letter.

use deadwax_http::{
    error::{AppError, AppResult},
    extract::PathId,
};
use deadwax_store::{
    clock::Micros,
    db::{Tx, known},
    statements,
};
use http::StatusCode;
use rules::{demo_state::DemoState, messages::Code};
use uuid::Uuid;

use super::{
    standing::{self, Standing},
    templates::LetterKind,
};
use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    edits,
};

statements! {
    // Of one in the trash too: its letter leaves as well.
    DEMO_OF = "SELECT d.id FROM demo_answers a JOIN demos d ON d.id = a.demo_id WHERE a.id = $1",
        postgres + " FOR UPDATE OF d";
    WAITING = "SELECT kind, created_at, undo_until, outbox_id, state_before, state_at_before, heard_at_before, shortlisted_at_before \
        FROM demo_answers WHERE id = $1";
    OF_DEMO = "SELECT id, kind, outbox_id FROM demo_answers \
        WHERE demo_id = $1 AND sent_at IS NULL AND failed_at IS NULL AND undo_until > $2 ORDER BY created_at, id";
    DELETE = "DELETE FROM demo_answers WHERE id = $1";
    FORGET_LETTER = "DELETE FROM demo_letters WHERE outbox_id = $1";
}

#[derive(sqlx::FromRow)]
struct WaitingRow {
    kind: String,
    created_at: Micros,
    undo_until: Micros,
    outbox_id: Uuid,
    state_before: Option<String>,
    state_at_before: Option<Micros>,
    heard_at_before: Option<Micros>,
    shortlisted_at_before: Option<Micros>,
}

impl WaitingRow {
    /// The state that the answer `id` gave, and where the demo stood before; none where it stood there already.
    fn step(&self, id: Uuid) -> sqlx::Result<Option<(DemoState, Standing)>> {
        let given = given_by(known(LetterKind::named, &self.kind, ("demo_answers", "kind", &id))?);
        let Some((before, given)) = self.state_before.as_deref().zip(given) else { return Ok(None) };
        let state = known(DemoState::named, before, ("demo_answers", "state_before", &id))?;
        let before = Standing {
            state,
            state_at: self.state_at_before,
            heard_at: self.heard_at_before,
            shortlisted_at: self.shortlisted_at_before,
            // Declined as its first step, which only a joint decline is not counted for; the row does not tell the two apart.
            declined_unheard: state == DemoState::Declined && self.heard_at_before == self.state_at_before,
        };
        Ok(Some((given, before)))
    }
}

/// The state of a demo that an answer of a kind belongs to.
pub(super) const fn given_by(kind: LetterKind) -> Option<DemoState> {
    match kind {
        LetterKind::Received => None,
        LetterKind::Shortlisted => Some(DemoState::Shortlisted),
        LetterKind::Declined => Some(DemoState::Declined),
        LetterKind::Accepted => Some(DemoState::Accepted),
    }
}

/// Takes an answer back that still waits: its letter, and the state that it gave the demo unless somebody has changed that since.
#[utoipa::path(delete, path = "/api/admin/desk/answers/{id}", tag = "admin", params(("id" = Uuid, Path, description = "The answer's id")), responses(
    (status = 204, description = "Taken back: nobody gets it"),
    (status = 404, description = "There is no such answer (any more)"),
    (status = 409, description = "It has left"),
))]
pub async fn take_answer_back(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
) -> AppResult<StatusCode> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let (demo,) = tx.query(DEMO_OF).bind(id).optional::<(Uuid,)>().await?.ok_or_else(AppError::not_found)?;
    // Read behind the lock: whoever had it may have taken the answer back.
    let waiting =
        tx.query(WAITING).bind(id).optional::<WaitingRow>().await?.ok_or_else(AppError::not_found)?;
    if now >= waiting.undo_until || !cancel(&mut tx, id, waiting.outbox_id, now).await? {
        return Err(AppError::from_code(StatusCode::CONFLICT, Code::AnswerLeft));
    }
    if let Some((given, before)) = waiting.step(id)?
        && let Some(present) = standing::find(&mut tx, demo).await?
        && (present.state, present.state_at) == (given, Some(waiting.created_at))
    {
        standing::set(&mut tx, demo, &before).await?;
        standing::note(&mut tx, &me, &caller, demo, before.state, now).await?;
    }
    note(&mut tx, &me, &caller, demo, now).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes back what waits for a demo, whose row the caller has locked, and tells of another state than it stands in now. Answers what
/// those letters were about, the oldest first; one that leaves just now is not among them.
pub(super) async fn take_others_back(
    tx: &mut Tx,
    me: &SignedIn,
    caller: &Caller,
    demo: Uuid,
    present: DemoState,
    now: Micros,
) -> AppResult<Vec<LetterKind>> {
    let mut taken_back = Vec::new();
    for (id, kind, outbox_id) in tx.query(OF_DEMO).bind(demo).bind(now).all::<(Uuid, String, Uuid)>().await? {
        let kind = known(LetterKind::named, &kind, ("demo_answers", "kind", &id))?;
        let is_other = given_by(kind).is_some_and(|given| given != present);
        if is_other && cancel(tx, id, outbox_id, now).await? {
            note(tx, me, caller, demo, now).await?;
            taken_back.push(kind);
        }
    }
    Ok(taken_back)
}

/// Takes the letter of an answer out of the outbox, and the answer away with it. False where it leaves just now, and stays.
async fn cancel(tx: &mut Tx, answer: Uuid, outbox_id: Uuid, now: Micros) -> sqlx::Result<bool> {
    if !deadwax_mail::cancel(tx, outbox_id, now).await? {
        return Ok(false);
    }
    tx.query(DELETE).bind(answer).execute().await?;
    tx.query(FORGET_LETTER).bind(outbox_id).execute().await?;
    Ok(true)
}

async fn note(tx: &mut Tx, me: &SignedIn, caller: &Caller, demo: Uuid, now: Micros) -> AppResult<()> {
    edits::note(tx, me, caller, "demo_answer_undone", &format!("demo:{demo}"), now).await
}
