//! The names of what is counted.

use deadwax_store::{db::Db, statements};
use rules::numbers::PLACES;
use uuid::Uuid;

use super::kind::Kind;

statements! {
    RELEASE_NAME = "SELECT r.title, (SELECT slug FROM public_releases WHERE id = r.id) FROM releases r WHERE r.id = $1";
    ARTIST_NAME = "SELECT a.name, p.id FROM artists a LEFT JOIN public_artists p ON p.id = a.id WHERE a.id = $1";
    LETTER_NAME = "SELECT subject, CASE WHEN in_archive THEN slug END FROM letters WHERE id = $1";
}

/// The name of a subject, and its page if visitors can open it.
pub(super) async fn name_of(db: &Db, kind: Kind, subject: &str) -> sqlx::Result<(String, Option<String>)> {
    if let Some((path, name)) = PLACES.iter().find(|(path, _)| *path == subject) {
        return Ok(((*name).to_owned(), Some((*path).to_owned())));
    }
    let Ok(id) = Uuid::try_parse(subject) else { return Ok((subject.to_owned(), None)) };
    let named = match kind {
        Kind::Artist => {
            let found = db.query(ARTIST_NAME).bind(id).optional::<(String, Option<Uuid>)>().await?;
            found.map(|(name, shown)| (name, shown.map(|id| format!("/artists/{id}"))))
        }
        Kind::Letter | Kind::FromLetter => {
            let found = db.query(LETTER_NAME).bind(id).optional::<(String, Option<String>)>().await?;
            found.map(|(name, slug)| (name, slug.map(|slug| format!("/letters/{slug}"))))
        }
        _ => {
            let found = db.query(RELEASE_NAME).bind(id).optional::<(String, Option<String>)>().await?;
            found.map(|(name, slug)| (name, slug.map(|slug| format!("/releases/{slug}"))))
        }
    };
    Ok(named.unwrap_or_else(|| ("removed".to_owned(), None)))
}
