//! The letters about demos: to the label, to confirm a demo, and the label's answers. The sender's words are in the
//! bodies; of the headers only the subject names the artist, shortened and on one line.

use deadwax_mail::{Label, Letter, Part, say};
use deadwax_store::{clock::Micros, crypto::Token, db::Tx, statements};
use rules::{
    demo::SUBJECT_NAME_MAX,
    demo_name::UNKNOWN_ARTIST,
    letter_template::{KINDS, LetterForm},
};
use uuid::Uuid;

use super::uploads::Sender;

pub(super) const RECEIVED: &str = KINDS[0];

/// To the label, about a new demo. Its link opens the demo on the desk.
pub(super) fn new_demo(label: &Label<'_>, demo: Uuid, sender: &Sender, size_bytes: u64) -> Letter {
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
    parts.push(Part::Link("Listen to it", label.link(&format!("/admin/demos?demo={demo}"))));
    parts.push(say("An answer to this mail goes to the address above. Nobody has proved that it is theirs."));
    label.letter(&format!("new demo by {}", named(&sender.artist_name)), "NEW DEMO", &parts)
}

/// To the sender of a demo, that it has arrived: the label's words, and the address of its page.
pub(super) fn arrived(label: &Label<'_>, words: &LetterForm, token: &Token) -> Letter {
    let parts = [
        Part::Words(words.text.clone()),
        Part::Link(
            "Where it stands. Here you can also send another file while nobody has heard it, or have everything erased",
            label.link(&format!("/demos/{}", token.expose())),
        ),
        say(format!(
            "It was sent {}. Whoever has this address sees the page: keep it to yourself. If it was not you who sent something, have it \
            erased there.",
            label.when()
        )),
    ];
    let letter = with_subject(label.letter("", "YOUR DEMO HAS ARRIVED", &parts), words);
    Letter { is_automatic: true, ..letter }
}

/// To the sender of a demo: the label's answer.
pub fn answer(label: &Label<'_>, words: &LetterForm) -> Letter {
    with_subject(label.letter("", "YOUR DEMO", &[Part::Words(words.text.clone())]), words)
}

/// The subject as an admin wrote it, without the label's name in front.
fn with_subject(letter: Letter, words: &LetterForm) -> Letter {
    Letter { subject: words.subject.clone(), ..letter }
}

statements! {
    KEEP = "INSERT INTO demo_letters (outbox_id, demo_id) VALUES ($1, $2)";
    // It does not wait, so it cannot be taken back.
    CONFIRMED = "INSERT INTO demo_answers (id, demo_id, kind, subject, text, created_at, created_by, undo_until, outbox_id) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8)";
}

/// Records that a letter is about a demo, so that it can be erased with it.
pub async fn keep(tx: &mut Tx, demo: Uuid, outbox_id: Uuid) -> sqlx::Result<()> {
    tx.query(KEEP).bind(outbox_id).bind(demo).execute().await.map(drop)
}

/// Records the confirmation of a demo among the answers, without an author.
pub(super) async fn keep_confirmation(
    tx: &mut Tx,
    demo: Uuid,
    outbox_id: Uuid,
    words: &LetterForm,
    now: Micros,
) -> sqlx::Result<()> {
    keep(tx, demo, outbox_id).await?;
    tx.query(CONFIRMED)
        .bind(Uuid::now_v7())
        .bind(demo)
        .bind(RECEIVED)
        .bind(&words.subject)
        .bind(&words.text)
        .bind(now)
        .bind(Uuid::nil())
        .bind(outbox_id)
        .execute()
        .await
        .map(drop)
}

/// The artist's name for a subject: on one line, short, and without direction marks.
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
