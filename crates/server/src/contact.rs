//! The contact form: a visitor's message becomes one mail to the label, accepted when it is in the outbox. It is
//! stored nowhere else, and only until it is delivered.

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::DefaultBodyLimit,
    response::{IntoResponse as _, Response},
};
use deadwax_http::error::{AppError, AppResult, Problem};
use deadwax_mail::{Label, Letter, Mail, Part, Patience, say};
use deadwax_store::limits;
use http::StatusCode;
use rules::{
    contact::{BODY_MAX_BYTES, ContactForm, ContactMessage, UNTIL_SET_UP_SECONDS, check_contact},
    messages::Code,
    rate_limit::{CONTACT, CONTACT_DAY, CONTACT_GLOBAL},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt as _},
    routes,
};

use crate::{
    accounts::account_mail,
    app::AppState,
    requests::caller::Caller,
    requests::idempotency::{IdempotencyKey, Repeatable, RepeatableJson},
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(send).layer(DefaultBodyLimit::max(BODY_MAX_BYTES)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ContactBody {
    /// 2 to 100 characters.
    name: String,
    /// Where the label answers.
    email: String,
    /// 10 to 5000 characters.
    message: String,
    /// A hidden field. A request that fills it in is refused.
    trap: Option<String>,
}

/// The answer, refusals included.
#[derive(Default, Serialize, ToSchema)]
struct ContactAnswer {
    /// The text for a person, when it was refused.
    error: Option<String>,
    /// Stable name of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
    /// Field → message, when input broke a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fields: Option<BTreeMap<String, String>>,
}

/// Sends a message to the label.
#[utoipa::path(post, path = "/api/contact", tag = "contact", request_body = ContactBody, params(IdempotencyKey), responses(
    (status = 200, description = "Accepted: it will be delivered", body = ContactAnswer),
    (status = 422, description = "A field breaks a rule, `refused`, or a body of another form (then a problem)", content((ContactAnswer = "application/json"), (Problem = "application/problem+json"))),
    (status = 429, description = "Too many messages", body = ContactAnswer),
    (status = 503, description = "`mail_unavailable`: the label cannot get mail; or the database does not answer", content((ContactAnswer = "application/json"), (Problem = "application/problem+json"))),
))]
async fn send(
    app: AppState,
    caller: Caller,
    RepeatableJson { body, request }: RepeatableJson<ContactBody>,
) -> Response {
    match accept(&app, &caller, body, &request).await {
        Ok(()) => Json(ContactAnswer::default()).into_response(),
        Err(error) => refusal(&error),
    }
}

/// Puts the message into the outbox and counts it; a refused one is not counted. A double click is counted again, so
/// that the limits hold for repeated messages; a repetition with a key is not.
async fn accept(app: &AppState, caller: &Caller, body: ContactBody, request: &Repeatable) -> AppResult<()> {
    if body.trap.as_ref().is_some_and(|trap| !trap.is_empty()) {
        return Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::Refused)
            .with_detail(Code::ContactFailed.text()));
    }
    let form =
        ContactForm { name: body.name, email: account_mail::to_ascii(&body.email), message: body.message };
    let message = check_contact(form).map_err(AppError::validation)?;
    if !app.mail.has_server() && !app.origin.is_loopback() {
        // Captured mail would never be read there.
        return Err(AppError::busy(UNTIL_SET_UP_SECONDS)
            .with_code(Code::MailUnavailable)
            .with_detail(Code::ContactFailed.text()));
    }
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let claim = request.claim(&mut tx, &app.keys, &caller.network(), now).await?;
    let is_repeated = claim.earlier().is_some();
    if is_repeated && request.is_named() {
        return Ok(());
    }
    let mut counters = limits::by_network("contact", caller.address, CONTACT);
    counters.extend(limits::by_network("contact-day", caller.address, CONTACT_DAY));
    counters.push(("contact-global".to_owned(), CONTACT_GLOBAL.into()));
    limits::take_each_in(&mut tx, counters, now).await?;
    if is_repeated {
        return Ok(tx.commit().await?);
    }
    let letter = from_visitor(&app.label(), &message);
    let mail = Mail {
        reply_to: Some(message.email.as_str()),
        patience: Patience::Message,
        ..Mail::new("contact", app.mail.contact_to(), letter)
    };
    deadwax_mail::enqueue(&mut tx, &app.keys, now, &mail).await?;
    claim.keep(&mut tx, &app.keys, &[]).await?;
    Ok(tx.commit().await?)
}

fn refusal(error: &AppError) -> Response {
    let fields = error.fields();
    let answer = ContactAnswer {
        error: Some(error.detail().to_owned()),
        code: Some(error.code()),
        fields: (!fields.is_empty()).then(|| fields.clone()),
    };
    error.answer_with(&answer)
}

/// The letter with a visitor's message, whose words are in its body only, never in a header.
fn from_visitor(label: &Label<'_>, message: &ContactMessage) -> Letter {
    label.letter(
        "message from the contact form",
        "MESSAGE FROM THE CONTACT FORM",
        &[
            say(format!("Somebody wrote to you on your website {}.", label.when())),
            Part::Quote("Name", message.name.clone()),
            Part::Quote("Email", message.email.as_str().to_owned()),
            Part::Quote("Message", message.message.clone()),
            say("An answer to this mail goes to the address above. Nobody has proved that it is theirs."),
        ],
    )
}
