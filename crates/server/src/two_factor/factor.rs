//! The factor: its rows, secrets, and the time steps of a code (RFC 6238 with SHA-1, six digits and 30 seconds, which
//! every app understands).

use deadwax_http::error::AppResult;
use deadwax_mail::letters::FactorLeft;
use deadwax_store::{
    clock::{Micros, micros},
    crypto::Keys,
    db::Tx,
    ids::UserId,
    statements,
};
use rules::mfa::{EXPIRED, SETUP_MS, SKEWED, STEP_SECONDS};
use totp_rs::{Algorithm, Builder, Secret, Totp};
use zeroize::Zeroizing;

statements! {
    LOCK = "SELECT secret, enabled_at, last_step, pending_secret, pending_at FROM two_factor WHERE user_id = $1",
        postgres + " FOR UPDATE";
    SET_PENDING = "INSERT INTO two_factor (user_id, pending_secret, pending_at) \
        VALUES ($1, $2, $3) \
        ON CONFLICT (user_id) DO UPDATE SET pending_secret = $2, pending_at = $3";
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
    IS_ADMIN = "SELECT user_id FROM admin_users WHERE user_id = $1 AND active";
    MIRROR = "UPDATE admin_users SET mfa_enabled = $2, updated_at = $3, version = version + 1 \
        WHERE user_id = $1 AND mfa_enabled <> $2";
}

/// The purpose that secrets are sealed for.
pub(super) fn purpose(user_id: UserId) -> String {
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
    pub(super) async fn lock(tx: &mut Tx, user_id: UserId) -> sqlx::Result<Self> {
        Ok(tx.query(LOCK).bind(user_id).optional::<Self>().await?.unwrap_or_default())
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.secret.is_some()
    }

    pub(super) fn secret(&self, keys: &Keys, user_id: UserId) -> AppResult<Option<Zeroizing<Vec<u8>>>> {
        open(keys, user_id, self.secret.as_deref())
    }

    /// The pending secret, for the ten minutes it can be enabled in.
    pub(super) fn pending(
        &self,
        keys: &Keys,
        id: UserId,
        now: Micros,
    ) -> AppResult<Option<Zeroizing<Vec<u8>>>> {
        if self.pending_at.is_none_or(|at| now - at > micros(SETUP_MS)) {
            return Ok(None);
        }
        open(keys, id, self.pending_secret.as_deref())
    }

    /// Stores a sealed secret beside the enabled one, until it is enabled or replaced. Without an enabled one, the steps
    /// burned under an earlier secret are forgotten.
    pub(super) async fn set_pending(
        &self,
        tx: &mut Tx,
        id: UserId,
        sealed: &[u8],
        now: Micros,
    ) -> sqlx::Result<()> {
        tx.query(SET_PENDING).bind(id).bind(sealed).bind(now).execute().await?;
        if !self.is_enabled() {
            tx.query(DELETE_BURNED).bind(id).execute().await?;
        }
        Ok(())
    }
}

fn open(keys: &Keys, user_id: UserId, sealed: Option<&[u8]>) -> AppResult<Option<Zeroizing<Vec<u8>>>> {
    Ok(sealed.map(|sealed| keys.open(&purpose(user_id), sealed)).transpose().map_err(anyhow::Error::new)?)
}

/// Enables the pending secret in place of an earlier one, with the code of `step` used up. Whether there was one.
pub(super) async fn enable(tx: &mut Tx, user_id: UserId, step: i64, now: Micros) -> sqlx::Result<bool> {
    let is_enabled = tx.query(ENABLE).bind(user_id).bind(now).bind(step).execute().await? > 0;
    if is_enabled {
        mirror(tx, user_id, true, now).await?;
    }
    Ok(is_enabled)
}

/// Uses up a step, unless it is burned, or it or a later one was used.
pub(super) async fn spend(tx: &mut Tx, user_id: UserId, step: i64) -> sqlx::Result<bool> {
    Ok(tx.query(SPEND).bind(user_id).bind(step).execute().await? > 0)
}

pub(super) async fn burned(tx: &mut Tx, user_id: UserId) -> sqlx::Result<Vec<i64>> {
    tx.query(BURNED).bind(user_id).values().await
}

/// Burns a step whose code was seen early, and forgets the ones before `oldest`.
pub(super) async fn burn(tx: &mut Tx, user_id: UserId, step: i64, oldest: i64) -> sqlx::Result<()> {
    tx.query(FORGET_BURNED).bind(user_id).bind(oldest).execute().await?;
    tx.query(BURN).bind(user_id).bind(step).execute().await?;
    Ok(())
}

/// Removes an account's factor and all its recovery codes. Whether there was a factor.
pub async fn remove(tx: &mut Tx, user_id: UserId, now: Micros) -> sqlx::Result<bool> {
    let was_enabled = Factor::lock(tx, user_id).await?.is_enabled();
    tx.query(DELETE).bind(user_id).execute().await?;
    tx.query(DELETE_BURNED).bind(user_id).execute().await?;
    tx.query(DELETE_CODES).bind(user_id).execute().await?;
    mirror(tx, user_id, false, now).await?;
    Ok(was_enabled)
}

