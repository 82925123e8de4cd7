//! Helpers for accounts: rows, second factors, counts and failures.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Answer, TestServer,
    people::{Browser, Person},
};

deadwax_store::statements! {
    ENABLE_FACTOR = "INSERT INTO two_factor (user_id, secret, enabled_at) VALUES ($1, $2, $3)";
    VERIFY = "UPDATE sessions SET mfa_verified_at = $2, mfa_verified_until = $3 WHERE user_id = $1";
    AUDITED = "SELECT event, outcome FROM audit_log WHERE actor = $1 ORDER BY at, id";
}

impl TestServer {
    /// Gives an account a second factor whose codes are unknown.
    pub async fn add_unknown_factor(&self, person: &Person) {
        self.app
            .db
            .write(ENABLE_FACTOR)
            .bind(person.id)
            .bind(vec![7_u8; 40])
            .bind(self.app.clock.now())
            .execute()
            .await
            .unwrap();
    }

    /// Marks the second factor as verified in every session of an account.
    pub async fn verify_sessions(&self, person: &Person) {
        let now = self.app.clock.now();
        self.app
            .db
            .write(VERIFY)
            .bind(person.id)
            .bind(now)
            .bind(now + 12 * 3_600_000_000)
            .execute()
            .await
            .unwrap();
    }

    /// The events and outcomes in the audit log of an account.
    pub async fn audited(&self, id: Uuid) -> Vec<(String, String)> {
        self.app.db.query(AUDITED).bind(id).all::<(String, String)>().await.unwrap()
    }

    /// Counts the rows of a table and condition, such as `profiles WHERE username = 'Max'`.
    pub async fn count(&self, rows: &str) -> i64 {
        let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {rows}"));
        match &self.app.db {
            deadwax_store::db::Db::Sqlite { read, .. } => {
                sqlx::query_scalar(sql).fetch_one(read).await.unwrap()
            }
            deadwax_store::db::Db::Postgres { pool, .. } => {
                sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
            }
        }
    }

    /// Makes the database refuse `op` on the rows of a table that match `which`; `NEW` and `OLD` are the row.
    pub async fn refuse(&self, op: &str, table: &str, which: &str) {
        let trigger = format!("CREATE TRIGGER refused BEFORE {op} ON {table} FOR EACH ROW WHEN ({which})");
        let sql = match &self.app.db {
            deadwax_store::db::Db::Sqlite { .. } => {
                format!("{trigger} BEGIN SELECT RAISE(ABORT, 'refused'); END")
            }
            deadwax_store::db::Db::Postgres { .. } => format!(
                "CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$; \
                    {trigger} EXECUTE FUNCTION refused()"
            ),
        };
        self.sql(&sql).await;
    }

    /// Ends [`TestServer::refuse`].
    pub async fn refuse_no_more(&self) {
        let sql = match &self.app.db {
            deadwax_store::db::Db::Sqlite { .. } => "DROP TRIGGER refused",
            deadwax_store::db::Db::Postgres { .. } => "DROP FUNCTION refused CASCADE",
        };
        self.sql(sql).await;
    }

    /// Waits until background work makes `holds` true.
    pub async fn wait_until(&self, what: &str, mut holds: impl AsyncFnMut() -> bool) {
        let wait = async {
            while !holds().await {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        let in_time = tokio::time::timeout(super::RECEIVE_TIMEOUT, wait).await;
        assert!(in_time.is_ok(), "{what} did not come about within {:?}", super::RECEIVE_TIMEOUT);
    }

    /// Uploads an avatar.
    pub async fn upload_avatar(&self, browser: &Browser) {
        let picture = image::RgbImage::from_pixel(8, 8, image::Rgb([200, 0, 0]));
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let mut body =
            b"--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"me.png\"\r\n\r\n".to_vec();
        body.extend(png.into_inner());
        body.extend(b"\r\n--cut--\r\n");
        let request = self
            .client
            .post(format!("{}/api/profile/avatar", self.base))
            .header("cookie", format!("sid={}", browser.cookies["sid"]))
            .header("content-type", "multipart/form-data; boundary=cut")
            .body(body);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }

    /// The names of the files in the folder of avatars.
    pub fn avatar_files(&self) -> Vec<String> {
        let Ok(folder) = std::fs::read_dir(self.data.path().join("media/avatars")) else { return Vec::new() };
        folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Browser {
    pub async fn patch(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    pub async fn put(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    pub async fn delete(&mut self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    pub async fn rename(&mut self, username: &str) -> Answer {
        self.patch("/api/profile", json!({"username": username})).await
    }

    pub async fn profile(&mut self) -> Value {
        let answer = self.get("/api/profile").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }
}
