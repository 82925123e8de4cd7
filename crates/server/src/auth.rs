//! Who is asking, and what they may do: sessions, the cookies that carry them, and the extractors that let a request in. Capabilities stand above; what happens to an account is theirs.

pub mod cookies;
pub mod guard;
pub mod reuse;
pub mod session;
