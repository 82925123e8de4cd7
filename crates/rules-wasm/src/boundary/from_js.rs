//! From JavaScript.

use serde::de::value::{StrDeserializer, U32Deserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
};
use serde::de::{VariantAccess, Visitor};
use serde::forward_to_deserialize_any;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::name::name;
use super::{Never, wrong_type};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> bool;
    #[wasm_bindgen(js_namespace = Reflect, js_name = get)]
    fn property(object: &JsValue, name: &JsValue) -> JsValue;
    #[wasm_bindgen(js_namespace = Reflect, js_name = get)]
    fn element(list: &JsValue, index: u32) -> JsValue;
}

/// A form or a state from a plain object; an exception when it is not of its type, which the TypeScript types exclude.
/// A property that is missing or undefined is the same as `null`.
pub(crate) fn from_js<T: DeserializeOwned>(value: JsValue) -> T {
    let Ok(value) = T::deserialize(Js(value));
    value
}

struct Js(JsValue);

impl Js {
    fn text(&self) -> String {
        self.0.as_string().unwrap_or_else(|| wrong_type())
    }

    fn number(&self) -> f64 {
        self.0.as_f64().unwrap_or_else(|| wrong_type())
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
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        if !is_array(&self.0) {
            wrong_type();
        }
        let length = Js(property(&self.0, &name("length"))).number();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length is a u32")]
        let length = length as u32;
        visitor.visit_seq(Elements { list: self.0, next: 0, length })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        if !self.0.is_object() {
            wrong_type();
        }
        visitor.visit_map(Properties { object: self.0, fields, next: 0, value: JsValue::UNDEFINED })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_enum(Name(self.text()))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u64 f32 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier ignored_any
    }
}

struct Elements {
    list: JsValue,
    next: u32,
    length: u32,
}

impl<'de> SeqAccess<'de> for Elements {
    type Error = Never;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Never> {
        if self.next == self.length {
            return Ok(None);
        }
        self.next += 1;
        seed.deserialize(Js(element(&self.list, self.next - 1))).map(Some)
    }
}

/// The fields of a struct, asked for by name and handed over by position; other properties are not looked at.
struct Properties {
    object: JsValue,
    fields: &'static [&'static str],
    next: usize,
    value: JsValue,
}

impl<'de> MapAccess<'de> for Properties {
    type Error = Never;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Never> {
        let Some(position) = self.advance() else { return Ok(None) };
        let position: U32Deserializer<Never> = position.into_deserializer();
        seed.deserialize(position).map(Some)
    }

    // One copy for each type of field instead of one for each field.
    #[inline(never)]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Never> {
        seed.deserialize(Js(std::mem::replace(&mut self.value, JsValue::UNDEFINED)))
    }
}

impl Properties {
    /// Reads the next field that is there and tells its position.
    #[inline(never)]
    fn advance(&mut self) -> Option<u32> {
        while let Some(field) = self.fields.get(self.next) {
            self.next += 1;
            self.value = property(&self.object, &name(field));
            if !self.value.is_undefined() {
                return u32::try_from(self.next - 1).ok();
            }
        }
        None
    }
}

/// A variant without data, by its name.
struct Name(String);

impl<'de> EnumAccess<'de> for Name {
    type Error = Never;
    type Variant = NoData;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, NoData), Never> {
        let name: StrDeserializer<'_, Never> = self.0.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, NoData))
    }
}

struct NoData;

impl<'de> VariantAccess<'de> for NoData {
    type Error = Never;

    fn unit_variant(self) -> Result<(), Never> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Never> {
        wrong_type()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Never> {
        wrong_type()
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Never> {
        wrong_type()
    }
}
