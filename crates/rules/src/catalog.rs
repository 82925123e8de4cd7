//! The catalogue number after the `CATALOG:` marker of a release's description.

/// Shown for a release without a catalogue number.
pub const NONE: &str = "N/A";

const MARKER: &str = "CATALOG:";

/// The trimmed rest of the line after the first `CATALOG:` marker (in any case); `N/A` if it is missing or empty.
///
/// ```
/// use rules::catalog::catalog_label;
/// assert_eq!(catalog_label(Some("Four cuts.\nCATALOG: 404-001")), "404-001");
/// assert_eq!(catalog_label(Some("Four cuts.")), "N/A");
/// ```
pub fn catalog_label(description: Option<&str>) -> String {
    description.and_then(number).unwrap_or(NONE).to_owned()
}

/// A description without the lines that give the number.
pub fn without_number(description: Option<&str>) -> String {
    let is_number = |line: &&str| {
        line.trim_start().get(..MARKER.len()).is_some_and(|start| start.eq_ignore_ascii_case(MARKER))
    };
    let lines = description.unwrap_or_default().lines().filter(|line| !is_number(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn number(description: &str) -> Option<&str> {
    let start = description
        .as_bytes()
        .windows(MARKER.len())
        .position(|window| window.eq_ignore_ascii_case(MARKER.as_bytes()))?;
    let rest = description.get(start + MARKER.len()..)?;
    let line = rest.split(['\n', '\r']).next()?.trim();
    (!line.is_empty()).then_some(line)
}
