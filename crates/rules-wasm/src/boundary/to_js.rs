//! To JavaScript.

use serde::Serialize;
use serde::ser::{Impossible, SerializeSeq, SerializeStruct, Serializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::WrongType;

#[wasm_bindgen]
extern "C" {
    type Object;
    #[wasm_bindgen(constructor)]
    fn new() -> Object;
    #[wasm_bindgen(js_namespace = Reflect, js_name = set)]
    fn set_property(object: &Object, name: &str, value: JsValue) -> bool;

    type Array;
    #[wasm_bindgen(constructor)]
    fn new() -> Array;
    #[wasm_bindgen(method)]
    fn push(list: &Array, value: JsValue) -> u32;
}

/// A rule's answer as a plain object.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    // The rules' answers hold nothing that could fail to cross; `undefined` would show up in every test of the boundary.
    value.serialize(Js).unwrap_or(JsValue::UNDEFINED)
}

struct Js;

impl Serializer for Js {
    type Ok = JsValue;
    type Error = WrongType;
    type SerializeSeq = List;
    type SerializeStruct = Properties;
    type SerializeTuple = Impossible<JsValue, WrongType>;
    type SerializeTupleStruct = Impossible<JsValue, WrongType>;
    type SerializeTupleVariant = Impossible<JsValue, WrongType>;
    type SerializeMap = Impossible<JsValue, WrongType>;
    type SerializeStructVariant = Impossible<JsValue, WrongType>;

    fn serialize_bool(self, value: bool) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_bool(value))
    }

    fn serialize_u8(self, value: u8) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_f64(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_f64(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_f64(value.into()))
    }

    fn serialize_f64(self, value: f64) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_f64(value))
    }

    fn serialize_str(self, value: &str) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_str(value))
    }

    fn serialize_none(self) -> Result<JsValue, WrongType> {
        Ok(JsValue::NULL)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<JsValue, WrongType> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<JsValue, WrongType> {
        Ok(JsValue::NULL)
    }

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &'static str) -> Result<JsValue, WrongType> {
        Ok(JsValue::from_str(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &str,
        value: &T,
    ) -> Result<JsValue, WrongType> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, WrongType> {
        Ok(List(Array::new()))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Properties, WrongType> {
        Ok(Properties(Object::new()))
    }

    // What follows crosses nowhere: 64-bit numbers have no exact counterpart, maps and tuples no type.

    fn serialize_i8(self, _: i8) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_i16(self, _: i16) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_i32(self, _: i32) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_i64(self, _: i64) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_u64(self, _: u64) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_f32(self, _: f32) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_char(self, _: char) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_bytes(self, _: &[u8]) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<JsValue, WrongType> {
        Err(WrongType)
    }
    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, WrongType> {
        Err(WrongType)
    }
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, WrongType> {
        Err(WrongType)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, WrongType> {
        Err(WrongType)
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, WrongType> {
        Err(WrongType)
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, WrongType> {
        Err(WrongType)
    }
}

struct List(Array);

impl SerializeSeq for List {
    type Ok = JsValue;
    type Error = WrongType;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WrongType> {
        self.0.push(value.serialize(Js)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, WrongType> {
        Ok(self.0.into())
    }
}

struct Properties(Object);

impl SerializeStruct for Properties {
    type Ok = JsValue;
    type Error = WrongType;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WrongType> {
        set_property(&self.0, name, value.serialize(Js)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, WrongType> {
        Ok(self.0.into())
    }
}
