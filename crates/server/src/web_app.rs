//! The web app as it was built.

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
pub(crate) struct WebApp;
