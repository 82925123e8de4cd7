//! The newsletter: one row for each subscribed address. Subscribing always answers alike, so that it does not reveal subscribers, and
//! sends at most a confirmation mail, within narrow bounds, so that it cannot be used to send mail to others.

pub mod arrival;
pub mod asking;
pub mod confirmations;
pub mod consent;
pub mod imports;
pub mod leaving;
pub mod letters;
pub mod returned;
pub mod sending;
pub mod settings;
pub mod subscribers;
pub mod suppressions;
pub mod table;

use axum::{
    Json,
    extract::DefaultBodyLimit,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult, Problem},
    extract::ApiJson,
};
use deadwax_store::{
    clock::Micros,
    columns::Name,
    db::Tx,
    ids::SubscriptionId,
    limits::{self, LimitError},
    statements,
};
use http::StatusCode;
use rules::{
    email::Email,
    messages::Code,
    newsletter::{Subscription, read_subscription},
    newsletter_consent::{Consent, Known, subscribed},
    rate_limit::{NEWSLETTER, NEWSLETTER_GLOBAL},
    request::ROWS_BODY_MAX_BYTES,
};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt as _},
    routes,
};

use self::consent::proof_with;
use crate::{
    accounts::account_mail,
    app::AppState,
    requests::caller::Caller,
    requests::timing::{self, pad_to_multiple},
};

statements! {
    and arrival, asking, confirmations, consent, imports, leaving, letters, returned, sending, settings,
        subscribers, suppressions, table;
    KNOWN = "SELECT id, subscribed_at, active, consent FROM newsletter_subscriptions WHERE email = $1", postgres + " FOR UPDATE";
    // A subscription that begins anew keeps its link to leave.
    SUBSCRIBE = "INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at, consent, proof, suppressed) \
        VALUES ($1, $2, $3, $3, $3, $4, $5, $6) \
        ON CONFLICT (email) DO UPDATE SET active = TRUE, subscribed_at = excluded.subscribed_at, \
            updated_at = excluded.updated_at, version = newsletter_subscriptions.version + 1, \
            consent = excluded.consent, proof = excluded.proof, suppressed = excluded.suppressed, \
            confirmed_at = NULL, confirm_hash = NULL, asked_at = NULL, ask_at = NULL, \
            inactive_reason = NULL, inactive_at = NULL, added_by = NULL, ended_by = NULL \
        RETURNING id";
    // An earlier subscriber who was not asked yet uses the form, and so waits no longer with the others.
    AGAIN = concat!("UPDATE newsletter_subscriptions SET subscribed_at = $2, updated_at = $2, version = version + 1, proof = ",
        proof_with!("$3"), " WHERE id = $1 AND asked_at IS NULL AND proof NOT LIKE '%\"subscribed\":%'");
    // The undo of an import leaves it.
    ACTED = "UPDATE newsletter_subscriptions SET added_by = NULL WHERE id = $1 AND added_by IS NOT NULL";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(subscribe))
        .routes(routes!(subscribers::list_subscribers))
        .routes(routes!(subscribers::export_subscribers))
        .routes(routes!(table::export_consent))
        .routes(routes!(asking::show_newsletter, settings::set_newsletter))
        .routes(routes!(asking::send_confirmations).layer(DefaultBodyLimit::max(ROWS_BODY_MAX_BYTES)))
        .routes(routes!(asking::vouch).layer(DefaultBodyLimit::max(ROWS_BODY_MAX_BYTES)))
        .routes(routes!(subscribers::remove_subscriber))
        .merge(arrival::routes())
        .merge(letters::routes())
        .merge(sending::routes())
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
    match store(&app, &caller, &body).await {
        Ok(()) => {
            pad_to_multiple(started, timing::MAILED).await;
            let message = Code::NewsletterSubscribed.text().to_owned();
            Json(SubscribeAnswer { success: true, error: None, message }).into_response()
        }
        Err(error) => refusal(&error),
    }
}

/// Stores a subscription and counts it; a refused one is not counted.
async fn store(app: &AppState, caller: &Caller, body: &SubscribeBody) -> AppResult<()> {
    if body.trap.as_ref().is_some_and(|trap| !trap.is_empty()) {
        return Err(AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, Code::Refused)
            .with_detail(Code::NewsletterFailed.text()));
    }
    let email = read(&body.subscriber_email)?;
    let (now, words) = (app.clock.now(), consent::words_of_form(app).await?);
    let mut tx = app.db.begin().await?;
    let mut counters = limits::by_network("newsletter", caller.address, NEWSLETTER);
    counters.push(("newsletter-global".to_owned(), NEWSLETTER_GLOBAL.into()));
    limits::take_each_in(&mut tx, counters, now).await.map_err(|error| match error {
        LimitError::Exceeded(_) => AppError::from(error).with_detail(Code::NewsletterRateLimited.text()),
        LimitError::Database(cause) => cause.into(),
    })?;
    subscribe_in(&mut tx, app, email, &words, now).await?;
    Ok(tx.commit().await?)
}

#[derive(sqlx_macros::FromRow)]
struct KnownRow {
    id: SubscriptionId,
    subscribed_at: Micros,
    active: bool,
    consent: Name<Consent>,
}

async fn subscribe_in(
    tx: &mut Tx,
    app: &AppState,
    email: Email,
    words: &[String],
    now: Micros,
) -> AppResult<()> {
    // Those who subscribe wait for each other at the limit of all, so only an import inserts the address in between.
    let known = tx.query(KNOWN).bind(email.as_str()).optional::<KnownRow>().await?;
    let is_suppressed = suppressions::code_of(tx, email.as_str(), now).await?.is_there(tx).await?;
    let asks = settings::read(&mut *tx).await?.asks_to_confirm;
    let before = known.as_ref().map(|row| Known { active: row.active, consent: row.consent.0 });
    let step = subscribed(before, is_suppressed, asks);
    let mut asked = confirmations::Asked {
        id: known.as_ref().map_or_else(SubscriptionId::generate, |row| row.id),
        email: email.as_str().to_owned(),
        subscribed_at: known.map_or(now, |row| row.subscribed_at),
    };
    let proof = consent::proof_of_form(words, now);
    if step.consent.is_none() {
        tx.query(ACTED).bind(asked.id).execute().await?;
        if step.asks && tx.query(AGAIN).bind(asked.id).bind(now).bind(&proof).execute().await? > 0 {
            asked.subscribed_at = now;
        }
    }
    if let Some(consent) = step.consent {
        let subscribe = tx
            .query(SUBSCRIBE)
            .bind(asked.id)
            .bind(&asked.email)
            .bind(now)
            .bind(consent.as_str())
            .bind(format!("{{{proof}}}"))
            .bind(is_suppressed);
        asked.id = subscribe.value().await?;
        asked.subscribed_at = now;
    }
    if step.asks {
        confirmations::ask_now(tx, app, &asked, now).await?;
    }
    Ok(())
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
