//! Types of ids, for rows whose ids travel beside others: none can stand in the place of another.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$meta:meta])+ $Id:ident)+) => {$(
        $(#[$meta])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema, sqlx_macros::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $Id(pub Uuid);

        impl $Id {
            /// The id of a new row: ids grow with the time of their making.
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl From<Uuid> for $Id {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $Id {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    )+};
}

ids! {
    /// The id of a user.
    UserId
    /// The id of a session.
    SessionId
    /// The id of an artist.
    ArtistId
    /// The id of a release.
    ReleaseId
    /// The id of a demo.
    DemoId
    /// The id of a subscription of the newsletter.
    SubscriptionId
    /// The id of a letter to the subscribers.
    LetterId
}
