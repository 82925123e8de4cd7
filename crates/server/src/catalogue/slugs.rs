//! The slugs of releases: given once, and valid for good.

use std::collections::HashSet;

use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    statements,
};
use rules::slug;
use uuid::Uuid;

statements! {
    TAKEN = "SELECT slug FROM slugs";
    PRESENT = "SELECT slug FROM releases WHERE id = $1";
    OWNER = "SELECT release_id FROM slugs WHERE slug = $1";
    RESERVE = "INSERT INTO slugs (slug, release_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (slug) DO NOTHING";
    SET = "UPDATE releases SET slug = $2 WHERE id = $1";
    WITHOUT = "SELECT id, catalog, title FROM releases WHERE state = 'out' AND slug IS NULL \
        ORDER BY created_at, id LIMIT $1", postgres + " FOR UPDATE SKIP LOCKED";
}

/// Numbers tried in order; beyond them, a part of the id tells releases apart.
const NUMBERS: u32 = 100;

const BATCH: i64 = 500;

/// Gives a public release the slug of its catalogue number or title, unless it has it: one it had before, or the first never used. A
/// numbered one stays while another release has, or had, the unnumbered one.
pub(crate) async fn give(
    tx: &mut Tx,
    id: Uuid,
    catalog: Option<&str>,
    title: &str,
    now: Micros,
) -> sqlx::Result<()> {
    let wanted = slug::slug(catalog, title);
    let (present,) = tx.query(PRESENT).bind(id).one::<(Option<String>,)>().await?;
    if let Some(present) = present
        && slug::is_of(&present, &wanted)
    {
        let owner = tx.query(OWNER).bind(&wanted).optional::<(Option<Uuid>,)>().await?;
        if present == wanted || owner.is_some_and(|(owner,)| owner != Some(id)) {
            return Ok(());
        }
    }
    for candidate in candidates(&wanted, id) {
        let is_new = tx.query(RESERVE).bind(&candidate).bind(id).bind(now).execute().await? > 0;
        if is_new || tx.query(OWNER).bind(&candidate).one::<(Option<Uuid>,)>().await?.0 == Some(id) {
            tx.query(SET).bind(id).bind(&candidate).execute().await?;
            return Ok(());
        }
    }
    Ok(())
}

/// Candidate slugs, best first.
fn candidates(wanted: &str, id: Uuid) -> impl Iterator<Item = String> {
    let numbered = (2..=NUMBERS).map(|number| slug::numbered(wanted, number));
    // The end of an id is random.
    let last =
        format!("{}-{:08x}", wanted.get(..slug::SLUG_MAX - 9).unwrap_or(wanted), id.as_u128() & 0xffff_ffff);
    std::iter::once(wanted.to_owned()).chain(numbered).chain(std::iter::once(last))
}

/// The first free slug of a new release, added to `taken`.
pub(crate) fn choose(
    taken: &mut HashSet<String>,
    id: Uuid,
    catalog: Option<&str>,
    title: &str,
) -> Option<String> {
    candidates(&slug::slug(catalog, title), id).find(|candidate| taken.insert(candidate.clone()))
}

/// Every slug in use, now or formerly.
pub(crate) async fn taken(tx: &mut Tx) -> sqlx::Result<HashSet<String>> {
    let mut taken = HashSet::new();
    let add = |(slug,): (String,)| {
        taken.insert(slug);
    };
    tx.query(TAKEN).each(add).await?;
    Ok(taken)
}

/// Gives slugs to public releases without one: from an older version, or written by another program. Returns how many.
pub async fn give_missing(db: &Db, now: Micros) -> sqlx::Result<usize> {
    let mut given = 0;
    loop {
        let mut tx = db.begin().await?;
        let rows = tx.query(WITHOUT).bind(BATCH).all::<(Uuid, Option<String>, String)>().await?;
        for (id, catalog, title) in &rows {
            give(&mut tx, *id, catalog.as_deref(), title, now).await?;
        }
        tx.commit().await?;
        given += rows.len();
        if rows.len() < usize::try_from(BATCH).unwrap_or(usize::MAX) {
            return Ok(given);
        }
    }
}
