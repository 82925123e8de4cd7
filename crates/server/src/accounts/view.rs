//! The session as its owner sees it: `GET /api/auth/session`, and the answer of everything that changes it.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_config::Origin;
use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::{Micros, micros, rfc3339},
    crypto::Token,
    ids::{SessionId, UserId},
};
use http::HeaderMap;
use rules::auth_stage::AuthStage;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::AppState,
    auth::{
        cookies,
        guard::{self, SignedIn},
        session::{self, TokenTransport},
    },
};

/// Empty: the same for every address.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accepted {}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct UserView {
    pub id: UserId,
    pub email: String,
    /// When the address was confirmed.
    pub confirmed_at: Option<String>,
    pub created_at: String,
    /// As typed at sign-up, with the present username.
    pub user_metadata: UserMetadata,
    /// Whether signing in asks for a second factor.
    pub mfa_enabled: bool,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct UserMetadata {
    /// The present username.
    pub username: Option<String>,
    /// Only its owner sees it.
    pub full_name: Option<String>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SessionInfo {
    pub id: SessionId,
    pub created_at: String,
    /// When to renew it.
    pub expires_at: String,
    /// Until when a change of password, address or second factor asks for no password.
    pub reauthenticated_until: Option<String>,
}

/// The public side of a person.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SessionProfile {
    pub id: UserId,
    pub username: String,
    pub avatar_url: Option<String>,
    pub created_at: String,
}

/// The admin record of an active admin.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AdminView {
    pub user_id: UserId,
    /// Always true: others have no record.
    pub active: bool,
    pub mfa_enabled: bool,
    /// Until when the second factor given in this session counts.
    pub mfa_verified_until: Option<String>,
}

/// The caller's session. For visitors everything is null or false.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the answer's stated fields")]
pub struct SessionView {
    pub user: Option<UserView>,
    pub session: Option<SessionInfo>,
    /// The profile; null although signed in when its row is missing.
    pub profile: Option<SessionProfile>,
    /// The admin record, for active admins.
    pub admin: Option<AdminView>,
    pub is_admin: bool,
    /// How far the person has come towards the admin area.
    pub auth_stage: AuthStage,
    /// Whether the second factor must be given before anything else.
    #[serde(rename = "mfaRequired")]
    pub mfa_required: bool,
    /// Whether the admin area stays closed until the person has set up a second factor.
    pub mfa_setup_required: bool,
    /// Whether the second factor given in this session counts.
    pub mfa_verified: bool,
    pub mfa_verified_until: Option<String>,
    /// When to renew the session.
    pub expires_at: Option<String>,
    /// Whether a change of rights has just retired the request's token: the call that made the change is about to
    /// bring the next one. Ask again.
    pub token_retired: bool,
    /// The session's token, for programs that asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub access_token: Option<String>,
    /// Always `bearer` (RFC 6750), beside the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub token_type: Option<&'static str>,
}

impl SessionView {
    pub fn of(signed_in: &SignedIn, now: Micros) -> Self {
        let found = &signed_in.found;
        let verified_until =
            found.mfa_verified_until.filter(|until| signed_in.factor_enabled && *until > now);
        let stamp_life = micros(rules::session::STAMP_MS);
        Self {
            user: Some(UserView {
                id: found.user_id,
                email: found.email.clone(),
                confirmed_at: found.confirmed_at.map(rfc3339),
                created_at: rfc3339(found.user_created_at),
                user_metadata: UserMetadata {
                    username: found.username.clone(),
                    full_name: found.full_name.clone(),
                },
                mfa_enabled: signed_in.factor_enabled,
            }),
            session: Some(SessionInfo {
                id: found.session_id,
                created_at: rfc3339(found.created_at),
                expires_at: rfc3339(found.expires_at),
                reauthenticated_until: found.stamped_at.map(|at| rfc3339(at + stamp_life)),
            }),
            profile: found.username.clone().map(|username| SessionProfile {
                id: found.user_id,
                username,
                avatar_url: found.avatar_url.clone(),
                created_at: rfc3339(found.profile_created_at.unwrap_or(found.user_created_at)),
            }),
            admin: signed_in.is_admin.then(|| AdminView {
                user_id: found.user_id,
                active: true,
                mfa_enabled: signed_in.factor_enabled,
                mfa_verified_until: verified_until.map(rfc3339),
            }),
            is_admin: signed_in.is_admin,
            auth_stage: signed_in.stage(now),
            mfa_required: signed_in.factor_pending(now),
            mfa_setup_required: signed_in.must_set_up_factor,
            mfa_verified: verified_until.is_some(),
            mfa_verified_until: verified_until.map(rfc3339),
            expires_at: Some(rfc3339(found.expires_at)),
            token_retired: false,
            access_token: None,
            token_type: None,
        }
    }
}

/// Answers with the session after it got a new token, which is returned the way the caller carries it.
pub async fn with_token(
    app: &AppState,
    session_id: SessionId,
    token: &Token,
    via: TokenTransport,
) -> AppResult<Response> {
    let mut view = current(app, session_id, via).await?;
    let mut headers = HeaderMap::new();
    (view.access_token, view.token_type) = hand_over(&app.origin, via, token, &mut headers);
    Ok((headers, Json(view)).into_response())
}

/// Hands the session's token to the caller: as a cookie, or as `access_token` and `token_type` of the answer, which
/// are empty otherwise.
pub fn hand_over(
    origin: &Origin,
    via: TokenTransport,
    token: &Token,
    headers: &mut HeaderMap,
) -> (Option<String>, Option<&'static str>) {
    match via {
        TokenTransport::Cookie => {
            cookies::set(origin, headers, cookies::Name::Session, token.expose());
            (None, None)
        }
        TokenTransport::Bearer => (Some(token.expose().to_owned()), Some("bearer")),
    }
}

/// The session after the caller's own changes.
pub async fn current(app: &AppState, session_id: SessionId, via: TokenTransport) -> AppResult<SessionView> {
    let found = session::find_by_id(&app.db, session_id).await?.ok_or_else(guard::not_authenticated)?;
    Ok(SessionView::of(&SignedIn::of(app.admin_mfa, found, via), app.clock.now()))
}
