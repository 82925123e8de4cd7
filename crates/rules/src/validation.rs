//! Forms are validated by the derive of the `validator` crate. What it finds becomes the problems that a person is shown.
//!
//! The attributes say what they can: lengths, what is required, which function judges a field. They name a broken rule by its
//! code, and the text and title of a code are those of the rules' own enums. What a form's fields come to is parsed afterwards,
//! once it is known that they hold.
//!
//! `validator` keeps what it found in a map, so the order of the form is asked of its derived `Deserialize`.

use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use validator::{Validate, ValidationErrorsKind};

use crate::checked::{Checked, Problem, Problems, Refusal};
use crate::messages::Code;

/// A form whose fields are judged by their `#[validate(…)]`.
pub(crate) trait Form: Validate + DeserializeOwned {
    /// What is said of a broken rule, by the code that the attributes or their functions name.
    fn refusal(code: &str) -> Option<Refusal>;
}

/// Says which enums hold the codes of a form; where two share one, the first of them tells its text.
macro_rules! told_by {
    ($form:ty: $($error:ty),+) => {
        impl $crate::validation::Form for $form {
            fn refusal(code: &str) -> Option<$crate::checked::Refusal> {
                None$(.or_else(|| <$error>::of_code(code).map(Into::into)))+
            }
        }
    };
}

pub(crate) use told_by;

/// The form, unless its fields break rules: then the first problem of each, in the order of the form.
///
/// The errors of `validator` hold what was typed, passwords too, and end here.
pub(crate) fn validated<T: Form>(form: T) -> Checked<T> {
    let Err(found) = form.validate() else { return Ok(form) };
    let mut found = found.into_errors();
    let problems = fields_of::<T>().iter().filter_map(|field| match found.remove(*field)? {
        ValidationErrorsKind::Field(errors) => {
            let error = errors.into_iter().next()?;
            // A code that no enum of the form has is a fault of the rules: the field is refused all the same.
            let refusal = T::refusal(&error.code).unwrap_or_else(|| Code::Refused.into());
            let Refusal { code, message, title } = refusal;
            // A text that depends on what was typed comes with the error.
            Some(Problem { field: (*field).into(), code, message: error.message.unwrap_or(message), title })
        }
        ValidationErrorsKind::Struct(_) | ValidationErrorsKind::List(_) => None,
    });
    Err(Problems::from(problems.collect::<Vec<_>>()))
}

/// A limit of characters, as the attribute `length` takes it.
pub(crate) const fn limit(characters: usize) -> u64 {
    characters as u64
}

/// The names of a form's fields, in its order.
fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    match T::deserialize(Names) {
        Err(Fields(fields)) => fields,
        Ok(_) => &[],
    }
}

/// Gives away nothing but what it was asked for.
struct Names;

/// The fields that a struct was to be read from.
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

    told_by!(Named: ContactError);

    #[test]
    fn a_field_whose_code_has_no_text_is_refused_nevertheless() {
        let problems = validated(Named { name: String::new() }).map(|named| named.name).unwrap_err();
        assert_eq!((&*problems[0].field, problems[0].code), ("name", "refused"));
    }
}
