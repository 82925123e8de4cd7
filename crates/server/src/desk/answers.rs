//! Answers to demos: templates filled in for one, and the letter that waits half a minute. Taking it back is in
//! `undo`.
//!
//! An answer sets the demo's state by its kind.

use axum::{Json, extract::DefaultBodyLimit, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiJson, PathId},
};
use deadwax_mail::Mail;
use deadwax_store::{
    clock::{Micros, micros},
    columns::{Name, Timestamp},
    db::{Db, Source, Tx},
    ids::DemoId,
    statements,
};
use http::StatusCode;
use rules::{
    demo_desk,
    demo_state::DemoState,
    letter_template::{BODY_MAX_BYTES, HOLD_MS, LetterForm, LetterKind, check_letter, fill_letter},
    messages::Code,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use super::{
    letters,
    standing::Standing,
    states::{self, Step},
    view,
};
use crate::{
    app::AppState,
    auth::guard::{Actor, Admin},
    demos::letter,
    editing::Editor,
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, RepeatableJson},
};

macro_rules! answers {
    () => {
        "SELECT a.id, a.kind, a.subject, a.text, a.created_at, p.username AS person, a.sent_at, a.failed_at, \
             CASE WHEN a.sent_at IS NULL AND a.failed_at IS NULL AND a.undo_until > $2 THEN a.undo_until END AS undo_until \
         FROM demo_answers a LEFT JOIN profiles p ON p.id = a.created_by"
    };
}

statements! {
    OF_DEMO = concat!(answers!(), " WHERE a.demo_id = $1 ORDER BY a.created_at, a.id");
    FIND = concat!(answers!(), " WHERE a.id = $1");
    RECIPIENT = "SELECT artist_name, email, original_name FROM demos WHERE id = $1 AND deleted_at IS NULL";
    LAST = "SELECT MAX(COALESCE(sent_at, created_at)) FROM demo_answers WHERE demo_id = $1 AND kind = $2 AND failed_at IS NULL";
    INSERT = "INSERT INTO demo_answers (id, demo_id, kind, subject, text, created_at, created_by, undo_until, outbox_id, \
            state_before, state_at_before, heard_at_before, shortlisted_at_before) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(letters::list_templates))
        .routes(routes!(letters::change_template))
        .routes(routes!(preview_answer))
        .routes(routes!(send_answer))
        .routes(routes!(letters::take_answer_back))
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewBody {
    /// `received`, `shortlisted`, `declined` or `accepted`.
    #[schema(value_type = LetterKind)]
    kind: String,
}

/// A template filled in for a demo.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AnswerPreview {
    pub subject: String,
    pub text: String,
    /// The recipient.
    pub to: String,
    /// When an answer of this kind was sent, or written if it waits; null without one, or if it was given up.
    pub was_sent_at: Option<Timestamp>,
}

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
    /// Whether to send another one of this kind.
    #[serde(default)]
    again: bool,
    /// The expected present state; 412 if it is another, unless it is that of the kind. Not read for `received`.
    #[schema(value_type = Option<DemoState>)]
    from: Option<String>,
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct DemoAnswer {
    pub id: Uuid,
    #[schema(value_type = LetterKind)]
    pub kind: Name<LetterKind>,
    pub subject: String,
    pub text: String,
    pub created_at: Timestamp,
    /// The author's name; null for deleted accounts, and for the automatic confirmation.
    pub person: Option<String>,
    /// When it was sent; null while it waits, and if it never will be.
    pub sent_at: Option<Timestamp>,
    /// When it was given up, because no server took it.
    pub failed_at: Option<Timestamp>,
    /// Until when it can be taken back; null once it cannot.
    pub undo_until: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WrittenAnswer {
    #[serde(flatten)]
    pub answer: DemoAnswer,
    /// The kinds of waiting letters with another decision, which are taken back, the oldest first.
    pub taken_back: Vec<LetterKind>,
}

pub async fn list(db: &Db, demo: DemoId, now: Micros) -> sqlx::Result<Vec<DemoAnswer>> {
    db.query(OF_DEMO).bind(demo).bind(now).all().await
}

/// Fills in a template for a demo. Nothing is sent.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/answers/preview", tag = "admin", request_body = PreviewBody, params(PathId), responses(
    (status = 200, description = "What would be sent", body = AnswerPreview),
))]
pub async fn preview_answer(
    app: AppState,
    _: Admin,
    PathId(id): PathId<DemoId>,
    ApiJson(body): ApiJson<PreviewBody>,
) -> AppResult<Json<AnswerPreview>> {
    let kind = named(&body.kind)?;
    let (artist, to, file) = recipient(&app.db, id).await?;
    let was_sent_at = app.db.query(LAST).bind(id).bind(kind.as_str()).value().await?;
    let template = letter::find_template(&app.db, kind).await?;
    let LetterForm { subject, text } =
        fill_letter(&template, &letter::values(&app.label_name(), &artist, &file));
    Ok(Json(AnswerPreview { subject, text, to, was_sent_at }))
}

