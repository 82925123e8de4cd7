//! From JavaScript.

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::{Serializer as _, forward_to_deserialize_any};
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::{Never, wrong_type};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> bool;
    #[wasm_bindgen(js_namespace = Reflect, js_name = get)]
    fn property(object: &JsValue, name: &JsValue) -> JsValue;
}

/// A form or a state from a plain object; an exception when it is not of its type, which the TypeScript types exclude.
/// A property that is missing or undefined is the same as `null`.
pub(crate) fn from_js<T: Tsify<JsType: JsCast> + DeserializeOwned>(value: Ts<T>) -> T {
    let Ok(value) = T::deserialize(Js(value.into()));
    value
}

/// A list of them.
pub(crate) fn all_from_js<T: Tsify<JsType: JsCast> + DeserializeOwned>(values: Vec<Ts<T>>) -> Vec<T> {
    values.into_iter().map(from_js).collect()
}

/// A name as a JavaScript string. The library makes each of them once and keeps it, which it does for variants as well;
/// decoding them at every access was most of a check's time.
#[inline(never)]
fn name(text: &'static str) -> JsValue {
    Serializer::new().serialize_unit_variant("", 0, text).unwrap_or_else(|_| wrong_type())
}

struct Js(JsValue);

impl Js {
    fn text(&self) -> String {
        self.0.as_string().unwrap_or_else(|| wrong_type())
    }

    fn number(&self) -> f64 {
        self.0.as_f64().unwrap_or_else(|| wrong_type())
    }

    // What serde's own access types iterate over is made here, once, and not in the generic functions that use it.

    fn elements(self) -> impl Iterator<Item = Self> {
        if !is_array(&self.0) {
            wrong_type();
        }
        let length = Self(property(&self.0, &name("length"))).number();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length is a u32")]
        (0..length as u32).map(move |index| Self(property(&self.0, &index.into())))
    }

    /// The fields of a struct, asked for by name and handed over by position; other properties are not looked at.
    fn properties(self, fields: &'static [&'static str]) -> impl Iterator<Item = (u32, Self)> {
        if !self.0.is_object() {
            wrong_type();
        }
        (0..).zip(fields).filter_map(move |(position, field)| {
            let value = property(&self.0, &name(field));
            (!value.is_undefined()).then_some((position, Self(value)))
        })
    }
}

impl IntoDeserializer<'_, Never> for Js {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Js {
    type Error = Never;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Never> {
        wrong_type()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_bool(self.0.as_bool().unwrap_or_else(|| wrong_type()))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        let number = self.number();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "compared right after")]
        let whole = number as u32;
        // A fraction, a negative or a larger number is no u32; NaN is unequal to everything.
        if f64::from(whole).to_bits() == (number + 0.0).to_bits() {
            visitor.visit_u32(whole)
        } else {
            wrong_type()
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_f64(self.number())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_string(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_string(self.text())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        if self.0.is_null_or_undefined() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_seq(SeqDeserializer::new(self.elements()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_map(MapDeserializer::new(self.properties(fields)))
    }

    /// Variants without data, by their names.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        let variant = self.text();
        let variant: StrDeserializer<'_, Never> = variant.as_str().into_deserializer();
        variant.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u64 f32 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier ignored_any
    }
}
