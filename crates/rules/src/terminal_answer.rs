//! What the terminal says about the label itself, in English and German: fixed words and the pages they lead to.
//!
//! What the label has not stated is not made up: the words say so, and where to ask. Only the server speaks them.

mod data;
mod label;
mod music;

use crate::{
    demo,
    terminal_question::{Intent, Language},
    upload::MEGABYTE,
};

/// Fixed words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The first line, in upper case.
    pub title: &'static str,
    /// One paragraph; may be empty.
    pub text: String,
    /// Pages of the website, each by its name.
    pub links: Vec<Link>,
}

/// A page by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it is called.
    pub name: &'static str,
    /// Its path.
    pub path: &'static str,
}

/// The pages an answer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Home, with the newsletter's form.
    Home,
    /// All releases.
    Releases,
    /// All artists.
    Artists,
    /// The form for demos, open.
    Demo,
    /// The store.
    Store,
    /// The form for messages.
    Contact,
    /// The privacy policy.
    Privacy,
    /// The login, open.
    Login,
    /// The sign-up.
    SignUp,
    /// One's own profile.
    Profile,
}

/// A page as it is called in a language.
///
/// ```
/// use rules::{terminal_answer::{Page, link}, terminal_question::Language};
/// assert_eq!(link(Page::Contact, Language::German).name, "Kontakt");
/// assert_eq!(link(Page::Demo, Language::English).path, "/artists?dialog=demo");
/// ```
pub fn link(page: Page, language: Language) -> Link {
    let (path, english, german) = match page {
        Page::Home => ("/", "Home", "Startseite"),
        Page::Releases => ("/releases", "Releases", "Releases"),
        Page::Artists => ("/artists", "Artists", "Artists"),
        Page::Demo => ("/artists?dialog=demo", "Send a demo", "Demo einsenden"),
        Page::Store => ("/store", "Store", "Store"),
        Page::Contact => ("/contact", "Contact", "Kontakt"),
        Page::Privacy => ("/privacy-policy", "Privacy policy", "Datenschutzerklärung"),
        Page::Login => ("/?dialog=login", "Log in", "Anmelden"),
        Page::SignUp => ("/signup", "Sign up", "Registrieren"),
        Page::Profile => ("/profile", "Profile", "Profil"),
    };
    Link { name: say(language, english, german), path }
}

/// The words of a language.
pub fn say(language: Language, english: &'static str, german: &'static str) -> &'static str {
    match language {
        Language::English => english,
        Language::German => german,
    }
}

/// The fixed words about an intent; none for one that is answered from the catalogue. `asks_others` where what is typed leaves
/// this website for a language model.
///
/// ```
/// use rules::{terminal_answer::fixed, terminal_question::{Intent, Language}};
/// let answer = fixed(&Intent::DemoSize, Language::English, false).unwrap();
/// assert!(answer.text.contains("70 MB"));
/// assert!(fixed(&Intent::Latest, Language::English, false).is_none());
/// ```
pub fn fixed(intent: &Intent, language: Language, asks_others: bool) -> Option<Answer> {
    let (title, (english, german), pages) = label::about_label(intent)
        .or_else(|| music::about_music(intent))
        .or_else(|| data::about_data(intent, asks_others))?;
    let text = say(language, english, german)
        .replace("{megabytes}", &(demo::DEMO_MAX_BYTES / MEGABYTE).to_string())
        .replace("{extensions}", &format!(".{}", demo::DEMO_EXTENSIONS.join(", .")));
    Some(Answer { title, text, links: pages.iter().map(|page| link(*page, language)).collect() })
}

/// Title, English and German, and the pages it leads to.
type Words = (&'static str, (&'static str, &'static str), &'static [Page]);
