//! Answers to demos: what a template becomes for one, and the letter that waits half a minute. What takes it back is in `waiting`.
//!
//! An answer gives the demo the state that belongs to its kind.

use axum::{Json, extract::DefaultBodyLimit, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_mail::{Mail, Patience};
use deadwax_store::{
    clock::{Micros, micros, rfc3339},
    db::{Db, Tx, known},
    statements,
};
use http::StatusCode;
use rules::{
    letter_template::{BODY_MAX_BYTES, HOLD_MS, LetterForm, check_letter},
    messages::Code,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::{
    standing::Standing,
    states::{self, Step},
    templates::{self, LetterKind},
    waiting,
};
use crate::{
    app::AppState,
    auth::guard::{Admin, SignedIn},
    caller::Caller,
    demos::{letter, templates as words},
    edits,
    idempotency::{self, Begun, IdempotencyKey, RepeatableJson},
};

macro_rules! answers {
    () => {
        "SELECT a.id, a.kind, a.subject, a.text, a.created_at, p.username AS person, a.undo_until, a.sent_at, a.failed_at \
         FROM demo_answers a LEFT JOIN profiles p ON p.id = a.created_by"
    };
}

statements! {
    OF_DEMO = concat!(answers!(), " WHERE a.demo_id = $1 ORDER BY a.created_at, a.id");
    FIND = concat!(answers!(), " WHERE a.id = $1");
    SHOWN_RECIPIENT = "SELECT artist_name, email, original_name FROM demos WHERE id = $1 AND deleted_at IS NULL";
    // Locked before anything else of it, so that two who answer at once answer one after the other.
    RECIPIENT = "SELECT artist_name, email, original_name FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
    LAST = "SELECT MAX(COALESCE(sent_at, created_at)) FROM demo_answers WHERE demo_id = $1 AND kind = $2";
    INSERT = "INSERT INTO demo_answers (id, demo_id, kind, subject, text, created_at, created_by, undo_until, outbox_id, \
            state_before, state_at_before, heard_at_before, shortlisted_at_before) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
}

/// The routes of answers and templates.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(templates::list_templates))
        .routes(routes!(templates::change_template))
        .routes(routes!(preview_answer))
        .routes(routes!(send_answer))
        .routes(routes!(waiting::take_answer_back))
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
}

/// What an answer is to be about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewBody {
    /// `received`, `shortlisted`, `declined` or `accepted`.
    #[schema(value_type = LetterKind)]
    kind: String,
}

/// A template as it would be sent to the sender of a demo.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AnswerPreview {
    /// The subject, filled in.
    pub subject: String,
    /// The text, filled in.
    pub text: String,
    /// Where it would go.
    pub to: String,
    /// When an answer of this kind left, or was written if it waits; null where there was none.
    pub was_sent_at: Option<String>,
}

/// An answer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    /// `received`, `shortlisted`, `declined` or `accepted`.
    #[schema(value_type = LetterKind)]
    kind: String,
    /// One line of at most 120 characters.
    subject: String,
    /// At most 10000 characters.
    text: String,
    /// Whether the sender is to have another one of this kind.
    #[serde(default)]
    again: bool,
}

/// What the label answered.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoAnswer {
    /// The row's id.
    pub id: Uuid,
    /// What it is about.
    pub kind: LetterKind,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
    /// When it was written.
    pub created_at: String,
    /// Who wrote it, by name; null where the account is gone, and of the letter that confirms a demo by itself.
    pub person: Option<String>,
    /// When it left; null while it waits, or where it never will.
    pub sent_at: Option<String>,
    /// When it was given up, because no server took it.
    pub failed_at: Option<String>,
    /// Until when it can be taken back; null once it cannot.
    pub undo_until: Option<String>,
}

/// An answer that was just written.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WrittenAnswer {
    /// The answer.
    #[serde(flatten)]
    pub answer: DemoAnswer,
    /// What letters were about that waited, told of another decision and are not sent for this one, the oldest first.
    pub taken_back: Vec<LetterKind>,
}

#[derive(sqlx::FromRow)]
struct AnswerRow {
    id: Uuid,
    kind: String,
    subject: String,
    text: String,
    created_at: Micros,
    person: Option<String>,
    undo_until: Micros,
    sent_at: Option<Micros>,
    failed_at: Option<Micros>,
}

impl AnswerRow {
    fn into_view(self, now: Micros) -> sqlx::Result<DemoAnswer> {
        let waits = self.sent_at.is_none() && self.failed_at.is_none() && now < self.undo_until;
        Ok(DemoAnswer {
            id: self.id,
            kind: known(LetterKind::named, &self.kind, ("demo_answers", "kind", &self.id))?,
            subject: self.subject,
            text: self.text,
            created_at: rfc3339(self.created_at),
            person: self.person,
            sent_at: self.sent_at.map(rfc3339),
            failed_at: self.failed_at.map(rfc3339),
            undo_until: waits.then(|| rfc3339(self.undo_until)),
        })
    }
}

/// The answers to a demo, the oldest first.
pub async fn list(db: &Db, demo: Uuid, now: Micros) -> sqlx::Result<Vec<DemoAnswer>> {
    let rows = db.query(OF_DEMO).bind(demo).all::<AnswerRow>().await?;
    rows.into_iter().map(|row| row.into_view(now)).collect()
}

