//! The names of objects in a store of backups: `rows/TIME/TABLE.jsonl`, `files/ab/NAME` (each content once), `manifests/TIME.json` and,
//! where they are sealed, `keys/TIME`. Names of sealed objects end with `.age`.

use std::collections::BTreeMap;

use deadwax_store::{
    clock::{Micros, rfc3339},
    storage::Stored,
};

use super::seal::SEALED;

const MANIFESTS: &str = "manifests/";
/// Names of files that a proof found damaged, until a run has read or written them again.
pub(super) const DOUBTS: &str = "doubts/";

pub(super) fn rows_name(time: &str, table: &str, ending: &str) -> String {
    format!("rows/{time}/{table}.jsonl{ending}")
}

/// Where the key file lies, sealed to the owner alone.
pub(super) fn key_name(time: &str) -> String {
    format!("keys/{time}{SEALED}")
}

pub(super) fn doubt_name(file: &str) -> String {
    format!("{DOUBTS}{file}")
}

/// The name of a backup, which sorts by time.
pub(super) fn time_name(at: Micros) -> String {
    let whole = rfc3339(at - at.rem_euclid(1_000_000));
    let name = whole.trim_end_matches('Z').replace(':', "");
    format!("{name}.{:06}Z", at.rem_euclid(1_000_000))
}

/// The instant of a backup's name.
pub(super) fn time_of(name: &str) -> Option<Micros> {
    let text = format!("{}:{}:{}", name.get(..13)?, name.get(13..15)?, name.get(15..)?);
    let at = text.parse::<jiff::Timestamp>().ok()?.as_microsecond();
    (time_name(at) == name).then_some(at)
}

/// Of a sealed backup or a plain one, as `ending` says.
pub(super) fn manifest_name(time: &str, ending: &str) -> String {
    format!("{MANIFESTS}{time}.json{ending}")
}

/// The names of the manifests in a list of objects, oldest first.
pub(super) fn manifests(objects: &BTreeMap<String, Stored>) -> Vec<String> {
    let mut names: Vec<_> = objects.keys().filter(|name| manifest_time(name).is_some()).cloned().collect();
    names.sort_by(|a, b| manifest_time(a).cmp(&manifest_time(b)));
    names
}

/// The time in the name of a manifest.
pub(super) fn manifest_time(name: &str) -> Option<&str> {
    let name = name.strip_prefix(MANIFESTS)?;
    let time = name.strip_suffix(SEALED).unwrap_or(name).strip_suffix(".json")?;
    time_of(time).map(|_| time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_and_are_read_again() {
        for at in [0, 1, 1_795_000_000_000_000, 1_795_000_000_123_456] {
            assert_eq!(time_of(&time_name(at)), Some(at), "{}", time_name(at));
        }
        assert_eq!(time_name(1_795_000_000_120_000), "2026-11-18T110640.120000Z");
        assert!(time_name(1_795_000_000_000_000) < time_name(1_795_000_000_000_001));
        for name in [
            "",
            "2026",
            "2026-11-18T110640.120000Z.json",
            "../../etc",
            "2026-13-18T110640.120000Z",
            "é".repeat(9).as_str(),
        ] {
            assert_eq!(time_of(name), None, "{name}");
        }
        assert_eq!(
            manifest_time("manifests/2026-11-18T110640.120000Z.json.age"),
            Some("2026-11-18T110640.120000Z")
        );
        assert_eq!(manifest_time("manifests/../2026-11-18T110640.120000Z.json"), None);
    }
}
