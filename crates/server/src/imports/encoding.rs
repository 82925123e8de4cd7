//! Decodes a table in whatever encoding a spreadsheet wrote: UTF-8, UTF-16, or a single-byte code page.

use std::borrow::Cow;

use encoding_rs::{MACINTOSH, UTF_16BE, UTF_16LE, WINDOWS_1252};
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

pub fn decoded(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), ImportError> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, UTF_16LE),
        [0xfe, 0xff, rest @ ..] => utf16(rest, UTF_16BE),
        // Without a byte order mark, the first letter's upper byte tells the order.
        [lower, 0, ..] if *lower != 0 => utf16(bytes, UTF_16LE),
        [0, lower, ..] if *lower != 0 => utf16(bytes, UTF_16BE),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Some((text.strip_prefix('\u{feff}').unwrap_or(text).into(), Encoding::Utf8)),
            Err(_) => one_byte(bytes),
        },
    };
    text.filter(|(text, _)| !text.contains('\0')).ok_or(ImportError::NotText)
}

fn utf16<'a>(bytes: &'a [u8], order: &'static encoding_rs::Encoding) -> Option<(Cow<'a, str>, Encoding)> {
    let text = order.decode_without_bom_handling_and_without_replacement(bytes)?;
    (!text.bytes().any(is_control)).then_some((text, Encoding::Utf16))
}

fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n')
}

/// Windows-1252 or Mac Roman, whichever gives likelier words; none for text with control characters.
fn one_byte(bytes: &[u8]) -> Option<(Cow<'_, str>, Encoding)> {
    if bytes.iter().copied().any(is_control) {
        return None;
    }
    let (windows, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    let (mac, _) = MACINTOSH.decode_without_bom_handling(bytes);
    Some(if oddities(&mac) < oddities(&windows) {
        (mac, Encoding::MacRoman)
    } else {
        (windows, Encoding::Windows1252)
    })
}

fn oddities(text: &str) -> usize {
    let mut chars = text.chars().peekable();
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
            for (page, encoding) in [(WINDOWS_1252, Encoding::Windows1252), (MACINTOSH, Encoding::MacRoman)] {
                assert_eq!(text(&page.encode(sample).0), (sample.to_owned(), encoding), "{sample}");
            }
        }
        // Windows is assumed where both readings are alike.
        assert_eq!(text(&WINDOWS_1252.encode("Don’t “stop”").0).0, "Don’t “stop”");
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
    }
}
