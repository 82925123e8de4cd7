//! Derives the intent from the senses of the words: the whole message, the label's name, names, commands and quotation marks.

use std::ops::RangeInclusive;

use super::{
    Asked, Find, Intent, Kind, Match,
    dates::{mark_months, period, year_and_month},
    senses::{Sense, Senses},
    text::{Word, quoted, words as words_of},
    topics::{self, Seen},
    vocabulary::of_words,
};

/// Words around a name that may belong to it.
const AROUND: usize = 3;

/// The intent of a message.
pub(super) fn read(message: &str, words: &[Word], label: &str) -> Intent {
    if words.is_empty() {
        return of_signs(message);
    }
    if let Some(page) = paged(words) {
        return page;
    }
    let first = once(message, words, label, false);
    if !matches!(first, Intent::Find(_) | Intent::Miss) {
        return first;
    }
    let second = once(message, words, label, true);
    match first {
        Intent::Find(mut find) if second != Intent::Find(find.clone()) => {
            if find.otherwise.is_none() && second != Intent::Miss {
                find.otherwise = Some(Box::new(second));
            }
            Intent::Find(find)
        }
        Intent::Miss => second,
        first => first,
    }
}

/// The intent of a message without words.
fn of_signs(message: &str) -> Intent {
    let signs = message.trim();
    if !signs.is_empty() && signs.chars().all(|c| c == '?') {
        Intent::Help
    } else if signs.contains('\u{1f44b}') {
        Intent::Hello
    } else if signs.contains(['\u{1f64f}', '\u{1f44d}', '\u{2764}', '\u{1f5a4}']) {
        Intent::Thanks
    } else {
        Intent::Miss
    }
}

/// Parses `releases 2` and `artists page 3`; a year is not a page number.
fn paged(words: &[Word]) -> Option<Intent> {
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let (list, page) = match folded[..] {
        [list, page] | [list, "page" | "seite", page] => (list, page.parse::<u32>().ok()?),
        _ => return None,
    };
    if year_and_month(folded[folded.len() - 1]).is_some() {
        return None;
    }
    let page = page.max(1);
    match list {
        "releases" | "records" | "veroffentlichungen" | "platten" => Some(Intent::Releases { page }),
        "artists" | "kunstler" | "kuenstler" => Some(Intent::Artists { page }),
        _ => None,
    }
}

/// Parses a message once, with or without correcting typing mistakes.
fn once(message: &str, words: &[Word], label: &str, with_slips: bool) -> Intent {
    let mut senses = of_words(words, with_slips);
    mark_label(words, &mut senses, label);
    mark_months(words, &mut senses);
    let unknown: Vec<usize> = (0..words.len()).filter(|at| senses[*at].is_none()).collect();
    let all = senses.iter().flatten().fold(Senses::default(), |all, one| all.with(*one));
    let seen = Seen { all, unknown: unknown.len(), words: words.len(), period: period(words, all) };
    let topic = topics::topic(&seen);
    if let Some(name) = quoted(message) {
        return in_quotes(name, &seen, topic, with_slips);
    }
    if let Some(find) = commanded(words, &senses, &seen, topic.clone()) {
        return Intent::Find(find);
    }
    let (Some(first), Some(last)) = (unknown.first().copied(), unknown.last().copied()) else {
        if let Some(topic) = topic {
            return topic;
        }
        // A title may consist of common words, but not of function words only.
        let is_title = !all.is_plain() && words.len() <= 6;
        return if is_title { Intent::Find(title(words, &seen)) } else { Intent::Miss };
    };
    let Some(topic) = topic else {
        let otherwise = topics::beside_a_name(&seen).map(Box::new);
        return Intent::Find(Find { otherwise, ..inside(words, &senses, &seen, first..=last) });
    };
    // The word that made the topic may be one of a title's: "Return Path".
    let is_telling = |at: usize| senses.get(at).copied().flatten().is_some_and(|senses| !senses.is_plain());
    let start = if first > 0 && is_telling(first - 1) { first - 1 } else { first };
    let end = if start == first && is_telling(last + 1) { last + 1 } else { last };
    let beside = senses.iter().enumerate().filter(|(at, _)| !(start..=end).contains(at));
    let all = beside.filter_map(|(_, senses)| *senses).fold(Senses::default(), Senses::with);
    if topics::topic(&Seen { all, ..seen }).as_ref() == Some(&topic) {
        return topic;
    }
    let name = inside(words, &senses, &seen, start..=end);
    Intent::Find(Find { matched: Match::Exact, otherwise: Some(Box::new(topic)), ..name })
}

