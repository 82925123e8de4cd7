//! Settings of the newsletter: consent, and the pace of letters.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{db::Source, limits, statements};
use rules::{
    letter_sending::{LETTERS_A_SECOND, letters_a_second, letters_bound, postal_address},
    newsletter_consent::{CONFIRMATIONS_A_DAY, confirmations_a_day},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::editing::Editor;

statements! {
    FIND = "SELECT asks_to_confirm, confirmations_a_day, letters_a_second, letters_an_hour, letters_a_day, postal_address \
        FROM newsletter_settings";
    SET = "INSERT INTO newsletter_settings (id, asks_to_confirm, confirmations_a_day, letters_a_second, letters_an_hour, letters_a_day, \
            postal_address, updated_at) \
        VALUES (1, $1, $2, $3, $4, $5, $6, $7) \
        ON CONFLICT (id) DO UPDATE SET asks_to_confirm = excluded.asks_to_confirm, \
            confirmations_a_day = excluded.confirmations_a_day, letters_a_second = excluded.letters_a_second, \
            letters_an_hour = excluded.letters_an_hour, letters_a_day = excluded.letters_a_day, \
            postal_address = excluded.postal_address, updated_at = excluded.updated_at";
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct NewsletterSettings {
    /// Whether new subscribers get a confirmation mail.
    pub asks_to_confirm: bool,
    /// Maximum number of confirmation mails in a day.
    pub confirmations_a_day: i64,
    /// Maximum number of letters in a second.
    pub letters_a_second: i64,
    /// In an hour; null if unbounded.
    pub letters_an_hour: Option<i64>,
    /// In a day; null if unbounded.
    pub letters_a_day: Option<i64>,
    /// Printed below each letter, with its line breaks. May be empty.
    pub postal_address: String,
}

const PRESET: NewsletterSettings = NewsletterSettings {
    asks_to_confirm: true,
    confirmations_a_day: CONFIRMATIONS_A_DAY as i64,
    letters_a_second: LETTERS_A_SECOND as i64,
    letters_an_hour: None,
    letters_a_day: None,
    postal_address: String::new(),
};

pub(super) async fn read(source: impl Into<Source<'_>>) -> sqlx::Result<NewsletterSettings> {
    Ok(source.into().query(FIND).optional().await?.unwrap_or(PRESET))
}

/// New settings; omitted ones stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewsletterSettingsBody {
    asks_to_confirm: Option<bool>,
    /// 1 to 4800.
    confirmations_a_day: Option<i64>,
    /// 1 to 50.
    letters_a_second: Option<i64>,
    /// 1 to 1000000; 0 lifts the bound.
    letters_an_hour: Option<i64>,
    /// 1 to 1000000; 0 lifts the bound.
    letters_a_day: Option<i64>,
    /// At most 300 characters; empty takes it away.
    postal_address: Option<String>,
}

impl NewsletterSettingsBody {
    fn apply(self, to: &mut NewsletterSettings) -> AppResult<()> {
        let bound = |field, bound| match bound {
            0 => Ok(None),
            bound => letters_bound(bound).map(Some).map_err(|error| AppError::invalid(field, error)),
        };
        if let Some(asks) = self.asks_to_confirm {
            to.asks_to_confirm = asks;
        }
        if let Some(number) = self.confirmations_a_day {
            to.confirmations_a_day = confirmations_a_day(number)
                .map_err(|error| AppError::invalid("confirmations_a_day", error))?;
        }
        if let Some(number) = self.letters_a_second {
            to.letters_a_second =
                letters_a_second(number).map_err(|error| AppError::invalid("letters_a_second", error))?;
        }
        if let Some(number) = self.letters_an_hour {
            to.letters_an_hour = bound("letters_an_hour", number)?;
        }
        if let Some(number) = self.letters_a_day {
            to.letters_a_day = bound("letters_a_day", number)?;
        }
        if let Some(typed) = &self.postal_address {
            to.postal_address =
                postal_address(typed).map_err(|error| AppError::invalid("postal_address", error))?;
        }
        Ok(())
    }
}

/// Changes the settings.
#[utoipa::path(patch, path = "/api/admin/newsletter/settings", tag = "admin", request_body = NewsletterSettingsBody, responses(
    (status = 200, description = "What is set now", body = NewsletterSettings),
))]
pub async fn set_newsletter(
    editor: Editor,
    ApiJson(body): ApiJson<NewsletterSettingsBody>,
) -> AppResult<Json<NewsletterSettings>> {
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    // One after the other, because a change is made of what is set.
    limits::hold_in(&mut tx, "newsletter-settings", by.now).await?;
    let before = read(&mut tx).await?;
    let mut after = before.clone();
    body.apply(&mut after)?;
    if after != before {
        let set = tx.query(SET).bind(after.asks_to_confirm).bind(after.confirmations_a_day);
        let set = set.bind(after.letters_a_second).bind(after.letters_an_hour).bind(after.letters_a_day);
        set.bind(&after.postal_address).bind(by.now).execute().await?;
        by.check_and_record(&mut tx, "sensitive_update", "newsletter_settings").await?;
        tx.commit().await?;
    }
    Ok(Json(after))
}
