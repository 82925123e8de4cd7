//! The vectors of every rule, run natively. The browser tests run the same files through the bindings.

#![expect(clippy::expect_used, reason = "a vector file that cannot be read fails the run")]

mod fields;
mod fixtures;
mod machines;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn files() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fs::read_dir(folder)
        .expect("the fixtures are there")
        .map(|entry| {
            let path = entry.expect("a folder entry").path();
            let name = path.file_stem().expect("a file name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a readable file"))
        })
        // Data is not called.
        .filter(|(_, text): &(String, String)| !text.contains("\"is_data\": true"))
        .collect()
}

#[test]
fn every_vector_answers_to_the_letter() {
    let mut complaints = Vec::new();
    for (file, text) in files() {
        for case in fixtures::read(&text) {
            let answer = machines::call(&case.function, &case.args)
                .or_else(|| fields::call(&case.function, &case.args));
            complaints.extend(fixtures::complaint(&file, &case, answer.as_ref()));
        }
    }
    assert!(complaints.is_empty(), "{} vectors fail:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn every_file_is_about_its_rule_and_holds_cases() {
    let files = files();
    assert!(files.len() >= 40, "only {} files", files.len());
    for (file, text) in files {
        assert!(!fixtures::read(&text).is_empty(), "{file} holds no case");
        assert!(text.contains(&format!("\"rule\": \"{file}\"")), "{file} names another rule");
    }
}

#[test]
fn no_rule_takes_longer_than_its_input_is_long() {
    for (file, text) in files() {
        for case in fixtures::read(&text) {
            let size: usize = case.args.iter().map(|arg| arg.to_string().len()).sum();
            let start = std::time::Instant::now();
            machines::call(&case.function, &case.args).or_else(|| fields::call(&case.function, &case.args));
            // A hundred kilobytes may take 50 ms on a busy machine; quadratic work would take seconds.
            assert!(size < 50_000 || start.elapsed().as_millis() < 500, "{file}: {} is slow", case.name);
        }
    }
}
