//! The profile of the signed-in person, and its username.

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{
    clock::rfc3339,
    columns::{Named as _, Timestamp},
    ids::UserId,
    limits, statements,
};
use http::StatusCode;
use rules::{messages::Code, rate_limit, username::Username};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{links::Purpose, rows, sign_up};
use crate::{
    app::AppState,
    auth::{
        By,
        guard::{SignedIn, VerifiedMember},
    },
};

statements! {
    FIND = "SELECT p.id, p.username, u.email, p.avatar_url, p.created_at, u.full_name, \
            f.enabled_at IS NOT NULL AS mfa_enabled, \
            (SELECT COUNT(*) FROM recovery_codes r \
                WHERE r.user_id = u.id AND r.kind = 'offline' AND r.used_at IS NULL) AS recovery_codes_left, \
            (SELECT t.email FROM one_time_tokens t \
                WHERE t.user_id = u.id AND t.purpose = $2 AND t.used_at IS NULL AND t.voided_at IS NULL \
                    AND t.expires_at > $3 \
                ORDER BY t.created_at DESC, t.expires_at DESC LIMIT 1) AS pending_email \
        FROM profiles p JOIN users u ON u.id = p.id LEFT JOIN two_factor f ON f.user_id = u.id \
        WHERE p.id = $1";
    EXISTS = "SELECT id FROM profiles WHERE id = $1";
    RENAME = "UPDATE profiles SET username = $2, username_key = $3, updated_at = $4, version = version + 1 \
        WHERE id = $1";
}

/// A person's profile as they see it themselves.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ProfileView {
    pub id: UserId,
    /// The name people sign in with.
    pub username: String,
    pub email: String,
    pub avatar_url: Option<String>,
    pub created_at: Timestamp,
    /// The same as month and year, such as `November 2026`.
    #[sqlx(skip)]
    pub member_since: String,
    /// As typed at sign-up; only its owner sees it.
    pub full_name: Option<String>,
    /// Whether signing in asks for a second factor.
    pub mfa_enabled: bool,
    /// Whether this session may replace the account's authenticator, because a recovery code opened it.
    #[sqlx(skip)]
    pub can_replace_authenticator: bool,
    /// Recovery codes that were not used yet.
    pub recovery_codes_left: i64,
    /// The requested address that is not confirmed yet.
    pub pending_email: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UsernameBody {
    /// 3 to 20 letters, digits, underscores and hyphens.
    username: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Availability {
    available: bool,
}

/// 404: the account has no profile; `POST /api/profile` makes one.
pub fn profile_missing() -> AppError {
    AppError::from_code(StatusCode::NOT_FOUND, Code::ProfileMissing)
}

pub async fn view(app: &AppState, me: &SignedIn) -> AppResult<Json<ProfileView>> {
    let row = app.db.query(FIND).bind(me.user_id).bind(Purpose::EmailChange.as_str()).bind(app.clock.now());
    let mut view = row.optional::<ProfileView>().await?.ok_or_else(profile_missing)?;
    view.member_since = rules::format::month_label(&rfc3339(view.created_at.0)).unwrap_or_default();
    view.can_replace_authenticator = view.mfa_enabled && me.recovered_at.is_some();
    Ok(Json(view))
}

/// The profile of the signed-in person.
#[utoipa::path(get, path = "/api/profile", tag = "profile", responses(
    (status = 200, description = "The profile", body = ProfileView),
    (status = 404, description = "The account has no profile"),
))]
pub async fn show_profile(app: AppState, VerifiedMember(me): VerifiedMember) -> AppResult<Json<ProfileView>> {
    view(&app, &me).await
}

/// Creates a missing profile, under a default name. An existing one stays as it is.
#[utoipa::path(post, path = "/api/profile", tag = "profile", responses(
    (status = 200, description = "The profile", body = ProfileView),
))]
pub async fn repair_profile(by: By<VerifiedMember>) -> AppResult<Json<ProfileView>> {
    let by = by.act();
    let mut tx = by.app.db.begin().await?;
    // Serialises two tabs that repair at once.
    let email = rows::lock(&mut tx, by.me.user_id).await?.ok_or_else(profile_missing)?;
    by.me.require_still(&mut tx, by.now).await?;
    if !tx.query(EXISTS).bind(by.me.user_id).exists().await? {
        sign_up::insert_default_profile(&mut tx, by.me.user_id, &email, by.now).await?;
        by.record_unchecked(&mut tx, "user_updated", "repaired", Some("profile")).await?;
    }
    tx.commit().await?;
    view(by.app, by.me).await
}

/// Changes the username.
#[utoipa::path(patch, path = "/api/profile", tag = "profile", request_body = UsernameBody, responses(
    (status = 200, description = "The profile under its new name", body = ProfileView),
    (status = 404, description = "The account has no profile"),
    (status = 409, description = "The name is taken"),
    (status = 429, description = "Too many names"),
))]
pub async fn change_profile(
    by: By<VerifiedMember>,
    body: Result<ApiJson<UsernameBody>, AppError>,
) -> AppResult<Json<ProfileView>> {
    let by = by.act();
    let body = match body {
        Ok(ApiJson(body)) => body,
        Err(refusal) => {
            if refusal.code() == Code::UnknownField.as_str() {
                by.record_refusal("malicious_extraneous", &refusal, "profile").await?;
            }
            return Err(refusal);
        }
    };
    count_question(by.app, by.me).await?;
    let name = username(&body)?;
    let mut tx = by.app.db.begin().await?;
    by.me.require_still(&mut tx, by.now).await?;
    rows::free_name(&mut tx, &name, by.me.user_id, by.now).await.map_err(taken)?;
    // The unique key decides who gets a name.
    let rename = tx.query(RENAME).bind(by.me.user_id).bind(name.as_str()).bind(name.key()).bind(by.now);
    if rename.execute().await.map_err(taken)? == 0 {
        return Err(profile_missing());
    }
    by.record_unchecked(&mut tx, "user_updated", "ok", Some("username")).await?;
    tx.commit().await?;
    view(by.app, by.me).await
}

/// Whether a username is free.
#[utoipa::path(post, path = "/api/profile/username-check", tag = "profile", request_body = UsernameBody, responses(
    (status = 200, description = "Whether the name is free", body = Availability),
    (status = 429, description = "Too many questions"),
))]
pub async fn check_username(
    app: AppState,
    VerifiedMember(me): VerifiedMember,
    ApiJson(body): ApiJson<UsernameBody>,
) -> AppResult<Json<Availability>> {
    count_question(&app, &me).await?;
    let name = username(&body)?;
    Ok(Json(Availability { available: !rows::is_taken_for_good(&app.db, &name, me.user_id).await? }))
}

/// Counts one try with a username: a change reveals as much about taken names as a question.
async fn count_question(app: &AppState, me: &SignedIn) -> AppResult<()> {
    let key = format!("username-check:{}", me.user_id);
    Ok(limits::take(&app.db, &key, rate_limit::USERNAME_CHECK, app.clock.now()).await?)
}

/// 409 for a taken name.
fn taken(error: sqlx::Error) -> AppError {
    if rows::is_conflict(&error) {
        AppError::from_code(StatusCode::CONFLICT, Code::UsernameTaken)
    } else {
        error.into()
    }
}

fn username(body: &UsernameBody) -> AppResult<Username> {
    Username::parse(&body.username).map_err(|error| AppError::invalid("username", error))
}
