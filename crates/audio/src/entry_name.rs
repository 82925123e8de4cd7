//! The name of a file in an archive, as text.

use rawzip::{ZipFileHeaderRecord, crc32, extra_fields::ExtraFieldId};

/// The upper half of code page 437, in which names are where nothing else is said (APPNOTE 6.3.10, appendix D).
const UPPER_HALF: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The name of an entry: its Unicode extra field, else UTF-8 if it is valid (macOS does not set the flag), else code page 437.
/// Unprintable characters become blanks.
pub(crate) fn read(record: &ZipFileHeaderRecord<'_>) -> String {
    let name = record.file_path();
    let bytes: &[u8] = name.as_ref();
    let other = record.extra_fields().find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    let other = other.and_then(|(_, field)| {
        let (&[version, a, b, c, d], other) = field.split_first_chunk::<5>()?;
        // It is void where the name was changed by a program that did not know it.
        let is_of_name = version == 1 && u32::from_le_bytes([a, b, c, d]) == crc32(bytes);
        std::str::from_utf8(other).ok().filter(|_| is_of_name)
    });
    let text = match other.or_else(|| std::str::from_utf8(bytes).ok()) {
        Some(text) => text.to_owned(),
        None => bytes.iter().map(|byte| character(*byte)).collect(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn character(byte: u8) -> char {
    let upper = byte.checked_sub(0x80).and_then(|at| UPPER_HALF.chars().nth(at.into()));
    upper.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_is_whole() {
        assert_eq!(UPPER_HALF.chars().count(), 128);
        for (byte, read) in [(b'a', 'a'), (0x81, 'ü'), (0x94, 'ö'), (0xe1, 'ß'), (0xff, '\u{a0}')] {
            assert_eq!(character(byte), read);
        }
    }
}
