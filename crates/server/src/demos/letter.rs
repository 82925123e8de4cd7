//! The letter that tells the label of a demo. What the sender wrote stands in its body alone, never in a header.

use super::uploads::Sender;
use crate::mail::{Label, Letter, Part, say};

/// To the label, about a demo of so many bytes.
pub(super) fn new_demo(label: &Label<'_>, sender: &Sender, size_bytes: u64) -> Letter {
    #[expect(
        clippy::cast_precision_loss,
        reason = "the rules count in JavaScript's numbers; demos are small"
    )]
    let size = rules::format::size_label(Some(size_bytes as f64));
    let mut parts = vec![
        say(format!("Somebody sent you a demo {}.", label.when())),
        Part::Quote("Artist", sender.artist_name.clone()),
        Part::Quote("E-mail", sender.email.clone()),
        Part::Quote("File", format!("{} ({size})", sender.original_name)),
    ];
    parts.extend(sender.message.clone().map(|message| Part::Quote("Message", message)));
    parts.push(Part::Link("Listen to it", label.link("/admin?tab=media")));
    parts.push(say("An answer to this mail goes to the address above. Nobody has proved that it is theirs."));
    label.letter("new demo", "NEW DEMO", &parts)
}
