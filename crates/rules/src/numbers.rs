//! Numbers of visits: what counts, and what is left out. A visitor is never named.

use crate::slug::is_slug;

/// Longest message of a browser about a visit, in bytes.
pub const SEEN_MAX_BYTES: usize = 512;
/// A page counts once it has been visible so long.
pub const SEEN_AFTER_MS: u32 = 1_000;
/// A page that is opened again within this time, without loading the document anew, does not count again.
pub const SEEN_AGAIN_MS: u32 = 10_000;
/// A release counts as played once it was heard so long.
pub const PLAYED_AFTER_MS: u32 = 10_000;
/// Views of one visitor in a minute that count; more are left out.
pub const VIEWS_A_MINUTE: u32 = 30;
/// Views of one visitor in a day that count; more are left out.
pub const VIEWS_A_DAY: u32 = 300;
/// Websites that visitors of a day came from, each counted by its name; the rest are [`OTHER`].
pub const SOURCES_A_DAY: usize = 200;
/// Times in a day that one visitor's way here counts by the website's name, so that no visitor uses up the names of a day; later
/// ones are [`OTHER`].
pub const SOURCES_OF_A_VISITOR: u32 = 5;
/// Other numbers of a day that are kept by name, several of which may be of one subject; the rest are [`OTHER`].
pub const SUBJECTS_A_DAY: usize = 2_000;
/// Releases whose visitors are counted, so many in a day.
pub const COUNTED_RELEASES: usize = 200;
/// Numbers are kept by day for so many months, then by month.
pub const DAYS_KEPT_MONTHS: u32 = 25;
/// Days that can be shown.
pub const SPANS: [u32; 4] = [7, 30, 90, 365];
/// Stands for all subjects beyond these bounds.
pub const OTHER: &str = "other";

/// A public page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// One of [`PLACES`], by its path.
    Fixed(&'static str),
    /// A release, by its slug.
    Release(&'a str),
    /// An artist, by the id.
    Artist(&'a str),
    /// A letter of the archive, by its slug.
    Letter(&'a str),
}

/// The public pages that are always there: path, and name.
pub const PLACES: [(&str, &str); 10] = [
    ("/", "Home"),
    ("/releases", "Releases"),
    ("/artists", "Artists"),
    ("/letters", "Letters"),
    ("/store", "Store"),
    ("/terminal", "Terminal"),
    ("/contact", "Contact"),
    ("/privacy-policy", "Privacy policy"),
    ("/imprint", "Imprint"),
    ("/signup", "Sign up"),
];

/// The public page at `path`; none for any other.
///
/// ```
/// use rules::numbers::{Place, place};
///
/// assert_eq!(place("/releases/"), Some(Place::Fixed("/releases")));
/// assert_eq!(place("/releases/404-001-night-drive"), Some(Place::Release("404-001-night-drive")));
/// assert_eq!(place("/admin"), None);
/// ```
pub fn place(path: &str) -> Option<Place<'_>> {
    let path = path.strip_suffix('/').filter(|short| short.len() > 1).unwrap_or(path);
    if let Some((fixed, _)) = PLACES.iter().find(|(fixed, _)| *fixed == path) {
        return Some(Place::Fixed(fixed));
    }
    let (folder, name) = path.strip_prefix('/')?.split_once('/')?;
    match folder {
        "releases" if is_slug(name) => Some(Place::Release(name)),
        "letters" if is_slug(name) => Some(Place::Letter(name)),
        "artists" if !name.contains('/') => Some(Place::Artist(name)),
        _ => None,
    }
}

/// The host of a website that led here, as it is counted: lower case, without `www.`; none if it is no name of a host.
///
/// ```
/// use rules::numbers::source;
///
/// assert_eq!(source("WWW.Example.ORG"), Some("example.org".into()));
/// assert_eq!(source("127.0.0.1"), None);
/// assert_eq!(source("person@example.org"), None);
/// ```
pub fn source(host: &str) -> Option<String> {
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last_is_name =
        host.rsplit_once('.').is_some_and(|(_, last)| last.bytes().any(|b| !b.is_ascii_digit()));
    (host.len() <= 100 && last_is_name && host.split('.').all(is_label)).then(|| host.to_owned())
}

/// Words by which programs that read pages by themselves name themselves.
const ROBOTS: [&str; 30] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "archiver",
    "facebookexternalhit",
    "preview",
    "headless",
    "lighthouse",
    "pagespeed",
    "phantomjs",
    "puppeteer",
    "playwright",
    "selenium",
    "curl/",
    "wget/",
    "python",
    "java/",
    "okhttp",
    "go-http-client",
    "libwww",
    "httpx",
    "axios",
    "node-fetch",
    "ruby",
    "php/",
    "scrapy",
    "monitor",
    "uptime",
    "feedfetcher",
];

/// Whether a User-Agent is that of a program without a person, or is missing.
///
/// ```
/// use rules::numbers::is_robot;
///
/// assert!(is_robot("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"));
/// assert!(!is_robot("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"));
/// ```
pub fn is_robot(user_agent: &str) -> bool {
    let name = user_agent.to_ascii_lowercase();
    // Phones of this maker have its name, which ends like a robot's.
    let name = name.replace("cubot", "");
    name.trim().is_empty() || ROBOTS.iter().any(|robot| name.contains(robot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_pages_are_places() {
        for (path, expected) in [
            ("/", Some(Place::Fixed("/"))),
            ("/artists", Some(Place::Fixed("/artists"))),
            ("/releases/a-1", Some(Place::Release("a-1"))),
            ("/letters/a-1/", Some(Place::Letter("a-1"))),
            ("/artists/0197aaaa", Some(Place::Artist("0197aaaa"))),
            ("/admin/releases", None),
            ("/p/abc", None),
            ("/demos/abc", None),
            ("/profile", None),
            ("/releases/a/b", None),
            ("/artists/a/b", None),
            ("/releases/A%20b", None),
            ("releases", None),
            ("/releases?q=a", None),
            ("", None),
            ("//", None),
        ] {
            assert_eq!(place(path), expected, "{path}");
        }
    }

    #[test]
    fn a_source_is_the_name_of_a_host() {
        for host in ["t.co", "xn--bcher-kva.example"] {
            assert_eq!(source(host).as_deref(), Some(host));
        }
        let long = format!("{}.example", "a".repeat(100));
        for host in ["localhost", "a..b", "-a.example", "[::1]", "a.example:80", "", ".", &long] {
            assert_eq!(source(host), None, "{host}");
        }
    }

    #[test]
    fn robots_are_told_from_browsers() {
        let people = [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 \
             Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile \
             Safari/537.36",
        ];
        let robots = [
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
            "curl/8.14.1",
            "",
            " ",
        ];
        for person in people {
            assert!(!is_robot(person), "{person}");
        }
        for robot in robots {
            assert!(is_robot(robot), "{robot}");
        }
    }
}
