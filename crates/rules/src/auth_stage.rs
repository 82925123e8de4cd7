//! How far a person has come towards the admin area. It says nothing about being signed in: menu and profile follow the session.

use serde::Serialize;

/// The three stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthStage {
    /// No session, or no active admin record.
    Unauthenticated,
    /// An admin whose second factor is missing.
    MfaPending,
    /// An admin who may read and write.
    Authenticated,
}

/// The admin record of the signed-in person, as far as the stage depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdminRecord {
    /// Only an active record makes an admin.
    pub active: bool,
    /// Whether the account asks for a second factor.
    pub mfa_enabled: bool,
    /// Until when the second factor given in this session counts.
    pub mfa_verified_until_ms: Option<f64>,
}

/// Decides the stage. A verification counts while its end lies in the future: at its end it is over.
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
