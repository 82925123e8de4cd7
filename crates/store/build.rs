//! Tells cargo that the library embeds the migrations.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
