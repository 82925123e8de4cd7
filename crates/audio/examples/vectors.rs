//! Writes the vectors: every file of the corpus, and what is to be answered about it. They are run natively, in a browser, and
//! from the web app.
#![expect(clippy::print_stdout, reason = "its output")]

#[path = "../tests/corpus/files.rs"]
mod files;

use deadwax_audio::{Source, check, describe};
use rules::checked::Problem;
use serde_json::{Value, json};

/// A run of one byte that is written as a number of times.
const RUN: usize = 16;

fn main() -> std::io::Result<()> {
    println!("{{\n  \"rule\": \"files\",\n  \"cases\": [");
    let files = files::files();
    for (index, (extension, name, bytes, _)) in files.iter().enumerate() {
        let source = Source::new(bytes, bytes.len() as u64);
        let returns = match check(&source, extension)? {
            Ok(()) => {
                let line = describe(&source, extension)?.map(|content| content.to_string());
                json!({ "at": "right", "line": line })
            }
            Err(refusal) => json!({ "at": "refused", "problem": Problem::new("file", refusal) }),
        };
        let case = json!({
            "name": format!("{name} as .{extension}"),
            "function": "look",
            "args": [format!("set.{extension}"), hex(bytes)],
            "returns": returns,
        });
        let comma = if index + 1 < files.len() { "," } else { "" };
        println!("    {case}{comma}");
    }
    println!("  ]\n}}");
    Ok(())
}

/// Bytes as digits, with long runs of one byte written short.
fn hex(bytes: &[u8]) -> Value {
    let (mut parts, mut plain) = (Vec::new(), String::new());
    for run in bytes.chunk_by(|one, other| one == other) {
        let byte = format!("{:02x}", run[0]);
        if run.len() < RUN {
            plain.push_str(&byte.repeat(run.len()));
            continue;
        }
        if !plain.is_empty() {
            parts.push(Value::from(std::mem::take(&mut plain)));
        }
        parts.push(json!({ "$repeat": [byte, run.len()] }));
    }
    if parts.is_empty() {
        return plain.into();
    }
    if !plain.is_empty() {
        parts.push(plain.into());
    }
    json!({ "$join": parts })
}
