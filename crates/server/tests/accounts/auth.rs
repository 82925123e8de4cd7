//! Accounts: sign-up, sign-in, sessions, and what their owners change and recover.

mod account;
mod bounds;
mod deleted;
mod email_change;
mod events;
mod guessing;
mod letters;
mod limits;
mod mailed_link;
mod password;
mod recovery;
mod session;
mod sessions;
mod sign_in;
mod sign_up;
mod two_factor;
mod under_way;
mod usernames;
