//! Finds names of artists and releases in a question, exact or nearly. Pure.
//!
//! Exact spellings come first. Only without one, and unless the words are common, does a misspelt name count.

use std::collections::HashMap;

use rapidfuzz::distance::osa;
use rules::{
    terminal::{
        COMPARED_MAX, NAME_CERTAIN_MIN, NAME_PART_MIN, NAME_WORDS_MAX, NAMES_OFFERED_MAX, slips_allowed,
    },
    terminal_question::{Find, Kind, Match},
};

use super::index::{Hit, Index, joined};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exactly one match.
    One {
        /// The match.
        hit: Hit,
        /// Whether the spelling was exact.
        is_exact: bool,
    },
    /// Several exact matches.
    Several(Vec<Hit>),
    /// Possible matches.
    Perhaps(Vec<Hit>),
    /// The index is empty.
    Nothing,
    /// No match.
    NotFound,
}

/// Exact matches, ignoring case, accents and punctuation.
pub fn exact(index: &Index, find: &Find) -> Outcome {
    if index.is_empty() {
        return Outcome::Nothing;
    }
    let names = Names::around(find);
    let mut room = String::new();
    let ranked = |(hit, name, number)| {
        Some((names.rank_of_number(number).or_else(|| names.rank(name, &mut room))?, hit))
    };
    let found: Vec<(usize, Hit)> = index.names().filter_map(ranked).collect();
    let Some(longest) = found.iter().map(|(rank, _)| *rank).max() else { return Outcome::NotFound };
    let mut hits: Vec<Hit> =
        found.into_iter().filter(|(rank, _)| *rank == longest).map(|(_, hit)| hit).collect();
    if hits.iter().any(|hit| Some(hit.kind) == find.kind) {
        hits.retain(|hit| Some(hit.kind) == find.kind);
    }
    hits.truncate(NAMES_OFFERED_MAX);
    match hits[..] {
        [hit] => Outcome::One { hit, is_exact: true },
        _ => Outcome::Several(hits),
    }
}

/// Misspelt names, and names that contain the words.
pub fn near(index: &Index, find: &Find) -> Outcome {
    if index.is_empty() {
        return Outcome::Nothing;
    }
    let text: String = find.words.join(" ").chars().take(COMPARED_MAX).collect();
    let is_number = text.chars().all(|c| c.is_ascii_digit() || c == ' ');
    if find.matched == Match::Exact || is_number {
        return Outcome::NotFound;
    }
    let query = Query::new(&text);
    let inside = Names::inside(find);
    let mut slips: Vec<(usize, Hit, usize)> = Vec::new();
    let mut parts: Vec<Hit> = Vec::new();
    let mut room = String::new();
    for (hit, name, _) in index.names() {
        if let Some(edits) = query.edits(name) {
            slips.push((edits, hit, name.chars().count()));
        } else if query.is_part_of(name) || inside.rank(name, &mut room).is_some() {
            parts.push(hit);
        }
    }
    slips.sort_by_key(|(edits, ..)| *edits);
    let fewest = slips.first().map_or(0, |(edits, ..)| *edits);
    let nearest: Vec<_> = slips.iter().filter(|(edits, ..)| *edits == fewest).collect();
    if let [(_, hit, chars)] = nearest[..]
        && *chars >= NAME_CERTAIN_MIN
    {
        return Outcome::One { hit: *hit, is_exact: false };
    }
    let artists: Vec<_> = parts.iter().filter(|hit| hit.kind == Kind::Artist).collect();
    if let [hit] = artists[..]
        && slips.is_empty()
        && find.kind == Some(Kind::Artist)
        && query.chars >= NAME_PART_MIN
    {
        // "Who is Tanabe": people are known by a part of their name.
        return Outcome::One { hit: *hit, is_exact: false };
    }
    let mut perhaps: Vec<Hit> = slips.iter().map(|(_, hit, _)| *hit).chain(parts).collect();
    perhaps.truncate(NAMES_OFFERED_MAX);
    if perhaps.is_empty() { Outcome::NotFound } else { Outcome::Perhaps(perhaps) }
}

