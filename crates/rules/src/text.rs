//! Cleaning typed text: removing tags, detecting control characters, counting characters.
//!
//! Which functions apply, and the texts of refusals, are defined with each field. Nothing is encoded here: text is stored as
//! typed and escaped on output.

/// Removes every complete tag and keeps the rest as typed (see `docs/reference.md`, "Markup").
///
/// A tag is `<` directly followed by an ASCII letter, `/`, `!` or `?`, up to the next `>`, as in HTML. Tags that only appear
/// once others are removed are removed too, so the result contains no complete tag and is not changed by stripping it again. A
/// lone `<` or `>` stays. Linear time.
///
/// ```
/// use rules::text::strip_tags;
///
/// assert_eq!(strip_tags("<b>Rhythm</b> & Sound"), "Rhythm & Sound");
/// assert_eq!(strip_tags("<scr<b>ipt>D'Angelo"), "D'Angelo");
/// assert_eq!(strip_tags("I <3 you"), "I <3 you");
/// ```
pub fn strip_tags(input: &str) -> String {
    if !input.contains('>') {
        return input.to_owned();
    }
    let mut kept = String::with_capacity(input.len());
    // The positions in `kept` of each `<` that may still begin a tag; each is pushed and popped once.
    let mut openings: Vec<usize> = Vec::new();
    for character in input.chars() {
        match character {
            '<' => {
                openings.push(kept.len());
                kept.push('<');
            }
            '>' => {
                let tag = loop {
                    match openings.pop() {
                        Some(opening) if begins_tag(&kept, opening) => break Some(opening),
                        // The character after this `<` can no longer be removed, so it never begins a tag.
                        Some(_) => {}
                        None => break None,
                    }
                };
                match tag {
                    Some(opening) => kept.truncate(opening),
                    None => kept.push('>'),
                }
            }
            other => kept.push(other),
        }
    }
    kept
}

fn begins_tag(kept: &str, opening: usize) -> bool {
    matches!(kept.as_bytes().get(opening + 1), Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?'))
}

/// Whether the text contains a control character (NUL, escape, line breaks, tabs, C1).
///
/// For single-line fields: no control character may reach a mail header, a log or a database column.
pub fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// Whether the text contains a control character or a bidirectional embedding, override or isolate (UAX 9). Joining characters
/// (emoji, Arabic, Indic scripts) and direction marks are allowed.
///
/// For names and titles, which appear beside other text on pages and in mails.
pub fn has_control_or_bidi(text: &str) -> bool {
    has_control(text) || text.contains(is_bidi_control)
}

/// Whether the text has a `<` or `>`, which in a name indicates incomplete markup, or a character of [`has_control_or_bidi`].
pub(crate) fn has_markup_or_control(text: &str) -> bool {
    text.contains(['<', '>']) || has_control_or_bidi(text)
}

/// Whether the character changes the direction of the following text; see [`has_control_or_bidi`].
pub(crate) fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether the character is one of [`is_bidi_control`] or a direction mark, which only affects its neighbours.
pub(crate) fn is_bidi_control_or_mark(c: char) -> bool {
    is_bidi_control(c) || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

/// Whether the character has no width and only affects its neighbours: Unicode's `Default_Ignorable_Code_Point`, and the marks
/// of interlinear annotations.
pub const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the character is invisible: white space, control characters, ignorable characters and the empty Braille cell. NUL is
/// not included: programs never paste it, so it must be refused.
pub fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.is_control() && c != '\0' || is_ignorable(c) || c == '\u{2800}'
}

/// Whether the text contains invisible characters only.
pub fn is_invisible(text: &str) -> bool {
    text.chars().all(is_unseen)
}

/// Removes invisible characters at both ends. A variation selector after an emoji or letter is kept.
///
/// ```
/// use rules::text::trim;
///
/// assert_eq!(trim("\u{feff} Alva\u{200b}\u{b}"), "Alva");
/// assert_eq!(trim("\u{2764}\u{fe0f} "), "\u{2764}\u{fe0f}");
/// ```
pub fn trim(text: &str) -> &str {
    trim_by(text, is_unseen)
}

fn trim_by(text: &str, is_unseen: impl Fn(char) -> bool) -> &str {
    let text = text.trim_start_matches(&is_unseen);
    let seen = text.trim_end_matches(&is_unseen);
    if seen.ends_with(|c: char| c.is_ascii()) {
        return seen;
    }
    let shape = |c: char| matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}');
    let behind = text.get(seen.len()..).unwrap_or_default();
    let shaping = behind.len() - behind.trim_start_matches(shape).len();
    text.get(..seen.len() + shaping).unwrap_or(seen)
}

/// ASCII form of a full-width character; other characters are returned unchanged.
pub(crate) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