/// A template filled in for a demo. Nothing is sent.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/answers/preview", tag = "admin", request_body = PreviewBody,
    params(("id" = Uuid, Path, description = "The demo's id")), responses(
    (status = 200, description = "What would be sent", body = AnswerPreview),
    (status = 404, description = "There is no such demo"),
))]
pub async fn preview_answer(
    app: AppState,
    _: Admin,
    PathId(id): PathId,
    ApiJson(body): ApiJson<PreviewBody>,
) -> AppResult<Json<AnswerPreview>> {
    let kind = named(&body.kind)?;
    let row = app.db.query(SHOWN_RECIPIENT).bind(id).optional::<(String, String, String)>().await?;
    let (artist, to, file) = row.ok_or_else(AppError::not_found)?;
    let (last,) = app.db.query(LAST).bind(id).bind(kind.name()).one::<(Option<Micros>,)>().await?;
    let template = words::read(&app.db, kind.name()).await?;
    let LetterForm { subject, text } = words::fill(&template, &app.label_name, &artist, &file);
    Ok(Json(AnswerPreview { subject, text, to, was_sent_at: last.map(rfc3339) }))
}

/// Answers a demo: its state becomes what the kind says, and the letter leaves half a minute later. One that waits and tells of another
/// decision is taken back.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/answers", tag = "admin", request_body = AnswerBody,
    params(("id" = Uuid, Path, description = "The demo's id"), IdempotencyKey), responses(
    (status = 201, description = "Written; it leaves at `undo_until`", body = WrittenAnswer),
    (status = 404, description = "There is no such demo"),
    (status = 409, description = "The demo has had an answer of this kind, and `again` does not say that it is to have another"),
))]
pub async fn send_answer(
    app: AppState,
    Admin(me): Admin,
    caller: Caller,
    PathId(id): PathId,
    RepeatableJson { body, request }: RepeatableJson<AnswerBody>,
) -> AppResult<Response> {
    let kind = named(&body.kind)?;
    let form = LetterForm { subject: body.subject, text: body.text };
    let form = check_letter(form).map_err(AppError::validation)?;
    let now = app.clock.now();
    // Without a key it is one of its kind by itself, unless it says `again`.
    let request = request.is_named().then_some(&request);
    let sender = me.session_id.to_string();
    let (mut tx, claim) = match idempotency::begin(&app.db, &app.keys, request, &sender, now).await? {
        Begun::New(tx, claim) => (tx, claim),
        Begun::Repeated(answer) => return Ok(answer),
    };
    let (_, to, _) = recipient(&mut tx, id).await?;
    let (last,) = tx.query(LAST).bind(id).bind(kind.name()).one::<(Option<Micros>,)>().await?;
    if last.is_some() && !body.again {
        return Err(AppError::from_code(StatusCode::CONFLICT, Code::AlreadyAnswered));
    }
    let step = match waiting::given_by(kind) {
        Some(state) => states::step(&mut tx, &me, &caller, id, state, now).await?.filter(Step::is_one),
        None => None,
    };
    let (before, taken_back) = step.map(|step| (step.before, step.taken_back)).unzip();
    let outbox_id = enqueue(&app, &mut tx, &to, &form, now).await?;
    letter::keep(&mut tx, id, outbox_id).await?;
    let answer = Uuid::now_v7();
    insert(&mut tx, (answer, id, outbox_id), kind, &form, &me, before.as_ref(), now).await?;
    edits::note(&mut tx, &me, &caller, "demo_answered", &format!("demo:{id}"), now).await?;
    let answer = find(&mut tx, answer, now).await?.ok_or_else(AppError::not_found)?;
    let written = WrittenAnswer { answer, taken_back: taken_back.unwrap_or_default() };
    let answered = idempotency::finish(tx, claim, &app.keys, &written).await?;
    Ok(answered)
}

async fn enqueue(app: &AppState, tx: &mut Tx, to: &str, form: &LetterForm, now: Micros) -> AppResult<Uuid> {
    let mail = Mail {
        kind: "demo_answer",
        to,
        letter: letter::answer(&app.label(), form),
        reply_to: Some(app.mail.contact_to()),
        not_before: Some(held_until(now)),
        not_after: None,
        patience: Patience::Account,
    };
    Ok(deadwax_mail::enqueue(tx, &app.keys, now, &mail).await?)
}

async fn insert(
    tx: &mut Tx,
    (id, demo, outbox_id): (Uuid, Uuid, Uuid),
    kind: LetterKind,
    form: &LetterForm,
    me: &SignedIn,
    before: Option<&Standing>,
    now: Micros,
) -> sqlx::Result<()> {
    tx.query(INSERT)
        .bind(id)
        .bind(demo)
        .bind(kind.name())
        .bind(&form.subject)
        .bind(&form.text)
        .bind(now)
        .bind(me.user_id)
        .bind(held_until(now))
        .bind(outbox_id)
        .bind(before.map(|before| before.state.as_str()))
        .bind(before.and_then(|before| before.state_at))
        .bind(before.and_then(|before| before.heard_at))
        .bind(before.and_then(|before| before.shortlisted_at))
        .execute()
        .await
        .map(drop)
}

/// Until when an answer of `now` waits.
fn held_until(now: Micros) -> Micros {
    now.saturating_add(micros(HOLD_MS))
}

/// Whose demo it is, where to answer, and what they call its file; 404 where it is gone. Its row stays locked.
async fn recipient(tx: &mut Tx, demo: Uuid) -> AppResult<(String, String, String)> {
    let row = tx.query(RECIPIENT).bind(demo).optional::<(String, String, String)>().await?;
    row.ok_or_else(AppError::not_found)
}

async fn find(tx: &mut Tx, id: Uuid, now: Micros) -> sqlx::Result<Option<DemoAnswer>> {
    let row = tx.query(FIND).bind(id).optional::<AnswerRow>().await?;
    row.map(|row| row.into_view(now)).transpose()
}

/// The kind of that name; 422 where there is none.
fn named(kind: &str) -> AppResult<LetterKind> {
    LetterKind::named(kind).ok_or_else(|| AppError::invalid("kind", Code::InvalidBody))
}
