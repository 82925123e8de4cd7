//! Default usernames, which must never make a sign-up fail.

use rand::RngExt as _;
use rules::username::{Username, default_username};

/// Numbers tried in order before random ones.
const COUNTED: u32 = 20;
/// Random numbers tried then. To block a noticeable part of [`DRAWN_FROM`], an attacker needs hundreds of millions of
/// accounts.
const DRAWN: usize = 20;
const DRAWN_FROM: std::ops::Range<u32> = 1_000..1_000_000_000;

/// The default names of an address, in the order they are tried.
pub(crate) fn of(email: &str) -> impl Iterator<Item = Username> {
    let drawn = std::iter::repeat_with(|| rand::rng().random_range(DRAWN_FROM)).take(DRAWN);
    (0..COUNTED).chain(drawn).map(move |attempt| default_username(email, attempt))
}

/// Whether a key is that of a default name of the address, with any number.
pub(crate) fn is_of(email: &str, key: &str) -> bool {
    let is = |attempt| default_username(email, attempt).key() == key;
    let digits = key.len() - key.bytes().rev().take_while(u8::is_ascii_digit).count();
    // The number may follow digits of the address, and is one more than the attempt behind `user`.
    let numbers = (digits..key.len()).filter_map(|start| key[start..].parse::<u32>().ok());
    is(0) || numbers.into_iter().any(|number| is(number) || number.checked_sub(1).is_some_and(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_name_is_known_as_one() {
        for email in
            ["john.doe@label.example", "john2000@label.example", "admin@label.example", "1@label.example"]
        {
            for name in of(email) {
                assert!(is_of(email, &name.key()), "{email}: {}", name.as_str());
            }
            for other in ["jane_doe", "user", "john_do", "user0", "20000"] {
                assert!(!is_of(email, other), "{email}: {other}");
            }
        }
    }
}
