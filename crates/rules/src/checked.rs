//! What every field and form rule answers with: a checked value, or the problems to show.
//!
//! The enums of the single rules are made here (`refusals!`), so that each of them has a stable code, a final
//! text and a list of all its members. Which inputs break which rule is decided in the rule's own module.

use std::borrow::Cow;
use std::ops::Deref;

use serde::Serialize;

/// One broken rule, ready to be shown beside its field. Only the rules make them, so that no code is unknown to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Problem {
    /// The field as it is spelled on the wire, in `snake_case`; of a row of a list, `tracks[2].title`.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub field: Cow<'static, str>,
    /// Stable and for programs; never changes with the wording.
    pub code: &'static str,
    /// The final English text for a person.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub message: Cow<'static, str>,
    /// The title of the toast, where the reference names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
    pub title: Option<&'static str>,
}

impl Problem {
    /// The problem of `field` with a rule's refusal.
    pub fn new(field: impl Into<Cow<'static, str>>, refusal: impl Into<Refusal>) -> Self {
        let Refusal { code, message, title } = refusal.into();
        Self { field: field.into(), code, message, title }
    }
}

/// The code, text and toast title of one refusal, whichever rule or message code it comes from. Only the
/// rules make them, so that no code is unknown to them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// The final English text.
    pub message: Cow<'static, str>,
    /// The title of the toast, where the reference names one.
    pub title: Option<&'static str>,
}

/// The outcome of a check: the cleaned value, or what is wrong with the form.
///
/// ```
/// use rules::contact::{ContactForm, check_contact};
///
/// let form = ContactForm { name: "A".into(), email: "a@b.org".into(), message: "Ten letters".into() };
/// let problems = check_contact(form).unwrap_err();
/// assert_eq!(problems[0].field, "name");
/// assert_eq!(problems[0].message, "Name must be at least 2 characters");
/// ```
pub type Checked<T> = Result<T, Problems>;

/// Why a form was refused: at least one problem, at most one for each field, in the order of the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Where one thing is told at a time: the problem with this code, or else the first.
    pub(crate) fn alone(mut self, code: &'static str) -> Self {
        let told = self.0.iter().position(|problem| problem.code == code).unwrap_or(0);
        Self(vec![self.0.swap_remove(told)])
    }

    /// The same problems, those with this code first.
    pub(crate) fn first(self, code: &'static str) -> Self {
        // Not by sorting, for which the browser's copy has no room.
        let (mut problems, others): (Vec<_>, Vec<_>) =
            self.0.into_iter().partition(|problem| problem.code == code);
        problems.extend(others);
        Self(problems)
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

/// Whoever has collected them saw that there are some.
impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        Self(problems)
    }
}

impl From<Problems> for Vec<Problem> {
    fn from(problems: Problems) -> Self {
        problems.0
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

/// The outcome of one rule on one field.
pub fn check_field<T, E: Into<Refusal>>(field: &'static str, outcome: Result<T, E>) -> Checked<T> {
    outcome.map_err(|refusal| Problem::new(field, refusal).into())
}

/// Declares the small enum of one rule's refusals: every variant has a stable code and its final text.
macro_rules! refusals {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident = $code:literal, $text:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
        }

        impl $name {
            /// Every member, for the tables of the reference.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Stable, `snake_case`, for programs.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            /// The final English text for a person.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The member with this code; the first of them, where some share one.
            pub fn of_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|error| error.code() == code)
            }
        }

        /// For a function that `validator` calls; its text is found by its code.
        impl From<$name> for validator::ValidationError {
            fn from(error: $name) -> Self {
                Self::new(error.code())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.message())
            }
        }

        impl std::error::Error for $name {}
    };
}

/// Makes a `refusals!` enum a [`Refusal`] without a toast title.
macro_rules! untitled {
    ($($name:ident),+) => {$(
        impl From<$name> for $crate::checked::Refusal {
            fn from(error: $name) -> Self {
                Self { code: error.code(), message: error.message().into(), title: None }
            }
        }
    )+};
}

/// Makes a `refusals!` enum with a `title()` a [`Refusal`].
macro_rules! titled {
    ($($name:ident),+) => {$(
        impl From<$name> for $crate::checked::Refusal {
            fn from(error: $name) -> Self {
                Self { code: error.code(), message: error.message().into(), title: Some(error.title()) }
            }
        }
    )+};
}

pub(crate) use {refusals, titled, untitled};
