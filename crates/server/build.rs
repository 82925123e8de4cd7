//! Tells cargo what the library embeds besides Rust code.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