/// Removes what was set up since then: the factor, or of one that stays the newer recovery codes and a pending secret. An
/// older one stays, and an admin's always: their mailbox alone must not open the back office.
pub async fn remove_since(tx: &mut Tx, id: UserId, since: Micros, now: Micros) -> sqlx::Result<FactorLeft> {
    let enabled_at = Factor::lock(tx, id).await?.enabled_at;
    let is_admin = tx.query(IS_ADMIN).bind(id).exists().await?;
    if enabled_at.is_some_and(|at| is_admin || at < since) {
        tx.query(DELETE_CODES_SINCE).bind(id).bind(since).execute().await?;
        tx.query(DROP_PENDING).bind(id).execute().await?;
        return Ok(FactorLeft::Kept);
    }
    Ok(if remove(tx, id, now).await? { FactorLeft::Removed } else { FactorLeft::None })
}

/// Updates the copy in the admin's record, if there is one.
async fn mirror(tx: &mut Tx, user_id: UserId, is_enabled: bool, now: Micros) -> sqlx::Result<()> {
    tx.query(MIRROR).bind(user_id).bind(is_enabled).bind(now).execute().await?;
    Ok(())
}

pub(super) fn step_at(now: Micros) -> i64 {
    now.div_euclid(micros(STEP_SECONDS * 1000))
}

fn builder(secret: Secret) -> Builder {
    Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_step_duration(STEP_SECONDS)
        .with_skew(0)
        .with_secret(secret)
}

/// The steps within ten of `step` whose code is `code`, the latest first: using up the latest of several leaves none
/// of them. Every code is computed and compared in constant time.
pub(super) fn steps_of(secret: &[u8], code: &str, step: i64) -> Vec<i64> {
    let totp = builder(Secret::from(secret)).build_noncompliant();
    let belongs = |candidate: i64| {
        let at = u64::try_from(candidate).unwrap_or(0).saturating_mul(STEP_SECONDS);
        totp.check(code, at).is_some()
    };
    (*EXPIRED.start()..=*SKEWED.end())
        .rev()
        .map(|offset| step + i64::from(offset))
        .filter(|candidate| belongs(*candidate))
        .collect()
}

#[derive(Debug)]
pub(super) struct NewSecret(Totp);

impl NewSecret {
    pub(super) fn random(label_name: &str, email: &str) -> Self {
        // A colon separates the two names in the address, so neither may contain one.
        let name = |text: &str| text.replace(':', " ");
        Self(
            builder(Secret::generate())
                .with_issuer(Some(name(label_name)))
                .with_account_name(name(email))
                .build_noncompliant(),
        )
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.secret().as_bytes()
    }

    /// Base 32 without padding, as the app's form sends it back.
    pub(super) fn base32(&self) -> String {
        self.0.secret().to_base32()
    }

    pub(super) fn groups(&self) -> String {
        let base32 = self.base32();
        let groups: Vec<_> =
            base32.as_bytes().chunks(4).map(|group| String::from_utf8_lossy(group)).collect();
        groups.join(" ")
    }

    /// `otpauth://totp/…`, for a QR code.
    pub(super) fn address(&self) -> anyhow::Result<String> {
        Ok(self.0.to_url()?)
    }
}

/// Whether a text is this secret, compared in constant time; blanks and case are ignored.
pub(super) fn is_secret(secret: &[u8], typed: &str) -> bool {
    let plain: String = typed.chars().filter(|character| !character.is_whitespace()).collect();
    Secret::try_from_base32(plain.to_ascii_uppercase()).is_ok_and(|typed| typed == Secret::from(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_standard() {
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            let step = step_at(second * 1_000_000);
            assert_eq!(steps_of(SECRET, code, step), [step], "{second}");
        }
    }

    #[test]
    fn a_code_is_found_ten_steps_around_and_no_further() {
        let step = step_at(1_111_111_109_000_000);
        for (offset, found) in [(-11, false), (-10, true), (10, true), (11, false)] {
            assert_eq!(steps_of(SECRET, "081804", step - offset).contains(&step), found, "{offset}");
        }
        for typed in ["", "81804", "0818040", "+81804", "08180a", "٠٨١٨٠٤"] {
            assert!(steps_of(SECRET, typed, step).is_empty(), "{typed}");
        }
    }

    #[test]
    fn the_address_carries_names_that_need_escaping() {
        let secret = NewSecret::random("Tape & Wax: 100%?", "a?b&c+d@example.org");
        let address = url::Url::parse(&secret.address().unwrap()).unwrap();
        assert_eq!((address.scheme(), address.host_str()), ("otpauth", Some("totp")));
        assert_eq!(address.path(), "/Tape%20%26%20Wax%20%20100%25%3F:a%3Fb%26c%2Bd%40example.org");
        let pairs: Vec<_> = address.query_pairs().collect();
        assert_eq!(pairs[0], ("secret".into(), secret.base32().into()));
        assert_eq!(pairs[1], ("issuer".into(), "Tape & Wax  100%?".into()));
    }

    #[test]
    fn a_secret_is_recognised_as_shown_and_as_typed() {
        let secret = NewSecret::random("Label", "a@example.org");
        assert_eq!(secret.bytes().len(), 20);
        assert_eq!(secret.groups().len(), 32 + 7);
        assert!(is_secret(secret.bytes(), &secret.base32()));
        assert!(is_secret(secret.bytes(), &secret.groups().to_lowercase()));
        let other = NewSecret::random("Label", "a@example.org");
        for typed in ["", "!", &other.base32(), &secret.base32()[..31]] {
            assert!(!is_secret(secret.bytes(), typed), "{typed}");
        }
    }
}
