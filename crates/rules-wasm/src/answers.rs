//! Named result types: checked values, optional values and lists.
//!
//! Each has a name, so that its TypeScript declaration is generated from the Rust type.

use rules::analytics::SignupEvent;
use rules::artist::ArtistForm;
use rules::checked::{self, Problem};
use rules::codes::RecoveryCode;
use rules::contact::ContactMessage;
use rules::demo::Demo;
use rules::email::Email;
use rules::letter_template::LetterForm;
use rules::letters::LetterDraft;
use rules::login::{AdminLogin, Login};
use rules::password::PasswordChange;
use rules::product::Product;
use rules::release::ReleaseForm;
use rules::signup::NewAccount;
use rules::terminal_cache::TerminalCacheEntry;
use rules::username::Username;
use serde::{Deserialize, Serialize};
use tsify::Tsify;

/// Result of a check; exactly one of the fields is present.
#[derive(Debug, Serialize, Tsify)]
#[serde(untagged)]
pub enum Checked<T> {
    /// No rule is broken.
    Valid {
        /// Cleaned value.
        value: T,
        /// Absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[tsify(optional)]
        problems: Option<Never>,
    },
    /// The form was refused.
    Refused {
        /// Absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[tsify(optional)]
        value: Option<Never>,
        /// At least one problem, at most one per field, in the order of the form.
        problems: Vec<Problem>,
    },
}

/// Type of an absent field; tsify would declare a type without values as `void`.
#[derive(Debug, Serialize, Tsify)]
#[tsify(type = "never")]
pub enum Never {}

impl<T> From<checked::Checked<T>> for Checked<T> {
    fn from(outcome: checked::Checked<T>) -> Self {
        match outcome {
            Ok(value) => Self::Valid { value, problems: None },
            Err(problems) => Self::Refused { value: None, problems: problems.into() },
        }
    }
}

macro_rules! checked {
    ($($name:ident: $value:ty;)+) => {$(
        /// Result of a check, with the cleaned value or the problems.
        #[derive(Debug, Serialize, Tsify)]
        #[serde(transparent)]
        pub struct $name(Checked<$value>);

        impl From<checked::Checked<$value>> for $name {
            fn from(outcome: checked::Checked<$value>) -> Self {
                Self(outcome.into())
            }
        }
    )+};
}

checked! {
    CheckedText: String;
    CheckedEmail: Email;
    CheckedUsername: Username;
    CheckedRecoveryCode: RecoveryCode;
    CheckedLogin: Login;
    CheckedAdminLogin: AdminLogin;
    CheckedAccount: NewAccount;
    CheckedPasswordChange: PasswordChange;
    CheckedContact: ContactMessage;
    CheckedDemo: Demo;
    CheckedLetter: LetterForm;
    CheckedLetterDraft: LetterDraft;
    CheckedArtist: ArtistForm;
    CheckedRelease: ReleaseForm;
    CheckedProduct: Product;
}

macro_rules! named {
    ($($(#[$meta:meta])* $name:ident: $value:ty;)+) => {$(
        $(#[$meta])*
        #[derive(Debug, Serialize, Deserialize, Tsify)]
        #[serde(transparent)]
        #[tsify(missing_as_null)]
        pub struct $name(pub(crate) $value);

        impl From<$value> for $name {
            fn from(value: $value) -> Self {
                Self(value)
            }
        }
    )+};
}

named! {
    /// A text or `null`.
    MaybeText: Option<String>;
    /// Times in milliseconds since 1970.
    Moments: Vec<f64>;
    /// Sign-up events, newest first.
    SignupEvents: Vec<SignupEvent>;
    /// The terminal's cached answers, oldest first.
    TerminalCache: Vec<TerminalCacheEntry>;
}

/// A problem or `null`.
#[derive(Debug, Serialize, Tsify)]
#[serde(transparent)]
#[tsify(missing_as_null)]
pub struct MaybeProblem(Option<Problem>);

impl From<Option<Problem>> for MaybeProblem {
    fn from(problem: Option<Problem>) -> Self {
        Self(problem)
    }
}
