//! Letters to senders: their templates, and taking back those that wait: one together with the state it gave the demo,
//! or all that tell of another decision once the demo has one. A letter is delivered or taken back, never both.

use axum::{Json, extract::Path};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_store::{
    clock::Micros,
    columns::{Name, Timestamp},
    db::{Tx, known},
    ids::DemoId,
    statements,
};
use http::StatusCode;
use rules::{
    demo_state::DemoState,
    letter_template::{LetterForm, LetterKind, check_letter_template},
    messages::Code,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::standing::{self, Standing};
use crate::{
    app::AppState,
    auth::guard::{Actor, Admin},
    editing::{self, Editor, IfMatch, lists::Page},
};

statements! {
    LIST = "SELECT kind, subject, text, updated_at, version FROM letter_templates";
    FIND = "SELECT kind, subject, text, updated_at, version FROM letter_templates WHERE kind = $1";
    UPDATE = "UPDATE letter_templates SET subject = $2, text = $3, updated_at = $4, version = version + 1 \
        WHERE kind = $1 AND version = $5";
    // Of one in the trash too: its letter is sent as well.
    DEMO_OF = "SELECT d.id FROM demo_answers a JOIN demos d ON d.id = a.demo_id WHERE a.id = $1",
        postgres + " FOR UPDATE OF d";
    WAITING = "SELECT kind, created_at, undo_until, outbox_id, state_before, state_at_before, heard_at_before, shortlisted_at_before \
        FROM demo_answers WHERE id = $1";
    OF_DEMO = "SELECT id, kind, outbox_id FROM demo_answers \
        WHERE demo_id = $1 AND sent_at IS NULL AND failed_at IS NULL ORDER BY created_at, id";
    DELETE = "DELETE FROM demo_answers WHERE id = $1";
    FORGET_LETTER = "DELETE FROM demo_letters WHERE outbox_id = $1";
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct LetterTemplate {
    #[schema(value_type = LetterKind)]
    pub kind: Name<LetterKind>,
    /// The subject, with the placeholders `{artist}`, `{file}` and `{label}`.
    pub subject: String,
    /// The text, with the same placeholders.
    pub text: String,
    pub updated_at: Timestamp,
    /// The version that the next edit names in `If-Match`.
    pub version: i64,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TemplateBody {
    /// At most 120 characters. Only the placeholders `{artist}`, `{file}` and `{label}` are allowed.
    subject: String,
    /// At most 5000 characters, with the same placeholders.
    text: String,
}

/// The templates, in the order of a demo's progress.
#[utoipa::path(get, path = "/api/admin/desk/templates", tag = "admin", responses(
    (status = 200, description = "All templates", body = Page<LetterTemplate>),
))]
pub async fn list_templates(app: AppState, _: Admin) -> AppResult<Json<Page<LetterTemplate>>> {
    let mut items = app.db.query(LIST).all::<LetterTemplate>().await?;
    items.sort_by_key(|template| LetterKind::ALL.iter().position(|kind| *kind == template.kind.0));
    Ok(Json(Page { items, next_cursor: None }))
}

/// Changes a template. Waiting letters stay as they are.
#[utoipa::path(put, path = "/api/admin/desk/templates/{kind}", tag = "admin", request_body = TemplateBody,
    params(("kind" = LetterKind, Path, description = "Which template"), IfMatch), responses(
    (status = 200, description = "The template as it is now", body = LetterTemplate),
))]
pub async fn change_template(
    editor: Editor,
    Path(kind): Path<String>,
    IfMatch(seen): IfMatch,
    ApiJson(body): ApiJson<TemplateBody>,
) -> AppResult<Json<LetterTemplate>> {
    let kind = LetterKind::named(&kind).ok_or_else(AppError::not_found)?;
    let form = LetterForm { subject: body.subject, text: body.text };
    let form = check_letter_template(form).map_err(AppError::validation)?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let update =
        tx.query(UPDATE).bind(kind.as_str()).bind(&form.subject).bind(&form.text).bind(by.now).bind(seen);
    if update.execute().await? == 0 {
        return Err(editing::not_updated(find(&mut tx, kind).await?.is_some()));
    }
    let target = format!("letter_template:{}", kind.as_str());
    by.check_and_record(&mut tx, "sensitive_update", &target).await?;
    let stored = find(&mut tx, kind).await?.ok_or_else(AppError::not_found)?;
    tx.commit().await?;
    Ok(Json(stored))
}

