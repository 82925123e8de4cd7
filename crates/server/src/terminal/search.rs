//! Names found although they are spelt differently: which artists and releases a text comes nearest to. Pure.

use rapidfuzz::distance::osa;
use uuid::Uuid;

use super::{
    index::{Index, joined},
    phrases,
    question::Kind,
};

/// Characters of a text that are looked for.
const MOST_CHARS: usize = 80;
/// Words of a text that are looked for.
const MOST_WORDS: usize = 12;
/// Words of a name that is looked for inside a longer question.
const MOST_NAME_WORDS: usize = 4;
/// How much of a word or name must be right to come into question.
const SIMILAR: f64 = 0.62;
/// The same for a part of a question, where there are more chances to be wrong.
const SIMILAR_PART: f64 = 0.74;
/// Hits that are kept.
pub(super) const MOST_HITS: usize = 6;

/// The name itself, give or take case, accents and punctuation.
pub(super) const EXACT: u32 = 1_000;
/// The name itself, with its words joined or separated differently.
const JOINED: u32 = 990;
/// From here on it is this one, if no other comes close.
const CERTAIN: u32 = 750;
/// From here on it is this one, if there is no other at all.
const ONLY: u32 = 640;
/// How far the next one must be behind.
const MARGIN: u32 = 60;

/// Something whose name comes near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) kind: Kind,
    pub(super) id: Uuid,
    /// How near, up to [`EXACT`].
    pub(super) score: u32,
}

/// What a search comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// This one; `is_exact` unless something was spelt differently.
    One { hit: Hit, is_exact: bool },
    /// All of these are called that.
    Several(Vec<Hit>),
    /// Perhaps one of these.
    Perhaps(Vec<Hit>),
    /// Nothing is there to be found.
    Nothing,
    /// Nobody and nothing is called anything like that.
    Nobody,
}

/// What `name` means. `whole` is the message it was taken from, which may be a title itself; `kind` decides between an artist
/// and a release that would both do.
pub(super) fn search(index: &Index, name: &str, whole: &str, kind: Option<Kind>) -> Outcome {
    if index.is_empty() {
        return Outcome::Nothing;
    }
    let mut hits = hits(index, &Query::new(name));
    if name != whole && hits.first().is_none_or(|hit| hit.score < JOINED) {
        let exact = hits_of_whole(index, whole);
        if !exact.is_empty() {
            hits = exact;
        }
    }
    decide(hits, kind)
}

fn decide(mut hits: Vec<Hit>, kind: Option<Kind>) -> Outcome {
    let good = |hit: &&Hit| hit.score >= CERTAIN && Some(hit.kind) == kind;
    if let Some(best) = hits.iter().find(good).copied()
        && hits.first().is_none_or(|first| first.score < best.score + MARGIN || best.score >= JOINED)
    {
        hits.retain(|hit| hit.kind == best.kind);
    }
    let Some(best) = hits.first().copied() else { return Outcome::Nobody };
    if best.score >= JOINED {
        hits.retain(|hit| hit.score == best.score);
        if hits.len() > 1 {
            return Outcome::Several(hits);
        }
        return Outcome::One { hit: best, is_exact: true };
    }
    let next = hits.get(1).map_or(0, |hit| hit.score);
    if (best.score >= CERTAIN && next + MARGIN <= best.score) || (best.score >= ONLY && next == 0) {
        return Outcome::One { hit: best, is_exact: false };
    }
    Outcome::Perhaps(hits)
}

/// A text as it is compared.
struct Query {
    text: String,
    joined: String,
    chars: usize,
    /// Characters of the words that may be part of a name.
    telling_chars: usize,
    whole: osa::BatchComparator<char>,
    /// The parts of so many words as stands at their place.
    parts: Vec<Vec<Part>>,
}

struct Part {
    text: String,
    comparator: osa::BatchComparator<char>,
}

