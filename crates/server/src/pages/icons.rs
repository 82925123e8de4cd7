//! Icons of every size and the card of shared addresses, drawn of the label's mark, else of the record in the label's colour.

use axum::{Router, response::Response, routing::get};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
    headers::Kind,
};
use deadwax_pictures::{MarkFormat, Sheet};
use http::HeaderMap;
use rules::signal::SIGNAL;

use super::assets::SHORT;
use crate::{
    app::AppState,
    content::label::{self, LabelView},
    files::picture,
};

/// The record, in the colour of the design.
const RECORD: &str = include_str!("../../../../web/public/favicon.svg");

const SVG_ICON: &str = "/favicon.svg";
const ICO_ICON: &str = "/favicon.ico";
const ICO_EDGE: u32 = 32;
/// Of phones that cut icons to their own shape.
pub(super) const MASKABLE: &str = "/icon-maskable.png";
/// The picture of shared addresses without another.
pub(super) const CARD: &str = "/card.png";
pub(super) const CARD_SIZE: (u32, u32) = (1200, 630);
const CARD_ROOM: (u32, u32) = (800, 300);
/// The mark on the ground, for mail.
const MAIL_MARK: &str = "/mark.png";

/// Path and edge in pixels.
const PNG_ICONS: [(&str, u32); 4] =
    [("/apple-touch-icon.png", 180), ("/icon-192.png", 192), ("/icon-512.png", 512), (MASKABLE, 512)];

const PNG: &str = "image/png";
const SVG: &str = "image/svg+xml";

pub(super) fn routes() -> Router<AppState> {
    let pngs = PNG_ICONS.into_iter().map(|(path, _)| path);
    [SVG_ICON, ICO_ICON, CARD, MAIL_MARK].into_iter().chain(pngs).fold(Router::new(), |router, path| {
        router.route(path, get(move |app: AppState, headers: HeaderMap| show(app, headers, path)))
    })
}

/// 404 for the card and the mark of mail without a mark.
async fn show(app: AppState, headers: HeaderMap, path: &'static str) -> AppResult<Response> {
    app.answer_as(path, &headers, label::TABLES, || async {
        let label = app.known_label.current(&app.db).await?;
        let (kind, content_type, bytes) = match path {
            SVG_ICON => match drawing(&app, &label).await? {
                Drawing { bytes, is_mark: false, .. } => (Kind::Media, SVG, bytes),
                mark => (Kind::Media, SVG, on_ground(&mark).into()),
            },
            CARD | MAIL_MARK => {
                let mark = label.mark.as_ref().ok_or_else(AppError::not_found)?;
                let card = Sheet { size: CARD_SIZE, inner: CARD_ROOM };
                let sheet = if path == CARD { card } else { mark.mail_sheet() };
                (Kind::Media, PNG, draw(&app, drawing(&app, &label).await?, sheet).await?)
            }
            ICO_ICON => (Kind::Asset, "image/x-icon", icon(&app, &label, path).await?),
            _ => (Kind::Asset, PNG, icon(&app, &label, path).await?),
        };
        Ok(CachedResponse::new(kind, content_type, bytes).cache_control(SHORT))
    })
    .await
}

async fn icon(app: &AppState, label: &LabelView, path: &str) -> AppResult<Bytes> {
    if let Some(file) = delivered(app, label, path) {
        return Ok(file);
    }
    let drawing = drawing(app, label).await?;
    let percent = match (drawing.is_mark, path) {
        (true, MASKABLE) => 58,
        (true, ICO_ICON) => 92,
        (true, _) | (false, MASKABLE) => 80,
        (false, _) => 100,
    };
    let edge = PNG_ICONS.iter().find(|(png, _)| *png == path).map_or(ICO_EDGE, |(_, edge)| *edge);
    let inner = edge * percent / 100;
    let png = draw(app, drawing, Sheet { size: (edge, edge), inner: (inner, inner) }).await?;
    Ok(if path == ICO_ICON { ico(&png).into() } else { png })
}

/// The file that the web app brings, for a label that is as delivered.
fn delivered(app: &AppState, label: &LabelView, path: &str) -> Option<Bytes> {
    let is_preset = label.mark.is_none() && label.own_signal().is_none();
    let file = app.assets.get(path).filter(|_| is_preset)?;
    Some(file.respond(&HeaderMap::new(), false).into_body())
}

struct Drawing {
    bytes: Bytes,
    format: MarkFormat,
    is_mark: bool,
    /// Its proportions.
    size: (i64, i64),
}

async fn drawing(app: &AppState, label: &LabelView) -> AppResult<Drawing> {
    let Some(mark) = &label.mark else {
        let bytes = RECORD.replace(SIGNAL, &label.signal).into();
        return Ok(Drawing { bytes, format: MarkFormat::Svg, is_mark: false, size: (1, 1) });
    };
    let (bytes, format) = mark.read(&app.storage).await?;
    Ok(Drawing { bytes, format, is_mark: true, size: (mark.width, mark.height) })
}

async fn draw(app: &AppState, drawing: Drawing, sheet: Sheet) -> AppResult<Bytes> {
    let drawn = app.pictures.draw_mark(drawing.bytes, drawing.format, sheet).await;
    Ok(drawn.map_err(picture::failure)?.into())
}

/// The mark within a square of the ground.
fn on_ground(mark: &Drawing) -> String {
    const ROOM: i64 = 84;
    let (width, height) = mark.size;
    let longest = width.max(height).max(1);
    let (width, height) = (width * ROOM / longest, height * ROOM / longest);
    let kind = if mark.format == MarkFormat::Svg { SVG } else { PNG };
    let (x, y) = ((100 - width) / 2, (100 - height) / 2);
    let data = BASE64_STANDARD.encode(&mark.bytes);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><path fill=\"#0B0B0B\" d=\"M0 0h100v100H0z\"/>\
         <image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" href=\"data:{kind};base64,{data}\"/></svg>"
    )
}

/// An icon file with one picture of 32 × 32 pixels.
fn ico(png: &[u8]) -> Vec<u8> {
    const HEAD_BYTES: u32 = 22;
    let length = u32::try_from(png.len()).unwrap_or(u32::MAX);
    let mut file = vec![0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 24, 0];
    file.extend(length.to_le_bytes());
    file.extend(HEAD_BYTES.to_le_bytes());
    file.extend(png);
    file
}
