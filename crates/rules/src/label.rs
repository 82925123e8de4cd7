//! The label's own name and signal colour.
//!
//! Both are editable texts. A blank one means the preset: the name in the settings, and the colour of the design.

use crate::checked::{Refusal, refusals, untitled};

/// Longest name, in characters.
pub const LABEL_NAME_MAX_CHARS: usize = 60;

/// The colour of the design, as `#rrggbb`.
pub const SIGNAL: &str = "#ff4a1c";

/// Least contrast of the signal colour with the ground, as text (WCAG 2.2, 1.4.3). Focus needs 3:1, so text decides.
const LEAST_CONTRAST: f64 = 4.5;

/// The ground of every page.
const GROUND: [u8; 3] = [0x0b, 0x0b, 0x0b];

refusals! {
    /// Refusals of the label's name and colour.
    pub enum LabelError {
        NameTooLong = "label_name_too_long", "Name must be at most 60 characters";
        NameLines = "label_name_lines", "Name must be one line";
        SignalFormat = "label_signal_format", "Colour must be # and six hexadecimal digits";
        SignalContrast = "label_signal_contrast", "Colour is too dark on black";
    }
}
untitled!(LabelError);

/// Checks the name; blank is the preset.
pub fn check_label_name(value: &str) -> Result<(), LabelError> {
    let name = value.trim();
    if name.chars().count() > LABEL_NAME_MAX_CHARS {
        Err(LabelError::NameTooLong)
    } else if name.contains(char::is_control) {
        Err(LabelError::NameLines)
    } else {
        Ok(())
    }
}

/// Checks the colour; blank is the preset. The text of a refusal for too little contrast names the nearest lighter colour
/// that has enough.
///
/// ```
/// use rules::label::check_label_signal;
/// assert_eq!(check_label_signal("#FFD400"), Ok(()));
/// let refusal = check_label_signal("#7a0000").unwrap_err();
/// assert!(refusal.message.ends_with("the nearest that can be read is #ae6464"), "{}", refusal.message);
/// ```
pub fn check_label_signal(value: &str) -> Result<(), Refusal> {
    let value = value.trim();
    if value.is_empty() {
        return Ok(());
    }
    let colour = parse(value).ok_or(LabelError::SignalFormat)?;
    if contrast(colour, GROUND) >= LEAST_CONTRAST {
        return Ok(());
    }
    let [red, green, blue] = readable(colour);
    let mut refusal = Refusal::from(LabelError::SignalContrast);
    refusal.message =
        format!("{}; the nearest that can be read is #{red:02x}{green:02x}{blue:02x}", refusal.message)
            .into();
    Err(refusal)
}

/// The colour as `#rrggbb` in lower case; the preset's for a value that is blank or no such colour.
pub fn signal_colour(value: &str) -> String {
    let value = value.trim();
    parse(value).map_or(SIGNAL.to_owned(), |_| value.to_ascii_lowercase())
}

fn parse(value: &str) -> Option<[u8; 3]> {
    let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let mut colour = [0; 3];
    for (channel, at) in colour.iter_mut().zip([0, 2, 4]) {
        // A sign would parse too.
        let pair = digits.get(at..at + 2).filter(|pair| pair.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        *channel = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(colour)
}

/// The first mixture with white that has enough contrast; white has.
fn readable(colour: [u8; 3]) -> [u8; 3] {
    let mixed = |share: u16| {
        colour.map(|channel| {
            let lighter = u16::from(255 - channel) * share / 255;
            channel + u8::try_from(lighter).unwrap_or(0)
        })
    };
    (0..=255).map(mixed).find(|mixture| contrast(*mixture, GROUND) >= LEAST_CONTRAST).unwrap_or([255; 3])
}

/// The contrast ratio of two colours, 1 to 21 (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance([red, green, blue]: [u8; 3]) -> f64 {
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// The light of a channel. The power of 2.4 is a square times a fifth root of a square, found by Newton's method: the same
/// bits natively and in browsers.
fn linear(channel: u8) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.040_45 {
        return share / 12.92;
    }
    let base = (share + 0.055) / 1.055;
    let square = base * base;
    let root = (0..12).fold(1.0_f64, |root, _| {
        let fourth = root * root * root * root;
        root - (root * fourth - square) / (5.0 * fourth)
    });
    square * root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrasts_are_those_of_wcag() {
        // By the formula of WCAG 2.2, computed with powf.
        for (colour, ratio) in
            [("#ffffff", 19.68), ("#0b0b0b", 1.0), ("#ff4a1c", 5.86), ("#7a0000", 1.71), ("#777777", 4.40)]
        {
            let measured = contrast(parse(colour).unwrap(), GROUND);
            assert!((measured - ratio).abs() < 0.005, "{colour}: {measured}");
        }
    }

    #[test]
    fn a_suggestion_passes() {
        for colour in ["#000000", "#0000ff", "#7a0000", "#004400", "#777777"] {
            let refusal = check_label_signal(colour).unwrap_err();
            let suggested = refusal.message.rsplit(' ').next().unwrap().to_owned();
            assert_eq!(check_label_signal(&suggested), Ok(()), "{suggested}");
        }
    }
}
