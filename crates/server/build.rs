//! Tells cargo what the program embeds besides Rust code, and compiles the module that paints pages.

use std::{env, error::Error, fs, path::Path};

use rquickjs::{Context, Module, Runtime, module::WriteOptions};

/// The web app's entry for the server; painting is off in a program that is built without.
const PAINT: &str = "../../web/dist/server/paint.js";

#[expect(clippy::disallowed_methods, reason = "cargo tells by variables")]
fn variable(name: &str) -> Result<String, env::VarError> {
    env::var(name)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rerun-if-changed=../../web/dist");
    let source = Path::new(PAINT);
    let compiled = if source.exists() { compile(&fs::read(source)?)? } else { Vec::new() };
    fs::write(Path::new(&variable("OUT_DIR")?).join("paint.bin"), compiled)?;
    Ok(())
}

/// The module as the engine reads it fastest. It must be loaded by the same version, which the workspace's lock file sees to.
fn compile(source: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let context = Context::full(&Runtime::new()?)?;
    context.with(|ctx| {
        let written = Module::declare(ctx.clone(), "paint", source)
            .and_then(|module| module.write(WriteOptions { strip_source: true, ..WriteOptions::default() }));
        written.map_err(|error| format!("{PAINT}: {error}: {:?}", ctx.catch()).into())
    })
}
