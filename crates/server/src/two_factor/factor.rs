//! The rows of the factor: its secret, the pending one, and the used-up steps.

use deadwax_store::{
    clock::{Micros, micros},
    crypto::Keys,
    db::Tx,
    statements,
};
use rules::mfa::SETUP_MS;
use uuid::Uuid;

use deadwax_http::error::AppResult;
use deadwax_mail::letters::FactorLeft;
use zeroize::Zeroizing;

statements! {
    LOCK = "SELECT secret, enabled_at, last_step, pending_secret, pending_at FROM two_factor WHERE user_id = $1",
        postgres + " FOR UPDATE";
    SET_PENDING = "INSERT INTO two_factor (user_id, pending_secret, pending_at) \
        VALUES ($1, $2, $3) \
        ON CONFLICT (user_id) DO UPDATE SET pending_secret = $2, pending_at = $3 \
        WHERE two_factor.secret IS NULL";
    SET_REPLACEMENT = "UPDATE two_factor SET pending_secret = $2, pending_at = $3 \
        WHERE user_id = $1 AND secret IS NOT NULL";
    ENABLE = "UPDATE two_factor SET secret = pending_secret, enabled_at = $2, last_step = $3, pending_secret = NULL, \
            pending_at = NULL \
        WHERE user_id = $1 AND pending_secret IS NOT NULL";
    SPEND = "UPDATE two_factor SET last_step = $2 \
        WHERE user_id = $1 AND last_step < $2 \
            AND NOT EXISTS (SELECT 1 FROM totp_burned b WHERE b.user_id = $1 AND b.step = $2)";
    BURNED = "SELECT step FROM totp_burned WHERE user_id = $1";
    BURN = "INSERT INTO totp_burned (user_id, step) VALUES ($1, $2) ON CONFLICT (user_id, step) DO NOTHING";
    FORGET_BURNED = "DELETE FROM totp_burned WHERE user_id = $1 AND step < $2";
    DELETE = "DELETE FROM two_factor WHERE user_id = $1";
    DELETE_BURNED = "DELETE FROM totp_burned WHERE user_id = $1";
    DELETE_CODES = "DELETE FROM recovery_codes WHERE user_id = $1";
    DELETE_CODES_SINCE = "DELETE FROM recovery_codes WHERE user_id = $1 AND created_at >= $2";
    DROP_PENDING = "UPDATE two_factor SET pending_secret = NULL, pending_at = NULL WHERE user_id = $1";
    MIRROR = "UPDATE admin_users SET mfa_enabled = $2, updated_at = $3, version = version + 1 \
        WHERE user_id = $1 AND mfa_enabled <> $2";
}

/// The purpose that secrets are sealed for.
pub(super) fn purpose(user_id: Uuid) -> String {
    format!("two_factor:{user_id}")
}

/// An account's row, locked until the transaction ends; the default if it has none.
#[derive(Debug, Default, sqlx_macros::FromRow)]
pub(super) struct Factor {
    secret: Option<Vec<u8>>,
    enabled_at: Option<Micros>,
    /// The last step whose code was used.
    pub(super) last_step: i64,
    pending_secret: Option<Vec<u8>>,
    pending_at: Option<Micros>,
}

impl Factor {
    pub(super) async fn lock(tx: &mut Tx, user_id: Uuid) -> sqlx::Result<Self> {
        Ok(tx.query(LOCK).bind(user_id).optional::<Self>().await?.unwrap_or_default())
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.secret.is_some()
    }

    /// The secret of an enabled factor.
    pub(super) fn secret(&self, keys: &Keys, user_id: Uuid) -> AppResult<Option<Zeroizing<Vec<u8>>>> {
        open(keys, user_id, self.secret.as_deref())
    }

    /// The pending secret, for the ten minutes it can be enabled in.
    pub(super) fn pending(
        &self,
        keys: &Keys,
        user_id: Uuid,
        now: Micros,
    ) -> AppResult<Option<Zeroizing<Vec<u8>>>> {
        if self.pending_at.is_none_or(|at| now - at > micros(SETUP_MS)) {
            return Ok(None);
        }
        open(keys, user_id, self.pending_secret.as_deref())
    }
}

