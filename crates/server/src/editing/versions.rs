//! Saved versions of what admins edit: who saved it, when, and the form's fields. The newest hundred of each row are kept until the row is
//! deleted.

use deadwax_store::{
    clock::Micros,
    columns::Named as _,
    db::{Statement, Tx},
    ids::UserId,
    names, statements,
};
use rules::{artist::ArtistForm, fields_of, product::ProductRequest, release::ReleaseForm};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

statements! {
    INSERT_MANY = "INSERT INTO versions (kind, row_key, version, saved_at, saved_by, fields) \
        SELECT value ->> 'kind', value ->> 'key', CAST(value ->> 'version' AS BIGINT), CAST(value ->> 'saved_at' AS BIGINT), \
            unhex(value ->> 'saved_by'), value ->> 'fields' FROM json_each($1) \
        WHERE TRUE ON CONFLICT (kind, row_key, version) DO NOTHING";
    PRUNE_MANY = "DELETE FROM versions WHERE kind = $1 AND row_key IN (SELECT value ->> 'key' FROM json_each($2)) \
        AND version < (SELECT v.version FROM versions v WHERE v.kind = versions.kind AND v.row_key = versions.row_key \
            ORDER BY v.version DESC LIMIT 1 OFFSET 99)";
    FORGET_MANY = "DELETE FROM versions WHERE kind = $1 AND row_key IN (SELECT value ->> 'key' FROM json_each($2))";
}

names! {
    /// The kinds of rows that have versions.
    VersionKind;
    Artist = "artist";
    Release = "release";
    Product = "product";
    Text = "text";
    /// A picture of the pages themselves, by id.
    SiteImage = "site_image";
}

impl VersionKind {
    /// The fields of a version, in the form's order.
    pub fn fields(self) -> impl Iterator<Item = &'static str> {
        let form = match self {
            Self::Artist => fields_of::<ArtistForm>(),
            Self::Release => fields_of::<ReleaseForm>(),
            Self::Product => fields_of::<ProductRequest>(),
            Self::Text => fields_of::<TextFields>(),
            Self::SiteImage => fields_of::<SiteImageFields>(),
        };
        // Restoring changes a release's content, not when it is public.
        form.iter().copied().filter(|field| !matches!(*field, "publish" | "goes_out_at"))
    }

    pub const fn picture(self) -> Option<&'static str> {
        match self {
            Self::Artist | Self::Product | Self::SiteImage => Some("image_url"),
            Self::Release => Some("cover_image_url"),
            Self::Text => None,
        }
    }

    /// The form of a row: the fields that make a version.
    pub fn of(self, row: &Value) -> Map<String, Value> {
        let find = |field| row.get(field).or_else(|| row.get("social_links")?.get(field)).cloned();
        self.fields().map(|field| (field.to_owned(), find(field).unwrap_or_default())).collect()
    }
}

#[derive(Debug, Deserialize)]
pub struct TextFields {
    pub value: String,
}

#[derive(Debug, Deserialize)]
pub struct SiteImageFields {
    pub image_url: String,
    #[serde(default)]
    pub alt_text: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
}

/// A row with versions, as admins see it. Made by `versioned!`.
pub trait Versioned: Serialize {
    const KIND: VersionKind;

    /// Its key among the versions of its kind.
    fn key(&self) -> String;

    /// Its name in the audit log.
    fn target(&self) -> String;

    fn version(&self) -> i64;

    fn updated_at(&self) -> Micros;
}

/// `versioned!(Row: Kind, |row| key, "target" name)`.
macro_rules! versioned {
    ($Row:ty: $Kind:ident, |$row:ident| $key:expr, $target:literal $name:expr) => {
        impl $crate::editing::versions::Versioned for $Row {
            const KIND: $crate::editing::versions::VersionKind =
                $crate::editing::versions::VersionKind::$Kind;

            fn key(&self) -> String {
                let $row = self;
                $key.to_string()
            }

            fn target(&self) -> String {
                let $row = self;
                format!(concat!($target, ":{}"), $name)
            }

            fn version(&self) -> i64 {
                self.version
            }

            fn updated_at(&self) -> ::deadwax_store::clock::Micros {
                self.updated_at.0
            }
        }
    };
}
pub(crate) use versioned;

const BATCH: usize = 200;

#[derive(Clone, Debug)]
pub struct Saved {
    pub key: String,
    pub version: i64,
    pub saved_at: Micros,
    pub row: Value,
}

impl Saved {
    pub(super) fn of<R: Versioned>(row: &R, saved_at: Micros) -> serde_json::Result<Self> {
        let (key, version) = (row.key(), row.version());
        Ok(Self { key, version, saved_at, row: serde_json::to_value(row)? })
    }

    fn row(&self, kind: VersionKind, by: Option<UserId>) -> Value {
        json!({
            "kind": kind.as_str(),
            "key": self.key,
            "version": self.version,
            "saved_at": self.saved_at,
            "saved_by": by.map(|by| by.0.simple().to_string()),
            "fields": Value::Object(kind.of(&self.row)).to_string(),
        })
    }
}

/// Keeps saved rows as versions, of each row the newest hundred. Rows `before` that are no version yet become one without a
/// person: they are older than versioning, or were changed by what keeps none, such as the trash.
pub async fn keep_many(
    tx: &mut Tx,
    kind: VersionKind,
    by: Option<UserId>,
    before: &[Saved],
    saved: &[Saved],
) -> sqlx::Result<()> {
    for (rows, by) in [(before, None), (saved, by)] {
        for some in rows.chunks(BATCH) {
            let rows: Vec<_> = some.iter().map(|saved| saved.row(kind, by)).collect();
            tx.query(INSERT_MANY).bind(json!(rows).to_string()).execute().await?;
        }
    }
    let grown: Vec<_> = saved.iter().filter(|saved| saved.version > 100).map(|saved| &saved.key).collect();
    with_keys(tx, PRUNE_MANY, kind, &grown).await
}

pub async fn forget_many(tx: &mut Tx, kind: VersionKind, keys: &[Uuid]) -> sqlx::Result<()> {
    with_keys(tx, FORGET_MANY, kind, keys).await
}

async fn with_keys(
    tx: &mut Tx,
    statement: Statement,
    kind: VersionKind,
    keys: &[impl ToString + Sync],
) -> sqlx::Result<()> {
    for some in keys.chunks(BATCH) {
        let rows: Vec<_> = some.iter().map(|key| json!({"key": key.to_string()})).collect();
        tx.query(statement).bind(kind.as_str()).bind(json!(rows).to_string()).execute().await?;
    }
    Ok(())
}
