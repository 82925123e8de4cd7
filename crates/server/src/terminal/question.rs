//! What a visitor asks: free English and commands read as a [`Question`]. Pure; names are only guessed here, [`search`](super::search)
//! says whether there is anybody of that name.

use rapidfuzz::distance::osa;
use rules::sort_key::sort_key;

use super::phrases::{self, AFTER, ASKING, BEFORE, FIXED, TOPIC_WORDS, each};

/// Something the terminal can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// What can be asked.
    Help,
    /// A greeting.
    Hello,
    /// Who the label is, and how much of it there is.
    Label,
    /// A page of all releases, newest first; pages count from 1.
    Releases(u32),
    /// A page of all artists, alphabetical.
    Artists(u32),
    /// What came out last.
    Latest,
    /// Where the label's music is.
    Music,
    /// Something about an artist or a release.
    Find(Find),
    /// How to send a demo.
    Demo,
    /// How to reach the label.
    Contact,
    /// How to subscribe.
    Newsletter,
    /// What can be bought.
    Store,
    /// What is kept about visitors.
    Privacy,
}

/// Something about an artist or a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Find {
    /// What is asked about it.
    pub(super) asked: Asked,
    /// What it is, if the question says so; the other kind is still better than nothing.
    pub(super) kind: Option<Kind>,
    /// Its name, title or number, folded as sort keys are.
    pub(super) name: String,
    /// The whole message, folded: it may be a title that only reads like a question.
    pub(super) whole: String,
    /// What else the message may have meant, if nobody is called that.
    pub(super) otherwise: Option<Box<Question>>,
}

/// The two kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Artist,
    Release,
}

/// What a question asks about something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Anything.
    Card,
    /// When it came out.
    Date,
    /// What somebody released.
    Works,
    /// Where it can be heard.
    Listen,
    /// Who made it.
    Maker,
}

/// Reads a message.
pub(super) fn parse(message: &str) -> Question {
    let whole = sort_key(message);
    let text = without_politeness(&whole);
    let words: Vec<&str> = text.split(' ').collect();
    if let Some(question) = fixed(&whole).or_else(|| fixed(text)).or_else(|| paged(&words)) {
        return question;
    }
    let otherwise = topic(&words).or_else(|| misspelt(&words)).map(Box::new);
    let (asked, kind, name) = match asking(&words) {
        Some((asked, kind, name)) if name.iter().all(|word| phrases::is_filler(word)) => {
            // "what did you release": a question about the label itself.
            let about_label = match asked {
                Asked::Listen => Question::Music,
                Asked::Works => Question::Releases(1),
                Asked::Date => Question::Latest,
                Asked::Card | Asked::Maker if kind == Some(Kind::Artist) => Question::Artists(1),
                Asked::Card | Asked::Maker => Question::Label,
            };
            return otherwise.map_or(about_label, |topic| *topic);
        }
        Some((asked, kind, name)) => {
            let (said, name) = kind_said(&name);
            (asked, said.or(kind), name.join(" "))
        }
        None => (Asked::Card, None, text.to_owned()),
    };
    Question::Find(Find { asked, kind, name, whole, otherwise })
}

/// Without "please", "could you" and the like around it, unless there is nothing else.
fn without_politeness(whole: &str) -> &str {
    let mut text = whole;
    while let Some(rest) = each(BEFORE).find_map(|said| text.strip_prefix(said)?.strip_prefix(' ')) {
        text = rest;
    }
    while let Some(rest) = each(AFTER).find_map(|said| text.strip_suffix(said)?.strip_suffix(' ')) {
        text = rest;
    }
    text
}

fn fixed(text: &str) -> Option<Question> {
    FIXED
        .iter()
        .find(|(phrases, _)| each(phrases).any(|phrase| phrase == text))
        .map(|(_, question)| question.clone())
}

