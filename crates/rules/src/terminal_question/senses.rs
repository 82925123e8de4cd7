//! The senses of words, and sets of them.

/// Sense of a word. A word may have several, and a phrase counts as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(super) enum Sense {
    // Function words, which are never a name.
    Plain, Who, What, When, Where, Which, You, Me, Mine, Did, By, Article, Polite,
    // Small talk and commands.
    Help, Hello, Thanks, Praise, Bye, Exit, Clear, Bot, Speak, Language,
    // The label.
    Label, Run, Since, Located, Genre, Job, Social, Feed,
    // The catalogue.
    Artist, Artists, Release, Releases, Music, Out, Made, Latest, Oldest, Next, Count, All, Date, Page, Year, LastYear,
    ThisYear, ThisMonth, Month, Listen, Hear, Service, Download, Event,
    // Demos.
    Demo, Send, Join, Format, File, Size, Status, Upload,
    // Contact.
    Contact, Message, Phone, Address, Booking, Press, Licence, Use,
    // Newsletter and store.
    Newsletter, Subscribe, Unsubscribe, Store, Buy, Ship, Pay, Price, Returns,
    // Data and privacy.
    Privacy, Data, Cookies, Imprint, Delete, Collect,
    // Accounts.
    Account, SignUp, Login, Logout, Password, Forgot, TwoFactor, Change, Email, Profile, Confirm,
    // Place names: common words, but never a topic.
    Country,
}

/// A set of senses.
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

    /// Whether it contains function words only.
    pub(super) fn is_plain(self) -> bool {
        use Sense::{Article, By, Did, Me, Mine, Plain, Polite, What, When, Where, Which, Who, You};
        let plain = [Plain, Who, What, When, Where, Which, You, Me, Mine, Did, By, Article, Polite];
        let mask = plain.iter().fold(0_u128, |mask, sense| mask | 1 << *sense as u32);
        self.0 & !mask == 0
    }
}
