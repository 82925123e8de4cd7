//! `/dev/mail/{token}`: captured mail, for development on this machine. Mail holds links that open accounts, so the viewer exists only
//! without a mail server and on a loopback address, and its own address is secret: behind a proxy that sets no header, every client
//! looks like this machine.

use std::{
    borrow::Cow,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use askama::Template;
use axum::{
    Router,
    extract::{ConnectInfo, FromRequestParts, Path as UrlPath, RawPathParams},
    response::{Html, IntoResponse as _, Response},
    routing::get,
};
use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    headers::Kind,
};
use deadwax_mail::{Content, captured};
use http::{HeaderMap, HeaderValue, header, request::Parts};
use rules::signal::SIGNAL;

use crate::app::AppState;

const LISTED: usize = 200;

const STYLE: &str = include_str!("../../assets/dev-mail.css");

pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/dev/mail/{token}", get(list_mail))
        .route("/dev/mail/{token}/mail.css", get(show_style))
        .route("/dev/mail/{token}/{name}", get(show_mail))
}

#[derive(Template)]
#[template(path = "mail/list.html")]
struct ListPage<'a> {
    label: &'a str,
    app_style: Option<&'a str>,
    viewer: String,
    folder: Cow<'a, str>,
    mails: Vec<Listed>,
}

struct Listed {
    name: String,
    time: String,
    to: String,
    subject: String,
}

#[derive(Template)]
#[template(path = "mail/mail.html")]
struct MailPage<'a> {
    label: &'a str,
    app_style: Option<&'a str>,
    viewer: String,
    from: &'a str,
    date: String,
    mail: &'a Content,
    text: Vec<Piece<'a>>,
    html: Vec<Piece<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Plain(&'a str),
    Link(&'a str),
    Source(&'a str, String),
}

async fn list_mail(app: AppState, viewer: LocalViewer) -> AppResult<Response> {
    let mails = tokio::task::spawn_blocking({
        let folder = viewer.folder.clone();
        move || list(&folder)
    });
    let mails = mails.await.map_err(AppError::internal)?.map_err(AppError::internal)?;
    page(&ListPage {
        label: &app.label_name(),
        app_style: app.assets.stylesheet(),
        viewer: viewer.address,
        folder: viewer.folder.to_string_lossy(),
        mails,
    })
}

async fn show_mail(
    app: AppState,
    viewer: LocalViewer,
    UrlPath((_, name)): UrlPath<(String, String)>,
) -> AppResult<Response> {
    if !captured::is_file_name(&name) {
        return Err(AppError::not_found());
    }
    let date = sent_at(&name).map(|at| jiff::fmt::rfc2822::to_string(&at.to_zoned(jiff::tz::TimeZone::UTC)));
    let date = date.transpose().map_err(AppError::internal)?.unwrap_or_default();
    let read = tokio::task::spawn_blocking(move || captured::read(&viewer.folder, &name));
    let (from, content) = read.await.map_err(AppError::internal)?.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => AppError::not_found(),
        _ => AppError::internal(error),
    })?;
    page(&MailPage {
        label: &app.label_name(),
        app_style: app.assets.stylesheet(),
        viewer: viewer.address,
        from: &from,
        date,
        mail: &content,
        text: pieces(&content.text, false),
        html: pieces(&content.html, true),
    })
}

async fn show_style(app: AppState, _: LocalViewer) -> Response {
    let mut response = STYLE.replace(SIGNAL, &app.known_label.last().signal).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8"));
    response.extensions_mut().insert(Kind::Asset);
    response
}

/// A request from this machine that knows the secret address. Any other request is answered like one for an unknown page.
struct LocalViewer {
    folder: PathBuf,
    address: String,
}

impl FromRequestParts<AppState> for LocalViewer {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        let path = RawPathParams::from_request_parts(parts, app).await.map_err(|_| AppError::not_found())?;
        let token = path.iter().find(|(name, _)| *name == "token").map_or("", |(_, token)| token);
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let is_local = app.origin.is_loopback()
            && peer.is_some_and(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback())
            && is_own_host(&app.origin, &parts.headers)
            && !was_forwarded(&parts.headers);
        let folder = app.mail.folder().filter(|folder| is_local && folder.is_token(token));
        let folder = folder.ok_or_else(AppError::not_found)?;
        Ok(Self { folder: folder.path().to_owned(), address: folder.viewer() })
    }
}

fn is_own_host(origin: &Origin, request: &HeaderMap) -> bool {
    // HTTP/2 names the host in its target, which is checked before any route.
    request.get(header::HOST).is_none_or(|host| origin.hosts().find(host.as_bytes()).is_some())
}

fn was_forwarded(request: &HeaderMap) -> bool {
    request
        .keys()
        .map(http::HeaderName::as_str)
        .any(|name| matches!(name, "forwarded" | "via" | "x-real-ip") || name.starts_with("x-forwarded"))
}

fn page(template: &impl Template) -> AppResult<Response> {
    let mut response = Html(template.render().map_err(AppError::internal)?).into_response();
    response.extensions_mut().insert(Kind::Page);
    Ok(response)
}

fn list(folder: &Path) -> std::io::Result<Vec<Listed>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| captured::is_file_name(name))
        .filter_map(|name| Some((sent_at(&name)?, name)))
        .collect();
    names.sort_by(|a, b| b.cmp(a));
    names.truncate(LISTED);
    names
        .into_iter()
        .map(|(sent_at, name)| {
            let (_, Content { to, subject, .. }) = captured::read(folder, &name)?;
            Ok(Listed { name, time: sent_at.strftime("%Y-%m-%d %H:%M:%S").to_string(), to, subject })
        })
        .collect()
}

fn sent_at(name: &str) -> Option<jiff::Timestamp> {
    jiff::Timestamp::from_millisecond(name.split('-').next()?.parse().ok()?).ok()
}

/// Splits a text into links and the texts between them; in HTML source, `&` is escaped in links.
fn pieces(text: &str, is_source: bool) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = [rest.find("http://"), rest.find("https://")].into_iter().flatten().min() {
        let (before, from) = rest.split_at(start);
        let end = from
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\''))
            .unwrap_or(from.len());
        let (link, after) = from.split_at(end);
        if !before.is_empty() {
            pieces.push(Piece::Plain(before));
        }
        pieces.push(if is_source {
            Piece::Source(link, link.replace("&#38;", "&").replace("&amp;", "&"))
        } else {
            Piece::Link(link)
        });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Plain(rest));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_end_where_they_end() {
        assert_eq!(
            pieces("see http://a.example/#t=1&u=2\nand", false),
            [Piece::Plain("see "), Piece::Link("http://a.example/#t=1&u=2"), Piece::Plain("\nand")]
        );
        assert_eq!(
            pieces("<a href=\"https://a.example/?b&#38;c\">", true),
            [
                Piece::Plain("<a href=\""),
                Piece::Source("https://a.example/?b&#38;c", "https://a.example/?b&c".to_owned()),
                Piece::Plain("\">")
            ]
        );
        assert_eq!(pieces("", false), []);
        assert_eq!(pieces("javascript:alert(1)", false), [Piece::Plain("javascript:alert(1)")]);
    }
}
