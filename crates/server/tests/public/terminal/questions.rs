//! The questions of the rule's vectors, against the sample's catalogue: visitors' wordings get an answer.

use std::{fs, path::Path};

use macro_rules_attribute::apply;
use serde_json::Value;

use super::answer;
use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

/// The beginnings of the headings for no match.
const MISSED: [&str; 2] = ["NO MATCH FOR: ", "KEIN TREFFER FÜR: "];

/// The share of answerable questions that must get an answer, in tenths.
const USEFUL_TENTHS: usize = 9;

fn questions() -> Vec<(String, Option<String>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/fixtures/terminal_question.json");
    let vectors: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let cases = vectors["cases"].as_array().unwrap().iter();
    cases
        .map(|case| {
            let says =
                case.get("answer").expect("a vector says what the answer has in it, or null for a miss");
            (case["args"][0].as_str().unwrap().to_owned(), says.as_str().map(str::to_owned))
        })
        .collect()
}

#[apply(on_both_engines!)]
async fn questions_as_visitors_ask_them_are_answered(engine: Engine) {
    let server = TestServer::start(engine).await;
    deadwax::sample::load::load(&server.app.db, &server.app.storage, &server.app.clock).await.unwrap();
    let (mut useful, mut missed, mut wrong) = (0, Vec::new(), Vec::new());
    for (question, says) in questions() {
        let answer = answer(&server, &question).await;
        let is_miss = MISSED.iter().any(|heading| answer.starts_with(heading));
        if is_miss {
            for way_on in ["help", "(/releases)", "(/artists)", "(/contact)", "(/artists?dialog=demo)"] {
                assert!(answer.contains(way_on), "{question}: a miss without {way_on}\n{answer}");
            }
            let start: String = question.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
            assert!(answer.contains(&start), "{question}: a miss repeats what was typed\n{answer}");
            assert!(!answer.contains('~'), "{question}: {answer}");
        }
        match says {
            None if is_miss => {}
            None => wrong.push(format!("{question}: no miss, but\n{answer}")),
            Some(_) if is_miss => missed.push(question),
            Some(says) if answer.contains(&says) => useful += 1,
            Some(says) => wrong.push(format!("{question}: {says:?} is not in\n{answer}")),
        }
    }
    assert!(wrong.is_empty(), "{} are answered wrongly:\n{}", wrong.len(), wrong.join("\n\n"));
    let all = useful + missed.len();
    assert!(all >= 120, "only {all} questions");
    assert!(useful * 10 >= all * USEFUL_TENTHS, "{useful} of {all} answered; missed: {missed:?}");
}
