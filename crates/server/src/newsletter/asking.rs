//! Confirmation mails to earlier subscribers, and consent that was given elsewhere.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::bounce_box::BounceBox;
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::{Db, Statement},
    ids::{SubscriptionId, UserId},
    limits, statements,
};
use rules::newsletter_consent::{CHOSEN_MAX, ConsentError, vouch_sentence};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    confirmations::{self, HELD, without_mail},
    consent::proof_with,
    settings::{self, NewsletterSettings},
};
use crate::{app::AppState, auth::guard::Admin, catalogue::publication, editing::Editor};

macro_rules! not_waiting {
    () => {
        "active AND consent = 'unconfirmed' AND ask_at IS NULL"
    };
}
macro_rules! not_agreed {
    () => {
        "active AND consent = 'unconfirmed' AND NOT suppressed"
    };
}

/// The rows of `$1` in the one order in which transactions lock them.
macro_rules! these {
    ($lock:literal) => {
        concat!(
            "(SELECT n.id FROM newsletter_subscriptions n WHERE n.id IN (SELECT unhex(value ->> 'id') FROM json_each($1)) \
             ORDER BY n.id",
            $lock,
            ")"
        )
    };
}
macro_rules! ask {
    ($lock:literal) => {
        concat!(
            "UPDATE newsletter_subscriptions SET ask_at = $2 WHERE ",
            not_waiting!(),
            " AND ($3 OR ",
            without_mail!(),
            ") AND id IN ",
            these!($lock)
        )
    };
}
macro_rules! vouch {
    ($lock:literal) => {
        concat!(
            "UPDATE newsletter_subscriptions SET consent = 'vouched', proof = ",
            proof_with!("$3"),
            ", ask_at = NULL, updated_at = $2, version = version + 1 WHERE ",
            not_agreed!(),
            " AND id IN ",
            these!($lock)
        )
    };
}

statements! {
    COUNTS = "SELECT COALESCE(SUM(CASE WHEN consent = 'confirmed' THEN 1 ELSE 0 END), 0), \
            COALESCE(SUM(CASE WHEN consent = 'vouched' THEN 1 ELSE 0 END), 0), \
            COALESCE(SUM(CASE WHEN consent = 'unconfirmed' THEN 1 ELSE 0 END), 0), \
            COALESCE(SUM(CASE WHEN consent = 'unconfirmed' AND ask_at IS NOT NULL THEN 1 ELSE 0 END), 0) \
        FROM newsletter_subscriptions WHERE active";
    COUNT_NOT_ASKED = concat!("SELECT COUNT(*) FROM newsletter_subscriptions WHERE ", not_waiting!(), " AND ", without_mail!());
    NOT_ASKED = concat!("SELECT id FROM newsletter_subscriptions WHERE ", not_waiting!(), " AND ", without_mail!(), " ORDER BY id");
    // With $3 also those that had a mail.
    ASK = ask!(""), postgres ask!(" FOR UPDATE");
    NOT_AGREED = concat!("SELECT id FROM newsletter_subscriptions WHERE ", not_agreed!(), " ORDER BY id");
    VOUCH = vouch!(""), postgres vouch!(" FOR UPDATE");
}

/// Rows in one transaction, so that other writes wait only for moments. They stay changed when a later one fails.
const BATCH: usize = 1000;

/// The newsletter at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NewsletterSummary {
    pub settings: NewsletterSettings,
    /// Active subscribers who confirmed.
    pub confirmed: i64,
    /// Active ones who agreed elsewhere.
    pub vouched: i64,
    /// Active ones who have not confirmed.
    pub unconfirmed: i64,
    /// Those of them without a confirmation mail so far.
    pub not_asked: i64,
    /// Those of them whose confirmation mail waits for its turn.
    pub waiting: i64,
    /// Whether mail can be sent; confirmations wait until it can.
    pub can_send: bool,
    /// Whether letters come back to an address that the program learns of: `BOUNCE_ADDRESS` is set.
    pub sees_bounces: bool,
    /// Mails in the bounce mailbox that were not understood and stay unread there; null if it is not read, or not yet.
    pub left_unread: Option<u32>,
}

