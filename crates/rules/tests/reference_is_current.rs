//! Checks that the tables of `docs/reference.md` are current, and contain every limit.

#[path = "../examples/reference_tables/tables/mod.rs"]
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
    // Numbers shown in another form, or equal to another.
    let shown_otherwise =
        ["PRICE_MAX_CENTS", "IDENTIFIER_MAX", "MEGABYTE", "FAILURES_5_MINUTES", "FAILURES_24_HOURS"];
    let tables = ["mod", "limits", "durations", "requests"]
        .map(|name| read(format!("examples/reference_tables/tables/{name}.rs")))
        .join("\n")
        + &read("src/reference.rs");
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
            let listed = tables.contains(&format!("{prefix}::{name}"));
            assert!(listed, "{module}::{name} is in no table: add it to examples/reference_tables/tables/");
        }
    }
    assert!(numbers > 90, "only {numbers} numbers were found");
}

/// Collects the quoted text directly after `marker` in every file under a folder, as file and text.
fn add_quoted(folder: &Path, marker: &str, found: &mut Vec<(String, String)>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            add_quoted(&path, marker, found);
            continue;
        }
        let source = fs::read_to_string(&path).unwrap_or_default();
        let quoted = source.split(marker).skip(1).filter_map(|rest| {
            let (between, rest) = rest.split_once('"')?;
            // Only a status may come between.
            let is_near =
                between.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || ":_,".contains(c));
            rest.split('"').next().filter(|_| is_near)
        });
        found.extend(quoted.map(|text| (path.display().to_string(), text.to_owned())));
    }
}

#[test]
fn every_heading_that_code_points_to_is_there() {
    let document = read("../../docs/reference.md");
    let mut found = Vec::new();
    for folder in ["src", "../server/src", "../../web/src"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        add_quoted(&folder, "docs/reference.md`, ", &mut found);
    }
    assert!(!found.is_empty());
    for (file, heading) in found {
        let is_there = document
            .lines()
            .any(|line| line.starts_with('#') && line.trim_start_matches('#').trim() == heading);
        assert!(is_there, "{file}: docs/reference.md has no heading \"{heading}\"");
    }
}
