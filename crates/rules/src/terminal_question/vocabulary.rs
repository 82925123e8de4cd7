//! Applies the vocabulary to the words of a message.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    Language,
    dates::year_and_month,
    senses::{Sense, Senses},
    spelling,
    text::{self, Word},
    words, words_more,
};

#[derive(Clone, Copy, Default)]
struct Entry {
    senses: Senses,
    is_english: bool,
    is_german: bool,
}

/// Maximum number of words in a phrase.
const PHRASE_WORDS: usize = 5;

static VOCABULARY: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let mut vocabulary: HashMap<&'static str, Entry> = HashMap::new();
    for (sense, either, english, german) in words::WORDS.iter().chain(words_more::WORDS) {
        for (list, in_english, in_german) in
            [(either, true, true), (english, true, false), (german, false, true)]
        {
            for word in list.split('|').map(str::trim).filter(|word| !word.is_empty()) {
                let entry = vocabulary.entry(word).or_default();
                entry.senses.add(*sense);
                entry.is_english |= in_english;
                entry.is_german |= in_german;
            }
        }
    }
    vocabulary
});

/// The words that typing mistakes may match: those that carry a topic.
static TELLING: LazyLock<Vec<(&'static str, Entry)>> = LazyLock::new(|| {
    let telling = VOCABULARY.iter().filter(|(word, entry)| {
        !entry.senses.is_plain()
            && !entry.senses.has(Sense::Country)
            && !word.contains(' ')
            && word.len() >= 4
    });
    let mut telling: Vec<_> = telling.map(|(word, entry)| (*word, *entry)).collect();
    telling.sort_unstable_by_key(|(word, _)| *word);
    telling
});

/// The entry of a phrase, also when written without umlauts.
fn entry(phrase: &str) -> Option<Entry> {
    VOCABULARY.get(phrase).or_else(|| VOCABULARY.get(text::without_umlauts(phrase).as_str())).copied()
}

/// The vocabulary's phrases in a message from left to right, longest first: position, number of words, entry.
fn phrases(words: &[Word]) -> Vec<(usize, usize, Option<Entry>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let most = PHRASE_WORDS.min(words.len() - at);
        let longest = (1..=most).rev().find_map(|count| {
            let phrase: Vec<&str> = words[at..at + count].iter().map(|word| word.folded.as_str()).collect();
            entry(&phrase.join(" ")).map(|entry| (count, entry))
        });
        let count = longest.map_or(1, |(count, _)| count);
        found.push((at, count, longest.map(|(_, entry)| entry)));
        at += count;
    }
    found
}

/// The senses of each word; `None` outside the vocabulary. `with_slips` also matches misspelt words to the nearest.
pub(super) fn of_words(words: &[Word], with_slips: bool) -> Vec<Option<Senses>> {
    let mut senses = vec![None; words.len()];
    for (at, count, entry) in phrases(words) {
        for (place, word) in words.iter().enumerate().skip(at).take(count) {
            senses[place] = entry.map(|entry| entry.senses).or_else(|| number(&word.folded));
            if senses[place].is_none() && with_slips {
                senses[place] = slip(&word.folded).map(|entry| entry.senses);
            }
        }
    }
    senses
}

/// The senses of a year, or of a month in one.
fn number(folded: &str) -> Option<Senses> {
    year_and_month(folded).map(|_| {
        let mut senses = Senses::default();
        senses.add(Sense::Year);
        senses
    })
}

fn slip(folded: &str) -> Option<Entry> {
    if folded.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    TELLING.iter().find(|(word, _)| spelling::is_slip(folded, word)).map(|(_, entry)| *entry)
}

/// The language of most words. Words that German borrowed from English count less.
pub(super) fn language(words: &[Word]) -> Language {
    let (mut english, mut german) = (0, 0);
    for (at, count, entry) in phrases(words) {
        let Some(entry) = entry.or_else(|| slip(&words[at].folded)) else { continue };
        english += if entry.is_english && !entry.is_german { count } else { 0 };
        german += if entry.is_german && !entry.is_english { count } else { 0 };
    }
    if german > 0 && german >= english { Language::German } else { Language::English }
}
