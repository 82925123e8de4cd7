//! The label's signal colour: the one accent, which must be readable on the ground.

use crate::checked::Refusal;
use crate::label::LabelError;

/// The colour of the design, as `#rrggbb`.
pub const SIGNAL: &str = "#ff4a1c";

/// Least contrast with the ground, as text and below the text of buttons (WCAG 2.2, 1.4.3). Focus needs 3:1, so text decides.
const LEAST_CONTRAST: f64 = 4.5;

/// The ground of every page.
const GROUND: [u8; 3] = [0x0b, 0x0b, 0x0b];

/// Steps of the lightness from black to white in the search for the nearest colour.
const STEPS: u32 = 1000;

/// Checks the colour; blank is the preset. A colour with too little contrast is refused with the nearest that has enough: of
/// the same hue and chroma in OKLCH, as far as screens can show that chroma at its lightness.
///
/// ```
/// use rules::signal::check_label_signal;
/// assert_eq!(check_label_signal("#FFD400"), Ok(()));
/// let refusal = check_label_signal("#7a0000").unwrap_err();
/// assert!(refusal.message.ends_with("the nearest that can be read is #c75547"), "{}", refusal.message);
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
    let [red, green, blue] = nearest_readable(colour);
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

/// The darkest colour of the same hue that has enough contrast; white has.
fn nearest_readable(colour: [u8; 3]) -> [u8; 3] {
    let [lightness, a, b] = oklab(colour.map(linear));
    let lights: Vec<f64> = (0..=u8::MAX).map(linear).collect();
    (0..=STEPS)
        .map(|step| f64::from(step) / f64::from(STEPS))
        .filter(|lighter| *lighter >= lightness)
        .map(|lighter| shown([lighter, a, b], &lights))
        .find(|lighter| contrast(*lighter, GROUND) >= LEAST_CONTRAST)
        .unwrap_or([u8::MAX; 3])
}

/// The colour on a screen, with as much of its chroma as there is at its lightness. `lights` is the light of each channel value.
fn shown([lightness, a, b]: [f64; 3], lights: &[f64]) -> [u8; 3] {
    let of_share = |share: f64| light([lightness, a * share, b * share]);
    let is_shown = |share: f64| of_share(share).iter().all(|channel| (-1e-6..=1.000_001).contains(channel));
    let (mut least, mut most) = (0.0, 1.0);
    if !is_shown(most) {
        for _ in 0..16 {
            let middle = f64::midpoint(least, most);
            if is_shown(middle) { least = middle } else { most = middle }
        }
        most = least;
    }
    of_share(most).map(|channel| {
        let nearest = lights.partition_point(|light| *light < channel);
        let below = nearest.saturating_sub(1);
        let distance = |at: usize| lights.get(at).map_or(f64::INFINITY, |light| (light - channel).abs());
        let index = if distance(below) < distance(nearest) { below } else { nearest };
        u8::try_from(index).unwrap_or(u8::MAX)
    })
}

/// Linear light as lightness and two axes of colour (Björn Ottosson, "A perceptual color space for image processing").
fn oklab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let long = cube_root(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue);
    let middle = cube_root(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue);
    let short = cube_root(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue);
    [
        0.210_454_255_3 * long + 0.793_617_785_0 * middle - 0.004_072_046_8 * short,
        1.977_998_495_1 * long - 2.428_592_205_0 * middle + 0.450_593_709_9 * short,
        0.025_904_037_1 * long + 0.782_771_766_2 * middle - 0.808_675_766_0 * short,
    ]
}

/// The inverse of [`oklab`].
fn light([lightness, a, b]: [f64; 3]) -> [f64; 3] {
    let cube = |root: f64| root * root * root;
    let long = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let middle = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let short = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * middle + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * middle - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * middle + 1.707_614_701_0 * short,
    ]
}

/// By Newton's method, for the same bits natively and in browsers.
fn cube_root(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    (0..40).fold(1.0_f64, |root, _| root - (root * root * root - value) / (3.0 * root * root))
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
    fn a_suggestion_passes_keeps_the_hue_and_is_as_dark_as_can_be() {
        for colour in ["#000000", "#0000ff", "#7a0000", "#004400", "#777777", "#5500aa", "#603000"] {
            let refusal = check_label_signal(colour).unwrap_err();
            let suggested = refusal.message.rsplit(' ').next().unwrap().to_owned();
            assert_eq!(check_label_signal(&suggested), Ok(()), "{suggested}");
            let (from, to) = (parse(colour).unwrap(), parse(&suggested).unwrap());
            assert!(contrast(to, GROUND) < LEAST_CONTRAST + 0.06, "{suggested} is lighter than needed");
            let [[_, a, b], [_, c, d]] = [from, to].map(|colour| oklab(colour.map(linear)));
            let (chroma, suggested_chroma) = (a.hypot(b), c.hypot(d));
            assert!(suggested_chroma < chroma + 0.003, "{suggested}: {suggested_chroma} of {chroma}");
            if chroma > 0.01 {
                let turn = (a * d - b * c).atan2(a * c + b * d).to_degrees();
                assert!(turn.abs() < 1.5, "{colour} turns by {turn} degrees to {suggested}");
            }
        }
    }

    #[test]
    fn light_and_oklab_are_inverse() {
        for colour in [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.2, 0.7, 0.01], [0.0, 0.0, 1.0]] {
            for (before, after) in colour.into_iter().zip(light(oklab(colour))) {
                assert!((before - after).abs() < 1e-6, "{colour:?}: {after}");
            }
        }
        assert!((cube_root(1e-5).powi(3) - 1e-5).abs() < 1e-12);
    }
}
