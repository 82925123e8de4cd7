//! GIF: up to its trailer, without comments and foreign extensions.

use super::Stripped;

pub(super) fn strip<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    let table = |packed: u8| if packed & 0x80 == 0 { 0 } else { 3 << ((packed & 7) + 1) };
    let mut at = 13 + table(*bytes.get(10)?);
    kept.keep(bytes.get(..at)?);
    kept.frames = 0;
    loop {
        let start = at;
        let mut is_note = false;
        match *bytes.get(at)? {
            0x3b => {
                kept.keep(&[0x3b]);
                kept.moving = kept.frames > 1;
                // A frame; of films also what stays of those before, and both drawn together.
                kept.held_per_pixel = if kept.moving { 12 } else { 4 };
                return Some(());
            }
            0x2c => {
                kept.frames += 1;
                at += 10 + table(*bytes.get(at + 9)?) + 1;
            }
            0x21 => {
                let loops = bytes.get(at + 2..).is_some_and(|rest| {
                    rest.starts_with(b"\x0bNETSCAPE2.0") || rest.starts_with(b"\x0bANIMEXTS1.0")
                });
                is_note = *bytes.get(at + 1)? != 0xf9 && !loops;
                at += 2;
            }
            _ => return None,
        }
        loop {
            let length = usize::from(*bytes.get(at)?);
            at += 1 + length;
            if length == 0 {
                break;
            }
        }
        if !is_note {
            kept.keep(bytes.get(start..at)?);
        }
    }
}
