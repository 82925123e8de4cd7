//! Tells cargo what the program embeds besides Rust code.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rerun-if-changed=../../web/dist");
}
