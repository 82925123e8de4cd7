//! The terminal's answers about the label, in English and German: fixed texts and links to pages.
//!
//! Facts the label has not stated are not invented: the texts say so, and where to ask. Used by the server only.

mod data;
mod label;
mod music;

use crate::{
    content::NAME_IN_TEXTS,
    demo,
    label::LabelLink,
    terminal_question::{Intent, Language},
    upload::MEGABYTE,
};

/// The facts about the website that fixed answers depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Site<'a> {
    /// Whether questions may be sent to a language model outside this website.
    pub asks_others: bool,
    /// Whether the label has an imprint.
    pub has_imprint: bool,
    /// The label's name: of the one in the built-in texts, it is known what it is.
    pub label_name: &'a str,
    /// The label's links to other websites.
    pub links: &'a [LabelLink],
}

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
    /// The imprint, if the label has one.
    Imprint,
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
        Page::Imprint => ("/imprint", "Imprint", "Impressum"),
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

/// The fixed answer to an intent; `None` if the catalogue answers it.
///
/// ```
/// use rules::{terminal_answer::{Site, fixed}, terminal_question::{Intent, Language}};
/// let answer = fixed(&Intent::DemoSize, Language::English, Site::default()).unwrap();
/// assert!(answer.text.contains("70 MB"));
/// assert!(fixed(&Intent::Latest, Language::English, Site::default()).is_none());
/// ```
pub fn fixed(intent: &Intent, language: Language, site: Site<'_>) -> Option<Answer> {
    let (title, (english, german), pages) = label::about_label(intent, site)
        .or_else(|| music::about_music(intent))
        .or_else(|| data::about_data(intent, site))?;
    let links: Vec<_> = site.links.iter().map(|link| &*link.url).collect();
    let known =
        |english, german| if site.label_name == NAME_IN_TEXTS { say(language, english, german) } else { "" };
    let text = say(language, english, german)
        .replace(
            "{collective}",
            known("The label is a collective of artists. ", "Das Label ist ein Kollektiv von Artists. "),
        )
        .replace("{techno}", known("techno ", "Techno-"))
        .replace("{links}", &links.join("\n"))
        .replace("{megabytes}", &(demo::DEMO_MAX_BYTES / MEGABYTE).to_string())
        .replace("{extensions}", &format!(".{}", demo::DEMO_EXTENSIONS.join(", .")));
    Some(Answer { title, text, links: pages.iter().map(|page| link(*page, language)).collect() })
}

/// Title, English and German text, and the linked pages.
type Words = (&'static str, (&'static str, &'static str), &'static [Page]);

/// The words about an intent: title and linked pages, the English text, the German text.
macro_rules! answers {
    ($asked:ident; $($intent:pat $(if $condition:expr)? => $title:literal, [$($page:ident),*], $english:literal, $german:literal;)+) => {
        Some(match $asked {
            $($intent $(if $condition)? => ($title, ($english, $german), &[$($page),*]),)+
            _ => return None,
        })
    };
}
use answers;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::label::label_links;

    const LANGUAGES: [Language; 2] = [Language::English, Language::German];

    #[test]
    fn an_imprint_is_linked_only_if_there_is_one() {
        for intent in [Intent::Imprint, Intent::Owner, Intent::Place] {
            for language in LANGUAGES {
                for has_imprint in [false, true] {
                    let site = Site { has_imprint, ..Site::default() };
                    let answer = fixed(&intent, language, site).unwrap();
                    let is_linked = answer.links.iter().any(|link| link.path == "/imprint");
                    assert_eq!(is_linked, has_imprint, "{answer:?}");
                    let denies = ["does not say", "No imprint", "steht hier nicht"];
                    let is_denied = denies.iter().any(|words| answer.text.contains(words));
                    assert_eq!(is_denied, !has_imprint, "{answer:?}");
                }
            }
        }
    }

    #[test]
    fn what_the_label_is_is_said_of_the_one_in_the_built_in_texts_alone() {
        for intent in [Intent::Owner, Intent::Genre] {
            for language in LANGUAGES {
                for has_imprint in [false, true] {
                    for label_name in [NAME_IN_TEXTS, "Night Pressing"] {
                        let site = Site { has_imprint, label_name, ..Site::default() };
                        let text = fixed(&intent, language, site).unwrap().text.to_lowercase();
                        let is_said =
                            ["collective", "kollektiv", "techno"].iter().any(|word| text.contains(word));
                        assert_eq!(is_said, label_name == NAME_IN_TEXTS, "{text}");
                        assert!(!text.contains(['{', '}']), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_labels_links_stand_above_the_profiles_of_its_artists() {
        let links = label_links("https://www.instagram.com/label\nhttps://label.bandcamp.com");
        for language in LANGUAGES {
            let answer = fixed(&Intent::Social, language, Site { links: &links, ..Site::default() }).unwrap();
            assert!(
                answer.text.contains(":\nhttps://www.instagram.com/label\nhttps://label.bandcamp.com\n"),
                "{answer:?}"
            );
            let without = fixed(&Intent::Social, language, Site::default()).unwrap();
            assert!(answer.text.ends_with(&without.text), "{without:?}");
        }
    }

    #[test]
    fn leaving_the_list_needs_no_letter_to_the_label() {
        for intent in [Intent::Newsletter, Intent::Unsubscribe] {
            let english = fixed(&intent, Language::English, Site::default()).unwrap();
            assert!(english.text.contains("Each letter has a link to leave the list"), "{english:?}");
            let german = fixed(&intent, Language::German, Site::default()).unwrap();
            assert!(german.text.contains("Jeder Brief hat einen Link"), "{german:?}");
        }
    }

    #[test]
    fn a_demos_state_is_on_its_page() {
        let english = fixed(&Intent::DemoStatus, Language::English, Site::default()).unwrap();
        assert!(english.text.contains("link to the demo's page"), "{english:?}");
        let german = fixed(&Intent::DemoStatus, Language::German, Site::default()).unwrap();
        assert!(german.text.contains("Seite des Demos"), "{german:?}");
    }
}
