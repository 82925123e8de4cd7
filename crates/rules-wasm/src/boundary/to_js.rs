//! To JavaScript.

use serde::Serialize;
use serde::ser::{Impossible, SerializeSeq, SerializeStruct, Serializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::name::name;
use super::{Never, wrong_type};

#[wasm_bindgen]
extern "C" {
    type Object;
    #[wasm_bindgen(constructor)]
    fn new() -> Object;
    #[wasm_bindgen(js_namespace = Reflect, js_name = set)]
    fn set_property(object: &Object, name: &JsValue, value: JsValue) -> bool;

    type Array;
    #[wasm_bindgen(constructor)]
    fn new() -> Array;
    #[wasm_bindgen(method)]
    fn push(list: &Array, value: JsValue) -> u32;
}

/// A rule's answer as a plain object.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    let Ok(value) = value.serialize(Js);
    value
}

struct Js;

impl Serializer for Js {
    type Ok = JsValue;
    type Error = Never;
    type SerializeSeq = List;
    type SerializeStruct = Properties;
    type SerializeTuple = Impossible<JsValue, Never>;
    type SerializeTupleStruct = Impossible<JsValue, Never>;
    type SerializeTupleVariant = Impossible<JsValue, Never>;
    type SerializeMap = Impossible<JsValue, Never>;
    type SerializeStructVariant = Impossible<JsValue, Never>;

    fn serialize_bool(self, value: bool) -> Result<JsValue, Never> {
        Ok(JsValue::from_bool(value))
    }

    fn serialize_u8(self, value: u8) -> Result<JsValue, Never> {
        Ok(JsValue::from_f64(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<JsValue, Never> {
        Ok(JsValue::from_f64(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<JsValue, Never> {
        Ok(JsValue::from_f64(value.into()))
    }

    fn serialize_f64(self, value: f64) -> Result<JsValue, Never> {
        Ok(JsValue::from_f64(value))
    }

    fn serialize_str(self, value: &str) -> Result<JsValue, Never> {
        Ok(JsValue::from_str(value))
    }

    fn serialize_none(self) -> Result<JsValue, Never> {
        Ok(JsValue::NULL)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<JsValue, Never> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<JsValue, Never> {
        Ok(JsValue::NULL)
    }

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &'static str) -> Result<JsValue, Never> {
        Ok(JsValue::from_str(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &str, value: &T) -> Result<JsValue, Never> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, Never> {
        Ok(List(Array::new()))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Properties, Never> {
        Ok(Properties(Object::new()))
    }

    // What follows crosses nowhere: 64-bit numbers have no exact counterpart, maps and tuples no type.

    fn serialize_i8(self, _: i8) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_i16(self, _: i16) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_i32(self, _: i32) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_i64(self, _: i64) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_u64(self, _: u64) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_f32(self, _: f32) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_char(self, _: char) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_bytes(self, _: &[u8]) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<JsValue, Never> {
        wrong_type()
    }
    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Never> {
        wrong_type()
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Never> {
        wrong_type()
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Never> {
        wrong_type()
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Never> {
        wrong_type()
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Never> {
        wrong_type()
    }
}

struct List(Array);

impl SerializeSeq for List {
    type Ok = JsValue;
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        self.0.push(value.serialize(Js)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, Never> {
        Ok(self.0.into())
    }
}

struct Properties(Object);

impl SerializeStruct for Properties {
    type Ok = JsValue;
    type Error = Never;

    // One copy for each type of field instead of one for each field.
    #[inline(never)]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        field: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        set_property(&self.0, &name(field), value.serialize(Js)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, Never> {
        Ok(self.0.into())
    }
}
