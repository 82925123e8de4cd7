//! The field names of a form, read from its type, so that no list of fields can forget one.

use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};

pub fn fields_of<F: DeserializeOwned>() -> &'static [&'static str] {
    let mut declared = Declared(&[]);
    // Fails by design: only the declaration is needed.
    let _ = F::deserialize(&mut declared);
    declared.0
}

struct Declared(&'static [&'static str]);

impl<'de> Deserializer<'de> for &mut Declared {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.0 = fields;
        Err(Error::custom("no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its declaration is read")]
    struct Form {
        title: String,
        #[serde(default, rename = "url")]
        address: Option<String>,
    }

    #[test]
    fn a_form_declares_its_fields() {
        assert_eq!(fields_of::<Form>(), ["title", "url"]);
        assert_eq!(fields_of::<String>(), [""; 0]);
    }
}
