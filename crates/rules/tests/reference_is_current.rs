//! `docs/reference.md` says what the rules do: its tables are the generated ones, and no limit is missing from them.

#[path = "../examples/reference_tables/tables.rs"]
mod tables;

use std::{fs, path::Path};

const COMMAND: &str = "cargo run -p rules --example reference_tables";

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

#[test]
fn the_tables_are_what_the_rules_say() {
    let document = read("../../docs/reference.md");
    let filled = tables::filled(&document).unwrap();
    let differs = document.lines().zip(filled.lines()).find(|(stands, belongs)| stands != belongs);
    assert!(
        document == filled,
        "docs/reference.md is not current ({differs:?}); write it anew with: {COMMAND}"
    );
}

#[test]
fn every_table_has_a_place() {
    let document = read("../../docs/reference.md");
    for name in tables::NAMES {
        assert!(
            document.contains(&format!("<!-- generated:{name} -->")),
            "docs/reference.md has no table {name}"
        );
    }
}

#[test]
fn every_number_of_the_rules_is_in_a_table() {
    // Numbers that a table shows in another form, or that only repeat one.
    let shown_otherwise =
        ["PRICE_MAX_CENTS", "IDENTIFIER_MAX", "MEGABYTE", "FAILURES_5_MINUTES", "FAILURES_24_HOURS"];
    let tables = read("examples/reference_tables/tables.rs") + &read("src/reference.rs");
    let mut numbers = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let path = entry.unwrap().path();
        let source = fs::read_to_string(&path).unwrap_or_default();
        let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for line in source.lines() {
            let Some((name, rest)) = line.strip_prefix("pub const ").and_then(|rest| rest.split_once(": "))
            else {
                continue;
            };
            let kind = rest.split([' ', '<']).next().unwrap_or_default();
            if !["u8", "u16", "u32", "u64", "usize", "f64", "Window", "Rate", "RangeInclusive"]
                .contains(&kind)
                || shown_otherwise.contains(&name)
            {
                continue;
            }
            numbers += 1;
            let prefix = if module == "rate_limit" { "rate" } else { &module };
            // The two redirects of the confirmation are listed once, as the browser gets them.
            let listed = tables.contains(&format!("{prefix}::{name}"))
                || (module == "callback" && name.ends_with("REDIRECT_MS"));
            assert!(listed, "{module}::{name} is in no table: add it to examples/reference_tables/tables.rs");
        }
    }
    assert!(numbers > 90, "only {numbers} numbers were found");
}