/// `releases 2`, `artists page 3`.
fn paged(words: &[&str]) -> Option<Question> {
    let (list, page) = match words {
        [list, page] | [list, "page", page] => (*list, page.parse::<u32>().ok()?.max(1)),
        _ => return None,
    };
    match fixed(list)? {
        Question::Releases(_) => Some(Question::Releases(page)),
        Question::Artists(_) => Some(Question::Artists(page)),
        _ => None,
    }
}

/// The most specific pattern that fits, and the words in the place of its star.
fn asking<'a>(words: &[&'a str]) -> Option<(Asked, Option<Kind>, Vec<&'a str>)> {
    let mut best: Option<(usize, Asked, Option<Kind>, &[&str])> = None;
    for (asked, kind, patterns) in ASKING {
        for pattern in each(patterns) {
            let Some((before, after)) = pattern.split_once('*') else { continue };
            let count = |part: &str| part.split_whitespace().count();
            let (head, tail) = (count(before), count(after));
            if words.len() <= head + tail || best.as_ref().is_some_and(|(most, ..)| *most >= head + tail) {
                continue;
            }
            let (name, end) = words[head..].split_at(words.len() - head - tail);
            if before.split_whitespace().eq(words[..head].iter().copied())
                && after.split_whitespace().eq(end.iter().copied())
            {
                best = Some((head + tail, *asked, *kind, name));
            }
        }
    }
    best.map(|(_, asked, kind, name)| (asked, kind, name.to_vec()))
}

/// "the artist X", "your record Y": what it is said to be, and the name alone.
fn kind_said<'a>(words: &[&'a str]) -> (Option<Kind>, Vec<&'a str>) {
    let rest = match words {
        ["the" | "your" | "a" | "an", rest @ ..] => rest,
        all => all,
    };
    if let [word, name @ ..] = rest
        && !name.is_empty()
    {
        if each(phrases::ARTIST_WORDS).any(|known| known == *word) {
            return (Some(Kind::Artist), name.to_vec());
        }
        if each(phrases::RELEASE_WORDS).any(|known| known == *word) {
            return (Some(Kind::Release), name.to_vec());
        }
    }
    (None, words.to_vec())
}

/// A subject of its own that some word of the message names.
fn topic(words: &[&str]) -> Option<Question> {
    let is_said = |topic_words| each(topic_words).any(|topic_word| words.contains(&topic_word));
    TOPIC_WORDS.iter().find(|(topic_words, _)| is_said(topic_words)).map(|(_, question)| question.clone())
}

/// How much of a word must be right for it to pass for a command.
const MISSPELT: f64 = 0.7;

