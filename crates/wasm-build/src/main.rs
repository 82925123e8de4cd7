//! Writes the JavaScript and TypeScript bindings of a WebAssembly module, as `wasm-bindgen --target bundler` does.
//!
//! ```text
//! wasm-build MODULE.wasm FOLDER
//! ```
//!
//! A part of the workspace, because the tool that does the same takes minutes to compile.

use std::path::Path;

use anyhow::Context as _;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let usage = "usage: wasm-build MODULE.wasm FOLDER";
    let (module, folder) = (arguments.next().context(usage)?, arguments.next().context(usage)?);
    let mut bindgen = Bindgen::new();
    bindgen.bundler(true)?.input_path(Path::new(&module)).typescript(true).generate(Path::new(&folder))
}
