//! Sleeves and portraits of the sample catalogue, drawn from a catalogue number or a name: the same text gives
//! the same picture at any size, on any machine. What they are stored as is `encode`'s; what they belong to
//! is the sample catalogue's, in the server.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "pixels and places on a sheet are small numbers that every type here holds"
)]

pub mod encode;
mod figure;
mod grooves;
mod halftone;
pub mod mark;
mod moire;
mod portraits;
mod rings;
pub mod run_out;
mod seed;
mod sheet;
mod waves;

use image::RgbImage;

use self::seed::Dice;
use self::sheet::Sheet;

/// A family of sleeves: how many recipes it has, and how it draws one.
type Family = (u32, fn(&mut Sheet, &mut Dice, u32));

/// In the order of catalogue numbers: neighbours never share a family, in rows of two, three or four.
const FAMILIES: [Family; 5] = [
    (moire::RECIPES, moire::draw),
    (halftone::RECIPES, halftone::draw),
    (rings::RECIPES, rings::draw),
    (waves::RECIPES, waves::draw),
    (grooves::RECIPES, grooves::draw),
];

/// The square sleeve of a catalogue number, `size` pixels wide.
///
/// Numbers that differ in their last digits (`404-001`, `404-002`) get recipes of different families, and no
/// recipe comes twice within the first forty-six.
pub fn cover(catalog: &str, size: u32) -> RgbImage {
    let number = trailing_number(catalog).unwrap_or_else(|| (seed::hash(catalog) % 1000) as u32 + 1);
    let place = number.max(1) - 1;
    let (recipes, draw) = FAMILIES[place as usize % FAMILIES.len()];
    let turn = place / FAMILIES.len() as u32;
    let mut sheet = Sheet::new(size, size);
    draw(&mut sheet, &mut Dice::of(catalog), turn % recipes);
    if (turn / recipes) % 2 == 1 {
        sheet.invert();
    }
    sheet.print()
}

/// The square portrait that stands for a name, `size` pixels wide: a figure without a face.
pub fn portrait(name: &str, size: u32) -> RgbImage {
    let mut sheet = Sheet::new(size, size);
    let recipe = (seed::hash(name) >> 42) % u64::from(portraits::RECIPES);
    portraits::draw(&mut sheet, &mut Dice::of(name), name, recipe as u32);
    sheet.print()
}

fn trailing_number(text: &str) -> Option<u32> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    text[text.len() - digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::encode;
    use super::sheet::PALETTE;
    use super::{cover, portrait};

    const NAMES: [&str; 4] = ["Kesto Vann", "Ohm & Ledger", "alva", "Ärzte im Exil"];

    fn catalogue() -> impl Iterator<Item = String> {
        (1..=46).map(|number| format!("404-{number:03}"))
    }

    #[test]
    fn the_same_text_gives_the_same_picture() {
        assert_eq!(cover("404-019", 96), cover("404-019", 96));
        assert_eq!(portrait("Mira Holm", 96), portrait("Mira Holm", 96));
        assert_eq!(cover("white label", 64), cover("white label", 64), "a text without a number too");
    }

    #[test]
    fn no_two_sleeves_and_no_two_portraits_are_the_same() {
        let sleeves: HashSet<Vec<u8>> = catalogue().map(|number| cover(&number, 64).into_raw()).collect();
        assert_eq!(sleeves.len(), 46);
        let portraits: HashSet<Vec<u8>> = NAMES.iter().map(|name| portrait(name, 64).into_raw()).collect();
        assert_eq!(portraits.len(), NAMES.len());
    }

    #[test]
    fn pictures_have_the_size_asked_for_even_a_foolish_one() {
        for size in [1, 2, 33, 128] {
            for number in catalogue() {
                assert_eq!(cover(&number, size).dimensions(), (size, size), "{number}");
            }
        }
        assert_eq!(portrait("", 40).dimensions(), (40, 40));
    }

    #[test]
    fn nothing_is_printed_outside_the_palette_and_no_sleeve_is_blank() {
        for number in catalogue() {
            let print = cover(&number, 120);
            assert!(print.pixels().all(|pixel| PALETTE.contains(&pixel.0)), "{number}");
            let light = print.pixels().filter(|pixel| PALETTE[5..9].contains(&pixel.0)).count();
            let share = light * 100 / (120 * 120);
            assert!((3..=94).contains(&share), "{number} is {share} % bone");
        }
    }

    #[test]
    fn signal_is_used_sparingly() {
        for number in catalogue() {
            let print = cover(&number, 120);
            let signal = print.pixels().filter(|pixel| pixel.0 == super::sheet::SIGNAL).count();
            assert!(signal < 120 * 120 / 10, "{number}: {signal}");
        }
    }

    #[test]
    fn a_packed_print_reads_back_as_it_was() {
        for size in [63, 64] {
            let print = cover("404-019", size);
            let bytes = encode::png(&print).unwrap();
            assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgb8(), print);
        }
    }

    #[test]
    fn a_foreign_colour_is_refused() {
        let mut print = cover("404-019", 8);
        print.put_pixel(5, 3, image::Rgb([1, 2, 3]));
        let error = encode::png(&print).unwrap_err();
        assert!(matches!(error, encode::EncodeError::ForeignColour { x: 5, y: 3 }), "{error}");
    }
}