/// The command that a single word with a typing mistake was meant to be.
fn misspelt(words: &[&str]) -> Option<Question> {
    let [word] = words else { return None };
    if word.chars().count() < 4 {
        return None;
    }
    let similar = |command: &str| osa::normalized_similarity(word.chars(), command.chars());
    let commands =
        FIXED.iter().flat_map(|(phrases, question)| each(phrases).map(move |phrase| (phrase, question)));
    let (score, question) = commands
        .filter(|(phrase, _)| phrase.len() >= 4 && !phrase.contains(' '))
        .map(|(phrase, question)| (similar(phrase), question))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (score >= MISSPELT).then(|| question.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(message: &str) -> (Asked, Option<Kind>, String) {
        match parse(message) {
            Question::Find(find) => (find.asked, find.kind, find.name),
            other => panic!("{message}: {other:?}"),
        }
    }

    #[test]
    fn phrases_that_name_nobody_are_known() {
        use Question::*;
        for (message, question) in [
            ("help", Help),
            ("HELP!", Help),
            ("?", Help),
            ("please help", Help),
            ("What can you do?", Help),
            ("hello", Hello),
            ("Hey there", Hello),
            ("releases", Releases(1)),
            ("releases 2", Releases(2)),
            ("Releases page 12", Releases(12)),
            ("releases 0", Releases(1)),
            ("What did you release?", Releases(1)),
            ("artists", Artists(1)),
            ("artists 3", Artists(3)),
            ("who is on the label?", Artists(1)),
            ("who are the artists", Artists(1)),
            ("latest", Latest),
            ("What's new?", Latest),
            ("what is new", Latest),
            ("What is the latest release?", Latest),
            ("anything new please", Latest),
            ("who are you", Label),
            ("what is this label", Label),
            ("how many releases do you have", Label),
            ("Where can I listen to your music?", Music),
            ("where can i listen", Music),
            ("demo", Demo),
            ("contact", Contact),
            ("newsletter", Newsletter),
            ("store", Store),
            ("privacy", Privacy),
            ("How do I send a demo?", Demo),
            ("how can i contact the label", Contact),
        ] {
            assert_eq!(parse(message), question, "{message}");
        }
    }

    #[test]
    fn questions_about_somebody_or_something_give_the_name() {
        use Asked::*;
        let (artist, release) = (Some(Kind::Artist), Some(Kind::Release));
        for (message, asked, kind, name) in [
            ("artist Nullpoint", Card, artist, "nullpoint"),
            ("artist Ärzte im Exil", Card, artist, "arzte im exil"),
            ("release 404-012", Card, release, "404012"),
            ("release Low Sun", Card, release, "low sun"),
            ("Who is Kesto Vann?", Card, artist, "kesto vann"),
            ("who's Sable", Card, artist, "sable"),
            ("tell me about Sable please", Card, None, "sable"),
            ("Can you tell me about the artist Sable", Card, artist, "sable"),
            ("what do you know about the record Rotary?", Card, release, "rotary"),
            ("When did Low Sun come out?", Date, release, "low sun"),
            ("when was \"Low Sun\" released", Date, release, "low sun"),
            ("when will Rotary be out", Date, release, "rotary"),
            ("release date of Rotary", Date, release, "rotary"),
            ("What did Sable release?", Works, artist, "sable"),
            ("what has Sable released so far", Works, artist, "sable"),
            ("releases by Ohm & Ledger", Works, artist, "ohm ledger"),
            ("music by sable", Works, artist, "sable"),
            ("discography of Sable", Works, artist, "sable"),
            ("Where can I listen to Rotary?", Listen, None, "rotary"),
            ("where can i find the album Rotary", Listen, release, "rotary"),
            ("play Rotary", Listen, None, "rotary"),
            ("is Rotary on Spotify?", Listen, None, "rotary"),
            ("Who made Rotary?", Maker, release, "rotary"),
            ("nullpnt", Card, None, "nullpnt"),
            ("404-012", Card, None, "404012"),
            ("Yūki Tanabe", Card, None, "yuki tanabe"),
        ] {
            assert_eq!(found(message), (asked, kind, name.to_owned()), "{message}");
        }
    }

    #[test]
    fn what_may_be_a_name_or_a_subject_is_both() {
        for (message, otherwise) in [
            ("how can I get my demos heard by you", Some(Question::Demo)),
            ("what is your email address", Some(Question::Contact)),
            ("do you sell vinyl", Some(Question::Store)),
            ("relases", Some(Question::Releases(1))),
            ("artsts", Some(Question::Artists(1))),
            ("hepl", Some(Question::Help)),
            ("helpp", Some(Question::Help)),
            ("xyzzy", None),
            ("who is the best", None),
        ] {
            let otherwise_of = |question| match question {
                Question::Find(find) => find.otherwise.map(|otherwise| *otherwise),
                other => Some(other),
            };
            assert_eq!(otherwise_of(parse(message)), otherwise, "{message}");
        }
    }

    #[test]
    fn no_message_is_too_odd_to_be_read() {
        for message in [
            "!!!",
            "\u{1f389}",
            "who is",
            "when did come out",
            "when",
            "* * *",
            "releases 99999999999",
            "the",
        ] {
            parse(message);
        }
        parse(&"who is ".repeat(140));
    }
}
