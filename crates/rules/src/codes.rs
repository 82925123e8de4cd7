//! Codes a person types: the authenticator's six digits, the mailed eight, and the ten kept on paper.
//!
//! Whether a code is right, expired or used is decided elsewhere (`mfa` and the server); here is only its shape.

use serde::Serialize;

use crate::checked::{refusals, untitled};
use crate::text;

/// Digits of an authenticator code.
pub const TOTP_DIGITS: usize = 6;
/// Digits of a recovery code sent by mail.
pub const RECOVERY_DIGITS: usize = 8;
/// How many one-time codes for keeping offline an account gets at once.
pub const OFFLINE_CODES: usize = 10;
/// Characters of an offline code without its hyphen; five bits each.
pub const OFFLINE_LENGTH: usize = 10;

refusals! {
    /// Why a code was refused before it was compared.
    pub enum CodeError {
        NotSixDigits = "code_not_six_digits", "Please enter a 6-digit code";
        NotEightDigits = "code_not_eight_digits", "Please enter the 8-digit recovery code";
    }
}
untitled!(CodeError);

/// Crockford's base 32: no I, L, O or U, so that nothing on paper is misread.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// An authenticator code: exactly six ASCII digits once invisible characters (as in a pasted `123 456`) are gone.
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

/// What the code field holds after this input: its ASCII digits, at most six. The field accepts nothing else.
pub fn totp_input(input: &str) -> String {
    digits(input, TOTP_DIGITS)
}

/// What the recovery field holds after this input: its ASCII digits, at most eight.
pub fn recovery_input(input: &str) -> String {
    digits(input, RECOVERY_DIGITS)
}

/// A recovery code of either kind, as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "code", rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub enum RecoveryCode {
    /// Eight digits, sent by mail on request.
    Mailed(String),
    /// Ten characters without their hyphen, in upper case, written down at set-up.
    Offline(String),
}

/// A recovery code: eight ASCII digits, or one of the ten offline codes; invisible characters do not count.
///
/// Offline codes are an addition of ours. They are told apart by their length, may be typed in any case with or
/// without hyphens, and `I`, `L`, `O` are read as the digits they look like.
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

/// An offline code as it is shown and printed, `XXXXX-XXXXX`, from fifty of the caller's random bits.
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

/// The hyphens and dashes that programs put in the place of a typed one.
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
