//! Decodes a table in whatever encoding a spreadsheet wrote: UTF-8, UTF-16, or a single-byte code page.

use std::borrow::Cow;

use rules::import::ImportError;
use serde::Serialize;
use utoipa::ToSchema;

/// How a table was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, in either order of bytes.
    #[serde(rename = "utf-16")]
    Utf16,
    /// CSV by spreadsheets on Windows in western Europe and America. Guessed.
    #[serde(rename = "windows-1252")]
    Windows1252,
    /// CSV by spreadsheets on older Macs. Guessed.
    #[serde(rename = "macintosh")]
    MacRoman,
}

/// 0x80 to 0x9f of Windows-1252; above it is Latin-1 (the Encoding Standard, index windows-1252).
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
/// 0x80 to 0xff of Mac Roman (the Encoding Standard, index macintosh; 0xdb is the euro sign since Mac OS 8.5).
const MAC_ROMAN: &str = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„\
    ‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

pub fn decoded(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), ImportError> {
    let utf16 = |rest, unit| Some((Cow::from(utf16(rest, unit)?), Encoding::Utf16));
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        // Without a byte order mark, the first letter's upper byte tells the order.
        [lower, 0, ..] if *lower != 0 => utf16(bytes, u16::from_le_bytes),
        [0, lower, ..] if *lower != 0 => utf16(bytes, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Some((text.strip_prefix('\u{feff}').unwrap_or(text).into(), Encoding::Utf8)),
            Err(_) => one_byte(bytes).map(|(text, encoding)| (text.into(), encoding)),
        },
    };
    text.filter(|(text, _)| !text.contains('\0')).ok_or(ImportError::NotText)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (units, rest) = bytes.as_chunks::<2>();
    let text = char::decode_utf16(units.iter().map(|bytes| unit(*bytes)));
    let text = text.collect::<Result<String, _>>().ok()?;
    (rest.is_empty() && !text.bytes().any(is_control)).then_some(text)
}

/// Whether a byte occurs in no table.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n')
}

/// Windows-1252 or Mac Roman, whichever gives likelier words; none for text with control characters.
fn one_byte(bytes: &[u8]) -> Option<(String, Encoding)> {
    if bytes.iter().copied().any(is_control) {
        return None;
    }
    let (windows, mac) = (upper_half(WINDOWS_1252), upper_half(MAC_ROMAN));
    let is_mac = oddities(letters(bytes, &mac)) < oddities(letters(bytes, &windows));
    Some(if is_mac {
        (letters(bytes, &mac).collect(), Encoding::MacRoman)
    } else {
        (letters(bytes, &windows).collect(), Encoding::Windows1252)
    })
}

/// The letters from 0x80 on; missing ones are Latin-1.
fn upper_half(page: &str) -> Vec<char> {
    let latin = (0x80 + page.chars().count()..=0xff).filter_map(|byte| u8::try_from(byte).ok());
    page.chars().chain(latin.map(char::from)).collect()
}

fn letters(bytes: &[u8], upper_half: &[char]) -> impl Iterator<Item = char> {
    let letter = |byte: &u8| byte.checked_sub(0x80).and_then(|at| upper_half.get(usize::from(at))).copied();
    bytes.iter().map(move |byte| letter(byte).unwrap_or(char::from(*byte)))
}

/// Counts characters in places where no western European word has them.
fn oddities(letters: impl Iterator<Item = char>) -> usize {
    let mut chars = letters.peekable();
    let (mut before, mut count) = (' ', 0);
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        let is_odd = match c {
            '\0'..='\x7f' | 'Œ' | 'œ' | '’' | '–' | '—' | '·' | '…' | '\u{a0}' => false,
            '‘' | '“' | '”' | '„' | '«' | '»' | '‹' | '›' | '¿' | '¡' => {
                before.is_alphabetic() && after.is_alphabetic()
            }
            '™' | '®' | '©' | '´' | '²' | '³' => after.is_alphabetic(),
            'À'..='ÿ' if c.is_alphabetic() => {
                c.is_uppercase() && (before.is_lowercase() || before.is_alphabetic() && after.is_lowercase())
            }
            _ => {
                let is_in_word = before.is_alphabetic() || after.is_alphabetic();
                is_in_word || c.is_alphabetic() || c.is_control() || ('\u{2d8}'..='\u{2dd}').contains(&c)
            }
        };
        count += usize::from(is_odd);
        before = c;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (String, Encoding) {
        let (text, encoding) = decoded(bytes).unwrap();
        (text.into_owned(), encoding)
    }

    #[test]
    fn utf_16_is_read_in_both_orders_with_a_mark_and_without() {
        for sample in ["title,Künstler\nŁódź,🎛\n", "a\n1"] {
            let units: Vec<u16> = sample.encode_utf16().collect();
            let (little, big): (Vec<u8>, Vec<u8>) = (
                units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
                units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
            );
            let marked = |mark: [u8; 2], bytes: &[u8]| [&mark[..], bytes].concat();
            for bytes in [&marked([0xff, 0xfe], &little), &marked([0xfe, 0xff], &big)] {
                assert_eq!(text(bytes), (sample.to_owned(), Encoding::Utf16));
            }
        }
        let ascii: Vec<u8> = "title\nMüller".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text(&ascii).0, "title\nMüller");
        let ascii: Vec<u8> = "title\nMüller".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(&ascii).0, "title\nMüller");
    }

    #[test]
    fn one_byte_a_letter_is_told_apart_by_its_words() {
        let encoded = |text: &str, page: &str, encoding: Encoding| {
            let page: Vec<char> = page.chars().collect();
            let byte = |c: char| match page.iter().position(|known| *known == c) {
                Some(at) => u8::try_from(at + 0x80).unwrap(),
                None => u8::try_from(c).unwrap(),
            };
            (text.chars().map(byte).collect::<Vec<u8>>(), encoding)
        };
        for sample in [
            "Müller",
            "Köln",
            "Ärzte",
            "Über",
            "GRÜSSE",
            "Straße",
            "Groß",
            "Café",
            "Été",
            "Voilà",
            "Garçon",
            "Noël",
            "Maïs",
            "Señor, así, qué",
            "São",
            "Cœur de pirate, née",
            "Øresund, Søren",
            "Ångström",
            "»Dub«, Tür",
            "Élan vital – né",
        ] {
            for (page, encoding) in [(WINDOWS_1252, Encoding::Windows1252), (MAC_ROMAN, Encoding::MacRoman)] {
                let (bytes, encoding) = encoded(sample, page, encoding);
                assert_eq!(text(&bytes), (sample.to_owned(), encoding), "{sample}");
            }
        }
        // Windows is assumed where both readings are alike.
        let (bytes, _) = encoded("Don’t “stop”", WINDOWS_1252, Encoding::Windows1252);
        assert_eq!(text(&bytes).0, "Don’t “stop”");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for bytes in [
            &b"a\0b\n1"[..],
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            b"PK\x03\x04\xff\xfe",
            b"\xff\xfea",
            b"\xff\xfe\0\xd8",
            b"\xff\xfea\0\0\0",
        ] {
            assert_eq!(decoded(bytes).unwrap_err(), ImportError::NotText, "{bytes:?}");
        }
        assert_eq!(MAC_ROMAN.chars().count(), 128);
        assert_eq!(WINDOWS_1252.chars().count(), 32);
    }
}
