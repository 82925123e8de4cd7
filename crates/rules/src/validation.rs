//! The derived validation of forms: the derive of the `validator` crate on a runtime of our own.
//!
//! The crate's own runtime keeps every broken rule as maps of JSON values and brings regular expressions and domain
//! tables along. A form here needs the first refusal of each field, in the order of the form.

use std::borrow::Cow;

pub(crate) use validator_derive::Validate;

use crate::checked::{Checked, Problem, Refusal};

/// A form whose rules are derived from its fields' `#[validate(custom(function = …))]`.
pub(crate) trait Validate {
    /// The problems of all fields, or none.
    fn validate(&self) -> Result<(), ValidationErrors>;
}

/// Runs a form's derived validation.
pub(crate) fn validated<T: Validate>(form: T) -> Checked<T> {
    match form.validate() {
        Ok(()) => Ok(form),
        Err(errors) => Err(errors.0.into()),
    }
}

/// What the derive implements; no form here takes arguments.
pub(crate) trait ValidateArgs<'a> {
    /// Always `()`.
    type Args;

    /// As [`Validate::validate`].
    fn validate_with_args(&self, args: Self::Args) -> Result<(), ValidationErrors>;
}

/// The first problem of each field, in the order of the form.
pub(crate) struct ValidationErrors(pub(crate) Vec<Problem>);

impl ValidationErrors {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn add(&mut self, field: &'static str, refusal: Refusal) {
        if self.0.last().is_none_or(|last| last.field != field) {
            let Refusal { code, message, .. } = refusal;
            self.0.push(Problem { field, code, message, title: None });
        }
    }
}

impl Refusal {
    /// The derive offers the refused value; nothing here repeats what was typed.
    #[expect(clippy::unused_self, reason = "the derive's call decides the shape")]
    pub(crate) fn add_param<T: ?Sized>(&mut self, name: Cow<'static, str>, _: &T) {
        // It borrows and owns nothing, which the compiler does not see at every call: dropping it would ship code.
        std::mem::forget(name);
    }
}
