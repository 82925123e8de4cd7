//! Mail: a row in the outbox, written in the transaction of its cause and sent by its commit, over SMTP or, without a mail server, into
//! files that a secret address shows on this machine. Callers decide whether a mail is sent at all; the letters about accounts are
//! in [`letters`].
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

pub mod bounce_box;
mod bulk;
pub mod captured;
mod delivery;
pub mod letter;
pub mod letters;
pub mod mailer;
mod outbox;
mod retry;
pub mod returned;
mod settings;
mod smtp;
mod url_parts;
mod worker;

use deadwax_store::db::Statement;

pub use bulk::{BulkMail, HandedOver};
/// Why a mail was not put into the outbox.
pub use deadwax_store::Failure as OutboxError;
pub use letter::{Content, Label, Letter, Part, say};
pub use mailer::{Forgetting, Mailer};
pub use outbox::{Mail, Undelivered, cancel, enqueue, forget, is_due, prune, undelivered};
pub use retry::Patience;
pub use settings::{MailSettings, SettingError, bounce_address};
pub use worker::{DELIVERY_MAX, deliver};

pub fn statements() -> Vec<(&'static str, Statement)> {
    outbox::statements()
}
