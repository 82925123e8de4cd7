//! The words about the label itself: what can be asked, and where its pages are. Pure, as [`wording`](super::wording).

use rules::{demo, upload::MEGABYTE};

use super::plain::Text;

/// What can be asked.
pub(super) fn help() -> String {
    let mut text = Text::default();
    text.line("COMMANDS");
    for (command, meaning) in [
        ("help", "this list"),
        ("latest", "what came out last"),
        ("releases", "all releases, newest first; releases 2 for the next page"),
        ("artists", "everybody on the label"),
        ("artist NAME", "one artist"),
        ("release TITLE", "one release, by title or catalog number"),
    ] {
        text.hanging(&format!("  {command:<16}{meaning}"), 18);
    }
    text.gap().line("OR ASK");
    for question in [
        "who is NAME",
        "what did NAME release",
        "when did TITLE come out",
        "where can I listen to TITLE",
        "how do I send a demo",
        "contact, newsletter, store, privacy",
    ] {
        text.line(&format!("  {question}"));
    }
    text.finish()
}

/// A greeting.
pub(super) fn hello(label: &str) -> String {
    let mut text = Text::default();
    text.line(&format!("{label}. CONNECTION OPEN."));
    text.line("Ask about artists and releases, or type help.");
    text.finish()
}

/// Who the label is.
pub(super) fn label(label: &str, artists: i64, releases: i64) -> String {
    let mut text = Text::default();
    text.line(label).line("An independent record label, run as a collective of artists.");
    text.line(&format!("{}, {}.", counted(releases, "RELEASE"), counted(artists, "ARTIST")));
    text.gap().link("/releases").link("/artists");
    text.finish()
}

fn counted(count: i64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}S") }
}

/// Where the label's music is.
pub(super) fn music() -> String {
    let mut text = Text::default();
    text.line("LISTEN");
    text.line("PLAY on the releases page opens a player. Each release links to the services that have it. Ask \"where can I listen to TITLE\" for one.");
    text.gap().link("/releases");
    text.finish()
}

/// How to send a demo.
pub(super) fn demo() -> String {
    let mut text = Text::default();
    text.line("DEMOS").line(&format!(
        "The form opens from the foot of the artists page. It takes a name, an e-mail address and one file of at most {} MB \
         (.{}). A message is optional.",
        demo::DEMO_MAX_BYTES / MEGABYTE,
        demo::DEMO_EXTENSIONS.join(", .")
    ));
    text.gap().link("/artists");
    text.finish()
}

/// How to reach the label.
pub(super) fn contact() -> String {
    let mut text = Text::default();
    text.line("CONTACT").line("Write to the label here. The answer comes by e-mail.").gap().link("/contact");
    text.finish()
}

/// How to subscribe.
pub(super) fn newsletter() -> String {
    let mut text = Text::default();
    text.line("NEWSLETTER").line(
        "The form is on the home page and asks for an e-mail address. To leave the list, write to the label.",
    );
    text.gap().link("/").link("/contact");
    text.finish()
}

/// What can be bought.
pub(super) fn store() -> String {
    let mut text = Text::default();
    text.line("STORE").line("COMING SOON").line("STATUS: PENDING").gap().link("/store");
    text.finish()
}

/// What is kept about visitors.
pub(super) fn privacy(asks_others: bool) -> String {
    let mut text = Text::default();
    text.line("PRIVACY");
    text.line(if asks_others {
        "What is typed here goes to a language model service for an answer. This website does not keep it."
    } else {
        "What is typed here is answered by this website and not kept."
    });
    text.gap().link("/privacy-policy");
    text.finish()
}
