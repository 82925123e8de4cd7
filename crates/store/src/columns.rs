//! Columns that serialise themselves, so that a row can be the answer although the two write a value differently.

use std::ops::Deref;

pub use rules::checked::Named;
use rules::url::public_url;
use serde::{Serialize, Serializer};
use sqlx::{Database, Decode, error::BoxDynError};
use utoipa::ToSchema;

use crate::clock::{Micros, rfc3339};

/// An instant: microseconds since 1970-01-01 UTC in a row, RFC 3339 in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, ToSchema, sqlx_macros::Type)]
#[schema(value_type = String, format = DateTime, description = "An instant in UTC, RFC 3339")]
#[sqlx(transparent)]
pub struct Timestamp(pub Micros);

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rfc3339(self.0))
    }
}

/// A number as a row has it.
pub fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of a row that is never below zero.
pub fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// An address that visitors may follow: any other that a row has, and none, is null ([`public_url`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(description = "An absolute address, or a path on this website")]
#[serde(transparent)]
pub struct PublicUrl(pub Option<String>);

impl Deref for PublicUrl {
    type Target = Option<String>;

    fn deref(&self) -> &Option<String> {
        &self.0
    }
}

impl<DB: Database> sqlx::Type<DB> for PublicUrl
where
    String: sqlx::Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        String::type_info()
    }

    fn compatible(column: &DB::TypeInfo) -> bool {
        String::compatible(column)
    }
}

impl<'r, DB: Database> Decode<'r, DB> for PublicUrl
where
    Option<String>: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(public_url(Option::decode(value)?)))
    }
}

/// What [`text_column!`](crate::text_column) makes of a text.
pub fn read_text<'r, T, E: Into<BoxDynError>>(
    read: impl FnOnce(&'r str) -> Result<T, E>,
    text: &'r str,
) -> Result<T, BoxDynError> {
    read(text).map_err(Into::into)
}

/// Lets a column of text be read as a type; text that `$read` refuses is an error of its column.
#[macro_export]
macro_rules! text_column {
    ($type:ty, $read:expr $(, $T:ident: $Bound:path)?) => {
        impl<DB: ::sqlx::Database $(, $T: $Bound)?> ::sqlx::Type<DB> for $type
        where
            String: ::sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <String as ::sqlx::Type<DB>>::type_info()
            }

            fn compatible(column: &DB::TypeInfo) -> bool {
                <String as ::sqlx::Type<DB>>::compatible(column)
            }
        }

        impl<'r, DB: ::sqlx::Database $(, $T: $Bound)?> ::sqlx::Decode<'r, DB> for $type
        where
            &'r str: ::sqlx::Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, ::sqlx::error::BoxDynError> {
                $crate::columns::read_text($read, <&str as ::sqlx::Decode<'r, DB>>::decode(value)?)
            }
        }
    };
}

/// The value of a name.
pub fn read_name<T: Named>(name: &str) -> Result<T, String> {
    T::named(name).ok_or_else(|| format!("unknown value {name:?}"))
}

/// A column with a value of the rules by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Name<T>(pub T);

text_column!(Name<T>, |name: &str| read_name(name).map(Name), T: Named);

/// Declares an enum of [`Named`] values: `names! { /// … Kind; /// … First = "first"; }`.
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $Name:ident; $($(#[$value_meta:meta])* $Value:ident = $name:tt;)+) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize, ::utoipa::ToSchema)]
        pub enum $Name {
            $($(#[$value_meta])* #[serde(rename = $name)] $Value,)+
        }

        impl $crate::columns::Named for $Name {
            const ALL: &'static [Self] = &[$(Self::$Value),+];

            fn as_str(self) -> &'static str {
                match self { $(Self::$Value => $name,)+ }
            }
        }

        $crate::text_column!($Name, $crate::columns::read_name);
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_as_people_read_it() {
        let at = serde_json::to_value(Timestamp(1_767_225_600_500_000)).unwrap();
        assert_eq!(at, "2026-01-01T00:00:00.5Z");
    }

    #[tokio::test]
    async fn a_text_that_is_not_a_name_is_an_error_of_its_column() {
        crate::names! {
            #[expect(unreachable_pub, reason = "the macro declares it where it is called")]
            Side;
            /// The first.
            A = "a";
        }
        let db = sqlx::SqlitePool::connect("sqlite::memory:").await.unwrap();
        let read =
            async |text: &str| sqlx::query_scalar::<_, Side>("SELECT $1").bind(text).fetch_one(&db).await;
        assert_eq!(read("a").await.unwrap(), Side::A);
        assert!(read("b").await.unwrap_err().to_string().contains("unknown value \"b\""));
    }

    #[tokio::test]
    async fn an_address_that_visitors_must_not_follow_is_none() {
        let db = sqlx::SqlitePool::connect("sqlite::memory:").await.unwrap();
        let read = async |url: Option<&str>| {
            sqlx::query_scalar::<_, PublicUrl>("SELECT $1").bind(url).fetch_one(&db).await.unwrap().0
        };
        assert_eq!(read(Some("https://a.example/")).await.as_deref(), Some("https://a.example/"));
        assert_eq!(read(Some("javascript:alert(1)")).await, None);
        assert_eq!(read(None).await, None);
    }
}
