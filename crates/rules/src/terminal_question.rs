//! What a visitor of the terminal asks: free English and German read as an [`Intent`] with its argument.
//!
//! Only the server reads questions, so this module is not part of the browser's build. Names are only marked here; whether
//! anybody is called that, the server looks up. A word of the vocabulary is never a name by itself: where no reading fits,
//! the question is missed, because a wrong answer is worse than none.

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

/// Words of a message that are read; what comes behind them is not.
pub const WORDS_MAX: usize = 40;

/// The language of a question, in which it is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// For everything that is not German, too.
    #[default]
    English,
    /// At least as much German in it as English.
    German,
}

/// A question as it was understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// In which it is answered.
    pub language: Language,
    /// What is asked.
    #[serde(flatten)]
    pub intent: Intent,
}

/// A streaming service by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// Spotify.
    Spotify,
    /// SoundCloud.
    Soundcloud,
    /// Apple Music.
    AppleMusic,
    /// YouTube.
    Youtube,
    /// One whose links the catalogue has no field for.
    Other,
}

/// A span of calendar dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A year, or a month of it (1 to 12).
    Year {
        /// Of the common calendar.
        year: u16,
        /// 1 to 12.
        month: Option<u8>,
    },
    /// The current year.
    ThisYear,
    /// The one before it.
    LastYear,
    /// The current month.
    ThisMonth,
}

/// What is asked. Those with a page of their own answer with facts about the label, the others from the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "intent", rename_all = "snake_case")]
pub enum Intent {
    /// What can be asked.
    Help,
    /// A greeting.
    Hello,
    /// Thanks, and praise.
    Thanks,
    /// A farewell.
    Bye,
    /// What a shell would do at `exit`.
    Exit,
    /// The same for `clear`.
    Clear,
    /// Whether a machine answers.
    Bot,
    /// Which languages are understood.
    Languages,
    /// Who the label is, and how much of it there is.
    Label,
    /// Who runs it.
    Owner,
    /// Where it is.
    Place,
    /// Since when there is one.
    Since,
    /// What music it stands for.
    Genre,
    /// Work and internships.
    Jobs,
    /// Its profiles elsewhere.
    Social,
    /// A page of all releases, newest first; pages count from 1.
    Releases {
        /// From 1.
        page: u32,
    },
    /// How many releases there are.
    ReleaseCount,
    /// A page of all artists, alphabetical.
    Artists {
        /// From 1.
        page: u32,
    },
    /// How many artists there are.
    ArtistCount,
    /// What came out last.
    Latest,
    /// What came out first.
    Oldest,
    /// What has a date that is still to come.
    Upcoming,
    /// What came out in a year or month.
    Dated {
        /// When.
        period: Period,
    },
    /// Where the label's music can be heard.
    Listen {
        /// The service that is named.
        service: Option<Service>,
    },
    /// Files of the music.
    Download,
    /// News that a reader program fetches.
    Feed,
    /// Concerts and parties.
    Events,
    /// How to send music.
    Demo,
    /// Which files a demo may be.
    DemoFormats,
    /// How large.
    DemoSize,
    /// Whether one arrived, and when the label answers.
    DemoStatus,
    /// How to reach the label.
    Contact,
    /// How to book an artist.
    Booking,
    /// Interviews, reviews, pictures.
    Press,
    /// The use of music elsewhere.
    Licence,
    /// How to subscribe.
    Newsletter,
    /// How to leave the newsletter.
    Unsubscribe,
    /// What can be bought.
    Store,
    /// Where it is sent.
    Shipping,
    /// What it costs and how it is paid.
    Payment,
    /// How it is given back.
    Returns,
    /// What is kept about visitors.
    Privacy,
    /// What is kept in their browser.
    Cookies,
    /// Who answers for the website by law.
    Imprint,
    /// The removal of data that are no account's.
    DeleteData,
    /// How to get an account.
    SignUp,
    /// How to sign in.
    Login,
    /// How to sign out.
    Logout,
    /// A password that is forgotten or to be changed.
    Password,
    /// The second factor and its codes.
    TwoFactor,
    /// The end of an account.
    DeleteAccount,
    /// Another address for an account.
    ChangeEmail,
    /// The mail by which an address is confirmed.
    Confirmation,
    /// Anything else about one's account.
    Account,
    /// Something about an artist or a release.
    Find(Find),
    /// Nothing that is understood.
    Miss,
}

/// The two kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An artist.
    Artist,
    /// A release.
    Release,
}

/// What a question asks about something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Anything.
    #[default]
    Card,
    /// When it came out.
    Date,
    /// What somebody released.
    Works,
    /// Where it can be heard.
    Listen,
    /// Where it can be bought.
    Buy,
    /// Who made it.
    Maker,
}

/// How far a name may be from what was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// The name itself, give or take case, accents and punctuation: what was typed is made of common words.
    Exact,
    /// A misspelt name too.
    Near,
}

/// Something about an artist or a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Find {
    /// What is asked about it.
    pub asked: Asked,
    /// What it is, if the question says so; the other kind is still better than nothing.
    pub kind: Option<Kind>,
    /// The name as it was typed.
    pub name: String,
    /// Its words, folded as sort keys are.
    #[serde(skip)]
    pub words: Vec<String>,
    /// The words around it, nearest first, which may belong to it: "First" of "First Transmission".
    #[serde(skip)]
    pub before: Vec<String>,
    /// The same behind it.
    #[serde(skip)]
    pub after: Vec<String>,
    /// How near a name must come.
    pub matched: Match,
    /// Whether nothing else was said, or a command or quotation marks say that this is a name.
    pub is_alone: bool,
    /// What else the message may mean, if nobody is called that.
    pub otherwise: Option<Box<Intent>>,
}

/// Reads a message. `label` is the label's name, which is nobody else's.
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
