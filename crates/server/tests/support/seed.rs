//! Inserts rows as the program would.
use uuid::Uuid;

use super::{NOON, TestServer};

deadwax_store::statements! {
    INSERT_ARTIST = "INSERT INTO artists (id, name, sort_key, bio, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $5)";
    INSERT_HERO = "INSERT INTO site_images (id, key, image_url, created_at, updated_at) \
        VALUES ($1, 'hero_background', $2, $3, $3)";
    INSERT_RELEASE = "INSERT INTO releases (id, title, sort_key, release_date, description, spotify_url, \
            soundcloud_url, artist_id, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
}

/// A release to insert; only the title is required.
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
        self.app
            .db
            .write(INSERT_ARTIST)
            .bind(id)
            .bind(name)
            .bind(rules::sort_key::sort_key(name))
            .bind(bio)
            .bind(NOON)
            .execute()
            .await
            .unwrap();
        self.wait_for_changes().await;
        id
    }

    pub async fn release(&self, release: Release<'_>) -> Uuid {
        let id = Uuid::now_v7();
        let Release { title, date, description, spotify, soundcloud, artist } = release;
        self.app
            .db
            .write(INSERT_RELEASE)
            .bind(id)
            .bind(title)
            .bind(rules::sort_key::sort_key(title))
            .bind(date)
            .bind(description)
            .bind(spotify)
            .bind(soundcloud)
            .bind(artist)
            .bind(NOON)
            .execute()
            .await
            .unwrap();
        self.wait_for_changes().await;
        id
    }

    /// Inserts numbered releases without a date.
    pub async fn insert_releases(&self, count: usize, artist: Option<Uuid>) {
        let mut tx = self.app.db.begin().await.unwrap();
        for number in 0..count {
            let title = format!("Release {number:06}");
            let nothing = None::<&str>;
            tx.query(INSERT_RELEASE)
                .bind(Uuid::now_v7())
                .bind(&title)
                .bind(&title)
                .bind(nothing)
                .bind(nothing)
                .bind(nothing)
                .bind(nothing)
                .bind(artist)
                .bind(NOON)
                .execute()
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        self.wait_for_changes().await;
    }

    /// Inserts numbered artists.
    pub async fn insert_artists(&self, count: usize) {
        let mut tx = self.app.db.begin().await.unwrap();
        for number in 0..count {
            let name = format!("Artist {number:06}");
            tx.query(INSERT_ARTIST)
                .bind(Uuid::now_v7())
                .bind(&name)
                .bind(&name)
                .bind(None::<&str>)
                .bind(NOON)
                .execute()
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        self.wait_for_changes().await;
    }

    /// Sets the home page's background.
    pub async fn hero(&self, image_url: &str) {
        self.app
            .db
            .write(INSERT_HERO)
            .bind(Uuid::now_v7())
            .bind(image_url)
            .bind(NOON)
            .execute()
            .await
            .unwrap();
        self.wait_for_changes().await;
    }
}
