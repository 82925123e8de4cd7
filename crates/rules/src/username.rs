//! Usernames, and the default for an account without one.
//!
//! The database knows whether a name is free; the texts for a taken one are in `messages`.

use serde::{Serialize, Serializer};
use validator::ValidationError;

use crate::checked::refusals;
use crate::text;

/// Minimum length in characters.
pub const USERNAME_MIN: usize = 3;
/// Maximum length in characters, inclusive, whatever the text says.
pub const USERNAME_MAX: usize = 20;

refusals! {
    /// Refusals of a username.
    pub enum UsernameError {
        TooShort = "username_too_short", "Username must be at least 3 characters";
        TooLong = "username_too_long", "Username must be less than 20 characters";
        Characters = "username_characters", "Username can only contain letters, numbers, underscores, and hyphens";
        Inappropriate = "username_inappropriate", "Username contains inappropriate content";
    }
}

/// Words that no username may contain, in any case: titles of authority, then abuse.
///
/// They are refused inside other words too, so the list is short and omits words that occur in many harmless names.
pub const REFUSED_WORDS: [&str; 27] = [
    "admin",
    "root",
    "moderator",
    "superuser",
    "webmaster",
    "postmaster",
    "arsehole",
    "asshole",
    "bastard",
    "bitch",
    "bollocks",
    "cunt",
    "faggot",
    "fuck",
    "hitler",
    "motherf",
    "nazi",
    "nigga",
    "nigger",
    "penis",
    "porn",
    "pussy",
    "shit",
    "slut",
    "twat",
    "wanker",
    "whore",
];

/// A valid username as its owner typed it.
///
/// ```
/// use rules::username::{Username, UsernameError};
///
/// let name = Username::parse("Max_404").unwrap();
/// assert_eq!((name.as_str(), name.key()), ("Max_404", "max_404".to_owned()));
/// assert_eq!(Username::parse("label_admin"), Err(UsernameError::Inappropriate));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(type = "string"))]
pub struct Username(String);

impl Username {
    /// Accepts 3 to 20 ASCII letters, digits, underscores and hyphens without a refused word. Surrounding invisible characters
    /// are removed.
    pub fn parse(input: &str) -> Result<Self, UsernameError> {
        let input = text::trim(input);
        if text::is_shorter(input, USERNAME_MIN) {
            return Err(UsernameError::TooShort);
        }
        if text::is_longer(input, USERNAME_MAX) {
            return Err(UsernameError::TooLong);
        }
        if !input.chars().all(is_username_character) {
            return Err(UsernameError::Characters);
        }
        if contains_refused_word(input) {
            return Err(UsernameError::Inappropriate);
        }
        Ok(Self(input.to_owned()))
    }

    /// Wraps a form field that has passed [`is_username`].
    pub(crate) fn of_validated(input: String) -> Self {
        Self(text::trimmed(input))
    }

    /// The name as typed, for display.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The unique form for look-ups, in ASCII lower case.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// The name as an owned string.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Validates a form field that holds a username.
pub(crate) fn is_username(input: &str) -> Result<(), ValidationError> {
    Username::parse(input).map(drop).map_err(ValidationError::from)
}

impl Serialize for Username {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// The default username derived from an e-mail address; always valid.
///
/// Attempt 0 is the part before the `@` (in lower case, as addresses are stored) if it is valid; otherwise other characters
/// become underscores, and it is cut to 20 and padded to 3. If that is taken, attempt `n` ends in the number `n`, cut to fit. A
/// name with a refused word becomes `user` and the number `n + 1`. The server counts up until one is free, and draws numbers
/// when the small ones are crowded.
///
/// ```
/// use rules::username::default_username;
///
/// assert_eq!(default_username("john.doe@example.org", 0).as_str(), "john_doe");
/// assert_eq!(default_username("john.doe@example.org", 2).as_str(), "john_doe2");
/// assert_eq!(default_username("admin@example.org", 0).as_str(), "user1");
/// ```
pub fn default_username(email: &str, attempt: u32) -> Username {
    let local = email.trim().split('@').next().unwrap_or_default();
    let fold = |c: char| if is_username_character(c) { c.to_ascii_lowercase() } else { '_' };
    let mut name: String = local.chars().take(USERNAME_MAX).map(fold).collect();
    while name.len() < USERNAME_MIN {
        name.push('_');
    }
    let number = if contains_refused_word(&name) {
        "user".clone_into(&mut name);
        attempt.saturating_add(1)
    } else {
        attempt
    };
    if number > 0 {
        let suffix = text::decimal(number.into());
        name.truncate(USERNAME_MAX - suffix.len());
        name.push_str(&suffix);
    }
    Username(name)
}

const fn is_username_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn contains_refused_word(name: &str) -> bool {
    REFUSED_WORDS.iter().any(|word| text::contains_ignoring_case(name, word))
}
