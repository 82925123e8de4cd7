//! The letter that tells the label of a demo. What the sender wrote stands in its body; of the headers, the subject alone names
//! the artist, shortened and on one line.

use deadwax_mail::{Label, Letter, Part, say};
use rules::{demo::SUBJECT_NAME_MAX, demo_name::UNKNOWN_ARTIST};

use super::upload::Sender;

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
        Part::Quote("Email", sender.email.clone()),
        Part::Quote("File", format!("{} ({size})", sender.original_name)),
    ];
    parts.extend(sender.message.clone().map(|message| Part::Quote("Message", message)));
    parts.push(Part::Link("Listen to it", label.link("/admin?tab=media")));
    parts.push(say("An answer to this mail goes to the address above. Nobody has proved that it is theirs."));
    label.letter(&format!("new demo by {}", named(&sender.artist_name)), "NEW DEMO", &parts)
}

/// The artist's name for a list of mails: nothing that begins another header, turns the direction of the rest, or fills the line.
fn named(artist: &str) -> String {
    let line = rules::upload::without_tricks(artist);
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() { UNKNOWN_ARTIST.to_owned() } else { words.chars().take(SUBJECT_NAME_MAX).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artist_is_named_on_one_short_line() {
        assert_eq!(named("Rhythm & Sound"), "Rhythm & Sound");
        assert_eq!(named("a\r\nBcc: all@x.example"), "aBcc: all@x.example");
        assert_eq!(named("\u{202e}evil\u{2066} one"), "evil one");
        assert_eq!(named("\u{202e}"), "Unknown Artist");
        assert_eq!(named(&"ä".repeat(500)).chars().count(), SUBJECT_NAME_MAX);
    }
}
