//! The letter with a visitor's message. The visitor's words are in its body only, never in a header.

use deadwax_mail::{Label, Letter, Part, say};
use rules::contact::ContactMessage;

pub(super) fn from_visitor(label: &Label<'_>, message: &ContactMessage) -> Letter {
    label.letter(
        "message from the contact form",
        "MESSAGE FROM THE CONTACT FORM",
        &[
            say(format!("Somebody wrote to you on your website {}.", label.when())),
            Part::Quote("Name", message.name.clone()),
            Part::Quote("Email", message.email.as_str().to_owned()),
            Part::Quote("Message", message.message.clone()),
            say("An answer to this mail goes to the address above. Nobody has proved that it is theirs."),
        ],
    )
}
