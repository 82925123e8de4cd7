//! The answers whose types are made of others: what is checked, what may be absent, lists.
//!
//! Each has a name of its own, so that its declaration in TypeScript is written from the Rust type that crosses.

use rules::analytics::SignupEvent;
use rules::artist::ArtistForm;
use rules::checked::{self, Problem};
use rules::codes::RecoveryCode;
use rules::contact::ContactMessage;
use rules::demo::Demo;
use rules::email::Email;
use rules::letter_template::LetterForm;
use rules::login::{AdminLogin, Login};
use rules::password::PasswordChange;
use rules::product::Product;
use rules::release::ReleaseForm;
use rules::signup::NewAccount;
use rules::terminal_cache::TerminalCacheEntry;
use rules::username::Username;
use serde::{Deserialize, Serialize};
use tsify::Tsify;

/// The outcome of a check: exactly one of the two is present.
#[derive(Debug, Serialize, Tsify)]
#[serde(untagged)]
pub enum Checked<T> {
    /// No rule is broken.
    Valid {
        /// The cleaned value.
        value: T,
        /// Not there.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[tsify(optional)]
        problems: Option<Never>,
    },
    /// Why the form was refused.
    Refused {
        /// Not there.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[tsify(optional)]
        value: Option<Never>,
        /// At least one, at most one for each field, in the order of the form.
        problems: Vec<Problem>,
    },
}

/// What is never there; tsify would call a type without values `void`.
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
        #[doc = concat!("[`Checked`] with `", stringify!($value), "`.")]
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
    /// A text, where there is one.
    MaybeText: Option<String>;
    /// Moments, in milliseconds since 1970.
    Moments: Vec<f64>;
    /// The sign-up events, in their order.
    SignupEvents: Vec<SignupEvent>;
    /// What the terminal remembers, the oldest first.
    TerminalCache: Vec<TerminalCacheEntry>;
}

/// What is wrong, if anything.
#[derive(Debug, Serialize, Tsify)]
#[serde(transparent)]
#[tsify(missing_as_null)]
pub struct MaybeProblem(Option<Problem>);

impl From<Option<Problem>> for MaybeProblem {
    fn from(problem: Option<Problem>) -> Self {
        Self(problem)
    }
}
