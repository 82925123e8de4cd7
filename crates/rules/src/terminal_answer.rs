//! The terminal's answers about the label, in English and German: fixed texts and links to pages.
//!
//! Facts the label has not stated are not invented: the texts say so, and where to ask. Used by the server only.

mod data;
mod label;
mod music;

use crate::{
    demo,
    terminal_question::{Intent, Language},
    upload::MEGABYTE,
};

/// A fixed answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// First line, in upper case.
    pub title: &'static str,
    /// One paragraph; may be empty.
    pub text: String,
    /// Links to pages of the website.
    pub links: Vec<Link>,
}

/// A link to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Name.
    pub name: &'static str,
    /// Path.
    pub path: &'static str,
}

/// Pages that answers link to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Home, with the newsletter's form.
    Home,
    /// All releases.
    Releases,
    /// All artists.
    Artists,
    /// The demo dialog, open.
    Demo,
    /// The store.
    Store,
    /// The contact form.
    Contact,
    /// The privacy policy.
    Privacy,
    /// The login dialog, open.
    Login,
    /// The sign-up page.
    SignUp,
    /// The visitor's profile.
    Profile,
}

/// A link to a page in a language.
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

/// Chooses the text in a language.
pub fn say(language: Language, english: &'static str, german: &'static str) -> &'static str {
    match language {
        Language::English => english,
        Language::German => german,
    }
}

/// The fixed answer to an intent; `None` if the catalogue answers it. With `asks_others`, questions may be sent to a language
/// model outside this website.
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

/// Title, English and German text, and the linked pages.
type Words = (&'static str, (&'static str, &'static str), &'static [Page]);
