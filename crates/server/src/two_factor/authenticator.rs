//! Secrets, their `otpauth` address, and the time steps of a code (RFC 6238 with SHA-1, six digits and 30 seconds,
//! which every app understands).

use deadwax_store::clock::{Micros, micros};
use rules::mfa::{EXPIRED, SKEWED, STEP_SECONDS};
use totp_rs::{Algorithm, Builder, Secret, Totp};

/// The step of a moment.
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
    /// 160 random bits.
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

    /// In groups of four, for typing.
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

    /// The secret of RFC 6238, appendix B.
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
