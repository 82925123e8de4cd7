// node --test imports.test.mjs: tests reading imports from Rust sources, finding cycles, and choosing the import to remove.
import assert from "node:assert/strict";
import test from "node:test";
import { circlesOf, importsToRemove } from "./circles.mjs";
import { importsOf } from "./rust.mjs";

const read = (files) => importsOf(new Map(Object.entries({ "lib.rs": "", ...files })));
const lines = (graph) =>
  [...graph].flatMap(([from, targets]) => [...targets].map(([to, names]) => `${from} -> ${to}: ${[...names].join(" ")}`));

/** The imports of `text` in a/b.rs, among a few empty files. */
function imported(text, more = {}) {
  const files = { "a.rs": "", "a/b/child.rs": "", "a/c.rs": "", "d.rs": "", ...more, "a/b.rs": text };
  return lines(read(files)).filter((line) => line.startsWith("a/b.rs ")).map((line) => line.slice("a/b.rs -> ".length));
}

test("paths lead to files", () => {
  assert.deepEqual(imported("use crate::d::Name;"), ["d.rs: Name"]);
  assert.deepEqual(imported("use super::c::Name;"), ["a/c.rs: Name"]);
  assert.deepEqual(imported("use super::Name;"), ["a.rs: Name"]);
  assert.deepEqual(imported("use super::super::d::Name;"), ["d.rs: Name"]);
  assert.deepEqual(imported("use self::child::Name;"), ["a/b/child.rs: Name"]);
  assert.deepEqual(imported("fn f() -> crate::d::Name { child::make() }"), ["d.rs: Name", "a/b/child.rs: make"]);
  assert.deepEqual(imported("use std::d::Name; use ::d::Other; fn f() { self.d::<u8>() }"), []);
});

test("a group names each of its paths", () => {
  const text = "pub(crate) use crate::{a::{c::{self as see, One}, Two}, d::*};\nfn f() { see::Three }";
  assert.deepEqual(imported(text), ["a/c.rs: One Three", "a.rs: Two", "d.rs: *"]);
});

test("a module that is brought in counts by what is taken from it", () => {
  assert.deepEqual(imported("use crate::a; fn f() { a::c::make() }"), ["a/c.rs: make"]);
  assert.deepEqual(imported("use crate::d;"), ["d.rs: self"]);
});

test("a name that is handed on is taken from where it is made, too", () => {
  const hub = { "a.rs": "mod c; pub use c::{Deep as Name};" };
  assert.deepEqual(imported("use super::Name;", hub), ["a.rs: Name", "a/c.rs: Deep"]);
});

test("a macro for the whole crate is taken from its file", () => {
  const made = { "d.rs": "#[macro_export]\nmacro_rules! columns { () => { $crate::d::Row } }" };
  assert.deepEqual(imported("use crate::columns;", made), ["d.rs: columns"]);
});

test("comments, texts and characters are not read", () => {
  const text = String.raw`
    //! [crate::d::Name]
    /* crate::d::Name */
    const A: &str = "crate::d::Name \" crate::d::Name";
    const B: &str = r#"crate::d::Name " crate::d::Name"#;
    fn f<'a>(_: &'a str) -> [char; 2] { ['"', '\''] }
    use super::c::Name;`;
  assert.deepEqual(imported(text), ["a/c.rs: Name"]);
});

test("unit tests are not read", () => {
  const text = `
    #[cfg(test)] use crate::d::Name;
    #[cfg(not(test))] use super::c::Name;
    #[cfg(test)] #[expect(dead_code)] mod tests { use crate::d::Name; mod deeper { use crate::d::Other; } }
    pub(in crate::a) struct Last(super::Last);`;
  assert.deepEqual(imported(text), ["a/c.rs: Name", "a.rs: Last"]);
  assert.deepEqual(lines(read({ "a.rs": "#[cfg(test)]\nmod samples;", "a/samples.rs": "use crate::d;", "d.rs": "" })), []);
});

test("a module that is written out has its own parent", () => {
  assert.deepEqual(imported("mod inner { use super::Own; use super::super::Name; }\nuse super::c::Name;"), ["a.rs: Name", "a/c.rs: Name"]);
});

test("a crate without circles has none", () => {
  assert.deepEqual(circlesOf(read({ "a.rs": "use crate::b::B;", "b.rs": "use crate::c::C;", "c.rs": "" })), []);
});

test("a hub and its children may know each other", () => {
  const files = { "a.rs": "use one::One; use two::Two;", "a/one.rs": "use super::Name;", "a/two.rs": "use super::{one::One, Name};" };
  assert.deepEqual(circlesOf(read(files)), []);
  assert.deepEqual(circlesOf(read({ "a/mod.rs": files["a.rs"], "a/one.rs": files["a/one.rs"], "a/two.rs": files["a/two.rs"] })), []);
});

test("children that know each other are a circle", () => {
  const files = { "a.rs": "use one::One;", "a/one.rs": "use super::{two::Two, Name};", "a/two.rs": "use super::one::One;" };
  assert.deepEqual(circlesOf(read(files)), [["a/one.rs", "a/two.rs"]]);
});

test("a circle that leaves the folder is one, its hub included", () => {
  const files = { "a.rs": "use one::One;", "a/one.rs": "use crate::d::D;", "d.rs": "use crate::a::A;" };
  assert.deepEqual(circlesOf(read(files)), [["a.rs", "a/one.rs", "d.rs"]]);
});

test("the import to remove is the one that points against the others", () => {
  const graph = read({
    "top.rs": "use crate::{middle::A, low::B};",
    "middle.rs": "use crate::low::{C, D};",
    "low.rs": "use crate::top::State;",
  });
  const [circle] = circlesOf(graph);
  assert.deepEqual(circle, ["low.rs", "middle.rs", "top.rs"]);
  assert.deepEqual(importsToRemove(graph, circle), [{ from: "low.rs", to: "top.rs", names: ["State"] }]);
});
