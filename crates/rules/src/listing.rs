//! Page sizes of lists. Used by the server only.

/// Default number of rows on a page.
pub const PAGE: u32 = 50;
/// Maximum number of rows on a page.
pub const PAGE_MAX: u32 = 100;
/// Maximum length in characters of a search in the back office.
pub const SEARCH_MAX: usize = 200;
/// Number of releases in the feed, the same as on the catalogue's first page.
pub const FEED: u32 = 50;
/// Artists or releases in one part of the sitemap. The protocol allows 50 000, but such a part would be the largest response of
/// the website (1 MiB), too large to cache.
pub const SITEMAP_PART: u32 = 2_000;