fn open(keys: &Keys, user_id: Uuid, sealed: Option<&[u8]>) -> AppResult<Option<Zeroizing<Vec<u8>>>> {
    Ok(sealed.map(|sealed| keys.open(&purpose(user_id), sealed)).transpose().map_err(anyhow::Error::new)?)
}

/// Stores a sealed secret until it is enabled or replaced; false if a factor is enabled. Steps burned under an earlier
/// secret are forgotten.
pub(super) async fn set_pending(
    tx: &mut Tx,
    user_id: Uuid,
    sealed: &[u8],
    now: Micros,
) -> sqlx::Result<bool> {
    let is_kept = tx.query(SET_PENDING).bind(user_id).bind(sealed).bind(now).execute().await? > 0;
    if is_kept {
        tx.query(DELETE_BURNED).bind(user_id).execute().await?;
    }
    Ok(is_kept)
}

/// Stores a sealed secret beside the enabled one; false if no factor is enabled.
pub(super) async fn set_replacement(
    tx: &mut Tx,
    user_id: Uuid,
    sealed: &[u8],
    now: Micros,
) -> sqlx::Result<bool> {
    Ok(tx.query(SET_REPLACEMENT).bind(user_id).bind(sealed).bind(now).execute().await? > 0)
}

/// Enables the pending secret in place of an earlier one, with the code of `step` used up. Whether there was one.
pub(super) async fn enable(tx: &mut Tx, user_id: Uuid, step: i64, now: Micros) -> sqlx::Result<bool> {
    let is_enabled = tx.query(ENABLE).bind(user_id).bind(now).bind(step).execute().await? > 0;
    if is_enabled {
        // They were burned under the earlier secret.
        tx.query(DELETE_BURNED).bind(user_id).execute().await?;
        mirror(tx, user_id, true, now).await?;
    }
    Ok(is_enabled)
}

/// Uses up a step, unless it is burned, or it or a later one was used.
pub(super) async fn spend(tx: &mut Tx, user_id: Uuid, step: i64) -> sqlx::Result<bool> {
    Ok(tx.query(SPEND).bind(user_id).bind(step).execute().await? > 0)
}

pub(super) async fn burned(tx: &mut Tx, user_id: Uuid) -> sqlx::Result<Vec<i64>> {
    Ok(tx.query(BURNED).bind(user_id).all::<(i64,)>().await?.into_iter().map(|(step,)| step).collect())
}

/// Burns a step whose code was seen early, and forgets the ones before `oldest`.
pub(super) async fn burn(tx: &mut Tx, user_id: Uuid, step: i64, oldest: i64) -> sqlx::Result<()> {
    tx.query(FORGET_BURNED).bind(user_id).bind(oldest).execute().await?;
    tx.query(BURN).bind(user_id).bind(step).execute().await?;
    Ok(())
}

/// Removes an account's factor and all its recovery codes. Whether there was a factor.
pub(super) async fn remove(tx: &mut Tx, user_id: Uuid, now: Micros) -> sqlx::Result<bool> {
    let was_enabled = Factor::lock(tx, user_id).await?.is_enabled();
    tx.query(DELETE).bind(user_id).execute().await?;
    tx.query(DELETE_BURNED).bind(user_id).execute().await?;
    tx.query(DELETE_CODES).bind(user_id).execute().await?;
    mirror(tx, user_id, false, now).await?;
    Ok(was_enabled)
}

/// Removes what was set up since then: the factor, or of an older one the newer recovery codes and a pending secret.
pub(super) async fn remove_since(
    tx: &mut Tx,
    user_id: Uuid,
    since: Micros,
    now: Micros,
) -> sqlx::Result<FactorLeft> {
    let enabled_at = Factor::lock(tx, user_id).await?.enabled_at;
    if enabled_at.is_some_and(|at| at < since) {
        tx.query(DELETE_CODES_SINCE).bind(user_id).bind(since).execute().await?;
        tx.query(DROP_PENDING).bind(user_id).execute().await?;
        return Ok(FactorLeft::Kept);
    }
    Ok(if remove(tx, user_id, now).await? { FactorLeft::Removed } else { FactorLeft::None })
}

/// Updates the copy in the admin's record, if there is one.
async fn mirror(tx: &mut Tx, user_id: Uuid, is_enabled: bool, now: Micros) -> sqlx::Result<()> {
    tx.query(MIRROR).bind(user_id).bind(is_enabled).bind(now).execute().await?;
    Ok(())
}