/// Answers a demo: its state becomes that of the kind, and the letter is sent half a minute later. A waiting one with
/// another decision is taken back.
#[utoipa::path(post, path = "/api/admin/desk/demos/{id}/answers", tag = "admin", request_body = AnswerBody,
    params(PathId, IdempotencyKey), responses(
    (status = 201, description = "Written; it leaves at `undo_until`", body = WrittenAnswer),
    (status = 409, description = "The demo has had an answer of this kind, and `again` does not say that it is to have another"),
    (status = 412, description = "It stands elsewhere by now than `from` says"),
))]
pub async fn send_answer(
    editor: Editor,
    PathId(id): PathId<DemoId>,
    RepeatableJson { body, request }: RepeatableJson<AnswerBody>,
) -> AppResult<Response> {
    let kind = named(&body.kind)?;
    let seen = body.from.as_deref().map(demo_desk::state).transpose();
    let seen = seen.map_err(|error| AppError::invalid("from", error))?;
    let form = LetterForm { subject: body.subject, text: body.text };
    let form = check_letter(form).map_err(AppError::validation)?;
    let by = editor.act();
    // Without a key there is one answer of a kind, unless the request says `again`.
    let request = request.is_named().then_some(&request);
    let (mut tx, claim) = match by.begin(request).await? {
        ClaimedRequest::New(tx, claim) => (tx, claim),
        ClaimedRequest::Repeated(answer) => return Ok(answer),
    };
    // Of two answers at once, the second finds the first.
    view::lock(&mut tx, id).await?;
    let (_, to, _) = recipient(&mut tx, id).await?;
    let last = tx.query(LAST).bind(id).bind(kind.as_str()).value::<Option<Micros>>().await?;
    if last.is_some() && !body.again {
        return Err(AppError::from_code(StatusCode::CONFLICT, Code::AlreadyAnswered));
    }
    let step = match letters::given_by(kind) {
        Some(state) => states::step(&mut tx, by, id, state, seen).await?.filter(Step::changes_state),
        None => None,
    };
    let (before, taken_back) = step.map(|step| (step.before, step.taken_back)).unzip();
    let outbox_id = enqueue(by, &mut tx, &to, &form).await?;
    letter::keep(&mut tx, id, outbox_id).await?;
    let answer = Uuid::now_v7();
    insert(&mut tx, by, (answer, id, outbox_id), kind, &form, before.as_ref()).await?;
    by.check_and_record(&mut tx, "demo_answered", &format!("demo:{id}")).await?;
    let answer = tx.query(FIND).bind(answer).bind(by.now).one().await?;
    let written = WrittenAnswer { answer, taken_back: taken_back.unwrap_or_default() };
    idempotency::finish(tx, claim, &by.app.keys, &written).await
}

async fn enqueue(by: Actor<'_>, tx: &mut Tx, to: &str, form: &LetterForm) -> AppResult<Uuid> {
    let Actor { app, now, .. } = by;
    let mail = Mail {
        reply_to: Some(app.mail.contact_to()),
        not_before: Some(held_until(now)),
        ..Mail::new("demo_answer", to, letter::answer(&app.label(), form))
    };
    Ok(deadwax_mail::enqueue(tx, &app.keys, now, &mail).await?)
}

async fn insert(
    tx: &mut Tx,
    by: Actor<'_>,
    (id, demo, outbox_id): (Uuid, DemoId, Uuid),
    kind: LetterKind,
    form: &LetterForm,
    before: Option<&Standing>,
) -> sqlx::Result<()> {
    tx.query(INSERT)
        .bind(id)
        .bind(demo)
        .bind(kind.as_str())
        .bind(&form.subject)
        .bind(&form.text)
        .bind(by.now)
        .bind(by.me.user_id)
        .bind(held_until(by.now))
        .bind(outbox_id)
        .bind(before.map(|before| before.state.as_str()))
        .bind(before.and_then(|before| before.state_at))
        .bind(before.and_then(|before| before.heard_at))
        .bind(before.and_then(|before| before.shortlisted_at))
        .execute()
        .await
        .map(drop)
}

fn held_until(now: Micros) -> Micros {
    now.saturating_add(micros(HOLD_MS))
}

/// The artist, address and file name of a demo; 404 if it is deleted.
async fn recipient(source: impl Into<Source<'_>>, demo: DemoId) -> AppResult<(String, String, String)> {
    source.into().query(RECIPIENT).bind(demo).optional().await?.ok_or_else(AppError::not_found)
}

fn named(kind: &str) -> AppResult<LetterKind> {
    LetterKind::named(kind).ok_or_else(|| AppError::invalid("kind", Code::InvalidBody))
}
