//! Judges each row of an import by the present subscriptions and suppressions.

use std::collections::HashMap;

use deadwax_store::{
    columns::Name,
    db::{Db, Source},
    ids::SubscriptionId,
    statements,
};
use rules::{
    newsletter_consent::{Consent, Known},
    subscriber_import::{Standing, SubscriberVerdict, verdict},
};
use serde_json::{Value, json};

use super::lists::{ListRow, Lists};
use crate::newsletter::suppressions::{self, Key, Suppressed};

statements! {
    KNOWN = "SELECT id, email, active, consent FROM newsletter_subscriptions \
        WHERE email IN (SELECT value ->> 'email' FROM json_each($1))";
}

/// Rows in one statement, and in one transaction, so that other writes wait only for moments.
pub const BATCH: usize = 1000;

/// A row with what becomes of it.
#[derive(Debug)]
pub struct Judged<'a> {
    pub row: &'a ListRow,
    pub verdict: SubscriberVerdict,
    /// The present subscription.
    pub known: Option<SubscriptionId>,
    pub code: Option<Suppressed>,
}

#[derive(sqlx_macros::FromRow)]
struct KnownRow {
    id: SubscriptionId,
    email: String,
    active: bool,
    consent: Name<Consent>,
}

/// Judges rows. Without a key nothing is suppressed yet.
pub async fn judged<'a>(
    source: &mut Source<'_>,
    key: Option<&Key>,
    rows: &'a [ListRow],
) -> sqlx::Result<Vec<Judged<'a>>> {
    let emails = rows.iter().filter(|row| !row.is_repeated).filter_map(|row| row.read.as_ref().ok());
    let emails = emails.map(|candidate| candidate.email.as_str());
    let mut known = HashMap::new();
    let list = emails.clone().map(|email| json!({"email": email})).collect::<Value>().to_string();
    source.query(KNOWN).bind(list).each(|row: KnownRow| drop(known.insert(row.email.clone(), row))).await?;
    let codes: HashMap<&str, Suppressed> =
        key.map(|key| emails.map(|email| (email, key.code_of(email))).collect()).unwrap_or_default();
    let all: Vec<Suppressed> = codes.values().cloned().collect();
    let suppressed = suppressions::among(source, &all).await?;
    Ok(rows
        .iter()
        .map(|row| {
            let Ok(candidate) = &row.read else {
                return Judged { row, verdict: SubscriberVerdict::Refused, known: None, code: None };
            };
            if row.is_repeated {
                return Judged { row, verdict: SubscriberVerdict::Repeated, known: None, code: None };
            }
            let email = candidate.email.as_str();
            let present = known.get(email);
            let code = codes.get(email).cloned();
            let verdict = verdict(
                candidate.standing,
                candidate.confirmed_at_ms.is_some(),
                present.map(|row| Known { active: row.active, consent: row.consent.0 }),
                code.as_ref().is_some_and(|code| suppressed.contains(code)),
            );
            Judged { row, verdict, known: present.map(|row| row.id), code }
        })
        .collect())
}

/// The verdict of every row, without writing.
pub async fn all_verdicts(db: &Db, key: Option<&Key>, lists: &Lists) -> sqlx::Result<Vec<SubscriberVerdict>> {
    let mut verdicts = Vec::with_capacity(lists.rows.len());
    for rows in lists.rows.chunks(BATCH) {
        let judged = judged(&mut db.into(), key, rows).await?;
        verdicts.extend(judged.iter().map(|judged| judged.verdict));
    }
    Ok(verdicts)
}

impl Judged<'_> {
    /// Why the address gets no letters, as stored.
    pub fn reason(&self) -> Option<&'static str> {
        match self.row.read.as_ref().ok()?.standing {
            Standing::Ended(reason) => Some(reason.as_str()),
            Standing::Never | Standing::Pending | Standing::Subscribed => None,
        }
    }
}
