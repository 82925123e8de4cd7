//! Parses a terminal question in free English or German into an [`Intent`] with its arguments.
//!
//! Used by the server only. Names are only marked here; the server looks them up. A word of the vocabulary is never a name by
//! itself. If no reading fits, the question is a miss, because a wrong answer is worse than none.

mod dates;
mod reading;
mod senses;
mod spelling;
mod text;
mod topics;
mod vocabulary;
mod words;
mod words_more;

use serde::Serialize;

/// Words of a message that are parsed; later ones are ignored.
pub const WORDS_MAX: usize = 40;

/// Language of a question and its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// The default.
    #[default]
    English,
    /// At least as many German words as English ones.
    German,
}

/// A parsed question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Its language.
    pub language: Language,
    /// Its intent.
    #[serde(flatten)]
    pub intent: Intent,
}

/// A span of calendar dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A year, or a month in it.
    Year {
        /// The year.
        year: u16,
        /// 1 to 12.
        month: Option<u8>,
    },
    /// The current year.
    ThisYear,
    /// The previous year.
    LastYear,
    /// The current month.
    ThisMonth,
}

/// The intent of a question. Most are answered by fixed texts about the label, the others from the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "intent", rename_all = "snake_case")]
pub enum Intent {
    /// Help, such as `help`.
    Help,
    /// A greeting.
    Hello,
    /// Thanks or praise.
    Thanks,
    /// A farewell.
    Bye,
    /// `exit`, as in a shell.
    Exit,
    /// `clear`, as in a shell.
    Clear,
    /// Whether a machine answers.
    Bot,
    /// Which languages it understands.
    Languages,
    /// A description of the label, with its size.
    Label,
    /// The people behind the label.
    Owner,
    /// Where the label is.
    Place,
    /// Since when it exists.
    Since,
    /// Its genre.
    Genre,
    /// Work and internships.
    Jobs,
    /// Its social profiles.
    Social,
    /// A page of all releases, newest first; pages count from 1.
    Releases {
        /// From 1.
        page: u32,
    },
    /// The number of releases.
    ReleaseCount,
    /// A page of all artists, alphabetical.
    Artists {
        /// From 1.
        page: u32,
    },
    /// The number of artists.
    ArtistCount,
    /// The latest releases.
    Latest,
    /// The oldest release.
    Oldest,
    /// Upcoming releases.
    Upcoming,
    /// Releases of a period.
    Dated {
        /// The period.
        period: Period,
    },
    /// Where to listen to the label's music.
    Listen,
    /// Downloads.
    Download,
    /// The feed.
    Feed,
    /// Concerts and parties.
    Events,
    /// How to send music.
    Demo,
    /// File formats of demos.
    DemoFormats,
    /// Maximum size of demos.
    DemoSize,
    /// Whether a demo arrived, and when the label answers.
    DemoStatus,
    /// How to reach the label.
    Contact,
    /// How to book an artist.
    Booking,
    /// Interviews, reviews, pictures.
    Press,
    /// Licensing music.
    Licence,
    /// How to subscribe.
    Newsletter,
    /// How to unsubscribe.
    Unsubscribe,
    /// Products in the store.
    Store,
    /// Shipping.
    Shipping,
    /// Prices and payment.
    Payment,
    /// Returns.
    Returns,
    /// Data stored about visitors.
    Privacy,
    /// Cookies and other storage in the browser.
    Cookies,
    /// The legal notice.
    Imprint,
    /// Deleting data without an account.
    DeleteData,
    /// How to create an account.
    SignUp,
    /// How to sign in.
    Login,
    /// How to sign out.
    Logout,
    /// A forgotten or new password.
    Password,
    /// The second factor and its codes.
    TwoFactor,
    /// Deleting an account.
    DeleteAccount,
    /// Changing an account's address.
    ChangeEmail,
    /// The confirmation mail.
    Confirmation,
    /// Anything else about an account.
    Account,
    /// About an artist or release.
    Find(Find),
    /// Not understood.
    Miss,
}

/// Kind of a named entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An artist.
    Artist,
    /// A release.
    Release,
}

/// The part of an entry that a question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Everything.
    #[default]
    Card,
    /// Its date.
    Date,
    /// An artist's releases.
    Works,
    /// Where to listen to it.
    Listen,
    /// Where to buy it.
    Buy,
    /// Its artist.
    Maker,
}

/// Required similarity of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// Equal except for case, accents and punctuation: the typed words are common ones.
    Exact,
    /// Misspellings too.
    Near,
}

/// A question about an artist or release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Find {
    /// The part it is about.
    pub asked: Asked,
    /// The kind, if the question says so; the other kind is the fallback.
    pub kind: Option<Kind>,
    /// The name as typed.
    pub name: String,
    /// Its words, folded like sort keys.
    #[serde(skip)]
    pub words: Vec<String>,
    /// The preceding words, nearest first, which may belong to the name: "First" of "First Transmission".
    #[serde(skip)]
    pub before: Vec<String>,
    /// The following words.
    #[serde(skip)]
    pub after: Vec<String>,
    /// Required similarity.
    pub matched: Match,
    /// Whether the name is the whole question, or a command or quotation marks set it apart.
    pub is_alone: bool,
    /// The fallback if the name is unknown.
    pub otherwise: Option<Box<Intent>>,
}

/// Parses a message. `label` is the label's name, which never matches an artist or release.
///
/// ```
/// use rules::terminal_question::{Intent, Language, understand};
/// let question = understand("Wie kann ich euch meine Musik schicken?", "404 COLLECTIVE");
/// assert_eq!((question.language, question.intent), (Language::German, Intent::Demo));
/// assert_eq!(understand("the", "404 COLLECTIVE").intent, Intent::Miss);
/// ```
pub fn understand(message: &str, label: &str) -> Question {
    let words = text::words(message);
    let language = vocabulary::language(&words);
    Question { language, intent: reading::read(message, &words, label) }
}
