//! Results of field and form rules: a checked value, or problems to show.
//!
//! The `refusals!` macro gives each rule an enum with stable codes, final texts and a list of all variants. The rules
//! themselves are in their modules.

use std::borrow::Cow;
use std::ops::Deref;

use serde::Serialize;

/// A broken rule, ready to be shown beside its field. Only the rules construct it, so that every code is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Problem {
    /// Field name as in JSON, in `snake_case`; in a row of a list, `tracks[2].title`.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub field: Cow<'static, str>,
    /// Stable code for programs, independent of the wording.
    pub code: &'static str,
    /// Final English text.
    #[cfg_attr(feature = "wasm", tsify(type = "string"))]
    pub message: Cow<'static, str>,
    /// Toast title, if the reference defines one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
    pub title: Option<&'static str>,
}

impl Problem {
    /// A refusal at `field`.
    pub fn new(field: impl Into<Cow<'static, str>>, refusal: impl Into<Refusal>) -> Self {
        let Refusal { code, message, title } = refusal.into();
        Self { field: field.into(), code, message, title }
    }
}

/// Code, text and toast title of a refusal, from any rule or message code. Only the rules construct it, so that every code is
/// known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Stable code in `snake_case`.
    pub code: &'static str,
    /// Final English text.
    pub message: Cow<'static, str>,
    /// Toast title, if the reference defines one.
    pub title: Option<&'static str>,
}

impl Refusal {
    /// The refusal of one of several files, with its name.
    #[must_use]
    pub fn of_file(self, name: &str) -> Self {
        Self { message: format!("{name}: {}", self.message).into(), ..self }
    }
}

/// Result of a check: the cleaned value, or the problems of the form.
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

/// Problems of a form: at least one, at most one per field, in the order of the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// For forms that show a single problem: the one with this code, or else the first.
    pub(crate) fn alone(mut self, code: &'static str) -> Self {
        let index = self.0.iter().position(|problem| problem.code == code).unwrap_or(0);
        Self(vec![self.0.swap_remove(index)])
    }

    /// Moves the problems with this code to the front.
    pub(crate) fn first(self, code: &'static str) -> Self {
        // Partitioned instead of sorted: sorting code is too large for the browser.
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

/// Callers pass a non-empty list.
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

/// Reports the result of a rule as the result of its field.
pub fn check_field<T, E: Into<Refusal>>(field: &'static str, outcome: Result<T, E>) -> Checked<T> {
    outcome.map_err(|refusal| Problem::new(field, refusal).into())
}

/// Declares the enum of a rule's refusals: a stable code, a final text and, for a toast, a title per variant.
macro_rules! refusals {
    (@title) => { None };
    (@title $title:expr) => { Some($title) };
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident = $code:literal, $text:literal $(, $title:expr)?;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
        }

        impl $name {
            /// All variants, for the reference tables.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Stable code in `snake_case`.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            /// Final English text.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Toast title, if the reference defines one.
            pub const fn title(self) -> Option<&'static str> {
                match self { $(Self::$variant => $crate::checked::refusals!(@title $($title)?)),+ }
            }

            /// The first variant with this code.
            pub fn of_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|error| error.code() == code)
            }
        }

        impl From<$name> for $crate::checked::Refusal {
            fn from(error: $name) -> Self {
                Self { code: error.code(), message: error.message().into(), title: error.title() }
            }
        }

        /// For functions called by `validator`; the text is looked up by the code.
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

/// A closed set of values that are stored and sent by name.
pub trait Named: Copy + PartialEq + 'static {
    /// Every value, in its usual order.
    const ALL: &'static [Self];

    /// Name as stored and sent.
    fn as_str(self) -> &'static str;

    /// Parses a name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.as_str() == name)
    }
}

/// Declares an enum of [`Named`] values: `names! { /// … pub enum State { /// … Draft = "draft"; } }`.
/// A name is a `tt` because utoipa does not read a `literal` of a macro.
macro_rules! names {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $as_str:tt;)+ }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
        $(#[$meta])*
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $as_str)] $variant,)+
        }

        impl $name {
            /// Every value, in its usual order.
            pub const ALL: [Self; [$($as_str),+].len()] = [$(Self::$variant),+];

            /// Name as stored and sent.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $as_str),+ }
            }

            /// Parses a name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }

        impl $crate::checked::Named for $name {
            const ALL: &'static [Self] = &Self::ALL;

            fn as_str(self) -> &'static str {
                Self::as_str(self)
            }
        }
    };
}

pub(crate) use {names, refusals};
