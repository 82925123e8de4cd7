//! `/api/admin/desk/templates`: the editable texts of letters about demos.

use axum::{Json, extract::Path};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    columns::{Named as _, Timestamp},
    db::Tx,
    names, statements,
};
use rules::letter_template::{LetterForm, check_letter_template};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    app::AppState,
    auth::guard::Admin,
    editing::{self, Editor, IfMatch},
};

statements! {
    LIST = "SELECT kind, subject, text, updated_at, version FROM letter_templates";
    FIND = "SELECT kind, subject, text, updated_at, version FROM letter_templates WHERE kind = $1";
    UPDATE = "UPDATE letter_templates SET subject = $2, text = $3, updated_at = $4, version = version + 1 \
        WHERE kind = $1 AND version = $5";
}

names! {
    /// The kind of a letter, in the order of a demo's progress.
    LetterKind;
    /// The demo has arrived. The automatic confirmation uses it too.
    Received = "received";
    /// It is on the short list.
    Shortlisted = "shortlisted";
    /// It will not become a record.
    Declined = "declined";
    /// It will.
    Accepted = "accepted";
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct LetterTemplate {
    pub kind: LetterKind,
    /// The subject, with the placeholders `{artist}`, `{file}` and `{label}`.
    pub subject: String,
    /// The text, with the same placeholders.
    pub text: String,
    pub updated_at: Timestamp,
    /// The version that the next edit names in `If-Match`.
    pub version: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LetterTemplates {
    /// In the order of a demo's progress.
    pub items: Vec<LetterTemplate>,
    /// Always null: there are four.
    pub next_cursor: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TemplateBody {
    /// At most 120 characters. Only the placeholders `{artist}`, `{file}` and `{label}` are allowed.
    subject: String,
    /// At most 5000 characters, with the same placeholders.
    text: String,
}

/// The templates.
#[utoipa::path(get, path = "/api/admin/desk/templates", tag = "admin", responses(
    (status = 200, description = "All templates", body = LetterTemplates),
))]
pub async fn list_templates(app: AppState, _: Admin) -> AppResult<Json<LetterTemplates>> {
    let mut items = app.db.query(LIST).all::<LetterTemplate>().await?;
    items.sort_by_key(|template| LetterKind::ALL.iter().position(|kind| *kind == template.kind));
    Ok(Json(LetterTemplates { items, next_cursor: None }))
}

/// Changes a template. Waiting letters stay as they are.
#[utoipa::path(put, path = "/api/admin/desk/templates/{kind}", tag = "admin", request_body = TemplateBody,
    params(("kind" = LetterKind, Path, description = "Which template"), IfMatch), responses(
    (status = 200, description = "The template as it is now", body = LetterTemplate),
))]
pub async fn change_template(
    editor: Editor,
    Path(kind): Path<String>,
    IfMatch(seen): IfMatch,
    ApiJson(body): ApiJson<TemplateBody>,
) -> AppResult<Json<LetterTemplate>> {
    let kind = LetterKind::named(&kind).ok_or_else(AppError::not_found)?;
    let form = LetterForm { subject: body.subject, text: body.text };
    let form = check_letter_template(form).map_err(AppError::validation)?;
    let by = editor.act();
    let mut tx = by.app.db.begin().await?;
    let update =
        tx.query(UPDATE).bind(kind.name()).bind(&form.subject).bind(&form.text).bind(by.now).bind(seen);
    if update.execute().await? == 0 {
        return Err(editing::not_updated(find(&mut tx, kind).await?.is_some()));
    }
    let target = format!("letter_template:{}", kind.name());
    by.audit(&mut tx, "data_update", &target).await?;
    let stored = find(&mut tx, kind).await?.ok_or_else(AppError::not_found)?;
    tx.commit().await?;
    Ok(Json(stored))
}

async fn find(tx: &mut Tx, kind: LetterKind) -> sqlx::Result<Option<LetterTemplate>> {
    tx.query(FIND).bind(kind.name()).optional().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_are_those_of_the_rules() {
        assert_eq!(
            LetterKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>(),
            rules::letter_template::KINDS
        );
    }
}
