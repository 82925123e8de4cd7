//! A letter to made-up subscribers, for measurements and fault rounds: `letter COUNT FOLDER [DATABASE_URL]` adds the subscribers, the fastest
//! pace and a letter that is due; `letter report FOLDER [DATABASE_URL]` prints the letter's state, and how many of its recipients there
//! are, were sent it, and perhaps twice.

use std::io::Write as _;

use anyhow::Context as _;
use deadwax_store::{
    clock::{Clock, Micros},
    db::{Db, Statement},
};
use uuid::Uuid;

const fn both(name: &'static str, sql: &'static str) -> Statement {
    Statement { name, sqlite: sql, postgres: sql }
}

const SUBSCRIBE: Statement = both(
    "SUBSCRIBE",
    "INSERT INTO newsletter_subscriptions (id, email, consent, subscribed_at, created_at, updated_at) \
     VALUES ($1, $2, 'confirmed', $3, $3, $3)",
);
const PACE: Statement = both(
    "PACE",
    "INSERT INTO newsletter_settings (id, asks_to_confirm, confirmations_a_day, letters_a_second, updated_at) \
     VALUES (1, TRUE, 500, 50, $1)",
);
const LETTER: Statement = both(
    "LETTER",
    "INSERT INTO letters (id, subject, parts, state, goes_out_at, created_at, updated_at) \
     VALUES ($1, 'A new record', '[{\"kind\":\"heading\",\"text\":\"Out now\"}]', 'scheduled', $2, $2, $2)",
);
const STATE: Statement = both("STATE", "SELECT state FROM letters");
const COUNTS: Statement = both(
    "COUNTS",
    "SELECT COUNT(*), COALESCE(SUM(CASE WHEN sent_at IS NULL THEN 0 ELSE 1 END), 0), \
         COALESCE(SUM(CASE WHEN perhaps_twice THEN 1 ELSE 0 END), 0) FROM letter_recipients",
);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (what, folder, url) = match arguments.as_slice() {
        [what, folder] => (what, folder, None),
        [what, folder, url] => (what, folder, Some(url.as_str())),
        _ => anyhow::bail!("letter COUNT|report FOLDER [DATABASE_URL]"),
    };
    std::fs::create_dir_all(folder)?;
    let db = Db::open(url, folder.as_ref()).await?;
    if what == "report" {
        let (state,) = db.query(STATE).one::<(String,)>().await?;
        let (recipients, sent, twice) = db.query(COUNTS).one::<(i64, i64, i64)>().await?;
        writeln!(std::io::stdout(), "{state} {recipients} {sent} {twice}")?;
    } else {
        db.migrate().await?;
        send(&db, what.parse().context("COUNT")?, Clock::System.now()).await?;
    }
    db.close().await;
    Ok(())
}

async fn send(db: &Db, count: u32, now: Micros) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    for number in 0..count {
        let email = format!("fan{number}@fans.example");
        tx.query(SUBSCRIBE).bind(Uuid::now_v7()).bind(email).bind(now).execute().await?;
    }
    tx.query(PACE).bind(now).execute().await?;
    tx.query(LETTER).bind(Uuid::now_v7()).bind(now).execute().await?;
    tx.commit().await?;
    Ok(())
}
