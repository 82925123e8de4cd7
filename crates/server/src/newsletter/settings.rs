//! Settings of consent to the newsletter.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    db::{Db, Tx},
    statements,
};
use rules::newsletter_consent::{CONFIRMATIONS_A_DAY, confirmations_a_day};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::editing::Editor;

statements! {
    FIND = "SELECT asks_to_confirm, confirmations_a_day FROM newsletter_settings";
    SET = "INSERT INTO newsletter_settings (id, asks_to_confirm, confirmations_a_day, updated_at) \
        VALUES (1, COALESCE(CAST($1 AS BOOLEAN), TRUE), COALESCE(CAST($2 AS BIGINT), $3), $4) \
        ON CONFLICT (id) DO UPDATE SET asks_to_confirm = COALESCE(CAST($1 AS BOOLEAN), newsletter_settings.asks_to_confirm), \
            confirmations_a_day = COALESCE(CAST($2 AS BIGINT), newsletter_settings.confirmations_a_day), updated_at = $4";
}

/// The settings of the newsletter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct NewsletterSettings {
    /// Whether new subscribers get a confirmation mail.
    pub asks_to_confirm: bool,
    /// Maximum number of confirmation mails in a day.
    pub confirmations_a_day: i64,
}

const PRESET: NewsletterSettings =
    NewsletterSettings { asks_to_confirm: true, confirmations_a_day: CONFIRMATIONS_A_DAY as i64 };

pub(super) async fn read_in(tx: &mut Tx) -> sqlx::Result<NewsletterSettings> {
    Ok(tx.query(FIND).optional().await?.unwrap_or(PRESET))
}

pub(super) async fn read(db: &Db) -> sqlx::Result<NewsletterSettings> {
    Ok(db.query(FIND).optional().await?.unwrap_or(PRESET))
}

/// New settings; omitted ones stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewsletterSettingsBody {
    asks_to_confirm: Option<bool>,
    /// 1 to 4800.
    confirmations_a_day: Option<i64>,
}

/// Changes the settings.
#[utoipa::path(patch, path = "/api/admin/newsletter/settings", tag = "admin", request_body = NewsletterSettingsBody, responses(
    (status = 200, description = "What is set now", body = NewsletterSettings),
))]
pub async fn set_newsletter(
    editor: Editor,
    ApiJson(body): ApiJson<NewsletterSettingsBody>,
) -> AppResult<Json<NewsletterSettings>> {
    let a_day = body.confirmations_a_day.map(confirmations_a_day).transpose();
    let a_day = a_day.map_err(|error| AppError::invalid("confirmations_a_day", error))?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let before = read_in(&mut tx).await?;
    let set = tx.query(SET).bind(body.asks_to_confirm).bind(a_day);
    set.bind(PRESET.confirmations_a_day).bind(by.now).execute().await?;
    let after = read_in(&mut tx).await?;
    if after != before {
        by.audit(&mut tx, "data_update", "newsletter_settings").await?;
        tx.commit().await?;
    }
    Ok(Json(after))
}
