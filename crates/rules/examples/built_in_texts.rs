//! Prints the TypeScript file of texts that the browser shows if the stored ones cannot be loaded; run by `scripts/generate`.
//! The privacy policy is left out: its page reports the failure instead, because a visitor must not mistake a default for the
//! policy in force.

use std::fmt::Write;

use rules::content::{NAME_IN_TEXTS, default_text, with_built_in};

fn main() {
    let mut file = String::from(
        "// Written by scripts/generate from crates/rules: the built-in texts, for when the stored ones cannot be read.\n\
         \n\
         export const BUILT_IN_TEXTS: Readonly<Record<string, string>> = {\n",
    );
    for key in with_built_in().filter(|key| *key != "privacy_policy") {
        let text = default_text(key).unwrap_or_else(|| unreachable!("every key has a text"));
        let line = format!("  {key}: {text:?},");
        // Formatted like the web app's formatter would.
        if line.chars().count() <= 100 {
            let _ = writeln!(file, "{line}");
        } else {
            let _ = writeln!(file, "  {key}:\n    {text:?},");
        }
    }
    file.push_str("};\n");
    let _ = write!(
        file,
        "\n/** In their place, visitors read the label's name. */\nexport const NAME_IN_TEXTS = {NAME_IN_TEXTS:?};\n"
    );
    #[expect(clippy::print_stdout, reason = "its output is the file")]
    {
        print!("{file}");
    }
}