/// The settings, and how many subscribers gave which consent.
#[utoipa::path(get, path = "/api/admin/newsletter/settings", tag = "admin", responses(
    (status = 200, description = "The newsletter at a glance", body = NewsletterSummary),
))]
pub async fn show_newsletter(app: AppState, _: Admin) -> AppResult<Json<NewsletterSummary>> {
    let db = &app.db;
    let settings = settings::read(db).await?;
    let (confirmed, vouched, unconfirmed, waiting) = db.query(COUNTS).one::<(i64, i64, i64, i64)>().await?;
    let not_asked = db.query(COUNT_NOT_ASKED).value::<i64>().await?;
    let can_send = confirmations::can_send(&app);
    let sees_bounces = app.mail.bounce_address().is_some();
    Ok(Json(NewsletterSummary {
        settings,
        confirmed,
        vouched,
        unconfirmed,
        not_asked,
        waiting,
        can_send,
        sees_bounces,
        left_unread: app.mail.bounce_box().and_then(BounceBox::left_unread),
    }))
}

/// Which unconfirmed subscribers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmationsBody {
    /// At most 400, including ones that had a confirmation mail; if omitted, all without one.
    ids: Option<Vec<SubscriptionId>>,
}

/// How many subscribers an action changed.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Changed {
    pub changed: u64,
}

/// Queues confirmation mails to unconfirmed subscribers, sent as the bounds allow.
#[utoipa::path(post, path = "/api/admin/newsletter/confirmations", tag = "admin", request_body = ConfirmationsBody, responses(
    (status = 200, description = "How many will get a mail", body = Changed),
))]
pub async fn send_confirmations(
    editor: Editor,
    ApiJson(body): ApiJson<ConfirmationsBody>,
) -> AppResult<Json<Changed>> {
    let by = editor.act();
    let is_chosen = body.ids.is_some();
    let ids = ids_of(&by.app.db, body.ids, NOT_ASKED).await?;
    let mut changed = 0;
    for some in ids.chunks(BATCH) {
        let mut tx = by.app.db.begin().await?;
        limits::hold_in(&mut tx, HELD, by.now).await?;
        let asked = tx.query(ASK).bind(list(some)).bind(by.now).bind(is_chosen).execute().await?;
        if asked > 0 {
            by.check_and_record(&mut tx, "sensitive_update", &format!("newsletter_confirmations:{asked}"))
                .await?;
            tx.commit().await?;
            changed += asked;
        }
    }
    if changed > 0 {
        confirmations::send_soon(by.app);
    }
    Ok(Json(Changed { changed }))
}

/// Consent that was given elsewhere.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VouchBody {
    /// Where and how they agreed, in 10 to 500 characters. It is kept in the audit log and in each proof.
    sentence: String,
    /// At most 400 unconfirmed subscribers; all of them if omitted.
    ids: Option<Vec<SubscriptionId>>,
}

/// Notes that unconfirmed subscribers agreed elsewhere. Addresses that left, bounced, complained or were removed are passed over: only
/// their own confirmation counts.
#[utoipa::path(post, path = "/api/admin/newsletter/vouch", tag = "admin", request_body = VouchBody, responses(
    (status = 200, description = "For how many", body = Changed),
))]
pub async fn vouch(editor: Editor, ApiJson(body): ApiJson<VouchBody>) -> AppResult<Json<Changed>> {
    let sentence = vouch_sentence(&body.sentence).map_err(|error| AppError::invalid("sentence", error))?;
    let by = editor.act();
    let ids = ids_of(&by.app.db, body.ids, NOT_AGREED).await?;
    let proof = proof(&sentence, by.me.user_id, by.now);
    let mut changed = 0;
    for some in ids.chunks(BATCH) {
        let mut tx = by.app.db.begin().await?;
        limits::hold_in(&mut tx, HELD, by.now).await?;
        let vouched = tx.query(VOUCH).bind(list(some)).bind(by.now).bind(&proof).execute().await?;
        if vouched > 0 {
            by.check_and_record(&mut tx, "consent_vouch", &format!("newsletter:{vouched} {sentence}"))
                .await?;
            tx.commit().await?;
            changed += vouched;
        }
    }
    Ok(Json(Changed { changed }))
}

fn proof(sentence: &str, by: UserId, now: Micros) -> String {
    format!("\"vouched\":{}", json!({"sentence": sentence, "by": by, "at": rfc3339(now)}))
}

/// The chosen rows, or those that `all` finds.
async fn ids_of(
    db: &Db,
    chosen: Option<Vec<SubscriptionId>>,
    all: Statement,
) -> AppResult<Vec<SubscriptionId>> {
    match chosen {
        Some(ids) if ids.len() > CHOSEN_MAX => Err(AppError::invalid("ids", ConsentError::Chosen)),
        Some(ids) => Ok(ids),
        None => Ok(db.query(all).values().await?),
    }
}

fn list(ids: &[SubscriptionId]) -> String {
    publication::list(ids.iter().map(|id| id.0))
}
