//! Rows that tests read, written as the program would write them.

use deadwax::in_tx;
use uuid::Uuid;

use super::{NOON, TestServer};

deadwax::statements! {
    INSERT_ARTIST = "INSERT INTO artists (id, name, sort_key, bio, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)";
    INSERT_RELEASE = "INSERT INTO releases (id, title, sort_key, release_date, description, spotify_url, soundcloud_url, artist_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
}

/// A release to be inserted; everything but the title may be missing.
#[derive(Default)]
pub struct Release<'a> {
    pub title: &'a str,
    pub date: Option<&'a str>,
    pub description: Option<&'a str>,
    pub spotify: Option<&'a str>,
    pub soundcloud: Option<&'a str>,
    pub artist: Option<Uuid>,
}

impl TestServer {
    pub async fn artist(&self, name: &str, bio: Option<&str>) -> Uuid {
        let id = Uuid::now_v7();
        let mut tx = self.app.db.begin().await.unwrap();
        in_tx!(tx, execute, INSERT_ARTIST, id, name, rules::sort_key::sort_key(name), bio, NOON).unwrap();
        tx.commit().await.unwrap();
        self.caught_up().await;
        id
    }

    pub async fn release(&self, release: Release<'_>) -> Uuid {
        let id = Uuid::now_v7();
        let Release { title, date, description, spotify, soundcloud, artist } = release;
        let mut tx = self.app.db.begin().await.unwrap();
        in_tx!(
            tx,
            execute,
            INSERT_RELEASE,
            id,
            title,
            rules::sort_key::sort_key(title),
            date,
            description,
            spotify,
            soundcloud,
            artist,
            NOON
        )
        .unwrap();
        tx.commit().await.unwrap();
        self.caught_up().await;
        id
    }
}
