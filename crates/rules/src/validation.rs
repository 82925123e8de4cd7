//! Validates forms with the derive of the `validator` crate and converts its errors to problems.
//!
//! The attributes state lengths, required fields and the function that checks a field. They name a broken rule by its code; the
//! text and title come from the rules' own enums. Values are parsed afterwards, once the form is valid.
//!
//! `validator` collects errors in a map, so the order of the fields is taken from the derived `Deserialize`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use validator::{Validate, ValidationErrorsKind};

use crate::checked::{Checked, Problem, Problems, Refusal};
use crate::messages::Code;

/// A form with `#[validate(…)]` attributes.
pub(crate) trait Form: Validate + DeserializeOwned {
    /// The refusal for a code named by the attributes or their functions.
    fn refusal(code: &str) -> Option<Refusal>;
}

/// Lists the enums with the codes of a form; the first one decides the text of a shared code.
macro_rules! refused_with {
    ($form:ty: $($error:ty),+) => {
        impl $crate::validation::Form for $form {
            fn refusal(code: &str) -> Option<$crate::checked::Refusal> {
                None$(.or_else(|| <$error>::of_code(code).map(Into::into)))+
            }
        }
    };
}

pub(crate) use refused_with;

/// The refusal of a code without an enum, which is a bug in the rules; the field is refused anyway. A constant, so that the
/// browser's module does not contain the texts of all codes.
const UNKNOWN: Refusal =
    Refusal { code: Code::Refused.as_str(), message: Cow::Borrowed(Code::Refused.text()), title: None };

/// The form if it is valid, else the first problem of each field, in the order of the form.
///
/// The errors of `validator` contain what was typed, even passwords, and are dropped here.
pub(crate) fn validated<T: Form>(form: T) -> Checked<T> {
    let Err(found) = form.validate() else { return Ok(form) };
    let mut found = found.into_errors();
    let problems = fields_of::<T>().iter().filter_map(|field| match found.remove(*field)? {
        ValidationErrorsKind::Field(errors) => {
            let error = errors.into_iter().next()?;
            let Refusal { code, message, title } = T::refusal(&error.code).unwrap_or(UNKNOWN);
            // A text that depends on the input comes with the error.
            Some(Problem { field: (*field).into(), code, message: error.message.unwrap_or(message), title })
        }
        ValidationErrorsKind::Struct(_) | ValidationErrorsKind::List(_) => None,
    });
    Err(Problems::from(problems.collect::<Vec<_>>()))
}

/// A limit in characters for the attribute `length`.
pub(crate) const fn limit(characters: usize) -> u64 {
    characters as u64
}

/// The field names of a form in order, read from its type, so that no list of fields can forget one.
pub fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    match T::deserialize(Names) {
        Err(Fields(fields)) => fields,
        Ok(_) => &[],
    }
}

/// Deserializer that only reveals the field names.
struct Names;

/// The field names passed to `deserialize_struct`.
#[derive(Debug)]
struct Fields(&'static [&'static str]);

impl<'de> Deserializer<'de> for Names {
    type Error = Fields;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Fields> {
        Err(Fields(fields))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fields> {
        Err(Fields(&[]))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}

impl serde::de::Error for Fields {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("only the names of fields were asked for")
    }
}

impl std::error::Error for Fields {}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::contact::ContactError;

    #[derive(Deserialize, Validate)]
    struct Named {
        #[validate(length(min = 1, code = "a_code_of_no_enum"))]
        name: String,
    }

    refused_with!(Named: ContactError);

    #[test]
    fn a_field_whose_code_has_no_text_is_refused_nevertheless() {
        let problems = validated(Named { name: String::new() }).map(|named| named.name).unwrap_err();
        assert_eq!((&*problems[0].field, problems[0].code), ("name", "refused"));
    }
}
