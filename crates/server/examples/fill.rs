//! Fills a label with made-up releases of ten tracks each, for measurements: `fill COUNT FOLDER [DATABASE_URL]`.
//!
//! Works beside a running server, so it also serves as a change from outside the server.

use anyhow::Context as _;
use deadwax_store::{
    clock::Clock,
    db::{Db, Statement},
};
use rules::sort_key::sort_key;
use serde_json::json;
use uuid::Uuid;

const fn both(name: &'static str, sql: &'static str) -> Statement {
    Statement { name, sqlite: sql, postgres: sql }
}

const INSERT_ARTIST: Statement =
    both("INSERT_ARTIST", "INSERT INTO artists (id, name, sort_key) VALUES ($1, $2, $3)");
const INSERT_RELEASE: Statement = both(
    "INSERT_RELEASE",
    "INSERT INTO releases (id, title, sort_key, catalog, release_date, description, spotify_url, artist_id, \
         slug, format, tracks, credits, created_at, updated_at, out_at) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '12\"', $10, $11, $12, $12, $12)",
);
const RESERVE_SLUG: Statement =
    both("RESERVE_SLUG", "INSERT INTO slugs (slug, release_id, created_at) VALUES ($1, $2, $3)");

const ARTISTS: u32 = 50;
const TRACKS: u32 = 10;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (count, folder, url) = match arguments.as_slice() {
        [count, folder] => (count, folder, None),
        [count, folder, url] => (count, folder, Some(url.as_str())),
        _ => anyhow::bail!("fill COUNT FOLDER [DATABASE_URL]"),
    };
    let count: u32 = count.parse().context("COUNT")?;
    std::fs::create_dir_all(folder)?;
    let db = Db::open(url, folder.as_ref()).await?;
    db.migrate().await?;
    fill(&db, count).await?;
    db.close().await;
    Ok(())
}

async fn fill(db: &Db, count: u32) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    let mut artists = Vec::new();
    for number in 0..ARTISTS {
        let (id, name) = (Uuid::now_v7(), format!("Signal Path {number:02}"));
        tx.query(INSERT_ARTIST).bind(id).bind(&name).bind(sort_key(&name)).execute().await?;
        artists.push(id);
    }
    for (number, artist) in (0..count).zip(artists.into_iter().cycle()) {
        let (id, catalog, now) = (Uuid::now_v7(), format!("404-{number:06}"), Clock::System.now());
        // Another run may have taken the number already.
        let slug = format!("{catalog}-{:08x}", id.as_u128() & 0xffff_ffff);
        let title = format!("Locked Groove {number:06}");
        let date = format!("{}-{:02}-{:02}", 2000 + number % 27, 1 + number % 12, 1 + number % 28);
        let description =
            format!("Side A runs at 33, side B at 45. Cut loud, pressed once.\nCATALOG: 404-{number:06}");
        let tracks: Vec<_> = (1..=TRACKS)
            .map(|track| json!({"title": format!("{title}, part {track}"), "duration_seconds": 300 + track}))
            .collect();
        let credits =
            json!([{"role": "Mastering", "name": "Ingrid Sol"}, {"role": "Sleeve", "name": "Room 404"}]);
        tx.query(INSERT_RELEASE)
            .bind(id)
            .bind(&title)
            .bind(sort_key(&title))
            .bind(&catalog)
            .bind(date)
            .bind(description)
            .bind(format!("https://open.spotify.com/album/{number:022}"))
            .bind(artist)
            .bind(&slug)
            .bind(json!(tracks).to_string())
            .bind(credits.to_string())
            .bind(now)
            .execute()
            .await?;
        tx.query(RESERVE_SLUG).bind(&slug).bind(id).bind(now).execute().await?;
    }
    tx.commit().await?;
    Ok(())
}
