//! Proofs of consent, and confirming by the link in a mail. A proof says by which form, on which page, by which words and when; it holds
//! no network address.

use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::{Micros, micros, rfc3339},
    columns::Name,
    crypto::Token,
    ids::SubscriptionId,
    statements,
};
use rules::newsletter_consent::{
    CONFIRM_BUTTON, CONFIRM_HEADING, CONFIRM_SENTENCE, CONFIRMATION_MS, Consent,
};
use serde_json::json;

use super::suppressions;
use crate::{
    app::AppState,
    content::texts,
    numbers::{keep, kind::Kind},
};

/// A proof with the entry of parameter `$n` added, such as `"confirmed":{…}`; the same text on both engines.
macro_rules! proof_with {
    ($n:literal) => {
        concat!(
            "CASE WHEN proof = '{}' THEN '{' || CAST(",
            $n,
            " AS TEXT) || '}' \
                ELSE SUBSTR(proof, 1, LENGTH(proof) - 1) || ',' || CAST(",
            $n,
            " AS TEXT) || '}' END"
        )
    };
}
pub(super) use proof_with;

macro_rules! find {
    () => {
        "SELECT id, email, consent FROM newsletter_subscriptions \
            WHERE confirm_hash = $1 AND active AND (consent <> 'unconfirmed' OR asked_at > $2)"
    };
}

statements! {
    FIND = find!();
    LOCK = find!(), postgres + " FOR UPDATE";
    CONFIRM = concat!("UPDATE newsletter_subscriptions SET consent = 'confirmed', confirmed_at = $2, proof = ", proof_with!("$3"),
        ", suppressed = FALSE, ask_at = NULL, added_by = NULL, updated_at = $2, version = version + 1 WHERE id = $1");
}

/// The words of the form, for the proof of a subscription.
pub(super) async fn words_of_form(app: &AppState) -> sqlx::Result<Vec<String>> {
    let mut words = Vec::new();
    for key in ["newsletter_title", "newsletter_description"] {
        words.extend(texts::find(&app.db, key, &app.label_name()).await?.map(|text| text.value));
    }
    words.push("SUBSCRIBE".to_owned());
    Ok(words)
}

/// The entry of a proof for a subscription by the form.
pub(super) fn proof_of_form(words: &[String], now: Micros) -> String {
    let shown = json!({"form": "newsletter", "page": "/", "words": words, "at": rfc3339(now)});
    format!("\"subscribed\":{shown}")
}

fn proof_of_link(now: Micros) -> String {
    let words = [CONFIRM_HEADING, CONFIRM_SENTENCE, CONFIRM_BUTTON];
    let shown =
        json!({"form": "confirmation", "page": "/newsletter/confirm", "words": words, "at": rfc3339(now)});
    format!("\"confirmed\":{shown}")
}

#[derive(sqlx_macros::FromRow)]
struct Linked {
    id: SubscriptionId,
    email: String,
    consent: Name<Consent>,
}

fn good_since(now: Micros) -> Micros {
    now.saturating_sub(micros(CONFIRMATION_MS))
}

/// Whether the subscription of a confirmation link is confirmed; none if the link is unknown, used up or too old.
pub async fn is_confirmed(app: &AppState, token: &str) -> sqlx::Result<Option<bool>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    let found = app.db.query(FIND).bind(token.hash()).bind(good_since(app.clock.now()));
    Ok(found.optional::<Linked>().await?.map(|linked| linked.consent.0 == Consent::Confirmed))
}

/// Confirms the subscription of a link, once or again. False if the link is unknown, used up or too old.
pub async fn confirm(app: &AppState, token: &str) -> AppResult<bool> {
    let Some(token) = Token::parse(token) else { return Ok(false) };
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let found = tx.query(LOCK).bind(token.hash()).bind(good_since(now)).optional::<Linked>().await?;
    let Some(Linked { id, email, consent }) = found else { return Ok(false) };
    if consent.0 != Consent::Confirmed {
        tx.query(CONFIRM).bind(id).bind(now).bind(proof_of_link(now)).execute().await?;
        suppressions::code_of(&mut tx, &email, now).await?.lift(&mut tx).await?;
        keep::add_in(&mut tx, now, Kind::Confirmed, 1).await?;
        tx.commit().await?;
    }
    Ok(true)
}