/// The candidate names of a question, longer ones ranked first.
struct Names {
    spaced: HashMap<String, usize>,
    /// The same with the spaces removed.
    joined: HashMap<String, usize>,
}

impl Names {
    /// The name as recognised, and extended by the words around it.
    fn around(find: &Find) -> Self {
        let mut names = Vec::new();
        for before in 0..=find.before.len() {
            for after in 0..=find.after.len() {
                let words = find.before[..before].iter().rev().chain(&find.words).chain(&find.after[..after]);
                let words: Vec<&str> = words.map(String::as_str).collect();
                // A bare "&" is not a name.
                let bare: Vec<&str> =
                    words.iter().copied().filter(|word| !matches!(*word, "and" | "und")).collect();
                if !bare.is_empty() && bare.len() < words.len() {
                    names.push(bare.join(" "));
                }
                names.push(words.join(" "));
            }
        }
        Self::of(names)
    }

    /// Every run of words in the question.
    fn inside(find: &Find) -> Self {
        let counts = 1..=NAME_WORDS_MAX.min(find.words.len());
        let windows = counts.flat_map(|count| find.words.windows(count).map(|words| words.join(" ")));
        Self::of(windows.filter(|name| name.chars().count() >= NAME_PART_MIN).collect())
    }

    fn of(names: Vec<String>) -> Self {
        // An exact spelling outranks one whose words are joined differently.
        let rank = |name: &str| name.chars().count() * 2;
        Self {
            joined: names.iter().map(|name| (joined(name), rank(name))).collect(),
            spaced: names
                .into_iter()
                .map(|name| (rank(&name) + 1, name))
                .map(|(rank, name)| (name, rank))
                .collect(),
        }
    }

    /// The rank of a name among the candidates. `room` is a reusable buffer.
    fn rank(&self, name: &str, room: &mut String) -> Option<usize> {
        if let Some(rank) = self.spaced.get(name) {
            return Some(*rank);
        }
        room.clear();
        room.extend(name.chars().filter(|c| *c != ' '));
        self.joined.get(room.as_str()).copied().filter(|_| !room.is_empty())
    }

    /// The rank of a catalogue number, which has a digit in it.
    fn rank_of_number(&self, number: &str) -> Option<usize> {
        let has_digit = number.contains(|c: char| c.is_ascii_digit());
        self.joined.get(number).map(|rank| rank + 1).filter(|_| has_digit)
    }
}

/// The question, prepared for comparison with names.
struct Query {
    text: String,
    first: Option<char>,
    chars: usize,
    comparator: osa::BatchComparator<char>,
}

impl Query {
    fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            first: text.chars().next(),
            chars: text.chars().count(),
            comparator: osa::BatchComparator::new(text.chars()),
        }
    }

    /// The number of wrong letters, if few enough.
    fn edits(&self, name: &str) -> Option<usize> {
        let chars = name.chars().count();
        let allowed = slips_allowed(chars.max(self.chars))?;
        // The first letter of a short name must match.
        if chars.abs_diff(self.chars) > allowed
            || chars < NAME_CERTAIN_MIN && name.chars().next() != self.first
        {
            return None;
        }
        let arguments = osa::Args::default().score_cutoff(allowed);
        self.comparator.distance_with_args(name.chars(), &arguments)
    }

    /// Whether the text matches whole words of the name.
    fn is_part_of(&self, name: &str) -> bool {
        self.chars >= NAME_PART_MIN
            && name.match_indices(self.text.as_str()).any(|(at, part)| {
                let end = at + part.len();
                (at == 0 || name[..at].ends_with(' ')) && (end == name.len() || name[end..].starts_with(' '))
            })
    }
}

#[cfg(test)]
mod tests {
    use rules::terminal_question::{Intent, understand};
    use uuid::Uuid;

    use super::*;

