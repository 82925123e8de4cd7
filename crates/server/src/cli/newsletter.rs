//! Commands about the newsletter.

use anyhow::Context as _;
use clap::Subcommand;
use deadwax_config::Settings;
use deadwax_mail::captured;
use deadwax_store::{clock::Clock, crypto::Keys};
use rules::email::Email;

use super::{open_label, say};
use crate::{
    accounts::account_mail,
    newsletter::{
        returned::{self, Received},
        subscribers,
    },
};

#[derive(Debug, Subcommand)]
pub(super) enum NewsletterCommand {
    /// Erase an address.
    Remove {
        /// The address.
        email: String,
    },
}

pub(super) async fn remove(settings: &Settings, email: &str) -> anyhow::Result<()> {
    let email = Email::parse(&account_mail::to_ascii(email)).with_context(|| email.to_owned())?;
    let db = open_label(settings).await?;
    let removed = subscribers::remove_address(&db, Clock::System.now(), &email).await;
    db.close().await;
    let Some(letters) = removed? else { anyhow::bail!("{} is not on the newsletter", email.as_str()) };
    captured::remove_files(&settings.data_dir.join(captured::FOLDER), &letters)
        .context("DEADWAX_DATA_DIR: mail")?;
    say(&format!("{} is off the newsletter, and erased", email.as_str()))
}

/// Reads a mail that came back from standard input.
pub(super) async fn bounces(settings: &Settings) -> anyhow::Result<()> {
    let address = settings.bounce_address.as_deref().context("BOUNCE_ADDRESS is not set")?;
    let address = deadwax_mail::bounce_address(address)?;
    let mail = returned::read_mail(std::io::stdin().lock())?;
    let db = open_label(settings).await?;
    let now = Clock::System.now();
    let keys = Keys::of(&db, &settings.key_path(), now).await?;
    let received = returned::receive(&db, &keys, address.as_ref(), &mail, now).await;
    db.close().await;
    say(match received.map_err(|error| anyhow::anyhow!("{}", error.cause()))? {
        Received::Gone => "the address does not exist any more: its subscription ended",
        Received::Complained => "a complaint: the subscription ended",
        Received::Left => "a request to leave: done",
        Received::Counted => "counted",
        Received::Again => "counted before",
        Received::ReadBack => "about the letter that is read back: noted",
        Received::Noted => "nothing failed: ignored",
        Received::Ignored => "about no letter, or not understood: ignored",
    })
}