/// Whether a long text contains a control character other than line breaks and tabs, which are common in pasted prose.
pub fn has_control_but_white_space(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

/// Whether the text contains a non-empty word, ignoring ASCII case. Linear for words of fixed length.
pub(crate) fn contains_ignoring_case(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Length in characters (Unicode scalar values), as in all limits.
pub fn count(text: &str) -> usize {
    text.chars().count()
}

/// Whether the text has more than `max` characters; stops counting there.
pub fn is_longer(text: &str, max: usize) -> bool {
    text.chars().nth(max).is_some()
}

/// Whether the text has fewer than `min` characters; stops counting there.
pub fn is_shorter(text: &str, min: usize) -> bool {
    text.chars().take(min).count() < min
}

/// A single-line text as stored: without tags and surrounding invisible characters.
pub(crate) fn cleaned(input: &str) -> String {
    line(strip_tags(input))
}

/// The same for an optional field, `None` if it is blank.
pub(crate) fn cleaned_option(input: Option<String>) -> Option<String> {
    input.map(|text| cleaned(&text)).filter(|text| !text.is_empty())
}

/// An optional long text as stored, without tags; `None` if it is blank.
pub(crate) fn cleaned_prose(input: Option<String>) -> Option<String> {
    input.map(|text| prose(strip_tags(&text))).filter(|text| !text.is_empty())
}

/// A single line as stored: tabs and pasted line breaks become spaces.
pub(crate) fn line(input: String) -> String {
    blanked(trimmed(input), |c| matches!(c, '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'))
}

/// A number or code as stored: with plain spaces, hyphens and half-width characters for their look-alikes, and without
/// ignorable characters.
pub(crate) fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{2010}' | '\u{2011}' | '\u{fe63}' => '-',
        c if c.is_whitespace() && !c.is_control() => ' ',
        c => narrow(c),
    };
    text.chars().filter(|c| !is_ignorable(*c)).map(plain).collect()
}

/// Normalises line breaks.
pub(crate) fn unix(typed: String) -> String {
    if typed.contains('\r') { typed.replace("\r\n", "\n").replace('\r', "\n") } else { typed }
}

/// A long text as stored: pasted control characters become spaces; line breaks and tabs stay, and so does NUL, which is refused
/// later.
pub(crate) fn prose(input: String) -> String {
    blanked(trimmed_prose(input), |c| c.is_control() && !matches!(c, '\0' | '\n' | '\r' | '\t'))
}

/// Removes invisible characters at both ends of a long text, except direction marks that belong to it.
pub(crate) fn trimmed_prose(input: String) -> String {
    if is_invisible(&input) {
        return String::new();
    }
    let inner = trim_by(&input, |c| is_unseen(c) && !is_bidi_control_or_mark(c));
    if inner.len() == input.len() { input } else { inner.to_owned() }
}

fn blanked(text: String, is_blank: impl Fn(char) -> bool) -> String {
    if text.contains(&is_blank) {
        text.chars().map(|c| if is_blank(c) { ' ' } else { c }).collect()
    } else {
        text
    }
}

/// As [`trim`], reusing the buffer if there is nothing to remove.
pub(crate) fn trimmed(input: String) -> String {
    let inner = trim(&input);
    if inner.len() == input.len() { input } else { inner.to_owned() }
}

/// Formats an integer without the formatting machinery, which is too large for the browser.
pub(crate) fn decimal(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(u32::try_from(number % 10).ok().and_then(|digit| char::from_digit(digit, 10)));
        number /= 10;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_made_by_removing_another_is_removed_too() {
        assert_eq!(strip_tags("<<b>script>x"), "x");
        assert_eq!(strip_tags("<<<b>b>b>x"), "x");
        assert_eq!(strip_tags("a < <b>c"), "a < c");
    }

    #[test]
    fn a_bracket_that_begins_no_tag_stays() {
        for text in ["a < b > c", "<>", "<3 >", "x > y", "<b", "< b>", "1 <2> 3"] {
            assert_eq!(strip_tags(text), text);
        }
    }

    #[test]
    fn a_hundred_thousand_openings_are_one_pass() {
        let hostile = "<".repeat(50_000) + &">".repeat(50_000);
        assert_eq!(strip_tags(&hostile), hostile);
        let nested = "<b".repeat(25_000) + &">".repeat(25_000);
        assert_eq!(strip_tags(&nested), "");
    }

    #[test]
    fn counting_stops_at_the_limit_and_agrees_with_it() {
        assert!(!is_longer("🎛🎛", 2) && is_longer("🎛🎛🎛", 2));
        assert!(is_shorter("e\u{301}", 3) && !is_shorter("e\u{301}", 2));
        assert_eq!(count("e\u{301}"), 2);
    }
}
