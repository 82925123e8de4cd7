//! Numbers as people type them, read exactly: no binary fraction is involved, so 1.005 rounds as on paper.
//!
//! What a number means for a price or a stock, and what to do when there is none, is in `product`.

/// A typed number, as far as a price or a count needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number {
    /// Below zero; zero itself never is.
    pub(crate) negative: bool,
    /// The part before the decimal point, at most [`INTEGER_MAX`].
    pub(crate) integer: u64,
    /// The first two decimals, 0 to 99.
    pub(crate) hundredths: u64,
    /// Whether the third decimal is 5 or more.
    pub(crate) rounds_up: bool,
    /// Whether anything but zeros follows the decimal point.
    pub(crate) has_fraction: bool,
}

/// Where reading stops to count; far above every limit of the product.
pub(crate) const INTEGER_MAX: u64 = 1_000_000_000_000;

impl Number {
    /// Reads an optional sign, digits with at most one decimal point among them, and an optional exponent; white
    /// space around does not count. `None` is everything else: nothing, words, a comma, hexadecimal. Linear time.
    pub(crate) fn parse(input: &str) -> Option<Self> {
        let text = input.trim();
        let (signed_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = || before.bytes().chain(after.bytes());
        if digits().next().is_none() || !digits().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        // How many digits stand before the decimal point once the exponent has moved it; may be negative.
        let point = i64::try_from(before.len()).unwrap_or(i64::MAX).saturating_add(exponent);
        let mut number =
            Self { negative: false, integer: 0, hundredths: 0, rounds_up: false, has_fraction: false };
        let mut place = 0_i64;
        for digit in digits().map(|digit| u64::from(digit - b'0')) {
            number.take(digit, place.saturating_sub(point));
            place += 1;
        }
        // An exponent beyond the last digit appends zeros; a few of them reach the most that is counted.
        while place < point && number.integer > 0 && number.integer < INTEGER_MAX {
            number.take(0, place.saturating_sub(point));
            place += 1;
        }
        number.negative = signed_negative && (number.integer > 0 || number.has_fraction);
        Some(number)
    }

    /// Adds the digit that stands so many places after the decimal point; below zero is before it.
    fn take(&mut self, digit: u64, decimal: i64) {
        if decimal < 0 {
            self.integer = (self.integer * 10 + digit).min(INTEGER_MAX);
            return;
        }
        self.has_fraction |= digit > 0;
        match decimal {
            0 => self.hundredths += digit * 10,
            1 => self.hundredths += digit,
            2 => self.rounds_up = digit >= 5,
            _ => {}
        }
    }

    /// Hundredths in all, rounded half up, without the sign.
    pub(crate) const fn rounded_hundredths(self) -> u64 {
        self.integer * 100 + self.hundredths + self.rounds_up as u64
    }
}

/// A signed whole number; beyond a million it makes no difference how far.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0_i64, |size, digit| (size * 10 + i64::from(digit - b'0')).min(1_000_000));
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hundredths(input: &str) -> Option<u64> {
        Number::parse(input).map(Number::rounded_hundredths)
    }

    #[test]
    fn decimals_beyond_the_second_are_rounded_half_up() {
        assert_eq!(hundredths("0.005"), Some(1));
        assert_eq!(hundredths("1.005"), Some(101));
        assert_eq!(hundredths("1.0049999"), Some(100));
        assert_eq!(hundredths("9.999"), Some(1000));
    }

    #[test]
    fn an_exponent_moves_the_point() {
        assert_eq!(hundredths("1e3"), Some(100_000));
        assert_eq!(hundredths("12.5e-1"), Some(125));
        assert_eq!(hundredths("5e-3"), Some(1));
        assert_eq!(hundredths("0e999999999999"), Some(0));
        assert_eq!(hundredths("1e400"), Some(INTEGER_MAX * 100));
        assert_eq!(hundredths("1e-400"), Some(0));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in
            ["", " ", ".", "-", "e5", "1e", "1e+", "12,50", "0x10", "NaN", "Infinity", "1.2.3", "--1", "١"]
        {
            assert_eq!(Number::parse(text), None, "{text:?}");
        }
        assert_eq!(hundredths(".5"), Some(50));
        assert_eq!(hundredths("5."), Some(500));
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(Number::parse("-0.000").map(|number| number.negative), Some(false));
        assert_eq!(Number::parse("-0.001").map(|number| number.negative), Some(true));
    }
}