async fn find(tx: &mut Tx, kind: LetterKind) -> sqlx::Result<Option<LetterTemplate>> {
    tx.query(FIND).bind(kind.as_str()).optional().await
}

#[derive(sqlx_macros::FromRow)]
struct WaitingRow {
    kind: Name<LetterKind>,
    created_at: Micros,
    undo_until: Micros,
    outbox_id: Uuid,
    state_before: Option<String>,
    state_at_before: Option<Micros>,
    heard_at_before: Option<Micros>,
    shortlisted_at_before: Option<Micros>,
}

impl WaitingRow {
    /// How the demo stood before the answer `id`; none if that changed nothing, or the demo has moved since.
    fn before(&self, id: Uuid, present: &Standing) -> sqlx::Result<Option<Standing>> {
        let Some(before) = self.state_before.as_deref() else { return Ok(None) };
        if (Some(present.state), present.state_at) != (given_by(self.kind.0), Some(self.created_at)) {
            return Ok(None);
        }
        let state = known(DemoState::named, before, ("demo_answers", "state_before", &id))?;
        Ok(Some(Standing {
            state,
            state_at: self.state_at_before,
            heard_at: self.heard_at_before,
            shortlisted_at: self.shortlisted_at_before,
            // An answer keeps since when a demo is heard, unless it was declined unheard.
            declined_unheard: state == DemoState::Declined && self.heard_at_before != present.heard_at,
        }))
    }
}

pub(super) const fn given_by(kind: LetterKind) -> Option<DemoState> {
    match kind {
        LetterKind::Received => None,
        LetterKind::Shortlisted => Some(DemoState::Shortlisted),
        LetterKind::Declined => Some(DemoState::Declined),
        LetterKind::Accepted => Some(DemoState::Accepted),
    }
}

/// Takes back a waiting answer: its letter, and the state it gave the demo unless that has changed since.
#[utoipa::path(delete, path = "/api/admin/desk/answers/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Withdrawn: it is not sent"),
    (status = 409, description = "It has left"),
))]
pub async fn take_answer_back(editor: Editor, PathId(id): PathId) -> AppResult<StatusCode> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let demo = tx.query(DEMO_OF).bind(id).maybe::<DemoId>().await?.ok_or_else(AppError::not_found)?;
    // Read behind the lock: the previous holder may have taken the answer back.
    let waiting =
        tx.query(WAITING).bind(id).optional::<WaitingRow>().await?.ok_or_else(AppError::not_found)?;
    if by.now >= waiting.undo_until || !cancel(&mut tx, id, waiting.outbox_id).await? {
        return Err(AppError::from_code(StatusCode::CONFLICT, Code::AnswerLeft));
    }
    if let Some(present) = standing::find_standing(&mut tx, demo).await?
        && let Some(before) = waiting.before(id, &present)?
    {
        standing::set(&mut tx, demo, &before).await?;
        standing::audit(&mut tx, by, demo, before.state).await?;
    }
    audit(&mut tx, by, demo).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes back the waiting letters of a locked demo that tell of another state than its present one. Returns their
/// kinds, the oldest first; a letter that is just being sent is not among them.
pub(super) async fn take_others_back(
    tx: &mut Tx,
    by: Actor<'_>,
    demo: DemoId,
    present: DemoState,
) -> AppResult<Vec<LetterKind>> {
    let mut taken_back = Vec::new();
    for (id, Name(kind), outbox_id) in
        tx.query(OF_DEMO).bind(demo).all::<(Uuid, Name<LetterKind>, Uuid)>().await?
    {
        let is_other = given_by(kind).is_some_and(|given| given != present);
        if is_other && cancel(tx, id, outbox_id).await? {
            audit(tx, by, demo).await?;
            taken_back.push(kind);
        }
    }
    Ok(taken_back)
}

/// Removes the letter of an answer from the outbox, and the answer. False if it is just being sent.
async fn cancel(tx: &mut Tx, answer: Uuid, outbox_id: Uuid) -> sqlx::Result<bool> {
    if !deadwax_mail::cancel(tx, outbox_id).await? {
        return Ok(false);
    }
    tx.query(DELETE).bind(answer).execute().await?;
    tx.query(FORGET_LETTER).bind(outbox_id).execute().await?;
    Ok(true)
}

async fn audit(tx: &mut Tx, by: Actor<'_>, demo: DemoId) -> AppResult<()> {
    by.check_and_record(tx, "demo_answer_undone", &format!("demo:{demo}")).await
}