impl Query {
    fn new(text: &str) -> Self {
        let cut: String = text.chars().take(MOST_CHARS).collect();
        let words: Vec<&str> = cut.split(' ').filter(|word| !word.is_empty()).take(MOST_WORDS).collect();
        let telling = words.iter().filter(|word| !phrases::is_filler(word));
        let parts = (0..=MOST_NAME_WORDS).map(|count| {
            // The text as a whole is compared anyway.
            let windows = words.windows(count.max(1)).filter(|_| count > 0 && count < words.len());
            let telling = windows.filter(|words| words.iter().any(|word| !phrases::is_filler(word)));
            telling
                .map(|words| words.join(" "))
                .map(|text| Part { comparator: osa::BatchComparator::new(text.chars()), text })
                .collect()
        });
        Self {
            joined: joined(&cut),
            chars: cut.chars().count(),
            telling_chars: telling
                .map(|word| word.chars().count() + 1)
                .sum::<usize>()
                .saturating_sub(1)
                .max(1),
            whole: osa::BatchComparator::new(cut.chars()),
            parts: parts.collect(),
            text: cut,
        }
    }

    /// How near `name` comes, 0 for not at all.
    fn score(&self, name: &str) -> u32 {
        if name == self.text {
            return EXACT;
        }
        let chars = name.chars().count();
        if chars == 0 || self.chars == 0 {
            return 0;
        }
        if name.chars().filter(|c| *c != ' ').eq(self.joined.chars()) {
            return JOINED;
        }
        let longer = chars.max(self.chars);
        let mut best = 0.0_f64;
        if part_of(chars.min(self.chars), longer) >= SIMILAR {
            best = similar(&self.whole, name, SIMILAR);
        }
        let count = name.split(' ').count();
        if let Some(parts) = self.parts.get(count) {
            // The name inside a longer question.
            let weight = 0.5 + 0.45 * part_of(chars, self.telling_chars).min(1.0);
            for part in parts {
                let near =
                    if part.text == name { 1.0 } else { similar(&part.comparator, name, SIMILAR_PART) };
                best = best.max(near * weight);
            }
        }
        if self.chars >= 3 && chars > self.chars {
            // A part of the name, as people shorten names.
            let coverage = part_of(self.chars, chars);
            if let Some(at) = name.find(&self.text)
                && (at == 0 || name[..at].ends_with(' '))
            {
                let ends = name[at + self.text.len()..].chars().next().is_none_or(|next| next == ' ');
                best = best.max(if ends { 0.66 } else { 0.6 } + 0.3 * coverage);
            } else if count > 1 && self.chars >= 4 && !self.text.contains(' ') {
                for word in name.split(' ') {
                    best = best.max(similar(&self.whole, word, SIMILAR_PART) * (0.62 + 0.25 * coverage));
                }
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1000")]
        let score = (best * f64::from(JOINED - 1)) as u32;
        score
    }
}

/// How much of the longer text is right, 0 below `least`.
fn similar(comparator: &osa::BatchComparator<char>, name: &str, least: f64) -> f64 {
    let arguments = osa::Args::default().score_cutoff(least);
    comparator.normalized_similarity_with_args(name.chars(), &arguments).unwrap_or(0.0)
}

#[expect(clippy::cast_precision_loss, reason = "lengths of names")]
fn part_of(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The nearest, best first; equal ones in the order of the index, which has the newest first.
fn hits(index: &Index, query: &Query) -> Vec<Hit> {
    let mut best = Best::default();
    for (id, name) in index.artists() {
        best.offer(Kind::Artist, id, query.score(name));
    }
    // Only what has a digit can be a number; a number is right or it is another's.
    let number = Some(query.joined.as_str()).filter(|text| text.contains(|c: char| c.is_ascii_digit()));
    for (id, title, held) in index.releases() {
        let score = if number == Some(held) {
            EXACT
        } else if number.is_some() && !held.is_empty() && query.parts[1].iter().any(|part| part.text == held)
        {
            CERTAIN + MARGIN
        } else {
            query.score(title)
        };
        best.offer(Kind::Release, id, score);
    }
    best.0
}

/// Those that are called exactly that.
fn hits_of_whole(index: &Index, whole: &str) -> Vec<Hit> {
    let mut best = Best::default();
    for (id, _) in index.artists().filter(|(_, name)| *name == whole) {
        best.offer(Kind::Artist, id, EXACT);
    }
    for (id, _, _) in index.releases().filter(|(_, title, _)| *title == whole) {
        best.offer(Kind::Release, id, EXACT);
    }
    best.0
}

#[derive(Default)]
struct Best(Vec<Hit>);

impl Best {
    fn offer(&mut self, kind: Kind, id: Uuid, score: u32) {
        let last = self.0.last().map_or(0, |hit| hit.score);
        if score == 0 || (self.0.len() == MOST_HITS && score <= last) {
            return;
        }
        let place = self.0.partition_point(|hit| hit.score >= score);
        self.0.insert(place, Hit { kind, id, score });
        self.0.truncate(MOST_HITS);
    }
}

#[cfg(test)]
mod tests {
    use rules::sort_key::sort_key;

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
            index.add_artist(Uuid::from_u128(id), name);
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
        ];
        for (id, (title, number)) in (101..).zip(releases) {
            index.add_release(Uuid::from_u128(id), title, number);
        }
        index
    }

    /// The one id, or those in question with a sign that says how sure it is.
    fn found(text: &str, kind: Option<Kind>) -> String {
        let ids =
            |hits: &[Hit]| hits.iter().map(|hit| hit.id.as_u128().to_string()).collect::<Vec<_>>().join(" ");
        match search(&index(), &sort_key(text), &sort_key(text), kind) {
            Outcome::One { hit, is_exact } => {
                format!("{}{}", if is_exact { "" } else { "~" }, hit.id.as_u128())
            }
            Outcome::Several(hits) => format!("={}", ids(&hits)),
            Outcome::Perhaps(hits) => format!("?{}", ids(&hits)),
            Outcome::Nobody => "-".to_owned(),
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
            ("Tanabe", "~4"),
            ("kesto van", "~2"),
            ("kesto", "~2"),
            ("ohm and ledger", "~6"),
            ("grid", "~7"),
            ("six rows", "~104"),
            ("silence", "~104"),
            ("404-001", "101"),
            ("404 001", "101"),
            ("404001", "101"),
            ("low sun", "102"),
            ("low son", "~102"),
            ("lo sun", "~102"),
            ("on", "106"),
            ("rotary", "=107 108"),
            ("sable", "=5 103"),
            ("zzzzzz", "-"),
            ("404-999", "-"),
            ("x", "-"),
        ] {
            assert_eq!(found(text, None), id, "{text}");
        }
    }

    #[test]
    fn a_name_is_found_inside_a_question_nobody_foresaw() {
        for (text, id) in [
            ("i really like nullpoint", "~1"),
            ("is nullpoint playing tonight", "~1"),
            ("wher can i listn to nullpnt", "?1"),
            ("what about 404-027 then", "~102"),
            ("turn it on again", "-"),
        ] {
            let found = found(text, None);
            assert!(found.starts_with(id) || (id == "-" && found.starts_with('?')), "{text}: {found}");
        }
    }

    #[test]
    fn the_kind_asked_for_decides_between_two_of_one_name() {
        assert_eq!(found("sable", Some(Kind::Artist)), "5");
        assert_eq!(found("sable", Some(Kind::Release)), "103");
        assert_eq!(found("nullpoint", Some(Kind::Release)), "1", "better the other kind than none");
    }

    #[test]
    fn an_empty_catalogue_is_not_a_name_nobody_has() {
        assert_eq!(search(&Index::default(), "a", "a", None), Outcome::Nothing);
    }

    #[test]
    fn odd_texts_do_no_harm() {
        for text in ["", " ", "~!!!", &"a ".repeat(500), &"é".repeat(1_000), "\u{1f389}"] {
            search(&index(), text, text, None);
        }
    }
}
