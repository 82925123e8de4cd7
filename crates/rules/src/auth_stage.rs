//! Access to the admin area. It is independent of being signed in: menu and profile depend on the session.

use serde::Serialize;

/// Stage of access to the admin area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Stage))]
#[serde(rename_all = "snake_case")]
pub enum AuthStage {
    /// No session, or no active admin record.
    #[default]
    Unauthenticated,
    /// An admin without a verified second factor.
    MfaPending,
    /// An admin with full access.
    Authenticated,
}

/// The parts of the admin record that decide the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdminRecord {
    /// Whether the person is an admin.
    pub active: bool,
    /// Whether the account has a second factor.
    pub mfa_enabled: bool,
    /// End of the session's second-factor verification, in Unix milliseconds.
    pub mfa_verified_until_ms: Option<f64>,
}

/// Decides the stage at `now_ms`. A verification ends exactly at its end time.
///
/// ```
/// use rules::auth_stage::{AdminRecord, AuthStage, auth_stage};
/// let admin = AdminRecord { active: true, mfa_enabled: true, mfa_verified_until_ms: Some(1_000.0) };
/// assert_eq!(auth_stage(true, Some(admin), 999.0), AuthStage::Authenticated);
/// assert_eq!(auth_stage(true, Some(admin), 1_000.0), AuthStage::MfaPending);
/// assert_eq!(auth_stage(true, None, 0.0), AuthStage::Unauthenticated);
/// ```
pub fn auth_stage(has_session: bool, admin: Option<AdminRecord>, now_ms: f64) -> AuthStage {
    match admin {
        Some(admin) if has_session && admin.active => {
            let verified = admin.mfa_verified_until_ms.is_some_and(|until| until > now_ms);
            if !admin.mfa_enabled || verified { AuthStage::Authenticated } else { AuthStage::MfaPending }
        }
        _ => AuthStage::Unauthenticated,
    }
}
