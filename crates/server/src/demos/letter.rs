//! The letters about demos: their templates, and the links they carry. The sender's words are in the bodies; of the
//! headers only the subject names the artist, shortened and on one line.
//!
//! A link shows the demo's state, replaces its file until it is heard, and erases everything. One is in the confirmation
//! letter, another has the token of the upload; both are stored as hashes.

use std::net::IpAddr;

use deadwax_mail::{Label, Letter, Part, say};
use deadwax_store::{
    clock::Micros,
    crypto::Token,
    db::{Db, Source, Tx},
    ids::DemoId,
    limits::{self, LimitError},
    statements,
};
use rules::{
    demo::SUBJECT_NAME_MAX,
    demo_name::UNKNOWN_ARTIST,
    letter_template::{LetterForm, LetterKind, LetterValues, built_in},
    rate_limit::SENDER_LINK,
};
use uuid::Uuid;

use super::uploads::Sender;

/// To the label, about a new demo. Its link opens the demo on the desk.
pub(super) fn new_demo(label: &Label<'_>, demo: DemoId, sender: &Sender, size_bytes: u64) -> Letter {
    let size = rules::format::bytes_label(size_bytes);
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
            "It was sent {}. Anyone with this address can see the page: keep it to yourself. If it was not you who sent something, have it \
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

macro_rules! find {
    () => {
        "SELECT d.id, d.artist_name, d.email, d.message, d.file_key, d.deleted_at IS NOT NULL AS is_in_trash \
         FROM demo_links l JOIN demos d ON d.id = l.demo_id WHERE l.token_hash = $1"
    };
}

statements! {
    KEEP = "INSERT INTO demo_letters (outbox_id, demo_id) VALUES ($1, $2)";
    // It does not wait, so it cannot be taken back.
    CONFIRMED = "INSERT INTO demo_answers (id, demo_id, kind, subject, text, created_at, created_by, undo_until, outbox_id) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8)";
    TEMPLATE = "SELECT subject, text FROM letter_templates WHERE kind = $1";
    INSTALL = "INSERT INTO letter_templates (kind, subject, text, updated_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (kind) DO NOTHING";
    INSERT = "INSERT INTO demo_links (token_hash, demo_id, created_at) VALUES ($1, $2, $3)";
    FIND = find!();
    LOCK = find!(), postgres + " FOR UPDATE OF d";
}

/// Records that a letter is about a demo, so that it can be erased with it.
pub async fn keep(tx: &mut Tx, demo: DemoId, outbox_id: Uuid) -> sqlx::Result<()> {
    tx.query(KEEP).bind(outbox_id).bind(demo).execute().await.map(drop)
}

/// Records the confirmation of a demo among the answers, without an author.
pub(super) async fn keep_confirmation(
    tx: &mut Tx,
    demo: DemoId,
    outbox_id: Uuid,
    words: &LetterForm,
    now: Micros,
) -> sqlx::Result<()> {
    keep(tx, demo, outbox_id).await?;
    tx.query(CONFIRMED)
        .bind(Uuid::now_v7())
        .bind(demo)
        .bind(LetterKind::Received.as_str())
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

/// Inserts the built-in texts of kinds without a row.
pub async fn install_templates(tx: &mut Tx, now: Micros) -> sqlx::Result<()> {
    for kind in LetterKind::ALL {
        let (subject, text) = built_in(kind);
        tx.query(INSTALL).bind(kind.as_str()).bind(subject).bind(text).bind(now).execute().await?;
    }
    Ok(())
}

/// The template of a kind, which every start installs.
pub async fn find_template(source: impl Into<Source<'_>>, kind: LetterKind) -> sqlx::Result<LetterForm> {
    let (subject, text) = source.into().query(TEMPLATE).bind(kind.as_str()).one().await?;
    Ok(LetterForm { subject, text })
}

/// The values of a template's placeholders.
pub fn values(label: &str, artist: &str, file: &str) -> LetterValues {
    LetterValues { artist: artist.to_owned(), file: file.to_owned(), label: label.to_owned() }
}

/// The demo of a link.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct LinkedDemo {
    pub id: DemoId,
    pub artist_name: String,
    pub email: String,
    pub message: Option<String>,
    pub file_key: String,
    is_in_trash: bool,
}

/// Creates a link; only the returned value holds the token.
pub async fn create_link(tx: &mut Tx, demo: DemoId, now: Micros) -> sqlx::Result<Token> {
    let token = Token::random();
    insert_link(tx, &token.hash(), demo, now).await?;
    Ok(token)
}

pub async fn insert_link(tx: &mut Tx, token_hash: &[u8], demo: DemoId, now: Micros) -> sqlx::Result<()> {
    tx.query(INSERT).bind(token_hash).bind(demo).bind(now).execute().await.map(drop)
}

/// Counts an attempt to change a demo by a link, before the link is checked. Looking has no limit, because the token
/// is 256 random bits.
pub async fn count_use(db: &Db, client: IpAddr, now: Micros) -> Result<(), LimitError> {
    limits::take_by_network(db, "sender-link", client, SENDER_LINK, now).await
}

/// The demo of a link; none for an unknown token, or if the demo is deleted or in the trash.
pub async fn find_linked(db: &Db, token: &str) -> sqlx::Result<Option<LinkedDemo>> {
    Ok(find_erasable(db, token).await?.filter(|demo| !demo.is_in_trash))
}

/// As [`find_linked`], but also in the trash: `UNDO` must not bring back what its sender erased.
pub async fn find_erasable(db: &Db, token: &str) -> sqlx::Result<Option<LinkedDemo>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    db.query(FIND).bind(token.hash()).optional::<LinkedDemo>().await
}

/// As [`find_erasable`], and locks the demo's row until the transaction ends.
pub async fn lock_erasable(tx: &mut Tx, token: &str) -> sqlx::Result<Option<LinkedDemo>> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    tx.query(LOCK).bind(token.hash()).optional::<LinkedDemo>().await
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
