//! The format of typed codes: six digits from the authenticator, eight by mail, and ten offline codes.
//!
//! Whether a code is right, expired or used is decided by `mfa` and the server.

use serde::Serialize;

use crate::checked::refusals;
use crate::text;

/// Digits of an authenticator code.
pub const TOTP_DIGITS: usize = 6;
/// Digits of a mailed recovery code.
pub const RECOVERY_DIGITS: usize = 8;
/// Number of offline codes an account gets at once.
pub const OFFLINE_CODES: usize = 10;
/// Characters of an offline code without its hyphen, five bits each.
pub const OFFLINE_LENGTH: usize = 10;

refusals! {
    /// Refusals of a code before it is compared.
    pub enum CodeError {
        NotSixDigits = "code_not_six_digits", "Please enter a 6-digit code";
        NotEightDigits = "code_not_eight_digits", "Please enter the 8-digit recovery code";
    }
}

/// Crockford's base 32, which avoids the easily misread I, L, O and U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Parses an authenticator code: exactly six ASCII digits after invisible characters (as in a pasted `123 456`) are removed.
///
/// ```
/// use rules::codes::{CodeError, totp_code};
///
/// assert_eq!(totp_code("123 456"), Ok("123456".into()));
/// assert_eq!(totp_code("12345"), Err(CodeError::NotSixDigits));
/// ```
pub fn totp_code(input: &str) -> Result<String, CodeError> {
    exactly(input, TOTP_DIGITS).ok_or(CodeError::NotSixDigits)
}

/// Filters the input of the code field to its ASCII digits, at most six.
pub fn totp_input(input: &str) -> String {
    digits(input, TOTP_DIGITS)
}

/// A recovery code in the form it is compared in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "code", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum RecoveryCode {
    /// Eight digits, mailed on request.
    Mailed(String),
    /// Ten upper-case characters without the hyphen, given out at set-up.
    Offline(String),
}

/// Parses a recovery code: eight ASCII digits or an offline code; invisible characters are ignored.
///
/// Offline codes are an addition to the specification. They are recognised by their length, accepted in any case and with or
/// without hyphens, and `I`, `L`, `O` are read as digits.
///
/// ```
/// use rules::codes::{CodeError, RecoveryCode, recovery_code};
///
/// assert_eq!(recovery_code("1234 5678"), Ok(RecoveryCode::Mailed("12345678".into())));
/// assert_eq!(recovery_code("abcde-fghlo"), Ok(RecoveryCode::Offline("ABCDEFGH10".into())));
/// assert_eq!(recovery_code("1234567"), Err(CodeError::NotEightDigits));
/// ```
pub fn recovery_code(input: &str) -> Result<RecoveryCode, CodeError> {
    if let Some(digits) = exactly(input, RECOVERY_DIGITS) {
        return Ok(RecoveryCode::Mailed(digits));
    }
    offline(input).map(RecoveryCode::Offline).ok_or(CodeError::NotEightDigits)
}

/// Formats fifty random bits as an offline code, `XXXXX-XXXXX`.
///
/// ```
/// use rules::codes::offline_code;
///
/// assert_eq!(offline_code(0), "00000-00000");
/// assert_eq!(offline_code(u64::MAX), "ZZZZZ-ZZZZZ");
/// ```
pub fn offline_code(random: u64) -> String {
    let mut code = String::with_capacity(OFFLINE_LENGTH + 1);
    for place in (0..OFFLINE_LENGTH).rev() {
        let index = usize::try_from((random >> (place * 5)) & 31).unwrap_or_default();
        code.push(char::from(ALPHABET[index]));
        if place == OFFLINE_LENGTH / 2 {
            code.push('-');
        }
    }
    code
}

fn offline(input: &str) -> Option<String> {
    let mut code = String::with_capacity(OFFLINE_LENGTH);
    for typed in input.chars().filter(|c| !text::is_unseen(*c)).map(text::narrow).filter(|c| !is_hyphen(*c)) {
        let read = match typed.to_ascii_uppercase() {
            'I' | 'L' => '1',
            'O' => '0',
            other => other,
        };
        let known = u8::try_from(read).is_ok_and(|byte| ALPHABET.contains(&byte));
        if !known || code.len() == OFFLINE_LENGTH {
            return None;
        }
        code.push(read);
    }
    (code.len() == OFFLINE_LENGTH).then_some(code)
}

/// Hyphens and dashes that programs substitute for a typed one.
const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn exactly(input: &str, length: usize) -> Option<String> {
    let mut code = String::with_capacity(length);
    for typed in input.chars().filter(|c| !text::is_unseen(*c)).map(text::narrow) {
        if !typed.is_ascii_digit() || code.len() == length {
            return None;
        }
        code.push(typed);
    }
    (code.len() == length).then_some(code)
}

fn digits(input: &str, most: usize) -> String {
    input.chars().map(text::narrow).filter(char::is_ascii_digit).take(most).collect()
}