    /// Artists have the ids 1, 2 …, releases 101, 102 …
    fn index() -> Index {
        let mut index = Index::default();
        for (id, name) in (1..).zip([
            "Nullpoint",
            "Kesto Vann",
            "Ärzte im Exil",
            "Yūki Tanabe",
            "Sable",
            "Ohm & Ledger",
            "The Grid",
        ]) {
            index.add(Hit { kind: Kind::Artist, id: Uuid::from_u128(id) }, name, None);
        }
        let releases = [
            ("First Transmission", Some("404-001")),
            ("Low Sun", Some("404-027")),
            ("Sable", Some("404-050")),
            ("Six Rows of Silence", None),
            ("Low Sun Rising", Some("404-051")),
            ("On", Some("404-052")),
            ("Rotary", Some("404-025")),
            ("Rotary", Some("404-025R")),
            ("Skip", Some("404-035")),
        ];
        for (id, (title, number)) in (101..).zip(releases) {
            index.add(Hit { kind: Kind::Release, id: Uuid::from_u128(id) }, title, number);
        }
        index
    }

    fn find(message: &str) -> Find {
        match understand(message, "The Label").intent {
            Intent::Find(find) => find,
            other => panic!("{message}: {other:?}"),
        }
    }

    /// The one id, or those in question with a sign that says how sure it is.
    fn found(message: &str) -> String {
        let ids =
            |hits: &[Hit]| hits.iter().map(|hit| hit.id.as_u128().to_string()).collect::<Vec<_>>().join(" ");
        let (index, find) = (index(), find(message));
        let outcome = match exact(&index, &find) {
            Outcome::NotFound => near(&index, &find),
            found => found,
        };
        match outcome {
            Outcome::One { hit, is_exact } => {
                format!("{}{}", if is_exact { "" } else { "~" }, hit.id.as_u128())
            }
            Outcome::Several(hits) => format!("={}", ids(&hits)),
            Outcome::Perhaps(hits) => format!("?{}", ids(&hits)),
            Outcome::NotFound => "-".to_owned(),
            Outcome::Nothing => "empty".to_owned(),
        }
    }

    #[test]
    fn names_are_found_although_they_are_spelt_differently() {
        for (text, id) in [
            ("Nullpoint", "1"),
            ("NULLPOINT", "1"),
            ("null point", "1"),
            ("nullpnt", "~1"),
            ("nulpoint", "~1"),
            ("nullpiont", "~1"),
            ("arzte im exil", "3"),
            ("Aerzte im Exil", "~3"),
            ("yuki tanabe", "4"),
            ("kesto van", "~2"),
            ("who is Tanabe", "~4"),
            ("artist kesto", "~2"),
            ("ohm and ledger", "6"),
            ("who is the grid", "7"),
            ("404-001", "101"),
            ("404 001", "101"),
            ("404001", "101"),
            ("when did first transmission come out", "101"),
            ("low sun", "102"),
            ("low son", "~102"),
            ("lo sun", "~102"),
            ("low sun rising", "105"),
            ("release on", "106"),
            ("rotary", "=107 108"),
            ("sable", "=5 103"),
            ("who is sable", "5"),
            ("release sable", "103"),
            ("release nullpoint", "1"),
            ("i really like nullpoint", "1"),
            ("what about 404-027 then", "102"),
            ("skip", "109"),
        ] {
            assert_eq!(found(text), id, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_name_is_offered_at_most() {
        for (text, id) in [
            ("tanabe", "?4"),
            ("silence", "?104"),
            ("six rows", "?104"),
            ("what is a sable brush", "?5 103"),
            ("stable", "?5 103"),
            ("table", "-"),
            ("sun", "-"),
            ("ship of fools", "-"),
            ("zzzzzz", "-"),
            ("404-999", "-"),
            ("x", "-"),
        ] {
            assert_eq!(found(text), id, "{text}");
        }
    }

    #[test]
    fn an_empty_catalogue_is_not_an_unknown_name() {
        assert_eq!(exact(&Index::default(), &find("nullpoint")), Outcome::Nothing);
    }

    #[test]
    fn odd_texts_do_no_harm() {
        for text in ["~!!!z", &"x ".repeat(500), &"é".repeat(1_000), "z\u{1f389}"] {
            exact(&index(), &find(text));
            near(&index(), &find(text));
        }
    }
}
