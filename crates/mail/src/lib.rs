//! Mail: a row in the outbox, written in the transaction of its cause and delivered afterwards, by SMTP or, without a mail
//! server, as files that a secret address shows on this machine (`mail_viewer`). What the letters about accounts say is in [`letters`], and every letter is made of
//! [`Part`]s; whether a mail goes at all is decided by whoever enqueues it.

pub mod captured;
mod compose;
pub mod eml;
pub mod letter;
pub mod letters;
pub mod mailer;
mod message;
mod outbox;
mod retry;
mod settings;
mod smtp;
mod worker;

use deadwax_store::db::Statement;

pub use letter::{Label, Letter, Part, say};
pub use mailer::{Forgetting, Mailer};
pub use message::{Mail, Patience};
pub use outbox::{OutboxError, Undelivered, cancel, enqueue, forget, prune, undelivered};
pub use settings::{MailSettings, SettingError};
pub use worker::{DELIVERY_MAX, deliver};

/// Every SQL text of mail.
pub const STATEMENTS: &[(&str, Statement)] = outbox::STATEMENTS;
