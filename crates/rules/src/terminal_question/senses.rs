//! What the words of a message mean, one by one: the vocabulary applied.

use std::{collections::HashMap, sync::LazyLock};

use super::{Language, spelling, text, text::Word, words, words_more};

/// What a word can stand for. A word can have several senses, a phrase counts as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(super) enum Sense {
    // What holds a sentence together, and never is a name.
    Plain, Who, What, When, Where, Which, You, Me, Mine, Did, By, Article, Polite,
    // Small talk and commands.
    Help, Hello, Thanks, Praise, Bye, Exit, Clear, Bot, Speak, Language,
    // The label.
    Label, Run, Since, Located, Genre, Job, Social, Feed,
    // The catalogue.
    Artist, Artists, Release, Releases, Music, Out, Made, Latest, Oldest, Next, Count, All, Date, Page, Year, LastYear,
    ThisYear, ThisMonth, Month, Listen, Hear, Spotify, Soundcloud, AppleMusic, Youtube, OtherService, Download, Event,
    // What visitors send.
    Demo, Send, Join, Format, File, Size, Status, Upload,
    // How the label is reached.
    Contact, Message, Phone, Address, Booking, Press, Licence, Use,
    // What is bought.
    Newsletter, Subscribe, Unsubscribe, Store, Buy, Ship, Pay, Price, Returns,
    // What is kept.
    Privacy, Data, Cookies, Imprint, Delete, Collect,
    // One's own account.
    Account, SignUp, Login, Logout, Password, Forgot, TwoFactor, Change, Email, Profile, Confirm,
    // Names of places: common, but no sentence is about them.
    Country,
}

/// Several senses at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Senses(u128);

impl Senses {
    pub(super) fn has(self, sense: Sense) -> bool {
        self.0 & (1 << sense as u32) != 0
    }

    pub(super) fn any(self, senses: &[Sense]) -> bool {
        senses.iter().any(|sense| self.has(*sense))
    }

    pub(super) fn add(&mut self, sense: Sense) {
        self.0 |= 1 << sense as u32;
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it only holds a sentence together.
    pub(super) fn is_plain(self) -> bool {
        use Sense::{Article, By, Did, Me, Mine, Plain, Polite, What, When, Where, Which, Who, You};
        let plain = [Plain, Who, What, When, Where, Which, You, Me, Mine, Did, By, Article, Polite];
        let mask = plain.iter().fold(0_u128, |mask, sense| mask | 1 << *sense as u32);
        self.0 & !mask == 0
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    senses: Senses,
    is_english: bool,
    is_german: bool,
}

/// Words of a phrase, at most.
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

/// Words that a typing mistake is looked for behind: those that say what a message is about.
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

/// The entry of a phrase; written without umlauts too.
fn entry(phrase: &str) -> Option<Entry> {
    VOCABULARY.get(phrase).or_else(|| VOCABULARY.get(text::without_umlauts(phrase).as_str())).copied()
}

/// The vocabulary's phrases in a message from left to right, longest first: place, length in words, entry.
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

/// What each word means; nothing for a word that is not in the vocabulary. `with_slips` reads misspelt words as those they are
/// nearest to.
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

/// A year, or a month of one.
fn number(folded: &str) -> Option<Senses> {
    super::reading::year_and_month(folded).map(|_| {
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

/// The language of a message: that of most of its words. Words that German took from English say less.
pub(super) fn language(words: &[Word]) -> Language {
    let (mut english, mut german) = (0, 0);
    for (at, count, entry) in phrases(words) {
        let Some(entry) = entry.or_else(|| slip(&words[at].folded)) else { continue };
        english += if entry.is_english && !entry.is_german { count } else { 0 };
        german += if entry.is_german && !entry.is_english { count } else { 0 };
    }
    if german > 0 && german >= english { Language::German } else { Language::English }
}
