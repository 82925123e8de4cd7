//! Typed numbers, parsed in decimal without binary fractions, so that 1.005 rounds as on paper.
//!
//! Prices and stocks are in `product`.

use crate::text;

/// A parsed number with the precision of a price or count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number {
    /// Whether it is below zero; false for zero.
    pub(crate) negative: bool,
    /// The integer part, at most [`INTEGER_MAX`].
    pub(crate) integer: u64,
    /// The first two decimals, 0 to 99.
    pub(crate) hundredths: u64,
    /// Whether the third decimal is 5 or more.
    pub(crate) rounds_up: bool,
    /// Whether any later decimal is not zero.
    pub(crate) is_finer: bool,
}

/// Maximum counted integer part, far above every limit of the product.
pub(crate) const INTEGER_MAX: u64 = 1_000_000_000_000;

/// The input is ambiguous, or has more decimals than an amount can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unclear;

impl Number {
    const ZERO: Self = Self { negative: false, integer: 0, hundredths: 0, rounds_up: false, is_finer: false };

    /// Parses a typed number with a dot or comma as decimal sign. `None` is not a number.
    ///
    /// A single dot or comma is always the decimal sign, with at most two digits after it: `1.234`, which people read as 1234
    /// or 1.23, is unclear. A thousands separator is recognised only where nothing else is possible: repeated, or followed by
    /// the other sign (or a space or apostrophe), always the same, and with three digits in every group. Linear time.
    pub(crate) fn typed(input: &str) -> Result<Option<Self>, Unclear> {
        let input = text::trim(input);
        let (is_negative, text) = match input.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, input.strip_prefix('+').unwrap_or(input)),
        };
        let (mut has_digit, mut points, mut commas, mut last) = (false, 0_u32, 0_u32, None);
        for (at, c) in text.char_indices() {
            match c {
                '0'..='9' => has_digit = true,
                '.' => (points, last) = (points + 1, Some((at, points == 0))),
                ',' => (commas, last) = (commas + 1, Some((at, commas == 0))),
                _ if is_space(c) => {}
                _ => return Self::exact(input),
            }
        }
        if !has_digit {
            return Ok(None);
        }
        let decimal_sign = last.filter(|(_, is_first)| *is_first).map(|(at, _)| at);
        let mut number = Self::ZERO;
        let mut place = None;
        let mut group = Group { separator: None, digits: 0 };
        for (at, c) in text.char_indices() {
            match (c.to_digit(10), place) {
                (Some(digit), None) => {
                    number.take(u64::from(digit), -1);
                    group.digits += 1;
                }
                (Some(digit), Some(decimal @ 0..2)) => {
                    number.take(u64::from(digit), decimal);
                    place = Some(decimal + 1);
                }
                (None, None) if decimal_sign == Some(at) => {
                    group.end()?;
                    place = Some(0);
                }
                (None, None) => group = group.next(c)?,
                (_, Some(_)) => return Err(Unclear),
            }
        }
        if place.is_none() {
            group.end()?;
        }
        number.negative = is_negative && (number.integer > 0 || number.has_fraction());
        Ok(Some(number))
    }

    /// Parses any other notation, if two decimals can represent it.
    fn exact(input: &str) -> Result<Option<Self>, Unclear> {
        let number = Self::parse(input);
        if number.is_some_and(|number| number.is_finer) { Err(Unclear) } else { Ok(number) }
    }

    /// Parses an optional sign, digits with at most one decimal point, and an optional exponent; surrounding white space is
    /// ignored. `None` for everything else: empty, words, a comma, hexadecimal. Linear time.
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
        // Number of digits before the decimal point after applying the exponent; may be negative.
        let point = i64::try_from(before.len()).unwrap_or(i64::MAX).saturating_add(exponent);
        let mut number = Self::ZERO;
        let mut place = 0_i64;
        for digit in digits().map(|digit| u64::from(digit - b'0')) {
            number.take(digit, place.saturating_sub(point));
            place += 1;
        }
        // An exponent beyond the last digit appends zeros; a few reach the maximum.
        while place < point && number.integer > 0 && number.integer < INTEGER_MAX {
            number.take(0, place.saturating_sub(point));
            place += 1;
        }
        number.negative = signed_negative && (number.integer > 0 || number.has_fraction());
        Some(number)
    }

    /// Whether any decimal is not zero.
    pub(crate) fn has_fraction(&self) -> bool {
        self.hundredths > 0 || self.is_finer
    }

    /// Adds the digit at a decimal place; places below zero are before the point.
    fn take(&mut self, digit: u64, decimal: i64) {
        if decimal < 0 {
            self.integer = (self.integer * 10 + digit).min(INTEGER_MAX);
            return;
        }
        match decimal {
            0 => self.hundredths += digit * 10,
            1 => self.hundredths += digit,
            _ => {
                self.is_finer |= digit > 0;
                self.rounds_up |= decimal == 2 && digit >= 5;
            }
        }
    }

    /// The absolute value in hundredths, rounded half up.
    pub(crate) const fn rounded_hundredths(self) -> u64 {
        self.integer * 100 + self.hundredths + self.rounds_up as u64
    }
}

/// Thousands separators besides dot and comma.
const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '\u{2019}')
}

/// The digits since the last thousands separator.
#[derive(Clone, Copy)]
struct Group {
    /// The separator, `None` in the first group.
    separator: Option<char>,
    digits: u32,
}

impl Group {
    /// Starts the group after the next separator: every group has three digits, except that the first may have fewer.
    fn next(self, sign: char) -> Result<Self, Unclear> {
        let is_whole = match self.separator {
            None => matches!(self.digits, 1..=3),
            Some(separator) => separator == sign && self.digits == 3,
        };
        if is_whole { Ok(Self { separator: Some(sign), digits: 0 }) } else { Err(Unclear) }
    }

    /// Ends the last group; a single group may have any length.
    fn end(self) -> Result<(), Unclear> {
        if self.separator.is_none() || self.digits == 3 { Ok(()) } else { Err(Unclear) }
    }
}

/// Parses a signed integer, capped at a million.
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
    fn a_sign_that_stands_alone_is_never_one_of_thousands() {
        for text in
            ["1.234", "1,234", "24,900", "1.2345", "0.005", "1,2,3", "1.23,45", "1.234.", "1,234.567,8"]
        {
            assert_eq!(Number::typed(text), Err(Unclear), "{text:?}");
        }
        for text in ["1.234,50", "1,234.50", "1\u{a0}234,5", "1'234.5", "1234,50", "1234.5"] {
            assert_eq!(
                Number::typed(text).map(|number| number.map(Number::rounded_hundredths)),
                Ok(Some(123_450))
            );
        }
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(Number::parse("-0.000").map(|number| number.negative), Some(false));
        assert_eq!(Number::parse("-0.001").map(|number| number.negative), Some(true));
    }
}
