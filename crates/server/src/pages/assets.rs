//! The web app's files, built into the program, compressed beforehand and named by their content.

use std::{borrow::Cow, collections::HashMap, path::Path};

use bytes::Bytes;
use deadwax_http::{cached_response::CachedResponse, headers::Kind};
use rust_embed::RustEmbed;

/// A year: the name changes with the content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Icons and manifests keep their names.
pub(super) const SHORT: &str = "public, max-age=3600";

pub struct Assets {
    files: HashMap<String, CachedResponse>,
    pub document: String,
    /// The module that paints pages, unless the web app was built without it.
    pub paint: Option<&'static str>,
}

impl std::fmt::Debug for Assets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assets").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl Assets {
    /// The files of a built web app. They are the program's and not the library's, which would be compiled again with each of their
    /// builds.
    pub fn of<WebApp: RustEmbed>() -> Self {
        let embedded = |path: &str| {
            WebApp::get(path).map(|file| {
                let bytes = match file.data {
                    Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                    Cow::Owned(bytes) => Bytes::from(bytes),
                };
                (bytes, file.metadata.sha256_hash())
            })
        };
        let bytes = |path: &str| embedded(path).map(|(bytes, _)| bytes);
        let mut files = HashMap::new();
        for path in WebApp::iter().filter(|path| is_served(path)) {
            let Some((identity, sha256)) = embedded(&path) else { continue };
            let caching = if path.starts_with("assets/") { IMMUTABLE } else { SHORT };
            // The build made the hash, so that a start does not read unrequested files from the disk.
            let file = CachedResponse::hashed(Kind::Asset, content_type(&path), identity, &sha256)
                .cache_control(caching)
                .encoded(bytes(&format!("{path}.br")), bytes(&format!("{path}.gz")));
            files.insert(format!("/{path}"), file);
        }
        let document =
            bytes("index.html").map(|html| String::from_utf8_lossy(&html).into_owned()).unwrap_or_default();
        let paint = WebApp::get("server/paint.js").and_then(|file| match file.data {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok(),
            Cow::Owned(_) => None,
        });
        Self { files, document, paint }
    }

    /// The path of the web app's one stylesheet, for pages beside it; its own documents have it in them.
    pub fn stylesheet(&self) -> Option<&str> {
        self.files
            .keys()
            .map(String::as_str)
            .filter(|path| Path::new(path).extension().is_some_and(|end| end == "css"))
            .min()
    }

    pub fn get(&self, path: &str) -> Option<&CachedResponse> {
        self.files.get(path)
    }
}

/// Compressed siblings are other forms of a file; the document is served with a page's own head.
fn is_served(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    path != "index.html" && !path.starts_with("server/") && !matches!(extension, "br" | "gz" | "map")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        "json" => "application/json; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        _ => rules::media_name::content_type(path).unwrap_or("application/octet-stream"),
    }
}
