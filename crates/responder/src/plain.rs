//! Plain text for the console, without control sequences. Its reader wraps the lines.

use std::borrow::Cow;

use anstream::adapter::strip_str;
use rules::terminal::ANSWER_MAX_BYTES;

/// An answer being written.
#[derive(Debug, Default)]
pub struct Text(String);

impl Text {
    /// Adds a text of one or more lines.
    pub fn line(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.0.push_str(line.trim_end());
            self.0.push('\n');
        }
        self
    }

    /// Writes a page of this website as `Name (/path)`, which the console shows as a link, and a remark behind two spaces.
    pub fn page(&mut self, name: &str, path: &str, said: &str) -> &mut Self {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let gap = if said.is_empty() { "" } else { "  " };
        for part in [name.as_str(), " (", path, ")", gap, said, "\n"] {
            self.0.push_str(part);
        }
        self
    }

    /// Writes a row of a list: columns, then `Name (/path)`.
    pub fn row(&mut self, columns: &str, name: &str, path: &str) -> &mut Self {
        self.0.push_str(columns);
        self.page(name, path, "")
    }

    /// An empty line, but never two in a row or at the beginning.
    pub fn gap(&mut self) -> &mut Self {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
        self
    }

    /// The text as it is sent.
    pub fn finish(&self) -> String {
        without(&self.0, |c| is_invisible(c) && !matches!(c, '\u{2068}' | '\u{2069}'))
    }
}

/// A name that keeps its order beside other text: one with a letter written from right to left is set apart by Unicode's isolates.
pub fn isolated(name: &str) -> Cow<'_, str> {
    if name.contains(is_right_to_left) { format!("\u{2068}{name}\u{2069}").into() } else { name.into() }
}

/// Whether the character is in one of the blocks that Unicode keeps for scripts from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// The first sentences of a longer text, at most `most` characters, cut between words.
pub fn beginning(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.trim().to_owned() };
    let cut = &text[..end];
    let cut = cut.rfind(char::is_whitespace).map_or(cut, |space| &cut[..space]);
    format!("{}…", cut.trim_end())
}

/// Text without escape sequences and control characters (line breaks and tabs stay), trimmed and at most [`ANSWER_MAX_BYTES`] long.
pub fn clean(text: &str) -> String {
    without(text, is_invisible)
}

fn without(text: &str, is_unwanted: fn(char) -> bool) -> String {
    // U+009B begins a sequence as ESC [ does.
    let text = strip_str(&text.replace('\u{9b}', "\u{1b}[")).to_string();
    let mut clean = text.replace("\r\n", "\n").replace('\r', "\n");
    clean.retain(|c| matches!(c, '\n' | '\t') || !(c.is_control() || is_unwanted(c)));
    let mut text = clean.trim();
    if text.len() > ANSWER_MAX_BYTES {
        text = text[..text.floor_char_boundary(ANSWER_MAX_BYTES)].trim_end();
    }
    text.to_owned()
}

/// Invisible marks, such as those that change the direction of text. Joiners stay: some scripts need them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_a_terminal_would_act_upon() {
        for (text, left) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}]8;;https://evil.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("before\u{1b}]never ended", "before"),
            ("\u{9b}2Jcleared", "cleared"),
            ("a\u{0}b\u{8}c\u{7f}d\u{85}e", "abcde"),
            ("one\r\ntwo\rthree\tfour", "one\ntwo\nthree\tfour"),
            ("\u{1b}(Bset", "set"),
            ("\u{1b}", ""),
            ("  \n trimmed \u{1b}[0m ", "trimmed"),
            ("<img onerror=alert(1)>", "<img onerror=alert(1)>"),
            ("left\u{202e}thgir", "leftthgir"),
            ("👩‍🎤 é", "👩‍🎤 é"),
        ] {
            assert_eq!(clean(text), left, "{text:?}");
        }
    }

    #[test]
    fn a_long_answer_is_cut_between_characters() {
        let cut = clean(&"é".repeat(ANSWER_MAX_BYTES));
        assert_eq!(cut.len(), ANSWER_MAX_BYTES);
        let cut = clean(&format!("x{}", "é".repeat(ANSWER_MAX_BYTES)));
        assert_eq!(cut.len(), ANSWER_MAX_BYTES - 1);
    }

    #[test]
    fn lines_end_with_their_words_and_gaps_are_one_line() {
        let mut text = Text::default();
        text.gap().line("ARTIST   Sable  \n\ntwo").gap().gap().line("https://label.example/");
        assert_eq!(text.finish(), "ARTIST   Sable\n\ntwo\n\nhttps://label.example/");
    }

    #[test]
    fn a_name_from_right_to_left_is_set_apart_in_an_answer_alone() {
        let mut text = Text::default();
        text.page(&format!("{} / {}", isolated("שידור ראשון!"), isolated("Ärzte")), "/", "");
        let answer = text.finish();
        assert_eq!(answer, "\u{2068}שידור ראשון!\u{2069} / Ärzte (/)");
        assert_eq!(clean(&answer), "שידור ראשון! / Ärzte (/)");
    }

    #[test]
    fn the_beginning_of_a_text_ends_between_words() {
        assert_eq!(beginning("one two three", 100), "one two three");
        assert_eq!(beginning("one two three", 9), "one two…");
        assert_eq!(beginning("ééééé", 3), "ééé…");
    }
}
