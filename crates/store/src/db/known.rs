//! Texts of rows that stand for a closed set of values.

use std::fmt::Display;

/// The value that a row's text stands for. A text that this program does not know, as a newer one may write it, is an error that names
/// table, column and row.
pub fn known<T>(
    named: impl FnOnce(&str) -> Option<T>,
    text: &str,
    place: (&str, &str, &dyn Display),
) -> sqlx::Result<T> {
    let (table, column, row) = place;
    named(text).ok_or_else(|| {
        sqlx::Error::Decode(format!("{table}.{column} of {row}: unknown value {text:?}").into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_text_is_an_error_with_its_place() {
        let named = |text: &str| (text == "new").then_some(1);
        assert_eq!(known(named, "new", ("demos", "state", &7)).unwrap(), 1);
        let error = known(named, "parked", ("demos", "state", &7)).unwrap_err().to_string();
        assert!(error.contains("demos.state of 7: unknown value \"parked\""), "{error}");
    }
}
