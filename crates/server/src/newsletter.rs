//! The newsletter: one row for each subscribed address. Subscribing sends no mail, so that it cannot be used to send
//! mail to others, and always answers alike, so that it does not reveal subscribers.

pub mod subscribers;

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult, Problem},
    extract::ApiJson,
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Statement},
    limits::{self, LimitError},
    statements,
};
use http::StatusCode;
use rules::{
    email::Email,
    messages::Code,
    newsletter::{Subscription, read_subscription},
    rate_limit::{NEWSLETTER, NEWSLETTER_GLOBAL},
};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

use crate::{
    accounts::account_mail,
    app::AppState,
    requests::caller::Caller,
    requests::timing::{self, pad_to_multiple},
};

statements! {
    SUBSCRIBE = "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at) \
        VALUES ($1, $2, $3, $3, $3) \
        ON CONFLICT (email) DO UPDATE SET active = TRUE, subscribed_at = excluded.subscribed_at, \
            updated_at = excluded.updated_at, version = newsletter_subscriptions.version + 1 \
        WHERE NOT newsletter_subscriptions.active";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(subscribe))
        .routes(routes!(subscribers::list_subscribers))
        .routes(routes!(subscribers::export_subscribers))
        .routes(routes!(subscribers::remove_subscriber))
}

pub(crate) fn statements() -> Vec<(&'static str, Statement)> {
    [STATEMENTS, &subscribers::statements()].concat()
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SubscribeBody {
    subscriber_email: String,
    /// Ignored: the server knows the client's address.
    #[serde(rename = "client_ip")]
    _client_ip: Option<String>,
    /// A hidden field. A request that fills it in is refused.
    trap: Option<String>,
}

/// The answer, refusals included.
#[derive(Serialize, ToSchema)]
struct SubscribeAnswer {
    /// Whether the address is subscribed now.
    success: bool,
    /// `invalid_email`, `rate_limited`, `refused`, or the code of a fault of the server.
    error: Option<&'static str>,
    /// The text for a person.
    message: String,
}

/// Subscribes an address.
#[utoipa::path(post, path = "/api/newsletter", tag = "newsletter", request_body = SubscribeBody, responses(
    (status = 200, description = "Subscribed, now or before", body = SubscribeAnswer),
    (status = 422, description = "`invalid_email`, `refused`, or a body of another form (then a problem)", content((SubscribeAnswer = "application/json"), (Problem = "application/problem+json"))),
    (status = 429, description = "Too many subscriptions", body = SubscribeAnswer),
    (status = 503, description = "The database does not answer", content((SubscribeAnswer = "application/json"), (Problem = "application/problem+json"))),
))]
async fn subscribe(app: AppState, caller: Caller, ApiJson(body): ApiJson<SubscribeBody>) -> Response {
    let started = Instant::now();
    match store(&app.db, app.clock.now(), &caller, &body).await {
        Ok(()) => {
            pad_to_multiple(started, timing::STORED).await;
            let message = Code::NewsletterSubscribed.text().to_owned();
            Json(SubscribeAnswer { success: true, error: None, message }).into_response()
        }
        Err(error) => refusal(&error),
    }
}

/// Stores a subscription and counts it; a refused one is not counted.
async fn store(db: &Db, now: Micros, caller: &Caller, body: &SubscribeBody) -> AppResult<()> {
    if body.trap.as_ref().is_some_and(|trap| !trap.is_empty()) {
        return Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::Refused)
            .with_detail(Code::NewsletterFailed.text()));
    }
    let email = read(&body.subscriber_email)?;
    let mut tx = db.begin().await?;
    let mut counters = limits::by_network("newsletter", caller.address, NEWSLETTER);
    counters.push(("newsletter-global".to_owned(), NEWSLETTER_GLOBAL.into()));
    limits::take_each_in(&mut tx, counters, now).await.map_err(|error| match error {
        LimitError::Exceeded(_) => AppError::from(error).with_detail(Code::NewsletterRateLimited.text()),
        LimitError::Database(cause) => cause.into(),
    })?;
    tx.query(SUBSCRIBE).bind(Uuid::now_v7()).bind(email.as_str()).bind(now).execute().await?;
    Ok(tx.commit().await?)
}

/// Parses an address. A line break is refused even at its ends, because subscribers are exported one to a line.
fn read(typed: &str) -> AppResult<Email> {
    match read_subscription(&account_mail::to_ascii(typed)) {
        Subscription::Subscribe { email } if !typed.contains(char::is_control) => Ok(email),
        _ => Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::InvalidEmail)),
    }
}

fn refusal(error: &AppError) -> Response {
    let answer =
        SubscribeAnswer { success: false, error: Some(error.code()), message: error.detail().to_owned() };
    error.answer_with(&answer)
}
