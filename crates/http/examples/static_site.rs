//! Serves a folder through the program's own layers: a peer for measurements of the website. `static_site ADDRESS FOLDER`
//! answers `/` with `index.html`, and every other file of the folder at its path.

use std::{collections::HashMap, net::SocketAddr, path::Path, sync::Arc};

use anyhow::Context as _;
use axum::{
    Router,
    body::Body,
    extract::State,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use deadwax_http::{
    cached_response::CachedResponse,
    headers::Kind,
    response_cache::ResponseCache,
    serve::{self, Site},
};
use http::{HeaderMap, StatusCode, Uri};

type Files = Arc<HashMap<String, CachedResponse>>;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, folder] = arguments.as_slice() else { anyhow::bail!("static_site ADDRESS FOLDER") };
    let address: SocketAddr = address.parse().context("ADDRESS")?;
    let folder = Path::new(folder);
    let mut files = HashMap::new();
    collect(folder, "", &mut files).context("FOLDER")?;
    let site = Site {
        hosts: deadwax_config::Origin::parse(&format!("http://{address}")).context("ADDRESS")?.hosts(),
        is_https: false,
        trusted_proxies: Arc::from([]),
        cache: Arc::new(ResponseCache::default()),
        options_path: "/options",
        router: Router::new().fallback(answer).with_state(Arc::new(files)),
    };
    serve::serve(serve::bind(address)?, site, None, tokio_util::sync::CancellationToken::new()).await;
    Ok(())
}

/// Reads the files of a folder and of those in it, compressed siblings as other forms of one file.
fn collect(folder: &Path, prefix: &str, files: &mut HashMap<String, CachedResponse>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|name| anyhow::anyhow!("{}", name.display()))?;
        let path = format!("{prefix}/{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, files)?;
            continue;
        }
        let (kind, content_type) = match name.rsplit('.').next() {
            Some("html") => (Kind::Page, "text/html; charset=utf-8"),
            Some("js") => (Kind::Asset, "text/javascript; charset=utf-8"),
            Some("css") => (Kind::Asset, "text/css; charset=utf-8"),
            _ => continue,
        };
        let sibling = |end: &str| std::fs::read(folder.join(format!("{name}.{end}"))).ok().map(Bytes::from);
        let file = CachedResponse::new(kind, content_type, std::fs::read(entry.path())?)
            .encoded(sibling("br"), sibling("gz"));
        files.insert(if path == "/index.html" { "/".to_owned() } else { path }, file);
    }
    Ok(())
}

async fn answer(State(files): State<Files>, uri: Uri, headers: HeaderMap) -> Response {
    match files.get(uri.path()) {
        Some(file) => file.respond(&headers, false).map(Body::from),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