/// Marks the words of the label's name: all of them together, or a part that no other name can contain.
fn mark_label(words: &[Word], senses: &mut [Option<Senses>], label: &str) {
    let label: Vec<String> = words_of(label).into_iter().map(|word| word.folded).collect();
    if label.is_empty() {
        return;
    }
    let mut own = Senses::default();
    own.add(Sense::Label);
    for start in 0..=words.len().saturating_sub(label.len()) {
        if words.iter().skip(start).take(label.len()).map(|word| &word.folded).eq(&label) {
            senses[start..start + label.len()].fill(Some(own));
        }
    }
    let is_own = |word: &Word| label.contains(&word.folded);
    if words.iter().zip(senses.iter()).all(|(word, sense)| sense.is_some() || is_own(word)) {
        for sense in senses.iter_mut().filter(|sense| sense.is_none()) {
            *sense = Some(own);
        }
    }
}

/// A question about a name.
fn named(core: &[Word], seen: &Seen) -> Find {
    let asked = topics::asked(seen.all);
    Find {
        asked,
        kind: kind(seen.all, asked),
        name: core.iter().map(|word| word.typed.as_str()).collect::<Vec<_>>().join(" "),
        words: core.iter().map(|word| word.folded.clone()).collect(),
        before: Vec::new(),
        after: Vec::new(),
        matched: Match::Near,
        is_alone: false,
        otherwise: None,
    }
}

fn kind(all: Senses, asked: Asked) -> Option<Kind> {
    if all.any(&[Sense::Artist, Sense::Artists]) {
        return Some(Kind::Artist);
    }
    match asked {
        Asked::Date | Asked::Maker => Some(Kind::Release),
        Asked::Works => Some(Kind::Artist),
        _ if all.any(&[Sense::Release, Sense::Releases]) => Some(Kind::Release),
        _ if all.has(Sense::Who) => Some(Kind::Artist),
        _ => None,
    }
}

/// A question about the words `at`, with those around them.
fn inside(words: &[Word], senses: &[Option<Senses>], seen: &Seen, at: RangeInclusive<usize>) -> Find {
    let (start, end) = (*at.start(), at.end() + 1);
    let is_kind =
        |senses: &Option<Senses>| senses.is_some_and(|senses| senses.any(&[Sense::Artist, Sense::Release]));
    Find {
        before: words[..start].iter().rev().take(AROUND).map(|word| word.folded.clone()).collect(),
        after: words[end..].iter().take(AROUND).map(|word| word.folded.clone()).collect(),
        is_alone: senses[..start].iter().chain(&senses[end..]).all(is_kind),
        ..named(&words[at], seen)
    }
}

/// A message of common words that may be a title.
fn title(words: &[Word], seen: &Seen) -> Find {
    Find { matched: Match::Exact, kind: None, asked: Asked::Card, is_alone: true, ..named(words, seen) }
}

/// A name in quotation marks.
fn in_quotes(name: &str, seen: &Seen, topic: Option<Intent>, with_slips: bool) -> Intent {
    let words = words_of(name);
    let is_common = of_words(&words, with_slips).iter().all(Option::is_some);
    Intent::Find(Find {
        name: name.to_owned(),
        matched: if is_common { Match::Exact } else { Match::Near },
        is_alone: true,
        otherwise: topic.map(Box::new),
        ..named(&words, seen)
    })
}

/// `artist help`: after a command, even common words are a name.
fn commanded(words: &[Word], senses: &[Option<Senses>], seen: &Seen, topic: Option<Intent>) -> Option<Find> {
    let (command, name) = words.split_first()?;
    let kind = match command.folded.as_str() {
        "artist" | "kunstler" | "kunstlerin" | "kuenstler" | "kuenstlerin" => Kind::Artist,
        "release" | "record" | "album" | "track" | "veroffentlichung" | "veroeffentlichung" | "platte" => {
            Kind::Release
        }
        _ => return None,
    };
    if name.is_empty() || seen.unknown > 0 {
        return None;
    }
    // "releases by", "release date": the next word continues the sentence.
    let goes_on =
        senses.get(1).copied().flatten().is_some_and(|next| next.any(&[Sense::By, Sense::When, Sense::Date]));
    (!goes_on || topic.is_none()).then(|| Find {
        asked: Asked::Card,
        kind: Some(kind),
        matched: Match::Exact,
        is_alone: true,
        otherwise: topic.map(Box::new),
        ..named(name, seen)
    })
}
