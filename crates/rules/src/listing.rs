//! How much of a list is told at once; only the server asks.

/// Rows of a page, where the caller does not say.
pub const PAGE: u32 = 50;
/// Rows of a page, at most.
pub const PAGE_MAX: u32 = 100;
/// Characters of what a list of the back office is searched for, at most.
pub const SEARCH_MAX: usize = 200;
/// Releases in the feed: as many as the catalogue's first page shows.
pub const FEED: u32 = 50;
/// Artists, or releases, in one part of the sitemap. The protocol allows 50 000, but a part of that size would be larger than any other
/// answer of the website (1 MiB) and too large to be kept ready.
pub const SITEMAP_PART: u32 = 2_000;
